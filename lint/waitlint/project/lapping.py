"""What changes from lap to lap of a loop, and the calls of a lap that lead to a read."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from waitlint.facts import Assign, Attr, Call, Expr, Index, Name, Stmt
from waitlint.finding import Place
from waitlint.interpret.events import Event, LoopRun
from waitlint.interpret.loops import changes_in
from waitlint.interpret.syntax import nodes

ALTERING = frozenset(
    {"append", "extend", "insert", "add", "push", "update", "pop", "popleft", "popitem", "shift", "unshift", "splice"}
    | {"remove", "discard", "delete", "set", "put", "clear", "setdefault", "advance", "increment"}
)
NAME = re.compile(r"(?<![.\w$])[A-Za-z_$][\w$]*")


def names_written(code: str) -> set[str]:
    """The names in a piece of code, attributes and keys of arguments among them."""
    return set(NAME.findall(code))


def set_in(loop: LoopRun) -> Mapping[str, list[Expr]]:
    """The names that a lap sets, each with what it sets them to."""
    found: dict[str, list[Expr]] = {}
    for change in (*changes_in(loop.loop.body, "each"), *changes_in(loop.loop.update, "each")):
        found.setdefault(change.name, []).append(change.value)
    return found


def changing(loop: LoopRun) -> set[str]:
    """The names whose value is another one on the next lap, or may be."""
    return {*set_in(loop), *loop.changed, *_altered(loop.loop.body)}


def call_in_lap(loop: LoopRun, event: Event) -> Place:
    """The call in the loop's own function that leads to a read."""
    below = event.frames[len(loop.frames) :]
    return next((frame.call for frame in below if frame.call is not None), event.place)


def _altered(body: tuple[Stmt, ...]) -> Iterator[str]:
    """The names whose value a loop's body alters in place."""
    for node in nodes(body):
        match node:
            case Call(func=Attr(base=Name(name=name), name=method)) if method in ALTERING:
                yield name
            case Assign(target=Attr(base=Name(name=name)) | Index(base=Name(name=name))):
                yield name
