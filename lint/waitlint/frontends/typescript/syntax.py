"""Parsing: the grammar of a file, its syntax tree, and what the grammar did not understand.

A syntax tree counts bytes and facts count code points. The parser is given the text with every character outside of
ASCII replaced by one byte of the same syntactic kind, so that both are the same number.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import cache
from os.path import splitext

from tree_sitter import Language, Node, Parser

from waitlint.facts import Comment, Span
from waitlint.source import Source

# What tree-sitter counts as a comment, and what may stand between any two tokens.
COMMENTS = frozenset({"comment", "html_comment", "hash_bang_line"})
# Named children that are no part of what is around them: comments, and what the grammar did not understand.
NO_PART = COMMENTS | {"ERROR"}

TYPED_ENDINGS = frozenset({".ts", ".mts", ".cts"})
_SPEAKING = ("waitlint:", "expect:")
_MARKS = re.compile("|".join(_SPEAKING))

_NOT_ASCII = re.compile("[^\x00-\x7f]+")
_SPACES = "\u00a0\u1680\u2000-\u200b\u2028\u2029\u202f\u205f\u2060\u3000\ufeff"
_SPACE = re.compile(f"[{_SPACES}]")
_NOT_ASCII_OR_SPACE = re.compile(f"[^\x00-\x7f{_SPACES}]")
# `import("x")` as a type, which the grammar takes for a call and stumbles over in type arguments.
_IMPORTED_TYPE = re.compile(r"((?:\btypeof\s+|<\s*)import)(\(\s*(?:\"[^\"\n]*\"|'[^'\n]*')\s*\))")
# What the grammar does not know, after what stands before it and before what follows.
_UNKNOWN_WORDS = re.compile(
    r"""(?<=\bexport\ )type(?=\s+\*)
      | (?<=\bimport\ )(?:source|defer)(?=\s+(?!from\b)[\w$*])
      | (?:(?<=<)|(?<=,\ ))in(?=\ (?:out\ +)?[A-Za-z_$][\w$]*\s*(?:[,>=]|extends\b))
      | (?<=[<,\s])out(?=\ +[A-Za-z_$][\w$]*\s*(?:[,>=]|extends\b))""",
    re.VERBOSE,
)
_TAG_TYPES = re.compile(r"(?<=[\w)])<[^<>()`]{1,300}>(?=`)")
_USING = re.compile(r"(?<=\bfor\ \()using(?=\s+[\w$]+\s+of\b)")
_END_OF_WORDS = re.compile("[<{]")
_BARE_AND = re.compile(r"&(?!#?\w{1,32};)")
# How often a file is parsed again without what the grammar does not know.
_MOST_PASSES = 4


def uses_types(path: str) -> bool:
    """Whether a file is read by the grammar without JSX, in which `<T>x` is a cast."""
    return splitext(path)[1].lower() in TYPED_ENDINGS


@cache
def _language(typed: bool) -> Language:
    import tree_sitter_typescript

    if typed:
        return Language(tree_sitter_typescript.language_typescript())
    return Language(tree_sitter_typescript.language_tsx())


def masked(text: str) -> str:
    """The text with one ASCII character for each code point: letters for letters, spaces for spaces."""
    if text.isascii():
        return text

    def mask(match: re.Match[str]) -> str:
        run = match[0]
        if _SPACE.search(run) is None:
            return "_" * len(run)
        return _SPACE.sub(" ", _NOT_ASCII_OR_SPACE.sub("_", run))

    return _NOT_ASCII.sub(mask, text)


class Tree:
    """The syntax tree of a source, whose byte offsets are the source's code points."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.typed = uses_types(source.path)
        parser = Parser(_language(self.typed))
        text = masked(source.text)
        self.root = root = parser.parse(text.encode("ascii")).root_node
        for _ in range(_MOST_PASSES):
            other = _without_known_gaps(text, root) if root.has_error else text
            if other == text:
                break
            text = other
            root = parser.parse(text.encode("ascii")).root_node
            if len(_errors(root)) < len(_errors(self.root)):
                self.root = root

    def errors(self) -> list[Node]:
        """What the grammar did not understand or missed, in order, outer nodes before inner ones."""
        return _errors(self.root)

    def comments(self) -> tuple[Comment, ...]:
        """The comments that speak to waitlint."""
        text = self.source.text
        if not any(word in text for word in _SPEAKING):
            return ()
        marks = [match.start() for match in _MARKS.finditer(text)]
        found = []
        waiting = [self.root]
        while waiting:
            node = waiting.pop()
            start, end = node.byte_range
            if bisect_left(marks, start) == bisect_left(marks, end):
                continue
            if node.type in COMMENTS:
                found.append(Comment(_without_delimiters(text[start:end]), Span(start, end)))
            else:
                waiting.extend(reversed(node.children))
        return tuple(found)


def _without_known_gaps(text: str, root: Node) -> str:
    """The text without what is right and the grammar does not know, such as imported types and `&` in JSX."""
    text = _IMPORTED_TYPE.sub(lambda match: match[1] + re.sub(r"\W", "_", match[2]), text)
    for pattern in (_UNKNOWN_WORDS, _TAG_TYPES):
        text = pattern.sub(lambda match: " " * len(match[0]), text)
    text = _USING.sub("const", text)
    starts: list[int] = []
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if not node.has_error:
            continue
        before = ""
        for child in node.children:
            waiting.append(child)
            start = child.start_byte
            between_tags = before == "jsx_text" or (node.type == "jsx_element" and child.is_error)
            if between_tags and text.startswith("&", start):
                starts.append(start)
            before = child.type
    done = 0
    parts: list[str] = []
    for start in sorted(starts):
        if start >= done:
            end = _END_OF_WORDS.search(text, start)
            parts.append(text[done:start])
            done = end.start() if end else len(text)
            parts.append(_BARE_AND.sub("_", text[start:done]))
    return "".join((*parts, text[done:]))


def _errors(root: Node) -> list[Node]:
    found = []
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.has_error:
            if node.is_error or node.is_missing:
                found.append(node)
            waiting.extend(reversed(node.children))
    return found


def _without_delimiters(comment: str) -> str:
    if comment.startswith("//"):
        return comment[2:].strip()
    if comment.startswith("<!--"):
        return comment[4:].removesuffix("-->").strip()
    lines = comment[2:].removesuffix("*/").splitlines()
    return "\n".join(line.strip().removeprefix("*").strip() for line in lines).strip()
