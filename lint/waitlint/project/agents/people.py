"""Loops that a person leads on: each further lap has something to answer to what someone has said."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from waitlint.facts import (
    Assign,
    Attr,
    Binary,
    Call,
    Const,
    Do,
    Expr,
    If,
    Loop,
    Name,
    Seq,
    Span,
    Stmt,
    Try,
    Unary,
    With,
)
from waitlint.interpret.syntax import nodes
from waitlint.project.agents.exits import leavings
from waitlint.project.agents.sayings import KEEPS

# What a run of a framework holds of its calls that someone has to approve.
APPROVALS = re.compile(r"(?:(?:has|pending)_?)?(?:[iI]nterruptions?|[iI]nterrupts|[aA]pprovals?|[cC]onfirmations?)")
SIZES = frozenset({"length", "size"})


def leads_on_by_answers(loop: Loop, asked: Collection[Span]) -> bool:
    """Whether a loop ends where nobody was asked in a lap: what is kept of the answers is found to be empty.

    `asked` are the calls in which someone is asked.
    """
    inside = list(_asking_blocks(loop.body, asked))
    kept = {name for block in inside for name, _ in _fillings(block)}
    own = {span for block in inside for _, span in _fillings(block)}
    kept -= {name for name, span in _fillings(loop.body) if span not in own}
    if not kept:
        return False
    if loop.test is not None and kept & {name for part in _parts(loop.test) if (name := _filled(part))}:
        return True
    for leaving in leavings(loop):
        for test, way in leaving.tests[-1:]:
            if way and kept & {name for part in _parts(test) if (name := empty_at(part))}:
                return True
    return False


def goes_on_by_approvals(loop: Loop) -> bool:
    """Whether a loop goes on while calls wait to be approved: a run that is taken up again counts on, not anew."""
    tests = [loop.test] if loop.test is not None else []
    tests.extend(test for leaving in leavings(loop) for test, _ in leaving.tests[-1:])
    return any(
        isinstance(node, Attr | Name) and APPROVALS.fullmatch(node.name)
        for test in tests
        for node in nodes((Do(test.span, test),))
    )


def _asking_blocks(body: tuple[Stmt, ...], asked: Collection[Span]) -> Iterator[tuple[Stmt, ...]]:
    """The blocks that are run on some laps, and in which someone is asked."""
    for stmt in body:
        for block in _blocks(stmt):
            if any(isinstance(one, Do) and _asks(one, asked) for one in block):
                yield block
            else:
                yield from _asking_blocks(block, asked)


def _fillings(body: tuple[Stmt, ...]) -> Iterator[tuple[str, Span]]:
    """The names that code sets or adds to, with the places; not where it makes them empty."""
    for node in nodes(body):
        match node:
            case Assign(target=Name(name=name), value=value) if not isinstance(value, Const) and value != Seq(
                value.span, ()
            ):
                yield name, node.span
            case Call(func=Attr(base=Name(name=name), name=method)) if method in KEEPS:
                yield name, node.span


def _asks(stmt: Do, asked: Collection[Span]) -> bool:
    return any(isinstance(node, Call) and node.span in asked for node in nodes((stmt,)))


def _blocks(stmt: Stmt) -> Iterator[tuple[Stmt, ...]]:
    match stmt:
        case If(body=body, orelse=orelse):
            yield from (body, orelse)
        case Loop(body=body) | With(body=body):
            yield body
        case Try(body=body, handlers=handlers, orelse=orelse, final=final):
            yield from (body, orelse, final, *(handler.body for handler in handlers))


def _parts(test: Expr) -> Iterator[Expr]:
    """What all has to hold for a test to hold."""
    if isinstance(test, Binary) and test.op == "and":
        yield from _parts(test.left)
        yield from _parts(test.right)
    else:
        yield test


def empty_at(test: Expr) -> str:
    """The name that is empty where a test holds; "" if it asks for something else."""
    match test:
        case Unary(op="not", value=value):
            return _filled(value)
        case Binary(op="==" | "===" | "<" | "<=" | "is", left=left, right=Const(value=0 | None) | Seq(items=())):
            return _sized(left)
        case Binary(op="<", left=left, right=Const(value=1)):
            return _sized(left)
        case _:
            return ""


def _filled(test: Expr) -> str:
    """The name that is not empty where a test holds."""
    match test:
        case Binary(op=">" | "!=" | "!==", left=left, right=Const(value=0)):
            return _sized(left)
        case Binary(op=">=", left=left, right=Const(value=1)):
            return _sized(left)
        case _:
            return _sized(test)


def _sized(expr: Expr) -> str:
    match expr:
        case Name(name=name):
            return name
        case Attr(base=Name(name=name), name=size) if size in SIZES:
            return name
        case Call(func=Name(name="len"), args=args) if args and isinstance(args[0].value, Name):
            return args[0].value.name
        case _:
            return ""
