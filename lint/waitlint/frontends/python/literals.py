"""String literals: what they say, and where each character of it stands in the source."""

from __future__ import annotations

import re
import unicodedata

from waitlint.facts import Piece

_NEWLINE = r"\r\n?"
_DOUBLED = r"\{\{|\}\}"
_ESCAPE = (
    r"\\(?:\r\n|[\n\r\\'\"abfnrtv]|[0-7]{1,3}|x[0-9a-fA-F]{2}"
    r"|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|N\{[^{}\r\n]+\})"
)
# By (raw, with holes): what of the source is not the text as it stands.
_CODED = {
    (False, False): re.compile(f"{_ESCAPE}|{_NEWLINE}"),
    (False, True): re.compile(f"{_ESCAPE}|{_NEWLINE}|{_DOUBLED}"),
    (True, False): re.compile(_NEWLINE),
    (True, True): re.compile(f"{_NEWLINE}|{_DOUBLED}"),
}
_SIMPLE = {
    "\\": "\\",
    "'": "'",
    '"': '"',
    "a": "\a",
    "b": "\b",
    "f": "\f",
    "n": "\n",
    "r": "\r",
    "t": "\t",
    "v": "\v",
    "\n": "",
    "\r": "",
}


def read_piece(source: str, start: int, end: int, *, raw: bool, holes: bool) -> Piece:
    """The literal text between two offsets of the source, inside the quotes.

    `holes` where braces are doubled. A lone surrogate, which no file can hold, becomes U+FFFD.
    """
    text = source[start:end]
    if not (("\\" in text and not raw) or "\r" in text or (holes and ("{" in text or "}" in text))):
        return Piece(text, ((0, start), (end - start, end)) if text else ((0, start),))
    parts: list[str] = []
    places: list[tuple[int, int]] = []
    length = 0
    position = start
    for match in _CODED[raw, holes].finditer(source, start, end):
        value = _decode(match.group())
        if value is None:
            continue
        if match.start() > position:
            places.append((length, position))
            parts.append(source[position : match.start()])
            length += match.start() - position
        if value:
            places.append((length, match.start()))
            parts.append(value)
            length += len(value)
        position = match.end()
    if position < end:
        places.append((length, position))
        parts.append(source[position:end])
        length += end - position
    places.append((length, end))
    return Piece("".join(parts), tuple(places))


def _decode(coded: str) -> str | None:
    """The text that an escape, a newline or a doubled brace stands for; None where it stands for itself."""
    if coded[0] != "\\":
        return "\n" if coded[0] == "\r" else coded[0]
    kind = coded[1]
    simple = _SIMPLE.get(kind)
    if simple is not None:
        return simple
    if kind in "01234567":
        return chr(int(coded[1:], 8))
    if kind == "N":
        try:
            value = unicodedata.lookup(coded[3:-1])
        except KeyError:
            return None
        return value if len(value) == 1 else None
    code = int(coded[2:], 16)
    if code > 0x10FFFF:
        return None
    return "\ufffd" if 0xD800 <= code <= 0xDFFF else chr(code)
