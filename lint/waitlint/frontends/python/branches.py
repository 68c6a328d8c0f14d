"""`if` chains and `match`: ordered branches folded into nested `If`."""

from __future__ import annotations

from typing import NamedTuple

from tree_sitter import Node

from waitlint.facts import Assign, Attr, Binary, Const, Do, Expr, If, Index, Name, Opaque, Span, Stmt, Unary
from waitlint.frontends.python.assignments import Assignments
from waitlint.frontends.python.grammar import EXTRAS, ids
from waitlint.frontends.python.reader import MAX_DEPTH

# So many branches are nested in one another; what comes after them stands side by side.
MAX_NESTED = 40

_BLOCK, _ELIF, _ELSE, _CASE, _GUARD = (
    ids(kind) for kind in ("block", "elif_clause", "else_clause", "case_clause", "if_clause")
)
_COMMA = ids(",")
_CASE_PATTERN, _AS, _UNION, _DOTTED = ids("case_pattern"), ids("as_pattern"), ids("union_pattern"), ids("dotted_name")
_SEQUENCE, _TUPLE, _MAPPING = ids("list_pattern", "tuple_pattern"), ids("tuple_pattern"), ids("dict_pattern")
_CLASS, _KEYWORD, _STAR = ids("class_pattern"), ids("keyword_pattern"), ids("splat_pattern")
_WILDCARD, _MINUS = ids("_"), ids("-")
_VALUES = ids("string", "concatenated_string", "integer", "float", "true", "false", "none")
# Classes whose one positional pattern is matched against the subject itself.
_SELF_MATCHING = frozenset(
    ("bool", "bytearray", "bytes", "dict", "float", "frozenset", "int", "list", "set", "str", "tuple")
)


class Branch(NamedTuple):
    """`test` is None where the branch is always taken. `before` runs before the test."""

    span: Span
    test: Expr | None
    body: tuple[Stmt, ...]
    before: tuple[Stmt, ...] = ()


def fold(branches: list[Branch]) -> tuple[Stmt, ...]:
    """The branches as `If`s of which at most one is taken.

    Beyond MAX_NESTED they are not exclusive any more, which tells no difference where the tests exclude each other.
    """
    flat: list[Stmt] = []
    for span, test, body, before in branches[MAX_NESTED:]:
        flat.extend(before)
        flat.append(If(span, Opaque(Span(span.start, span.start)) if test is None else test, body))
    rest = tuple(flat)
    for span, test, body, before in reversed(branches[:MAX_NESTED]):
        rest = (*before, *body) if test is None else (*before, If(span, test, body, rest))
    return rest


