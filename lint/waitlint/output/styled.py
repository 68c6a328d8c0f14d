"""Text in pieces, each with a style; plain where no colour is wanted, through rich where it is."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from msgspec import Struct

TAB = "    "


class Piece(Struct, frozen=True, array_like=True):
    text: str
    style: str = ""


Line = tuple[Piece, ...]

SEVERITY_STYLE = {"error": "bold red", "warning": "bold yellow", "advice": "bold cyan"}
QUIET = "blue"
STRONG = "bold"


def plain(lines: Iterable[Line]) -> str:
    """Lines without their styles; empty, or ending in a newline."""
    return "".join("".join(piece.text for piece in line) + "\n" for line in lines)


def coloured(lines: Iterable[Line]) -> str:
    """Lines with the escape codes of a terminal."""
    from rich.color import ColorSystem
    from rich.style import Style

    parts = []
    for line in lines:
        for piece in line:
            style = Style.parse(piece.style) if piece.style else None
            parts.append(style.render(piece.text, color_system=ColorSystem.STANDARD) if style else piece.text)
        parts.append("\n")
    return "".join(parts)


def visible(text: str) -> str:
    """Text of a scanned file, made safe for a terminal: control and direction characters can't act there."""
    return "".join(_visible(char) for char in text)


def _visible(char: str) -> str:
    if char == "\t":
        return TAB
    return "\N{REPLACEMENT CHARACTER}" if unicodedata.category(char) in ("Cc", "Cf", "Cs") else char


def width(text: str) -> int:
    """The number of columns that a text takes in a terminal."""
    return sum(_char_width(char) for char in text)


def _char_width(char: str) -> int:
    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1
