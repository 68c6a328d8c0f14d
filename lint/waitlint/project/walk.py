"""Going through the facts of a file: every call, every object literal, and where they stand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from msgspec import Struct

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


class Found(Struct, frozen=True):
    """A call, the function that it stands in, and the constant, key or field that its result is bound to."""

    path: str
    call: Call
    function: int | None
    bound: str = ""


class FoundMap(Struct, frozen=True):
    """An object literal, the function that it stands in and the name that it is bound to."""

    path: str
    map: Map
    function: int | None
    bound: str = ""


class Named(Struct, frozen=True):
    """A value that is given a name: by an assignment to a variable, or to a field of `owner`."""

    path: str
    name: str
    value: Expr
    function: int | None
    owner: str = ""


class Pair(Struct, frozen=True):
    """A list or tuple of two, of which the first is a string."""

    path: str
    pair: Seq
    function: int | None


class Tagged(Struct, frozen=True):
    """Syntax without a word for it, such as an element of JSX."""

    path: str
    node: Opaque
    function: int | None


class Walked(Struct, frozen=True):
    """What is looked for in a file, in the order in which it is written within each function."""

    calls: tuple[Found, ...]
    maps: tuple[FoundMap, ...]
    named: tuple[Named, ...]
    pairs: tuple[Pair, ...]
    tagged: tuple[Tagged, ...]


def walk(path: str, facts: FileFacts) -> Walked:
    """Go through a file once."""
    calls: list[Found] = []
    maps: list[FoundMap] = []
    named: list[Named] = []
    pairs: list[Pair] = []
    tagged: list[Tagged] = []
    for node, function, bound in nodes_in(facts):
        if isinstance(node, Call):
            calls.append(Found(path, node, function, bound))
        elif isinstance(node, Map):
            maps.append(FoundMap(path, node, function, bound))
        elif isinstance(node, Assign):
            named.append(Named(path, bound, node.value, function, _owner(node)))
        elif isinstance(node, Seq):
            pairs.append(Pair(path, node, function))
        else:
            tagged.append(Tagged(path, node, function))
    return Walked(tuple(calls), tuple(maps), tuple(named), tuple(pairs), tuple(tagged))


def _owner(node: Assign) -> str:
    target = node.target
    return target.base.name if isinstance(target, Attr) and isinstance(target.base, Name) else ""


Looked = Call | Map | Assign | Seq | Opaque


def nodes_in(facts: FileFacts) -> Iterator[tuple[Looked, int | None, str]]:
    """Everything of a file that is looked for, with its function and the name it is bound to."""
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


def _nodes(roots: tuple[Any, ...], function: int | None, name: str = "") -> Iterator[tuple[Looked, int | None, str]]:
    stack: list[tuple[Any, str]] = [(root, name) for root in reversed(roots)]
    while stack:
        node, bound = stack.pop()
        kind = type(node)
        if kind is Call:
            yield node, function, bound
        elif kind is Assign:
            target = node.target
            named = target.name if isinstance(target, Name | Attr) else ""
            if named:
                yield node, function, named
            stack.append((node.value, named))
            continue
        elif kind is Map:
            yield node, function, bound
            stack.extend((entry.value, _key(entry)) for entry in reversed(node.entries))
            continue
        elif kind is Do or kind is Await:
            stack.append((node.value, bound))
            continue
        elif (kind is Seq and len(node.items) == 2 and type(node.items[0]) is Str) or kind is Opaque:
            yield node, function, bound
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
