"""Caps that fit: how long a wait may last below a limit, and the repairs that make it so."""

from __future__ import annotations

import re

from waitlint.context import Settings
from waitlint.fix import Applicability, BoundLoop, Change, Repair, SetNumber
from waitlint.linked import Ending, Tool, Wait
from waitlint_rules.telling import is_resumed_by_a_call

ROOM = 5 / 6
_LAPS = re.compile(r"(?P<laps>\d+) laps\Z")
_LENGTH = re.compile(r"(?P<seconds>[\d.]+) s\Z")
SHORTEST = 5.0


def fitting(settings: Settings) -> float:
    """A cap in seconds below every limit that is known, with room for the way back."""
    limit = min(settings.idle_limit.seconds, settings.client_limit.seconds)
    seconds = limit * ROOM
    return float(int(seconds // 10 * 10 if seconds >= 20 else seconds))


def lowered(tool: Tool, wait: Wait, settings: Settings) -> Repair | None:
    """The number that makes a wait too long, made smaller: only where a wait that ends early loses nothing.

    That is a loop which hands its last state over, and whose work can be asked for again by its ID.
    """
    target = fitting(settings)
    can_go_on = is_resumed_by_a_call(tool, wait) or bool(wait.ending_ids)
    if wait.kind != "loop" or wait.ending is not Ending.LAST_STATE or not can_go_on or target < SHORTEST:
        return None
    change = _smaller(wait, settings)
    return Repair("lower the cap below the idle timeout", Applicability.UNSAFE, (change,)) if change else None


def _smaller(wait: Wait, settings: Settings) -> Change | None:
    """The one number to change: that of the laps, or the length of the deadline."""
    for evidence in wait.cap.places:
        if found := _LAPS.match(evidence.message):
            laps = _laps(wait, settings)
            return SetNumber(evidence.place.path, evidence.place.span, int(found["laps"]), laps) if laps else None
    lengths = [one for one in wait.cap.places if _LENGTH.match(one.message)]
    if len(lengths) != 1:
        return None
    place, before = lengths[0].place, wait.cap.value
    return SetNumber(place.path, place.span, before, fitting(settings))


def _laps(wait: Wait, settings: Settings) -> int:
    """How many laps fit, also if each of them has to wait for its reads; 0 where that can't be told."""
    pause = wait.pause.value if wait.pause.known else 0.0
    if pause <= 0:
        return 0
    timeouts = [read.timeout.value for read in wait.reads if read.timeout.known and read.timeout.places]
    longest = settings.idle_limit.seconds * 0.99 / (pause + sum(timeouts))
    return int(min(fitting(settings) // pause, longest))


def lowered_most(wait: Wait, settings: Settings) -> Repair | None:
    """The greatest length that the model may ask for, made smaller in the schema."""
    most, target = wait.most, fitting(settings)
    if most is None or not most.known or len(most.places) != 1 or target < SHORTEST:
        return None
    place = most.places[0].place
    change = SetNumber(place.path, place.span, most.value, target)
    return Repair("let the model ask for less than the idle timeout", Applicability.UNSAFE, (change,))


def bounded(wait: Wait, settings: Settings) -> Repair | None:
    """A bound for a loop that has none: a deadline, or a number of laps where a read could outlive a deadline."""
    seconds = fitting(settings)
    if wait.kind != "loop" or seconds < SHORTEST:
        return None
    pause = wait.pause.value if wait.pause.known else 0.0
    late = [read for read in wait.reads if read.timeout.absent or (read.timeout.known and read.timeout.value > pause)]
    laps = _laps(wait, settings) if late else 0
    if late and not laps:
        return None
    change = BoundLoop(wait.place.path, wait.place.span, seconds, laps)
    return Repair("bound the wait, and return its last state", Applicability.UNSAFE, (change,))
