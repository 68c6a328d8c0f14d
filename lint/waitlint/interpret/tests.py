"""Truth: what a test tells, and along which branch."""

from __future__ import annotations

import re
from collections.abc import Iterator

from waitlint.interpret.alternatives import comes_from_outside, inside
from waitlint.interpret.values import (
    FALSE,
    NOTHING,
    OFF_BY_DEFAULT,
    TRUE,
    Both,
    CapTest,
    Choice,
    ClassRef,
    Constant,
    Counter,
    Either,
    External,
    FunctionRef,
    Instance,
    Items,
    MethodOf,
    ModelArgument,
    ModuleRef,
    Outside,
    Record,
    Remaining,
    Signal,
    StateTest,
    StopTest,
    Textual,
    Unknown,
    Value,
)
from waitlint.prose.lexicon import DONE, PENDING

WORDS = re.compile(r"[a-z]+")
Test = CapTest | StopTest | StateTest | Both | Either
TESTS = (CapTest, StopTest, StateTest, Both, Either)
ZERO = Constant(0)
KINDS_OF_TESTS = frozenset(TESTS)
# Kinds of values of which it is never known whether they count as true.
NEITHER = frozenset({*TESTS, Outside, MethodOf, Unknown, Choice, External})


def truth(value: Value) -> bool | None:
    """Whether a value is known to count as true."""
    kind = type(value)
    if kind in NEITHER:
        return None
    match value:
        case Constant(value=inner):
            return bool(inner)
        case Textual():
            literal = value.literal
            return bool(literal) if literal is not None else (True if value.known_text.strip("\ufffc") else None)
        case Record(entries=entries, open=is_open):
            return True if entries or not is_open else None
        case Items(items=items, open=is_open):
            return None if is_open else bool(items)
        case Instance() | FunctionRef() | ClassRef() | ModuleRef() | Signal():
            return True
        case ModelArgument(other_than=Constant(value=unset)) if not unset:
            return True
        case _:
            return None


def is_nothing(value: Value) -> bool | None:
    """Whether a value is known to be None, null or undefined."""
    match value:
        case Constant(value=inner):
            return inner is None
        case (
            Textual()
            | Record()
            | Items()
            | Instance()
            | FunctionRef()
            | ClassRef()
            | ModuleRef()
            | Signal()
            | Counter()
        ):
            return False
        case ModelArgument(other_than=Constant(value=unset)) if not unset:
            return False
        case _:
            return None


def as_test(value: Value) -> Value:
    """A value in the place of a condition."""
    kind = type(value)
    if kind in KINDS_OF_TESTS:
        return value
    known = truth(value)
    if known is not None:
        return TRUE if known else FALSE
    if kind is MethodOf:
        return StateTest(outside=False)
    match value:
        case Counter(step=Constant() as step):
            negative = step.number is not None and step.number < 0
            if negative:
                return CapTest("count", ZERO, 1.0, passed=False, counter=value, serial=value.loop)
            return StateTest(outside=False)
        case Remaining(instant=instant):
            return CapTest("clock", instant.after, instant.scale, passed=False, serial=instant.serial)
        case Choice():
            return value
        case ModelArgument():
            return StateTest(outside=False, invariant=True)
        case Unknown() if value == OFF_BY_DEFAULT:
            return StateTest(outside=False, asked_for=True)
        case _:
            outside = comes_from_outside(value)
            return StateTest(outside=outside, failed=asks_for_failure(value) if outside else None)


def asks_for_failure(value: Value) -> bool | None:
    """Whether a value is the part of an HTTP response that says that it failed, or that it did not."""
    for part in inside(value):
        if type(part) is Outside and part.path:
            if part.path[-1] in ("ok", "is_success"):
                return False
            if part.path[-1] == "is_error":
                return True
    return None


def failure_if(test: Value, answer: bool) -> bool:
    """Whether this answer to a test means that a request has failed."""
    match test:
        case StateTest(failed=failed):
            return failed is not None and failed is answer
        case Both(left=left, right=right) if answer:
            return failure_if(left, True) or failure_if(right, True)
        case Either(left=left, right=right) if not answer:
            return failure_if(left, False) or failure_if(right, False)
        case Either(left=left, right=right) | Both(left=left, right=right):
            return failure_if(left, answer) and failure_if(right, answer)
        case _:
            return False


def asks_if_over(test: Value) -> bool:
    """Whether a test only asks if the work outside is over, if a request succeeded or if the user has stopped."""
    return all(_asks_if_over(leaf) for leaf in leaves(test))


def _asks_if_over(leaf: Value) -> bool:
    match leaf:
        case Constant() | StopTest():
            return True
        case StateTest(outside=True, failed=failed, states=states):
            return failed is not None or (bool(states) and all(_is_of_work(state) for state in states))
        case _:
            return False


def _is_of_work(state: str) -> bool:
    words = {state.lower(), *WORDS.findall(state.lower())}
    return bool(words & (DONE | PENDING))


def negate(value: Value) -> Value:
    if type(value) is Constant:
        return FALSE if value.value else TRUE
    if type(value) is StateTest:
        failed = None if value.failed is None else not value.failed
        asked_for = None if value.asked_for is None else not value.asked_for
        return StateTest(value.outside, value.states, failed, value.invariant, not value.excluded, asked_for)
    match value:
        case CapTest(kind=kind, limit=limit, scale=scale, passed=passed, counter=counter, serial=serial):
            return CapTest(kind, limit, scale, not passed, counter, serial)
        case StopTest(signal=signal, fired=fired):
            return StopTest(signal, not fired)
        case Both(left=left, right=right):
            return Either(negate(left), negate(right))
        case Either(left=left, right=right):
            return Both(negate(left), negate(right))
        case Choice(options=alternatives):
            return Choice(tuple((tag, negate(as_test(option))) for tag, option in alternatives))
        case _:
            return value


def leaves(value: Value) -> Iterator[Value]:
    """The single tests of a condition."""
    match value:
        case Both(left=left, right=right) | Either(left=left, right=right):
            yield from leaves(left)
            yield from leaves(right)
        case Choice(options=alternatives):
            for _, option in alternatives:
                yield from leaves(option)
        case _:
            yield value


def conjunction(left: Value, right: Value) -> Value:
    left, right = as_test(left), as_test(right)
    if truth(left) is True:
        return right
    if truth(left) is False or truth(right) is True:
        return left
    if truth(right) is False:
        return right
    return Both(left, right)


def disjunction(left: Value, right: Value) -> Value:
    return negate(conjunction(negate(as_test(left)), negate(as_test(right))))


__all__ = [
    "NOTHING",
    "TESTS",
    "Test",
    "as_test",
    "asks_if_over",
    "conjunction",
    "disjunction",
    "is_nothing",
    "leaves",
    "negate",
    "truth",
]
