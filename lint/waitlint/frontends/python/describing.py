"""A description for a tool that has none: a docstring, or an argument of the call that defines it."""

from __future__ import annotations

from tree_sitter import Node

from waitlint.facts import Span
from waitlint.frontends.python.docstrings import indentation, is_docstring, laid_out
from waitlint.frontends.python.grammar import EXTRAS, ids
from waitlint.frontends.python.written import Literal, Splice, is_string
from waitlint.source import Source

_FUNCTION, _DECORATED, _CALL = ids("function_definition"), ids("decorated_definition"), ids("call")
_ARGUMENTS, _KEYWORD, _BLOCK, _COLON, _COMMENT = (
    ids(kind) for kind in ("argument_list", "keyword_argument", "block", ":", "comment")
)
_EXPRESSION, _IDENTIFIER, _COMMA = ids("expression_statement"), ids("identifier"), ids(",")
_UNIT = "    "


def described(source: Source, root: Node, span: Span, value: str) -> list[Splice] | None:
    """Edits that describe the function or call at `span`; None if neither is there or it has a description."""
    node = root.descendant_for_byte_range(span.start, span.end)
    if node is None:
        return None
    if node.kind_id in _IDENTIFIER and node.parent is not None and node.parent.kind_id in _FUNCTION:
        node = node.parent
    if node.kind_id in _EXPRESSION and node.named_child_count == 1:
        node = node.named_children[0]
    if node.kind_id in _DECORATED:
        node = node.named_children[-1]
    if node.kind_id in _FUNCTION:
        return _with_docstring(source, node, value)
    return _with_argument(source, node, value) if node.kind_id in _CALL else None


def _with_docstring(source: Source, function: Node, value: str) -> list[Splice] | None:
    text, newline = source.text, source.newline
    block = next((child for child in function.children if child.kind_id in _BLOCK), None)
    colon = next((child for child in reversed(function.children) if child.kind_id in _COLON), None)
    statements = [child for child in block.named_children if child.kind_id not in EXTRAS] if block is not None else []
    if block is None or colon is None or not statements:
        return None
    first = statements[0]
    if (
        first.kind_id in _EXPRESSION
        and any(map(is_string, first.named_children))
        and is_docstring(next(filter(is_string, first.named_children)))
    ):
        return None
    header_end = _line_end(text, colon.end_byte)
    one_line = first.start_byte < header_end
    margin = indentation(text, function.start_byte) + _UNIT if one_line else indentation(text, first.start_byte)
    literal = Literal(0, 0, "", '"""')
    spelled = literal.encode(laid_out(value, margin), newline)
    if spelled is None or not value.strip():
        return None
    docstring = f'{margin}"""{spelled}"""'
    if one_line:
        return [Splice(colon.end_byte, first.start_byte, f"{newline}{docstring}{newline}{margin}")]
    return [Splice(header_end, header_end, f"{newline}{docstring}")]


def _with_argument(source: Source, call: Node, value: str) -> list[Splice] | None:
    text, newline = source.text, source.newline
    arguments = call.children[-1]
    if arguments.kind_id not in _ARGUMENTS:
        return None
    given = [child for child in arguments.named_children if child.kind_id not in EXTRAS]
    for child in given:
        if child.kind_id in _KEYWORD and text[child.start_byte : child.named_children[0].end_byte] == "description":
            return None
    literal = Literal(0, 0, "", '"')
    argument = f'description="{literal.encode(value, newline)}"'
    if not given:
        at = arguments.children[0].end_byte
        return [Splice(at, at, argument)]
    last = given[-1]
    comma = next((c for c in arguments.children if c.kind_id in _COMMA and c.start_byte >= last.end_byte), None)
    end = comma.end_byte if comma is not None else last.end_byte
    margin = indentation(text, last.start_byte)
    line_start = text.rfind("\n", 0, last.start_byte) + 1
    if line_start <= arguments.start_byte or line_start + len(margin) != last.start_byte:
        return [Splice(end, end, f" {argument}" if comma is not None else f", {argument}")]
    comment = next((c for c in arguments.children if c.kind_id in _COMMENT and c.start_byte >= end), None)
    line_end = comment.end_byte if comment is not None and comment.start_byte < _line_end(text, end) else end
    tail = "," if comma is not None else ""
    if comma is None and line_end == end:
        return [Splice(end, end, f",{newline}{margin}{argument}")]
    added = Splice(line_end, line_end, f"{newline}{margin}{argument}{tail}")
    return [added] if comma is not None else [Splice(end, end, ","), added]


def _line_end(text: str, offset: int) -> int:
    """The end of an offset's line, before its newline."""
    end = text.find("\n", offset)
    end = len(text) if end < 0 else end
    return end - 1 if text[end - 1 : end] == "\r" and end > offset else end
