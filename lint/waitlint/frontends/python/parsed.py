"""A Python module as libcst reads it. Where its nodes stand is found out for the statements that somebody asks about.

To have libcst place all nodes of a long module takes ten times as long as to parse it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

import libcst as cst
from libcst.metadata import ByteSpanPositionProvider, CodeSpan

from waitlint.frontends.python.native import native_tree
from waitlint.frontends.python.nodes import below


class Parsed:
    """A module, what each of its nodes stands in, and where each stands, in bytes of its text as UTF-8.

    Raises libcst.ParserSyntaxError for what libcst can't read.
    """

    def __init__(self, text: str) -> None:
        self.module = cst.parse_module(text)
        self._content = text.encode("utf-8")
        self._tops = _tops(text, self._content, self.module)
        self._lasts = [top.last for top in self._tops or ()]
        self._lines = _line_starts(self._content) if self._tops is not None else []
        self._placed: dict[int, dict[cst.CSTNode, CodeSpan]] = {}
        self._parents: dict[cst.CSTNode, cst.CSTNode] = {}
        self._held: set[int] = set()
        self._offsets: dict[int, int] = {}

    # ------------------------------------------------------------ nodes

    def nodes(self, start: int, end: int) -> Iterator[tuple[cst.CSTNode, CodeSpan]]:
        """The nodes of the statements at the top that reach from one byte to another, each with its place."""
        if self._tops is None:
            yield from self._all_places().items()
            return
        first, last = self._top_at(start), self._top_at(max(start, end - 1))
        for index in range(first, min(last, len(self._tops) - 1) + 1):
            yield from self._places(index).items()

    def _top_at(self, byte: int) -> int:
        """The statement at the top that a byte belongs to."""
        return bisect_left(self._lasts, bisect_right(self._lines, byte) - 1)

    def parent(self, node: cst.CSTNode) -> cst.CSTNode | None:
        """What a node of the module stands in."""
        found = self._parents.get(node)
        if found is None and node is not self.module and len(self._held) < len(self.module.body):
            for index in range(len(self.module.body)):
                self._hold(index)
            found = self._parents.get(node)
        return found

    def _hold(self, index: int) -> None:
        if index not in self._held:
            self._held.add(index)
            statement = self.module.body[index]
            self._parents[statement] = self.module
            self._parents.update(_parents_in(statement))

    def _places(self, index: int) -> dict[cst.CSTNode, CodeSpan]:
        """Where the nodes of a statement at the top stand."""
        known = self._placed.get(index)
        if known is None:
            assert self._tops is not None
            self._hold(index)
            statement = self.module.body[index]
            alone = self.module.with_changes(header=(), body=(statement,), footer=())
            inner = _Spans().of(alone)
            self._offsets[index] = inner[statement].start
            shift = self._tops[index].start - inner[statement].start
            known = self._placed[index] = {
                node: CodeSpan(place.start + shift, place.length) for node, place in inner.items() if node is not alone
            }
        return known

    def _all_places(self) -> dict[cst.CSTNode, CodeSpan]:
        """Where all nodes stand: the statements could not be told apart."""
        if -1 not in self._placed:
            self._placed[-1] = _Spans().of(self.module)
        return self._placed[-1]

    # ------------------------------------------------------------ text

    def code_of(self, changed: cst.Module) -> str:
        """The text of a module that was made of this one: what has not changed is taken over as it was written."""
        framed = (*self.module.header, *self.module.footer)
        is_framed = len(framed) == len(changed.header) + len(changed.footer) and all(
            one is other for one, other in zip(framed, (*changed.header, *changed.footer), strict=True)
        )
        pieces = self._pieces(changed) if is_framed and self._tops else None
        return changed.code if pieces is None else b"".join(pieces).decode("utf-8")

    def _pieces(self, changed: cst.Module) -> list[bytes] | None:
        """The text in parts; None where it is not sure where a statement begins or ends."""
        last = len(self.module.body) - 1
        head, foot = self._bounds(0), self._bounds(last)
        if head is None or foot is None:
            return None
        pieces = [self._content[: head[0]]]
        for part in self._runs(changed.body):
            if isinstance(part, cst.CSTNode):
                pieces.append(changed.code_for_node(part).encode("utf-8"))
                continue
            start, end = self._bounds(part[0]), self._bounds(part[1])
            if start is None or end is None:
                return None
            pieces.append(self._content[start[0] : end[1]])
        pieces.append(self._content[foot[1] :])
        return pieces

    def _runs(self, body: Sequence[cst.CSTNode]) -> Iterator[cst.CSTNode | tuple[int, int]]:
        """The statements of a changed module: new ones, and from which to which old ones stand there as they were."""
        index_of = {id(statement): index for index, statement in enumerate(self.module.body)}
        first = last = -1
        for statement in body:
            index = index_of.get(id(statement), -1)
            if index >= 0 and last >= 0 and index == last + 1:
                last = index
                continue
            if last >= 0:
                yield first, last
            first = last = index
            if index < 0:
                yield statement
        if last >= 0:
            yield first, last

    def _bounds(self, index: int) -> tuple[int, int] | None:
        """The bytes of a statement at the top, with the comments and empty lines that belong to it."""
        assert self._tops is not None
        statement = self.module.body[index]
        code = self.module.code_for_node(statement).encode("utf-8")
        start = self._places(index)[statement].start - self._offsets[index]
        return (start, start + len(code)) if self._content[start : start + len(code)] == code else None


class _Spans(ByteSpanPositionProvider):
    """Where nodes stand. A wrapper would visit all of them once more for providers that nobody asks for."""

    def of(self, module: cst.Module) -> dict[cst.CSTNode, CodeSpan]:
        self._gen_impl(module)
        return {node: place for node, place in self._computed.items() if isinstance(place, CodeSpan)}


class _Top:
    """A statement at the top: the byte where it begins, and its last line, counted from 0."""

    __slots__ = ("last", "start")

    def __init__(self, start: int, last: int) -> None:
        self.start = start
        self.last = last


def _tops(text: str, content: bytes, module: cst.Module) -> list[_Top] | None:
    """The statements at the top of a module; None where Python's own parser tells them apart in another way."""
    tree = native_tree(text)
    if tree is None:
        return None
    body = tree.body
    lines = _line_starts(content)
    tops: list[_Top] = []
    for statement in body:
        first, last = statement.lineno - 1, (statement.end_lineno or statement.lineno) - 1
        if tops and first <= tops[-1].last:
            tops[-1].last = last
        elif last < len(lines):
            tops.append(_Top(lines[first] + statement.col_offset, last))
    return tops if len(tops) == len(module.body) else None


def _line_starts(content: bytes) -> list[int]:
    starts = [0]
    for line in content.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    return starts


def _parents_in(top: cst.CSTNode) -> dict[cst.CSTNode, cst.CSTNode]:
    """What each node in a statement stands in."""
    found: dict[cst.CSTNode, cst.CSTNode] = {}
    stack = [top]
    while stack:
        node = stack.pop()
        for child in below(node):
            found[child] = node
            stack.append(child)
    return found
