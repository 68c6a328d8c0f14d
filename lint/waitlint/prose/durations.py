"""Spans of time in words: `every 30-60 s`, `for a few minutes`, `sleep 30`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from waitlint.names import UNITS
from waitlint.prose.tokens import Token

VAGUE = {
    "moment": 5.0,
    "moments": 5.0,
    "bit": 10.0,
    "while": 60.0,
    "delay": 5.0,
}
_CODE = re.compile(r"(\d{1,5}(?:\.\d{1,2})?) ?(ms|s|secs?|m|mins?|h)")
_WORDS = {
    "a": 1,
    "an": 1,
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "eight": 8,
    "ten": 10,
    "fifteen": 15,
    "twenty": 20,
    "thirty": 30,
    "sixty": 60,
    "ninety": 90,
}
_FILL = frozenset(
    ["~", "≈", "about", "around", "roughly", "approximately", "approx", "at", "least", "most", "up", "to", "exactly"]
)
_FILL_WORDS = frozenset(["another", "the", "every", "each", "next", "further", "additional", "extra", "more", "than"])
_RANGE = frozenset(["-", "–", "—", "to", "or", "/", "‑", "~", "and", "-", "..."])


@dataclass(slots=True)
class Duration:
    """`seconds` is None where no number is told ("a few seconds"); `unit` is the length of one unit in seconds.

    `first` and `last` are token indices, both included.
    """

    seconds: float | None
    unit: float
    first: int
    last: int

    @property
    def vague(self) -> bool:
        return self.seconds is None


def duration_at(tokens: Sequence[Token], index: int) -> Duration | None:
    """The span of time that begins at a token, fillers such as "about" and "~" passed over."""
    first = index
    length = len(tokens)
    steps = 0
    while index < length and steps < 4 and (tokens[index].low in _FILL or tokens[index].low in _FILL_WORDS):
        index += 1
        steps += 1
    if index >= length:
        return None
    token = tokens[index]
    if token.kind == "number":
        return _numeric(tokens, index, first)
    if token.kind == "code" and (told := _CODE.fullmatch(token.low)) is not None:
        unit = UNITS[told[2]]
        return Duration(float(told[1]) * unit, unit, first, index)
    if token.kind in ("hole", "code", "name") or token.text in "{<$":
        return _placeholder(tokens, index, first)
    if token.low in ("a", "an", "few", "several", "couple", "some") or token.low in _WORDS or token.low == "half":
        return _worded(tokens, index, first)
    if token.low in UNITS and len(token.low) > 2 and index > first:
        if tokens[index - 1].low in ("every", "each"):
            return Duration(UNITS[token.low], UNITS[token.low], first, index)
        if tokens[index - 1].low == "few":
            return Duration(None, UNITS[token.low], first, index)
    return None


def every_at(tokens: Sequence[Token], index: int) -> Duration | None:
    """The interval that begins at "every" or "each": `every minute`, `every few seconds`, `each 30 s`."""
    if index + 1 >= len(tokens) or tokens[index].low not in ("every", "each"):
        return None
    following = tokens[index + 1]
    if following.low in UNITS and len(following.low) > 2:
        return Duration(UNITS[following.low], UNITS[following.low], index, index + 1)
    if following.low == "other" and index + 2 < len(tokens) and tokens[index + 2].low in UNITS:
        unit = UNITS[tokens[index + 2].low]
        return Duration(2 * unit, unit, index, index + 2)
    found = duration_at(tokens, index + 1)
    return None if found is None else Duration(found.seconds, found.unit, index, found.last)


def _numeric(tokens: Sequence[Token], index: int, first: int) -> Duration | None:
    number = _number(tokens[index])
    last = index
    following = tokens[index + 1 : index + 4]
    if (
        len(following) == 3
        and following[0].low in UNITS
        and following[1].low in _RANGE
        and following[2].kind == "number"
    ):
        upper = _numeric(tokens, index + 3, index + 3)
        if upper is not None:
            return Duration(upper.seconds, upper.unit, first, upper.last)
    cursor = index + 1
    if cursor + 1 < len(tokens) and tokens[cursor].low in _RANGE:
        after = cursor + 1
        if tokens[after].low in ("~",):
            after += 1
        if after < len(tokens) and tokens[after].kind == "number":
            number, cursor = _number(tokens[after]), after + 1
    if cursor < len(tokens) and tokens[cursor].text == "+":
        cursor += 1
    if cursor < len(tokens) and tokens[cursor].low == "full":
        cursor += 1
    if cursor < len(tokens) and tokens[cursor].text == "-" and cursor + 1 < len(tokens):
        cursor += 1
    if cursor >= len(tokens) or tokens[cursor].low not in UNITS:
        return None
    low = tokens[cursor].low
    if low in ("m", "d", "h") and tokens[cursor].start != tokens[cursor - 1].end:
        return None
    last = cursor
    unit = UNITS[low]
    return Duration(number * unit, unit, first, last)


def _placeholder(tokens: Sequence[Token], index: int, first: int) -> Duration | None:
    cursor = index
    while cursor < len(tokens) and cursor - index < 8 and tokens[cursor].low not in UNITS:
        cursor += 1
    if cursor < len(tokens) and cursor - index < 8 and len(tokens[cursor].low) > 2:
        inside = tokens[index:cursor]
        if all(token.kind in ("hole", "code", "name", "mark", "number") for token in inside) or len(inside) == 1:
            return Duration(None, UNITS[tokens[cursor].low], first, cursor)
    low = tokens[index].low
    if tokens[index].kind in ("code", "name") and low.endswith(("_ms", "ms", "_s", "seconds", "_secs", "interval")):
        return Duration(None, 0.001 if low.endswith("ms") else 1.0, first, index)
    return None


def _worded(tokens: Sequence[Token], index: int, first: int) -> Duration | None:
    number: float | None = None
    cursor = index
    vague = False
    half = 1.0
    for _ in range(4):
        if cursor >= len(tokens):
            return None
        low = tokens[cursor].low
        if low in ("few", "several", "couple", "some"):
            vague = True
        elif low == "half":
            half = 0.5
        elif low in _WORDS:
            if number is None or low not in ("a", "an"):
                number = _WORDS[low]
        elif low in UNITS and len(low) > 1:
            unit = UNITS[low]
            return Duration(None if vague else (number or 1) * half * unit, unit, first, cursor)
        elif low in VAGUE and cursor > index:
            return Duration(None, VAGUE[low] / 5, first, cursor)
        elif low not in ("of", "more", "full", "short", "brief", "additional", "further", "good"):
            return None
        cursor += 1
    return None


def _number(token: Token) -> float:
    text = token.text
    if "," in text:
        text = text.replace(",", "") if len(text.rsplit(",", 1)[1]) == 3 else text.replace(",", ".")
    try:
        return float(text)
    except ValueError:
        return float(text.split(".")[0])


def said(seconds: float | None) -> str:
    """A number of seconds in words, for a message; "" for none."""
    if seconds is None:
        return ""
    if seconds < 1:
        return f"{seconds * 1000:g} ms"
    if seconds < 120:
        return f"{seconds:g} s"
    if seconds < 7200:
        return f"{seconds / 60:g} min"
    return f"{seconds / 3600:g} h"
