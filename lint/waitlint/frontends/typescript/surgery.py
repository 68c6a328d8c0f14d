"""What the repairs of code share: a file's syntax tree, nodes by place, names in scope, and edits that are tried."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tree_sitter import Node

from waitlint.facts import Span
from waitlint.fix import Edit
from waitlint.frontends.typescript.syntax import COMMENTS, Tree
from waitlint.source import Source

FUNCTIONS = frozenset(
    {
        "arrow_function",
        "function_expression",
        "function_declaration",
        "generator_function",
        "generator_function_declaration",
        "method_definition",
    }
)
CALLS = frozenset({"call_expression", "new_expression"})
LOOPS = frozenset({"while_statement", "do_statement", "for_statement", "for_in_statement"})


class Patient:
    """A file under the knife."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.text = source.text
        self.tree = Tree(source)

    def word(self, node: Node) -> str:
        return self.text[node.start_byte : node.end_byte]

    def at(self, span: Span, kinds: frozenset[str]) -> Node | None:
        """The outermost node of some kinds that begins where the span does, and ends there if one does."""
        node = self.tree.root.descendant_for_byte_range(span.start, min(span.start + 1, span.end))
        found: list[Node] = []
        while node is not None and node.start_byte >= span.start:
            if node.type in kinds and node.start_byte == span.start:
                found.append(node)
            node = node.parent
        exact = [one for one in found if one.end_byte == span.end]
        best = exact or found[::-1]
        return best[0] if best else None

    def function_of(self, node: Node) -> Node | None:
        """The function that a node stands in."""
        around = node.parent
        while around is not None and around.type not in FUNCTIONS:
            around = around.parent
        return around

    def margin(self, offset: int) -> str:
        """The white space that the line of an offset starts with."""
        line = self.text[self.text.rfind("\n", 0, offset) + 1 : offset]
        return line[: len(line) - len(line.lstrip(" \t"))]

    def tried(self, edits: Sequence[Edit]) -> tuple[Edit, ...] | None:
        """The edits, if the file parses as well with them as without."""
        text = self.text
        for edit in sorted(edits, reverse=True):
            text = text[: edit.start] + edit.text + text[edit.end :]
        after = Tree(Source(self.source.path, text, bom=self.source.bom))
        return tuple(edits) if len(after.errors()) <= len(self.tree.errors()) else None

    def edit(self, start: int, end: int, text: str) -> Edit:
        return Edit(self.source.path, start, end, text)


def walk(node: Node) -> Iterator[Node]:
    waiting = [node]
    while waiting:
        one = waiting.pop()
        yield one
        waiting.extend(reversed(one.children))


def solid(node: Node) -> list[Node]:
    """The named children that are no comments."""
    return [child for child in node.named_children if child.type not in COMMENTS]


def bare(node: Node) -> Node:
    """A node without the parentheses around it."""
    while node.type == "parenthesized_expression" and len(solid(node)) == 1:
        node = solid(node)[0]
    return node


def given_to(call: Node | None) -> tuple[Node, list[Node]] | None:
    """The list of a call's arguments, and what stands in it; None where that can't be counted."""
    arguments = call.child_by_field_name("arguments") if call is not None else None
    if arguments is None or arguments.type != "arguments":
        return None
    given = solid(arguments)
    return (arguments, given) if all(one.type != "spread_element" for one in given) else None


def enclosing(node: Node) -> Iterator[Node]:
    """What a node stands in, the innermost first."""
    around = node.parent
    while around is not None:
        yield around
        around = around.parent


def may_be_missing(patient: Patient, node: Node, signal: str) -> bool:
    """Whether a signal is a parameter that may be left out, or one that its framework does not always hand over."""
    name = signal.rpartition(".")[2]
    if name == "abortSignal":
        return True
    for around in enclosing(node):
        if around.type in FUNCTIONS:
            for one in walk(around.child_by_field_name("parameters") or around):
                pattern = one.child_by_field_name("pattern") if one.type == "optional_parameter" else None
                if pattern is not None and patient.word(pattern) == name:
                    return True
    return False
