"""Definitions of the project itself that a configuration describes: they are what their row says, whatever they do."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from waitlint.interpret.values import ClassRef, External, FunctionRef, Value
from waitlint.project.modules import Modules

Key = tuple[type[Value], str, int]


def key_of(value: Value) -> Key | None:
    """What tells one definition from every other."""
    return (type(value), value.path, value.index) if isinstance(value, FunctionRef | ClassRef) else None


def places_of(name: str, modules: Modules) -> Iterable[tuple[str, str]]:
    """The files, and the name there, that `acme.timing.nap`, `@acme/timing.nap` or `src/timing.nap` may mean."""
    module, dot, last = name.rpartition(".")
    if dot:
        paths = (modules.python("", module), modules.script("", module), modules.script("", f"./{module}"))
        yield from ((path, last) for path in dict.fromkeys(paths) if path is not None)


def standing_in(value: Value | None, own: Mapping[Key, str]) -> Value | None:
    """The value that the rows know in the place of one of the project's own definitions."""
    key = key_of(value) if own and value is not None else None
    return External(own[key]) if key is not None and key in own else value
