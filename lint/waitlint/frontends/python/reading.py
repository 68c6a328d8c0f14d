"""The facts of one Python file."""

from __future__ import annotations

from tree_sitter import Tree

from waitlint.facts import Comment, FileFacts, Span, Stmt
from waitlint.frontends.python.grammar import broken_places, comments
from waitlint.frontends.python.recovery import parse_tolerantly
from waitlint.frontends.python.statements import Statements
from waitlint.source import Source

_MARKS = ("waitlint:", "expect:")


def read(source: Source, surface: str) -> FileFacts:
    """The facts of a Python source. Never raises on what it contains: problems are in `FileFacts.problems`."""
    trees = parse_tolerantly(source.text)
    reader = Statements(source.text)
    problems = _syntax_problems(source, trees)
    body: tuple[Stmt, ...] = ()
    try:
        for tree in trees:
            root = tree.root_node
            body += reader.statements([root] if root.is_error else root.named_children)
    except RecursionError:
        return FileFacts("python", surface, problems=(*problems, "nested too deeply to be read"))
    if reader.deepest is not None:
        line, _ = source.position(reader.deepest)
        problems.append(f"nested too deeply at line {line}: what stands deeper was not read")
    return FileFacts(
        language="python",
        surface=surface,
        body=body,
        functions=tuple(reader.functions),
        classes=tuple(reader.classes),
        comments=_comments(source.text, trees),
        problems=tuple(problems),
    )


def _syntax_problems(source: Source, trees: list[Tree]) -> list[str]:
    """One message for all that the grammar could not make sense of. It has no defaults of type parameters yet."""
    lines = [
        source.position(node.start_byte)[0]
        for tree in trees
        for node in broken_places(tree)
        if not (node.parent is not None and node.parent.type == "type_parameter")
    ]
    if not lines:
        return []
    more = len(set(lines)) - 1
    rest = f" and {more} more {'place' if more == 1 else 'places'}" if more else ""
    return [f"syntax error at line {lines[0]}{rest}: the file was read in part"]


def _comments(text: str, trees: list[Tree]) -> tuple[Comment, ...]:
    if not any(mark in text for mark in _MARKS):
        return ()
    found = []
    for node in [node for tree in trees for node in comments(tree)]:
        written = text[node.start_byte : node.end_byte]
        if any(mark in written for mark in _MARKS):
            found.append(Comment(written.lstrip("#").strip(), Span(*node.byte_range)))
    return tuple(found)
