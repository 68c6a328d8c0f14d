"""The Python grammar: parsing, and its node kinds as numbers."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import TypeVar

import tree_sitter_python
from tree_sitter import Language, Node, Parser, Query, QueryCursor, Tree

_T = TypeVar("_T")

LANGUAGE = Language(tree_sitter_python.language())
ERROR = 65535
TREES_KEPT = 4

_IDS: dict[str, list[int]] = {}
for _number in range(LANGUAGE.node_kind_count):
    _IDS.setdefault(LANGUAGE.node_kind_for_id(_number) or "", []).append(_number)
_IDS["ERROR"] = [ERROR]

_NOT_ASCII = re.compile(r"[^\x00-\x7f]+")


def ids(*kinds: str) -> frozenset[int]:
    """The numbers of node kinds; the grammar has more than one for some."""
    return frozenset(number for kind in kinds for number in _IDS[kind])


def by_kind(table: Mapping[str, _T]) -> dict[int, _T]:
    """A table by the number of the node kind instead of its name: a number costs less to get and to look up."""
    return {number: value for kind, value in table.items() for number in _IDS[kind]}


EXTRAS = ids("comment", "line_continuation")
_COMMENTS = Query(LANGUAGE, "(comment) @comment")


def one_byte_each(text: str) -> bytes:
    """The text with one byte for each code point, so that the parser's offsets are offsets in the text.

    What is not ASCII can only stand in names, strings and comments: a letter takes the place of what may stand in a
    name, and a question mark, which the grammar has no use for, the place of all else. Names and strings are read
    from the text itself.
    """
    if not text.isascii():
        text = _NOT_ASCII.sub(_stand_in, text)
    return text.encode("ascii")


def _stand_in(run: re.Match[str]) -> str:
    characters = run.group()
    return ("Z" if f"a{characters}".isidentifier() else "?") * len(characters)


@lru_cache(TREES_KEPT)
def parse(text: str) -> Tree:
    """The syntax tree, whose byte offsets are code points of `text`. Those of one change ask for the same few."""
    return Parser(LANGUAGE).parse(one_byte_each(text))


def comments(tree: Tree) -> list[Node]:
    """All comments, in order."""
    found = QueryCursor(_COMMENTS).captures(tree.root_node).get("comment", [])
    return sorted(found, key=lambda node: node.start_byte)


def broken_places(tree: Tree) -> list[Node]:
    """The outermost nodes that the grammar could not make sense of, and those that it missed, in order."""
    if not tree.root_node.has_error:
        return []
    found: list[Node] = []
    cursor = tree.walk()
    while True:
        node = cursor.node
        assert node is not None
        wrong = node.is_error or node.is_missing
        if wrong:
            found.append(node)
        if not wrong and node.has_error and cursor.goto_first_child():
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return found
