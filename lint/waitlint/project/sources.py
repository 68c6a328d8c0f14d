"""The sources behind the facts, for excerpts and line numbers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from waitlint.finding import Place
from waitlint.source import Source, Unreadable

ReadSource = Callable[[str], Source]
LONGEST_CODE = 60
_BETWEEN_LINES = re.compile(r"(?<!\\)\\n\"?,?\s*\"?")


def _unquoted(text: str) -> str:
    """Code as it stands in a notebook, without what JSON makes of its lines and quotation marks."""
    return _BETWEEN_LINES.sub(" ", text).replace('\\"', '"').replace("\\\\", "\\")


class Sources:
    """Sources by path, read when they are first asked for.

    `asked_for` is the file in whose name they are; `crossed` are those that were asked for in that of another one.
    """

    def __init__(self, read: ReadSource) -> None:
        self._read = read
        self._known: dict[str, Source | None] = {}
        self.asked_for = ""
        self.crossed: set[str] = set()
        self._followed: set[str] | None = None
        self._elsewhere: dict[str, None] = {}

    @contextmanager
    def followed(self) -> Iterator[set[str]]:
        """The paths of all sources that are asked for meanwhile, also those that are known."""
        before, self._followed = self._followed, set()
        try:
            yield self._followed
        finally:
            if before is not None:
                before |= self._followed
            self._followed = before

    @property
    def asked(self) -> list[str]:
        """The paths of all sources that were asked for, whether or not they are there."""
        return list({**self._known, **self._elsewhere})

    def count(self, paths: Iterable[str]) -> None:
        """Some sources were asked for elsewhere, and count as asked for."""
        self._elsewhere.update(dict.fromkeys(paths))

    def get(self, path: str) -> Source | None:
        if path != self.asked_for:
            self.crossed.add(path)
        if self._followed is not None:
            self._followed.add(path)
        if path not in self._known:
            try:
                self._known[path] = self._read(path)
            except (Unreadable, OSError):
                self._known[path] = None
        return self._known[path]

    def excerpt(self, place: Place) -> str:
        """The text at a place."""
        source = self.get(place.path)
        return source.text[place.span.start : place.span.end] if source is not None else ""

    def code(self, place: Place) -> str:
        """The text at a place on one line, cut where it is long."""
        text = self.excerpt(place)
        flat = " ".join((_unquoted(text) if place.path.endswith(".ipynb") else text).split())
        return flat if len(flat) <= LONGEST_CODE else flat[: LONGEST_CODE - 1] + "…"

    def where(self, place: Place) -> str:
        """`file:line` of a place."""
        source = self.get(place.path)
        line = source.position(place.span.start)[0] if source is not None else 0
        return f"{place.path.rpartition('/')[2]}:{line}"
