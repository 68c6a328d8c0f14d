"""What a loop's ways out depend on, as written: whether a test may be a bound, and whether only failures lead on."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from msgspec import Struct

from waitlint.facts import (
    Assign,
    Attr,
    Const,
    Do,
    Expr,
    If,
    Jump,
    Loop,
    Name,
    Raise,
    Return,
    Span,
    Stmt,
    Try,
    With,
)
from waitlint.finding import Place
from waitlint.interpret.syntax import nodes
from waitlint.project.sources import Sources

STRINGS = re.compile(r"\"[^\"\n]*\"|'[^'\n]*'|`[^`]*`")
EMPTY = re.compile(r"(?:\blen\([^()]*\)|\.length|\.size)\s*(?:[<>]=?|[!=]==?)\s*[01]\b|=>|->|<[A-Za-z][\w.]*>")
NAMED_FOR_BOUND = re.compile(
    r"max|limit|budget|remain|left\b|deadline|expire|time_?out|time_?up|elapsed|exceed|exhaust|cost|quota|tokens?\b|"
    r"usage|(?<![a-z])count(?!ry)|_count|steps?(?![a-z])|turns?(?![a-z])|iter(?!ator|able)|rounds?(?![a-z])|attempt|tries|retr(?:y|ies)|depth|"
    r"should_?(?:stop|continue|exit|break|end|loop|terminate)|stuck|terminat|\brange\b",
    re.IGNORECASE,
)
COMPARES = re.compile(r"(?<![=<>-])[<>]=?(?![=>])")
ENOUGH = re.compile(r"stop_reason|stopReason|finish_reason|finishReason|max_tokens|maxTokens|return_?direct")
FAILURES = re.compile(r"limit|budget|exceed|exhaust|timeout|max|turns|usage|cost|quota|StopIteration", re.IGNORECASE)
MONEY = re.compile(r"tokens?(?![a-z])|cost|usd|spend|spent|budget|usage", re.IGNORECASE)


def may_be_a_bound(text: str, *, named: bool = False) -> bool:
    """Whether a condition, as written, may be a bound in steps, time, tokens or money.

    With `named` a comparison alone is not enough: its words must be those of a bound.
    """
    plain = EMPTY.sub(" ", ENOUGH.sub(" ", STRINGS.sub(" ", text)))
    return bool(NAMED_FOR_BOUND.search(plain)) or (not named and bool(COMPARES.search(plain)))


class Leaving(Struct, frozen=True):
    """A statement that leaves a loop, the tests above it with the answers that lead to it, and what is caught above."""

    stmt: Stmt
    tests: tuple[tuple[Expr, bool], ...]
    caught: tuple[Expr, ...]


def leavings(loop: Loop) -> Iterator[Leaving]:
    """The ways out of a loop that are written in it."""
    yield from _leavings(loop.body, loop, (), (), inner=False)


def _leavings(
    body: tuple[Stmt, ...], loop: Loop, tests: tuple[tuple[Expr, bool], ...], caught: tuple[Expr, ...], *, inner: bool
) -> Iterator[Leaving]:
    for stmt in body:
        match stmt:
            case Return() | Raise():
                yield Leaving(stmt, tests, caught)
            case Jump(kind="break", label=label) if not inner or (label and label == loop.label):
                yield Leaving(stmt, tests, caught)
            case If(test=test, body=then, orelse=orelse):
                yield from _leavings(then, loop, (*tests, (test, True)), caught, inner=inner)
                yield from _leavings(orelse, loop, (*tests, (test, False)), caught, inner=inner)
            case Loop(body=within, orelse=orelse, test=test):
                more = tests if test is None else (*tests, (test, True))
                yield from _leavings(within, loop, more, caught, inner=True)
                yield from _leavings(orelse, loop, tests, caught, inner=inner)
            case Try(body=tried, handlers=handlers, orelse=orelse, final=final):
                yield from _leavings((*tried, *orelse, *final), loop, tests, caught, inner=inner)
                for handler in handlers:
                    types = (*caught, handler.type) if handler.type is not None else caught
                    yield from _leavings(handler.body, loop, tests, types, inner=inner)
            case With(body=within):
                yield from _leavings(within, loop, tests, caught, inner=inner)


class Bounds:
    """What of a file, as written, may bound a loop: tests, and flags that are set behind such tests."""

    def __init__(self, sources: Sources) -> None:
        self.sources = sources
        self._flags: dict[str, frozenset[str]] = {}

    def of_loop(
        self, loop: Loop, path: str, bodies: tuple[tuple[Stmt, ...], ...], settled: Mapping[Place, bool]
    ) -> str:
        """The condition on which a loop may end at a bound that is not understood; "" if there is none.

        `bodies` are those of all functions of the file, where a flag may be set; `settled` the tests whose answer is
        known, with it.
        """
        if loop.test is not None:
            found = self._bound(loop.test, path, bodies, settled)
            if found:
                return found
        for leaving in leavings(loop):
            answers = [settled.get(Place(path, test.span)) for test, _ in leaving.tests]
            if any(
                known is not None and known is not way for known, (_, way) in zip(answers, leaving.tests, strict=True)
            ):
                continue
            for test in [test for known, (test, _) in zip(answers, leaving.tests, strict=True) if known is None]:
                found = self._bound(test, path, bodies, settled)
                if found:
                    return found
            for kind in leaving.caught:
                text = self._text(kind.span, path)
                if FAILURES.search(text):
                    return text
        return ""

    def open_text(self, place: Place, settled: Mapping[Place, bool]) -> str:
        """A test as written, without those of its parts whose answer is known."""
        text = self.sources.excerpt(place)
        for known in settled:
            first, last = known.span.start - place.span.start, known.span.end - place.span.start
            if known.path == place.path and first >= 0 and last <= len(text):
                text = text[:first] + " " * (last - first) + text[last:]
        return " ".join(text.split())

    def text(self, place: Place) -> str:
        return " ".join(self.sources.excerpt(place).split())

    def _bound(self, test: Expr, path: str, bodies: tuple[tuple[Stmt, ...], ...], settled: Mapping[Place, bool]) -> str:
        text = self.open_text(Place(path, test.span), settled)
        if may_be_a_bound(text):
            return self._text(test.span, path)
        flags = self._flags_of(path, bodies)
        if any(_plain(node) in flags for node in _names_in(test)):
            return text
        return ""

    def _flags_of(self, path: str, bodies: tuple[tuple[Stmt, ...], ...]) -> frozenset[str]:
        """The names that are set behind a test that may be a bound."""
        if path not in self._flags:
            self._flags[path] = frozenset(name for body in bodies for name in self._set_at_bound(body, path, False))
        return self._flags[path]

    def _set_at_bound(self, body: tuple[Stmt, ...], path: str, bounded: bool) -> Iterator[str]:
        for stmt in body:
            match stmt:
                case Do(value=Assign(target=Name() | Attr() as target)) if bounded:
                    yield _plain(target)
                case If(test=test, body=then, orelse=orelse):
                    within = bounded or may_be_a_bound(self._text(test.span, path))
                    yield from self._set_at_bound(then, path, within)
                    yield from self._set_at_bound(orelse, path, bounded)
                case Loop(body=within_loop, orelse=orelse):
                    yield from self._set_at_bound((*within_loop, *orelse), path, bounded)
                case Try(body=tried, handlers=handlers, orelse=orelse, final=final):
                    yield from self._set_at_bound((*tried, *orelse, *final), path, bounded)
                    for handler in handlers:
                        yield from self._set_at_bound(handler.body, path, bounded)
                case With(body=within_with):
                    yield from self._set_at_bound(within_with, path, bounded)

    def _text(self, span: Span, path: str) -> str:
        return self.text(Place(path, span))


def _names_in(test: Expr) -> Iterator[Expr]:
    for node in nodes((Do(test.span, test),)):
        if isinstance(node, Name | Attr):
            yield node


def _plain(expr: Expr) -> str:
    match expr:
        case Name(name=name):
            return name
        case Attr(base=base, name=name):
            return f"{_plain(base)}.{name}"
        case _:
            return "?"


# ---------------------------------------------------------------- what leads to the next lap


def leads_on_without_failure(loop: Loop) -> bool:
    """Whether a lap can be followed by another although nothing was caught in it. If not, the loop only retries."""
    return _goes_on(loop.body, loop)


def _goes_on(body: tuple[Stmt, ...], loop: Loop) -> bool:
    """Whether a block can come to its end, or to a `continue` of the loop, without an exception."""
    for stmt in body:
        continues, falls = _ways(stmt, loop)
        if continues:
            return True
        if not falls:
            return False
    return True


def _ways(stmt: Stmt, loop: Loop) -> tuple[bool, bool]:
    """Whether a statement can go on with the next lap, and whether it can be followed by the next statement."""
    match stmt:
        case Return() | Raise():
            return False, False
        case Jump(kind=kind, label=label):
            return kind == "continue" and label in ("", loop.label), False
        case If(body=then, orelse=orelse):
            first, second = _block(then, loop), _block(orelse, loop)
            return first[0] or second[0], first[1] or second[1]
        case Try(body=tried, orelse=orelse, final=final):
            return _block((*tried, *orelse, *final), loop)
        case With(body=within):
            return _block(within, loop)
        case Loop(test=test, body=within) as inner:
            if inner.kind == "while" and (test is None or (isinstance(test, Const) and test.value)):
                breaks = any(isinstance(leaving.stmt, Jump) for leaving in leavings(inner))
                return False, breaks
            return False, True
        case _:
            return False, True


def _block(body: tuple[Stmt, ...], loop: Loop) -> tuple[bool, bool]:
    continues = False
    for stmt in body:
        again, falls = _ways(stmt, loop)
        continues = continues or again
        if not falls:
            return continues, False
    return continues, True


__all__ = ["Bounds", "Leaving", "leads_on_without_failure", "leavings", "may_be_a_bound"]
