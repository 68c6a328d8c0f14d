"""Repairs that bring a stop signal to where it is needed: into the handler, through helpers, to reads and pauses."""

from __future__ import annotations

from collections.abc import Iterable

from waitlint.finding import Place
from waitlint.fix import AddSignal, Applicability, BoundByDeadline, Change, HandOn, Repair, TakeSignal
from waitlint.linked import Ending, Reach, Read, Sleep, Tool, Wait
from waitlint_rules.wording import is_python

NEW = "signal"
TITLE = "hand the stop signal on"


def handed_on(call: Read | Sleep) -> Repair | None:
    """The signal that is at hand, handed down to a read or pause that it misses."""
    if is_python(call.place.path):
        return _event_handed_on(call)
    if not _can_be_stopped(call) or not call.signal_name or call.missed_at is None:
        return None
    level = call.callers.index(call.missed_at) if call.missed_at in call.callers else len(call.callers)
    changes = _down(call, level, call.signal_name)
    return Repair(TITLE, Applicability.UNSAFE, tuple(changes)) if changes else None


def _can_be_stopped(call: Read | Sleep) -> bool:
    """Whether a call takes a signal, or is a promise around a timer, in whose place one that takes it can stand."""
    return call.takes_signal or (isinstance(call, Sleep) and call.excerpt.startswith("new Promise"))


def taken(tool: Tool, calls: Iterable[Read | Sleep]) -> Repair | None:
    """The signal that the framework offers, taken by the handler and handed down to all that can be stopped with it."""
    if tool.handler is None or tool.stop_at is None or is_python(tool.handler.path):
        return None
    first: dict[Place, HandOn] = {}
    changes: list[Change] = []
    optional = tool.stop_at[1] == "abortSignal"
    for call in calls:
        if not _can_be_stopped(call) or len(call.through) != len(call.callers):
            return None
        way = _down(call, 0, "", optional=optional)
        if not way or not isinstance(way[0], HandOn) or way[0].path != tool.handler.path:
            return None
        first.setdefault(Place(way[0].path, way[0].span), way[0])
        changes.extend(way[1:])
    if not first:
        return None
    keys = tuple(tool.stop_at[1].split("."))
    head = TakeSignal(tool.handler.path, tool.handler.span, tool.stop_at[0], keys, tuple(first.values()))
    return Repair("take the stop signal", Applicability.UNSAFE, (head, *dict.fromkeys(changes)))


def _down(call: Read | Sleep, level: int, name: str, *, optional: bool = True) -> list[Change]:
    """The changes that hand a signal from one level of calls down to a call; empty where the way is not in view."""
    if len(call.through) != len(call.callers):
        return []
    changes: list[Change] = []
    bound = not name
    for place, way in zip(call.callers[level:], call.through[level:], strict=True):
        position = way.signal if way.signal >= 0 else way.parameters
        changes.append(HandOn(place.path, place.span, name, "", position, optional, bound))
        if way.signal < 0:
            changes.append(AddSignal(way.place.path, way.place.span))
        if way.name.startswith("$"):
            return []
        name, optional, bound = way.name or NEW, True, True
    changes.append(HandOn(call.place.path, call.place.span, name, call.api, -1, optional, bound))
    return changes


def until_deadline(read: Read, wait: Wait) -> BoundByDeadline | None:
    """A read that ends with the deadline of its wait, by the call in the loop that makes it or leads to it."""
    depth = len(wait.callers)
    at_hand = read.signal_name if read.stop is Reach.MISSES and read.signal is not None else ""
    seconds = wait.cap.value if wait.cap.known else 0.0
    if not is_python(wait.place.path) and wait.ending is not Ending.LAST_STATE:
        return None
    if read.place.path == wait.place.path and read.callers == wait.callers:
        return BoundByDeadline(
            read.place.path, read.place.span, read.api, wait.place.span, signal=at_hand, seconds=seconds
        )
    if is_python(wait.place.path) or len(read.through) != len(read.callers) or len(read.callers) <= depth:
        return None
    call, ways = read.callers[depth], read.through[depth:]
    if read.callers[:depth] != wait.callers or call.path != wait.place.path or not read.takes_signal:
        return None
    if any(way.signal < 0 for way in ways):
        return None
    return BoundByDeadline(call.path, call.span, "", wait.place.span, ways[0].signal, at_hand, seconds)


def _event_handed_on(call: Read | Sleep) -> Repair | None:
    """A pause that the author's own stop event ends: a blocking read knows no event."""
    if not isinstance(call, Sleep) or not call.signal_name or call.missed_at is None:
        return None
    if call.missed_at == call.place:
        change = HandOn(call.place.path, call.place.span, call.signal_name, call.api)
    else:
        level = call.callers.index(call.missed_at) if call.missed_at in call.callers else -1
        if level < 0 or len(call.through) != len(call.callers) or call.through[level].signal < 0:
            return None
        change = HandOn(call.missed_at.path, call.missed_at.span, call.signal_name, "", call.through[level].signal)
    return Repair("end the pause with the stop", Applicability.UNSAFE, (change,))
