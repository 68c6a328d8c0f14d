"""Broken files: one bracket left open must not cost more than the function that it stands in.

The grammar recovers, but often by taking all that follows for one error. So a broken file is parsed again in parts,
cut at its `def`, `class` and decorator lines, and a broken part again without those of its own functions that are
broken. A layout that only looks like a function, in a string say, does no harm: the parts are taken only where they
leave less that makes no sense.
"""

from __future__ import annotations

import re
import sys
from typing import NamedTuple

from tree_sitter import Parser, Point, Range, Tree

from waitlint.frontends.python.grammar import LANGUAGE, broken_places, one_byte_each

# Beyond these a file is no code that somebody is about to finish, and parsing it again would take too long.
_MAX_TEXT = 1_000_000
_MAX_PARTS = 2000
_MAX_BROKEN = 100

# Of each line: how deep it starts and what it defines.
_LINE = r"^(?P<indent>[ \t]*)(?=[^\s\#)\]}])(?P<head>@|(?:async[ \t]+)?def\b|class\b)?"
_ALL_LINES = re.compile(_LINE, re.MULTILINE)
# The same, but what stands in strings and comments is passed over. A string that never ends reaches to the end.
_LINES_OF_CODE = re.compile(
    rf"""
    \"{{3}}[^"\\]*+(?:(?:\\.|"(?!""))[^"\\]*+)*+(?:\"{{3}}|\Z)
    | '{{3}}[^'\\]*+(?:(?:\\.|'(?!''))[^'\\]*+)*+(?:'{{3}}|\Z)
    | "[^"\\\n]*+(?:\\.[^"\\\n]*+)*+"
    | '[^'\\\n]*+(?:\\.[^'\\\n]*+)*+'
    | \#[^\n]*
    | {_LINE}
    """,
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)


class Line(NamedTuple):
    """`start` is where the line starts, `code` where its indentation ends."""

    start: int
    code: int
    head: str

    @property
    def indent(self) -> int:
        return self.code - self.start


def parse_tolerantly(text: str) -> list[Tree]:
    """The syntax trees of a text, in order: one, or for broken code one for each part if that makes more of it."""
    data = one_byte_each(text)
    whole = Parser(LANGUAGE).parse(data)
    if not whole.root_node.has_error or len(text) > _MAX_TEXT:
        return [whole]
    candidates = [_in_parts(text, data, pattern) for pattern in (_LINES_OF_CODE, _ALL_LINES)]
    return min(([whole], *candidates), key=_nonsense)


def _in_parts(text: str, data: bytes, pattern: re.Pattern[str]) -> list[Tree]:
    lines = [
        Line(match.start(), match.end("indent"), match["head"] or "")
        for match in pattern.finditer(text)
        if match["indent"] is not None
    ]
    starts = _starts(lines)
    if len(starts) > _MAX_PARTS:
        return []
    if not starts or starts[0] > 0:
        starts.insert(0, 0)
    trees: list[Tree] = []
    position = 0
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        inside: list[Line] = []
        while position < len(lines) and lines[position].start < end:
            if lines[position].start > start:
                inside.append(lines[position])
            position += 1
        trees.extend(_part(data, start, end, inside))
    return trees


def _part(data: bytes, start: int, end: int, lines: list[Line]) -> list[Tree]:
    """A top-level part, and apart from it the broken functions in it without which it makes sense."""
    tree = _parse(data, [(start, end)])
    heads = [line.indent for line in lines if line.head and line.indent]
    if not tree.root_node.has_error or not heads:
        return [tree]
    broken: list[tuple[int, int]] = []
    trees: list[Tree] = []
    for first, last in _functions(lines, min(heads), end)[:_MAX_PARTS]:
        inner = _parse(data, [(first.code, last)])
        if inner.root_node.has_error:
            broken.append((first.start, last))
            trees.append(inner)
    rest: list[tuple[int, int]] = []
    for cut_start, cut_end in broken:
        rest.append((start, cut_start))
        start = cut_end
    rest = [(first, last) for first, last in [*rest, (start, end)] if first < last]
    if not rest or len(broken) > _MAX_BROKEN:
        return [tree]
    without = _parse(data, rest)
    return [tree] if _nonsense([without, *trees]) >= _nonsense([tree]) else [without, *trees]


def _starts(lines: list[Line]) -> list[int]:
    """Where the definitions at the left margin start, decorators included."""
    found: list[int] = []
    decorated = False
    for line in lines:
        if line.head and not line.indent:
            if not decorated:
                found.append(line.start)
            decorated = line.head == "@"
    return found


def _functions(lines: list[Line], indent: int, end: int) -> list[tuple[Line, int]]:
    """The definitions at an indentation, decorators included: the first line of each, and where it ends."""
    found: list[tuple[Line, int]] = []
    first: Line | None = None
    decorated = False
    for line in lines:
        if first is not None and not decorated and line.indent <= indent:
            found.append((first, line.start))
            first = None
        if line.head and line.indent == indent:
            first = first or line
            decorated = line.head == "@"
    return [*found, (first, end)] if first is not None else found


def _parse(data: bytes, pieces: list[tuple[int, int]]) -> Tree:
    """Parse some pieces of the text as if nothing else were there. Rows and columns are not kept."""
    ranges = [Range(Point(0, start), Point(0, end), start, end) for start, end in pieces]
    return Parser(LANGUAGE, included_ranges=ranges).parse(data)


def _nonsense(trees: list[Tree]) -> int:
    """How many characters the grammar could make nothing of."""
    if not trees:
        return sys.maxsize
    return sum(node.end_byte - node.start_byte + 1 for tree in trees for node in broken_places(tree))
