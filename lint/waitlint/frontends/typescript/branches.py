"""Branches that programs write side by side and facts nest, and the jumps that leave them."""

from __future__ import annotations

from typing import NamedTuple

from msgspec.structs import replace

from waitlint.facts import Binary, Const, Expr, If, Jump, Loop, Opaque, Raise, Return, Span, Stmt, Try, With
from waitlint.frontends.typescript.chains import join
from waitlint.frontends.typescript.scopes import Scope

# So many branches are nested in one another; more are grouped.
MAX_BRANCHES = 40


class Branch(NamedTuple):
    span: Span
    test: Expr
    body: tuple[Stmt, ...]


def fold(branches: list[Branch], otherwise: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
    """The first branch whose test holds, else `otherwise`.

    Long chains become a tree: a group of branches is entered if the test of one of them holds.
    """
    if len(branches) > MAX_BRANCHES:
        middle = len(branches) // 2
        first, second = branches[:middle], branches[middle:]
        span = branches[0].span
        tests = join("or", [branch.test for branch in first])
        return (If(span, tests or Opaque(span), fold(first, ()), fold(second, otherwise)),)
    rest = otherwise
    for span, test, body in reversed(branches):
        rest = (If(span, test, body, rest),)
    return rest


# ---------------------------------------------------------------- leaving a region


def region(scope: Scope, span: Span, body: tuple[Stmt, ...], label: str) -> tuple[Stmt, ...]:
    """Statements that `break label` leaves, such as those of a `switch`.

    Where it can be said without, the jumps disappear. Where not, the region is a loop that runs once.
    """
    leaving: set[int] = set()
    if not _find(body, label, leaving):
        return body
    body = _without_jumps(scope, body, label, leaving)
    if not _find(body, label, set()):
        return body
    outer = next((target for target in reversed(scope.targets) if target.kind == "loop"), None)
    if outer is not None:
        if not outer.label:
            scope.nested += 1
            outer.label = f"$l{scope.nested}"
        body = _with_label(body, outer.label)
    return (Loop(span, "until", body, test=Const(Span(span.end, span.end), False), label=label),)


def ends(body: tuple[Stmt, ...]) -> bool:
    """Whether what follows these statements is never reached from them."""
    if not body:
        return False
    last = body[-1]
    if isinstance(last, Return | Raise | Jump):
        return True
    if isinstance(last, If):
        return ends(last.body) and ends(last.orelse)
    if isinstance(last, Try):
        return ends(last.final) or (ends(last.body) and all(ends(handler.body) for handler in last.handlers))
    return False


def _find(body: tuple[Stmt, ...], label: str, found: set[int]) -> bool:
    """Add the ids of statements from which a jump with `label` leaves. Whether there are any."""
    before = len(found)
    for stmt in body:
        match stmt:
            case Jump():
                inside = stmt.label == label
            case If() | Loop():
                inside = _find(stmt.body, label, found) | _find(stmt.orelse, label, found)
            case Try():
                inside = _find(stmt.body, label, found) | _find(stmt.final, label, found)
                for handler in stmt.handlers:
                    inside |= _find(handler.body, label, found)
            case With():
                inside = _find(stmt.body, label, found)
            case _:
                continue
        if inside:
            found.add(id(stmt))
    return len(found) > before


def _without_jumps(scope: Scope, body: tuple[Stmt, ...], label: str, leaving: set[int]) -> tuple[Stmt, ...]:
    """The same without jumps to the end of `body`, where what follows an `if` can move into its branches."""
    for index, stmt in enumerate(body):
        if isinstance(stmt, Jump) and stmt.kind == "break" and stmt.label == label:
            return body[:index]
        if id(stmt) not in leaving:
            continue
        rest = body[index + 1 :]
        if isinstance(stmt, If):
            then, orelse = stmt.body, stmt.orelse
            if rest:
                then_ends, else_ends = ends(then), ends(orelse)
                scope.moves -= 1 if then_ends or else_ends else 8
                if scope.moves < 0:
                    return body
                then = then if then_ends else (*then, *rest)
                orelse = orelse if else_ends else (*orelse, *rest)
            then, orelse = _without_jumps(scope, then, label, leaving), _without_jumps(scope, orelse, label, leaving)
            return (*body[:index], replace(stmt, body=then, orelse=orelse))
        if isinstance(stmt, Try) and not rest:
            handlers = tuple(
                [replace(caught, body=_without_jumps(scope, caught.body, label, leaving)) for caught in stmt.handlers]
            )
            settled = replace(stmt, body=_without_jumps(scope, stmt.body, label, leaving), handlers=handlers)
            return (*body[:index], settled)
        return body
    return body


def _with_label(body: tuple[Stmt, ...], label: str) -> tuple[Stmt, ...]:
    """Jumps that leave or repeat the loop around `body`, with its label."""
    return tuple([_labelled(stmt, label) for stmt in body])


def _labelled(stmt: Stmt, label: str) -> Stmt:
    match stmt:
        case Jump(label=""):
            return replace(stmt, label=label)
        case If():
            return replace(stmt, body=_with_label(stmt.body, label), orelse=_with_label(stmt.orelse, label))
        case Try():
            handlers = tuple([replace(handler, body=_with_label(handler.body, label)) for handler in stmt.handlers])
            return replace(
                stmt,
                body=_with_label(stmt.body, label),
                handlers=handlers,
                final=_with_label(stmt.final, label),
            )
        case With():
            return replace(stmt, body=_with_label(stmt.body, label))
        case _:
            return stmt


def same(subject: Expr, label: Expr) -> Expr:
    """The test of a `case`; `switch (true)` has tests for cases."""
    if isinstance(subject, Const) and subject.value is True:
        return label
    return Binary(label.span, "==", subject, label)
