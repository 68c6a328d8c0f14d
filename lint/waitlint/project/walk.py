"""Going through the facts of a file: every call, every object literal, and where they stand."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from msgspec import Struct

from waitlint.facts import Assign, Call, Expr, FileFacts, Map, Name, Str


@dataclass(frozen=True, slots=True)
class Found:
    """A call, the function that it stands in, and the constant, key or field that its result is bound to."""

    path: str
    call: Call
    function: int | None
    bound: str = ""
    key_of: str = ""


@dataclass(frozen=True, slots=True)
class FoundMap:
    """An object literal, the function that it stands in and the name that it is bound to."""

    path: str
    map: Map
    function: int | None
    bound: str = ""


def calls_in(path: str, facts: FileFacts) -> Iterator[Found]:
    for node, function, bound, key_of in nodes_in(facts):
        if isinstance(node, Call):
            yield Found(path, node, function, bound, key_of)


def maps_in(path: str, facts: FileFacts) -> Iterator[FoundMap]:
    for node, function, bound, _ in nodes_in(facts):
        if isinstance(node, Map):
            yield FoundMap(path, node, function, bound)


def nodes_in(facts: FileFacts) -> Iterator[tuple[Expr, int | None, str, str]]:
    """Every expression of a file with its function, the name it is bound to, and the name of the map that holds it."""
    yield from _nodes(facts.body, None)
    for index, function in enumerate(facts.functions):
        yield from _nodes(function.body, index)
        outer = function.parent
        for decorator in function.decorators:
            yield from _nodes((decorator,), outer)
        for param in function.params:
            if param.default is not None:
                yield from _nodes((param.default,), outer)
    for definition in facts.classes:
        for member in definition.members:
            if member.value is not None:
                yield from _nodes((member.value,), definition.parent, member.name)


def _nodes(
    roots: tuple[object, ...], function: int | None, name: str = ""
) -> Iterator[tuple[Expr, int | None, str, str]]:
    stack: list[tuple[object, str, str]] = [(root, name, "") for root in reversed(roots)]
    while stack:
        node, bound, key_of = stack.pop()
        if isinstance(node, Call | Map):
            yield node, function, bound, key_of
        if isinstance(node, Assign):
            target = node.target.name if isinstance(node.target, Name) or hasattr(node.target, "name") else ""
            stack.append((node.value, str(target), ""))
            continue
        if isinstance(node, Map):
            for entry in reversed(node.entries):
                key = entry.key.literal or "" if isinstance(entry.key, Str) else ""
                stack.append((entry.value, key, bound))
            continue
        if isinstance(node, Struct):
            for field_name in reversed(node.__struct_fields__):
                child = getattr(node, field_name)
                if isinstance(child, tuple):
                    stack.extend((item, "", "") for item in reversed(child) if isinstance(item, Struct | tuple))
                elif isinstance(child, Struct):
                    inherits = field_name == "value" and type(node).__name__ in ("Await", "Do")
                    stack.append((child, bound if inherits else "", key_of if inherits else ""))
        elif isinstance(node, tuple):
            stack.extend((item, "", "") for item in reversed(node) if isinstance(item, Struct | tuple))
