"""Strings, f-strings and strings side by side."""

from __future__ import annotations

from tree_sitter import Node

from waitlint.facts import Expr, Hole, Opaque, Piece, Span, Str
from waitlint.frontends.python.grammar import by_kind, ids
from waitlint.frontends.python.literals import read_piece
from waitlint.frontends.python.reader import EXPRESSIONS, Reader

_STRING, _STRING_END, _INTERPOLATION = ids("string"), ids("string_end"), ids("interpolation")
_FORMAT, _FORMAT_HOLE = ids("format_specifier"), ids("format_expression")
_CONVERSION, _EQUALS = ids("type_conversion"), ids("=")


class Strings(Reader):
    def string(self, node: Node) -> Expr:
        pieces: list[Piece | Hole] = []
        style = self.string_pieces(node, pieces)
        span = Span(*node.byte_range)
        if style is None:
            return Opaque(span, tuple(piece.value for piece in pieces if isinstance(piece, Hole)))
        return Str(span, tuple(pieces), style)

    def strings(self, node: Node) -> Expr:
        """String literals side by side."""
        pieces: list[Piece | Hole] = []
        styles = [self.string_pieces(child, pieces) for child in node.named_children if child.kind_id in _STRING]
        span = Span(*node.byte_range)
        if None in styles or not styles:
            return Opaque(span, tuple(piece.value for piece in pieces if isinstance(piece, Hole)))
        return Str(span, tuple(pieces), styles[0] or "")

    def string_pieces(self, node: Node, pieces: list[Piece | Hole]) -> str | None:
        """Add what a literal says to `pieces`. The opening delimiter; None for bytes, which no model reads."""
        children = node.children
        first, last = children[0], children[-1]
        position = first.end_byte
        style = self.text[first.start_byte : position]
        letters = style.rstrip("'\"")
        prefix = letters.lower()
        if "b" in prefix or "`" in prefix:
            return None
        raw = "r" in prefix
        # The grammar's closing token may have a backslash in it.
        end = last.end_byte - (len(style) - len(letters)) if last.kind_id in _STRING_END else node.end_byte
        if "f" not in prefix and "t" not in prefix:
            pieces.append(read_piece(self.text, position, end, raw=raw, holes=False))
            return style
        empty = len(pieces)
        for child in children:
            if child.kind_id in _INTERPOLATION:
                start = child.start_byte
                if start > position:
                    pieces.append(read_piece(self.text, position, start, raw=raw, holes=True))
                self.interpolation(child, pieces)
                position = child.end_byte
        if position < end or len(pieces) == empty:
            pieces.append(read_piece(self.text, position, end, raw=raw, holes=True))
        return style

    def interpolation(self, node: Node, pieces: list[Piece | Hole]) -> None:
        values: list[Expr] = []
        children = self.significant(node)
        for index, child in enumerate(children):
            kind = child.kind_id
            if kind in _FORMAT:
                for inner in child.named_children:
                    if inner.kind_id in _FORMAT_HOLE:
                        values.extend(self.exprs(inner))
            elif kind in _EQUALS and index + 1 < len(children):
                start, end = children[0].end_byte, children[index + 1].start_byte
                pieces.append(read_piece(self.text, start, end, raw=True, holes=False))
            elif child.is_named and kind not in _CONVERSION:
                values.append(self.expr(child))
        pieces.append(Hole(values[0] if len(values) == 1 else Opaque(Span(*node.byte_range), tuple(values))))


EXPRESSIONS.update(by_kind({"string": Strings.string, "concatenated_string": Strings.strings}))
