"""String literals as they are written: their parts, and how new words are put into them."""

from __future__ import annotations

from bisect import bisect_right
from itertools import pairwise
from typing import NamedTuple

from tree_sitter import Node

from waitlint.facts import Piece
from waitlint.frontends.python.grammar import EXTRAS, ids
from waitlint.frontends.python.literals import read_piece

HOLE = "\ufffc"

_STRING, _CONCATENATED, _STRING_END = ids("string"), ids("concatenated_string"), ids("string_end")
_INTERPOLATION, _EQUALS = ids("interpolation"), ids("=")
_NAMED_ESCAPES = {"\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}


class Splice(NamedTuple):
    """Replace [start, end) by `text`."""

    start: int
    end: int
    text: str


class Literal(NamedTuple):
    """One literal: where it stands, its prefix (`rf`) and its quotes."""

    start: int
    end: int
    prefix: str
    quotes: str

    @property
    def raw(self) -> bool:
        return "r" in self.prefix.lower()

    @property
    def has_holes(self) -> bool:
        return not {"f", "t"}.isdisjoint(self.prefix.lower())

    @property
    def opening(self) -> int:
        """The length of prefix and quotes."""
        return len(self.prefix) + len(self.quotes)

    @property
    def content_end(self) -> int:
        return self.end - len(self.quotes)

    def encode(self, text: str, newline: str) -> str | None:
        """`text` as it is written in this literal; None if this kind of literal can't hold it."""
        triple = len(self.quotes) == 3
        quote = self.quotes[0]
        if self.has_holes:
            text = text.replace("{", "{{").replace("}", "}}")
        if self.raw:
            printable = all(c.isprintable() or c in "\n\t" for c in text)
            if not printable or quote in text or "\\" in text[-1:] or ("\n" in text and not triple):
                return None
            return text.replace("\n", newline)
        crowded = quote * 2 in text or text[:1] == quote or text[-1:] == quote
        written: list[str] = []
        for char in text:
            if char == "\n" and triple:
                written.append(newline)
            elif char == "\t" and triple:
                written.append(char)
            elif char == quote and (crowded or not triple):
                written.append("\\" + char)
            elif char in _NAMED_ESCAPES:
                written.append(_NAMED_ESCAPES[char])
            elif char.isprintable() or ord(char) > 0xFFFF:
                written.append(char)
            else:
                written.append(f"\\x{ord(char):02x}" if ord(char) < 0x100 else f"\\u{ord(char):04x}")
        return "".join(written)


class Part(NamedTuple):
    """Words in a literal, or what stands between words and can't be changed: a hole, with its text in the value.

    `source` is the source of a hole.
    """

    literal: int
    piece: Piece | None
    text: str
    source: str = ""


class Written(NamedTuple):
    """A string expression: literals side by side, with their parts in order."""

    start: int
    end: int
    literals: tuple[Literal, ...]
    parts: tuple[Part, ...]

    @property
    def value(self) -> str:
        """The text, holes as U+FFFC."""
        return "".join(part.text for part in self.parts)

    @property
    def holes(self) -> tuple[str, ...]:
        return tuple(part.source for part in self.parts if part.piece is None)


def is_string(node: Node) -> bool:
    return node.kind_id in _STRING or node.kind_id in _CONCATENATED


def written(text: str, node: Node) -> Written | None:
    """The literals of a string node; None for bytes."""
    nodes = [node] if node.kind_id in _STRING else [child for child in node.children if child.kind_id in _STRING]
    literals: list[Literal] = []
    parts: list[Part] = []
    for index, child in enumerate(nodes):
        opening, closing = child.children[0], child.children[-1]
        style = text[opening.start_byte : opening.end_byte]
        prefix = style.rstrip("'\"")
        literal = Literal(child.start_byte, child.end_byte, prefix, style[len(prefix) :])
        if "b" in prefix.lower() or not literal.quotes or closing.kind_id not in _STRING_END:
            return None
        literals.append(literal)
        parts.extend(_parts(text, child, literal, index))
    return Written(node.start_byte, node.end_byte, tuple(literals), tuple(parts)) if literals else None


def _parts(text: str, node: Node, literal: Literal, index: int) -> list[Part]:
    parts: list[Part] = []
    position = node.children[0].end_byte
    holes = [child for child in node.children if child.kind_id in _INTERPOLATION] if literal.has_holes else []
    for hole in holes:
        if hole.start_byte > position:
            piece = read_piece(text, position, hole.start_byte, raw=literal.raw, holes=True)
            parts.append(Part(index, piece, piece.text))
        parts.append(Part(index, None, _shown(text, hole) + HOLE, text[hole.start_byte : hole.end_byte]))
        position = hole.end_byte
    if position < literal.content_end or not parts:
        piece = read_piece(text, position, literal.content_end, raw=literal.raw, holes=literal.has_holes)
        parts.append(Part(index, piece, piece.text))
    return parts


def _shown(text: str, hole: Node) -> str:
    """What `{x=}` shows of itself."""
    children = [child for child in hole.children if child.kind_id not in EXTRAS]
    for child, after in pairwise(children):
        if child.kind_id in _EQUALS:
            return text[hole.start_byte + 1 : after.start_byte]
    return ""


def place(piece: Piece, offset: int) -> int:
    """Where in the source the character at an offset of a piece starts."""
    at = bisect_right(piece.places, offset, key=lambda pair: pair[0]) - 1
    text_offset, source_offset = piece.places[at]
    return source_offset + offset - text_offset


def end_place(text: str, piece: Piece, offset: int) -> int:
    """Where in the source the characters before an offset of a piece end."""
    if offset == 0:
        return piece.places[0][1]
    before = place(piece, offset - 1)
    plain = text[before] == piece.text[offset - 1] and text[before] not in "\\{}"
    return before + 1 if plain else place(piece, offset)
