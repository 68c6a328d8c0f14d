"""Destructuring: one assignment for each name that a pattern binds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tree_sitter import Node

from waitlint.facts import Assign, Attr, Binary, Const, Do, Entry, Expr, Index, Map, Name, Opaque, Span, Stmt, Str
from waitlint.frontends.typescript.strings import string
from waitlint.frontends.typescript.syntax import NO_PART

if TYPE_CHECKING:
    from waitlint.frontends.typescript.reader import Reader

PATTERNS = frozenset({"object_pattern", "array_pattern"})


def destructure(reader: Reader, pattern: Node, value: Expr, out: list[Stmt]) -> None:
    """Bind what `pattern` names to parts of `value`, which is an expression that may be repeated."""
    if pattern.type == "object_pattern":
        _object(reader, pattern, value, out)
    else:
        _array(reader, pattern, value, out)


def names(reader: Reader, pattern: Node) -> list[tuple[str, Span]]:
    """The names that a declaration binds."""
    found: list[tuple[str, Span]] = []
    waiting = [pattern]
    while waiting:
        node = waiting.pop()
        kind = node.type
        if kind in ("identifier", "shorthand_property_identifier_pattern"):
            found.append((reader.word(node), Span(*node.byte_range)))
        elif kind in ("pair_pattern", "assignment_pattern", "object_assignment_pattern"):
            field = "value" if kind == "pair_pattern" else "left"
            inner = node.child_by_field_name(field)
            if inner is not None:
                waiting.append(inner)
        elif kind in PATTERNS or kind == "rest_pattern":
            waiting.extend(reversed(node.named_children))
    return found


def _object(reader: Reader, pattern: Node, value: Expr, out: list[Stmt]) -> None:
    for child in pattern.named_children:
        kind = child.type
        span = Span(*child.byte_range)
        if kind == "shorthand_property_identifier_pattern":
            _bind(reader, child, Attr(span, value, reader.word(child), span), span, out)
        elif kind == "pair_pattern":
            key, target = child.child_by_field_name("key"), child.child_by_field_name("value")
            if key is not None and target is not None:
                _bind(reader, target, _part(reader, key, value), span, out)
        elif kind == "object_assignment_pattern":
            left = child.child_by_field_name("left")
            if left is not None:
                at = Span(*left.byte_range)
                part = Attr(at, value, reader.word(left), at)
                _bind(reader, left, _with_default(reader, child, part), span, out)
        elif kind == "rest_pattern":
            solid = reader.solid(child)
            if solid:
                _bind(reader, solid[-1], Map(span, (Entry(None, value, span),)), span, out)


def _array(reader: Reader, pattern: Node, value: Expr, out: list[Stmt]) -> None:
    position = 0
    for child in pattern.children:
        kind = child.type
        if kind == ",":
            position += 1
        elif child.is_named and kind not in NO_PART:
            span = Span(*child.byte_range)
            if kind == "rest_pattern":
                solid = reader.solid(child)
                if solid:
                    _bind(reader, solid[-1], Index(span, value, Opaque(span)), span, out)
            else:
                _bind(reader, child, Index(span, value, Const(span, position)), span, out)


def _part(reader: Reader, key: Node, value: Expr) -> Expr:
    """`value.key`, where the key may be quoted or computed."""
    span = Span(*key.byte_range)
    if key.type == "property_identifier":
        return Attr(span, value, reader.word(key), span)
    if key.type == "string":
        return Index(span, value, string(reader, key))
    if key.type == "computed_property_name":
        solid = reader.solid(key)
        return Index(span, value, reader.expr(solid[0]) if solid else Opaque(span))
    return Index(span, value, reader.expr(key))


def _with_default(reader: Reader, node: Node, part: Expr) -> Expr:
    left, default = node.child_by_field_name("left"), node.child_by_field_name("right")
    if default is None:
        return part
    at = Span(*left.byte_range) if left is not None else part.span
    reader.depth += 1
    value = reader.named(default, reader.text[at.start : at.end], at)
    reader.depth -= 1
    return Binary(Span(part.span.start, value.span.end), "??", part, value)


def _bind(reader: Reader, target: Node, part: Expr, span: Span, out: list[Stmt]) -> None:
    if target.type == "assignment_pattern":
        part = _with_default(reader, target, part)
        left = target.child_by_field_name("left")
        if left is None:
            return
        target = left
    target = reader.bare(target)
    if target.type not in PATTERNS:
        out.append(Do(span, Assign(span, reader.expr(target), part)))
        return
    depth = reader.depth
    reader.depth = depth + 1
    if not isinstance(part, Attr | Index) or (isinstance(part, Index) and not isinstance(part.key, Const | Str)):
        carrier = reader.made_up_name(span)
        out.append(Do(span, Assign(span, carrier, part)))
        part = carrier
    if depth >= reader.max_depth:
        out.append(Do(span, Assign(span, reader.too_deep(target), part)))
    else:
        destructure(reader, target, part, out)
    reader.depth = depth


def is_path(value: Expr) -> bool:
    """Whether an expression is a name or a dotted one, which may be repeated."""
    while isinstance(value, Attr):
        value = value.base
    return isinstance(value, Name)
