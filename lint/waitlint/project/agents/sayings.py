"""Whose word ends a loop: the model's, or something else's that is read again in each lap. By the names alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from waitlint.facts import (
    Assign,
    Attr,
    Await,
    Binary,
    Call,
    Const,
    Do,
    Expr,
    FileFacts,
    If,
    Index,
    Loop,
    Name,
    Raise,
    Seq,
    Span,
    Stmt,
    Str,
    With,
)
from waitlint.interpret.syntax import nodes
from waitlint.project.agents.exits import leavings

LOOKS_FOR = frozenset({"startswith", "endswith", "startsWith", "endsWith", "includes", "find", "indexOf"})
KEEPS = frozenset({"append", "extend", "push", "add", "insert", "unshift", "set", "update"})


def goes_through_others(loop: Loop, asks: Callable[[Call], bool]) -> bool:
    """Whether every way out asks for something that each lap reads anew, such as the next page, and not for the model.

    `asks` says whether a call reaches a model.
    """
    body = (*loop.body, *loop.update)
    from_model = names_from_model(body, asks)
    read = _read_anew(body, from_model, asks)
    found = False
    for tests in _ways_out(loop):
        names = {name for test in tests for name in names_in(test)}
        if names & from_model or not names & read or any(asks(call) for test in tests for call in _calls_in(test)):
            return False
        found = True
    return found


def ends_by_model(loop: Loop, asks: Callable[[Call], bool]) -> bool:
    """Whether a way out, other than a failure, asks for what a model said in the lap, or for what was made of it."""
    said = names_from_model((*loop.body, *loop.update), asks)
    return any(said & names_in(test) for tests in _ways_out(loop) for test in tests)


def _ways_out(loop: Loop) -> Iterator[tuple[Expr, ...]]:
    if loop.test is not None and not (isinstance(loop.test, Const) and loop.test.value):
        yield (loop.test,)
    for leaving in leavings(loop):
        if not isinstance(leaving.stmt, Raise):
            yield tuple(test for test, _ in leaving.tests)


def compared(facts: FileFacts) -> Iterator[str]:
    """The literals that the code of a file compares with something, or looks for in it."""
    for body in (facts.body, *(function.body for function in facts.functions)):
        for node in nodes(body):
            match node:
                case Binary(op="==" | "===" | "!=" | "!==" | "in" | "not in", left=left, right=right):
                    sides: tuple[Expr, ...] = (left, right)
                case Call(func=Attr(name=name), args=args) if name in LOOKS_FOR:
                    sides = tuple(arg.value for arg in args[:1])
                case _:
                    continue
            for side in sides:
                for item in side.items if isinstance(side, Seq) else (side,):
                    if isinstance(item, Str) and item.literal:
                        yield item.literal


GREATEST = re.compile(
    r"max(?:imum)?_?(?:\w+_)?(?:iterations?|iters?|steps?|turns?|rounds?|loops?|(?:tool_)?calls?)\Z", re.IGNORECASE
)


def greatest_compared(facts: FileFacts) -> Iterator[Span]:
    """Where the code of a file compares something with a greatest number of steps, by its name."""
    for body in (facts.body, *(function.body for function in facts.functions)):
        for node in nodes(body):
            if isinstance(node, Binary) and node.op in ("<", "<=", ">", ">=", "=="):
                names = [one.name for one in (node.left, node.right) if isinstance(one, Name | Attr)]
                if any(GREATEST.match(re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name)) for name in names):
                    yield node.span


def names_from_model(body: tuple[Stmt, ...], asks: Callable[[Call], bool]) -> set[str]:
    """The names that hold, in some code, what a model said, or what was made of it."""
    found: set[str] = set()
    before = -1
    while len(found) > before:
        before = len(found)
        for target, value in bindings(body):
            if any(asks(call) for call in _calls_in(value)) or found & names_in(value):
                found |= _roots_of(target)
    return found


TEXTS = frozenset({"text", "content", "output_text", "join", "strip", "trim", "output", "answer", "final_output"})


def texts_from_model(body: tuple[Stmt, ...], asks: Callable[[Call], bool]) -> set[str]:
    """The names that hold the words of a model's reply themselves, such as `reply.content[0].text`."""
    said = names_from_model(body, asks)
    found: set[str] = set()
    for target, value in bindings(body):
        if isinstance(target, Name) and said & names_in(value) and _is_text(value):
            found.add(target.name)
    return found


def _is_text(value: Expr) -> bool:
    match value:
        case Attr(name=name) | Call(func=Attr(name=name)):
            return name in TEXTS
        case Index(base=base):
            return _is_text(base)
        case Binary(op="+" | "or" | "??", left=left):
            return _is_text(left)
        case _:
            return False


def _read_anew(body: tuple[Stmt, ...], from_model: set[str], asks: Callable[[Call], bool]) -> set[str]:
    """The names that each lap sets from a call which does not ask a model, or from a part of what that gave."""
    found: set[str] = set()
    before = -1
    while len(found) > before:
        before = len(found)
        for target, value in bindings(body):
            names = _roots_of(target)
            if names & from_model:
                continue
            if found & names_in(value) or any(not asks(call) for call in _calls_in(value)):
                found |= names
    return found


def bindings(code: tuple[Stmt, ...]) -> Iterator[tuple[Expr, Expr]]:
    for node in nodes(code):
        match node:
            case Assign(target=target, value=value):
                yield target, value
            case Loop(target=target, iterable=iterable, body=body) if target is not None and iterable is not None:
                yield target, iterable
                # What is set for each of the model's calls tells whether there was one.
                yield from ((flag, iterable) for flag in _set_in(body))
            case With(items=items):
                yield from ((target, value) for value, target in items if target is not None)
            case Call(func=Attr(base=base, name=name), args=args) if name in KEEPS:
                yield from ((base, arg.value) for arg in args)
            case Do(value=Call(args=args) | Await(value=Call(args=args))):
                # A helper that is handed the model's words may put them into whatever else it is handed.
                yield from ((one.value, other.value) for one in args for other in args if one is not other)
            case If(test=test, body=body, orelse=orelse):
                # What is set on the model's word is the model's, too.
                yield from ((target, test) for target in _set_in((*body, *orelse)))


def _set_in(body: tuple[Stmt, ...]) -> Iterator[Expr]:
    for stmt in body:
        if isinstance(stmt, Do) and isinstance(stmt.value, Assign):
            yield stmt.value.target


def _roots_of(target: Expr) -> set[str]:
    return names_in(target) - {"self", "this", "cls"}


def names_in(expr: Expr) -> set[str]:
    """Names, and fields of the object itself, that an expression reads."""
    found = set()
    for node in nodes((Do(expr.span, expr),)):
        if isinstance(node, Name):
            found.add(node.name)
        elif isinstance(node, Attr) and isinstance(node.base, Name) and node.base.name in ("self", "this"):
            found.add(f"self.{node.name}")
    return found - {"self", "this", "cls"}


def _calls_in(expr: Expr) -> Iterator[Call]:
    for node in nodes((Do(expr.span, expr),)):
        if isinstance(node, Call):
            yield node
