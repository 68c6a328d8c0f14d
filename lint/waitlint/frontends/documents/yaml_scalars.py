"""YAML scalars, character by character: which place in the source each character of the value comes from.

PyYAML gives the value of a scalar and where it begins and ends. The rules by which lines are folded, indentation is
dropped and escapes are resolved are gone through once more here, on the raw text; the caller compares the outcome with
PyYAML's value.
"""

from __future__ import annotations

import re

from waitlint.frontends.documents.places import Mapped, from_offsets

_BREAKS = "\r\n\x85\u2028\u2029"
_BREAK = re.compile(f"[{_BREAKS}]")
_BLANK = re.compile(f"[ \t{_BREAKS}]")
_BLANK_OR_QUOTE = re.compile(f"[ \t'{_BREAKS}]")
_BLANK_OR_SLASH = re.compile(rf"[ \t\\{_BREAKS}]")
_ESCAPES = {
    "0": "\0",
    "a": "\x07",
    "b": "\x08",
    "t": "\t",
    "\t": "\t",
    "n": "\n",
    "v": "\x0b",
    "f": "\x0c",
    "r": "\r",
    "e": "\x1b",
    " ": " ",
    '"': '"',
    "\\": "\\",
    "/": "/",
    "N": "\x85",
    "_": "\xa0",
    "L": "\u2028",
    "P": "\u2029",
}
_CODES = {"x": 2, "u": 4, "U": 8}


class _Walk:
    """A position in the raw text of one scalar, and the value read so far."""

    def __init__(self, text: str, position: int, end: int) -> None:
        self.text = text
        self.position = position
        self.end = end
        self.chars: list[str] = []
        self.offsets: list[int] = []

    def peek(self) -> str:
        return self.text[self.position] if self.position < self.end else ""

    def put(self, char: str, offset: int) -> None:
        self.chars.append(char)
        self.offsets.append(offset)

    def take(self, stop: re.Pattern[str]) -> None:
        """Take characters as they are up to where `stop` is found; at least one."""
        found = stop.search(self.text, self.position + 1, self.end)
        until = found.start() if found else self.end
        self.chars.extend(self.text[self.position : until])
        self.offsets.extend(range(self.position, until))
        self.position = until

    def line_break(self) -> tuple[str, int]:
        """Go over one line break; gives the character that stands for it and its offset."""
        start = self.position
        char = self.text[start]
        if char == "\r" and self.text[start + 1 : start + 2] == "\n":
            self.position += 2
        else:
            self.position += 1
        return (char if char in "\u2028\u2029" else "\n"), start

    def is_break(self) -> bool:
        char = self.peek()
        return bool(char) and char in _BREAKS

    def skip(self, blank: str) -> None:
        while (char := self.peek()) and char in blank:
            self.position += 1

    def empty_lines(self) -> list[tuple[str, int]]:
        """Go over blank lines and the indentation of the next."""
        breaks: list[tuple[str, int]] = []
        while True:
            self.skip(" \t")
            if not self.is_break():
                return breaks
            breaks.append(self.line_break())

    def fold(self) -> None:
        """Blanks inside a line stay; blanks around a line break become a space, or the empty lines that follow."""
        start = self.position
        self.skip(" \t")
        if not self.is_break():
            for offset in range(start, self.position):
                self.put(self.text[offset], offset)
            return
        char, at = self.line_break()
        breaks = self.empty_lines()
        if char != "\n":
            self.put(char, at)
        elif not breaks:
            self.put(" ", at)
        for item in breaks:
            self.put(*item)

    def mapped(self, end: int) -> Mapped:
        return from_offsets(self.chars, self.offsets, end)


def plain(text: str, start: int, end: int) -> Mapped:
    walk = _Walk(text, start, end)
    while walk.position < end:
        if walk.peek() in " \t" or walk.is_break():
            walk.fold()
        else:
            walk.take(_BLANK)
    return walk.mapped(end)


def single_quoted(text: str, start: int, end: int) -> Mapped:
    walk = _Walk(text, start + 1, end - 1)
    while walk.position < walk.end:
        char = walk.peek()
        if char in " \t" or walk.is_break():
            walk.fold()
        elif char == "'":
            walk.put("'", walk.position)
            walk.position += 2
        else:
            walk.take(_BLANK_OR_QUOTE)
    return walk.mapped(end - 1)


