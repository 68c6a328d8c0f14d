"""Where new words made a line too long: the line breaks that formatters of TypeScript and JavaScript would make.

A text as the value of a key goes to a line of its own; literals that are added up get one more. Options get one each.
"""

from __future__ import annotations

from tree_sitter import Node

from waitlint.fix import Edit
from waitlint.frontends.filling import difference, filled, indent_of
from waitlint.frontends.typescript.spreading import spread_out, without_comment
from waitlint.frontends.typescript.syntax import Tree
from waitlint.source import Source

LEAST_ROOM = 30


def laid_out(source: Source, edits: tuple[Edit, ...], width: int) -> tuple[Edit, ...]:
    """Edits with line breaks where they make a line longer than `width`; as they are if that fails."""
    made = _text_laid_out(source, edits, width) if len(edits) == 1 else edits
    return spread_out(source, edits, width) if made == edits else made


def _text_laid_out(source: Source, edits: tuple[Edit, ...], width: int) -> tuple[Edit, ...]:
    """The same for the edit of one text."""
    (edit,) = edits
    text = source.text[: edit.start] + edit.text + source.text[edit.end :]
    tree = Tree(Source(source.path, text, bom=source.bom))
    node = tree.root.descendant_for_byte_range(edit.start, edit.start)
    while node is not None and node.type != "string":
        node = node.parent
    if node is None or node.end_byte < edit.start + len(edit.text):
        return edits
    line_start, line_end = text.rfind("\n", 0, node.start_byte) + 1, text.find("\n", node.start_byte)
    line = text[line_start : line_end if line_end >= 0 else len(text)]
    if len(without_comment(tree, line_start, line)) <= width or node.end_byte > line_start + len(line):
        return edits
    margin = line[: len(line) - len(line.lstrip(" \t"))]
    made = _after_key(text, node, line_start, margin, source.newline) or _one_more(
        text, node, line_start, margin, width, source.newline
    )
    if made is None or len(Tree(Source(source.path, made, bom=source.bom)).errors()) > len(tree.errors()):
        return edits
    return (Edit(source.path, *difference(source.text, made)),)


def _after_key(text: str, node: Node, line_start: int, margin: str, newline: str) -> str | None:
    """The text on the line after its key, one step further in."""
    pair = node.parent
    if pair is None or pair.type != "pair" or pair.start_byte < line_start:
        return None
    if text[line_start : pair.start_byte].strip():
        return None
    key = pair.children[0]
    if key.end_byte > node.start_byte or text[key.end_byte : node.start_byte].strip() != ":":
        return None
    return f"{text[: key.end_byte]}:{newline}{margin}{indent_of(text)}{text[node.start_byte :]}"


def _one_more(text: str, node: Node, line_start: int, margin: str, width: int, newline: str) -> str | None:
    """One more literal in a chain of `+`, where each stands on a line of its own."""
    chain = node.parent
    if chain is None or chain.type != "binary_expression" or text[line_start : node.start_byte].strip():
        return None
    if "+" not in {child.type for child in chain.children}:
        return None
    quote, inside = text[node.start_byte], text[node.start_byte + 1 : node.end_byte - 1]
    room = width - len(margin) - 4
    if room < LEAST_ROOM:
        return None
    lines = filled(inside, room)
    if len(lines) < 2:
        return None
    body = f" +{newline}{margin}".join(f"{quote}{line}{quote}" for line in lines)
    return text[: node.start_byte] + body + text[node.end_byte :]
