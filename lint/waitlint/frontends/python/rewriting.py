"""Changes of Python files as text edits. What comes out is read again, and held back where it is not what was asked."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterable, Sequence
from itertools import pairwise

from tree_sitter import Node

from waitlint.fix import AddDescription, Change, Edit, RewriteText
from waitlint.frontends.python.describing import described
from waitlint.frontends.python.docstrings import docstring_value, is_docstring, same_words, with_the_rest, wrapped
from waitlint.frontends.python.grammar import ids, parse
from waitlint.frontends.python.native import native_tree
from waitlint.frontends.python.written import HOLE, Part, Splice, Written, end_place, is_string, place, written
from waitlint.source import Source

_INSIDE_STRING = ids("string_start", "string_content", "string_end", "escape_sequence", "escape_interpolation")
_AROUND_STRING = ids("parenthesized_expression", "expression_statement")


def edits(source: Source, change: Change) -> tuple[Edit, ...] | None:
    """A change as edits in code points of the decoded text; None where it can't be carried out in this file."""
    root = parse(source.text).root_node
    if root.has_error:
        return None
    if isinstance(change, RewriteText):
        splices = _rewritten(source, root, change)
    elif isinstance(change, AddDescription):
        splices = described(source, root, change.span, change.value)
        if splices is not None and not _still_parses(source.text, _spliced(source.text, splices)):
            splices = None
    if splices is None:
        return None
    return tuple(Edit(change.path, *splice) for splice in sorted(splices))


def _rewritten(source: Source, root: Node, change: RewriteText) -> Sequence[Splice] | None:
    node = _string_at(root, change.span.start, change.span.end)
    old = written(source.text, node) if node is not None else None
    if node is None or old is None:
        return None
    if change.value.count(HOLE) != old.value.count(HOLE):
        return None
    docstring = is_docstring(node)
    if docstring and change.before:
        whole = with_the_rest(old, change.before, change.value)
        if whole is None:
            return None
        change = RewriteText(change.path, change.span, whole)
    value = wrapped(source.text, old, docstring_value(source.text, old, change.value)) if docstring else change.value
    if value == old.value:
        return ()
    for splices in (_smallest(source, old, value), _whole(source, old, value)):
        if splices is not None and _says(source, splices, old, value):
            exact = value == change.value or same_words(value, change.value)
            return splices if exact else None
    return None


def _string_at(root: Node, start: int, end: int) -> Node | None:
    """The string that stands at a span, alone in parentheses there, or around it."""
    node = root.descendant_for_byte_range(start, end)
    while node is not None and not is_string(node):
        if node.kind_id in _INSIDE_STRING:
            node = node.parent
        elif node.kind_id in _AROUND_STRING and node.named_child_count == 1:
            node = node.named_children[0]
        else:
            return None
    return node


# ---------------------------------------------------------------- the edits


def _smallest(source: Source, old: Written, value: str) -> list[Splice] | None:
    """Edits of the words that differ, between one hole and the next."""
    runs: list[list[Part]] = [[]]
    fences: list[str] = []
    for part in old.parts:
        if part.piece is None:
            fences.append(part.text)
            runs.append([])
        else:
            runs[-1].append(part)
    splices: list[Splice] = []
    for run, fence in zip(runs, [*fences, None], strict=True):
        wanted, found, value = (value, "", "") if fence is None else value.partition(fence)
        if fence is not None and not found:
            return None
        if not run:
            if wanted:
                return None
            continue
        made = _respelled(source, old, run, wanted)
        if made is None:
            return None
        splices.extend(made)
    return splices


