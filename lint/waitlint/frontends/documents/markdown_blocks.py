"""The few things of Markdown that decide what is read: code fences and code spans, front matter."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

_FENCE = re.compile(r"^[ \t>]*(?:[-*+][ \t]+|\d+[.)][ \t]+)?(`{3,}|~{3,})([^\r\n]*)", re.MULTILINE)
_TICKS = re.compile(r"`+")
_OPENING = re.compile(r"(?:[ \t]*(?:#[^\r\n]*)?\r?\n)*---[ \t]*\r?\n")
_CLOSING = re.compile(r"^(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.MULTILINE)


class FrontMatter(NamedTuple):
    """The header of a document: its lines are [start, end); `body` is where the text after it begins."""

    start: int
    end: int
    body: int


def front_matter(text: str, *, lead: bool = False) -> FrontMatter | None:
    """The front matter, if the text begins with one. With `lead`, comment lines may stand before it."""
    opening = _OPENING.match(text)
    if not opening or (not lead and not text.startswith("---")):
        return None
    closing = _CLOSING.search(text, opening.end())
    if not closing:
        return None
    return FrontMatter(opening.end(), closing.start(), closing.end())


class Code:
    """Where a document has code: fenced blocks and code spans."""

    def __init__(self, text: str, start: int = 0) -> None:
        self.fences = list(_fences(text, start))
        self.spans = list(_code_spans(text, start, self.fences))
        self._starts = sorted(self.fences + self.spans)
        self._fence_starts = [fence[0] for fence in self.fences]
        self._all_starts = [one[0] for one in self._starts]

    def holds(self, offset: int) -> bool:
        """Whether a fence or a code span holds the offset."""
        index = bisect_right(self._all_starts, offset) - 1
        return index >= 0 and offset < self._starts[index][1]

    def fenced(self, offset: int) -> bool:
        index = bisect_right(self._fence_starts, offset) - 1
        return index >= 0 and offset < self.fences[index][1]


def _fences(text: str, start: int) -> Iterator[tuple[int, int]]:
    opened: tuple[int, str] | None = None
    for found in _FENCE.finditer(text, start):
        marks, info = found.group(1), found.group(2)
        if opened is None:
            if "`" in info and marks[0] == "`":
                continue
            opened = (found.start(), marks)
        elif marks[0] == opened[1][0] and len(marks) >= len(opened[1]) and not info.strip():
            yield opened[0], found.end()
            opened = None
    if opened is not None:
        yield opened[0], len(text)


def _code_spans(text: str, start: int, fences: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Code spans outside of fences, none longer than a paragraph."""
    position = start
    for begin, end in [*fences, (len(text), len(text))]:
        runs = [(found.start(), found.end()) for found in _TICKS.finditer(text, position, begin)]
        yield from _paired(text, runs)
        position = end


def _paired(text: str, runs: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    following: dict[int, list[int]] = {}
    for index, (begin, end) in enumerate(runs):
        following.setdefault(end - begin, []).append(index)
    position = 0
    while position < len(runs):
        begin, end = runs[position]
        same = following[end - begin]
        after = bisect_right(same, position)
        if after < len(same):
            close = runs[same[after]]
            inside = text[end : close[0]]
            if "\n\n" not in inside and "\n\r\n" not in inside:
                yield begin, close[1]
                position = same[after] + 1
                continue
        position += 1
