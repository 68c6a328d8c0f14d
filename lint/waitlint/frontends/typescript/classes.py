"""Classes, enums and interfaces."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tree_sitter import Node

from waitlint.facts import Binary, Class, ClassExpr, Const, Expr, Func, Index, Member, Opaque, Seq, Span, Str, Unary
from waitlint.frontends.typescript.functions import (
    FUNCTION_KINDS,
    Pending,
    annotated,
    decorator,
    decorators_of,
    is_field,
    key_name,
    method,
)
from waitlint.frontends.typescript.patterns import is_path
from waitlint.frontends.typescript.syntax import COMMENTS

if TYPE_CHECKING:
    from waitlint.frontends.typescript.reader import Reader

_NO_CLASS = None


def class_expression(reader: Reader, node: Node, name: str = "", at: Span | None = None) -> Expr:
    if reader.depth >= reader.max_depth:
        return reader.too_deep(node)
    return ClassExpr(Span(*node.byte_range), read_class(reader, node, name, at))


def read_class(
    reader: Reader, node: Node, name: str = "", at: Span | None = None, decorators: tuple[Expr, ...] = ()
) -> int:
    """Read a class; `name` is what it is bound to, for one without its own."""
    index = _reserve(reader)
    reader.depth += 2
    span = Span(*node.byte_range)
    own = node.child_by_field_name("name")
    if own is not None:
        name, at = reader.word(own), Span(*own.byte_range)
    bases: list[Expr] = []
    for child in node.children:
        if child.type == "class_heritage":
            for clause in reader.solid(child):
                bases.extend(_heritage(reader, clause))
    body = node.child_by_field_name("body")
    members = _members(reader, body, index) if body is not None else ()
    decorators = (*decorators, *decorators_of(reader, node))
    reader.depth -= 2
    reader.classes[index] = Class(
        name, span, at or span, tuple(bases), members, decorators, parent=reader.scope.function
    )
    return index


def _reserve(reader: Reader) -> int:
    reader.classes.append(_NO_CLASS)
    return len(reader.classes) - 1


def _heritage(reader: Reader, clause: Node) -> list[Expr]:
    """What a class extends, then what it implements."""
    if clause.type == "implements_clause":
        return [reader.type(child) for child in reader.solid(clause)]
    if clause.type != "extends_clause":
        return [reader.expr(clause)]
    bases: list[Expr] = []
    for child in reader.solid(clause):
        if child.type == "type_arguments" and bases:
            bases[-1] = with_arguments(reader, bases[-1], child)
        else:
            bases.append(reader.expr(child))
    return bases


def with_arguments(reader: Reader, base: Expr, node: Node) -> Expr:
    """A generic type with its arguments."""
    span = Span(*node.byte_range)
    types = tuple([reader.type(child) for child in reader.solid(node)])
    if not types:
        return base
    key = types[0] if len(types) == 1 else Seq(span, types)
    return Index(Span(base.span.start, span.end), base, key)


# ---------------------------------------------------------------- members


def _members(reader: Reader, body: Node, owner: int) -> tuple[Member, ...]:
    members: list[Member] = []
    decorators: list[Expr] = []
    for child in body.named_children:
        kind = child.type
        span = Span(*child.byte_range)
        if kind == "decorator":
            value = decorator(reader, child)
            if value is not None:
                decorators.append(value)
            continue
        if kind in COMMENTS:
            continue
        members.extend(_computed(reader, child))
        if kind == "method_definition":
            if reader.text.startswith("constructor", _name_start(child)):
                members.extend(_declared_by_parameters(reader, child))
            found = method(reader, child, owner=owner, decorators=tuple(decorators))
            # A setter is no value of its field: it stands under a name that no code can write.
            name = f"{found.name}=" if found.kind == "set" else found.name
            members.append(Member(name, span, found.func, None, found.is_static))
        elif kind == "public_field_definition":
            members.append(_field(reader, child, span, owner))
        elif kind == "abstract_method_signature":
            members.append(Member(key_name(reader, child.child_by_field_name("name")), span, None, reader.type(child)))
        elif kind == "class_static_block":
            index = reader.queue(Pending(child, "", None, owner, reader.scope.function))
            members.append(Member("", span, Func(span, index), None, True))
        decorators.clear()
    return tuple(members)


def _computed(reader: Reader, node: Node) -> list[Member]:
    """What a computed name evaluates when the class is made: as a member without a name, like a static block."""
    key = node.child_by_field_name("name")
    if key is None or key.type != "computed_property_name":
        return []
    value = reader.expr(key)
    if isinstance(value, Opaque) and len(value.parts) == 1:
        value = value.parts[0]
    if is_path(value) or isinstance(value, Str | Const):
        return []
    return [Member("", Span(*key.byte_range), value, None, True)]


def _name_start(node: Node) -> int:
    name = node.child_by_field_name("name")
    return name.start_byte if name is not None else node.start_byte


def _declared_by_parameters(reader: Reader, constructor: Node) -> list[Member]:
    """The fields that a constructor's parameters declare."""
    listed = constructor.child_by_field_name("parameters")
    fields: list[Member] = []
    for child in listed.named_children if listed is not None else ():
        pattern = child.child_by_field_name("pattern")
        if pattern is not None and pattern.type == "identifier" and is_field(child):
            fields.append(Member(reader.word(pattern), Span(*child.byte_range), None, annotated(reader, child)))
    return fields


