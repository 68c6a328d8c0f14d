"""JSON, read with patience: comments, trailing commas, missing commas and raw newlines in strings are let through."""

from __future__ import annotations

import re

from waitlint.facts import Const, Expr, Opaque, Span, Str
from waitlint.frontends.documents.places import Mapped, closed, string, verbatim
from waitlint.frontends.documents.tree import Builder, Problem, TooMuch, Tree

_SPACE = re.compile(r"[ \t\r\n\ufeff]++")
_COMMENT = re.compile(r"//[^\n]*+|/\*.*?\*/", re.DOTALL)
_STRING = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"', re.DOTALL)
_WORD = re.compile(r"[-+.\w]++")
_ESCAPE = re.compile(
    r"\\(?:u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|(.))", re.DOTALL
)
_SIMPLE = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
_LITERALS: dict[str, bool | None] = {"true": True, "false": False, "null": None}
_LARGEST = 2**63


class _Broken(Exception):
    def __init__(self, offset: int, message: str) -> None:
        super().__init__(message)
        self.offset = offset


def parse_json(text: str) -> Tree:
    """The document as a tree. What stands before the first thing that can't be read is kept."""
    builder = Builder()
    comments: list[Span] = []
    position = 0
    try:
        position = _parse(text, builder, comments)
    except _Broken as broken:
        builder.problems.append(Problem(broken.offset, f"not valid JSON: {broken}"))
        builder.close_all(broken.offset)
    except TooMuch as bound:
        builder.problems.append(Problem(0, str(bound)))
        return Tree((), tuple(comments), tuple(builder.problems))
    if position < len(text):
        builder.problems.append(Problem(position, "not valid JSON: something follows the end"))
    if not builder.roots and not builder.problems:
        builder.problems.append(Problem(0, "empty"))
    return Tree(tuple(builder.roots[:1]), tuple(comments), tuple(builder.problems))


def _parse(text: str, builder: Builder, comments: list[Span]) -> int:
    """Read one value and what surrounds it; gives the offset where that ends."""
    closers: list[str] = []
    position, length = 0, len(text)
    while position < length:
        char = text[position]
        if char in " \t\r\n\ufeff":
            found = _SPACE.match(text, position)
            position = found.end() if found else position + 1
        elif char == "/":
            found = _COMMENT.match(text, position)
            if not found:
                raise _Broken(position, "“/” begins no comment")
            comments.append(Span(position, found.end()))
            position = found.end()
        elif not closers and builder.roots:
            return position
        elif char == '"':
            value = json_string(text, position)
            position = value.span.end
            if builder.wants_key:
                builder.key(value, value.span)
                position = _colon(text, position, comments)
            else:
                builder.value(value)
        elif char in "{[":
            _no_key(builder, position)
            builder.open(position, is_map=char == "{")
            closers.append("}" if char == "{" else "]")
            position += 1
        elif char in "}]":
            if not closers or closers.pop() != char:
                raise _Broken(position, f"“{char}” closes nothing")
            if builder.in_map and not builder.wants_key:
                raise _Broken(position, "a key has no value")
            position += 1
            builder.close(position)
        elif char == "," and closers:
            position += 1
        else:
            _no_key(builder, position)
            found = _WORD.match(text, position)
            if not found:
                raise _Broken(position, f"unexpected “{char}”")
            builder.value(_scalar(found.group(), Span(position, found.end())))
            position = found.end()
    if closers:
        raise _Broken(length, "it ends too soon")
    return position


def _no_key(builder: Builder, position: int) -> None:
    if builder.wants_key:
        raise _Broken(position, "a key in double quotes is missing")


def _colon(text: str, position: int, comments: list[Span]) -> int:
    while True:
        if found := _SPACE.match(text, position):
            position = found.end()
        if found := _COMMENT.match(text, position):
            comments.append(Span(position, found.end()))
            position = found.end()
        elif text[position : position + 1] == ":":
            return position + 1
        else:
            raise _Broken(position, "“:” is missing")


def json_string(text: str, start: int) -> Str:
    """The string whose opening quote is at `start`."""
    found = _STRING.match(text, start)
    if not found:
        raise _Broken(start, "a string has no end")
    end = found.end()
    inner = text[start + 1 : end - 1]
    mapped = verbatim(text, start + 1, end - 1) if "\\" not in inner else _unescaped(text, start + 1, end - 1)
    return string(mapped, Span(start, end), '"')


def _unescaped(text: str, start: int, end: int) -> Mapped:
    out: list[str] = []
    pairs: list[tuple[int, int]] = [(0, start)]
    length, position = 0, start
    for escape in _ESCAPE.finditer(text, start, end):
        out.append(text[position : escape.start()])
        high, low, unit, simple = escape.groups()
        if high:
            char = chr(0x10000 + ((int(high, 16) - 0xD800) << 10) + (int(low, 16) - 0xDC00))
        elif unit:
            code = int(unit, 16)
            char = "\ufffd" if 0xD800 <= code <= 0xDFFF else chr(code)
        else:
            char = _SIMPLE.get(simple, simple)
        length += escape.start() - position + 1
        position = escape.end()
        out.append(char)
        pairs.append((length, position))
    out.append(text[position:end])
    value = "".join(out)
    return Mapped(value, closed(pairs, len(value), end))


def _scalar(word: str, span: Span) -> Expr:
    if word in _LITERALS:
        return Const(span, _LITERALS[word])
    if word in ("NaN", "Infinity", "-Infinity"):
        return Opaque(span)
    if not _NUMBER.fullmatch(word):
        shown = word if len(word) <= 40 else word[:39] + "…"
        raise _Broken(span.start, f"unexpected “{shown}”")
    return number(word, span)


def number(word: str, span: Span) -> Expr:
    """A decimal number as written; Opaque where it is too large to be kept."""
    if word.lstrip("+-").isdecimal():
        if len(word) > 20 or abs(int(word)) >= _LARGEST:
            return Opaque(span)
        return Const(span, int(word))
    value = float(word)
    return Opaque(span) if value in (float("inf"), float("-inf")) else Const(span, value)
