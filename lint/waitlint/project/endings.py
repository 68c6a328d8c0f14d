"""What the model gets when a wait reaches its cap."""

from __future__ import annotations

from collections.abc import Iterable

from waitlint.finding import Evidence
from waitlint.interpret.alternatives import inside
from waitlint.interpret.events import Outcome
from waitlint.interpret.values import Constant, External, Instance, Items, Outside, Record, Textual, Unknown, Value
from waitlint.linked import Ending

UNFINISHED = (
    "progress",
    "pending",
    "running",
    "queued",
    "processing",
    "waiting",
    "still",
    "timeout",
    "timed",
    "not yet",
    "building",
    "starting",
    "unfinished",
    "working",
)
ERROR_KEYS = ("error", "isError", "is_error")
ID_ENDINGS = ("id", "_id", "Id", "ID")


def ending_of(outcomes: Iterable[Outcome], serial: int) -> tuple[Ending, Evidence | None]:
    """The ending at the cap of the wait with this serial, from how the handler ends."""
    endings: list[tuple[Ending, Evidence | None]] = []
    for outcome in outcomes:
        if outcome.tag != serial:
            continue
        if outcome.kind == "raise":
            place = outcome.place
            has_state = any(isinstance(part, Outside) for part in inside(outcome.value))
            kind = Ending.LAST_STATE if has_state else Ending.RAISES
            endings.append((kind, Evidence(place, "raises at the cap") if place is not None else None))
        else:
            endings.append((_of_value(outcome.value), None))
    if not endings:
        return Ending.UNKNOWN, None
    kinds = {ending for ending, _ in endings}
    if len(kinds) == 1:
        return endings[0]
    for worst in (Ending.RAISES, Ending.ERROR, Ending.LOOKS_DONE, Ending.NOTHING):
        if worst in kinds and kinds <= {worst, Ending.UNKNOWN}:
            return Ending.UNKNOWN, None
    return (Ending.LAST_STATE, None) if Ending.LAST_STATE in kinds else (Ending.UNKNOWN, None)


def _of_value(value: Value) -> Ending:
    parts = list(inside(value))
    if any(isinstance(part, Outside) for part in parts):
        return Ending.LAST_STATE
    if isinstance(value, Constant):
        if value.value is None:
            return Ending.NOTHING
        return Ending.LOOKS_DONE if value.value is True else Ending.UNKNOWN
    texts = [part.known_text.lower() for part in parts if isinstance(part, Textual)]
    if any(word in text for text in texts for word in UNFINISHED):
        return Ending.LAST_STATE
    if isinstance(value, Record) and any(key in value.entries for key in ERROR_KEYS):
        return Ending.ERROR
    if isinstance(value, Items) and not value.items and not value.open:
        return Ending.NOTHING
    if isinstance(value, Instance | External | Unknown):
        return Ending.UNKNOWN
    return Ending.UNKNOWN