def _field(reader: Reader, node: Node, span: Span, owner: int) -> Member:
    key = node.child_by_field_name("name")
    name = key_name(reader, key)
    at = Span(*key.byte_range) if key is not None else span
    value: Expr | None = None
    written = node.child_by_field_name("value")
    if written is not None:
        bare = reader.bare(written)
        if bare.type in FUNCTION_KINDS:
            value = reader.function(bare, name, at, owner=owner)
        else:
            value = reader.named(bare, name, at)
    is_static = any(child.type == "static" for child in node.children)
    annotation = annotated(reader, node)
    if annotation is not None and any(child.type == "?" for child in node.children):
        annotation = optional(annotation)
    return Member(name, span, value, annotation, is_static)


def optional(annotation: Expr) -> Expr:
    """`T | undefined`, which a question mark adds."""
    return Binary(annotation.span, "|", annotation, Const(annotation.span, None))


# ---------------------------------------------------------------- enums and interfaces


def read_enum(reader: Reader, node: Node) -> int:
    """An enum is a class whose members have the values that they have at run time."""
    index = _reserve(reader)
    span = Span(*node.byte_range)
    own = node.child_by_field_name("name")
    body = node.child_by_field_name("body")
    members: list[Member] = []
    following: int | None = 0
    for child in reader.solid(body) if body is not None else ():
        at = Span(*child.byte_range)
        key, value = child, None
        if child.type == "enum_assignment":
            named, written = child.child_by_field_name("name"), child.child_by_field_name("value")
            key = named if named is not None else child
            value = reader.expr(written) if written is not None else None
            following = _after(value)
        elif following is not None:
            value = Const(at, following)
            following += 1
        members.append(Member(key_name(reader, key), at, value, None, True))
    reader.classes[index] = Class(
        reader.word(own) if own is not None else "",
        span,
        Span(*own.byte_range) if own is not None else span,
        (),
        tuple(members),
        parent=reader.scope.function,
    )
    return index


def _after(value: Expr | None) -> int | None:
    """The number of the enum member after one with this value."""
    sign = 1
    if isinstance(value, Unary) and value.op == "-":
        sign, value = -1, value.value
    if isinstance(value, Const) and isinstance(value.value, int) and not isinstance(value.value, bool):
        return sign * value.value + 1
    return None


def read_interface(reader: Reader, node: Node) -> int:
    """An interface is a class whose members have types and no values."""
    index = _reserve(reader)
    span = Span(*node.byte_range)
    own = node.child_by_field_name("name")
    bases: list[Expr] = []
    for child in node.named_children:
        if child.type == "extends_type_clause":
            bases.extend([reader.type(base) for base in reader.solid(child)])
    members: list[Member] = []
    body = node.child_by_field_name("body")
    for child in reader.solid(body) if body is not None else ():
        key = child.child_by_field_name("name")
        if key is None or child.type == "index_signature":
            continue
        members.append(Member(key_name(reader, key), Span(*child.byte_range), None, signature_type(reader, child)))
    reader.classes[index] = Class(
        reader.word(own) if own is not None else "",
        span,
        Span(*own.byte_range) if own is not None else span,
        tuple(bases),
        tuple(members),
        parent=reader.scope.function,
    )
    return index


def signature_type(reader: Reader, node: Node) -> Expr:
    """The type of a property or method of an interface or object type."""
    if node.type != "property_signature":
        return reader.type(node)
    annotation = reader.annotation(node.child_by_field_name("type"))
    if annotation is None:
        annotation = Opaque(Span(*node.byte_range))
    return optional(annotation) if any(child.type == "?" for child in node.children) else annotation
