"""Statements: syntax nodes to mini-programs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tree_sitter import Node

from waitlint.facts import (
    Arg,
    Assign,
    Attr,
    Call,
    Do,
    Expr,
    Handler,
    If,
    Import,
    Index,
    Jump,
    Loop,
    Name,
    Opaque,
    Raise,
    Return,
    Seq,
    Span,
    Stmt,
    Try,
    Unary,
    With,
)
from waitlint.frontends.python.definitions import Definitions
from waitlint.frontends.python.grammar import EXTRAS, by_kind, ids
from waitlint.frontends.python.reader import EXPRESSIONS, MAX_DEPTH

_BLOCK, _ELSE, _EXCEPT, _FINALLY = ids("block"), ids("else_clause"), ids("except_clause"), ids("finally_clause")
_ASSIGNMENT, _AUGMENTED, _ELLIPSIS = ids("assignment"), ids("augmented_assignment"), ids("ellipsis")
_ASYNC, _FROM = ids("async"), ids("from")
_AS, _WITH_CLAUSE, _WITH_ITEM = ids("as_pattern"), ids("with_clause"), ids("with_item")
_ALIASED, _DOTTED, _RELATIVE = ids("aliased_import"), ids("dotted_name"), ids("relative_import")
_WILDCARD, _FUTURE = ids("wildcard_import"), ids("__future__")
_MODULES = _DOTTED | _RELATIVE | _FUTURE


class Statements(Definitions):
    # ------------------------------------------------------------ bodies

    def block(self, node: Node) -> tuple[Stmt, ...]:
        depth = self.depth
        if depth >= MAX_DEPTH:
            self.too_deep(node)
            return ()
        self.depth = depth + 1
        body = self.statements(node.named_children)
        self.depth = depth
        return body

    def statements(self, nodes: Sequence[Node]) -> tuple[Stmt, ...]:
        out: list[Stmt] = []
        for node in nodes:
            handler = STATEMENTS.get(node.kind_id)
            if handler is not None:
                handler(self, node, out)
            elif node.kind_id not in EXTRAS:
                self.strays(node, out)
        return tuple(out)

    def strays(self, node: Node, out: list[Stmt]) -> None:
        """What can be made of a node that makes no sense to the grammar, or stands where it does not belong."""
        if self.depth >= MAX_DEPTH:
            self.too_deep(node)
            return
        self.depth += 1
        if node.kind_id in EXPRESSIONS:
            value = self.expr(node)
            out.append(Do(value.span, value))
        else:
            for child in node.named_children:
                kind = child.kind_id
                handler = STATEMENTS.get(kind)
                if handler is not None:
                    handler(self, child, out)
                elif kind not in EXTRAS:
                    self.strays(child, out)
        self.depth -= 1

    def clause(self, node: Node) -> tuple[Stmt, ...]:
        """The body of a clause, and what is broken before it."""
        body: list[Stmt] = []
        for child in node.named_children:
            if child.kind_id in _BLOCK:
                body.extend(self.block(child))
            elif child.is_error:
                self.strays(child, body)
        return tuple(body)

    # ------------------------------------------------------------ simple statements

    def expression(self, node: Node, out: list[Stmt]) -> None:
        children = node.named_children
        if len(children) != 1:
            children = [child for child in children if child.kind_id not in EXTRAS]
        if len(children) == 1:
            child = children[0]
            kind = child.kind_id
            if kind in _ASSIGNMENT:
                self.assignment(child, out)
            elif kind in _AUGMENTED:
                self.augmented(child, out)
            elif child.is_error:
                self.strays(child, out)
            elif kind not in _ELLIPSIS:
                value = self.expr(child)
                out.append(Do(value.span, value))
            return
        for child in children:
            if child.kind_id in _ASSIGNMENT or child.is_error:
                self.strays(node, out)
                return
        out.append(Do(Span(*node.byte_range), self.sequence(node)))

    def stray_assignment(self, node: Node, out: list[Stmt]) -> None:
        (self.assignment if node.kind_id in _ASSIGNMENT else self.augmented)(node, out)

    def return_(self, node: Node, out: list[Stmt]) -> None:
        children = [child for child in node.named_children if child.kind_id not in EXTRAS]
        value = self.key(children) if children else None
        out.append(Return(Span(*node.byte_range), value))

    def raise_(self, node: Node, out: list[Stmt]) -> None:
        """The cause is kept only where it does something."""
        values: list[Expr] = []
        cause: Expr | None = None
        after_from = False
        for child in node.children:
            if child.kind_id in _FROM:
                after_from = True
            elif child.is_named and child.kind_id not in EXTRAS:
                if after_from:
                    cause = self.expr(child)
                else:
                    values.append(self.expr(child))
        if isinstance(cause, Call):
            out.append(Do(cause.span, cause))
        span = Span(*node.byte_range)
        out.append(Raise(span, values[0] if len(values) == 1 else Opaque(span, tuple(values)) if values else None))

    def assert_(self, node: Node, out: list[Stmt]) -> None:
        span = Span(*node.byte_range)
        children = [child for child in node.named_children if child.kind_id not in EXTRAS]
        if not children:
            return
        test = self.expr(children[0])
        error = Call(span, Name(span, "AssertionError"), tuple([Arg(self.expr(child)) for child in children[1:]]))
        out.append(If(span, Unary(test.span, "not", test), (Raise(span, error),)))

    def break_(self, node: Node, out: list[Stmt]) -> None:
        out.append(Jump(Span(*node.byte_range), "break"))

    def continue_(self, node: Node, out: list[Stmt]) -> None:
        out.append(Jump(Span(*node.byte_range), "continue"))

    def nothing(self, node: Node, out: list[Stmt]) -> None:
        """`pass`, `del`, `global` and `nonlocal`."""

    def command(self, node: Node, out: list[Stmt]) -> None:
        """Python 2's `print` and `exec`."""
        first = node.children[0]
        at = Span(*first.byte_range)
        args = tuple([Arg(value) for value in self.exprs(node)])
        span = Span(*node.byte_range)
        out.append(Do(span, Call(span, Name(at, self.text[at.start : at.end]), args)))

    def type_alias(self, node: Node, out: list[Stmt]) -> None:
        span = Span(*node.byte_range)
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is None or right is None:
            self.strays(node, out)
            return
        target = self.expr(left)
        keyword_end = node.children[0].end_byte
        if self.text[keyword_end : left.end_byte].lstrip().startswith("("):
            # `type(x).y = z`, which the grammar takes for an alias.
            target = _called(target, Name(Span(node.start_byte, keyword_end), "type"))
            out.append(Do(span, Assign(span, target, self.expr(right))))
            return
        while isinstance(target, Index):
            target = target.base
        out.append(Do(span, Assign(span, target, self.expr(right))))

    # ------------------------------------------------------------ imports

    def import_(self, node: Node, out: list[Stmt]) -> None:
        for child in node.named_children:
            span = Span(*child.byte_range)
            if child.kind_id in _DOTTED:
                top = self.dotted(child).split(".")[0]
                out.append(Import(span, top, top))
            elif child.kind_id in _ALIASED:
                module, local = self.aliased(child)
                out.append(Import(span, local, module))

    def import_from(self, node: Node, out: list[Stmt]) -> None:
        module: str | None = None
        for child in node.children:
            kind = child.kind_id
            span = Span(*child.byte_range)
            if module is None:
                if kind in _MODULES:
                    module = self.dotted(child)
            elif kind in _DOTTED:
                name = self.dotted(child)
                out.append(Import(span, name, module, name))
            elif kind in _ALIASED:
                name, local = self.aliased(child)
                out.append(Import(span, local, module, name))
            elif kind in _WILDCARD:
                out.append(Import(span, "*", module, "*"))

    def dotted(self, node: Node) -> str:
        written = self.text[node.start_byte : node.end_byte]
        return written if written.isidentifier() else "".join(written.replace("\\", "").split())

    def aliased(self, node: Node) -> tuple[str, str]:
        children = [child for child in node.named_children if child.kind_id not in EXTRAS]
        return self.dotted(children[0]), self.dotted(children[-1])

    # ------------------------------------------------------------ loops

    def while_(self, node: Node, out: list[Stmt]) -> None:
        test: Expr | None = None
        body: list[Stmt] = []
        orelse: tuple[Stmt, ...] = ()
        for child in node.named_children:
            kind = child.kind_id
            if kind in _BLOCK:
                body.extend(self.block(child))
            elif kind in _ELSE:
                orelse = self.clause(child)
            elif child.is_error:
                self.strays(child, body)
            elif kind not in EXTRAS:
                test = self.expr(child)
        span = Span(*node.byte_range)
        out.append(Loop(span, "while", tuple(body), test or Opaque(span), orelse=orelse))

    def for_(self, node: Node, out: list[Stmt]) -> None:
        head: list[Node] = []
        body: list[Stmt] = []
        orelse: tuple[Stmt, ...] = ()
        is_async = False
        for child in node.children:
            kind = child.kind_id
            if kind in _BLOCK:
                body.extend(self.block(child))
            elif kind in _ELSE:
                orelse = self.clause(child)
            elif kind in _ASYNC:
                is_async = True
            elif child.is_error:
                self.strays(child, body)
            elif child.is_named and kind not in EXTRAS:
                head.append(child)
        span = Span(*node.byte_range)
        if len(head) < 2:
            out.append(Loop(span, "each", tuple(body), None, None, Opaque(span), (), orelse, is_async))
            return
        apart: list[Stmt] = []
        target = self.bound(head[0], apart)
        iterable = self.key(head[1:])
        out.append(Loop(span, "each", (*apart, *body), None, target, iterable, (), orelse, is_async))

    # ------------------------------------------------------------ try and with

    def try_(self, node: Node, out: list[Stmt]) -> None:
        body: list[Stmt] = []
        handlers: list[Handler] = []
        orelse: tuple[Stmt, ...] = ()
        final: tuple[Stmt, ...] = ()
        for child in node.named_children:
            kind = child.kind_id
            if kind in _BLOCK:
                body.extend(self.block(child))
            elif kind in _EXCEPT:
                handlers.append(self.handler(child))
            elif kind in _ELSE:
                orelse = self.clause(child)
            elif kind in _FINALLY:
                final = self.clause(child)
            elif child.is_error:
                self.strays(child, body)
        out.append(Try(Span(*node.byte_range), tuple(body), tuple(handlers), orelse, final))

    def handler(self, node: Node) -> Handler:
        kinds: list[Expr] = []
        name: str | None = None
        body: list[Stmt] = []
        for child in node.named_children:
            kind = child.kind_id
            if kind in _BLOCK:
                body.extend(self.block(child))
            elif kind in _AS:
                value, target = self.as_pattern(child)
                kinds.append(value)
                bound = self.expr(target) if target is not None else None
                name = bound.name if isinstance(bound, Name) else None
            elif child.is_error:
                self.strays(child, body)
            elif kind not in EXTRAS:
                kinds.append(self.expr(child))
        caught: Expr | None = None
        if kinds:
            whole = Span(kinds[0].span.start, kinds[-1].span.end)
            caught = kinds[0] if len(kinds) == 1 else Seq(whole, tuple(kinds))
        return Handler(caught, name, tuple(body), Span(*node.byte_range))

    def as_pattern(self, node: Node) -> tuple[Expr, Node | None]:
        children = [child for child in node.named_children if child.kind_id not in EXTRAS]
        target = children[-1].named_children[0] if len(children) == 2 and children[-1].named_children else None
        return self.expr(children[0]), target

    def with_(self, node: Node, out: list[Stmt]) -> None:
        items: list[tuple[Expr, Expr | None]] = []
        apart: list[Stmt] = []
        body: list[Stmt] = []
        is_async = False
        for child in node.children:
            kind = child.kind_id
            if kind in _BLOCK:
                body.extend(self.block(child))
            elif kind in _ASYNC:
                is_async = True
            elif kind in _WITH_CLAUSE:
                clause = [item for item in child.named_children if item.kind_id in _WITH_ITEM and item.named_children]
                items.extend([self.with_item(item.named_children[0], apart) for item in clause])
            elif child.is_error:
                self.strays(child, body)
        out.append(With(Span(*node.byte_range), tuple(items), (*apart, *body), is_async))

    def with_item(self, node: Node, apart: list[Stmt]) -> tuple[Expr, Expr | None]:
        if node.kind_id not in _AS:
            return self.expr(node), None
        value, target = self.as_pattern(node)
        return value, self.bound(target, apart) if target is not None else None


