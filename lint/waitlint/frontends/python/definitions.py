"""Functions, lambdas, parameters and classes."""

from __future__ import annotations

from tree_sitter import Node

from waitlint.facts import (
    Assign,
    Class,
    ClassExpr,
    Define,
    DefineClass,
    Do,
    Expr,
    Func,
    Function,
    If,
    Loop,
    Member,
    Name,
    Opaque,
    Param,
    Return,
    Span,
    Stmt,
    Str,
    Try,
    With,
)
from waitlint.frontends.python.branches import Branches
from waitlint.frontends.python.grammar import EXTRAS, ids
from waitlint.frontends.python.reader import MAX_DEPTH

_NOWHERE = Span(0, 0)
_NO_FUNCTION = Function("", _NOWHERE, _NOWHERE, (), ())
_NO_CLASS = Class("", _NOWHERE, _NOWHERE, (), ())

_BLOCK, _IDENTIFIER, _PARAMETERS = ids("block"), ids("identifier"), ids("parameters", "lambda_parameters")
_ASYNC, _TYPE, _SUPERCLASSES = ids("async"), ids("type"), ids("argument_list")
_NOT_BASES = EXTRAS | ids("keyword_argument", "dictionary_splat")
_EXPRESSION_STATEMENT, _STRINGS, _STRING = (
    ids("expression_statement"),
    ids("string", "concatenated_string"),
    ids("string"),
)
_DEFAULT, _TYPED, _TYPED_DEFAULT = ids("default_parameter"), ids("typed_parameter"), ids("typed_default_parameter")
_REST, _KEYWORD_REST, _TUPLE = (
    ids("list_splat_pattern"),
    ids("dictionary_splat_pattern"),
    ids("tuple_pattern"),
)
_KEYWORD_SEPARATOR = ids("keyword_separator")
_FUNCTION, _CLASS, _DECORATOR = ids("function_definition"), ids("class_definition"), ids("decorator")


