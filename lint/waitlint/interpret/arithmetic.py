"""Operators on values: numbers, moments, counters, texts and comparisons."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from waitlint.interpret.alternatives import choice, comes_from_outside, inside, options, put_in_text
from waitlint.interpret.files import joined
from waitlint.interpret.tests import is_nothing
from waitlint.interpret.values import (
    ENVIRONMENT,
    FALSE,
    TRUE,
    CapTest,
    Choice,
    Constant,
    Counter,
    Elapsed,
    External,
    FilePath,
    Instance,
    Instant,
    Items,
    MethodOf,
    ModelArgument,
    Now,
    Outside,
    Remaining,
    StateTest,
    Textual,
    Unknown,
    Value,
)

ARITHMETIC: dict[str, Callable[[Any, Any], Any]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
    "//": lambda a, b: a // b,
    "%": lambda a, b: a % b,
    "**": lambda a, b: a**b,
}
COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "<": lambda a, b: bool(a < b),
    "<=": lambda a, b: bool(a <= b),
    ">": lambda a, b: bool(a > b),
    ">=": lambda a, b: bool(a >= b),
}
FLIPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
MAX_POWER = 64
HTTP_CODES = frozenset({"status", "status_code", "statusCode", "code"})


def arithmetic(op: str, left: Value, right: Value) -> Value:
    """`left op right` for the operators of `ARITHMETIC`."""
    if isinstance(left, Choice) or isinstance(right, Choice):
        pairs = [
            (lt if lt is not None else rt, arithmetic(op, a, b)) for lt, a in options(left) for rt, b in options(right)
        ]
        return choice(pairs)
    match left, right:
        case Constant(), Constant():
            return _numbers(op, left, right)
        case FilePath(), _ if op == "/":
            return joined(left, right) or Unknown("a path that is not known")
        case Textual(), Textual() if op == "+":
            return Textual(left.parts + right.parts, left.place, put_in_text((left, right)))
        case Textual(), _ if op == "+":
            return Textual((*left.parts, None), left.place, put_in_text((left, right)))
        case _, Textual() if op == "+":
            return Textual((None, *right.parts), right.place, put_in_text((left, right)))
        case Textual(), _ if op == "%":
            return Textual(left.parts, left.place, put_in_text((left, right)))
        case Items(items=first, open=a), Items(items=second, open=b) if op == "+":
            return Items(first + second, a or b)
        case ((Now() | Instant() | Elapsed() | Remaining()), _):
            return _moments(op, left, right)
        case _, (Now() | Instant() | Elapsed()):
            return _moments(op, left, right)
        case ModelArgument(default=Constant(value=None)), Constant():
            return ModelArgument(left.name, left.default, _maybe(op, left.maximum, right), left.place)
        case ModelArgument(default=default), Constant() if default is not None:
            return ModelArgument(left.name, arithmetic(op, default, right), _maybe(op, left.maximum, right), left.place)
        case Constant(), ModelArgument(default=default) if default is not None:
            return ModelArgument(
                right.name, arithmetic(op, left, default), _maybe(op, right.maximum, left), right.place
            )
        case ModelArgument(), Constant():
            return replace(left, default=None, maximum=_maybe(op, left.maximum, right))
        case _:
            if comes_from_outside(left) or comes_from_outside(right):
                return left if comes_from_outside(left) else right
            return Unknown("arithmetic on what is not known")


def scaled(bound: Value, scale: float) -> Value:
    """A bound in another unit; no bound stays none."""
    if isinstance(bound, Choice):
        return choice([(tag, scaled(option, scale)) for tag, option in bound.options])
    is_none = isinstance(bound, Constant) and bound.value is None
    return bound if is_none else arithmetic("*", bound, Constant(scale))


def _maybe(op: str, bound: Value | None, other: Value) -> Value | None:
    return None if bound is None else arithmetic(op, bound, other)


def _numbers(op: str, left: Constant, right: Constant) -> Value:
    a, b = left.number, right.number
    if a is None or b is None:
        return Unknown("arithmetic on no number")
    if op == "**" and (abs(b) > MAX_POWER or abs(a) > 1e6):
        return Unknown("a huge power")
    if right.at_most and op not in ("+", "*"):
        return Unknown("less than what is at most so much")
    try:
        result = ARITHMETIC[op](a, b)
    except (ZeroDivisionError, OverflowError, ValueError):
        return Unknown("arithmetic that fails")
    if isinstance(result, complex):
        return Unknown("arithmetic that fails")
    return Constant(result, left.origin or right.origin, left.at_most or right.at_most)


def _moments(op: str, left: Value, right: Value) -> Value:
    match left, right:
        case Now(scale=scale, serial=serial), Now(serial=other):
            return Elapsed(scale, min(serial, other)) if op == "-" else Unknown("clock arithmetic")
        case Instant(after=after, scale=scale, serial=serial), Now():
            return Remaining(Instant(after, scale, left.place, serial)) if op == "-" else Unknown("clock arithmetic")
        case Now(), Instant(scale=scale, serial=serial):
            return Elapsed(scale, serial) if op == "-" else Unknown("clock arithmetic")
        case Now(scale=scale, serial=serial), _:
            return Instant(right, scale, None, serial) if op == "+" else Unknown("clock arithmetic")
        case _, Now(scale=scale, serial=serial):
            return Instant(left, scale, None, serial) if op == "+" else Unknown("clock arithmetic")
        case Instant(after=after, scale=scale, serial=serial), _:
            return Instant(arithmetic(op, after, right), scale, None, serial)
        case Elapsed(scale=scale, serial=serial), Constant(value=factor) if (
            op in "*/" and isinstance(factor, int | float) and factor
        ):
            return Elapsed(scale / factor if op == "*" else scale * factor, serial)
        case Remaining(), _:
            return left
        case Constant(), Elapsed(scale=scale, serial=serial) if op == "-":
            return Remaining(Instant(left, scale, None, serial))
        case ModelArgument(), Elapsed(scale=scale, serial=serial) if op == "-":
            return Remaining(Instant(left, scale, None, serial))
        case _:
            return Unknown("clock arithmetic")


# ---------------------------------------------------------------- comparing


def compare(op: str, left: Value, right: Value) -> Value:
    """The test `left op right` for an ordering operator."""
    if isinstance(left, Choice) or isinstance(right, Choice):
        both = [(lt if lt is not None else rt, a, b) for lt, a in options(left) for rt, b in options(right)]
        real = [pair for pair in both if not (op in ("<", "<=") and _never_less(pair[1], pair[2]))]
        return choice([(tag, compare(op, a, b)) for tag, a, b in real or both])
    match left, right:
        case Constant(), Constant():
            a, b = left.number, right.number
            if a is None or b is None or left.at_most or right.at_most:
                return StateTest(outside=False)
            return TRUE if COMPARISONS[op](a, b) else FALSE
        case Now(), Instant(after=after, scale=scale, serial=serial):
            return CapTest("clock", after, scale, passed=op in (">", ">="), serial=serial)
        case Elapsed(scale=scale, serial=serial), _ if not isinstance(right, Elapsed | Now | Instant | Remaining):
            return CapTest("clock", right, scale, passed=op in (">", ">="), serial=serial)
        case Instant(serial=ours), Instant(after=after, scale=scale, serial=theirs) if ours > theirs:
            return CapTest("clock", after, scale, passed=op in (">", ">="), serial=theirs)
        case Remaining(instant=instant), _ if not isinstance(right, Elapsed | Now | Instant | Remaining):
            return CapTest("clock", instant.after, instant.scale, passed=op in ("<", "<="), serial=instant.serial)
        case Counter(), _ if not isinstance(right, Counter):
            return _count(op, left, right)
        case Instant(), Now():
            return compare(FLIPPED[op], right, left)
        case _, (Instant() | Elapsed() | Remaining() | Counter()) if not isinstance(left, Counter):
            return compare(FLIPPED[op], right, left)
        case ModelArgument(other_than=Constant(value=unset)), Constant(value=0) if not unset and op in (">", "<="):
            return TRUE if op == ">" else FALSE
        case _, Constant(value=float() as number) if math.isinf(number):
            return TRUE if (number > 0) is (op in ("<", "<=")) else FALSE
        case _:
            outside = comes_from_outside(left) or comes_from_outside(right)
            return StateTest(outside=outside, failed=_fails_if(op, left, right))


def _never_less(left: Value, right: Value) -> bool:
    """Whether time is compared with a bound that is not there: nothing is less, and a wait does not begin."""
    match left, right:
        case (Elapsed(), Constant(value=None)) | (Now(), Instant(after=Constant(value=None))):
            return True
        case _:
            return False


def _count(op: str, counter: Counter, limit: Value) -> Value:
    step = counter.step
    down = isinstance(step, Constant) and step.number is not None and step.number < 0
    passed = (op in ("<", "<=")) if down else (op in (">", ">="))
    inclusive = (">=", "<") if down else ("<=", ">")
    if op in inclusive and isinstance(limit, Constant) and limit.number is not None and isinstance(step, Constant):
        whole = step.number is not None and abs(step.number) == 1
        if whole:
            limit = Constant(limit.number + (-1 if down else 1), limit.origin, limit.at_most)
    return CapTest("count", limit, 1.0, passed, counter, counter.loop)


def by_environment(default: Value) -> Value:
    """A default that an environment variable may replace: what a text is compared with then says nothing."""
    if isinstance(default, Textual):
        return Textual(default.parts, default.place, (*default.held, ENVIRONMENT))
    return default


def equal(left: Value, right: Value) -> Value:
    """The test `left == right`."""
    if isinstance(left, Choice) or isinstance(right, Choice):
        pairs = [(lt if lt is not None else rt, equal(a, b)) for lt, a in options(left) for rt, b in options(right)]
        return choice(pairs)
    for one, other in ((left, right), (right, left)):
        if isinstance(one, Constant) and one.value is None:
            known = is_nothing(other)
            if known is not None:
                return TRUE if known else FALSE
        if isinstance(one, Counter) and not isinstance(other, Counter):
            return CapTest("count", other, 1.0, passed=True, counter=one, serial=one.loop)
    match left, right:
        case ModelArgument(other_than=Constant(value=a)), Constant(value=b) if a == b:
            return FALSE
        case Constant(value=a), ModelArgument(other_than=Constant(value=b)) if a == b:
            return FALSE
        case Constant(value=a), Constant(value=b) if not (left.at_most or right.at_most):
            return TRUE if a == b else FALSE
        case Textual(), Textual() if ENVIRONMENT not in left.held + right.held:
            a_text, b_text = left.literal, right.literal
            if a_text is not None and b_text is not None:
                return TRUE if a_text == b_text else FALSE
    return state_test(left, right)


def member(left: Value, right: Value) -> Value:
    """The test `left in right`."""
    match left, right:
        case Textual(), Items(items=items, open=False) if ENVIRONMENT not in left.held:
            known = [item.literal if isinstance(item, Textual) else None for item in items]
            if left.literal is not None and None not in known:
                return TRUE if left.literal in known else FALSE
    return state_test(left, right)


def state_test(left: Value, right: Value) -> StateTest:
    parts = (*inside(left), *inside(right))
    names = [part.literal for part in parts if isinstance(part, Textual)] if Textual in map(type, parts) else ()
    states = tuple(dict.fromkeys(name for name in names if name))
    return StateTest(Outside in map(type, parts), states, True if _http_code(left, right) else None)


def _fails_if(op: str, left: Value, right: Value) -> bool | None:
    """What the order of something from outside and the number of an HTTP failure says."""
    if not _http_code(left, right):
        return None
    upwards = op in (">", ">=")
    return upwards if _may_be_a_code(left) else not upwards


def _http_code(left: Value, right: Value) -> bool:
    """Whether something from outside is compared with the number of an HTTP failure."""
    for one, other in ((left, right), (right, left)):
        if not _may_be_a_code(one):
            continue
        for part in inside(other):
            number = part.number if isinstance(part, Constant) else None
            if number is not None and 400 <= number < 600:
                return True
    return False


def _may_be_a_code(value: Value) -> bool:
    """Whether it comes from outside, or is the code of what an annotation says to be a response."""
    return isinstance(value, Outside) or (isinstance(value, MethodOf) and value.name in HTTP_CODES)


# ---------------------------------------------------------------- least and greatest


def least(values: list[Value]) -> Value:
    """`min` of values: a known number bounds what is unknown."""
    flat = [option for value in values for _, option in options(value)]
    remaining = next((value for value in flat if isinstance(value, Remaining)), None)
    numbers = [value for value in flat if isinstance(value, Constant) and value.number is not None]
    smallest = min(numbers, key=lambda value: value.number or 0.0, default=None)
    if remaining is not None:
        return Remaining(remaining.instant, smallest or remaining.limit)
    argument = next((value for value in flat if isinstance(value, ModelArgument)), None)
    if argument is not None:
        default = argument.default
        if smallest is None:
            return argument
        clamped = least([default, smallest]) if default is not None else None
        return ModelArgument(argument.name, clamped, smallest, argument.place, other_than=argument.other_than)
    if smallest is None:
        return Unknown("the least of what is not known")
    if len(numbers) == len(flat):
        return smallest
    return Constant(smallest.value, smallest.origin, at_most=True)


def greatest(values: list[Value]) -> Value:
    flat = [option for value in values for _, option in options(value)]
    remaining = next((value for value in flat if isinstance(value, Remaining)), None)
    if remaining is not None:
        return remaining
    numbers = [value for value in flat if isinstance(value, Constant) and value.number is not None]
    if numbers and len(numbers) == len(flat):
        return max(numbers, key=lambda value: value.number or 0.0)
    argument = next((value for value in flat if isinstance(value, ModelArgument)), None)
    if argument is not None:
        biggest = max(numbers, key=lambda value: value.number or 0.0, default=None)
        default = (
            greatest([argument.default, biggest])
            if argument.default is not None and biggest is not None
            else argument.default
        )
        return replace(argument, default=default)
    return Unknown("the greatest of what is not known")


def is_external_class(value: Value) -> bool:
    return isinstance(value, External | Instance)
