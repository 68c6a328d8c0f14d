"""Loops over a list of work that nothing adds to: they end with it, whatever is asked about each piece."""

from __future__ import annotations

from collections.abc import Iterator

from waitlint.facts import Assign, Attr, Binary, Call, Comp, Const, Expr, Index, Loop, Name, Seq, Stmt
from waitlint.interpret.syntax import nodes
from waitlint.project.agents.exits import leavings
from waitlint.project.agents.people import empty_at
from waitlint.project.agents.sayings import KEEPS

TAKES = frozenset({"pop", "popleft", "shift", "remove", "discard", "popitem", "splice"})
# Calls that look at what they are given and leave it as it is.
LOOKS = frozenset(
    {"len", "min", "max", "sorted", "print", "str", "list", "enumerate", "any", "all", "sum", "reversed", "log"}
)
PARTS = frozenset({"filter", "slice"})


def runs_dry(loop: Loop) -> bool:
    """Whether a loop goes on while a list holds something, and its laps only take away from that list."""
    names = set(_lists(loop.test)) if loop.test is not None else set()
    for leaving in leavings(loop):
        names.update(name for test, way in leaving.tests[-1:] if way and (name := empty_at(test)))
    return any(_only_shrinks(name, loop) for name in names)


def _lists(test: Expr) -> Iterator[str]:
    """The names that must hold something for a test to hold."""
    match test:
        case Binary(op="and", left=left, right=right):
            yield from _lists(left)
            yield from _lists(right)
        case Binary(op=">" | "!=" | "!==", left=left, right=Const(value=0)):
            yield from _lists(left)
        case Attr(base=Name(name=name), name="length" | "size") | Name(name=name):
            yield name
        case Call(func=Name(name="len"), args=args) if args and isinstance(args[0].value, Name):
            yield args[0].value.name


def _only_shrinks(name: str, loop: Loop) -> bool:
    body = (*loop.body, *loop.update)
    shrinks = False
    for node in nodes(body):
        match node:
            case Assign(target=Name(name=target), value=value, op=op) if target == name:
                if op or not _is_part(value, name, body):
                    return False
                shrinks = True
            case Call(func=Attr(base=Name(name=base), name=method)) if base == name and method in KEEPS:
                return False
            case Call(func=Attr(base=Name(name=base), name=method)) if base == name and method in TAKES:
                shrinks = True
            case Call(func=func, args=args) if any(
                isinstance(arg.value, Name) and arg.value.name == name for arg in args
            ):
                if (getattr(func, "name", "") or "") not in LOOKS | PARTS:
                    return False
    return shrinks


def _is_part(value: Expr, name: str, body: tuple[Stmt, ...]) -> bool:
    """Whether a value holds some of what a list holds, and nothing else."""
    match value:
        case Comp(
            element=Name(name=element), target=Name(name=target), iterable=Name(name=over), conditions=conditions
        ):
            return element == target and over == name and bool(conditions)
        case Index(base=Name(name=base)):
            return base == name
        case Call(func=Attr(base=Name(name=base), name=method)) if method in PARTS:
            return base == name
        case Name(name=other):
            return other != name and _is_filled_from(other, name, body)
        case _:
            return False


def _is_filled_from(name: str, source: str, body: tuple[Stmt, ...]) -> bool:
    """Whether each lap fills a new list with items of another, and with nothing else."""
    filled = new = False
    for node in nodes(body):
        match node:
            case Assign(target=Name(name=target), value=value) if target == name:
                if not isinstance(value, Seq) or value.items:
                    return False
                new = True
            case Loop(target=Name(name=item), iterable=Name(name=over), body=within) if over == source:
                added = list(_additions(name, within))
                if any(not _adds(call, item) for call in added):
                    return False
                filled = filled or bool(added)
    every = sum(1 for _ in _additions(name, body))
    return new and filled and every == sum(1 for _ in _additions_over(name, source, body))


def _additions_over(name: str, source: str, body: tuple[Stmt, ...]) -> Iterator[Call]:
    for node in nodes(body):
        if isinstance(node, Loop) and isinstance(node.iterable, Name) and node.iterable.name == source:
            yield from _additions(name, node.body)


def _additions(name: str, body: tuple[Stmt, ...]) -> Iterator[Call]:
    for node in nodes(body):
        match node:
            case Call(func=Attr(base=Name(name=base), name=method)) if base == name and method in KEEPS:
                yield node


def _adds(call: Call, item: str) -> bool:
    return len(call.args) == 1 and isinstance(call.args[0].value, Name) and call.args[0].value.name == item


__all__ = ["runs_dry"]
