"""A description for a tool that has none: the first property of the object that defines it."""

from __future__ import annotations

import re

from tree_sitter import Node

from waitlint.facts import Map, Str
from waitlint.fix import AddDescription, Edit
from waitlint.frontends.typescript.literals import quoted
from waitlint.frontends.typescript.reader import Reader
from waitlint.frontends.typescript.syntax import COMMENTS, Tree
from waitlint.source import Source

# Keys that an object has only if it defines a tool.
_DEFINING = frozenset(
    {
        "inputSchema",
        "input_schema",
        "inputJsonSchema",
        "parameters",
        "schema",
        "args",
        "execute",
        "handler",
        "func",
        "run",
        "callback",
        "outputSchema",
        "annotations",
    }
)
_FUNCTIONS = frozenset({"arrow_function", "function_expression", "generator_function", "method_definition"})
_PASSED_BY = frozenset({"pair", "parenthesized_expression", "as_expression", "satisfies_expression"})
_KEY = "description"
_STRING = re.compile(r"""(?<![\w\\])(["'])(?:[^"'\\\n]|\\.)*\1""")


def described(source: Source, change: AddDescription) -> tuple[Edit, ...] | None:
    """The edit that describes the tool at a span; None where it is not an object, or has a description."""
    tree = Tree(source)
    reader = Reader(source)
    node = tree.root.descendant_for_byte_range(change.span.start, change.span.end)
    target = _definition(reader, node) if node is not None else None
    if target is None or _KEY in _keys(reader, target) or not change.value.strip():
        return None
    edit = _property(source, reader, target, change.value)
    return (edit,) if _holds(source, tree, target, edit, change.value) else None


# ---------------------------------------------------------------- the object


def _definition(reader: Reader, node: Node) -> Node | None:
    """The object that defines the tool: at the node, among the arguments of a call, or around a function."""
    node = _value(reader, node)
    if node.type == "object":
        return node
    if node.type in ("call_expression", "new_expression"):
        return _argument(reader, node)
    if node.type not in _FUNCTIONS:
        return None
    around = node.parent
    while around is not None and around.type in _PASSED_BY:
        around = around.parent
    if around is None:
        return None
    if around.type == "object":
        return around if _DEFINING & _keys(reader, around) else None
    if around.type == "arguments" and around.parent is not None:
        return _argument(reader, around.parent)
    return None


def _value(reader: Reader, node: Node) -> Node:
    """The value of a declaration with one variable, and whatever is transparent taken off."""
    while True:
        node = reader.bare(node)
        solid = reader.solid(node)
        if node.type == "variable_declarator" or node.type == "assignment_expression":
            field = node.child_by_field_name("value" if node.type == "variable_declarator" else "right")
            if field is None:
                return node
            node = field
        elif node.type in ("lexical_declaration", "variable_declaration", "expression_statement", "await_expression"):
            if len(solid) != 1:
                return node
            node = solid[0]
        elif node.type == "export_statement":
            fields = reader.fields(node, "declaration", "value")
            if len(fields) != 1:
                return node
            node = fields[0]
        elif node.type == "pair":
            field = node.child_by_field_name("value")
            if field is None:
                return node
            node = field
        else:
            return node


def _argument(reader: Reader, call: Node) -> Node | None:
    """The one argument that is an object which defines a tool."""
    arguments = call.child_by_field_name("arguments")
    if arguments is None or arguments.type != "arguments":
        return None
    objects = [reader.bare(argument) for argument in reader.solid(arguments)]
    called = reader.word(call.children[0]).rpartition(".")[2]
    if called == "registerTool" and len(objects) == 3 and objects[1].type == "object":
        return objects[1]
    if called == "tool" and objects and objects[0].type != "object" and objects[0].type not in _FUNCTIONS:
        # `tool(name, shape, …)`: an object there names the arguments.
        return None
    found = [node for node in objects if node.type == "object" and _DEFINING & _keys(reader, node)]
    return found[0] if len(found) == 1 else None


def _keys(reader: Reader, target: Node) -> set[str]:
    keys: set[str] = set()
    for child in reader.solid(target):
        if child.type == "shorthand_property_identifier":
            keys.add(reader.word(child))
        key = child.child_by_field_name("key") or child.child_by_field_name("name")
        if key is not None:
            keys.add(reader.literal(key) or reader.word(key))
    return keys


# ---------------------------------------------------------------- the property


def _property(source: Source, reader: Reader, target: Node, value: str) -> Edit:
    text = source.text
    first = reader.solid(target)[0] if reader.solid(target) else None
    quote = _quote(source, value)
    key = _KEY
    if first is not None and first.type == "pair" and first.children[0].type == "string":
        mark = text[first.children[0].start_byte]
        key = f"{mark}{_KEY}{mark}"
    written = f"{key}: {quote}{quoted(value, quote)}{quote}"
    brace = target.children[0].end_byte
    if first is None:
        if text[brace : target.end_byte - 1].strip():
            return Edit(source.path, brace, brace, f" {written}")
        return Edit(source.path, brace, target.end_byte - 1, f" {written} ")
    for child in target.named_children:
        line = text.rfind("\n", 0, child.start_byte) + 1
        if line > brace and not text[line : child.start_byte].strip():
            margin = text[line : child.start_byte]
            return Edit(source.path, child.start_byte, child.start_byte, f"{written},{source.newline}{margin}")
        if child.type not in COMMENTS:
            break
    return Edit(source.path, first.start_byte, first.start_byte, f"{written}, ")


def _quote(source: Source, value: str) -> str:
    """The quotes that the file uses most, or the others where that saves escapes."""
    marks = [match[1] for match in _STRING.finditer(source.text)]
    usual = "'" if marks.count("'") > marks.count('"') else '"'
    other = '"' if usual == "'" else "'"
    return other if usual in value and other not in value else usual


def _holds(source: Source, tree: Tree, target: Node, edit: Edit, value: str) -> bool:
    """Whether the edited file parses as well as before, and the object has the description."""
    text = source.text[: edit.start] + edit.text + source.text[edit.end :]
    changed = Source(source.path, text, bom=source.bom)
    after = Tree(changed)
    if len(after.errors()) > len(tree.errors()):
        return False
    end = target.end_byte + len(text) - len(source.text)
    node = after.root.descendant_for_byte_range(target.start_byte, end)
    found = Reader(changed).expr(node) if node is not None else None
    if not isinstance(found, Map) or not found.entries:
        return False
    first = found.entries[0]
    return (
        isinstance(first.key, Str)
        and first.key.literal == _KEY
        and isinstance(first.value, Str)
        and first.value.literal == value
    )
