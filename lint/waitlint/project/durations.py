"""Values as lengths of time: known, absent or unknown, and how that is known."""

from __future__ import annotations

import math

from waitlint.finding import Evidence
from waitlint.interpret.alternatives import options
from waitlint.interpret.values import Choice, Constant, External, ModelArgument, Remaining, Unknown, Value
from waitlint.linked import Certainty, Seconds

INFINITE = frozenset({"math.inf", "numpy.inf", "Infinity", "Number.POSITIVE_INFINITY"})


def absent(how: str, *places: Evidence) -> Seconds:
    return Seconds(Certainty.ABSENT, 0.0, how, places)


def unknown(how: str) -> Seconds:
    return Seconds(Certainty.UNKNOWN, 0.0, how)


def known(value: float, how: str, *places: Evidence) -> Seconds:
    return Seconds(Certainty.KNOWN, value, how, places)


def written(seconds: float) -> str:
    """A number of seconds as people write it."""
    if seconds >= 100 or seconds == int(seconds):
        return f"{seconds:.0f} s"
    return f"{seconds:.3g} s"


def seconds_of(value: Value | None, scale: float, what: str = "") -> Seconds:
    """A value in the unit of `scale` as seconds. None is known to be absent; `what` names it in the evidence."""
    match value:
        case None:
            return absent("no bound")
        case Constant():
            number = value.number
            if number is None:
                return absent("no bound") if value.value is None else unknown("no number")
            if math.isinf(number):
                return absent("an infinite bound")
            seconds = number * scale
            words = f"at most {written(seconds)}" if value.at_most else written(seconds)
            return known(seconds, f"{what} = {words}" if what else words, *_origin(value, seconds))
        case ModelArgument(name=name, default=default, maximum=maximum):
            if default is not None:
                found = seconds_of(default, scale)
                how = f"{found.how}, the default of `{name}`"
                return Seconds(found.certainty, found.value, how, found.places)
            if isinstance(maximum, Constant):
                found = seconds_of(maximum, scale)
                return Seconds(found.certainty, found.value, f"{found.how}, the greatest `{name}`", found.places)
            return unknown(f"the model chooses `{name}`")
        case Remaining(instant=instant, limit=limit):
            if isinstance(limit, Constant):
                return seconds_of(limit, scale)
            return seconds_of(instant.after, instant.scale)
        case Choice():
            found_all = [seconds_of(option, scale, what) for _, option in options(value)]
            if found_all and all(found.known for found in found_all):
                return max(found_all, key=lambda found: found.value)
            return next(
                (found for found in found_all if not found.known and not found.absent), unknown("several values")
            )
        case Unknown(reason=reason):
            return unknown(reason or "not in view")
        case _:
            return unknown("a value that is not a known number")


def _origin(value: Constant, seconds: float) -> tuple[Evidence, ...]:
    return (Evidence(value.origin, written(seconds)),) if value.origin is not None else ()


def number_of(value: Value | None) -> float | None:
    """A plain number, if the value is known to be one."""
    match value:
        case Constant():
            return value.number
        case External(name=name) if name in INFINITE:
            return math.inf
        case ModelArgument(default=Constant() as default):
            return default.number
        case Choice():
            numbers = [number_of(option) for _, option in options(value)]
            known_numbers = [number for number in numbers if number is not None]
            return max(known_numbers) if known_numbers and len(known_numbers) == len(numbers) else None
        case _:
            return None