class Definitions(Branches):
    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.owner: int | None = None

    def statements(self, nodes: list[Node]) -> tuple[Stmt, ...]:
        raise NotImplementedError

    # ------------------------------------------------------------ functions

    def define(self, node: Node, out: list[Stmt]) -> None:
        out.append(Define(Span(*node.byte_range), self.function_of(node, ())))

    def function_of(self, node: Node, decorators: tuple[Expr, ...]) -> int:
        index = len(self.functions)
        self.functions.append(_NO_FUNCTION)
        owner, self.owner = self.owner, None
        name, at = "", Span(*node.byte_range)
        params: tuple[Param, ...] = ()
        returns: Expr | None = None
        prelude: list[Stmt] = []
        bodies: list[Node] = []
        is_async = False
        for child in node.children:
            kind = child.kind_id
            if kind in _IDENTIFIER:
                at = Span(*child.byte_range)
                name = self.name(at.start, at.end)
            elif kind in _PARAMETERS:
                params = self.params(child, prelude)
            elif kind in _BLOCK or child.is_error:
                bodies.append(child)
            elif kind in _TYPE:
                returns = self.expr(child)
            elif kind in _ASYNC:
                is_async = True
        doc: Str | None = None
        body: tuple[Stmt, ...] = tuple(prelude)
        outer, self.function = self.function, index
        outer_yields, self.yields = self.yields, False
        for part in bodies:
            if part.is_error:
                body += self.statements([part])
                continue
            found, rest = self.documented(part)
            doc = doc or found
            body += rest
        self.functions[index] = Function(
            name=name,
            span=Span(*node.byte_range),
            at=at,
            params=params,
            body=body,
            is_async=is_async,
            is_generator=self.yields,
            decorators=decorators,
            doc=doc,
            returns=returns,
            owner=owner,
            parent=outer,
        )
        self.function, self.yields, self.owner = outer, outer_yields, owner
        return index

    def lambda_(self, node: Node, name: str = "") -> Expr:
        span = Span(*node.byte_range)
        index = len(self.functions)
        self.functions.append(_NO_FUNCTION)
        prelude: list[Stmt] = []
        params: tuple[Param, ...] = ()
        children = self.significant(node)
        for child in children[1:-1]:
            if child.kind_id in _PARAMETERS:
                params = self.params(child, prelude)
        outer, self.function = self.function, index
        outer_yields, self.yields = self.yields, False
        value = self.expr(children[-1])
        body = (*prelude, Return(value.span, value))
        self.functions[index] = Function(name, span, span, params, body, is_generator=self.yields, parent=outer)
        self.function, self.yields = outer, outer_yields
        return Func(span, index)

    def documented(self, block: Node) -> tuple[Str | None, tuple[Stmt, ...]]:
        """The docstring of a body and the statements after it."""
        depth = self.depth
        if depth >= MAX_DEPTH:
            self.too_deep(block)
            return None, ()
        self.depth = depth + 1
        doc: Str | None = None
        nodes = [child for child in block.named_children if child.kind_id not in EXTRAS]
        if nodes and nodes[0].kind_id in _EXPRESSION_STATEMENT and nodes[0].named_child_count == 1:
            doc = self.docstring(nodes[0].named_children[0])
        body = self.statements(nodes if doc is None else nodes[1:])
        self.depth = depth
        return doc, body

    def docstring(self, node: Node) -> Str | None:
        if node.kind_id not in _STRINGS:
            return None
        for literal in [node] if node.kind_id in _STRING else node.named_children:
            if literal.kind_id in _STRING:
                opening = literal.children[0]
                prefix = self.text[opening.start_byte : opening.end_byte].lower()
                if "f" in prefix or "t" in prefix:
                    return None
        doc = self.expr(node)
        return doc if isinstance(doc, Str) else None

    # ------------------------------------------------------------ parameters

    def params(self, node: Node, prelude: list[Stmt]) -> tuple[Param, ...]:
        params: list[Param] = []
        usual = "positional"
        for child in node.named_children:
            kind = child.kind_id
            if kind in _KEYWORD_SEPARATOR:
                usual = "keyword"
                continue
            param = self.param(child, usual, prelude)
            if param is not None:
                params.append(param)
                if param.kind == "rest":
                    usual = "keyword"
        return tuple(params)

    def param(self, node: Node, usual: str, prelude: list[Stmt]) -> Param | None:
        kind = node.kind_id
        span = Span(*node.byte_range)
        target = node
        annotation = default = None
        if kind in _TYPED or kind in _TYPED_DEFAULT or kind in _DEFAULT:
            children = [child for child in node.named_children if child.kind_id not in EXTRAS]
            target = children[0]
            for child in children[1:]:
                if child.kind_id in _TYPE:
                    annotation = self.expr(child)
                elif not child.is_error:
                    name = self.text[target.start_byte : target.end_byte]
                    default = self.named(child, name)
        if target.kind_id in _REST or target.kind_id in _KEYWORD_REST:
            usual = "rest" if target.kind_id in _REST else "keyword-rest"
            target = target.named_children[-1] if target.named_children else target
        if target.kind_id in _IDENTIFIER:
            return Param(self.name(*target.byte_range), span, default, annotation, usual)
        if target.kind_id in _TUPLE:
            bound = self.bound(target, prelude)
            name = bound.name if isinstance(bound, Name) else f"${span.start}"
            return Param(name, span, default, annotation, usual)
        return None

    # ------------------------------------------------------------ classes

    def define_class(self, node: Node, out: list[Stmt]) -> None:
        out.append(DefineClass(Span(*node.byte_range), self.class_of(node, ())))

    def class_of(self, node: Node, decorators: tuple[Expr, ...]) -> int:
        index = len(self.classes)
        self.classes.append(_NO_CLASS)
        name, at = "", Span(*node.byte_range)
        bases: list[Expr] = []
        bodies: list[Node] = []
        for child in node.children:
            kind = child.kind_id
            if kind in _IDENTIFIER:
                at = Span(*child.byte_range)
                name = self.name(at.start, at.end)
            elif kind in _SUPERCLASSES:
                bases = [self.expr(base) for base in child.named_children if base.kind_id not in _NOT_BASES]
            elif kind in _BLOCK or child.is_error:
                bodies.append(child)
        doc: Str | None = None
        members: list[Member] = []
        outer, self.owner = self.owner, index
        for part in bodies:
            if part.is_error:
                self.members(self.statements([part]), members)
                continue
            found, rest = self.documented(part)
            doc = doc or found
            self.members(rest, members)
        self.owner = outer
        self.classes[index] = Class(
            name, Span(*node.byte_range), at, tuple(bases), tuple(members), decorators, doc, self.function
        )
        return index

    def members(self, body: tuple[Stmt, ...], found: list[Member]) -> None:
        """Whatever the statements of a class bind, on whichever branch."""
        for stmt in body:
            match stmt:
                case Do(span, Assign(_, Name(_, name), value, "", annotation)):
                    declared = isinstance(value, Opaque) and value.span.start == value.span.end
                    found.append(Member(name, span, None if declared else value, annotation))
                case Define(span, index):
                    function = self.functions[index]
                    static = any(isinstance(d, Name) and d.name == "staticmethod" for d in function.decorators)
                    found.append(Member(function.name, span, Func(function.span, index), None, static))
                case DefineClass(span, index):
                    inner = self.classes[index]
                    found.append(Member(inner.name, span, ClassExpr(inner.span, index)))
                case If() | Loop():
                    self.members(stmt.body, found)
                    self.members(stmt.orelse, found)
                case With():
                    self.members(stmt.body, found)
                case Try():
                    self.members(stmt.body, found)
                    for handler in stmt.handlers:
                        self.members(handler.body, found)
                    self.members(stmt.orelse, found)
                    self.members(stmt.final, found)
                case _:
                    pass

    # ------------------------------------------------------------ decorators

    def decorated(self, node: Node, out: list[Stmt]) -> None:
        span = Span(*node.byte_range)
        decorators: list[Expr] = []
        for child in node.named_children:
            kind = child.kind_id
            if kind in _DECORATOR:
                values = self.exprs(child)
                decorators.append(values[0] if len(values) == 1 else Opaque(Span(*child.byte_range), values))
            elif kind in _FUNCTION:
                out.append(Define(span, self.function_of(child, tuple(decorators))))
            elif kind in _CLASS:
                out.append(DefineClass(span, self.class_of(child, tuple(decorators))))
            elif kind not in EXTRAS:
                out.extend(self.statements([child]))
