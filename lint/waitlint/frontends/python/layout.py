"""Where new words made a line too long: literals side by side, each on a line of its own, as code is laid out.

Only white space, parentheses and the quotes between two literals are added; what comes out means what went in.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import NamedTuple

from tree_sitter import Node

from waitlint.fix import Edit
from waitlint.frontends.filling import difference, filled
from waitlint.frontends.python.docstrings import indentation
from waitlint.frontends.python.grammar import EXTRAS, ids, parse
from waitlint.frontends.python.native import native_tree
from waitlint.source import Source

# Less than this between indentation and margin is no room for words.
LEAST_ROOM = 30

_STRING, _CONCATENATED, _INTERPOLATION = ids("string"), ids("concatenated_string"), ids("interpolation")
_ARGUMENTS, _PARENTHESES = ids("argument_list"), ids("parenthesized_expression")
_NAMED = ids("keyword_argument", "assignment", "pair")
_LISTS = ids("list", "set", "tuple")
_COMMENT = ids("comment")


class _Line(NamedTuple):
    """A literal on one line that is too long."""

    node: Node
    start: int
    end: int


def laid_out(source: Source, edits: Iterable[Edit], width: int) -> tuple[Edit, ...]:
    """The edits of one text with line breaks where they make a line longer than `width`; as they are if that fails."""
    given = tuple(edits)
    after = _spliced(source.text, given)
    text = after
    at = min((edit.start for edit in given), default=0)
    for _ in range(3):
        made = _broken(text, at, at + sum(len(edit.text) for edit in given) + 1, width, source.newline)
        if made is None:
            break
        text = made
    if text == after or not _means_the_same(after, text):
        return given
    return (Edit(given[0].path, *difference(source.text, text)),)


def _spliced(text: str, edits: Iterable[Edit]) -> str:
    for edit in sorted(edits, reverse=True):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text


def _broken(text: str, start: int, end: int, width: int, newline: str) -> str | None:
    """The text with one step towards lines that are short enough; None where there is none to take."""
    found = _too_long(text, start, end, width)
    if found is None:
        return _broken_call(text, start, width, newline)
    literal, line_start = found.node, found.start
    margin = indentation(text, literal.start_byte)
    unit = "\t" if margin.startswith("\t") else "    "
    whole = _expression(literal)
    parent = whole.parent
    if parent is None:
        return None
    before = text[line_start : literal.start_byte]
    if parent.kind_id in _NAMED and before.strip() == text[parent.start_byte : whole.start_byte].strip():
        inner = margin + unit
        parts = _parts(text, literal, width - len(inner))
        if parts is None or whole.kind_id in _CONCATENATED:
            return None
        body = f"{newline}{inner}".join(parts)
        words = f"({newline}{inner}{body}{newline}{margin})"
        return text[: whole.start_byte] + words + text[whole.end_byte :]
    if not before.strip() and (whole.kind_id in _CONCATENATED or parent.kind_id not in _LISTS):
        parts = _parts(text, literal, width - len(margin))
        if parts is None or (whole.kind_id not in _CONCATENATED and parent.kind_id not in (_PARENTHESES | _ARGUMENTS)):
            return None
        body = f"{newline}{margin}".join(parts)
        return text[: literal.start_byte] + body + text[literal.end_byte :]
    return _arguments_below(text, literal, width, newline)


def _broken_call(text: str, at: int, width: int, newline: str) -> str | None:
    """The same for a call of one line that an argument has made too long."""
    root = parse(text).root_node
    line_start, line_end = text.rfind("\n", 0, at) + 1, text.find("\n", at)
    line_end = len(text) if line_end < 0 else line_end
    node = root.descendant_for_byte_range(at, at)
    too_long = len(_without_comment(root, text, line_start, line_end).rstrip()) > width
    return _arguments_below(text, node, width, newline) if node is not None and too_long else None


def _too_long(text: str, start: int, end: int, width: int) -> _Line | None:
    """The changed literal of one line that reaches over the margin, comments aside."""
    root = parse(text).root_node
    if root.has_error:
        return None
    for node in _literals(root, start, end):
        line_start = text.rfind("\n", 0, node.start_byte) + 1
        line_end = text.find("\n", node.start_byte)
        line_end = len(text) if line_end < 0 else line_end
        if node.end_byte > line_end or text[node.start_byte : node.end_byte].endswith(('"""', "'''")):
            continue
        if len(_without_comment(root, text, line_start, line_end).rstrip()) > width:
            return _Line(node, line_start, line_end)
    return None


def _literals(root: Node, start: int, end: int) -> list[Node]:
    found: list[Node] = []
    pending = [root]
    while pending:
        node = pending.pop()
        if node.end_byte < start or node.start_byte > end:
            continue
        if node.kind_id in _STRING:
            found.append(node)
        else:
            pending.extend(reversed(node.children))
    return found


def _without_comment(root: Node, text: str, start: int, end: int) -> str:
    last = len(text[start:end].rstrip()) + start
    node = root.descendant_for_byte_range(max(last - 1, start), last)
    return text[start : node.start_byte] if node is not None and node.kind_id in _COMMENT else text[start:end]


def _expression(literal: Node) -> Node:
    parent = literal.parent
    return parent if parent is not None and parent.kind_id in _CONCATENATED else literal


def _parts(text: str, literal: Node, room: int) -> list[str] | None:
    """A literal as several that are no longer than `room`, broken behind blanks outside of holes."""
    opening, closing = literal.children[0], literal.children[-1]
    head, tail = text[opening.start_byte : opening.end_byte], text[closing.start_byte : closing.end_byte]
    inside = text[opening.end_byte : closing.start_byte]
    room -= len(head) + len(tail) + 1
    if room < LEAST_ROOM or "\\N{" in inside or "\n" in inside:
        return None
    holes = [
        (child.start_byte - opening.end_byte, child.end_byte - opening.end_byte)
        for child in literal.children
        if child.kind_id in _INTERPOLATION
    ]
    lines = filled(inside, room, holes)
    return [f"{head}{line}{tail}" for line in lines] if len(lines) > 1 else None


def _arguments_below(text: str, inside: Node, width: int, newline: str) -> str | None:
    """A call of one line with its arguments below it: on one line where they fit there, else each on its own."""
    line_start, line_end = text.rfind("\n", 0, inside.start_byte) + 1, text.find("\n", inside.start_byte)
    line_end = len(text) if line_end < 0 else line_end
    node: Node | None = inside
    while node is not None and node.kind_id not in _ARGUMENTS:
        if node.start_byte < line_start or node.end_byte > line_end:
            return None
        node = node.parent
    if node is None or node.start_byte < line_start or node.end_byte > line_end:
        return None
    arguments = [child for child in node.named_children if child.kind_id not in EXTRAS]
    if not arguments or len(arguments) != len(node.named_children):
        return None
    margin = indentation(text, inside.start_byte)
    inner = margin + ("\t" if margin.startswith("\t") else "    ")
    written = [text[argument.start_byte : argument.end_byte] for argument in arguments]
    body = inner + ", ".join(written)
    if len(body) > width or text[node.end_byte - 2 : node.end_byte - 1] == ",":
        body = newline.join(f"{inner}{argument}," for argument in written)
    return f"{text[: node.start_byte]}({newline}{body}{newline}{margin}){text[node.end_byte :]}"


def _means_the_same(one: str, other: str) -> bool:
    first, second = native_tree(one), native_tree(other)
    return first is not None and second is not None and ast.dump(first) == ast.dump(second)
