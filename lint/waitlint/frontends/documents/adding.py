"""A description for a tool's definition in a data document, written after its name in the manner of the file."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from waitlint.facts import Entry, Expr, Map, Str
from waitlint.fix import AddDescription, Edit, RewriteText
from waitlint.frontends.documents.formats import PARSERS, parse
from waitlint.frontends.documents.rewriting import is_strict, rewritten_data
from waitlint.frontends.documents.selectors import key_name
from waitlint.frontends.documents.walk import map_at, outline
from waitlint.source import Source

_INNER = ("function", "toolSpec")
_PLAIN = re.compile(r"[A-Za-z][\w ,.()/'-]*[\w.)]")


def with_description(source: Source, change: AddDescription) -> Edit | None:
    """The edit that adds a description, or rewrites an empty one; None where the outcome is not certain."""
    kind, tree = parse(source.path, source.text)
    if tree.problems:
        return None
    target = _named(map_at(tree.roots, change.span))
    if target is None:
        return None
    known = _entry(target, "description")
    if known is not None:
        if not isinstance(known.value, Str):
            return None
        return rewritten_data(source, RewriteText(change.path, known.value.span, change.value))
    name = _entry(target, "name")
    if name is None:
        return None
    for edit in _attempts(source, kind, target, name, change.value):
        if _holds(source.text, kind, edit, tree.roots, change.value):
            return edit
    return None


def _named(target: Map | None) -> Map | None:
    """The map that holds the name: the one meant, or the one inside it that some interfaces wrap."""
    if target is None or _entry(target, "name") is not None:
        return target
    for inner in _INNER:
        entry = _entry(target, inner)
        if entry is not None and isinstance(entry.value, Map):
            return entry.value
    return None


def _entry(target: Map, name: str) -> Entry | None:
    return next((entry for entry in target.entries if key_name(entry.key) == name), None)


def _attempts(source: Source, kind: str, target: Map, name: Entry, value: str) -> Iterator[Edit]:
    text, newline = source.text, source.newline
    if name.key is None:
        return
    end = name.value.span.end
    between = text[name.key.span.end : name.value.span.start]
    quoted = json.dumps(value, ensure_ascii=False)
    line_start = text.rfind("\n", 0, name.key.span.start) + 1
    lead = text[line_start : name.key.span.start]
    flow = kind == "json" or text[target.span.start : target.span.start + 1] == "{"
    key = '"description"' if isinstance(name.key, Str) and name.key.style == '"' else "description"
    if flow:
        alone = not lead.strip()
        separator = f",{newline}{lead}" if alone else ", " if between.endswith(" ") else ","
        yield Edit(source.path, end, end, f"{separator}{key}{between}{quoted}")
        yield Edit(source.path, end, end, f", {key}: {quoted}")
        return
    indentation = re.sub(r"[^\s]", " ", lead)
    after = re.compile(r"[^\r\n]*").match(text, end if text[end - 1 : end] not in "\r\n" else end - 1)
    place = after.end() if after else end
    sign = " = " if kind == "toml" else ": "
    if kind == "yaml" and _PLAIN.fullmatch(value) and isinstance(name.value, Str) and not name.value.style:
        yield Edit(source.path, place, place, f"{newline}{indentation}description{sign}{value}")
    yield Edit(source.path, place, place, f"{newline}{indentation}description{sign}{quoted}")


def _holds(text: str, kind: str, edit: Edit, roots: tuple[Expr, ...], value: str) -> bool:
    """Whether the document has one more entry and is the same otherwise."""
    after = text[: edit.start] + edit.text + text[edit.end :]
    tree = PARSERS[kind](after)
    if tree.problems or (kind == "json" and is_strict(text) and not is_strict(after)):
        return False
    old = [item for item, _ in outline(roots)]
    new = [item for item, _ in outline(tree.roots)]
    same = next((index for index, (one, other) in enumerate(zip(old, new, strict=False)) if one != other), len(old))
    return new[same : same + 2] == ["key description", f"text {value}"] and new[:same] + new[same + 2 :] == old
