"""Expressions: what each kind of node means."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from tree_sitter import Node

from waitlint.facts import (
    Assign,
    Attr,
    Await,
    Call,
    Cond,
    Const,
    Do,
    Entry,
    Expr,
    Map,
    Name,
    Opaque,
    Seq,
    Span,
    Spread,
    Stmt,
    Str,
    Unary,
    Yield,
)
from waitlint.frontends.typescript.chains import OPERATORS, UNARY, arguments, binary, chain, spread_value
from waitlint.frontends.typescript.classes import class_expression
from waitlint.frontends.typescript.functions import function_expression, method
from waitlint.frontends.typescript.literals import number as number_value
from waitlint.frontends.typescript.patterns import PATTERNS, destructure
from waitlint.frontends.typescript.strings import (
    identifier_string,
    jsx_element,
    jsx_self_closing,
    string,
    template,
)
from waitlint.frontends.typescript.syntax import COMMENTS, NO_PART

if TYPE_CHECKING:
    from waitlint.frontends.typescript.reader import Reader

# Nodes that hold no expression for the program to evaluate.
TYPE_ONLY = COMMENTS | {
    "type_annotation",
    "type_arguments",
    "type_parameters",
    "type_identifier",
    "predefined_type",
    "formal_parameters",
    "accessibility_modifier",
    "override_modifier",
    "statement_identifier",
    "property_identifier",
    "regex_pattern",
    "regex_flags",
    "optional_chain",
    "implements_clause",
    "import_attribute",
}


def word(reader: Reader, node: Node) -> Expr:
    """A name, also `this`, `super` and `import`."""
    start, end = node.byte_range
    return Name(Span(start, end), reader.text[start:end]) if start != end else Opaque(Span(start, end))


def nothing(reader: Reader, node: Node) -> Expr:
    return Const(Span(*node.byte_range), None)


def true(reader: Reader, node: Node) -> Expr:
    return Const(Span(*node.byte_range), True)


def false(reader: Reader, node: Node) -> Expr:
    return Const(Span(*node.byte_range), False)


def number(reader: Reader, node: Node) -> Expr:
    span = Span(*node.byte_range)
    value = number_value(reader.text[span.start : span.end])
    return Opaque(span) if value is None else Const(span, value)


def regex(reader: Reader, node: Node) -> Expr:
    return Opaque(Span(*node.byte_range))


def meta_property(reader: Reader, node: Node) -> Expr:
    """`import.meta`, `new.target`."""
    first, last = node.children[0], node.children[-1]
    base = Name(Span(*first.byte_range), reader.word(first))
    return Attr(Span(*node.byte_range), base, reader.word(last), Span(*last.byte_range))


def new(reader: Reader, node: Node) -> Expr:
    span = Span(*node.byte_range)
    constructor, given = node.child_by_field_name("constructor"), node.child_by_field_name("arguments")
    if constructor is None:
        return reader.other(node)
    return Call(span, reader.expr(constructor), arguments(reader, given) if given is not None else (), new=True)


def await_(reader: Reader, node: Node) -> Expr:
    solid = reader.solid(node)
    span = Span(*node.byte_range)
    return Await(span, reader.expr(solid[0]) if solid else Opaque(span))


def yield_(reader: Reader, node: Node) -> Expr:
    span = Span(*node.byte_range)
    solid = reader.solid(node)
    if not solid:
        return Yield(span, None)
    value = reader.expr(solid[0])
    if any(child.type == "*" for child in node.children):
        value = Spread(value.span, value)
    return Yield(span, value)


def unary(reader: Reader, node: Node) -> Expr:
    span = Span(*node.byte_range)
    argument = node.child_by_field_name("argument")
    if argument is None:
        return reader.other(node)
    operator = reader.word(node.children[0])
    if operator == "void" and argument.type == "number":
        return Const(span, None)
    value = reader.expr(argument)
    op = UNARY.get(operator)
    return Unary(span, op, value) if op is not None else Opaque(span, (value,))


def ternary(reader: Reader, node: Node) -> Expr:
    children = node.children
    if len(children) == 5:
        test, then, orelse = children[0], children[2], children[4]
    else:
        children = reader.fields(node, "condition", "consequence", "alternative")
        if len(children) != 3:
            return reader.other(node)
        test, then, orelse = children
    return Cond(Span(*node.byte_range), reader.expr(test), reader.expr(then), reader.expr(orelse))


def update(reader: Reader, node: Node) -> Expr:
    """`i++`, `--i`."""
    argument, operator = node.child_by_field_name("argument"), node.child_by_field_name("operator")
    if argument is None or operator is None:
        return reader.other(node)
    one = Const(Span(*operator.byte_range), 1)
    return Assign(Span(*node.byte_range), reader.expr(argument), one, reader.word(operator)[0])


def assignment(reader: Reader, node: Node) -> Expr:
    """An assignment where its value is used, or one to a single target."""
    span = Span(*node.byte_range)
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None or right is None:
        return reader.other(node)
    left = reader.bare(left)
    if left.type in PATTERNS:
        value = reader.expr(right)
        carrier = reader.made_up_name(value.span)
        steps: list[Stmt] = []
        destructure(reader, left, carrier, steps)
        parts = [step.value for step in steps if isinstance(step, Do)]
        return Opaque(span, (Assign(span, carrier, value), *parts))
    target = reader.expr(left)
    if isinstance(target, Name):
        return Assign(span, target, reader.named(right, target.name, target.span))
    if isinstance(target, Attr):
        return Assign(span, target, reader.named(right, target.name, target.at))
    return Assign(span, target, reader.expr(right))


def augmented(reader: Reader, node: Node) -> Expr:
    span = Span(*node.byte_range)
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    operator = node.child_by_field_name("operator")
    if left is None or right is None or operator is None:
        return reader.other(node)
    written = reader.word(operator).removesuffix("=")
    target = reader.expr(left)
    value = reader.named(right, target.name, target.span) if isinstance(target, Name) else reader.expr(right)
    return Assign(span, target, value, OPERATORS.get(written, written))


def array(reader: Reader, node: Node) -> Expr:
    items: list[Expr] = []
    for child in node.named_children:
        kind = child.type
        if kind == "spread_element":
            items.append(Spread(Span(*child.byte_range), spread_value(reader, child)))
        elif kind not in NO_PART:
            items.append(reader.expr(child))
    return Seq(Span(*node.byte_range), tuple(items))


# ---------------------------------------------------------------- objects


def object_(reader: Reader, node: Node) -> Expr:
    entries: list[Entry] = []
    for child in node.named_children:
        kind = child.type
        span = Span(*child.byte_range)
        if kind == "pair":
            children = child.children
            if len(children) == 3:
                key, value = children[0], children[2]
            else:
                children = reader.fields(child, "key", "value")
                if len(children) != 2:
                    continue
                key, value = children
            named = key_expr(reader, key)
            name = named.literal if isinstance(named, Str) else None
            if name is None:
                entries.append(Entry(named, reader.expr(value), span))
            else:
                entries.append(Entry(named, reader.named(value, name, named.span), span))
        elif kind == "shorthand_property_identifier":
            entries.append(Entry(identifier_string(reader, child), Name(span, reader.word(child)), span))
        elif kind == "method_definition":
            entries.append(_object_method(reader, child, span))
        elif kind == "spread_element":
            entries.append(Entry(None, spread_value(reader, child), span))
        elif kind == "object_assignment_pattern":
            entries.extend(_shorthand_with_default(reader, child, span))
    return Map(Span(*node.byte_range), tuple(entries))


def _object_method(reader: Reader, node: Node, span: Span) -> Entry:
    """A method of an object. A getter is called, as reading its key does; a setter has a key of its own."""
    found = method(reader, node, owner=None, decorators=())
    key = key_expr(reader, found.key) if found.key is not None else Opaque(span)
    if found.kind == "get":
        return Entry(key, Call(span, found.func, ()), span)
    if found.kind == "set":
        return Entry(Opaque(key.span), found.func, span)
    return Entry(key, found.func, span)


def _shorthand_with_default(reader: Reader, node: Node, span: Span) -> list[Entry]:
    """`{a = 1}` outside of a pattern: broken code, of which the value is kept."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None or right is None:
        return []
    return [Entry(identifier_string(reader, left), reader.expr(right), span)]


