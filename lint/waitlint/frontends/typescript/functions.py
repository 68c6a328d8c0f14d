"""Functions, methods and their parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tree_sitter import Node

from waitlint.facts import (
    Assign,
    Attr,
    Const,
    Do,
    Expr,
    Func,
    Function,
    Index,
    Name,
    Opaque,
    Param,
    Return,
    Seq,
    Span,
    Stmt,
)
from waitlint.frontends.typescript.patterns import PATTERNS, destructure
from waitlint.frontends.typescript.syntax import NO_PART

if TYPE_CHECKING:
    from waitlint.frontends.typescript.reader import Reader

FUNCTION_KINDS = frozenset({"arrow_function", "function_expression", "generator_function"})
FUNCTION_DECLARATIONS = frozenset({"function_declaration", "generator_function_declaration"})
# Words before a parameter of a constructor that make it a field.
FIELD_WORDS = frozenset({"accessibility_modifier", "override_modifier", "readonly"})
# The decorator that marks a getter in every language.
GETTER = "property"


class Pending(NamedTuple):
    """A function whose body is still to be read. `at` is None where it has no name; `number` is its index."""

    node: Node
    name: str
    at: Span | None
    owner: int | None
    parent: int | None
    decorators: tuple[Expr, ...] = ()
    number: int = -1


class Method(NamedTuple):
    """`kind` is `get`, `set` or ""; `key` the node that names it."""

    func: Func
    name: str
    key: Node | None
    kind: str
    is_static: bool


def function_expression(reader: Reader, node: Node) -> Expr:
    return reader.function(node, "", None)


def key_name(reader: Reader, key: Node | None) -> str:
    """The name of a key as code would use it after a dot; a computed one in its brackets."""
    if key is None:
        return ""
    if key.type == "string":
        return reader.literal(key) or ""
    if key.type == "computed_property_name":
        value = reader.bare(key.named_children[-1]) if key.named_children else key
        if value.type == "sequence_expression":
            return f"[{reader.word(value.named_children[-1])}]"
        if value.type == "string":
            return reader.literal(value) or ""
    return reader.word(key)


def method(reader: Reader, node: Node, *, owner: int | None, decorators: tuple[Expr, ...]) -> Method:
    """A `method_definition`; its body is read later."""
    key = node.child_by_field_name("name")
    kind, is_static = "", False
    for child in node.children:
        if key is not None and child.start_byte >= key.start_byte:
            break
        if child.type in ("get", "set"):
            kind = child.type
            at = Span(*child.byte_range)
        elif child.type == "static":
            is_static = True
    if kind == "get":
        decorators = (*decorators, Name(at, GETTER))
    name = key_name(reader, key)
    span = Span(*key.byte_range) if key is not None else None
    index = reader.queue(Pending(node, name, span, owner, reader.scope.function, decorators))
    return Method(Func(Span(*node.byte_range), index), name, key, kind, is_static)


def build_function(reader: Reader, pending: Pending) -> Function:
    """Read parameters and body of a function. The reader's scope is that of the function."""
    node = pending.node
    span = Span(*node.byte_range)
    name, at = pending.name, pending.at
    own = node.child_by_field_name("name")
    if own is not None and node.type != "method_definition":
        name, at = reader.word(own), Span(*own.byte_range)
    is_async = is_generator = False
    for child in node.children:
        kind = child.type
        if kind == "async":
            is_async = True
        elif kind == "*":
            is_generator = True
        elif kind in ("formal_parameters", "=>", "statement_block"):
            break
    prologue: list[Stmt] = []
    params = _params(reader, node, prologue)
    body = _body(reader, node)
    hoisted = hoisted_names(reader, {param.name for param in params}) if reader.scope.hoisted else ()
    return Function(
        name,
        span,
        at or span,
        params,
        (*prologue, *hoisted, *body),
        is_async,
        is_generator,
        pending.decorators,
        returns=reader.annotation(node.child_by_field_name("return_type")),
        owner=pending.owner,
        parent=pending.parent,
    )


def hoisted_names(reader: Reader, bound: set[str]) -> list[Stmt]:
    """`var`s without a value are there, and undefined, from the start."""
    found: list[Stmt] = []
    for name, place in reader.scope.hoisted.items():
        if name not in bound:
            span = Span(*place)
            found.append(Do(span, Assign(span, Name(span, name), Const(span, None))))
    return found


def _body(reader: Reader, node: Node) -> tuple[Stmt, ...]:
    body = node.child_by_field_name("body")
    if body is None:
        return ()
    if body.type in ("statement_block", "class_static_block"):
        return reader.block(body.named_children)
    value = reader.expr(body)
    return (Return(value.span, value),)


# ---------------------------------------------------------------- parameters


def _params(reader: Reader, node: Node, prologue: list[Stmt]) -> tuple[Param, ...]:
    bare = node.child_by_field_name("parameter")
    if bare is not None:
        return (Param(reader.word(bare), Span(*bare.byte_range)),)
    listed = node.child_by_field_name("parameters")
    if listed is None:
        return ()
    params: list[Param] = []
    for child in listed.named_children:
        if child.type in NO_PART:
            continue
        param = _param(reader, child, prologue)
        if param is not None:
            params.append(param)
    return tuple(params)


def _param(reader: Reader, node: Node, prologue: list[Stmt]) -> Param | None:
    span = Span(*node.byte_range)
    pattern = node.child_by_field_name("pattern") if node.type.endswith("_parameter") else node
    if pattern is None or pattern.type == "this":
        return None
    kind = "positional"
    if pattern.type == "rest_pattern":
        kind = "rest"
        inner = reader.solid(pattern)
        if not inner:
            return None
        pattern = inner[-1]
    name = reader.scope.param_name() if pattern.type in PATTERNS else reader.word(pattern)
    at = Span(*pattern.byte_range)
    default = node.child_by_field_name("value")
    if default is not None:
        value: Expr | None = reader.named(default, name, at)
    else:
        value = Const(span, None) if node.type == "optional_parameter" else None
    if pattern.type in PATTERNS:
        destructure(reader, pattern, Name(at, name), prologue)
    if is_field(node):
        field = Attr(at, Name(at, "this"), name, at)
        prologue.append(Do(span, Assign(span, field, Name(at, name))))
    return Param(name, span, value, annotated(reader, node), kind)


def is_field(node: Node) -> bool:
    """Whether a parameter declares a field."""
    return any(child.type in FIELD_WORDS for child in node.children)


def annotated(reader: Reader, node: Node) -> Expr | None:
    """The type of a parameter or field. With decorators, it is written as `Annotated[type, decorator, …]`."""
    annotation = reader.annotation(node.child_by_field_name("type"))
    marks = decorators_of(reader, node)
    if not marks:
        return annotation
    span = Span(*node.byte_range)
    items = (annotation if annotation is not None else Opaque(span), *marks)
    return Index(span, Name(span, "Annotated"), Seq(span, items))


def decorators_of(reader: Reader, node: Node) -> tuple[Expr, ...]:
    """The decorators that stand in a node."""
    found = [decorator(reader, child) for child in node.named_children if child.type == "decorator"]
    return tuple([value for value in found if value is not None])


def decorator(reader: Reader, node: Node) -> Expr | None:
    solid = reader.solid(node)
    return reader.expr(solid[0]) if solid else None
