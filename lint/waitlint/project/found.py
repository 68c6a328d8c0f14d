"""What is looked for in a file."""

from __future__ import annotations

from collections.abc import Mapping, Set

from msgspec import Struct

from waitlint.facts import Call, Expr, Loop, Map, Opaque, Seq


class Found(Struct, frozen=True, gc=False):
    """A call, the function that it stands in, and the constant, key or field that its result is bound to."""

    path: str
    call: Call
    function: int | None
    bound: str = ""


class FoundMap(Struct, frozen=True, gc=False):
    """An object literal, the function that it stands in and the name that it is bound to.

    `keys` are those of its entries in order, "" for what is no plain text.
    """

    path: str
    map: Map
    keys: tuple[str, ...]
    function: int | None
    bound: str = ""

    @property
    def entries(self) -> dict[str, Expr]:
        """What stands under each key."""
        return {key: entry.value for key, entry in zip(self.keys, self.map.entries, strict=True) if key}


class Named(Struct, frozen=True, gc=False):
    """A value that is given a name: by an assignment to a variable, or to a field of `owner`."""

    path: str
    name: str
    value: Expr
    function: int | None
    owner: str = ""


class Pair(Struct, frozen=True, gc=False):
    """A list or tuple of two, of which the first is a string."""

    path: str
    pair: Seq
    function: int | None


class Tagged(Struct, frozen=True, gc=False):
    """Syntax without a word for it, such as an element of JSX."""

    path: str
    node: Opaque
    function: int | None


class FoundLoop(Struct, frozen=True, gc=False):
    """A loop, and the function that it stands in."""

    loop: Loop
    function: int | None


class Walked(Struct, frozen=True):
    """What is looked for in a file, in the order in which it is written within each function.

    `bound` are the names that something in a function binds, those of its parameters left out; also what is written
    around it, such as its decorators, counts for the function outside.
    """

    calls: tuple[Found, ...]
    maps: tuple[FoundMap, ...]
    named: tuple[Named, ...]
    pairs: tuple[Pair, ...]
    tagged: tuple[Tagged, ...]
    loops: tuple[FoundLoop, ...]
    bound: Mapping[int | None, Set[str]]
