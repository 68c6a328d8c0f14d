"""Expressions: syntax nodes to facts."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from tree_sitter import Node

from waitlint.facts import (
    Arg,
    Assign,
    Attr,
    Await,
    Binary,
    Call,
    Comp,
    Cond,
    Const,
    Entry,
    Expr,
    Index,
    Map,
    Name,
    Opaque,
    Seq,
    Span,
    Spread,
    Str,
    Unary,
    Yield,
)
from waitlint.frontends.python.grammar import EXTRAS, by_kind, ids
from waitlint.frontends.python.reader import EXPRESSIONS, MAX_DEPTH
from waitlint.frontends.python.strings import Strings

# A chain of one operator longer than this becomes a balanced tree, which says the same and is not deep.
MAX_CHAIN = 24

_IDENTIFIER = ids("identifier")
_KEYWORD, _SPREADS = ids("keyword_argument"), ids("list_splat", "dictionary_splat", "parenthesized_list_splat")
_PAIR, _FOR, _IF = ids("pair"), ids("for_in_clause"), ids("if_clause")
_CHAINS = ids("binary_operator", "boolean_operator", "union_type")
_GENERATOR, _ARGUMENTS = ids("generator_expression"), ids("argument_list")
_OPERATORS = {
    "is": "==",
    "is not": "!=",
    "<>": "!=",
    **{op: op for op in ("+", "-", "*", "/", "//", "%", "**", "<", "<=", ">", ">=", "==", "!=", "in", "not in")},
    **{op: op for op in ("and", "or", "|", "&")},
}
_ASSOCIATIVE = {"+", "*", "and", "or", "|", "&"}


class Expressions(Strings):
    """Reads expressions other than strings."""

    # ------------------------------------------------------------ atoms

    def number(self, node: Node) -> Expr:
        start, end = node.byte_range
        span = Span(start, end)
        written = self.text[start:end].replace("_", "").rstrip("lL")
        value: int | float
        try:
            if written.isdigit():
                value = int(written, 8 if written[0] == "0" and written.strip("0") else 10)
            else:
                value = int(written, 0) if written[:2].lower() in ("0x", "0o", "0b") else float(written)
            if not -(2**63) <= value < 2**63:
                value = float(value)
        except (ValueError, OverflowError):
            return Opaque(span)
        return Const(span, value) if math.isfinite(value) else Opaque(span)

    def true(self, node: Node) -> Expr:
        return Const(Span(*node.byte_range), True)

    def false(self, node: Node) -> Expr:
        return Const(Span(*node.byte_range), False)

    def none(self, node: Node) -> Expr:
        return Const(Span(*node.byte_range), None)

    # ------------------------------------------------------------ names and calls
    # Outside of brackets the grammar takes `*a.b` for `(*a).b`: the star is moved out again.

    def attribute(self, node: Node) -> Expr:
        children = node.children
        if len(children) != 3:
            children = self.significant(node)
        base, name = children[0], children[-1]
        start, end = name.byte_range
        if name.kind_id not in _IDENTIFIER or len(children) != 3 or start == end:
            return self.opaque(node)
        owner = self.expr(base)
        span = Span(*node.byte_range)
        if isinstance(owner, Spread):
            owner = owner.value
            return Spread(span, Attr(Span(owner.span.start, span.end), owner, self.name(start, end), Span(start, end)))
        return Attr(span, owner, self.name(start, end), Span(start, end))

    def dotted_name(self, node: Node) -> Expr:
        start = node.start_byte
        value: Expr | None = None
        for child in node.named_children[:MAX_DEPTH]:
            if child.kind_id in _IDENTIFIER:
                at = Span(*child.byte_range)
                name = self.name(at.start, at.end)
                value = Name(at, name) if value is None else Attr(Span(start, at.end), value, name, at)
        return value or Opaque(Span(*node.byte_range))

    def call(self, node: Node) -> Expr:
        children = node.children
        if len(children) != 2:
            children = self.significant(node)
        arguments = children[-1]
        if arguments.kind_id in _ARGUMENTS:
            args = self.arguments(arguments)
        elif arguments.kind_id in _GENERATOR:
            args = (Arg(self.expr(arguments)),)
        else:
            return self.opaque(node)
        function = self.expr(children[0])
        span = Span(*node.byte_range)
        if isinstance(function, Spread):
            function = function.value
            return Spread(span, Call(Span(function.span.start, span.end), function, args))
        return Call(span, function, args)

    def arguments(self, node: Node) -> tuple[Arg, ...]:
        args: list[Arg] = []
        for child in node.named_children:
            kind = child.kind_id
            if kind in _KEYWORD:
                name, value = child.named_children[0], child.named_children[-1]
                args.append(Arg(self.expr(value), self.name(*name.byte_range)))
            elif kind in _SPREADS:
                spread = self.expr(child)
                args.append(Arg(spread.value if isinstance(spread, Spread) else spread, None, True))
            elif kind not in EXTRAS:
                args.append(Arg(self.expr(child)))
        return tuple(args)

    def keyword_argument(self, node: Node) -> Expr:
        """Met outside of a call in broken code alone."""
        return self.expr(node.named_children[-1])

    def subscript(self, node: Node) -> Expr:
        children = [child for child in node.named_children if child.kind_id not in EXTRAS]
        if len(children) < 2:
            return self.opaque(node)
        base = self.expr(children[0])
        span = Span(*node.byte_range)
        if isinstance(base, Spread):
            base = base.value
            return Spread(span, Index(Span(base.span.start, span.end), base, self.key(children[1:])))
        return Index(span, base, self.key(children[1:]))

    def key(self, nodes: Sequence[Node]) -> Expr:
        if len(nodes) == 1:
            return self.expr(nodes[0])
        return Seq(Span(nodes[0].start_byte, nodes[-1].end_byte), tuple([self.expr(node) for node in nodes]))

    # ------------------------------------------------------------ operators

    def chain(self, node: Node) -> Expr:
        """Operators that lean to the left, however many: the spine is walked, not descended."""
        end = node.end_byte
        start = node.start_byte
        spine: list[tuple[str | None, Node, int]] = []
        while True:
            children = node.children
            if len(children) != 3:
                children = self.significant(node)
                if len(children) != 3:
                    if not spine:
                        return self.opaque(node)
                    break
            node, operator, right = children
            spine.append((_OPERATOR_IDS.get(operator.kind_id), right, right.end_byte))
            if node.kind_id not in _CHAINS:
                break
        if len(spine) > MAX_CHAIN:
            operands = [self.expr(node), *[self.expr(right) for _, right, _ in reversed(spine)]]
            operators = {operator for operator, _, _ in spine}
            if len(operators) == 1 and (only := operators.pop()) in _ASSOCIATIVE:
                return self.balanced(only or "", operands)
            return Opaque(Span(start, end), tuple(operands))
        depth = self.depth
        self.depth += len(spine) - 1
        value = self.expr(node)
        for op, right, right_end in reversed(spine):
            span, second = Span(start, right_end), self.expr(right)
            value = Opaque(span, (value, second)) if op is None else Binary(span, op, value, second)
        self.depth = depth
        return value

    def balanced(self, op: str, operands: Sequence[Expr]) -> Expr:
        if len(operands) == 1:
            return operands[0]
        middle = (len(operands) + 1) // 2
        left, right = self.balanced(op, operands[:middle]), self.balanced(op, operands[middle:])
        return Binary(Span(left.span.start, right.span.end), op, left, right)

    def comparison(self, node: Node) -> Expr:
        children = node.children
        if len(children) != 3:
            children = self.significant(node)
        if len(children) < 3 or len(children) % 2 == 0 or len(children) > 2 * MAX_DEPTH:
            return self.opaque(node)
        pairs: list[Expr] = []
        left = self.expr(children[0])
        for index in range(1, len(children), 2):
            right = self.expr(children[index + 1])
            op = _OPERATOR_IDS.get(children[index].kind_id)
            span = Span(left.span.start, right.span.end)
            pairs.append(Opaque(span, (left, right)) if op is None else Binary(span, op, left, right))
            left = right
        return self.balanced("and", pairs)

    def unary(self, node: Node) -> Expr:
        children = self.significant(node)
        if len(children) != 2:
            return self.opaque(node)
        return Unary(Span(*node.byte_range), children[0].type, self.expr(children[1]))

    def conditional(self, node: Node) -> Expr:
        children = [child for child in node.named_children if child.kind_id not in EXTRAS]
        if len(children) != 3:
            return self.opaque(node)
        then, test, orelse = children
        return Cond(Span(*node.byte_range), self.expr(test), self.expr(then), self.expr(orelse))

    def await_(self, node: Node) -> Expr:
        children = self.significant(node)
        return Await(Span(*node.byte_range), self.expr(children[-1])) if len(children) == 2 else self.opaque(node)

    def yield_(self, node: Node) -> Expr:
        self.yields = True
        span = Span(*node.byte_range)
        children = self.significant(node)
        if len(children) == 1:
            return Yield(span, None)
        value = self.expr(children[-1])
        if children[1].type == "from":
            value = Spread(Span(children[1].start_byte, span.end), value)
        return Yield(span, value)

    def walrus(self, node: Node) -> Expr:
        children = self.significant(node)
        if len(children) != 3:
            return self.opaque(node)
        target = self.expr(children[0])
        name = target.name if isinstance(target, Name) else ""
        return Assign(Span(*node.byte_range), target, self.named(children[2], name))

    # ------------------------------------------------------------ collections

    def sequence(self, node: Node) -> Expr:
        return Seq(Span(*node.byte_range), self.exprs(node))

    def parenthesized(self, node: Node) -> Expr:
        children = [child for child in node.named_children if child.kind_id not in EXTRAS]
        return self.expr(children[0]) if len(children) == 1 else self.opaque(node)

    def spread(self, node: Node) -> Expr:
        children = [child for child in node.named_children if child.kind_id not in EXTRAS]
        if len(children) != 1:
            return self.opaque(node)
        value = self.expr(children[0])
        return value if isinstance(value, Spread) else Spread(Span(*node.byte_range), value)

    def dictionary(self, node: Node) -> Expr:
        entries: list[Entry] = []
        for child in node.named_children:
            if child.kind_id in EXTRAS:
                continue
            if child.kind_id in _PAIR:
                entries.append(self.entry(child))
            else:
                value = self.expr(child)
                spread = value.value if isinstance(value, Spread) else Opaque(value.span, (value,))
                entries.append(Entry(None, spread, Span(*child.byte_range)))
        return Map(Span(*node.byte_range), tuple(entries))

    def entry(self, node: Node) -> Entry:
        children = self.significant(node)
        span = Span(*node.byte_range)
        if len(children) != 3:
            return Entry(None, self.opaque(node), span)
        key = self.expr(children[0])
        name = key.literal if isinstance(key, Str) else ""
        return Entry(key, self.named(children[2], name or ""), span)

    def comprehension(self, node: Node) -> Expr:
        """More than one `for` is a comprehension in a comprehension."""
        span = Span(*node.byte_range)
        children = [child for child in node.named_children if child.kind_id not in EXTRAS]
        element: Expr
        if children and children[0].kind_id in _PAIR:
            entry = self.entry(children[0])
            element = Map(entry.span, (entry,))
        else:
            element = self.expr(children[0]) if children else Opaque(span)
        conditions: list[Expr] = []
        if len(children) > MAX_CHAIN:
            return self.opaque(node)
        for child in reversed(children[1:]):
            if child.kind_id in _IF:
                conditions.extend(reversed(self.exprs(child)))
            elif child.kind_id in _FOR:
                target, iterable = self.for_clause(child)
                element = Comp(span, element, target, iterable, tuple(reversed(conditions)))
                conditions.clear()
        return element if isinstance(element, Comp) else Opaque(span, (element, *conditions))

    def for_clause(self, node: Node) -> tuple[Expr, Expr]:
        children = [child for child in node.named_children if child.kind_id not in EXTRAS]
        if len(children) < 2:
            span = Span(*node.byte_range)
            return Opaque(span), Opaque(span, self.exprs(node))
        return self.expr(children[0]), self.key(children[1:])

    # ------------------------------------------------------------ types

    def transparent(self, node: Node) -> Expr:
        """A wrapper that the grammar needs and the facts do not."""
        children = [child for child in node.named_children if child.kind_id not in EXTRAS]
        return self.expr(children[0]) if len(children) == 1 else self.opaque(node)

    def generic(self, node: Node) -> Expr:
        children = [child for child in node.named_children if child.kind_id not in EXTRAS]
        if len(children) != 2:
            return self.opaque(node)
        keys = [child for child in children[1].named_children if child.kind_id not in EXTRAS]
        base = self.expr(children[0])
        return Index(Span(*node.byte_range), base, self.key(keys)) if keys else base


def _table(rows: Iterable[tuple[Callable[[Any, Node], Expr], str]]) -> dict[int, Callable[[Any, Node], Expr]]:
    return by_kind({kind: handler for handler, kinds in rows for kind in kinds.split()})


_OPERATOR_IDS = by_kind(_OPERATORS)
EXPRESSIONS.update(
    _table(
        [
            (Expressions.attribute, "attribute member_type"),
            (Expressions.call, "call"),
            (Expressions.number, "integer float"),
            (Expressions.true, "true"),
            (Expressions.false, "false"),
            (Expressions.none, "none"),
            (Expressions.dotted_name, "dotted_name"),
            (Expressions.keyword_argument, "keyword_argument"),
            (Expressions.subscript, "subscript"),
            (Expressions.chain, "binary_operator boolean_operator union_type"),
            (Expressions.comparison, "comparison_operator"),
            (Expressions.unary, "unary_operator not_operator"),
            (Expressions.conditional, "conditional_expression"),
            (Expressions.await_, "await"),
            (Expressions.yield_, "yield"),
            (Expressions.walrus, "named_expression"),
            (Expressions.sequence, "list tuple set expression_list pattern_list tuple_pattern list_pattern"),
            (Expressions.parenthesized, "parenthesized_expression"),
            (Expressions.spread, "list_splat dictionary_splat parenthesized_list_splat splat_type"),
            (Expressions.spread, "list_splat_pattern dictionary_splat_pattern"),
            (Expressions.dictionary, "dictionary"),
            (Expressions.comprehension, "list_comprehension set_comprehension dictionary_comprehension"),
            (Expressions.comprehension, "generator_expression"),
            (Expressions.transparent, "type chevron as_pattern_target"),
            (Expressions.generic, "generic_type"),
            (lambda reader, node: reader.lambda_(node), "lambda"),
        ]
    )
)