def double_quoted(text: str, start: int, end: int) -> Mapped:
    walk = _Walk(text, start + 1, end - 1)
    while walk.position < walk.end:
        char = walk.peek()
        if char in " \t" or walk.is_break():
            walk.fold()
        elif char == "\\":
            _escape(walk)
        else:
            walk.take(_BLANK_OR_SLASH)
    return walk.mapped(end - 1)


def _escape(walk: _Walk) -> None:
    start = walk.position
    walk.position += 1
    char = walk.peek()
    if walk.is_break():
        walk.line_break()
        for item in walk.empty_lines():
            walk.put(*item)
    elif char in _CODES:
        digits = walk.text[start + 2 : start + 2 + _CODES[char]]
        walk.put(_char(digits), start)
        walk.position = start + 2 + len(digits)
    else:
        walk.put(_ESCAPES.get(char, char), start)
        walk.position += 1


def _char(digits: str) -> str:
    try:
        return chr(int(digits, 16))
    except (ValueError, OverflowError):
        return "\ufffd"


def block(text: str, start: int, end: int, value: str) -> Mapped:
    """A literal or folded scalar that begins with its indicator at `start`.

    `value` tells apart what its own lines leave open: the indentation where the header gives it relative to a parent,
    and whether the very last line break belongs to it.
    """
    line_end = start
    while line_end < end and text[line_end] not in _BREAKS:
        line_end += 1
    header = text[start + 1 : line_end].split("#")[0]
    widths = [_first_indent(text, line_end, end)]
    if any(char.isdigit() for char in header):
        widths = list(range(widths[0], -1, -1))
    mapped = Mapped("", ((0, start),))
    for width in widths:
        mapped = _block(text, line_end, end, width, folded=text[start] == ">", header=header)
        if mapped.text == value:
            break
        if mapped.text == value + "\n":
            return _without_last(mapped)
    return mapped


def _without_last(mapped: Mapped) -> Mapped:
    length = len(mapped.text) - 1
    pairs = [pair for pair in mapped.places[:-1] if pair[0] < length]
    last_at, last_source = pairs[-1] if pairs else (0, mapped.places[0][1])
    return Mapped(mapped.text[:length], (*pairs, (length, last_source + length - last_at)))


def _first_indent(text: str, position: int, end: int) -> int:
    """The indentation of the first line that is not empty; the widest of the empty ones where all are."""
    widest = 0
    while position < end:
        walk = _Walk(text, position, end)
        if walk.is_break():
            walk.line_break()
        begin = walk.position
        walk.skip(" ")
        width = walk.position - begin
        if walk.peek() and not walk.is_break():
            return width
        widest = max(widest, width)
        if walk.position == position:
            break
        position = walk.position
    return widest


def _block(text: str, position: int, end: int, width: int, *, folded: bool, header: str) -> Mapped:
    walk = _Walk(text, position, end)
    if walk.is_break():
        walk.line_break()
    breaks = _block_breaks(walk, width)
    last: tuple[str, int] | None = None
    while _column(walk) == width and walk.position < end:
        for item in breaks:
            walk.put(*item)
        lead = walk.peek() not in " \t"
        if not walk.is_break():
            walk.take(_BREAK)
        if walk.position >= end:
            last, breaks = None, []
            break
        last = walk.line_break()
        breaks = _block_breaks(walk, width)
        if _column(walk) != width or walk.position >= end:
            break
        if folded and last[0] == "\n" and lead and walk.peek() not in " \t":
            if not breaks:
                walk.put(" ", last[1])
        else:
            walk.put(*last)
    if "-" not in header and last is not None:
        walk.put(*last)
    if "+" in header:
        for item in breaks:
            walk.put(*item)
    finish = walk.offsets[-1] + 1 if walk.offsets else position
    return walk.mapped(finish)


def _column(walk: _Walk) -> int:
    start = walk.position
    while start > 0 and walk.text[start - 1] not in _BREAKS:
        start -= 1
    return walk.position - start


def _block_breaks(walk: _Walk, width: int) -> list[tuple[str, int]]:
    """Go over blank lines and at most `width` spaces of the next line."""
    breaks: list[tuple[str, int]] = []
    while True:
        taken = 0
        while taken < width and walk.peek() == " ":
            walk.position += 1
            taken += 1
        if not walk.is_break():
            return breaks
        breaks.append(walk.line_break())
