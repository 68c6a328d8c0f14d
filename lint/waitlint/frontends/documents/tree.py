"""A data document as an expression, built without recursion and within bounds."""

from __future__ import annotations

from typing import NamedTuple

from waitlint.facts import Entry, Expr, Map, Opaque, Seq, Span, Str

MAX_DEPTH = 100
MAX_VALUES = 400_000
MAX_ALIASED = 20_000


class Problem(NamedTuple):
    """Something that kept a document from being read as it is meant, at an offset of the source."""

    offset: int
    message: str


class Tree(NamedTuple):
    """`roots` are the documents (YAML can have several), `comments` the spans of all comments with delimiters."""

    roots: tuple[Expr, ...]
    comments: tuple[Span, ...] = ()
    problems: tuple[Problem, ...] = ()


class Known(NamedTuple):
    """An anchored value; `size` counts the values in it, `height` the levels, all aliases expanded."""

    value: Expr
    size: int
    height: int


class TooMuch(Exception):
    """The document is past a bound; the message says which."""


class _Open:
    """A collection that is still being read."""

    __slots__ = ("anchor", "entries", "height", "is_map", "items", "key", "keys", "size", "start")

    def __init__(self, start: int, is_map: bool, anchor: str | None) -> None:
        self.start = start
        self.is_map = is_map
        self.anchor = anchor
        self.items: list[Expr] = []
        self.entries: list[Entry] = []
        self.key: tuple[Expr | None, int] | None = None
        self.keys: set[str] = set()
        self.size = 1
        self.height = 1


class Builder:
    """Takes the pieces of a document in order and puts them together.

    Raises TooMuch when the document is nested deeper than `MAX_DEPTH` or has more than `MAX_VALUES` values. Aliases
    that would bring in more than `MAX_ALIASED` values stay unexpanded: a few lines of them can stand for billions.
    """

    def __init__(self) -> None:
        self.roots: list[Expr] = []
        self.problems: list[Problem] = []
        self._anchors: dict[str, Known | None] = {}
        self._stack: list[_Open] = []
        self._size = 0
        self._aliased = 0

    @property
    def depth(self) -> int:
        return len(self._stack)

    @property
    def in_map(self) -> bool:
        return bool(self._stack) and self._stack[-1].is_map

    @property
    def wants_key(self) -> bool:
        return self.in_map and self._stack[-1].key is None

    def open(self, start: int, *, is_map: bool, anchor: str | None = None) -> None:
        if len(self._stack) >= MAX_DEPTH:
            raise TooMuch(f"nested deeper than {MAX_DEPTH} levels")
        self._count(1)
        if anchor is not None:
            self._anchors[anchor] = None
        self._stack.append(_Open(start, is_map, anchor))

    def close(self, end: int) -> None:
        frame = self._stack.pop()
        span = Span(frame.start, end)
        value: Expr = Map(span, tuple(frame.entries)) if frame.is_map else Seq(span, tuple(frame.items))
        if frame.anchor is not None:
            self._anchors[frame.anchor] = Known(value, frame.size, frame.height)
        self._attach(value, span, frame.size, frame.height)

    def close_all(self, end: int) -> None:
        """Close what a broken document left open, so that the part before the break is kept."""
        while self._stack:
            self._stack[-1].key = None
            self.close(end)

    def key(self, key: Expr | None, span: Span) -> None:
        """The key of the next value; None where that value is spread into the map."""
        frame = self._stack[-1]
        if isinstance(key, Str) and (name := key.literal) is not None:
            if name in frame.keys:
                shown = name if len(name) <= 60 else name[:59] + "…"
                self.problems.append(Problem(span.start, f"duplicate key “{shown}”"))
            frame.keys.add(name)
        frame.key = (key, span.start)

    def value(self, value: Expr, anchor: str | None = None) -> None:
        self._count(1)
        if anchor is not None:
            self._anchors[anchor] = Known(value, 1, 0)
        self._attach(value, value.span, 1, 0)

    def alias(self, name: str, span: Span) -> None:
        """The anchored value again, as long as the document stays within bounds."""
        known = self._anchors.get(name)
        if known is None:
            why = "refers to itself" if name in self._anchors else "has no anchor"
        elif self._aliased + known.size > MAX_ALIASED or len(self._stack) + known.height > MAX_DEPTH:
            why = "expands to too much"
        else:
            self._aliased += known.size
            self._count(known.size)
            self._attach(known.value, span, known.size, known.height)
            return
        self.problems.append(Problem(span.start, f"alias “*{name}” {why}"))
        self._attach(Opaque(span), span, 1, 0)

    def _count(self, values: int) -> None:
        self._size += values
        if self._size > MAX_VALUES:
            raise TooMuch(f"more than {MAX_VALUES:,} values")

    def _attach(self, value: Expr, span: Span, size: int, height: int) -> None:
        """Put a value where it belongs; `span` is where it is written here, which an aliased value's own is not."""
        if not self._stack:
            self.roots.append(value)
            return
        frame = self._stack[-1]
        frame.size += size
        frame.height = max(frame.height, height + 1)
        if not frame.is_map:
            frame.items.append(value)
        elif frame.key is None:
            frame.key = (value, span.start)
        else:
            key, start = frame.key
            frame.entries.append(Entry(key, value, Span(start, max(span.end, start))))
            frame.key = None
