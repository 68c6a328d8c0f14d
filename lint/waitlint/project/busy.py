"""Loops that ask for the same state again and again without a pause."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from waitlint.facts import Call, Name
from waitlint.finding import Place
from waitlint.interpret.events import Event, LoopRun
from waitlint.project.lapping import call_in_lap, changing, names_written
from waitlint.project.sources import Sources

STATE = re.compile(
    r"(?:^|[^a-z])(?:in[ _-]?progress|pending|running|queued|processing|building|starting|waiting|scheduled|submitted|"
    r"provisioning|creating|done|finished|complete[d]?|succe(?:ss|eded)|fail(?:ed|ure)|error(?:ed)?|cancell?ed|ready|"
    r"aborted|expired|timed[ _-]?out)(?:$|[^a-z])",
    re.IGNORECASE,
)
MAY_PAUSE = re.compile(
    r"sleep|(?<!a)wait|pause|delay|back_?off|throttl|tick|limit|recv|receive|listen|stream|poll|next|block|timeout",
    re.IGNORECASE,
)
MAY_BE_HELD = re.compile(r"(?<!a)wait|long_?poll|block|watch", re.IGNORECASE)
SPEAKS_OF_STATE = re.compile(r"(?<![A-Za-z])(?:status|state|phase)(?![A-Za-z])|(?<=[a-z])(?:Status|State)\b")
TAKES_A_PIECE = re.compile(r"(?:recv|read|readline|receive|next|getReader|iter)\w*$", re.IGNORECASE)


def is_busy(loop: LoopRun, events: Sequence[Event], sources: Sources) -> bool:
    """Whether a loop repeats one read until a state comes, and nothing in it is known to pause or may do so."""
    if _only_looks(loop, events):
        return True
    own = [event for event in events if event.kind == "read" and event.loops[-1] == loop.serial]
    if not own or not loop.laps_again or not loop.tests_outside or not _asks_for_a_state(loop, sources):
        return False
    if any(event.kind in ("sleep", "block") or event.scopes != loop.scopes for event in events):
        return False
    if loop.loop.kind == "each" and not counts(loop):
        return False
    if _may_pause([event.place for event in own], loop.asked, sources):
        return False
    changes = changing(loop)
    return all(not changes & names_written(sources.excerpt(call_in_lap(loop, event))) for event in own)


def asks_again(event: Event, loops: Iterable[LoopRun]) -> bool:
    """Whether a loop around a read goes on by what comes from outside.

    To retry what failed asks for nothing new, and neither does to take one answer piece by piece.
    """
    if TAKES_A_PIECE.search(event.label):
        return False
    around = (loop for loop in loops if loop.serial in event.loops)
    return any(loop.laps_again and loop.asks_state and (loop.loop.kind != "each" or counts(loop)) for loop in around)


def _asks_for_a_state(loop: LoopRun, sources: Sources) -> bool:
    if any(map(STATE.search, loop.states)):
        return True
    return bool(loop.states) and SPEAKS_OF_STATE.search(sources.excerpt(loop.place)) is not None


def _only_looks(loop: LoopRun, events: Sequence[Event]) -> bool:
    """Whether all that a lap does is to ask at once how a command of this machine does."""
    looks = {event.place for event in events if event.kind == "look" and event.loops[-1] == loop.serial}
    only = looks and all(event.kind == "look" for event in events) and loop.asked <= looks
    return bool(only) and loop.laps_again and loop.tests_outside and loop.loop.kind != "each"


def _may_pause(reads: Sequence[Place], asked: Iterable[Place], sources: Sources) -> bool:
    """Whether a read may be held back until something changes, or another call may pause."""
    written = [sources.excerpt(place) for place in reads]
    if any(MAY_BE_HELD.search(text) for text in written):
        return True
    for place in asked:
        text = sources.excerpt(place)
        for read in written:
            text = text.replace(read, "")
        if MAY_PAUSE.search(text):
            return True
    return False


def counts(loop: LoopRun) -> bool:
    """Whether a loop over items only counts its laps."""
    iterable = loop.loop.iterable
    return isinstance(iterable, Call) and isinstance(iterable.func, Name) and iterable.func.name == "range"
