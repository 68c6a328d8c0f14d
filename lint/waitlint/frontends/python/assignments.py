"""Assignments, with what takes a value apart turned into plain ones."""

from __future__ import annotations

import re

from tree_sitter import Node

from waitlint.facts import Assign, Attr, Const, Do, Expr, Index, Name, Opaque, Span, Spread, Stmt, Str
from waitlint.frontends.python.expressions import Expressions
from waitlint.frontends.python.grammar import EXTRAS, ids
from waitlint.frontends.python.reader import MAX_DEPTH

_ASSIGNMENT, _EQUALS = ids("assignment"), ids("=")
_UNPACKED = ids("pattern_list", "tuple_pattern", "list_pattern", "tuple", "list", "expression_list")
_IN_PARENTHESES = ids("tuple_pattern", "parenthesized_expression")
_STARRED = ids("list_splat_pattern", "list_splat")
_SEQUENCES = ids("expression_list", "tuple", "list")
_WORD = re.compile(r"\w+")


class Assignments(Expressions):
    def assignment(self, node: Node, out: list[Stmt]) -> None:
        """`a = b = value`, with or without an annotation."""
        span = Span(*node.byte_range)
        targets: list[Node] = []
        annotation: Expr | None = None
        source: Node | None = node
        while source is not None and source.kind_id in _ASSIGNMENT:
            children = source.children
            if len(children) == 3 and children[1].kind_id in _EQUALS:
                left: Node | None = children[0]
                source = children[2]
            else:
                left, kind = source.child_by_field_name("left"), source.child_by_field_name("type")
                annotation = self.expr(kind) if kind is not None else annotation
                source = source.child_by_field_name("right")
            if left is not None:
                targets.append(left)
        if not targets:
            out.append(Do(span, self.opaque(node)))
        elif source is None:
            nothing = Opaque(Span(span.end, span.end))
            out.append(Do(span, Assign(span, self.expr(targets[0]), nothing, "", annotation)))
        elif len(targets) == 1:
            self.assign(targets[0], source, span, out, annotation)
        else:
            self.assign_all(targets, source, span, out)

    def assign(self, target: Node, source: Node, span: Span, out: list[Stmt], annotation: Expr | None = None) -> None:
        target = _bare(target)
        if target.kind_id in _UNPACKED:
            if not self.side_by_side(target, source, out):
                self.take_apart(target, self.expr(source), span, out)
            return
        to = self.expr(target)
        name = to.name if isinstance(to, Name | Attr) else ""
        out.append(Do(span, Assign(span, to, self.named(source, name), "", annotation)))

    def assign_all(self, targets: list[Node], source: Node, span: Span, out: list[Stmt]) -> None:
        """One value for several targets: the first name among them carries it to the others."""
        plain = [target for target in map(_bare, targets) if target.kind_id not in _UNPACKED]
        apart = [target for target in map(_bare, targets) if target.kind_id in _UNPACKED]
        written = [self.expr(target) for target in plain]
        carrier = next((target for target in written if isinstance(target, Name)), None)
        value = self.named(source, carrier.name if carrier else "")
        if not isinstance(value, Const | Name) and not (isinstance(value, Str) and value.literal is not None):
            if carrier is None:
                carrier = Name(span, f"${span.start}")
            out.append(Do(span, Assign(span, carrier, value)))
            written = [target for target in written if target is not carrier]
            value = carrier
        out.extend(Do(span, Assign(span, target, value)) for target in written)
        for target in apart:
            self.take_apart(target, value, span, out)

    def augmented(self, node: Node, out: list[Stmt]) -> None:
        span = Span(*node.byte_range)
        children = self.significant(node)
        if len(children) != 3:
            out.append(Do(span, self.opaque(node)))
            return
        left, operator, right = children
        op = self.text[operator.start_byte : operator.end_byte].removesuffix("=")
        out.append(Do(span, Assign(span, self.expr(left), self.expr(right), op)))

    def bound(self, target: Node, start_of_body: list[Stmt]) -> Expr:
        """The target of a loop or a `with`. What takes a value apart becomes a name and assignments for the body."""
        target = _bare(target)
        if target.kind_id not in _UNPACKED:
            return self.expr(target)
        span = Span(*target.byte_range)
        name = Name(span, f"${span.start}")
        self.take_apart(target, name, span, start_of_body)
        return name

    def take_apart(self, target: Node, value: Expr, span: Span, out: list[Stmt]) -> None:
        """`a, *b, (c, d) = value` as plain assignments, by way of a made-up name."""
        if self.depth >= MAX_DEPTH:
            out.append(Do(span, Assign(span, self.too_deep(target), value)))
            return
        if not isinstance(value, Name) or value.name in _WORD.findall(self.text, *target.byte_range):
            name = Name(span, f"${target.start_byte}")
            out.append(Do(span, Assign(span, name, value)))
            value = name
        items = _items(target)
        if not items:
            out.append(Do(span, value))
        starred = next((index for index, item in enumerate(items) if self.is_starred(item)), len(items))
        self.depth += 1
        for index, item in enumerate(items):
            at = Span(*item.byte_range)
            part: Expr
            if index == starred:
                part = Opaque(at, (value,))
                item = item.named_children[-1] if item.kind_id in _STARRED and item.named_children else item
            else:
                part = Index(at, value, Const(at, index if index < starred else index - len(items)))
            item = _bare(item)
            if item.kind_id in _UNPACKED:
                self.take_apart(item, part, at, out)
            else:
                to = self.expr(item)
                out.append(Do(at, Assign(at, to.value if isinstance(to, Spread) else to, part)))
        self.depth -= 1

    def is_starred(self, node: Node) -> bool:
        """By the text: outside of brackets the grammar takes `*a.b` for `(*a).b`."""
        return self.text.startswith("*", node.start_byte)

    def side_by_side(self, target: Node, source: Node, out: list[Stmt]) -> bool:
        """`a, b = 1, 2` as two assignments, if no value can depend on a target that would then be set before it."""
        if source.kind_id not in _SEQUENCES or self.depth >= MAX_DEPTH:
            return False
        targets, sources = _items(target), _items(source)
        if len(targets) != len(sources) or any(map(self.is_starred, (*targets, *sources))):
            return False
        set_before: set[str] = set()
        for item, value in zip(targets, sources, strict=True):
            if set_before.intersection(_WORD.findall(self.text, value.start_byte, value.end_byte)):
                return False
            words = _WORD.findall(self.text, item.start_byte, item.end_byte)
            set_before.update(words[-1:] if item.type == "attribute" else words)
        self.depth += 1
        for item, value in zip(targets, sources, strict=True):
            self.assign(item, value, Span(*item.byte_range), out)
        self.depth -= 1
        return True


def _items(node: Node) -> list[Node]:
    return [child for child in node.named_children if child.kind_id not in EXTRAS]


def _bare(target: Node) -> Node:
    """A target without parentheses that only group."""
    while target.kind_id in _IN_PARENTHESES and target.child_count == 3 and target.named_child_count == 1:
        target = target.named_children[0]
    return target
