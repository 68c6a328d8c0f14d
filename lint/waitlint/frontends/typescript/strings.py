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


def is_raw_tag(reader: Reader, node: Node) -> bool:
    """Whether a template after this tag has no escapes."""
    return reader.word(node) == "String.raw"


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
            piece = jsx_piece(reader.text, position, child.start_byte)
            if piece is not None:
                pieces.append(piece)
                words = words or not piece.text.isspace()
            position = None
        if kind == "jsx_opening_element":
            parts.extend(_tag(reader, child))
        elif kind == "jsx_expression":
            pieces.extend([Hole(reader.expr(_spread_or_self(reader, inner))) for inner in reader.solid(child)])
        elif kind in ("jsx_element", "jsx_self_closing_element"):
            pieces.append(Hole(reader.expr(child)))
    if words:
        first, last = pieces[0], pieces[-1]
        start = first.places[0][1] if isinstance(first, Piece) else first.value.span.start
        end = last.places[-1][1] if isinstance(last, Piece) else last.value.span.end
        parts.append(Str(Span(start, end), tuple(pieces)))
    else:
        parts.extend([piece.value for piece in pieces if isinstance(piece, Hole)])
    return Opaque(Span(*node.byte_range), tuple(parts))


def jsx_self_closing(reader: Reader, node: Node) -> Expr:
    return Opaque(Span(*node.byte_range), tuple(_tag(reader, node)))


def _spread_or_self(reader: Reader, node: Node) -> Node:
    """What a spread spreads, or the node itself."""
    if node.type == "spread_element":
        solid = reader.solid(node)
        return solid[0] if solid else node
    return node


def _tag(reader: Reader, node: Node) -> list[Expr]:
    """The component that a tag names, unless it is an element of the page, and its attributes."""
    parts: list[Expr] = []
    entries: list[Entry] = []
    name = node.child_by_field_name("name")
    if name is not None and not (name.type == "identifier" and reader.text[name.start_byte].islower()):
        parts.append(reader.expr(name))
    reader.depth += 1
    for child in node.named_children:
        if child.type == "jsx_attribute":
            entry = _attribute(reader, child)
            if entry is not None:
                entries.append(entry)
        elif child.type == "jsx_expression":
            for inner in reader.solid(child):
                spread = reader.expr(_spread_or_self(reader, inner))
                entries.append(Entry(None, spread, Span(*child.byte_range)))
    reader.depth -= 1
    if entries:
        parts.append(Map(Span(entries[0].span.start, entries[-1].span.end), tuple(entries)))
    return parts


def attribute_string(reader: Reader, node: Node) -> Str:
    start, end = node.byte_range
    piece = entity_piece(reader.text, start + 1, max(start + 1, end - 1))
    return Str(Span(start, end), (piece,), reader.text[start : start + 1])


def _attribute(reader: Reader, node: Node) -> Entry | None:
    solid = reader.solid(node)
    if len(solid) != 2:
        return None
    span = Span(*node.byte_range)
    key, value = identifier_string(reader, solid[0]), solid[1]
    if value.type == "string":
        return Entry(key, attribute_string(reader, value), span)
    if value.type == "jsx_expression":
        inside = reader.solid(value)
        return Entry(key, reader.named(inside[0], reader.word(solid[0]), key.span), span) if inside else None
    return Entry(key, reader.expr(value), span)
