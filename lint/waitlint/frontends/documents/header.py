"""Front matter as data: YAML where it is YAML, `key: value` lines where it only looks like it."""

from __future__ import annotations

import re

from waitlint.facts import Const, Entry, Expr, Map, Span
from waitlint.frontends.documents.places import Mapped, string, verbatim
from waitlint.frontends.documents.tree import Problem, Tree
from waitlint.frontends.documents.yaml_scalars import double_quoted, plain, single_quoted
from waitlint.frontends.documents.yaml_tree import INVALID, parse_yaml

_LINE = re.compile(r"([A-Za-z_][\w .-]*?)[ \t]*:[ \t]*([^\r\n]*)(?:\r?\n|\Z)")
_MORE = re.compile(r"[ \t]+[^\r\n]*(?:\r?\n|\Z)|[ \t]*\r?\n")


def parse_header(text: str, start: int, end: int) -> Tree:
    """The front matter at [start, end) of a source as one map.

    Where it is no YAML it is read line by line, and the problem says so.
    """
    tree = parse_yaml(text[start:end], start)
    bad = [problem for problem in tree.problems if problem.message.startswith(INVALID)]
    if not bad and (not tree.roots or isinstance(tree.roots[0], Map | Const)):
        return tree
    message = bad[0].message if bad else f"{INVALID}: no keys and values"
    comments = tuple(
        Span(found.start(), found.end())
        for found in re.compile(r"^[ \t]*(#[^\r\n]*)", re.MULTILINE).finditer(text, start, end)
    )
    offset = bad[0].offset if bad else start
    return Tree((_by_lines(text, start, end),), _stripped(text, comments), (Problem(offset, message),))


def _stripped(text: str, spans: tuple[Span, ...]) -> tuple[Span, ...]:
    return tuple(Span(span.start + text[span.start : span.end].index("#"), span.end) for span in spans)


def _by_lines(text: str, start: int, end: int) -> Map:
    entries: list[Entry] = []
    position = start
    while position < end:
        found = _LINE.match(text, position, end)
        if not found:
            line_end = text.find("\n", position, end)
            position = end if line_end < 0 else line_end + 1
            continue
        key = string(verbatim(text, found.start(1), found.end(1)), Span(found.start(1), found.end(1)), "")
        stop = found.end()
        while stop < end and (more := _MORE.match(text, stop, end)):
            stop = more.end()
        value = _value(text, found.start(2), found.end(2), stop)
        entries.append(Entry(key, value, Span(found.start(1), max(value.span.end, found.end(1)))))
        position = stop
    return Map(Span(start, end), tuple(entries))


def _value(text: str, start: int, line_end: int, end: int) -> Expr:
    """The value that begins at `start`, with the indented lines that follow it up to `end`."""
    while end > line_end and text[end - 1] in " \t\r\n":
        end -= 1
    first = text[start:line_end].strip()
    if re.fullmatch(r"[|>][-+]?", first):
        begin = line_end
        while begin < end and text[begin] in " \t\r\n":
            begin += 1
        return string(plain(text, begin, end), Span(begin, end), "")
    stop = end if end > line_end else start + len(text[start:line_end].rstrip())
    raw = text[start:stop]
    if len(raw) >= 2 and raw[0] == raw[-1] and raw[0] in "\"'":
        mapped: Mapped = (double_quoted if raw[0] == '"' else single_quoted)(text, start, stop)
        return string(mapped, Span(start, stop), raw[0])
    return string(plain(text, start, stop), Span(start, stop), "")
