"""Going through the facts of a file: every call, every object literal, and where they stand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from waitlint.facts import (
    Assign,
    Attr,
    Await,
    Binary,
    Call,
    Comp,
    Cond,
    Do,
    Entry,
    Expr,
    FileFacts,
    Hole,
    If,
    Index,
    Loop,
    Map,
    Name,
    Opaque,
    Raise,
    Return,
    Seq,
    Spread,
    Str,
    Try,
    Unary,
    With,
    Yield,
)


@dataclass(frozen=True, slots=True)
class Found:
    """A call, the function that it stands in, and the constant, key or field that its result is bound to."""

    path: str
    call: Call
    function: int | None
    bound: str = ""


@dataclass(frozen=True, slots=True)
class FoundMap:
    """An object literal, the function that it stands in and the name that it is bound to."""

    path: str
    map: Map
    function: int | None
    bound: str = ""


@dataclass(frozen=True, slots=True)
class Walked:
    """All calls and object literals of a file, in the order in which they are written within each function."""

    calls: tuple[Found, ...]
    maps: tuple[FoundMap, ...]


def walk(path: str, facts: FileFacts) -> Walked:
    """Go through a file once."""
    calls: list[Found] = []
    maps: list[FoundMap] = []
    for node, function, bound in nodes_in(facts):
        if isinstance(node, Call):
            calls.append(Found(path, node, function, bound))
        else:
            maps.append(FoundMap(path, node, function, bound))
    return Walked(tuple(calls), tuple(maps))


def nodes_in(facts: FileFacts) -> Iterator[tuple[Call | Map, int | None, str]]:
    """Every call and object literal of a file with its function and the name it is bound to."""
    yield from _nodes(facts.body, None)
    for index, function in enumerate(facts.functions):
        yield from _nodes(function.body, index)
        outer = function.parent
        if function.decorators:
            yield from _nodes(function.decorators, outer)
        defaults = tuple(param.default for param in function.params if param.default is not None)
        if defaults:
            yield from _nodes(defaults, outer)
    for definition in facts.classes:
        for member in definition.members:
            if member.value is not None:
                yield from _nodes((member.value,), definition.parent, member.name)


def _nodes(
    roots: tuple[Any, ...], function: int | None, name: str = ""
) -> Iterator[tuple[Call | Map, int | None, str]]:
    stack: list[tuple[Any, str]] = [(root, name) for root in reversed(roots)]
    while stack:
        node, bound = stack.pop()
        kind = type(node)
        if kind is Call:
            yield node, function, bound
        elif kind is Assign:
            target = node.target
            stack.append((node.value, target.name if isinstance(target, Name | Attr) else ""))
            continue
        elif kind is Map:
            yield node, function, bound
            stack.extend((entry.value, _key(entry)) for entry in reversed(node.entries))
            continue
        elif kind is Do or kind is Await:
            stack.append((node.value, bound))
            continue
        children = CHILDREN.get(kind)
        if children is not None:
            stack.extend((child, "") for child in reversed(children(node)) if child is not None)


def _key(entry: Entry) -> str:
    return (entry.key.literal or "") if isinstance(entry.key, Str) else ""


def _try_children(node: Try) -> tuple[Any, ...]:
    handled = tuple(stmt for handler in node.handlers for stmt in handler.body)
    return (*node.body, *handled, *node.orelse, *node.final)


CHILDREN: dict[type, Callable[[Any], tuple[Expr | Any | None, ...]]] = {
    Str: lambda node: tuple(piece.value for piece in node.pieces if isinstance(piece, Hole)),
    Attr: lambda node: (node.base,),
    Index: lambda node: (node.base, node.key),
    Call: lambda node: (node.func, *(arg.value for arg in node.args)),
    Yield: lambda node: (node.value,),
    Unary: lambda node: (node.value,),
    Binary: lambda node: (node.left, node.right),
    Cond: lambda node: (node.test, node.then, node.orelse),
    Seq: lambda node: node.items,
    Spread: lambda node: (node.value,),
    Comp: lambda node: (node.iterable, node.element, *node.conditions),
    Opaque: lambda node: node.parts,
    Return: lambda node: (node.value,),
    Raise: lambda node: (node.value,),
    If: lambda node: (node.test, *node.body, *node.orelse),
    Loop: lambda node: (node.iterable, node.test, *node.body, *node.update, *node.orelse),
    Try: _try_children,
    With: lambda node: (*(context for context, _ in node.items), *node.body),
}
