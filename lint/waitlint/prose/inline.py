"""A block's lines as one plain string: joined, emphasis and links taken away, every character traceable to the text."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_SPECIAL = re.compile(r"[*_`~\[\]<!\\]")
_TAG = re.compile(r"</?([A-Za-z][\w:-]{0,60})(?:[ \t][^<>\n]{0,200})?/?>|<!--|-->")
_BREAK_TAG = re.compile(r"<(?:br|hr|/p|/li|/td|/div)[ \t]{0,4}/?>", re.IGNORECASE)
_HTML = frozenset(
    ["a", "abbr", "b", "blockquote", "br", "code", "details", "div", "em", "figure", "h1", "h2", "h3", "h4", "h5", "h6",
     "hr", "i", "img", "ins", "kbd", "li", "mark", "ol", "p", "pre", "s", "small", "span", "strong", "sub", "summary",
     "sup", "table", "tbody", "td", "th", "thead", "tr", "u", "ul", "center", "del", "font", "picture", "source",
     "video"]
)  # fmt: skip
# "!{bash sleep 30}": a command that the host of a prompt runs, or that the model is to run.
_RUN = re.compile(r"!\{(?:bash|sh|shell) ")
_TICKS = re.compile(r"`{1,40}")
LONGEST_WRAP = 52
# What is longer than this between two backticks of two lines is no code that was wrapped.
LONGEST_CODE = 120


@dataclass(slots=True)
class Flat:
    """`places[i]` is where character i of `text` stands in the source text; `code` are spans that stood in backticks.

    A newline in `text` is a break that ends a sentence.
    """

    text: str
    places: list[int]
    code: list[tuple[int, int]] = field(default_factory=list)


class _Flattener:
    def __init__(self, text: str) -> None:
        self.source = text
        self.parts: list[str] = []
        self.places: list[int] = []
        self.code: list[tuple[int, int]] = []
        self.size = 0

    def copy(self, start: int, end: int) -> None:
        if start < end:
            self.parts.append(self.source[start:end])
            self.places.extend(range(start, end))
            self.size += end - start

    def put(self, char: str, place: int) -> None:
        self.parts.append(char)
        self.places.append(place)
        self.size += 1

    def segment(self, start: int, end: int, ticks: dict[int, list[int]]) -> None:
        """Copy one line, or as much of it as stands before `end`."""
        source = self.source
        position = start
        while True:
            special = _SPECIAL.search(source, position, end)
            if special is None:
                self.copy(position, end)
                return
            at = special.start()
            self.copy(position, at)
            char = source[at]
            position = at + 1
            before = source[at - 1] if at > start else " "
            after = source[position] if position < end else " "
            if char == "`":
                position = self.code_span(at, end, ticks)
            elif char == "*":
                if before == " " and after == " ":
                    self.put(char, at)
            elif char == "_":
                inside = (before.isalnum() or before == "_") and (after.isalnum() or after in "_*")
                leading = not before.isalnum() and after.isalnum() and source.find("_", position, at + 80) < 0
                if inside or leading:
                    self.put(char, at)
            elif char == "~":
                if after == "~" or before == "~":
                    continue
                self.put(char, at)
            elif char == "]":
                if after == "(":
                    close = source.find(")", position, min(end, position + 500))
                    if close >= 0:
                        position = close + 1
                        continue
                self.put(char, at)
            elif char == "[":
                close = source.find("](", position, min(end, position + 300))
                if close < 0:
                    self.put(char, at)
            elif char == "!":
                run = _RUN.match(source, at, end)
                if run is not None:
                    position = self.command(run.end(), end)
                elif after != "[":
                    self.put(char, at)
            elif char == "\\":
                if after == "n":
                    self.put("\n", at)
                    position += 1
                elif after.isalnum() or after == " ":
                    self.put(char, at)
            elif char == "<":
                tag = _TAG.match(source, at, end)
                if tag is None or (tag[1] is not None and tag[1].lower() not in _HTML):
                    self.put(char, at)
                elif _BREAK_TAG.match(source, at, end):
                    self.put("\n", at)
                    position = tag.end()
                else:
                    position = tag.end()

    def open_code(self, at: int, end: int) -> None:
        """Copy the first part of a code span, which the next line ends."""
        begin = self.size
        self.copy(at + 1, end)
        self.code.append((begin, self.size))

    def close_code(self, start: int, end: int) -> int:
        """Copy the second part of a code span; gives back the place behind it."""
        close = _single_ticks(self.source, start, end)[0]
        self.copy(start, close)
        self.code[-1] = (self.code[-1][0], self.size)
        return close + 1

    def command(self, start: int, end: int) -> int:
        """Copy a command that stands in braces, as if it stood in backticks."""
        depth, close = 1, start
        while close < end:
            depth += (self.source[close] == "{") - (self.source[close] == "}")
            if not depth:
                break
            close += 1
        begin = self.size
        self.copy(start, close)
        if self.size > begin:
            self.code.append((begin, self.size))
        return min(close + 1, end)

    def code_span(self, at: int, end: int, ticks: dict[int, list[int]]) -> int:
        mark = _TICKS.match(self.source, at, end)
        assert mark is not None
        width = mark.end() - at
        places = ticks.get(width, [])
        while places and places[-1] <= at:
            places.pop()
        if not places or places[-1] >= end:
            return mark.end()
        close = places.pop()
        begin = self.size
        self.copy(mark.end(), close)
        if self.size > begin:
            self.code.append((begin, self.size))
        return close + width


def flatten(text: str, lines: list[tuple[int, int]], *, led: int = 0) -> Flat:
    """Join the lines of a block into plain text.

    A line that ends early and is followed by a capital begins a new sentence; all other line ends are blanks, and so
    is the one before line `led`, which the lines above it lead in.
    """
    worker = _Flattener(text)
    opened: int | None = None
    for number, (start, end) in enumerate(lines):
        if number:
            breaks = opened is None and number != led and _ends_a_sentence(text, lines[number - 1], start)
            worker.put("\n" if breaks else " ", lines[number - 1][1])
        if opened is not None:
            start = worker.close_code(start, end)
        ticks: dict[int, list[int]] = {}
        if "`" in text[start:end]:
            for mark in _TICKS.finditer(text, start, end):
                ticks.setdefault(mark.end() - mark.start(), []).append(mark.start())
            for places in ticks.values():
                places.reverse()
        opened = wrapped_code(text, (start, end), lines[number + 1]) if number + 1 < len(lines) else None
        worker.segment(start, end if opened is None else opened, ticks)
        if opened is not None:
            worker.open_code(opened, end)
    return Flat("".join(worker.parts), worker.places, worker.code)


def _ends_a_sentence(text: str, line: tuple[int, int], following: int) -> bool:
    """Whether a line ends its sentence, by how it ends and by how the one at `following` begins."""
    start, end = line
    hard = text[end - 2 : end] == "  " or text[end - 1 : end] == "\\"
    first = text[following : following + 6].lstrip("*_")[:1]
    bold = text.startswith("**", following)
    fresh = bold or first.isupper() or (not first.isalnum() and first not in "`*_\"'([<{$\\&,.;:)")
    return hard or (fresh and (bold or end - start < LONGEST_WRAP))


def wrapped_code(text: str, line: tuple[int, int], following: tuple[int, int]) -> int | None:
    """The backtick of a line that opens code which goes on, and ends, on the following line; None if none does."""
    opening, closing = _single_ticks(text, *line), _single_ticks(text, *following)
    if len(opening) % 2 == 0 or len(closing) % 2 == 0 or closing[0] - opening[-1] >= LONGEST_CODE:
        return None
    return opening[-1]


def _single_ticks(text: str, start: int, end: int) -> list[int]:
    if text.find("`", start, end) < 0:
        return []
    return [mark.start() for mark in _TICKS.finditer(text, start, end) if mark.end() - mark.start() == 1]
