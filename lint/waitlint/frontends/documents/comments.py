"""Comments that speak to waitlint, in the formats of documents."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from waitlint.facts import Comment, Span
from waitlint.frontends.documents.delimited import Delimiters

_SPEAKS = re.compile(r"\s*(?:waitlint|expect|todo-expect):")
_EXPECTS = re.compile(r"\s*(?:todo-)?expect:")
_HTML = Delimiters(("<!--", "-->"))
_TEMPLATE = Delimiters(("{#", "#}"), ("{{!--", "--}}"), ("{{!", "}}"))
_LINE = re.compile(r"(?:#|//)+(.*)", re.DOTALL)
_BLOCK = re.compile(r"/\*(.*)\*/", re.DOTALL)


def speaks(text: str) -> bool:
    """Whether a comment's text is meant for waitlint."""
    return bool(_SPEAKS.match(text))


def expects(text: str) -> bool:
    """Whether it is a fixture's mark, which no model is meant to read."""
    return bool(_EXPECTS.match(text))


def html(text: str, start: int = 0) -> Iterator[Comment]:
    """The HTML comments of `text` from `start` on that speak to waitlint."""
    yield from _found(_HTML, text, start)


def template(text: str, start: int = 0) -> Iterator[Comment]:
    """The same for the comments of Jinja and Handlebars."""
    yield from _found(_TEMPLATE, text, start)


def _found(delimiters: Delimiters, text: str, start: int) -> Iterator[Comment]:
    for stretch in delimiters.find(text, start):
        inside = text[stretch.inner : stretch.inner_end].strip("-~")
        if speaks(inside):
            yield Comment(inside.strip(), Span(stretch.start, stretch.end))


def of_spans(text: str, spans: Iterable[Span]) -> Iterator[Comment]:
    """Those of the comments at `spans` (`#`, `//` or `/* */`) that speak to waitlint."""
    for span in spans:
        raw = text[span.start : span.end]
        found = _BLOCK.fullmatch(raw) or _LINE.fullmatch(raw)
        if found and speaks(found.group(1)):
            yield Comment(found.group(1).strip(), span)
