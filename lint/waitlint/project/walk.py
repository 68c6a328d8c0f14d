"""Going through the facts of a file: every call, every object literal, and where they stand."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import Any

from waitlint.facts import (
    Assign,
    Attr,
    Await,
    Binary,
    Call,
    Comp,
    Cond,
    Const,
    Do,
    Expr,
    FileFacts,
    Func,
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
from waitlint.interpret.calls import GROWING
from waitlint.project.binding import BINDING, bound_by
from waitlint.project.found import Found, FoundLoop, FoundMap, Named, Pair, Tagged, Walked

TWO = 2
# What holds nothing that is looked for.
LEAVES = frozenset({Name, Const, Func})


def walk(path: str, facts: FileFacts) -> Walked:
    """Go through a file once."""
    found = _Found(path, facts)
    found.look(facts.body, None)
    for index, function in enumerate(facts.functions):
        found.look(function.body, index)
        outer = function.parent
        if function.decorators:
            found.look(function.decorators, outer)
        defaults = tuple([param.default for param in function.params if param.default is not None])
        if defaults:
            found.look(defaults, outer)
    for definition in facts.classes:
        for member in definition.members:
            if member.value is not None:
                found.look((member.value,), definition.parent, member.name)
    return found.all()


class _Found:
    """What was found so far."""

    def __init__(self, path: str, facts: FileFacts) -> None:
        self.path = path
        self.facts = facts
        self.calls: list[Found] = []
        self.maps: list[FoundMap] = []
        self.named: list[Named] = []
        self.pairs: list[Pair] = []
        self.tagged: list[Tagged] = []
        self.loops: list[FoundLoop] = []
        self.bound: defaultdict[int | None, set[str]] = defaultdict(set)

    def all(self) -> Walked:
        return Walked(
            tuple(self.calls),
            tuple(self.maps),
            tuple(self.named),
            tuple(self.pairs),
            tuple(self.tagged),
            tuple(self.loops),
            self.bound,
        )

    def look(self, roots: tuple[Any, ...], function: int | None, name: str = "") -> None:
        """Go through expressions and statements of a function, which are bound to a name.

        The most frequent kinds come first: there are hundreds of thousands of nodes.
        """
        path, names = self.path, self.bound[function]
        # A node, or a pair of one and of the name that it is bound to.
        stack: list[Any] = [(root, name) for root in reversed(roots)] if name else list(reversed(roots))
        while stack:
            node = stack.pop()
            kind = type(node)
            bound = ""
            if kind is tuple:
                node, bound = node
                kind = type(node)
            if kind is Str:
                pieces = node.pieces
                if len(pieces) != 1 or type(pieces[0]) is Hole:
                    stack.extend([piece.value for piece in pieces[::-1] if type(piece) is Hole])
                continue
            if kind in LEAVES:
                continue
            if kind is Attr:
                stack.append(node.base)
            elif kind is Call:
                self.calls.append(Found(path, node, function, bound))
                if node.args:
                    stack.extend([arg.value for arg in node.args[::-1]])
                stack.append(node.func)
                if type(node.func) is Attr and node.func.name in GROWING:
                    names.update(bound_by(node, self.facts))
            elif kind is Do or kind is Await:
                stack.append((node.value, bound) if bound else node.value)
            elif kind is Assign:
                target = node.target
                of = type(target)
                named = target.name if of is Name or of is Attr else ""
                if named:
                    self.named.append(Named(path, named, node.value, function, _owner(node)))
                    stack.append((node.value, named))
                else:
                    stack.append(node.value)
                    names.update(bound_by(node, self.facts))
                if of is Name:
                    names.add(named)
                else:
                    # `counts[kind_of(page)] += 1`: what is assigned to may be found by a call.
                    stack.append(target)
            elif kind is Map:
                entries = node.entries
                keys = tuple([(entry.key.literal or "") if type(entry.key) is Str else "" for entry in entries])
                self.maps.append(FoundMap(path, node, keys, function, bound))
                for at in range(len(entries) - 1, -1, -1):
                    value = entries[at].value
                    if type(value) not in LEAVES:
                        stack.append((value, keys[at]))
            else:
                if kind is Opaque:
                    self.tagged.append(Tagged(path, node, function))
                elif kind is Seq and len(node.items) == TWO and type(node.items[0]) is Str:
                    self.pairs.append(Pair(path, node, function))
                elif kind in BINDING:
                    names.update(bound_by(node, self.facts))
                    if kind is Loop:
                        self.loops.append(FoundLoop(node, function))
                children = CHILDREN.get(kind)
                if children is not None:
                    stack.extend([child for child in reversed(children(node)) if child is not None])


def _owner(node: Assign) -> str:
    target = node.target
    return target.base.name if isinstance(target, Attr) and isinstance(target.base, Name) else ""


def _try_children(node: Try) -> tuple[Any, ...]:
    handled = tuple(stmt for handler in node.handlers for stmt in handler.body)
    return (*node.body, *handled, *node.orelse, *node.final)


CHILDREN: dict[type, Callable[[Any], tuple[Expr | Any | None, ...]]] = {
    Index: lambda node: (node.base, node.key),
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
