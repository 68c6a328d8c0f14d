"""What is known on one path through a function, and how it leaves."""

from __future__ import annotations

from msgspec import Struct

from waitlint.finding import Place
from waitlint.interpret.values import NOTHING, Value


class State(Struct):
    """The local names of one path.

    `tag` is the serial of the wait whose cap it has passed; `failed` where a request on this path is known to have
    failed.
    """

    locals: dict[str, Value]
    tag: int | None = None
    failed: bool = False

    def copy(self) -> State:
        return State(dict(self.locals), self.tag, self.failed)


class Exit(Struct):
    """A way out of a block. `kind` is `return`, `raise`, `break` or `continue`; `tests` are its conditions."""

    kind: str
    state: State
    value: Value = NOTHING
    place: Place | None = None
    label: str = ""
    tests: tuple[Value, ...] = ()


class Way(Struct):
    """One answer of a test: what it says, the path behind it, and the cap that was passed before it."""

    answer: bool
    test: Value
    branch: State
    before: int | None