class Branches(Assignments):
    def strays(self, node: Node, out: list[Stmt]) -> None:
        """Statements in what the grammar could not make sense of; from the class built on this one."""
        raise NotImplementedError

    # ------------------------------------------------------------ if

    def if_(self, node: Node, out: list[Stmt]) -> None:
        depth = self.depth
        end = node.end_byte
        branches: list[Branch] = []
        clauses = [node, *[child for child in node.children if child.kind_id in _ELIF or child.kind_id in _ELSE]]
        for clause in clauses:
            self.depth = min(depth + len(branches), depth + MAX_NESTED)
            span = Span(clause.start_byte, end)
            test: Expr | None = None
            body: list[Stmt] = []
            for child in clause.named_children:
                kind = child.kind_id
                if kind in _BLOCK:
                    body.extend(self.block(child))
                elif kind in EXTRAS or kind in _ELIF or kind in _ELSE:
                    continue
                elif child.is_error:
                    self.strays(child, body)
                elif test is None and clause.kind_id not in _ELSE:
                    test = self.expr(child)
            if test is None and clause.kind_id not in _ELSE:
                test = Opaque(span)
            branches.append(Branch(span, test, tuple(body)))
        self.depth = depth
        out.extend(fold(branches))

    # ------------------------------------------------------------ match

    def match(self, node: Node, out: list[Stmt]) -> None:
        depth = self.depth
        end = node.end_byte
        subjects: list[Node] = []
        clauses: list[Node] = []
        for child in node.named_children:
            kind = child.kind_id
            if kind in _BLOCK:
                clauses.extend(child.named_children)
            elif kind not in EXTRAS:
                (clauses if kind in _CASE else subjects).append(child)
        subject = self.key(subjects) if subjects else Opaque(Span(*node.byte_range))
        if not _is_path(subject):
            name = Name(subject.span, f"${node.start_byte}")
            out.append(Do(subject.span, Assign(subject.span, name, subject)))
            subject = name
        branches: list[Branch] = []
        for clause in clauses:
            self.depth = min(depth + len(branches), depth + MAX_NESTED)
            if clause.kind_id in _CASE:
                branches.append(self.case(clause, subject, end))
                if branches[-1].test is None:
                    break
            elif clause.kind_id not in EXTRAS:
                self.strays(clause, out)
        self.depth = depth
        out.extend(fold(branches))

    def case(self, node: Node, subject: Expr, end: int) -> Branch:
        patterns: list[Node] = []
        several = False
        guard: Expr | None = None
        body: list[Stmt] = []
        for child in node.children:
            kind = child.kind_id
            if kind in _CASE_PATTERN:
                patterns.append(child)
            elif kind in _COMMA:
                several = True
            elif kind in _GUARD:
                guard = self.key(child.named_children) if child.named_children else None
            elif kind in _BLOCK:
                body.extend(self.block(child))
            elif child.is_error:
                self.strays(child, body)
        captures: list[Stmt] = []
        span = Span(node.start_byte, end)
        test: Expr | None
        if several or len(patterns) != 1:
            test = self.sequence_pattern(patterns, subject, Span(*node.byte_range), captures)
        else:
            test = self.pattern(patterns[0], subject, captures)
        if guard is None:
            return Branch(span, test, (*captures, *body))
        if test is not None:
            guard = Binary(Span(test.span.start, guard.span.end), "and", test, guard)
        return Branch(span, guard, tuple(body), tuple(captures))

    def pattern(self, node: Node, subject: Expr, captures: list[Stmt]) -> Expr | None:
        """The test that a pattern makes of its subject, None if it always matches. Adds what it binds to `captures`."""
        if self.depth >= MAX_DEPTH:
            return self.too_deep(node)
        self.depth += 1
        test = self._pattern(node, subject, captures)
        self.depth -= 1
        return test

    def _pattern(self, node: Node, subject: Expr, captures: list[Stmt]) -> Expr | None:
        kind = node.kind_id
        span = Span(*node.byte_range)
        children = self.significant(node)
        if kind in _WILDCARD:
            return None
        if kind in _VALUES:
            return Binary(span, "==", subject, self.expr(node))
        if kind in _DOTTED and len(children) == 1:
            captures.append(self.capture(children[0], subject))
            return None
        if kind in _DOTTED:
            return Binary(span, "==", subject, self.expr(node))
        if kind in _CASE_PATTERN and len(children) == 1:
            return self.pattern(children[0], subject, captures)
        if kind in _TUPLE and len(children) == 3 and children[1].kind_id in _CASE_PATTERN:
            return self.pattern(children[1], subject, captures)
        if kind in _AS and len(children) == 3:
            captures.append(self.capture(children[2], subject))
            return self.pattern(children[0], subject, captures)
        if kind in _UNION or kind in _CASE_PATTERN:
            return self.alternatives(children, subject, captures)
        if kind in _SEQUENCE:
            items = [child for child in children if child.is_named]
            return self.sequence_pattern(items, subject, span, captures)
        if kind in _MAPPING:
            return self.mapping_pattern(children, subject, span, captures)
        if kind in _CLASS:
            return self.class_pattern(children, subject, span, captures)
        return Opaque(span, (subject, *[self.expr(child) for child in children if child.is_named]))

    def capture(self, name: Node, value: Expr) -> Stmt:
        span = Span(*name.byte_range)
        return Do(span, Assign(span, self.expr(name), value))

    def alternatives(self, children: list[Node], subject: Expr, captures: list[Stmt]) -> Expr | None:
        tests: list[Expr] = []
        minus: Node | None = None
        for child in children:
            if child.kind_id in _MINUS:
                minus = child
            elif minus is not None:
                span = Span(minus.start_byte, child.end_byte)
                tests.append(Binary(span, "==", subject, Unary(span, "-", self.expr(child))))
                minus = None
            elif child.is_named or child.kind_id in _WILDCARD:
                test = self.pattern(child, subject, captures)
                if test is None:
                    return None
                tests.append(test)
        return self.balanced("or", tests) if tests else None

    def sequence_pattern(self, items: list[Node], subject: Expr, span: Span, captures: list[Stmt]) -> Expr:
        tests: list[Expr] = [subject]
        starred = len(items)
        for index, item in enumerate(items):
            at = Span(*item.byte_range)
            inner = item.named_children[0] if item.kind_id in _CASE_PATTERN and item.named_children else item
            if inner.kind_id in _STAR:
                starred = index
                captures.extend(self.capture(name, Opaque(at, (subject,))) for name in inner.named_children)
                continue
            key = Const(at, index if index < starred else index - len(items))
            test = self.pattern(item, Index(at, subject, key), captures)
            if test is not None:
                tests.append(test)
        return Opaque(span, tuple(tests))

    def mapping_pattern(self, children: list[Node], subject: Expr, span: Span, captures: list[Stmt]) -> Expr:
        tests: list[Expr] = [subject]
        key: Expr | None = None
        negative = False
        for child in children:
            if child.kind_id in _STAR:
                captures.extend(self.capture(name, Opaque(span, (subject,))) for name in child.named_children)
            elif child.kind_id in _COMMA:
                key = None
            elif child.kind_id in _MINUS:
                negative = True
            elif child.is_named and key is None:
                key = self.expr(child)
                key = Unary(key.span, "-", key) if negative else key
                negative = False
            elif child.is_named and key is not None:
                test = self.pattern(child, Index(Span(*child.byte_range), subject, key), captures)
                tests.append(key if test is None else test)
        return Opaque(span, tuple(tests))

    def class_pattern(self, children: list[Node], subject: Expr, span: Span, captures: list[Stmt]) -> Expr:
        kind = self.expr(children[0])
        tests: list[Expr] = [subject, kind]
        arguments = [child for child in children[1:] if child.is_named]
        for child in arguments:
            inner = child.named_children[0] if child.named_children else child
            at = Span(*child.byte_range)
            value: Expr
            if inner.kind_id in _KEYWORD and len(inner.named_children) >= 1 and inner.child_count >= 3:
                name, pattern = inner.named_children[0], inner.children[-1]
                name_at = Span(*name.byte_range)
                value = Attr(at, subject, self.name(*name.byte_range), name_at)
                test = self.pattern(pattern, value, captures)
            else:
                itself = isinstance(kind, Name) and kind.name in _SELF_MATCHING and len(arguments) == 1
                value = subject if itself else Opaque(at, (subject,))
                test = self.pattern(child, value, captures)
            if test is not None:
                tests.append(test)
        return Opaque(span, tuple(tests))


def _is_path(expr: Expr) -> bool:
    """Whether an expression is a name or fields of one, which may be read more than once."""
    while isinstance(expr, Attr):
        expr = expr.base
    return isinstance(expr, Name)
