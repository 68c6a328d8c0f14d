"""Arguments of the model whose default only says that none was given: `None`, 0, an empty text.

A test that asks for such a default parts the ways: on one the argument has its default, on the other it was given.
Where they meet again, what the first has made of the default is the default from there on.
"""

from __future__ import annotations

from msgspec.structs import replace

from waitlint.facts import Binary, Const, Expr, Name, Unary
from waitlint.interpret.values import Constant, ModelArgument, Value


def asked_if_given(test: Expr) -> list[str]:
    """The names of which a test asks whether they are anything, or whether they are a constant."""
    match test:
        case Name(name=name):
            return [name]
        case Unary(op="not", value=value):
            return asked_if_given(value)
        case Binary(op="and" | "or", left=left, right=right):
            return [*asked_if_given(left), *asked_if_given(right)]
        case Binary(op="==" | "!=", left=Name(name=name), right=Const()):
            return [name]
        case Binary(op="==" | "!=", left=Const(), right=Name(name=name)):
            return [name]
        case Binary(op=">" | "<=", left=Name(name=name), right=Const(value=0)):
            return [name]
        case _:
            return []


def parted(value: Value | None, *, whatever: bool = False) -> tuple[Constant, ModelArgument] | None:
    """An argument as its default and as what was given, where its default says that none was given, or `whatever`."""
    if type(value) is not ModelArgument:
        return None
    if not isinstance(value.default, Constant) or value.other_than is not None:
        return None
    default = value.default
    if isinstance(default.value, bool) or (default.value and not whatever):
        return None
    return default, replace(value, default=None, other_than=default)


def met(left: Value, right: Value) -> ModelArgument | None:
    """An argument where the ways meet on which it was given and on which it was not."""
    if type(left) is not ModelArgument and type(right) is not ModelArgument:
        return None
    for given, other in ((left, right), (right, left)):
        if isinstance(given, ModelArgument) and given.other_than is not None and isinstance(other, Constant):
            return replace(given, default=other, other_than=None)
    return None


def with_default(argument: Value, default: Value, given: Value) -> ModelArgument | None:
    """What is made of an argument, where one thing is made of its default and another of what is given."""
    match argument, given, default:
        case ModelArgument(name=name), ModelArgument(name=other), Constant() if name == other:
            return replace(given, default=default, other_than=None)
        case _:
            return None
