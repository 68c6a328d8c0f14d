"""Texts with placeholders: what a template puts in becomes a hole, what it never renders falls out."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from waitlint.frontends.documents.delimited import Delimiters
from waitlint.frontends.documents.places import HOLE, Mapped, replaced

Cut = tuple[int, int, str]

_JINJA = Delimiters(("{#", "#}"), ("{%", "%}"), ("{{", "}}"))
_HANDLEBARS = Delimiters(("{{~!--", "--}}"), ("{{!--", "--}}"), ("{{{", "}}}"), ("{{", "}}"))
_STATEMENT = re.compile(r"~?\s*(?:[#/^!&]|else\b|role\b|history\b|media\b)")
_CURLY = Delimiters(("{{", "}}"))
_DIFY = Delimiters(("{{#", "#}}"), ("{{", "}}"), ("{%", "%}"))
_COMMENT = Delimiters(("<!--", "-->"))
_BRACES = re.compile(r"\{[A-Za-z_][\w.]*\}")
_TAG = re.compile(r"</?([A-Za-z][\w:-]*)(?:\s[^<>]*)?/?>")
_ENTITY = re.compile(r"&(?:amp|lt|gt|quot|apos|nbsp|#39);")
_ENTITIES = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'", "nbsp": " ", "#39": "'"}
_INLINE = frozenset(("a", "b", "code", "em", "i", "inline", "mark", "s", "small", "span", "strong", "sub", "sup", "u"))


def placeholders(text: str, kind: str) -> list[str]:
    """What fills the holes of a template, as written, in order."""
    cutter = _CUTTERS.get(kind)
    return [text[start:end] for start, end, instead in cutter(text) if instead == HOLE] if cutter else []


def rendered(mapped: Mapped, kind: str) -> Mapped:
    """`mapped` as a model sees it; `kind` is the `template` of a surface, and an unknown one changes nothing."""
    cutter = _CUTTERS.get(kind)
    if cutter is None:
        return mapped
    cuts = list(cutter(mapped.text))
    return replaced(mapped, cuts) if cuts else mapped


def _jinja(text: str) -> Iterator[Cut]:
    for stretch in _JINJA.find(text):
        yield stretch.start, stretch.end, HOLE if stretch.kind == 2 else ""


def _handlebars(text: str) -> Iterator[Cut]:
    for stretch in _HANDLEBARS.find(text):
        silent = stretch.kind < 2 or (stretch.kind == 3 and _STATEMENT.match(text, stretch.inner))
        yield stretch.start, stretch.end, "" if silent else HOLE


def _n8n(text: str) -> Iterator[Cut]:
    """A leading `=` says that the text is an expression; without it, braces are only braces."""
    if not text.startswith("="):
        return
    yield 0, 1, ""
    yield from _curly(text, 1)


def _curly(text: str, start: int = 0) -> Iterator[Cut]:
    for stretch in _CURLY.find(text, start):
        yield stretch.start, stretch.end, HOLE


def _dify(text: str) -> Iterator[Cut]:
    for stretch in _DIFY.find(text):
        yield stretch.start, stretch.end, "" if stretch.kind == 2 else HOLE


def _braces(text: str) -> Iterator[Cut]:
    for found in _BRACES.finditer(text):
        yield found.start(), found.end(), HOLE


def _html(text: str) -> Iterator[Cut]:
    """Tags of rich text fall out, variables are holes; text without any closing tag is no rich text."""
    if "</" not in text and "/>" not in text:
        yield from _curly(text)
        return
    entities = [(found.start(), found.end(), _ENTITIES[found.group()[1:-1]]) for found in _ENTITY.finditer(text)]
    yield from _apart([*_tags(text), *entities, *_curly(text)])


def _poml(text: str) -> Iterator[Cut]:
    """The text of elements; comments, tags and their attributes are not rendered."""
    yield from _apart([*_tags(text), *_curly(text)])


def _tags(text: str) -> Iterator[Cut]:
    """Comments and tags; a block ends a line."""
    for stretch in _COMMENT.find(text):
        yield stretch.start, stretch.end, ""
    for found in _TAG.finditer(text):
        yield found.start(), found.end(), "" if found.group(1).lower() in _INLINE else "\n"


def _apart(cuts: list[Cut]) -> Iterator[Cut]:
    """The cuts in order, without those that begin inside another."""
    end = 0
    for cut in sorted(cuts, key=lambda one: (one[0], -one[1])):
        if cut[0] >= end:
            yield cut
            end = cut[1]


_CUTTERS: dict[str, Callable[[str], Iterator[Cut]]] = {
    "jinja": _jinja,
    "handlebars": _handlebars,
    "n8n": _n8n,
    "dify": _dify,
    "braces": _braces,
    "html": _html,
    "poml": _poml,
}
