"""Loops that ask for the next piece in each lap: a pause in them spares the server, and waits for no state."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from waitlint.finding import Place
from waitlint.interpret.events import Event, LoopRun
from waitlint.project.busy import SPEAKS_OF_STATE, STATE, counts
from waitlint.project.lapping import call_in_lap, changing, names_written, set_in
from waitlint.project.sources import Sources
from waitlint.spelled import names_bound, within

# How the place in a long list is called that a request asks for, in code.
PIECE = re.compile(
    r"(?<![A-Za-z])(?:page|offset|cursor|skip|marker)s?(?![a-z])|(?<=[a-z])(?:Page|Offset|Cursor|Marker)(?![a-z])|"
    r"(?:next|page|continuation|sync)_?-?token|start_?(?:row|index|at|key|from|id|position)|(?<![A-Za-z])next_?(?:key|link|url)|"
    r"(?<![A-Za-z_])(?:row|chunk|batch)_?(?:start|index|number|num|offset)",
    re.IGNORECASE,
)
ONLY_TELLS = re.compile(r"\b(?:log|logger|logging|console|print|debug|info|warn|progress|notif|emit)", re.IGNORECASE)
DERIVED = 2


def takes_pieces(loop: LoopRun, events: Sequence[Event], sources: Sources) -> bool:
    """Whether each read of a loop asks for another piece than the one before, and none for a state of work."""
    sets = set_in(loop)
    targets = set(names_bound(loop.loop.target)) if loop.loop.target is not None else set()
    changes = changing(loop) | targets
    items = targets if loop.loop.kind == "each" and not counts(loop) else set()
    if not items and any(map(STATE.search, loop.states)):
        return False

    def asks_for_a_piece(place: Place) -> bool:
        code = sources.excerpt(place)
        mentioned = names_written(code) & changes
        words = [code]
        for _ in range(DERIVED):
            values = [value for name in mentioned for value in sets.get(name, ())]
            written = [sources.excerpt(Place(loop.place.path, value.span)) for value in values]
            words.extend(written)
            mentioned = mentioned | {name for one in written for name in names_written(one) & changes}
        return bool(mentioned) and (not items.isdisjoint(mentioned) or any(map(PIECE.search, words)))

    reads = [call_in_lap(loop, event) for event in events if event.kind == "read"]
    if reads:
        return all(map(asks_for_a_piece, reads))
    asked = list(_of_its_own(loop, loop.asked, sources))
    return any(map(asks_for_a_piece, asked)) and not any(SPEAKS_OF_STATE.search(sources.excerpt(one)) for one in asked)


def _of_its_own(loop: LoopRun, asked: Iterable[Place], sources: Sources) -> Iterable[Place]:
    """The calls that a loop writes itself, those left out that only tell how far it is."""
    for place in asked:
        is_inside = place.path == loop.place.path and within(place.span, loop.place.span)
        if is_inside and not ONLY_TELLS.search(sources.excerpt(place).partition("(")[0]):
            yield place
