"""From the strings of the interpreter to texts, every known character mapped to its place."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from msgspec.structs import replace

from waitlint import prose
from waitlint.facts import Intent, Span, Text
from waitlint.interpret.values import Textual
from waitlint.linked import ToolText

HOLE = "\ufffc"
KEPT = 2048
# Helpers that all tools of a server share say the same to each of them.
_has_cue = lru_cache(KEPT)(prose.has_cue)


@lru_cache(KEPT)
def _intents_of(value: str, role: str) -> tuple[Intent, ...]:
    return prose.read(value, role)


def tool_text(textual: Textual, role: str, surface: str, owner: str = "", key: str = "") -> ToolText | None:
    """A string as a text that a model reads, every known character mapped to its place. None if nothing is known."""
    value = ""
    places: list[tuple[int, int]] = []
    paths: list[tuple[int, str]] = []
    ends: list[int] = []
    for part in textual.parts:
        if part is None:
            value += HOLE
            continue
        if not paths or paths[-1][1] != part.path:
            paths.append((len(value), part.path))
        places.extend((len(value) + at, source) for at, source in part.piece.places[:-1] or part.piece.places)
        ends.append(part.piece.places[-1][1] if part.piece.places else 0)
        value += part.piece.text
    if not paths:
        return None
    path = paths[0][1]
    span = textual.place.span if textual.place is not None and textual.place.path == path else None
    span = span or Span(places[0][1] if places else 0, ends[-1])
    text = Text(role, value, tuple(places), span, complete=None not in textual.parts, key=key)
    if _has_cue(value):
        text = replace(text, intents=_intents_of(value, role))
    written = textual.place.span if textual.place is not None else None
    inside_one = written is not None and all(
        part is not None and part.path == path and written.start <= part.piece.places[0][1] <= written.end
        for part in textual.parts
    )
    return ToolText(path, surface, text, owner, tuple(paths[1:]), built=not inside_one)


def said_by(said: tuple[Textual, ...], surface: str, owner: str) -> tuple[ToolText, ...]:
    """The strings that a tool hands back, as far as they say anything about waiting."""
    found: list[ToolText] = []
    for textual in said:
        if _has_cue(textual.known_text):
            text = tool_text(textual, "tool-result", surface, owner)
            if text is not None and text.text.intents:
                found.append(text)
    return tuple(found)


Start = tuple[str, int]


def starts(textual: Textual) -> frozenset[Start]:
    """Where the literal pieces of a string begin, those without words left out."""
    return frozenset(
        (part.path, part.piece.places[0][1])
        for part in textual.parts
        if part is not None and part.piece.places and part.piece.text.strip()
    )


def starts_of(text: ToolText) -> Iterator[Start]:
    """Where the pieces of a text begin, or go on after an escape."""
    path, further = text.path, list(text.paths)
    for offset, source in text.text.places:
        while further and further[0][0] <= offset:
            path = further.pop(0)[1]
        yield path, source
