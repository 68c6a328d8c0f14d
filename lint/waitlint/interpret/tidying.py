"""Waits that only tidy up: for the end of a command that has ended, or was ended in the lines before."""

from __future__ import annotations

from collections.abc import Iterator

from waitlint.facts import Attr, Binary, Call, Const, Do, Expr, If, Name, Span, Stmt, Try, With
from waitlint.interpret.syntax import blocks_of, nodes
from waitlint.names import words_of
from waitlint.spelled import dotted, within

ENDING = frozenset({"kill", "terminate", "send_signal"})
ENDING_A_GROUP = frozenset({"killpg"})


def is_of_what_was_ended(body: tuple[Stmt, ...], call: Span) -> bool:
    """Whether the lines before `x.wait()`, on every way to it, end `x`."""
    name = _called_on(body, call)
    if not name:
        return False
    return any(name in _ended(before) for before in _lines_before(body, call)) or _has_exited(body, call, name)


def _has_exited(body: tuple[Stmt, ...], call: Span, name: str) -> bool:
    """Whether a call stands where `x.poll()` has said that `x` is no longer running."""
    for node in nodes(body):
        if not isinstance(node, If) or not isinstance(node.test, Binary) or node.test.op not in ("==", "!="):
            continue
        asked, nothing = node.test.left, node.test.right
        if not isinstance(nothing, Const) or nothing.value is not None or _looked_at(asked) != name:
            continue
        branch = node.orelse if node.test.op == "==" else node.body
        if any(within(call, stmt.span) for stmt in branch):
            return True
    return False


def _looked_at(asked: Expr) -> str:
    """`x` of `x.poll()` and of `x.returncode`."""
    match asked:
        case Call(func=Attr(base=base, name="poll"), args=()) | Attr(base=base, name="returncode"):
            return dotted(base)
        case _:
            return ""


def _called_on(body: tuple[Stmt, ...], call: Span) -> str:
    for node in nodes(body):
        match node:
            case Call(func=Attr(base=base)) if node.span == call:
                return dotted(base)
    return ""


def _lines_before(body: tuple[Stmt, ...], at: Span) -> Iterator[tuple[Stmt, ...]]:
    """What runs before a place in each of the blocks around it."""
    for position, stmt in enumerate(body):
        if within(at, stmt.span):
            yield body[:position]
            for inner in blocks_of(stmt):
                yield from _lines_before(inner, at)
            return


def _ended(before: tuple[Stmt, ...]) -> Iterator[str]:
    """The names of what straight lines end."""
    for stmt in before:
        match stmt:
            case With(body=body) | Try(body=body):
                yield from _ended(body)
            case Do():
                for node in nodes((stmt,)):
                    match node:
                        case Call(func=Attr(base=base, name=method)) if method in ENDING:
                            yield dotted(base)
                        case Call(func=Attr(name=called) | Name(name=called), args=args) if _ends(called):
                            yield from (name for arg in args for name in _names_in(arg.value))


def _ends(called: str) -> bool:
    """Whether a function is named after ending what it is given: `os.killpg(…)`, `terminate_process(process)`."""
    return called in ENDING_A_GROUP or not ENDING.isdisjoint(words_of(called))


def _names_in(given: Expr) -> Iterator[str]:
    for part in nodes((Do(given.span, given),)):
        if isinstance(part, Attr):
            yield dotted(part.base)
        if isinstance(part, Attr | Name):
            yield dotted(part)
