"""Which names a node of code gives a value to, or may alter the value of, as it is written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from waitlint.facts import (
    Assign,
    Attr,
    Await,
    Call,
    Define,
    DefineClass,
    Do,
    FileFacts,
    Import,
    Index,
    Loop,
    Name,
    Try,
    With,
)
from waitlint.interpret.calls import GROWING
from waitlint.spelled import names_bound, root


def _assigned(node: Assign, facts: FileFacts) -> Iterable[str]:
    return (node.target.name,) if isinstance(node.target, Name) else names_bound(node.target)


def _of_loop(node: Loop, facts: FileFacts) -> Iterable[str]:
    return names_bound(node.target) if node.target is not None else ()


def _opened(node: With, facts: FileFacts) -> Iterable[str]:
    return [name for _, target in node.items if target is not None for name in names_bound(target)]


def _caught(node: Try, facts: FileFacts) -> Iterable[str]:
    return [handler.name for handler in node.handlers if handler.name is not None]


def _grown(node: Call, facts: FileFacts) -> Iterable[str]:
    func = node.func
    return (func.base.name,) if isinstance(func, Attr) and func.name in GROWING and isinstance(func.base, Name) else ()


_BOUND: dict[type, Callable[[Any, FileFacts], Iterable[str]]] = {
    Assign: _assigned,
    Loop: _of_loop,
    With: _opened,
    Try: _caught,
    Define: lambda node, facts: (facts.functions[node.index].name,),
    DefineClass: lambda node, facts: (facts.classes[node.index].name,),
    Import: lambda node, facts: (node.local,),
    Call: _grown,
}
BINDING = frozenset(_BOUND)


def bound_by(node: object, facts: FileFacts) -> Iterable[str]:
    """The names that a node itself binds, what stands in it left out; a list that it adds to counts as bound anew."""
    bound = _BOUND.get(type(node))
    return bound(node, facts) if bound is not None else ()


def changed_by(node: object) -> Iterator[str]:
    """The names of what a statement or an assignment may alter in place."""
    if isinstance(node, Assign):
        if isinstance(node.target, Attr | Index):
            yield root(node.target)
    elif isinstance(node, Do):
        call = node.value.value if isinstance(node.value, Await) else node.value
        if isinstance(call, Call):
            if isinstance(call.func, Attr):
                yield root(call.func)
            yield from (arg.value.name for arg in call.args if isinstance(arg.value, Name))
