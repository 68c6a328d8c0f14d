"""Docstrings as frameworks take them apart: what stays the description, and what goes to the single arguments."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from waitlint.facts import Piece
from waitlint.interpret.values import TextPart, Textual

ARGUMENTS = r"args|arguments|params|parameters|keyword args|keyword arguments|other parameters|other args"
OTHERS = r"returns?|yields?|raises|examples?|notes?|warnings?|warns|attributes|see also|references|todo|usage"
HEADING = re.compile(
    rf"^[ \t]*(?:(?P<arguments>{ARGUMENTS})|(?:{OTHERS}))[ \t]*(?::[ \t]*$|\n[ \t]*-{{3,}}[ \t]*$)",
    re.IGNORECASE | re.MULTILINE,
)
FIELD = re.compile(r"^[ \t]*:(?P<kind>param|parameter|arg|argument|key|keyword|returns?|rtype|raises)\b", re.MULTILINE)
NAMED_FIELD = re.compile(
    r"^[ \t]*:(?:param|parameter|arg|argument|key|keyword)[ \t]+(?:[^:\n]*[ \t])?(?P<name>\w+):[ \t]*(?P<text>[^\n]*"
    r"(?:\n(?![ \t]*:)[ \t]*\S[^\n]*)*)",
    re.MULTILINE,
)
ENTRY = re.compile(
    r"^(?P<indent>[ \t]+)\*{0,2}(?P<name>\w+)[ \t]*(?:\([^\n]*?\))?(?P<colon>[ \t]*:)[ \t]*(?P<text>[^\n]*"
    r"(?:\n(?:[ \t]*$|(?P=indent)[ \t]+[^\n]*))*)",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a docstring with a heading: where it starts, where its body starts, and where it ends."""

    start: int
    body: int
    end: int
    of_arguments: bool


def sections(text: str) -> list[Section]:
    """The sections of a docstring in the styles of Google, numpy and Sphinx, in order."""
    marks = [(found.start(), found.end(), bool(found["arguments"])) for found in HEADING.finditer(text)]
    marks += [
        (found.start(), found.start(), not found["kind"].startswith(("r",)))
        for found in FIELD.finditer(text)
        if not any(start <= found.start() < end for start, end, _ in marks)
    ]
    marks.sort()
    ends = [*(start for start, _, _ in marks), len(text)][1:]
    return [Section(start, body, end, own) for (start, body, own), end in zip(marks, ends, strict=True)]


def kept(doc: Textual, how: str) -> Textual:
    """What of a docstring the model reads: `whole`, `main` (up to the first section), or `without-arguments`."""
    if how == "whole":
        return doc
    text = doc.known_text
    found = sections(text)
    if how == "main" and found:
        return cut(doc, 0, found[0].start)
    if how == "without-arguments":
        dropped = [section for section in found if section.of_arguments]
        if dropped:
            bounds = [0, *(edge for section in dropped for edge in (section.start, section.end)), len(text)]
            pieces = [cut(doc, start, end) for start, end in zip(bounds[::2], bounds[1::2], strict=True)]
            return Textual(tuple(part for piece in pieces for part in piece.parts), doc.place)
    return doc


def of_arguments(doc: Textual) -> dict[str, Textual]:
    """What a docstring says of each argument."""
    text = doc.known_text
    found: dict[str, Textual] = {}
    for section in sections(text):
        if section.of_arguments and section.body > section.start:
            for match in _entries(text, section):
                found.setdefault(match["name"], cut(doc, match.start("text"), match.end("text")))
    for match in NAMED_FIELD.finditer(text):
        found.setdefault(match["name"], cut(doc, match.start("text"), match.end("text")))
    return found


def _entries(text: str, section: Section) -> Iterator[re.Match[str]]:
    """The entries of a section at its own indentation; deeper lines are theirs."""
    indent: str | None = None
    for match in ENTRY.finditer(text, section.body, section.end):
        if indent is None:
            indent = match["indent"]
        if match["indent"] == indent:
            yield match


def cut(text: Textual, start: int, end: int) -> Textual:
    """The characters of a text from `start` to `end`, with their places."""
    parts: list[TextPart | None] = []
    at = 0
    for part in text.parts:
        length = 1 if part is None else len(part.piece.text)
        first, last = max(start - at, 0), min(end - at, length)
        if first < last:
            whole = part is None or (first == 0 and last == length)
            parts.append(part if part is None or whole else TextPart(part.path, _piece(part.piece, first, last)))
        at += length
    return Textual(tuple(parts), text.place)


def _piece(piece: Piece, first: int, last: int) -> Piece:
    offsets = [offset for offset, _ in piece.places]

    def source(offset: int) -> int:
        index = max(bisect_right(offsets, offset) - 1, 0)
        at, place = piece.places[index]
        return place + offset - at

    if not piece.places:
        return Piece(piece.text[first:last], ())
    inner = tuple((at - first, place) for at, place in piece.places[:-1] if first < at < last)
    return Piece(piece.text[first:last], ((0, source(first)), *inner, (last - first, source(last))))
