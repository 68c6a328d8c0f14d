"""What literals say, and where each of their characters stands.

Shared by reading, which turns source into text, and by repairing, which turns text into source.
"""

from __future__ import annotations

import html
import math
import re
from collections.abc import Iterable

from waitlint.facts import Piece

# Numbers beyond this are exact in no JavaScript program, except as `bigint`.
_EXACT = 2**53

_SPECIAL = re.compile(
    r"""\\(?:
          u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})   # one character as two halves
        | u\{([0-9a-fA-F]{1,8})\}
        | u([0-9a-fA-F]{4})
        | x([0-9a-fA-F]{2})
        | ([0-3]?[0-7]{1,2})
        | (\r\n|[\r\n\u2028\u2029])                                      # a line that goes on
        | (.)
        ) | \r\n?""",
    re.VERBOSE | re.DOTALL,
)
_LINE_END = re.compile(r"\r\n?")
_LETTERS = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v"}
_ENTITY = re.compile(r"&(?:[A-Za-z][A-Za-z0-9]{0,31}|#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6});")


def _character(code: int) -> str:
    """A code point as text; half of a pair is no character."""
    return "\ufffd" if 0xD800 <= code <= 0xDFFF or code > 0x10FFFF else chr(code)


def _said(match: re.Match[str]) -> str:
    """What an escape sequence or the end of a line in a template stands for."""
    high, low, braced, four, two, octal, goes_on, other = match.groups()
    if high:
        return chr(0x10000 + ((int(high, 16) - 0xD800) << 10) + int(low, 16) - 0xDC00)
    if braced or four or two:
        return _character(int(braced or four or two, 16))
    if octal:
        return chr(int(octal, 8))
    if goes_on:
        return ""
    if other:
        return _LETTERS.get(other, other)
    return "\n"


def literal_piece(text: str, start: int, end: int, *, raw: bool = False) -> Piece:
    """The piece of a string or template literal whose inside is `text[start:end]`.

    In a `raw` one, a backslash is only a backslash.
    """
    written = text[start:end]
    if "\\" not in written and "\r" not in written:
        return Piece(written, ((0, start), (end - start, end)) if written else ((0, start),))
    said: list[str] = []
    places: list[tuple[int, int]] = []
    found = (_LINE_END if raw else _SPECIAL).finditer(text, start, end)
    size = _add(text, start, end, ((match, "\n" if raw else _said(match)) for match in found), said, places, 0)
    places.append((size, end))
    return Piece("".join(said), tuple(places))


def entity_piece(text: str, start: int, end: int) -> Piece:
    """The piece of an attribute value in JSX: no escapes, but character references."""
    said: list[str] = []
    places: list[tuple[int, int]] = []
    size = _references(text, start, end, said, places, 0)
    places.append((size, end))
    return Piece("".join(said), tuple(places))


def _references(text: str, start: int, end: int, said: list[str], places: list[tuple[int, int]], size: int) -> int:
    """Add `text[start:end]` with its character references resolved. The size of the text after it."""
    found = ((match, html.unescape(match[0])) for match in _ENTITY.finditer(text, start, end))
    known = ((match, value) for match, value in found if value != match[0])
    return _add(text, start, end, known, said, places, size)


def _add(
    text: str,
    start: int,
    end: int,
    found: Iterable[tuple[re.Match[str], str]],
    said: list[str],
    places: list[tuple[int, int]],
    size: int,
) -> int:
    """Add `text[start:end]` with what each match in it stands for in its place. The size of the text after it."""
    position = start
    for match, value in found:
        at = match.start()
        if at > position:
            places.append((size, position))
            said.append(text[position:at])
            size += at - position
        if value:
            places.append((size, at))
            said.append(value)
            size += len(value)
        position = match.end()
    if position < end:
        places.append((size, position))
        said.append(text[position:end])
        size += end - position
    return size


def jsx_piece(text: str, start: int, end: int) -> Piece | None:
    """The piece of a text between tags, with its lines joined as JSX joins them. None where nothing is left."""
    said: list[str] = []
    places: list[tuple[int, int]] = []
    size = 0
    lines = text[start:end].split("\n")
    at = last = start
    for number, line in enumerate(lines):
        left, right = at, at + len(line)
        at = right + 1
        if number > 0:
            left += len(line) - len(line.lstrip(" \t\r"))
        if number < len(lines) - 1:
            right -= len(line) - len(line.rstrip(" \t\r"))
        if left >= right:
            continue
        if size:
            places.append((size, last))
            said.append(" ")
            size += 1
        size = _references(text, left, right, said, places, size)
        last = right
    if not size:
        return None
    places.append((size, last))
    return Piece("".join(said), tuple(places))


def number(written: str) -> int | float | None:
    """The value of a number as it is written; None if it has none that a float can hold."""
    digits = written.replace("_", "").removesuffix("n")
    value: int | float
    try:
        if digits[:2].lower() in ("0x", "0o", "0b"):
            value = int(digits, 0)
        elif digits.isdigit():
            legacy = digits[0] == "0" and len(digits) > 1 and set(digits) <= set("01234567")
            value = int(digits, 8 if legacy else 10)
        else:
            value = float(digits)
        if abs(value) > _EXACT:
            value = float(value)
    except (ValueError, OverflowError):
        return None
    return value if math.isfinite(value) else None


# ---------------------------------------------------------------- the other way round

_CONTROL = {"\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f", "\v": "\\v", "\0": "\\x00"}
_INVISIBLE = frozenset("\u2028\u2029\ufeff\u200b\u200e\u200f\u2060")


def quoted(value: str, quote: str) -> str:
    """The inside of a string literal in `quote`, or of a template literal, that says `value`."""
    template = quote == "`"
    written: list[str] = []
    for index, char in enumerate(value):
        if char == "\\" or char == quote or (template and char == "$" and value[index + 1 : index + 2] == "{"):
            written.append("\\" + char)
        elif template and char in "\n\t":
            written.append(char)
        elif char in _CONTROL:
            written.append(_CONTROL[char])
        elif char < " " or char == "\x7f" or char in _INVISIBLE:
            written.append(f"\\u{ord(char):04x}")
        else:
            written.append(char)
    return "".join(written)


def attribute_inside(value: str, quote: str) -> str:
    """The inside of an attribute of JSX that says `value`."""
    return value.replace("&", "&amp;").replace(quote, "&quot;" if quote == '"' else "&#39;")


def jsx_inside(value: str) -> str:
    """Words between tags of JSX that say `value`, as far as line ends do not matter."""
    return "".join(_MARKUP.get(char, char) for char in value)


_MARKUP = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "{": "&#123;", "}": "&#125;"}
