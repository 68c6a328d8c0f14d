"""String and template literals, and the words between the tags of JSX."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tree_sitter import Node

from waitlint.facts import Entry, Expr, Hole, Map, Opaque, Piece, Span, Str
from waitlint.frontends.typescript.literals import entity_piece, jsx_piece, literal_piece

if TYPE_CHECKING:
    from waitlint.frontends.typescript.reader import Reader


def string(reader: Reader, node: Node) -> Str:
    start, end = node.byte_range
    text = reader.text
    quote = text[start : start + 1]
    closed = end - start >= 2 and text[end - 1] == quote
    return Str(Span(start, end), (literal_piece(text, start + 1, end - 1 if closed else end),), quote)


def identifier_string(reader: Reader, node: Node) -> Str:
    """A name that stands where a string could: the key of an object."""
    start, end = node.byte_range
    return Str(Span(start, end), (Piece(reader.text[start:end], ((0, start), (end - start, end))),))


def template(reader: Reader, node: Node, *, raw: bool = False) -> Str:
    """A template literal, or a template literal type."""
    start, end = node.byte_range
    text = reader.text
    closed = end - start >= 2 and text[end - 1] == "`"
    position, stop = start + 1, end - 1 if closed else end
    pieces: list[Piece | Hole] = []
    if "$" in text[position:stop]:
        for child in node.named_children:
            kind = child.type
            if kind not in ("template_substitution", "template_type"):
                continue
            at = child.start_byte
            if at > position:
                pieces.append(literal_piece(text, position, at, raw=raw))
            inside = reader.solid(child)
            if not inside:
                value: Expr = Opaque(Span(*child.byte_range))
            elif kind == "template_type":
                value = reader.type(inside[0])
            else:
                value = reader.expr(inside[0])
            pieces.append(Hole(value))
            position = child.end_byte
    if position < stop or not pieces:
        pieces.append(literal_piece(text, position, max(position, stop), raw=raw))
    return Str(Span(start, end), tuple(pieces), "`")


# ---------------------------------------------------------------- JSX


def jsx_element(reader: Reader, node: Node) -> Expr:
    """An element: its component, its attributes as a `Map`, its words and what stands between them as a `Str`."""
    parts: list[Expr] = []
    pieces: list[Piece | Hole] = []
    words = False
    position: int | None = None
    for child in node.children:
        kind = child.type
        if kind in ("jsx_text", "html_character_reference"):
            if position is None:
                position = child.start_byte
            continue
        if position is not None:
            words = _words(reader, position, child.start_byte, pieces) or words
            position = None
        if kind == "jsx_opening_element":
            parts.extend(_tag(reader, child))
        elif kind == "jsx_expression":
            pieces.extend(Hole(_inside(reader, inner)) for inner in reader.solid(child))
        elif kind in ("jsx_element", "jsx_self_closing_element"):
            pieces.append(Hole(reader.expr(child)))
    if words:
        first, last = pieces[0], pieces[-1]
        start = first.places[0][1] if isinstance(first, Piece) else first.value.span.start
        end = last.places[-1][1] if isinstance(last, Piece) else last.value.span.end
        parts.append(Str(Span(start, end), tuple(pieces)))
    else:
        parts.extend(piece.value for piece in pieces if isinstance(piece, Hole))
    return Opaque(Span(*node.byte_range), tuple(parts))


def jsx_self_closing(reader: Reader, node: Node) -> Expr:
    return Opaque(Span(*node.byte_range), tuple(_tag(reader, node)))


def _words(reader: Reader, start: int, end: int, pieces: list[Piece | Hole]) -> bool:
    piece = jsx_piece(reader.text, start, end)
    if piece is None:
        return False
    pieces.append(piece)
    return bool(piece.text.strip())


def _inside(reader: Reader, node: Node) -> Expr:
    if node.type == "spread_element":
        inside = reader.solid(node)
        return reader.expr(inside[0]) if inside else Opaque(Span(*node.byte_range))
    return reader.expr(node)


def _tag(reader: Reader, node: Node) -> list[Expr]:
    """The component that a tag names, unless it is an element of the page, and its attributes."""
    parts: list[Expr] = []
    entries: list[Entry] = []
    name = node.child_by_field_name("name")
    if name is not None and not (name.type == "identifier" and reader.text[name.start_byte].islower()):
        parts.append(reader.expr(name))
    for child in node.named_children:
        span = Span(*child.byte_range)
        if child.type == "jsx_attribute":
            entries.extend(_attribute(reader, child, span))
        elif child.type == "jsx_expression":
            entries.extend(Entry(None, _inside(reader, inner), span) for inner in reader.solid(child))
    if entries:
        parts.append(Map(Span(entries[0].span.start, entries[-1].span.end), tuple(entries)))
    return parts


def _attribute(reader: Reader, node: Node, span: Span) -> list[Entry]:
    solid = reader.solid(node)
    if not solid:
        return []
    key = identifier_string(reader, solid[0])
    if len(solid) == 1:
        return []
    value = solid[1]
    if value.type == "string":
        start, end = value.byte_range
        piece = entity_piece(reader.text, start + 1, max(start + 1, end - 1))
        return [Entry(key, Str(Span(start, end), (piece,), reader.text[start : start + 1]), span)]
    if value.type == "jsx_expression":
        inside = reader.solid(value)
        return [Entry(key, reader.named(child, reader.word(solid[0]), key.span), span) for child in inside[:1]]
    return [Entry(key, reader.expr(value), span)]
