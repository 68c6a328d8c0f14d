"""Jupyter notebooks: the code cells as one Python source, every place led back to where it stands in the JSON."""

from __future__ import annotations

import importlib
import re
from bisect import bisect_right
from itertools import pairwise
from typing import Any, NamedTuple, TypeVar, cast

import msgspec
from msgspec import Struct

from waitlint.facts import Expr, FileFacts, Map, Piece, Seq, Span, Str, Text
from waitlint.frontends.documents.json_tree import parse_json
from waitlint.frontends.documents.places import Mapped, Places, of_string, source_end, source_offset
from waitlint.frontends.documents.selectors import key_name
from waitlint.frontends.documents.texts import worded
from waitlint.source import Source

_MAGIC = re.compile(r"^[ \t]*(?:[%!?][^\r\n]*|[\w.]+\?{1,2}[ \t]*)$", re.MULTILINE)
_CELL_MAGIC = re.compile(r"\s*%%(\w+)[^\r\n]*")
_PYTHON_MAGICS = frozenset(("time", "timeit", "capture", "prun", "debug", "python", "python3", "memit"))
# Coconut is Python, and more; notebooks that were once opened with its kernel are mostly plain Python.
_PYTHONS = frozenset(("", "python", "python3", "ipython", "coconut"))
_LINE = re.compile(r"\bline (\d+)")


class _Joined(NamedTuple):
    """The code of a notebook; `lines` are the (line in it, cell) at which cells begin, both from 1."""

    text: str
    places: Places
    lines: tuple[tuple[int, int], ...]


def read(source: Source, surface: str) -> FileFacts:
    """The facts of the code cells. Markdown cells and outputs are for people."""
    tree = parse_json(source.text)
    problems = worded(source, tree.problems)
    root = tree.roots[0] if tree.roots else None
    language = _language(root)
    if language not in _PYTHONS:
        return FileFacts("notebook", surface, problems=(*problems, f"notebooks in {language[:40]} are not read"))
    joined = _join(_cells(root))
    reader = importlib.import_module("waitlint.frontends.python")
    facts: FileFacts = reader.read(Source(source.path, joined.text), surface)
    try:
        moved = _moved(facts, joined.places)
    except RecursionError:
        return FileFacts("notebook", surface, problems=(*problems, "nested too deeply to be read"))
    told = tuple(_LINE.sub(lambda found: _in_cell(int(found[1]), joined), problem) for problem in facts.problems)
    return msgspec.structs.replace(moved, language="notebook", problems=(*problems, *told))


def _at(value: Expr | None, key: str) -> Expr | None:
    if isinstance(value, Map):
        for entry in value.entries:
            if key_name(entry.key) == key:
                return entry.value
    return None


def _word(value: Expr | None) -> str:
    return (value.literal or "") if isinstance(value, Str) else ""


def _language(root: Expr | None) -> str:
    metadata = _at(root, "metadata")
    found = _word(_at(_at(metadata, "language_info"), "name")) or _word(_at(_at(metadata, "kernelspec"), "language"))
    return found.lower()


def _cells(root: Expr | None) -> list[tuple[int, list[Mapped]]]:
    """The code cells by their number among all cells, each as the pieces of its source."""
    cells = _at(root, "cells")
    if cells is None:
        sheets = _at(root, "worksheets")
        cells = _at(sheets.items[0], "cells") if isinstance(sheets, Seq) and sheets.items else None
    found: list[tuple[int, list[Mapped]]] = []
    for number, cell in enumerate(cells.items if isinstance(cells, Seq) else (), start=1):
        if _word(_at(cell, "cell_type")) != "code":
            continue
        code = _at(cell, "source") or _at(cell, "input")
        parts = code.items if isinstance(code, Seq) else (code,)
        found.append((number, [of_string(part) for part in parts if isinstance(part, Str)]))
    return found


def _join(cells: list[tuple[int, list[Mapped]]]) -> _Joined:
    """All cells as one text, a blank line between two; magic commands are blanked out."""
    out: list[str] = []
    pairs: list[tuple[int, int]] = []
    lines: list[tuple[int, int]] = []
    length, line, end = 0, 1, 0
    for number, parts in cells:
        if not parts:
            continue
        text = _without_magic("".join(part.text for part in parts))
        lines.append((line, number))
        at = length
        for part in parts:
            pairs.extend((at + offset, place) for offset, place in part.places[:-1] or part.places)
            at += len(part.text)
            end = part.places[-1][1]
        pairs.append((at, end))
        out.append(text + "\n\n")
        length = at + 2
        line += text.count("\n") + 2
    pairs.append((length, end))
    unique = tuple(dict(pairs).items())
    return _Joined("".join(out), unique, tuple(lines))


def _without_magic(text: str) -> str:
    found = _CELL_MAGIC.match(text)
    if found and found[1] not in _PYTHON_MAGICS:
        return re.sub(r"[^\r\n]", " ", text)
    return _MAGIC.sub(lambda line: " " * len(line[0]), text)


def _in_cell(line: int, joined: _Joined) -> str:
    index = bisect_right([begin for begin, _ in joined.lines], line) - 1
    if index < 0:
        return f"line {line}"
    begin, cell = joined.lines[index]
    return f"cell {cell}, line {line - begin + 1}"


_Node = TypeVar("_Node")


def _moved(value: _Node, places: Places) -> _Node:
    """The same facts with every place of the joined code led back to the file."""
    moved: Any = value
    if isinstance(value, Span):
        moved = _span(value, places)
    elif isinstance(value, Piece):
        moved = Piece(value.text, _pairs(value.places, places))
    elif isinstance(value, Text):
        moved = msgspec.structs.replace(value, places=_pairs(value.places, places), span=_span(value.span, places))
    elif isinstance(value, Struct):
        fields = {name: getattr(value, name) for name in value.__struct_fields__}
        changes = {name: _moved(field, places) for name, field in fields.items() if isinstance(field, tuple | Struct)}
        moved = msgspec.structs.replace(value, **changes) if changes else value
    elif isinstance(value, tuple):
        moved = tuple([_moved(item, places) if isinstance(item, tuple | Struct) else item for item in value])
    return cast(_Node, moved)


def _span(span: Span, places: Places) -> Span:
    start = source_offset(places, span.start)
    return Span(start, max(start, source_end(places, span.end)))


def _pairs(pairs: Places, places: Places) -> Places:
    """Places in the joined code as places in the file: one more pair wherever a run meets an escape of the JSON."""
    out: list[tuple[int, int]] = []
    for (at, start), (following, _) in pairwise(pairs):
        out.append((at, source_offset(places, start)))
        first = bisect_right(places, start, key=lambda pair: pair[0])
        for joined, place in places[first:]:
            if joined >= start + following - at:
                break
            out.append((at + joined - start, place))
    last_at, last = pairs[-1]
    out.append((last_at, source_end(places, last)))
    return tuple(out)
