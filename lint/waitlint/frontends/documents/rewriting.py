"""New wording for a text of a document, as one edit that leaves everything else as it was.

An edit of data is tried on the text before it is given out: parsed again, the document must be the same but for the
string that was meant, and that must have exactly the new value.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator

from waitlint.facts import Expr, Str
from waitlint.fix import Edit, RewriteText
from waitlint.frontends.documents import templates
from waitlint.frontends.documents.formats import PARSERS, parse
from waitlint.frontends.documents.places import (
    HOLE,
    Mapped,
    characters_before,
    of_string,
    source_end,
    source_offset,
)
from waitlint.frontends.documents.tree import Tree
from waitlint.frontends.documents.walk import outline, string_at
from waitlint.frontends.documents.yaml_tree import parse_yaml
from waitlint.source import Source

_FILLED = ("jinja", "handlebars", "dify", "braces")


def rewritten_document(source: Source, change: RewriteText) -> Edit | None:
    """New wording for a part of a document that stands verbatim."""
    start, end = change.span.start, change.span.end
    if HOLE in change.value:
        end = _after_placeholder(source.text, start, end)
    if not 0 <= start <= end <= len(source.text):
        return None
    value = _filled(change.value, source.text[start:end])
    if value is None:
        return None
    if source.newline == "\r\n":
        value = value.replace("\r\n", "\n").replace("\n", "\r\n")
    return _trimmed(source, start, end, value)


def _after_placeholder(text: str, start: int, end: int) -> int:
    """The end of a span whose last character is a hole, which is as long as what fills it."""
    for opening, closing in (("{{", "}}"), ("{", "}")):
        begin = text.rfind(opening, start, end + len(opening) - 1)
        if begin >= 0 and text.find(closing, begin, end) < 0:
            close = text.find(closing, begin)
            return close + len(closing) if close >= 0 else end
    return end


def _trimmed(source: Source, start: int, end: int, value: str) -> Edit | None:
    """The edit without what stays the same at both of its ends; None where nothing changes."""
    old = source.text[start:end]
    if old == value:
        return None
    head, tail = _common(old, value)
    return Edit(source.path, start + head, end - tail, value[head : len(value) - tail])


def _common(old: str, new: str) -> tuple[int, int]:
    """How many characters two texts share at their beginning and, after that, at their end."""
    limit = min(len(old), len(new))
    head = 0
    while head < limit and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < limit - head and old[len(old) - 1 - tail] == new[len(new) - 1 - tail]:
        tail += 1
    return head, tail


def _filled(value: str, old: str) -> str | None:
    """`value` with what stood in the holes of `old`; None where those are other holes, or markup would be lost."""
    inside: list[str] = []
    if HOLE in value:
        wanted = value.count(HOLE)
        found = (templates.placeholders(old, kind) for kind in _FILLED)
        inside = next((one for one in found if len(one) == wanted), [])
        if len(inside) != wanted:
            return None
    parts = value.split(HOLE)
    filled = "".join(part + filling for part, filling in zip(parts, [*inside, ""], strict=True))
    lost = any(old.count(mark) != filled.count(mark) for mark in ("{%", "{#", "{{", "</"))
    return None if lost else filled


def rewritten_data(source: Source, change: RewriteText) -> Edit | None:
    """New wording for a string of a data document, whole (its span with quotes) or in part."""
    kind, tree = parse(source.path, source.text)
    return _rewritten(source, kind, tree, PARSERS[kind], change)


def rewritten_header(source: Source, start: int, end: int, change: RewriteText) -> Edit | None:
    """The same for the front matter at [start, end)."""
    tree = parse_yaml(source.text[start:end], start)

    def again(text: str) -> Tree:
        return parse_yaml(text[start : end + len(text) - len(source.text)], start)

    return _rewritten(source, "yaml", tree, again, change)


def _rewritten(source: Source, kind: str, tree: Tree, again: Callable[[str], Tree], change: RewriteText) -> Edit | None:
    string = string_at(tree.roots, change.span)
    if string is None or tree.problems or string.literal is None:
        return None
    mapped = of_string(string)
    begin, end = 0, len(mapped.text)
    if change.span != string.span:
        begin = characters_before(mapped.places, change.span.start)
        end = characters_before(mapped.places, change.span.end)
    old = mapped.text[begin:end]
    prefix = "=" if begin == 0 and old.startswith("=") and not change.value.startswith("=") else ""
    value = _filled(change.value, old)
    if value is None:
        return None
    wanted = mapped.text[:begin] + prefix + value + mapped.text[end:]
    if wanted == mapped.text:
        return None
    for edit in _attempts(source, kind, string, mapped, wanted):
        if _holds(source.text, tree.roots, again, kind, string, wanted, edit):
            return edit
    return None


def _attempts(source: Source, kind: str, string: Str, mapped: Mapped, wanted: str) -> Iterator[Edit]:
    """Ways to write the new value, the smallest change first."""
    head, tail = _common(mapped.text, wanted)
    start = source_offset(mapped.places, head)
    end = source_end(mapped.places, len(mapped.text) - tail)
    if len(mapped.text) - tail == head:
        end = start
    part = wanted[head : len(wanted) - tail]
    column = _indentation(source.text, string)
    for words in _wordings(kind, string.style, part, source.text[string.span.start : string.span.end], column):
        if start <= end:
            yield Edit(source.path, start, end, words.replace("\n", source.newline))
    if kind != "json":
        yield Edit(source.path, string.span.start, string.span.end, json.dumps(wanted, ensure_ascii=False))


def _indentation(text: str, string: Str) -> str:
    """The indentation of the lines of a block scalar."""
    for line in text[string.span.start : string.span.end].splitlines()[1:]:
        if line.strip():
            return line[: len(line) - len(line.lstrip(" "))]
    return ""


def _wordings(kind: str, style: str, part: str, written: str, indentation: str) -> Iterator[str]:
    """`part` as it is written inside a string of this style."""
    quoted = json.dumps(part, ensure_ascii="\\u" in written)[1:-1]
    if kind == "json" or (kind == "yaml" and style == '"') or (kind == "toml" and style == '"'):
        yield quoted
    elif kind == "toml" and style == '"""':
        yield "\n".join(json.dumps(line, ensure_ascii=False)[1:-1].replace('\\"', '"') for line in part.split("\n"))
        yield quoted
    elif kind == "toml":
        yield part
    elif style == "'":
        yield part.replace("'", "''")
    elif style.startswith("|"):
        yield re.sub(r"\n(?=[^\n])", "\n" + indentation, part)
    elif style.startswith(">"):
        width = max((len(line) for line in written.splitlines()[1:]), default=0)
        wrapped = _wrapped(part, max(width - len(indentation), 40), "\n" + indentation)
        yield wrapped
        yield part
        yield re.sub(r"\n", "\n\n" + indentation, part)
    else:
        yield part


