"""Questions about nodes of libcst. Its own matchers answer more, and take longer to import than a run has time for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from functools import cache
from typing import TypeVar

import libcst as cst

_Node = TypeVar("_Node", bound=cst.CSTNode)


def is_name(node: cst.CSTNode | None, *names: str) -> bool:
    """Whether a node is one of some names."""
    return isinstance(node, cst.Name) and node.value in names


def is_attribute(node: cst.CSTNode | None, name: str) -> bool:
    """Whether a node is the attribute of that name of anything."""
    return isinstance(node, cst.Attribute) and node.attr.value == name


def is_named(node: cst.CSTNode | None, name: str) -> bool:
    """Whether a node is that name, by itself or after a dot."""
    return is_name(node, name) or is_attribute(node, name)


def walk(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """A node and all nodes below it, in the order in which they are written."""
    yield node
    for child in node.children:
        yield from walk(child)


def all_in(node: cst.CSTNode, kind: type[_Node]) -> list[_Node]:
    """The nodes of a kind in a node, itself among them, in the order in which they are written."""
    return [one for one in walk(node) if isinstance(one, kind)]


def below(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """The nodes that a node holds itself, in no order. libcst's own way, to visit them, takes ten times as long."""
    for name in _fields_of(type(node)):
        held = getattr(node, name)
        if isinstance(held, cst.CSTNode):
            yield held
        elif isinstance(held, list | tuple):
            for one in held:
                if isinstance(one, cst.CSTNode):
                    yield one


def every(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """A node and all nodes below it, in no order."""
    stack = [node]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(below(node))


@cache
def _fields_of(kind: type[cst.CSTNode]) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))
