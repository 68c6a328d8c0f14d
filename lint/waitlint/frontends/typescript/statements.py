"""Statements: what each kind of node means. A handler adds its statements to a list."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from tree_sitter import Node

from waitlint.facts import (
    Assign,
    Const,
    Define,
    DefineClass,
    Do,
    Expr,
    Handler,
    Jump,
    Loop,
    Name,
    Opaque,
    Raise,
    Return,
    Span,
    Stmt,
    Try,
)
from waitlint.frontends.typescript.branches import MAX_BRANCHES, Branch, fold, region
from waitlint.frontends.typescript.classes import read_class, read_enum, read_interface
from waitlint.frontends.typescript.functions import FUNCTION_DECLARATIONS, Pending
from waitlint.frontends.typescript.modules import (
    as_imports,
    export_statement,
    import_alias,
    import_statement,
    namespace,
)
from waitlint.frontends.typescript.patterns import PATTERNS, destructure, is_path
from waitlint.frontends.typescript.scopes import Target
from waitlint.frontends.typescript.switches import switch

if TYPE_CHECKING:
    from waitlint.frontends.typescript.reader import Reader


# ---------------------------------------------------------------- expressions and declarations


def expression_statement(reader: Reader, node: Node, out: list[Stmt]) -> None:
    for inner in reader.solid(node):
        effect(reader, inner, Span(*node.byte_range), out)


def effect(reader: Reader, node: Node, span: Span, out: list[Stmt]) -> None:
    """An expression whose value is not used."""
    node = reader.bare(node)
    kind = node.type
    if kind == "sequence_expression":
        for part in reader.solid(node):
            effect(reader, part, Span(*part.byte_range), out)
        return
    if kind == "await_expression":
        # `await using x = …`, in the eyes of the grammar.
        solid = reader.solid(node)
        if solid and solid[0].type == "assignment_expression" and solid[0].children[0].type == "using":
            node, kind = solid[0], "assignment_expression"
    if kind == "assignment_expression":
        _assignment(reader, node, span, out)
        return
    out.append(Do(span, reader.expr(node)))


def _assignment(reader: Reader, node: Node, span: Span, out: list[Stmt]) -> None:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is not None and right is not None:
        left = reader.bare(left)
        if left.type == "identifier" and as_imports(reader, left, right, out):
            return
        if left.type in PATTERNS:
            _take_apart(reader, left, right, span, None, out, declares=False)
            return
    out.append(Do(span, reader.expr(node)))


def _take_apart(
    reader: Reader, pattern: Node, value: Node, span: Span, annotation: Expr | None, out: list[Stmt], *, declares: bool
) -> None:
    """Give each name of a pattern its part. A value that is no name gets one first, so that it is evaluated once."""
    whole = reader.expr(value)
    if annotation is not None or not (declares and is_path(whole)):
        carrier = reader.made_up_name(whole.span)
        out.append(Do(span, Assign(whole.span, carrier, whole, "", annotation)))
        whole = carrier
    destructure(reader, pattern, whole, out)


def declaration(reader: Reader, node: Node, out: list[Stmt]) -> None:
    """`const`, `let` and `var`."""
    is_var = node.type == "variable_declaration"
    for child in node.named_children:
        if child.type == "variable_declarator":
            _declarator(reader, child, out, is_var)


def _declarator(reader: Reader, node: Node, out: list[Stmt], is_var: bool) -> None:
    span = Span(*node.byte_range)
    children = node.children
    target = children[0]
    value: Node | None = None
    annotation: Expr | None = None
    if len(children) == 3 and children[1].type == "=":
        value = children[2]
    elif len(children) > 1:
        value = node.child_by_field_name("value")
        annotation = reader.annotation(node.child_by_field_name("type"))
    if value is None:
        _without_value(reader, target, span, annotation, out, is_var)
        return
    if as_imports(reader, target, value, out):
        return
    if annotation is None:
        annotation = _asserted(reader, value)
    if target.type in PATTERNS:
        _take_apart(reader, target, value, span, annotation, out, declares=True)
        return
    name = Name(Span(*target.byte_range), reader.word(target))
    out.append(Do(span, Assign(span, name, reader.named(value, name.name, name.span), "", annotation)))


def _without_value(
    reader: Reader, target: Node, span: Span, annotation: Expr | None, out: list[Stmt], is_var: bool
) -> None:
    if target.type != "identifier":
        return
    name = Name(Span(*target.byte_range), reader.word(target))
    if reader.ambient:
        out.append(Do(span, Assign(span, name, Opaque(Span(span.end, span.end)), "", annotation)))
    elif is_var:
        reader.scope.hoisted.setdefault(name.name, target.byte_range)
    else:
        out.append(Do(span, Assign(span, name, Const(span, None), "", annotation)))


def _asserted(reader: Reader, value: Node) -> Expr | None:
    """The type that `value as T` or `value satisfies T` gives a variable without one."""
    if value.type not in ("as_expression", "satisfies_expression"):
        return None
    last = value.children[-1]
    return reader.type(last) if last.is_named else None


def function_declaration(reader: Reader, node: Node, out: list[Stmt]) -> None:
    index = reader.queue(Pending(node, "", None, None, reader.scope.function))
    out.append(Define(Span(*node.byte_range), index))


def class_declaration(reader: Reader, node: Node, out: list[Stmt]) -> None:
    out.append(DefineClass(Span(*node.byte_range), read_class(reader, node)))


def enum_declaration(reader: Reader, node: Node, out: list[Stmt]) -> None:
    out.append(DefineClass(Span(*node.byte_range), read_enum(reader, node)))


def interface_declaration(reader: Reader, node: Node, out: list[Stmt]) -> None:
    out.append(DefineClass(Span(*node.byte_range), read_interface(reader, node)))


def type_alias(reader: Reader, node: Node, out: list[Stmt]) -> None:
    span = Span(*node.byte_range)
    name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
    if name is not None and value is not None:
        target = Name(Span(*name.byte_range), reader.word(name))
        out.append(Do(span, Assign(span, target, reader.type(value))))


def ambient(reader: Reader, node: Node, out: list[Stmt]) -> None:
    """`declare …`: names whose values are elsewhere."""
    outer, reader.ambient = reader.ambient, True
    for child in reader.solid(node):
        if child.type == "statement_block":
            namespace(reader, node, out)
        else:
            out.extend(reader.block((child,)))
    reader.ambient = outer


# ---------------------------------------------------------------- branches and loops


def block(reader: Reader, node: Node, out: list[Stmt]) -> None:
    out.extend(reader.block(node.named_children))


def if_(reader: Reader, node: Node, out: list[Stmt]) -> None:
    depth, end = reader.depth, node.end_byte
    branches: list[Branch] = []
    otherwise: tuple[Stmt, ...] = ()
    while True:
        reader.depth = depth + min(len(branches), MAX_BRANCHES)
        span = Span(node.start_byte, end)
        condition = node.child_by_field_name("condition")
        test = reader.expr(condition) if condition is not None else Opaque(span)
        branches.append(Branch(span, test, reader.body(node.child_by_field_name("consequence"))))
        alternative = node.child_by_field_name("alternative")
        solid = reader.solid(alternative) if alternative is not None else []
        if not solid:
            break
        if solid[0].type != "if_statement":
            otherwise = reader.body(solid[0])
            break
        node = solid[0]
    reader.depth = depth
    out.extend(fold(branches, otherwise))


def _lap(reader: Reader, node: Node, before: list[Stmt]) -> tuple[tuple[Stmt, ...], str]:
    """The body of a loop with `before` at its start, and the label that jumps give for the loop."""
    labels = reader.scope.take_labels()
    target = Target("loop", labels[-1] if labels else "")
    reader.scope.targets.append(target)
    body = reader.body(node.child_by_field_name("body"))
    reader.scope.targets.pop()
    return (*before, *body) if before else body, target.label


def while_(reader: Reader, node: Node, out: list[Stmt]) -> None:
    span = Span(*node.byte_range)
    condition = node.child_by_field_name("condition")
    test = reader.expr(condition) if condition is not None else Opaque(span)
    body, label = _lap(reader, node, [])
    kind = "until" if node.type == "do_statement" else "while"
    out.append(Loop(span, kind, body, test=test, label=label))


def for_(reader: Reader, node: Node, out: list[Stmt]) -> None:
    """`for (init; test; update)`: the first part stands before the loop."""
    span = Span(*node.byte_range)
    init, condition = node.child_by_field_name("initializer"), node.child_by_field_name("condition")
    if init is not None and init.type != "empty_statement":
        if init.type in ("lexical_declaration", "variable_declaration"):
            declaration(reader, init, out)
        else:
            effect(reader, init, Span(*init.byte_range), out)
    test = reader.expr(condition) if condition is not None and condition.type not in ("empty_statement", ";") else None
    body, label = _lap(reader, node, [])
    update: list[Stmt] = []
    increment = node.child_by_field_name("increment")
    if increment is not None:
        effect(reader, increment, Span(*increment.byte_range), update)
    out.append(Loop(span, "while", body, test=test, update=tuple(update), label=label))


def for_each(reader: Reader, node: Node, out: list[Stmt]) -> None:
    """`for (x of xs)`, `for (key in object)`, `for await (x of xs)`."""
    span = Span(*node.byte_range)
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    iterable = reader.expr(right) if right is not None else Opaque(span)
    before: list[Stmt] = []
    target: Expr | None = None
    if left is not None:
        left = reader.bare(left)
        if left.type in PATTERNS:
            carrier = reader.made_up_name(Span(*left.byte_range))
            destructure(reader, left, carrier, before)
            target = carrier
        else:
            target = reader.expr(left)
    is_async = any(child.type == "await" for child in node.children[:2])
    body, label = _lap(reader, node, before)
    out.append(Loop(span, "each", body, target=target, iterable=iterable, is_async=is_async, label=label))


def jump(reader: Reader, node: Node, out: list[Stmt]) -> None:
    kind = "break" if node.type == "break_statement" else "continue"
    span = Span(*node.byte_range)
    label = node.child_by_field_name("label")
    if label is not None:
        name = reader.word(label)
        out.append(Jump(span, kind, reader.scope.aliases.get(name, name)))
        return
    if kind == "break":
        nearest = next((target for target in reversed(reader.scope.targets) if target.kind != "block"), None)
        if nearest is not None and nearest.kind == "switch":
            out.append(Jump(span, kind, nearest.label))
            return
    out.append(Jump(span, kind))


_LOOPS = frozenset({"while_statement", "do_statement", "for_statement", "for_in_statement"})


def labelled(reader: Reader, node: Node, out: list[Stmt]) -> None:
    labels: list[str] = []
    while node.type == "labeled_statement":
        label, body = node.child_by_field_name("label"), node.child_by_field_name("body")
        if body is None:
            return
        if label is not None:
            labels.append(reader.word(label))
        node = body
    scope = reader.scope
    if not labels:
        out.extend(reader.body(node))
        return
    for other in labels[:-1]:
        scope.aliases[other] = labels[-1]
    if node.type in _LOOPS:
        scope.labels = labels
        out.extend(reader.block((node,)))
        return
    scope.targets.append(Target("block", labels[-1]))
    inside = reader.body(node)
    scope.targets.pop()
    out.extend(region(scope, Span(*node.byte_range), inside, labels[-1]))


# ---------------------------------------------------------------- the rest


def return_(reader: Reader, node: Node, out: list[Stmt]) -> None:
    solid = reader.solid(node)
    out.append(Return(Span(*node.byte_range), reader.expr(solid[0]) if solid else None))


def throw(reader: Reader, node: Node, out: list[Stmt]) -> None:
    span = Span(*node.byte_range)
    solid = reader.solid(node)
    out.append(Raise(span, reader.expr(solid[0]) if solid else Opaque(span)))


def try_(reader: Reader, node: Node, out: list[Stmt]) -> None:
    body = reader.body(node.child_by_field_name("body"))
    handlers: tuple[Handler, ...] = ()
    clause = node.child_by_field_name("handler")
    if clause is not None:
        handlers = (_catch(reader, clause),)
    final: tuple[Stmt, ...] = ()
    clause = node.child_by_field_name("finalizer")
    if clause is not None:
        final = reader.body(clause.child_by_field_name("body"))
    out.append(Try(Span(*node.byte_range), body, handlers, (), final))


def _catch(reader: Reader, node: Node) -> Handler:
    parameter = node.child_by_field_name("parameter")
    before: list[Stmt] = []
    name: str | None = None
    if parameter is not None:
        if parameter.type in PATTERNS:
            carrier = reader.made_up_name(Span(*parameter.byte_range))
            destructure(reader, parameter, carrier, before)
            name = carrier.name
        else:
            name = reader.word(parameter)
    body = reader.body(node.child_by_field_name("body"))
    return Handler(None, name, (*before, *body), Span(*node.byte_range))


def with_(reader: Reader, node: Node, out: list[Stmt]) -> None:
    held = node.child_by_field_name("object")
    if held is not None:
        value = reader.expr(held)
        out.append(Do(value.span, value))
    out.extend(reader.body(node.child_by_field_name("body")))


def skip(reader: Reader, node: Node, out: list[Stmt]) -> None:
    """What does nothing, or says again what stands elsewhere."""


def is_hoisted(node: Node, kind: str) -> bool:
    """Whether a statement counts before all others of its block."""
    if kind == "export_statement":
        declared = node.child_by_field_name("declaration")
        return declared is not None and declared.type in FUNCTION_DECLARATIONS
    return kind in FUNCTION_DECLARATIONS


STATEMENTS: dict[str, Callable[[Reader, Node, list[Stmt]], None]] = {
    "expression_statement": expression_statement,
    "lexical_declaration": declaration,
    "variable_declaration": declaration,
    "function_declaration": function_declaration,
    "generator_function_declaration": function_declaration,
    "function_signature": skip,
    "class_declaration": class_declaration,
    "abstract_class_declaration": class_declaration,
    "enum_declaration": enum_declaration,
    "interface_declaration": interface_declaration,
    "type_alias_declaration": type_alias,
    "ambient_declaration": ambient,
    "internal_module": namespace,
    "module": namespace,
    "import_statement": import_statement,
    "import_alias": import_alias,
    "export_statement": export_statement,
    "statement_block": block,
    "if_statement": if_,
    "while_statement": while_,
    "do_statement": while_,
    "for_statement": for_,
    "for_in_statement": for_each,
    "switch_statement": switch,
    "labeled_statement": labelled,
    "break_statement": jump,
    "continue_statement": jump,
    "return_statement": return_,
    "throw_statement": throw,
    "try_statement": try_,
    "with_statement": with_,
    "debugger_statement": skip,
    "empty_statement": skip,
}
