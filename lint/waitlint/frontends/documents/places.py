"""Texts that were cut, folded or unescaped, each character with its place in the source."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from waitlint.facts import Expr, Piece, Span, Str

HOLE = "\ufffc"

Places = tuple[tuple[int, int], ...]


class Mapped(NamedTuple):
    """A text and the places of its characters, as in `facts.Piece`."""

    text: str
    places: Places


def closed(pairs: list[tuple[int, int]], length: int, end: int) -> Places:
    """`pairs` with the last pair (length, end) that every list of places has."""
    if not pairs or pairs[-1][0] != length:
        pairs.append((length, end))
    else:
        pairs[-1] = (length, end)
    return tuple(pairs)


def verbatim(text: str, start: int, end: int) -> Mapped:
    """The slice [start, end) of a source as it stands."""
    if start == end:
        return Mapped("", ((0, start),))
    return Mapped(text[start:end], ((0, start), (end - start, end)))


def from_offsets(chars: Sequence[str], offsets: Sequence[int], end: int) -> Mapped:
    """A text given as one character and one offset each; `end` is where its last character ends in the source."""
    pairs: list[tuple[int, int]] = []
    expected = -1
    for index, offset in enumerate(offsets):
        if offset != expected:
            pairs.append((index, offset))
        expected = offset + 1
    return Mapped("".join(chars), closed(pairs, len(offsets), end))


def source_offset(places: Places, offset: int) -> int:
    """Where the character at `offset` of a text stands in the source."""
    index = bisect_right(places, offset, key=lambda pair: pair[0]) - 1
    at, source = places[max(index, 0)]
    return source + (offset - at)


def source_end(places: Places, offset: int) -> int:
    """Where the text before `offset` ends in the source."""
    if offset >= places[-1][0]:
        return places[-1][1]
    return source_offset(places, offset)


def characters_before(places: Places, source: int) -> int:
    """How many characters of the text begin before a place in the source."""
    index = bisect_left(places, source, key=lambda pair: pair[1]) - 1
    if index < 0:
        return 0
    at, begin = places[index]
    last = places[index + 1][0] if index + 1 < len(places) else at
    return min(at + source - begin, last)


def replaced(mapped: Mapped, cuts: Iterable[tuple[int, int, str]]) -> Mapped:
    """`mapped` with each [start, end) of its text replaced; cuts are sorted and don't overlap.

    The first character of a replacement has the place of what it replaces.
    """
    text, places = mapped
    out: list[str] = []
    pairs: list[tuple[int, int]] = []
    length = position = 0

    def keep(start: int, end: int) -> None:
        nonlocal length
        if start >= end:
            return
        pairs.append((length, source_offset(places, start)))
        first = bisect_right(places, start, key=lambda pair: pair[0])
        for at, source in places[first:]:
            if at >= end:
                break
            pairs.append((length + at - start, source))
        out.append(text[start:end])
        length += end - start

    for start, end, replacement in cuts:
        keep(position, start)
        if replacement:
            pairs.append((length, source_offset(places, start)))
            out.append(replacement)
            length += len(replacement)
        position = end
    keep(position, len(text))
    if not out:
        return Mapped("", ((0, places[0][1]),))
    return Mapped("".join(out), closed(pairs, length, places[-1][1]))


def of_string(string: Str) -> Mapped:
    """A string without holes as one text."""
    out: list[str] = []
    pairs: list[tuple[int, int]] = []
    length, end = 0, string.span.start
    for piece in string.pieces:
        if isinstance(piece, Piece):
            pairs.extend((length + at, source) for at, source in piece.places[:-1])
            if len(piece.places) == 1:
                pairs.append((length, piece.places[0][1]))
            out.append(piece.text)
            length += len(piece.text)
            end = piece.places[-1][1]
        else:
            pairs.append((length, _start(piece.value)))
            out.append(HOLE)
            length += 1
            end = piece.value.span.end
    return Mapped("".join(out), closed(pairs, length, end))


def _start(value: Expr) -> int:
    return value.span.start


def string(mapped: Mapped, span: Span, style: str) -> Str:
    return Str(span, (Piece(mapped.text, mapped.places),), style)