def _wrapped(part: str, width: int, newline: str) -> str:
    """Words with a line break where a line would grow past `width`."""
    if len(part) <= width or "\n" in part:
        return part
    lines: list[str] = [""]
    for word in part.split(" "):
        if lines[-1] and len(lines[-1]) + 1 + len(word) > width and word:
            lines.append(word)
        else:
            lines[-1] = f"{lines[-1]} {word}" if lines[-1] or word == "" else word
    return newline.join(lines)


def _holds(
    text: str,
    roots: tuple[Expr, ...],
    again: Callable[[str], Tree],
    kind: str,
    string: Str,
    wanted: str,
    edit: Edit,
) -> bool:
    """Whether the edit does what it is meant to and nothing else."""
    after = text[: edit.start] + edit.text + text[edit.end :]
    tree = again(after)
    if tree.problems or (kind == "json" and is_strict(text) and not is_strict(after)):
        return False
    old, new = outline(roots), outline(tree.roots)
    if len(old) != len(new):
        return False
    touched = 0
    for (before, start), (now, _) in zip(old, new, strict=True):
        if start == string.span.start and before == f"text {string.literal}":
            touched += 1
            if now != f"text {wanted}":
                return False
        elif before != now:
            return False
    return touched > 0


def is_strict(text: str) -> bool:
    """Whether a text is JSON to the letter."""
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True