def _called(path: Expr, function: Expr) -> Expr:
    """`(x).y` as `function(x).y`."""
    start = function.span.start
    if isinstance(path, Attr):
        return Attr(Span(start, path.span.end), _called(path.base, function), path.name, path.at)
    if isinstance(path, Index):
        return Index(Span(start, path.span.end), _called(path.base, function), path.key)
    return Call(Span(start, path.span.end + 1), function, (Arg(path),))


STATEMENTS: dict[int, Callable[[Any, Node, list[Stmt]], None]] = by_kind(
    {
        "expression_statement": Statements.expression,
        "assignment": Statements.stray_assignment,
        "augmented_assignment": Statements.stray_assignment,
        "return_statement": Statements.return_,
        "raise_statement": Statements.raise_,
        "assert_statement": Statements.assert_,
        "break_statement": Statements.break_,
        "continue_statement": Statements.continue_,
        "pass_statement": Statements.nothing,
        "delete_statement": Statements.nothing,
        "global_statement": Statements.nothing,
        "nonlocal_statement": Statements.nothing,
        "print_statement": Statements.command,
        "exec_statement": Statements.command,
        "type_alias_statement": Statements.type_alias,
        "import_statement": Statements.import_,
        "import_from_statement": Statements.import_from,
        "future_import_statement": Statements.import_from,
        "if_statement": Statements.if_,
        "match_statement": Statements.match,
        "while_statement": Statements.while_,
        "for_statement": Statements.for_,
        "try_statement": Statements.try_,
        "with_statement": Statements.with_,
        "function_definition": Statements.define,
        "class_definition": Statements.define_class,
        "decorated_definition": Statements.decorated,
    }
)
