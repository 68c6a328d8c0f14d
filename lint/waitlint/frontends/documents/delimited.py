"""Stretches of text between delimiters, found in time that grows with the text and no faster."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple


class Stretch(NamedTuple):
    """[start, end) with its delimiters; `inner` and `inner_end` bound what stands between; `kind` counts the pairs."""

    start: int
    end: int
    inner: int
    inner_end: int
    kind: int


class Delimiters:
    """Pairs of opening and closing delimiters. Where two openings begin at one place, the first pair named counts."""

    def __init__(self, *pairs: tuple[str, str]) -> None:
        self._pairs: Sequence[tuple[str, str]] = pairs
        self._opening = re.compile("|".join(f"({re.escape(opening)})" for opening, _ in pairs))

    def find(self, text: str, start: int = 0, end: int | None = None) -> Iterator[Stretch]:
        """The stretches in order; an opening without its closing delimiter is plain text."""
        end = len(text) if end is None else end
        dead: set[int] = set()
        position = start
        while found := self._opening.search(text, position, end):
            kind = (found.lastindex or 1) - 1
            position = found.end()
            if kind in dead:
                continue
            closing = self._pairs[kind][1]
            close = text.find(closing, position, end)
            if close < 0:
                dead.add(kind)
                continue
            yield Stretch(found.start(), close + len(closing), found.end(), close, kind)
            position = close + len(closing)
