"""Which names a node of code gives a value to, or may alter the value of, as it is written."""

from __future__ import annotations

from collections.abc import Iterator

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

# The kinds of nodes that may bind a name or alter what it stands for.
BINDING = frozenset({Assign, Loop, Try, With, Define, DefineClass, Import, Call, Do})


def bound_by(node: object, facts: FileFacts) -> Iterator[str]:
    """The names that a node itself binds, what stands in it left out; a list that it adds to counts as bound anew."""
    match node:
        case Assign(target=target):
            yield from names_bound(target)
        case Loop(target=target) if target is not None:
            yield from names_bound(target)
        case With(items=items):
            for _, target in items:
                if target is not None:
                    yield from names_bound(target)
        case Try(handlers=handlers):
            yield from (handler.name for handler in handlers if handler.name is not None)
        case Define(index=index):
            yield facts.functions[index].name
        case DefineClass(index=index):
            yield facts.classes[index].name
        case Import(local=local):
            yield local
        case Call(func=Attr(base=Name(name=name), name=grows)) if grows in GROWING:
            yield name
        case _:
            return


def changed_by(node: object) -> Iterator[str]:
    """The names of what may be altered in place."""
    match node:
        case Assign(target=Attr() | Index() as target):
            yield root(target)
        case Do(value=Call() as call) | Do(value=Await(value=Call() as call)):
            if isinstance(call.func, Attr):
                yield root(call.func)
            yield from (arg.value.name for arg in call.args if isinstance(arg.value, Name))
        case _:
            return
