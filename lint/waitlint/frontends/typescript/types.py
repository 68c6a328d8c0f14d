"""Types, which are expressions like any other."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from tree_sitter import Node

from waitlint.facts import Attr, Entry, Expr, Index, Map, Name, Opaque, Seq, Span, Unary
from waitlint.frontends.typescript.chains import join
from waitlint.frontends.typescript.classes import signature_type, with_arguments
from waitlint.frontends.typescript.expressions import key_expr
from waitlint.frontends.typescript.strings import template

if TYPE_CHECKING:
    from waitlint.frontends.typescript.reader import Reader


def name(reader: Reader, node: Node) -> Expr:
    start, end = node.byte_range
    word = reader.text[start:end]
    # What `import("x")` was turned into so that the grammar would take it.
    return Opaque(Span(start, end)) if "(" in word else Name(Span(start, end), word)


def _named(reader: Reader, node: Node) -> Expr:
    return name(reader, node) if node.type == "identifier" else reader.type(node)


def dotted(reader: Reader, node: Node) -> Expr:
    """`a.b.C`."""
    parts = []
    while node.type in ("nested_type_identifier", "nested_identifier"):
        solid = reader.solid(node)
        if len(solid) != 2:
            return reader.other(node)
        parts.append((node, solid[1]))
        node = solid[0]
    value = _named(reader, node)
    for whole, last in reversed(parts[-40:]):
        value = Attr(Span(*whole.byte_range), value, reader.word(last), Span(*last.byte_range))
    return value


def generic(reader: Reader, node: Node) -> Expr:
    solid = reader.solid(node)
    if not solid:
        return Opaque(Span(*node.byte_range))
    base = reader.type(solid[0])
    return with_arguments(reader, base, solid[1]) if len(solid) > 1 else base


def union(reader: Reader, node: Node) -> Expr:
    return _joined(reader, node, "|")


def intersection(reader: Reader, node: Node) -> Expr:
    return _joined(reader, node, "&")


def _joined(reader: Reader, node: Node, op: str) -> Expr:
    kind = node.type
    operands: list[Node] = []
    while node.type == kind:
        solid = reader.solid(node)
        if not solid:
            break
        operands.extend(reversed(solid[1:]))
        node = solid[0]
    else:
        operands.append(node)
    values = [reader.type(operand) for operand in reversed(operands)]
    joined = join(op, values) if values else None
    return joined if joined is not None else Opaque(Span(*node.byte_range), tuple(values))


def array(reader: Reader, node: Node) -> Expr:
    span = Span(*node.byte_range)
    solid = reader.solid(node)
    return Index(span, Name(span, "Array"), _named(reader, solid[0])) if solid else Opaque(span)


def tuple_(reader: Reader, node: Node) -> Expr:
    return Seq(Span(*node.byte_range), tuple([reader.type(child) for child in reader.solid(node)]))


def tuple_member(reader: Reader, node: Node) -> Expr:
    annotation = reader.annotation(node.child_by_field_name("type"))
    return annotation if annotation is not None else Opaque(Span(*node.byte_range))


def wrapped(reader: Reader, node: Node) -> Expr:
    """What only stands around another type."""
    solid = reader.solid(node)
    return reader.type(solid[-1]) if solid else Opaque(Span(*node.byte_range))


def literal(reader: Reader, node: Node) -> Expr:
    solid = reader.solid(node)
    return reader.expr(solid[0]) if solid else Opaque(Span(*node.byte_range))


def object_type(reader: Reader, node: Node) -> Expr:
    entries: list[Entry] = []
    for child in reader.solid(node):
        span = Span(*child.byte_range)
        key = child.child_by_field_name("name")
        if child.type == "index_signature":
            value = reader.annotation(child.child_by_field_name("type"))
            kinds = child.child_by_field_name("index_type")
            parts = (reader.type(kinds),) if kinds is not None else ()
            entries.append(Entry(Opaque(span, parts), value if value is not None else Opaque(span), span))
        elif key is not None:
            entries.append(Entry(key_expr(reader, key), signature_type(reader, child), span))
    return Map(Span(*node.byte_range), tuple(entries))


def query(reader: Reader, node: Node) -> Expr:
    """`typeof x`."""
    span = Span(*node.byte_range)
    solid = reader.solid(node)
    return Unary(span, "typeof", _named(reader, solid[0])) if solid else Opaque(span)


def lookup(reader: Reader, node: Node) -> Expr:
    """`T["key"]`."""
    solid = reader.solid(node)
    span = Span(*node.byte_range)
    if len(solid) != 2:
        return Opaque(span)
    return Index(span, reader.type(solid[0]), reader.type(solid[1]))


def predefined(reader: Reader, node: Node) -> Expr:
    return Name(Span(*node.byte_range), reader.word(node))


def other(reader: Reader, node: Node) -> Expr:
    """A function type, a conditional type and the like, with the types in it."""
    parts: list[Expr] = []
    waiting = list(reversed(reader.solid(node)))
    while waiting:
        child = waiting.pop()
        kind = child.type
        if kind in _HOLDERS:
            waiting.extend(reversed(reader.solid(child)))
        elif kind in TYPES:
            parts.append(reader.type(child))
    return Opaque(Span(*node.byte_range), tuple(parts))


# Nodes inside types that are no types but hold some.
_HOLDERS = frozenset(
    {
        "formal_parameters",
        "required_parameter",
        "optional_parameter",
        "type_annotation",
        "type_predicate_annotation",
        "asserts_annotation",
        "opting_type_annotation",
        "omitting_type_annotation",
        "adding_type_annotation",
        "constraint",
        "mapped_type_clause",
    }
)

TYPES: dict[str, Callable[[Reader, Node], Expr]] = {
    "type_identifier": name,
    "nested_type_identifier": dotted,
    "nested_identifier": dotted,
    "predefined_type": predefined,
    "this_type": predefined,
    "generic_type": generic,
    "union_type": union,
    "intersection_type": intersection,
    "array_type": array,
    "tuple_type": tuple_,
    "required_parameter": tuple_member,
    "optional_parameter": tuple_member,
    "optional_type": wrapped,
    "rest_type": wrapped,
    "readonly_type": wrapped,
    "parenthesized_type": wrapped,
    "flow_maybe_type": wrapped,
    "literal_type": literal,
    "template_literal_type": template,
    "object_type": object_type,
    "type_query": query,
    "lookup_type": lookup,
    "function_type": other,
    "constructor_type": other,
    "conditional_type": other,
    "index_type_query": other,
    "infer_type": other,
    "type_predicate": other,
    "asserts": other,
    "existential_type": other,
    "method_signature": other,
    "abstract_method_signature": other,
    "call_signature": other,
    "construct_signature": other,
}
