"""Caps that fit: how long a wait may last below a limit, and the repairs that make it so."""

from __future__ import annotations

import re

from waitlint.context import Context, Settings
from waitlint.finding import Place
from waitlint.fix import Applicability, BoundLoop, Change, Repair, SetNumber
from waitlint.linked import Ending, Tool, Wait
from waitlint_rules.telling import can_be_rewritten, is_resumed_by_a_call, replacing

ROOM = 5 / 6
_LAPS = re.compile(r"(?P<laps>\d+) laps\Z")
_LENGTH = re.compile(r"(?P<seconds>[\d.]+) s\Z")
SHORTEST = 5.0
LONG_JOB = 300.0


def fitting(settings: Settings) -> float:
    """A cap in seconds below every limit that is known, with room for the way back."""
    limit = min(settings.idle_limit.seconds, settings.client_limit.seconds)
    seconds = limit * ROOM
    return float(int(seconds // 10 * 10 if seconds >= 20 else seconds))


def lowered(tool: Tool, wait: Wait, context: Context) -> Repair | None:
    """The number that makes a wait too long, made smaller: only where a wait that ends early loses nothing.

    That is a loop which hands its last state over, and whose work can be asked for again by its ID. What takes more
    than some minutes should not be waited for in pieces. Where others wait there, too, the cap is theirs as well.
    """
    settings = context.settings
    target = fitting(settings)
    can_go_on = bool(is_resumed_by_a_call(tool) or wait.ending_ids)
    if wait.kind != "loop" or wait.ending is not Ending.LAST_STATE or not can_go_on or target < SHORTEST:
        return None
    change = _smaller(wait, settings) if wait.cap.value < LONG_JOB else None
    if change is None or _is_theirs(change, wait, context):
        return None
    told_anew = _told_anew(tool, wait, change)
    if told_anew is None:
        return None
    return Repair("lower the cap below the idle timeout", Applicability.UNSAFE, (change, *told_anew))


def _is_theirs(change: SetNumber, wait: Wait, context: Context) -> bool:
    """Whether a number bounds the waits of code that no tool runs, and is not handed over on the tool's own way."""
    own = Place(change.path, change.span)
    calls = [call.span for call in wait.callers if call.path == own.path]
    if any(call.start <= own.span.start and own.span.end <= call.end for call in calls):
        return context.project.others_running(own) is not None
    return (context.project.others_running(own) or context.project.others_running(wait.place)) is not None


def _told_anew(tool: Tool, wait: Wait, change: SetNumber) -> tuple[Change, ...] | None:
    """The description of the argument with its new default, where it names the old one; None if that can't be done."""
    chosen = wait.chosen.name if wait.chosen is not None else ""
    text = next((one.description for one in tool.parameters if one.name == chosen and chosen), None)
    old = re.compile(rf"(?<=default )(?P<mark>[`\"(]?){change.before:g}\b|(?<=defaults to ){change.before:g}\b")
    found = list(old.finditer(text.text.value)) if text is not None else []
    if text is None or not found:
        return ()
    if not can_be_rewritten(text) or len(found) > 1:
        return None
    mark = found[0]["mark"] or ""
    return (replacing(text, found[0].start() + len(mark), found[0].end(), f"{change.after:g}"),)


def _smaller(wait: Wait, settings: Settings) -> SetNumber | None:
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


def bounded(tool: Tool, wait: Wait, context: Context) -> Repair | None:
    """A bound for a loop that has none: a deadline, or a number of laps where a read could outlive a deadline.

    None where its words say that the work takes minutes: that belongs in a job, and a bound would only cut it off. Nor
    where others wait there, too, who may have to wait longer.
    """
    settings = context.settings
    seconds = fitting(settings)
    texts = (tool.description, *tool.texts)
    is_long = any(intent.kind == "long-job" for text in texts if text is not None for intent in text.text.intents)
    if wait.kind != "loop" or seconds < SHORTEST or is_long or context.project.others_running(wait.place) is not None:
        return None
    pause = wait.pause.value if wait.pause.known else 0.0
    late = [read for read in wait.reads if read.timeout.absent or (read.timeout.known and read.timeout.value > pause)]
    laps = _laps(wait, settings) if late else 0
    if late and not laps:
        return None
    change = BoundLoop(wait.place.path, wait.place.span, seconds, laps)
    return Repair("bound the wait, and return its last state", Applicability.UNSAFE, (change,))