def _respelled(source: Source, old: Written, run: list[Part], wanted: str) -> list[Splice] | None:
    """Edits that give neighbouring words a new wording. Literals that end up empty go."""
    before = "".join(part.text for part in run)
    if before == wanted:
        return []
    offsets = [0]
    for part in run:
        offsets.append(offsets[-1] + len(part.text))
    start, end = _difference(before, wanted)
    first, last = _reach(offsets, start, end)
    if first < last:
        # Where literals are taken out, words are not cut in two between those that stay.
        while start > 0 and not before[start - 1].isspace():
            start -= 1
        while end < len(before) and not before[end].isspace():
            end += 1
        first, last = _reach(offsets, start, end)
    words = wanted[start : len(wanted) - (len(before) - end)]
    spelled = old.literals[run[first].literal].encode(words, source.newline)
    if spelled is None:
        return None
    splices: list[Splice] = []
    gone: set[int] = set()
    for index in range(first, last + 1):
        literal, piece = run[index].literal, run[index].piece
        assert piece is not None
        inner_start, inner_end = max(start - offsets[index], 0), min(end, offsets[index + 1]) - offsets[index]
        text = spelled if index == first else ""
        whole = inner_start == 0 and inner_end >= len(run[index].text)
        if whole and not text and sum(part.literal == literal for part in old.parts) == 1:
            gone.add(literal)
        else:
            at = place(piece, inner_start)
            splices.append(Splice(at, max(at, end_place(source.text, piece, inner_end)), text))
    if len(gone) == len(old.literals):
        kept = min(gone)
        gone.discard(kept)
        literal_kept = old.literals[kept]
        splices.append(Splice(literal_kept.start + literal_kept.opening, literal_kept.content_end, ""))
    return [*splices, *_removed(source, old, gone)]


def _difference(before: str, wanted: str) -> tuple[int, int]:
    """The part of `before` that is not the same at the ends of `wanted`."""
    limit = min(len(before), len(wanted))
    start = next((i for i in range(limit) if before[i] != wanted[i]), limit)
    same = next((i for i in range(limit - start) if before[-1 - i] != wanted[-1 - i]), limit - start)
    return start, len(before) - same


def _reach(offsets: list[int], start: int, end: int) -> tuple[int, int]:
    """The first and the last of the parts, given where each starts, that hold [start, end)."""
    count = len(offsets) - 1
    first = next((i for i in range(count) if offsets[i + 1] > start), count - 1)
    last = next((i for i in reversed(range(count)) if offsets[i] < end), 0)
    return min(first, last), last


def _removed(source: Source, old: Written, gone: set[int]) -> Iterable[Splice]:
    """Literals taken out with the space before them, or after them where nothing stands before. Comments stay."""
    kept = [index for index in range(len(old.literals)) if index not in gone]
    for index in sorted(gone):
        literal = old.literals[index]
        start, end = literal.start, literal.end
        if index > kept[0]:
            start = old.literals[index - 1].end
        else:
            end = old.literals[index + 1].start
        between = source.text[start : literal.start] + source.text[literal.end : end]
        yield (
            Splice(start, end, "")
            if not between.strip(" \t\r\n\\")
            else Splice(literal.start + literal.opening, literal.content_end, "")
        )


def _whole(source: Source, old: Written, value: str) -> list[Splice] | None:
    """One new literal in place of all, for what the smallest edit can't do. Not where there are holes."""
    if old.holes:
        return None
    first = old.literals[0]
    plain = first._replace(prefix="u" if first.prefix.lower() == "u" else "")
    spelled = plain.encode(value, source.newline)
    if spelled is None:
        return None
    return [Splice(old.start, old.end, f"{plain.prefix}{first.quotes}{spelled}{first.quotes}")]


# ---------------------------------------------------------------- checks


def _spliced(text: str, splices: Iterable[Splice]) -> str:
    for start, end, new in sorted(splices, reverse=True):
        text = text[:start] + new + text[end:]
    return text


def _says(source: Source, splices: Sequence[Splice], old: Written, value: str) -> bool:
    """Whether the edited file parses, and says `value` with the same holes where the old string stood."""
    ordered = sorted(splices)
    if any(one.end > other.start for one, other in pairwise(ordered)):
        return False
    text = _spliced(source.text, ordered)
    if not _still_parses(source.text, text):
        return False
    end = old.end + len(text) - len(source.text)
    node = _string_at(parse(text).root_node, old.start, end)
    new = written(text, node) if node is not None and (node.start_byte, node.end_byte) == (old.start, end) else None
    if new is None or new.value != value or new.holes != old.holes:
        return False
    return (
        bool(new.holes)
        or any(literal.has_holes for literal in new.literals)
        or _evaluates_to(text[old.start : end], value)
    )


def _evaluates_to(expression: str, value: str) -> bool:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return bool(ast.literal_eval(f"({expression}\n)") == value)
        except (SyntaxError, ValueError):
            return False


def _still_parses(before: str, after: str) -> bool:
    """Neither the grammar nor, where it could read the old text, Python itself finds fault with the new one."""
    if parse(after).root_node.has_error:
        return False
    return native_tree(after) is not None or native_tree(before) is None
