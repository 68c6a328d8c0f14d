"""Where an option made a line too long: its object, or the arguments around it, over several lines, as by prettier.

The object that is the last argument keeps its brackets on the lines of the call; where what stands before it is too
long for that, each argument gets a line.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from tree_sitter import Node

from waitlint.fix import Edit
from waitlint.frontends.filling import difference, indent_of
from waitlint.frontends.typescript.surgery import solid, walk
from waitlint.frontends.typescript.syntax import COMMENTS, Tree
from waitlint.source import Source


def spread_out(source: Source, edits: tuple[Edit, ...], width: int) -> tuple[Edit, ...]:
    """The edits, with the line breaks that keep their lines within `width`; as they are where that fails."""
    text, places = _spliced(source.text, edits)
    tree = Tree(Source(source.path, text, bom=source.bom))
    manner = _manner(tree, text, width, source.newline)
    for edit, at in places:
        line_start, line_end = text.rfind("\n", 0, at) + 1, text.find("\n", at)
        line_end = len(text) if line_end < 0 else line_end
        if (
            "\n" in edit.text
            or _was_too_long(source.text, edit, width)
            or len(without_comment(tree, line_start, text[line_start:line_end])) <= width
        ):
            continue
        found = _around(tree, at, line_start, line_end)
        words = _broken(text, found, line_start, line_end, manner) if found is not None else None
        if found is None or words is None:
            continue
        made = _with_words(source, edits, places, found, words)
        if made is not None and len(Tree(_applied(source, made)).errors()) <= len(tree.errors()):
            return made
    return edits


def _was_too_long(text: str, edit: Edit, width: int) -> bool:
    """Whether a line went over the margin before: then nobody minds."""
    start, end = text.rfind("\n", 0, edit.start) + 1, text.find("\n", edit.end)
    line = text[start : end if end >= 0 else len(text)]
    return len(without_comment(Tree(Source("", text)), start, line)) > width if len(line) > width else False


def without_comment(tree: Tree, start: int, line: str) -> str:
    """A line that starts at an offset, without the comment behind its code."""
    last = start + len(line.rstrip())
    node = tree.root.descendant_for_byte_range(max(last - 1, start), last)
    return line[: node.start_byte - start].rstrip() if node is not None and node.type == "comment" else line.rstrip()


def _spliced(text: str, edits: Sequence[Edit]) -> tuple[str, list[tuple[Edit, int]]]:
    """A text with edits, and where each of them begins in it."""
    places, shift = [], 0
    for edit in sorted(edits):
        start = edit.start + shift
        text = text[:start] + edit.text + text[edit.end + shift :]
        places.append((edit, start))
        shift += len(edit.text) - (edit.end - edit.start)
    return text, places


def _applied(source: Source, edits: Sequence[Edit]) -> Source:
    return Source(source.path, _spliced(source.text, edits)[0], bom=source.bom)


def _around(tree: Tree, at: int, start: int, end: int) -> Node | None:
    """The arguments of one line that an edit stands in, of which the last is an object; else that object alone."""
    node = tree.root.descendant_for_byte_range(at, at + 1)
    found = None
    while node is not None and start <= node.start_byte and node.end_byte <= end:
        if any(child.type in COMMENTS for child in node.children):
            return None
        if node.type == "object":
            found = node
        elif node.type == "arguments" and solid(node) and solid(node)[-1].type == "object":
            return node
        node = node.parent
    return found


class _Manner(NamedTuple):
    """How a file breaks its lines: one step of indentation, what ends a line, and where a comma stands last."""

    width: int
    step: str
    newline: str
    commas: frozenset[str]


def _manner(tree: Tree, text: str, width: int, newline: str) -> _Manner:
    """The manner of a file; behind the last entry of an object stands a comma if the file does not say otherwise."""
    counts: Counter[tuple[str, bool]] = Counter()
    for node in walk(tree.root):
        if node.type in ("object", "arguments") and len(node.children) > 2:
            last = node.children[-2]
            if "\n" in text[last.end_byte : node.children[-1].start_byte]:
                counts[node.type, last.type == ","] += 1
    commas = {kind for kind in ("object", "arguments") if counts[kind, True] >= max(counts[kind, False], 1)}
    if not counts["object", False]:
        commas.add("object")
    return _Manner(width, indent_of(text), newline, frozenset(commas))


def _broken(text: str, node: Node, start: int, end: int, manner: _Manner) -> str | None:
    line = text[start:end]
    margin = line[: len(line) - len(line.lstrip(" \t"))]
    given = solid(node)
    if not given:
        return None
    if node.type == "object":
        return _lines(text, node, margin, manner)
    last = given[-1]
    alike = len(given) > 1 and given[-2].type == last.type
    if not alike and len(text[start : last.start_byte].rstrip()) + 2 <= manner.width:
        words = _lines(text, last, margin, manner)
        return f"{text[node.start_byte : last.start_byte]}{words}{text[last.end_byte : node.end_byte]}"
    return _lines(text, node, margin, manner) if len(given) > 1 else None


def _lines(text: str, node: Node, margin: str, manner: _Manner) -> str:
    """What stands between two brackets, a line each."""
    opening, closing = text[node.start_byte], text[node.end_byte - 1]
    inner = margin + manner.step
    items = [_item(text, one, inner, manner) for one in solid(node)]
    comma = "," if node.type in manner.commas else ""
    joined = f",{manner.newline}{inner}".join(items)
    return f"{opening}{manner.newline}{inner}{joined}{comma}{manner.newline}{margin}{closing}"


def _item(text: str, node: Node, margin: str, manner: _Manner) -> str:
    words = text[node.start_byte : node.end_byte]
    if len(margin) + len(words) + 1 <= manner.width or "\n" in words:
        return words
    value = node.child_by_field_name("value") if node.type == "pair" else node
    if value is None or value.type != "object" or not solid(value):
        return words
    return text[node.start_byte : value.start_byte] + _lines(text, value, margin, manner)


def _with_words(
    source: Source, edits: Sequence[Edit], places: Sequence[tuple[Edit, int]], node: Node, words: str
) -> tuple[Edit, ...] | None:
    """The edits with those inside of a node as one, which writes that node anew."""
    inside = [edit for edit, at in places if node.start_byte <= at and at + len(edit.text) <= node.end_byte]
    before = sum(len(edit.text) - (edit.end - edit.start) for edit, at in places if at < node.start_byte)
    grown = sum(len(edit.text) - (edit.end - edit.start) for edit in inside)
    start, end = node.start_byte - before, node.end_byte - before - grown
    if any(edit not in inside and edit.start < end and start < edit.end for edit in edits):
        return None
    first, last, new = difference(source.text[start:end], words)
    one = Edit(source.path, start + first, start + last, new)
    return tuple(sorted([*(edit for edit in edits if edit not in inside), one]))
