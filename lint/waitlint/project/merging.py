"""Waits that are one and the same, and waits that are parts of others."""

from __future__ import annotations

from msgspec.structs import replace

from waitlint.finding import Place
from waitlint.linked import Bound, Certainty, Passing, Seconds, Wait


def greatest(alternatives: list[tuple[Seconds, Bound]]) -> tuple[Seconds, Bound]:
    """Of the bounds that one test has on different ways the one that holds on all: not known, or none, before any."""
    order = {Certainty.KNOWN: 0, Certainty.ABSENT: 1, Certainty.UNKNOWN: 2}
    return max(alternatives, key=lambda found: (order[found[0].certainty], found[0].value))


def repeated(wait: Wait) -> Wait:
    """A wait that a loop runs as often as there are items, which may be never."""
    passing = Passing.SOMETIMES if wait.passing is Passing.ALWAYS else wait.passing
    return replace(wait, once=False, passing=passing)


def innermost(around: tuple[int, ...], by_loop: dict[int, Wait]) -> Place | None:
    return next((by_loop[serial].place for serial in reversed(around) if serial in by_loop), None)


def unique(waits: list[Wait]) -> tuple[Wait, ...]:
    """One wait a place: the same loop that is reached on several ways counts once, with its longest cap."""
    by_place: dict[tuple[Place, str], list[Wait]] = {}
    for wait in waits:
        by_place.setdefault((wait.place, wait.kind), []).append(wait)
    best = [_as_one(same) for same in by_place.values()]
    return tuple(sorted(best, key=lambda wait: (wait.place.path, wait.place.span.start)))


def _as_one(same: list[Wait]) -> Wait:
    best = max(same, key=_rank)
    passing = next((one for one in Passing if any(wait.passing is one for wait in same)), best.passing)
    once = all(wait.once for wait in same) and len({wait.callers for wait in same}) == 1
    return replace(best, passing=passing, once=once)


def _rank(wait: Wait) -> tuple[int, float]:
    order = {Certainty.UNKNOWN: 0, Certainty.KNOWN: 1, Certainty.ABSENT: 2}
    return order[wait.cap.certainty], wait.cap.value
