"""What the readers of expressions and statements share: the text, what was found so far, and how deep it stands."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from typing import Any

from tree_sitter import Node

from waitlint.facts import Class, Expr, Function, Name, Opaque, Span, Stmt
from waitlint.frontends.python.grammar import ERROR, EXTRAS, ids

# What is nested deeper is left out: neither this front end nor anything that walks the facts may run out of stack.
MAX_DEPTH = 150

# Filled by the modules that read expressions: the reader of each node kind, but identifiers.
EXPRESSIONS: dict[int, Callable[[Any, Node], Expr]] = {}

_IDENTIFIER, _LAMBDA = ids("identifier"), ids("lambda")


class Reader:
    """Reads one file. What a node becomes is said by the classes built on this one."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.functions: list[Function] = []
        self.classes: list[Class] = []
        self.function: int | None = None
        self.yields = False
        self.depth = 0
        self.deepest: int | None = None

    def lambda_(self, node: Node, name: str = "") -> Expr:
        raise NotImplementedError

    def block(self, node: Node) -> tuple[Stmt, ...]:
        raise NotImplementedError

    # ------------------------------------------------------------ the way in

    def expr(self, node: Node) -> Expr:
        kind = node.kind_id
        if kind in _IDENTIFIER:
            start, end = node.byte_range
            if start != end:
                return Name(Span(start, end), self.name(start, end))
        handler = EXPRESSIONS.get(kind)
        if handler is None:
            return self.opaque(node)
        depth = self.depth
        if depth >= MAX_DEPTH:
            return self.too_deep(node)
        self.depth = depth + 1
        value: Expr = handler(self, node)
        self.depth = depth
        return value

    def too_deep(self, node: Node) -> Opaque:
        if self.deepest is None:
            self.deepest = node.start_byte
        return Opaque(Span(*node.byte_range))

    def opaque(self, node: Node) -> Expr:
        """An expression without a word of its own, with what is in it. In broken code, the one thing in it."""
        if self.depth >= MAX_DEPTH:
            return self.too_deep(node)
        self.depth += 1
        parts = self.exprs(node)
        self.depth -= 1
        if len(parts) == 1 and node.kind_id == ERROR:
            return parts[0]
        return Opaque(Span(*node.byte_range), parts)

    def exprs(self, node: Node) -> tuple[Expr, ...]:
        """All expressions that stand directly in a node."""
        return tuple([self.expr(child) for child in node.named_children if child.kind_id not in EXTRAS])

    def name(self, start: int, end: int) -> str:
        name = self.text[start:end]
        return name if name.isascii() else unicodedata.normalize("NFKC", name)

    def named(self, node: Node, name: str) -> Expr:
        """The expression bound to a name, which a lambda takes for its own."""
        return self.lambda_(node, name) if node.kind_id in _LAMBDA else self.expr(node)

    def significant(self, node: Node) -> list[Node]:
        """All children but comments and line continuations."""
        return [child for child in node.children if child.kind_id not in EXTRAS]
