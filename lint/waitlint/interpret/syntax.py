"""Questions about code as it is written, without running it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from operator import attrgetter
from typing import Any

from msgspec import Struct

from waitlint import facts
from waitlint.facts import (
    Assign,
    Attr,
    Await,
    Call,
    Const,
    Define,
    Do,
    Expr,
    FileFacts,
    Func,
    If,
    Jump,
    Loop,
    Name,
    Opaque,
    Raise,
    Return,
    Stmt,
    Str,
    Try,
    Unary,
    With,
)

# By a field's annotation, whether there are statements or expressions in it, or what holds some.
HOLDS_NODES = re.compile(r"\b(?:Expr|Stmt|Handler|Arg|Entry|Piece|Hole|Param|Member|Str)\b")


def _held_by(kind: type) -> tuple[str, ...]:
    """The names of the fields of a kind of node that hold further nodes."""
    annotations = {name: str(said) for base in reversed(kind.__mro__) for name, said in _annotations_of(base)}
    return tuple(name for name in getattr(kind, "__struct_fields__", ()) if HOLDS_NODES.search(annotations[name]))


def _annotations_of(kind: type) -> Iterator[tuple[str, object]]:
    yield from vars(kind).get("__annotations__", {}).items()


NODES = tuple(kind for kind in vars(facts).values() if isinstance(kind, type) and issubclass(kind, Struct))
HELD: dict[type, tuple[str, ...]] = {kind: _held_by(kind) for kind in NODES if kind is not facts.Span}
# What a node holds, last field first: one value where it has one such field, a tuple where it has several.
_HELD_BACKWARDS: dict[type, tuple[int, Callable[[Any], Any]]] = {
    kind: (len(names), attrgetter(*reversed(names)) if names else lambda node: None) for kind, names in HELD.items()
}


def nodes(body: tuple[Stmt | Expr, ...]) -> Iterator[Struct]:
    """Every statement and expression below a block, functions defined in it left out."""
    stack: list[Any] = list(reversed(body))
    while stack:
        node = stack.pop()
        kind = type(node)
        if kind is tuple:
            stack.extend(node[::-1])
            continue
        held = _HELD_BACKWARDS.get(kind)
        if held is None:
            continue
        yield node
        count, fields = held
        if count == 1:
            stack.append(fields(node))
        elif count:
            stack.extend(fields(node))


def calls_in(body: tuple[Stmt, ...], facts: FileFacts, depth: int = 3) -> Iterator[Call]:
    """Every call in a block, and in the functions that are written in it."""
    for node in nodes(body):
        if isinstance(node, Call):
            yield node
        elif isinstance(node, Func | Define) and depth > 0:
            yield from calls_in(facts.functions[node.index].body, facts, depth - 1)


_BLOCKS_BACKWARDS: dict[type, Callable[[Any], tuple[tuple[Stmt, ...], ...]]] = {
    If: lambda node: (node.orelse, node.body),
    Loop: lambda node: (node.orelse, node.update, node.body),
    Try: lambda node: (node.final, node.orelse, *(handler.body for handler in reversed(node.handlers)), node.body),
    With: lambda node: (node.body,),
}


def blocks_of(stmt: Stmt) -> tuple[tuple[Stmt, ...], ...]:
    """The blocks of statements in a statement, last one first."""
    blocks = _BLOCKS_BACKWARDS.get(type(stmt))
    return blocks(stmt) if blocks is not None else ()


def statements_in(body: tuple[Stmt, ...]) -> Iterator[Stmt]:
    """Every statement below a block, outer ones before inner ones, functions defined in it left out."""
    stack: list[Stmt] = list(reversed(body))
    while stack:
        stmt = stack.pop()
        yield stmt
        blocks = _BLOCKS_BACKWARDS.get(type(stmt))
        if blocks is not None:
            for block in blocks(stmt):
                stack.extend(reversed(block))


def loops_in(body: tuple[Stmt, ...]) -> Iterator[Loop]:
    """Every loop below a block, outer ones before inner ones, functions defined in it left out."""
    return (stmt for stmt in statements_in(body) if isinstance(stmt, Loop))


OPENS_ASYNC = (Loop, With)


def awaits(body: tuple[Stmt, ...]) -> bool:
    """Whether a block awaits anything, so that a cancellation can be delivered in it."""
    for node in nodes(body):
        kind = type(node)
        if kind is Await or (kind in OPENS_ASYNC and getattr(node, "is_async", False)):
            return True
    return False


def awaits_what_runs(body: tuple[Stmt, ...]) -> bool:
    """Whether a block awaits nothing but what runs already, which can be cancelled by others than its own caller."""
    awaited = [node.value for node in nodes(body) if isinstance(node, Await)]
    return bool(awaited) and all(_is_running(value) for value in awaited)


def _is_running(value: Expr) -> bool:
    if isinstance(value, Call) and isinstance(value.func, Attr | Name) and value.func.name in ("shield", "wait_for"):
        return bool(value.args) and _is_running(value.args[0].value)
    return isinstance(value, Name | Attr)


def leaves_by_raising(body: tuple[Stmt, ...]) -> bool:
    """Whether some way through a handler raises: it then does not swallow what it caught on all ways."""
    return any(isinstance(node, Raise) for node in nodes(body))


def cancels(body: tuple[Stmt, ...], names: tuple[str, ...] = ("cancel", "cancel_scope")) -> bool:
    """Whether a block cancels something itself, so that catching the cancellation is cleaning up."""
    return any(
        isinstance(node, Call) and isinstance(node.func, Attr) and node.func.name in names for node in nodes(body)
    )


def goes_on(body: tuple[Stmt, ...]) -> bool:
    """Whether a handler lets the code after it run: it neither returns, raises nor leaves a loop at its end."""
    if not body:
        return True
    last = body[-1]
    if isinstance(last, Return | Raise):
        return False
    if isinstance(last, Jump):
        return last.kind == "continue"
    return not (isinstance(last, Try) and not goes_on(last.body))


def says_nothing(body: tuple[Stmt, ...]) -> bool:
    """Whether a method says nothing but what its heirs have to do."""
    return all(
        isinstance(stmt, Raise) or (isinstance(stmt, Do) and isinstance(stmt.value, Const | Str | Opaque))
        for stmt in body
    )


def only_awaited(body: tuple[Stmt, ...]) -> str:
    """The name that a block awaits, if that is all it does; else ""."""
    if len(body) != 1 or not isinstance(body[0], Do | Return):
        return ""
    value = body[0].value
    while isinstance(value, Assign):
        value = value.value
    return value.value.name if isinstance(value, Await) and isinstance(value.value, Name) else ""


def laps_until_done(body: tuple[Stmt, ...], name: str) -> bool:
    """Whether a loop goes on while a task is not done (`while not task.done():`), and is left by nothing else."""
    for loop in loops_in(body):
        match loop.test:
            case Unary(op="not", value=Call(func=Attr(base=Name(name=asked), name="done"))) if asked == name:
                return not any(isinstance(node, Jump) and node.kind == "break" for node in nodes(loop.body))
    return False
