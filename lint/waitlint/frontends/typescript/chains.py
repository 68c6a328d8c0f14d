"""Chains that programs write flat and grammars nest: `a.b().c()`, `a + b + c`, `a | b | c`.

They are read without recursion. A long chain of an operator becomes a balanced tree where that says the same.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import lshift, rshift, xor
from typing import TYPE_CHECKING

from tree_sitter import Node

from waitlint.facts import Arg, Attr, Await, Binary, Call, Const, Expr, Index, Name, Opaque, Span, Str, Unary
from waitlint.frontends.typescript.strings import is_raw_tag, template
from waitlint.frontends.typescript.syntax import NO_PART

if TYPE_CHECKING:
    from waitlint.frontends.typescript.reader import Reader

# Chains up to this length are nested as they are written.
MAX_NESTED = 24
# Links of a chain of calls that are kept; the inner ones beyond become one `Opaque`.
MAX_LINKS = 80

_LINKS = frozenset({"member_expression", "call_expression", "subscript_expression"})
# What a function is bound to without being handed anything that it does not have.
_NOBODY = frozenset({"this", "null", "undefined"})
# What can't stand before a call without parentheses, and where its last operand is.
_OPERAND = {"await_expression": "argument", "unary_expression": "argument", "binary_expression": "right"}

OPERATORS = {
    "===": "==",
    "!==": "!=",
    "&&": "and",
    "||": "or",
    **{op: op for op in ("+", "-", "*", "/", "%", "**", "<", "<=", ">", ">=", "==", "!=", "in", "??", "|", "&")},
}
# The facts have no word for these; between two numbers as written they are a number.
_BITS: dict[str, Callable[[int, int], int]] = {"<<": lshift, ">>": rshift, ">>>": rshift, "^": xor}
UNARY = {"!": "not", "-": "-", "+": "+", "~": "~", "typeof": "typeof"}
_ASSOCIATIVE = frozenset({"and", "or", "??", "|", "&", "*"})


# ---------------------------------------------------------------- calls and members


def chain(reader: Reader, node: Node) -> Expr:
    """`a.b`, `a[b]`, `a(b)` and what is built of them."""
    links: list[Node] = []
    prefixes: list[Node] = []
    kind = node.type
    while True:
        if kind in _LINKS:
            links.append(node)
            inner = node.children[0]
            kind = inner.type
            if kind == "identifier":
                node = inner
                break
            if kind in NO_PART:
                solid = reader.solid(node)
                if not solid:
                    break
                inner = solid[0]
                kind = inner.type
            node = inner
        elif kind in _OPERAND:
            # The grammar reads `await f<T>(x)` as `(await f)<T>(x)`, and so with all operators that bind tightly.
            operand = node.child_by_field_name(_OPERAND[kind]) or node.named_children[-1]
            prefixes.append(node)
            node = operand
            kind = node.type
        else:
            bare = reader.bare(node)
            kind = bare.type
            if kind not in _LINKS:
                break
            node = bare
    start = node.start_byte if prefixes else None
    depth = reader.depth
    kept = len(links) if len(links) <= MAX_LINKS else MAX_LINKS
    reader.depth = depth + kept
    value = reader.expr(node)
    if kept < len(links):
        value = Opaque(Span(*links[kept].byte_range), (value, *_inner_parts(reader, links[kept:])))
    for index in range(kept - 1, -1, -1):
        reader.depth = depth + index
        link = links[index]
        value = _link(reader, link, value, Span(*link.byte_range) if start is None else Span(start, link.end_byte))
    reader.depth = depth
    for prefix in reversed(prefixes):
        value = _prefixed(reader, prefix, value)
    return value


def _inner_parts(reader: Reader, links: list[Node]) -> list[Expr]:
    """The expressions in the inner links of a chain that is too long, in order."""
    parts: list[Expr] = []
    for link in reversed(links):
        for child in reader.solid(link)[1:]:
            if child.type == "arguments":
                parts.extend(arg.value for arg in arguments(reader, child))
            elif child.type == "template_string" or link.type == "subscript_expression":
                parts.append(reader.expr(child))
    return parts


def _prefixed(reader: Reader, prefix: Node, value: Expr) -> Expr:
    span = Span(prefix.start_byte, value.span.end)
    if prefix.type == "await_expression":
        return Await(span, value)
    fields = reader.fields(prefix, "operator", "left")
    if prefix.type == "binary_expression" and len(fields) == 2:
        return _operation(span, reader.word(fields[0]), reader.expr(fields[1]), value)
    op = UNARY.get(reader.word(fields[0])) if fields else None
    return Unary(span, op, value) if op is not None else Opaque(span, (value,))


def _link(reader: Reader, node: Node, base: Expr, span: Span) -> Expr:
    last = node.children[-1]
    ending = last.type
    if ending == "arguments":
        args = arguments(reader, last)
        return bound if (bound := _bound(reader, base, args)) is not None else Call(span, base, args)
    if ending == "property_identifier" or ending == "private_property_identifier":
        start, end = last.byte_range
        return Attr(span, base, reader.text[start:end], Span(start, end))
    kind = node.type
    if kind == "call_expression" and ending == "template_string":
        raw = is_raw_tag(reader, node.children[0])
        return Call(span, base, (Arg(template(reader, last, raw=raw)),))
    if kind != "subscript_expression":
        return Opaque(span, (base,))
    key = node.child_by_field_name("index")
    return Index(span, base, Opaque(span) if key is None else reader.expr(key))


def _bound(reader: Reader, func: Expr, args: tuple[Arg, ...]) -> Expr | None:
    """`this.look` of `this.look.bind(this)`, `server.tool` of `server.tool.bind(server)`: the same function."""
    if not isinstance(func, Attr) or func.name != "bind" or len(args) != 1 or args[0].spread:
        return None
    method, span = func.base, args[0].value.span
    given = reader.text[span.start : span.end]
    if isinstance(method, Attr) and reader.text[method.base.span.start : method.base.span.end] == given:
        return method
    return method if isinstance(method, Attr | Name) and given in _NOBODY else None


def arguments(reader: Reader, node: Node) -> tuple[Arg, ...]:
    found = []
    for child in node.named_children:
        kind = child.type
        if kind == "spread_element":
            found.append(Arg(spread_value(reader, child), spread=True))
        elif kind not in NO_PART:
            found.append(Arg(reader.expr(child)))
    return tuple(found)


def spread_value(reader: Reader, node: Node) -> Expr:
    solid = reader.solid(node)
    return reader.expr(solid[0]) if solid else Opaque(Span(*node.byte_range))


# ---------------------------------------------------------------- operators


def binary(reader: Reader, node: Node) -> Expr:
    """A chain of operators, left to right."""
    links: list[tuple[Span, str, Node]] = []
    while node.type == "binary_expression":
        children = node.children
        if len(children) != 3:
            children = reader.fields(node, "left", "operator", "right")
            if len(children) != 3:
                break
        left, operator, last = children
        links.append((Span(*node.byte_range), reader.text[operator.start_byte : operator.end_byte], last))
        node = left if left.type == "identifier" else reader.bare(left)
    if not links:
        return reader.other(node)
    depth = reader.depth
    reader.depth = depth + min(len(links), MAX_NESTED)
    value = reader.expr(node)
    rights = [(span, op, reader.expr(last)) for span, op, last in reversed(links)]
    reader.depth = depth
    if len(links) > MAX_NESTED:
        return _long(value, rights)
    for span, op, right in rights:
        value = _operation(span, op, value, right)
    return value


def _operation(span: Span, operator: str, left: Expr, right: Expr) -> Expr:
    op = OPERATORS.get(operator)
    if op is not None:
        return Binary(span, op, left, right)
    fold = _BITS.get(operator)
    if fold is not None and isinstance(left, Const) and isinstance(right, Const):
        a, b = left.value, right.value
        if isinstance(a, int) and isinstance(b, int) and 0 <= a < 2**31 and 0 <= b < 32 and fold(a, b) < 2**31:
            return Const(span, fold(a, b))
    return Opaque(span, (left, right))


def _long(value: Expr, rights: list[tuple[Span, str, Expr]]) -> Expr:
    """A chain too long to be nested: runs of one operator are balanced, or all of it becomes `Opaque`."""
    position = runs = 0
    while position < len(rights):
        operator = rights[position][1]
        end = position
        while end < len(rights) and rights[end][1] == operator:
            end += 1
        operands = [value, *(right for _, _, right in rights[position:end])]
        joined = join(OPERATORS.get(operator, ""), operands)
        runs += 1
        if joined is None or runs > MAX_NESTED:
            return Opaque(rights[-1][0], (value, *(right for _, _, right in rights[position:])))
        value, position = joined, end
    return value


def join(op: str, operands: list[Expr]) -> Expr | None:
    """`a op b op c …`. None without operands, and where it can only be nested as it is written and is long."""
    if not operands:
        return None
    if len(operands) <= MAX_NESTED:
        value = operands[0]
        for right in operands[1:]:
            value = Binary(Span(value.span.start, right.span.end), op, value, right)
        return value
    if op in _ASSOCIATIVE:
        return _balanced(op, operands)
    if op == "+":
        # `x + (s + y)` is `x + s + y` where `s` is a string: so each string may begin a group of its own.
        groups: list[list[Expr]] = [[operands[0]]]
        for operand in operands[1:]:
            if isinstance(operand, Str):
                groups.append([operand])
            else:
                groups[-1].append(operand)
        if all(len(group) <= MAX_NESTED for group in groups):
            return _balanced(op, [joined for group in groups if (joined := join(op, group)) is not None])
    return None


def _balanced(op: str, operands: list[Expr]) -> Expr:
    if len(operands) == 1:
        return operands[0]
    middle = len(operands) // 2
    left, right = _balanced(op, operands[:middle]), _balanced(op, operands[middle:])
    return Binary(Span(left.span.start, right.span.end), op, left, right)
