"""Reading what the grammar did not understand: whatever is whole inside it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tree_sitter import Node

from waitlint.facts import Assign, Do, Expr, Name, Return, Span, Stmt
from waitlint.frontends.typescript.functions import decorator, key_name, method
from waitlint.frontends.typescript.syntax import COMMENTS

if TYPE_CHECKING:
    from waitlint.frontends.typescript.reader import Reader

# Parts of a broken construct that are looked into, as they say nothing by themselves.
_HOLDERS = frozenset(
    {
        "ERROR",
        "arguments",
        "class_body",
        "class_heritage",
        "else_clause",
        "catch_clause",
        "finally_clause",
        "switch_body",
        "switch_case",
        "switch_default",
        "variable_declarator",
        "template_substitution",
        "jsx_expression",
        "jsx_attribute",
        "jsx_opening_element",
        "export_clause",
        "spread_element",
        "object_pattern",
        "array_pattern",
        "object_assignment_pattern",
        "assignment_pattern",
        "computed_property_name",
        "enum_body",
        "enum_assignment",
        "import_clause",
        "named_imports",
    }
)
_FIELDS = frozenset({"pair", "public_field_definition", "pair_pattern"})
_BARE_NAMES = frozenset({"identifier", "property_identifier", "shorthand_property_identifier_pattern"})


def salvage(reader: Reader, error: Node, out: list[Stmt]) -> None:
    """Add the statements, functions and expressions in a broken node to `out`, in order."""
    waiting = [list(reversed(error.children))]
    bound: tuple[Node, str] | None = None
    while waiting:
        level = waiting[-1]
        if not level:
            waiting.pop()
            continue
        node = level.pop()
        kind = node.type
        if kind in _BARE_NAMES:
            bound = (node, "")
            continue
        if kind in ("=", ":") and bound is not None and bound[1] == "":
            bound = (bound[0], kind)
            continue
        target, bound = bound, None
        if not node.is_named or kind in COMMENTS or kind in reader.type_only:
            continue
        span = Span(*node.byte_range)
        if kind in _HOLDERS:
            if node.is_error:
                reader.salvaged.add(node.byte_range)
            waiting.append(list(reversed(node.children)))
        elif kind == "decorator":
            value = decorator(reader, node)
            if value is not None:
                out.append(Do(span, value))
        elif kind == "method_definition":
            found: Expr = method(reader, node, owner=None, decorators=()).func
            out.append(Do(span, found))
        elif kind in _FIELDS:
            _field(reader, node, span, out)
        elif kind in reader.statement_kinds:
            out.extend(reader.block((node,)))
        elif target is not None and target[1]:
            _bind(reader, target[0], target[1], node, out)
        else:
            out.append(Do(span, reader.expr(node)))


def _field(reader: Reader, node: Node, span: Span, out: list[Stmt]) -> None:
    """A key with its value, outside of the object or class that it belonged to."""
    key = node.child_by_field_name("key") or node.child_by_field_name("name")
    value = node.child_by_field_name("value")
    if value is None or value.type.endswith("pattern"):
        return
    at = Span(*key.byte_range) if key is not None else span
    out.append(Do(span, reader.named(value, key_name(reader, key), at)))


def _bind(reader: Reader, target: Node, by: str, node: Node, out: list[Stmt]) -> None:
    """`name = value` or `name: value`."""
    at = Span(*target.byte_range)
    span = Span(at.start, node.end_byte)
    name = reader.word(target)
    value = reader.named(node, name, at)
    out.append(Do(span, Assign(span, Name(at, name), value) if by == "=" else value))


def outside_functions(body: list[Stmt]) -> list[Stmt]:
    """Statements for the end of a module, where nothing returns."""
    return [
        Do(stmt.span, stmt.value) if isinstance(stmt, Return) and stmt.value is not None else stmt
        for stmt in body
        if not (isinstance(stmt, Return) and stmt.value is None)
    ]
