"""What the model gets when a wait reaches its cap."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from msgspec import Struct

from waitlint.finding import Evidence, Place
from waitlint.interpret.alternatives import inside
from waitlint.interpret.errors import SUCCESS_KEYS, is_error
from waitlint.interpret.events import LoopRun, Outcome
from waitlint.interpret.values import (
    Constant,
    Instance,
    Items,
    MethodOf,
    Outside,
    Record,
    Textual,
    Unknown,
    Value,
)
from waitlint.linked import Ending

UNFINISHED = re.compile(
    r"in[ _-]?progress|pending|running|queued|processing|waiting|still|time(?:d)?[ _-]?out|building|starting|"
    r"unfinished|working|incomplete|not (?:yet|ready|done|finished|complete)|"
    r"(?:did|has) ?n[o']t (?:yet )?(?:finish|complete|end)",
    re.IGNORECASE,
)
STILL = re.compile(
    r"\bstill\b|in[ _-]?progress|not (?:yet|ready|done|finished)\b|"
    r"\b(?:call|check|poll)\b[^.]{0,40}\b(?:again|later)\b|\buse \W?[a-z]+_\w+",
    re.IGNORECASE,
)
DONE_TEXT = re.compile(r"\b(?:success(?:ful(?:ly)?)?|succeeded|completed|finished|done)\b", re.IGNORECASE)
DENIED = re.compile(r"\bnot?\b|n't\b|\bunable\b|\bfail|\bwithout\b|\buntil\b", re.IGNORECASE)
FAILED_TEXT = re.compile(r"\bfail", re.IGNORECASE)
OUT_OF_TIME = re.compile(r"\btime|\bwithin\b|\bafter\b|\battempts\b|\bcomplete\b|\bwait", re.IGNORECASE)
IDENTIFIER = re.compile(r"(?:^|[a-z0-9_])(?:id|_id|Id|ID|uuid|Uuid|arn|Arn|ARN|token|handle)$")
PLAIN_ID = re.compile(r"id|ids|uuid|\[\]", re.IGNORECASE)
SAYS_NOTHING = frozenset({"a count of laps", "clock arithmetic", "arithmetic on what is not known"})
UNFORESEEN = "an exception"
DEPTH = 7


class Cap(Struct, frozen=True):
    """What is known of the end of one wait: `ids` are the keys of IDs of the work that come back at the cap."""

    ending: Ending
    place: Evidence | None = None
    ids: tuple[str, ...] = ()


class _Carried(Struct, frozen=True):
    """What a value tells of the work: its state, IDs, and whether there is more that can't be told."""

    state: bool
    ids: tuple[str, ...]
    unknown: bool
    unforeseen: bool


def ending_of(outcomes: Collection[Outcome], loop: LoopRun) -> Cap:
    """The ending at the cap of a loop, from how the handler ends."""
    caps: list[Cap] = []
    for outcome in outcomes:
        if outcome.tag != loop.serial:
            continue
        carried = _carried(outcome.value, loop)
        if not carried.unforeseen:
            caps.append(_cap(outcome, carried, loop))
    if not caps:
        return Cap(Ending.UNKNOWN)
    for ending in (Ending.LAST_STATE, Ending.UNKNOWN):
        found = next((cap for cap in caps if cap.ending is ending), None)
        if found is not None:
            return found
    return caps[0]


def _cap(outcome: Outcome, carried: _Carried, loop: LoopRun) -> Cap:
    texts = " ".join(part.known_text for part in inside(outcome.value, DEPTH) if isinstance(part, Textual))
    if carried.state:
        return Cap(Ending.LAST_STATE)
    ending, words = _shape(outcome, texts)
    if ending is Ending.UNKNOWN or words.search(texts):
        return Cap(Ending.LAST_STATE if words.search(texts) else Ending.UNKNOWN)
    if carried.unknown:
        return Cap(Ending.UNKNOWN)
    said = place_of(outcome.value) or outcome.place
    left = loop.left_at[0] if loop.left_at else None
    place = (said or left) if ending is Ending.LOOKS_DONE else (left or said)
    ids = () if FAILED_TEXT.search(texts) and not OUT_OF_TIME.search(texts) else carried.ids
    return Cap(ending, Evidence(place, "where it ends at the cap") if place is not None else None, ids)


def _shape(outcome: Outcome, texts: str) -> tuple[Ending, re.Pattern[str]]:
    """What a result that does not carry the state is like, and the words that would tell it all the same."""
    value = outcome.value
    if outcome.kind == "raise":
        return Ending.RAISES, STILL
    if is_error(value):
        return Ending.ERROR, STILL
    if _is_nothing(value):
        return Ending.NOTHING, UNFINISHED
    if _says_done(value) or (DONE_TEXT.search(texts) and not DENIED.search(texts)):
        return Ending.LOOKS_DONE, UNFINISHED
    return Ending.UNKNOWN, UNFINISHED


def _carried(value: Value, loop: LoopRun) -> _Carried:
    state = unknown = unforeseen = False
    ids: list[str] = []
    for part in _parts(value):
        match part:
            case Outside(path=path, serial=serial):
                key = _id_key(path) or ("id" if part in loop.handed else "")
                if loop.serial < serial <= loop.ended:
                    state = True
                elif key:
                    ids.append(key)
                else:
                    unknown = unknown or serial > loop.ended
            case Unknown(reason=reason):
                unforeseen = unforeseen or reason == UNFORESEEN
                unknown = unknown or reason not in SAYS_NOTHING
            case MethodOf(owner=owner):
                unknown = unknown or not isinstance(owner, Instance)
                state = state or (isinstance(owner, Instance) and loop.serial < owner.serial <= loop.ended)
            case Record(open=True) | Items(open=True):
                unknown = True
            case _:
                continue
    return _Carried(state, tuple(dict.fromkeys(ids)), unknown, unforeseen)


def _parts(value: Value) -> Iterator[Value]:
    """A value and all that it holds, and what an object holds of which it is an attribute."""
    for part in inside(value, DEPTH):
        yield part
        if isinstance(part, MethodOf) and isinstance(part.owner, Instance):
            yield from inside(part.owner, DEPTH)


def _id_key(path: tuple[str, ...]) -> str:
    """The key of an ID, with what it is the ID of where the key alone does not say so."""
    if not path or not IDENTIFIER.search(path[-1]):
        return ""
    if len(path) > 1 and PLAIN_ID.fullmatch(path[-1]) and not PLAIN_ID.fullmatch(path[-2]):
        return f"{path[-2]}_{path[-1]}"
    return path[-1]


def _is_nothing(value: Value) -> bool:
    match value:
        case Constant(value=None):
            return True
        case Items(items=(), open=False):
            return True
        case Record(entries=entries, open=False):
            return not entries
        case Textual():
            return value.literal == ""
        case _:
            return False


def _says_done(value: Value) -> bool:
    match value:
        case Constant(value=True):
            return True
        case Record(entries=entries):
            return any(isinstance(found := entries.get(key), Constant) and found.value is True for key in SUCCESS_KEYS)
        case _:
            return False


def place_of(value: Value) -> Place | None:
    """Where a result is written, if it is written in one place."""
    match value:
        case Record(place=place) | Textual(place=place):
            return place
        case Instance(made_at=place):
            return place
        case Constant(origin=origin):
            return origin
        case Items(items=(only,)):
            return place_of(only)
        case _:
            return None
