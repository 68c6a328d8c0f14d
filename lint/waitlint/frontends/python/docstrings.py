"""The words of docstrings and their layout, which belongs to the code and not to the words."""

from __future__ import annotations

import inspect

from tree_sitter import Node

from waitlint.frontends.python.grammar import EXTRAS, ids
from waitlint.frontends.python.written import Written

_STATEMENT, _BLOCK, _MODULE = ids("expression_statement"), ids("block"), ids("module")
# The width of lines, in characters, that a file's own lines may stretch and that none falls below.
SHORTEST, LONGEST = 88, 120
_DEFINITIONS = ids("function_definition", "class_definition")


def is_docstring(node: Node) -> bool:
    """Whether a string stands first in a function, class or module."""
    statement = node.parent
    if statement is None or statement.kind_id not in _STATEMENT or statement.parent is None:
        return False
    body = statement.parent
    owner = body.parent
    if body.kind_id not in _MODULE and not (
        body.kind_id in _BLOCK and owner is not None and owner.kind_id in _DEFINITIONS
    ):
        return False
    first = next((child for child in body.named_children if child.kind_id not in EXTRAS), None)
    return first is not None and first.id == statement.id


def same_words(one: str, other: str) -> bool:
    """Whether two docstrings say the same, however their lines are broken and indented."""
    return one.split() == other.split()


def indentation(text: str, offset: int) -> str:
    """The white space that the line of an offset starts with."""
    start = text.rfind("\n", 0, offset) + 1
    return text[start : start + len(text[start:offset]) - len(text[start:offset].lstrip(" \t"))]


def laid_out(words: str, margin: str) -> str:
    """A docstring's value for words without indentation; of several lines, the quotes get a line of their own."""
    first, *rest = words.strip().split("\n")
    if not rest:
        return first
    return "\n".join([first, *[margin + line.rstrip() if line.strip() else "" for line in rest], margin])


def with_the_rest(old: Written, before: str, value: str) -> str | None:
    """A docstring's new words with those that the model does not read, which follow; None where they don't follow."""
    words = inspect.cleandoc(old.value)
    if before.split() == words.split():
        return value
    known = before.rstrip()
    if not words.startswith(known) or (words[len(known) :] and not words[len(known)].isspace()):
        return None
    return value.rstrip() + words[len(known) :]


def docstring_value(text: str, old: Written, asked: str) -> str:
    """The value that the docstring is to get, so that its layout stays.

    `asked` may have the indentation of the docstring in it or not: it has, if it is more like the old value than like
    that value without indentation. New lines get the docstring's indentation where they have none.
    """
    before = old.value
    if ("\n" not in asked and "\n" not in before) or any(len(literal.quotes) == 1 for literal in old.literals):
        return asked
    margin = _margin(text, old)
    lines, (lead, tail) = _core(before)
    new, _ = _core(asked)
    if not tail and len(lines) <= 1 < len(new):
        tail = [margin]
    stripped = _likeness(asked, inspect.cleandoc(before)) > _likeness(asked, before)
    first = _common([line.strip() for line in lines], [line.strip() for line in new])
    last = _common([line.strip() for line in lines[first:]][::-1], [line.strip() for line in new[first:]][::-1])
    changed = new[first : len(new) - last]
    on_first_line = first == 0 and not lead
    for index, line in enumerate(changed):
        if not line.strip():
            changed[index] = ""
        elif on_first_line and index == 0:
            changed[index] = line.lstrip()
        elif stripped:
            changed[index] = margin + line
        elif not line.startswith(margin):
            changed[index] = margin + line.lstrip()
    kept_end = lines[len(lines) - last :] if last else []
    return "\n".join([*lead, *lines[:first], *changed, *kept_end, *tail])


def wrapped(text: str, old: Written, value: str) -> str:
    """The docstring's value with line breaks where new words make a line longer than the file's lines are.

    Where only one literal in three quotes is written; a break stands before a sentence if there is one.
    """
    if value == old.value or len(old.literals) != 1 or len(old.literals[0].quotes) != 3:
        return value
    width = min(max((len(line) for line in text.splitlines()), default=0), LONGEST)
    width = max(width, SHORTEST)
    margin, known = _margin(text, old), set(old.value.split("\n"))
    start = old.start - (text.rfind("\n", 0, old.start) + 1) + old.literals[0].opening
    out: list[str] = []
    lines = value.split("\n")
    summary = old.value.rstrip()
    is_added_to = summary.endswith((".", "!", "?")) and value.startswith(f"{summary} ")
    if len(lines) == 1 and is_added_to and start + len(summary) > width:
        # What its author put on one line, though it is long, stays as it is.
        rest = _broken(margin + value[len(summary) + 1 :], width, margin, width)
        return "\n".join([summary, "", *rest, margin])
    for index, line in enumerate(lines):
        room = width - (start if index == 0 else 0) - (3 if len(lines) == 1 else 0)
        if line in known or len(line) <= room:
            out.append(line)
        else:
            inner = line[: len(line) - len(line.lstrip(" \t"))] if index else margin
            out.extend(_broken(line, room, inner, width, alone=len(lines) == 1))
    if len(lines) == 1 and len(out) > 1:
        if out[0].rstrip().endswith((".", "!", "?")):
            out.insert(1, "")
        out.append(margin)
    return "\n".join(out)


def _broken(line: str, room: int, margin: str, width: int, *, alone: bool = False) -> list[str]:
    """A line in pieces that have room, broken at the end of a sentence if one ends late enough.

    Where the line stands alone, its first sentence is what sums all up, and may end early.
    """
    out: list[str] = []
    while len(line) > room:
        sentence = max(line.rfind(stop, 0, room + 1) for stop in (". ", "! ", "? ")) + 1
        early = alone and not out and sentence > 0
        cut = sentence if sentence > room // 3 or early else line.rfind(" ", 0, room + 1)
        if cut <= len(margin):
            break
        out.append(line[:cut])
        line, room = margin + line[cut + 1 :], width
    return [*out, line]


def _core(value: str) -> tuple[list[str], tuple[list[str], list[str]]]:
    """The lines of a docstring without the blank ones before and after them, and those."""
    lines = value.split("\n")
    start, end = 0, len(lines)
    while start < end and not lines[start].strip():
        start += 1
    while end > start and not lines[end - 1].strip():
        end -= 1
    return lines[start:end], (lines[:start], lines[end:])


def _margin(text: str, old: Written) -> str:
    """The indentation of the lines after the first, else that of the line that the docstring starts in."""
    rest = [line for line in old.value.split("\n")[1:] if line.strip()]
    if rest:
        least = min(rest, key=lambda line: len(line) - len(line.lstrip()))
        return least[: len(least) - len(least.lstrip())]
    return indentation(text, old.start)


def _likeness(one: str, other: str) -> int:
    """How many characters two texts share at their ends."""
    start = _common(one, other)
    return start + _common(one[start:][::-1], other[start:][::-1])


def _common(one: str | list[str], other: str | list[str]) -> int:
    count = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        count += 1
    return count