def key_expr(reader: Reader, node: Node) -> Expr:
    """A key: a `Str` for a name or string, else what is computed."""
    kind = node.type
    if kind in ("property_identifier", "private_property_identifier"):
        return identifier_string(reader, node)
    if kind == "string":
        return string(reader, node)
    if kind == "computed_property_name":
        solid = reader.solid(node)
        return reader.expr(solid[0]) if solid else Opaque(Span(*node.byte_range))
    return reader.expr(node)


EXPRESSIONS: dict[str, Callable[[Reader, Node], Expr]] = {
    "identifier": word,
    "this": word,
    "super": word,
    "import": word,
    "private_property_identifier": word,
    "shorthand_property_identifier": word,
    "shorthand_property_identifier_pattern": word,
    "property_identifier": word,
    "undefined": nothing,
    "null": nothing,
    "true": true,
    "false": false,
    "number": number,
    "regex": regex,
    "string": string,
    "template_string": template,
    "member_expression": chain,
    "call_expression": chain,
    "subscript_expression": chain,
    "binary_expression": binary,
    "unary_expression": unary,
    "update_expression": update,
    "ternary_expression": ternary,
    "await_expression": await_,
    "yield_expression": yield_,
    "new_expression": new,
    "meta_property": meta_property,
    "assignment_expression": assignment,
    "augmented_assignment_expression": augmented,
    "array": array,
    "object": object_,
    "arrow_function": function_expression,
    "function_expression": function_expression,
    "generator_function": function_expression,
    "class": class_expression,
    "jsx_element": jsx_element,
    "jsx_self_closing_element": jsx_self_closing,
}
