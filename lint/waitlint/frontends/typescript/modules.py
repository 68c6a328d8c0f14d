"""Imports, exports and namespaces, in the ways of ES modules, CommonJS and TypeScript."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tree_sitter import Node

from waitlint.facts import (
    Assign,
    Attr,
    Define,
    DefineClass,
    Do,
    Entry,
    Export,
    Import,
    Map,
    Name,
    Piece,
    Span,
    Stmt,
    Str,
)
from waitlint.frontends.typescript.classes import read_class
from waitlint.frontends.typescript.functions import FUNCTION_DECLARATIONS, Pending, decorators_of, key_name
from waitlint.frontends.typescript.patterns import PATTERNS, destructure, names

if TYPE_CHECKING:
    from waitlint.frontends.typescript.reader import Reader

# What compilers wrap around `require(…)`; the result has the module's exports as attributes.
_INTEROP = frozenset(
    {
        "__importDefault",
        "__importStar",
        "__toESM",
        "_interopRequireDefault",
        "_interopRequireWildcard",
        "_interopNamespace",
        "_interopDefault",
    }
)

_TYPES_ALONE = frozenset({"interface_declaration", "type_alias_declaration"})


# ---------------------------------------------------------------- imports


def import_statement(reader: Reader, node: Node, out: list[Stmt]) -> None:
    source = node.child_by_field_name("source")
    for clause in node.named_children:
        if clause.type == "import_require_clause":
            name, module = clause.named_children[0], clause.child_by_field_name("source")
            if module is not None:
                out.append(Import(Span(*name.byte_range), reader.word(name), reader.literal(module) or ""))
        elif clause.type == "import_clause" and source is not None:
            _clause(reader, clause, reader.literal(source) or "", out)


def _clause(reader: Reader, clause: Node, module: str, out: list[Stmt]) -> None:
    for child in clause.named_children:
        span = Span(*child.byte_range)
        if child.type == "identifier":
            out.append(Import(span, reader.word(child), module, "default"))
        elif child.type == "namespace_import":
            solid = reader.solid(child)
            if solid:
                out.append(Import(span, reader.word(solid[-1]), module))
        elif child.type == "named_imports":
            for specifier in reader.solid(child):
                name, alias = specifier.child_by_field_name("name"), specifier.child_by_field_name("alias")
                if name is not None:
                    local = reader.word(alias if alias is not None else name)
                    out.append(Import(Span(*specifier.byte_range), local, module, key_name(reader, name)))


def import_alias(reader: Reader, node: Node, out: list[Stmt]) -> None:
    """`import a = b.c`."""
    solid = reader.solid(node)
    if len(solid) == 2:
        name = Name(Span(*solid[0].byte_range), reader.word(solid[0]))
        span = Span(*node.byte_range)
        out.append(Do(span, Assign(span, name, reader.type(solid[1]))))


def as_imports(reader: Reader, target: Node, value: Node, out: list[Stmt]) -> bool:
    """`target = require("m")`, `target = await import("m")`, or a name of one: as imports. Whether it was one."""
    found = _required(reader, value)
    if found is None:
        return False
    module, attribute = found
    if target.type == "identifier":
        out.append(Import(Span(*target.byte_range), reader.word(target), module, attribute))
        return True
    if target.type != "object_pattern" or attribute is not None:
        return False
    for child in target.named_children:
        kind = child.type
        span = Span(*child.byte_range)
        if kind == "shorthand_property_identifier_pattern":
            out.append(Import(span, reader.word(child), module, reader.word(child)))
        elif kind == "object_assignment_pattern":
            left = child.child_by_field_name("left")
            if left is not None:
                out.append(Import(span, reader.word(left), module, reader.word(left)))
        elif kind == "pair_pattern":
            key, local = child.child_by_field_name("key"), child.child_by_field_name("value")
            if key is None or local is None:
                continue
            if local.type == "assignment_pattern":
                local = local.child_by_field_name("left") or local
            if local.type == "identifier":
                out.append(Import(span, reader.word(local), module, key_name(reader, key)))
            elif local.type in PATTERNS:
                carrier = reader.made_up_name(span)
                out.append(Import(span, carrier.name, module, key_name(reader, key)))
                destructure(reader, local, carrier, out)
        elif kind == "rest_pattern":
            solid = reader.solid(child)
            if solid:
                out.append(Import(span, reader.word(solid[-1]), module))
    return True


def _required(reader: Reader, node: Node) -> tuple[str, str | None] | None:
    """Module and name of `require("m")`, `(await import("m")).name` and their like."""
    node = reader.bare(node)
    attribute: str | None = None
    if node.type == "member_expression":
        base, name = node.child_by_field_name("object"), node.child_by_field_name("property")
        if base is None or name is None:
            return None
        attribute = reader.word(name)
        node = reader.bare(base)
    awaited = node.type == "await_expression"
    if awaited:
        solid = reader.solid(node)
        if not solid:
            return None
        node = reader.bare(solid[0])
    if node.type != "call_expression":
        return None
    function, given = node.children[0], node.children[-1]
    if given.type != "arguments":
        return None
    if function.type == "identifier" and reader.word(function) in _INTEROP:
        inner = reader.solid(given)
        node = reader.bare(inner[0]) if inner else node
        if node.type != "call_expression":
            return None
        function, given = node.children[0], node.children[-1]
    if not (
        (awaited and function.type == "import")
        or (not awaited and function.type == "identifier" and reader.word(function) == "require")
    ):
        return None
    solid = reader.solid(given)
    module = reader.literal(solid[0]) if len(solid) in (1, 2) else None
    return None if module is None else (module, attribute)


# ---------------------------------------------------------------- exports


def export_statement(reader: Reader, node: Node, out: list[Stmt]) -> None:
    words = {child.type for child in node.children}
    declared = node.child_by_field_name("declaration")
    value = node.child_by_field_name("value")
    source = node.child_by_field_name("source")
    if declared is not None:
        _exported_declaration(reader, node, declared, "default" in words, out)
    elif value is not None:
        _default(reader, value, Span(*node.byte_range), out)
    elif "=" in words:
        solid = reader.solid(node)
        if solid:
            _export_equals(reader, solid[-1], Span(*node.byte_range), out)
    else:
        module = reader.literal(source) if source is not None else None
        _names(reader, node, words, module)


def _names(reader: Reader, node: Node, words: set[str], module: str | None) -> None:
    if "*" in words and module is not None:
        reader.exports.append(Export("*", "*", module))
        return
    for child in node.named_children:
        if child.type == "namespace_export" and module is not None:
            solid = reader.solid(child)
            if solid:
                reader.exports.append(Export(key_name(reader, solid[-1]), "*", module))
        elif child.type == "export_clause":
            for specifier in reader.solid(child):
                name, alias = specifier.child_by_field_name("name"), specifier.child_by_field_name("alias")
                if name is not None:
                    exported = key_name(reader, alias if alias is not None else name)
                    reader.exports.append(Export(exported, key_name(reader, name), module))


def _default(reader: Reader, value: Node, span: Span, out: list[Stmt]) -> None:
    at = Span(*value.byte_range)
    name = Name(at, "default")
    out.append(Do(span, Assign(span, name, reader.named(value, "default", at))))
    reader.exports.append(Export("default", "default"))


def _export_equals(reader: Reader, value: Node, span: Span, out: list[Stmt]) -> None:
    """`export = x` is `module.exports = x`."""
    at = Span(*value.byte_range)
    target = Attr(at, Name(at, "module"), "exports", at)
    out.append(Do(span, Assign(span, target, reader.named(value, "exports", at))))


def _exported_declaration(reader: Reader, node: Node, declared: Node, default: bool, out: list[Stmt]) -> None:
    marks = decorators_of(reader, node)
    start = len(out)
    span = Span(*declared.byte_range)
    if declared.type in ("class_declaration", "abstract_class_declaration"):
        out.append(DefineClass(span, read_class(reader, declared, decorators=marks)))
    elif declared.type in FUNCTION_DECLARATIONS:
        out.append(Define(span, reader.queue(Pending(declared, "", None, None, reader.scope.function))))
    else:
        out.extend(reader.block((declared,)))
    for name, at in _declared_names(reader, declared, out[start:]):
        reader.exports.append(Export("default" if default else name, name))
        if declared.type not in _TYPES_ALONE:
            reader.exported_at[name] = at


def _declared_names(reader: Reader, declared: Node, made: list[Stmt]) -> list[tuple[str, Span]]:
    """The names that a declaration gives to the module, and where they stand."""
    if declared.type == "ambient_declaration":
        return [found for child in reader.solid(declared) for found in _declared_names(reader, child, made)]
    if declared.type in ("lexical_declaration", "variable_declaration"):
        return [
            found
            for declarator in declared.named_children
            if declarator.type == "variable_declarator"
            for found in names(reader, declarator.children[0])
        ]
    if declared.type == "import_alias":
        solid = reader.solid(declared)
        return [(reader.word(solid[0]), Span(*solid[0].byte_range))] if solid else []
    name = declared.child_by_field_name("name")
    if name is None or declared.type == "function_signature" or not made:
        return []
    first = reader.word(name).split(".")[0]
    return [(first, Span(name.start_byte, name.start_byte + len(first)))]


# ---------------------------------------------------------------- namespaces


def namespace(reader: Reader, node: Node, out: list[Stmt]) -> None:
    """The statements of a namespace, then its name as a `Map` of the values that it exports."""
    name = node.child_by_field_name("name")
    body = node.child_by_field_name("body")
    if body is None:
        body = next((child for child in node.named_children if child.type == "statement_block"), None)
    exports, exported_at = reader.exports, reader.exported_at
    reader.exports, reader.exported_at = [], {}
    if body is not None:
        out.extend(reader.block(body.named_children))
    values, reader.exports, reader.exported_at = reader.exported_at, exports, exported_at
    if name is None or name.type != "identifier" or reader.ambient:
        return
    span, at = Span(*node.byte_range), Span(*name.byte_range)
    entries = tuple([Entry(_key(place, value), Name(place, value), place) for value, place in values.items()])
    out.append(Do(span, Assign(span, Name(at, reader.word(name)), Map(span, entries))))


def _key(at: Span, name: str) -> Str:
    return Str(at, (Piece(name, ((0, at.start), (len(name), at.end))),))
