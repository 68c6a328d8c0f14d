"""Texts of documents as facts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from waitlint.catalog.surfaces import At
from waitlint.facts import Comment, Expr, Span, Str, Text
from waitlint.frontends.documents import templates
from waitlint.frontends.documents.places import Mapped, of_string, replaced
from waitlint.frontends.documents.selectors import select
from waitlint.frontends.documents.tree import Problem
from waitlint.source import Source


def text_of(role: str, mapped: Mapped, span: Span, key: str = "") -> Text:
    return Text(role=role, value=mapped.text, places=mapped.places, span=span, key=key)


def selected(root: Expr, fields: Sequence[At], never: Sequence[str], template: str) -> Iterator[Text]:
    """The texts that `fields` name in a data document, each once, in its order."""
    if not fields:
        return
    barred = {hit.value.span for hit in select(root, never)} if never else set()
    seen: set[Span] = set()
    for hit in select(root, [field.at for field in fields]):
        span = hit.value.span
        if not isinstance(hit.value, Str) or span in barred or span in seen:
            continue
        seen.add(span)
        mapped = templates.rendered(of_string(hit.value), template)
        if mapped.text.strip():
            yield text_of(fields[hit.selector].role, mapped, span, hit.path)


def strings(root: Expr, selectors: Sequence[str]) -> Iterator[Str]:
    """The strings that the selectors name."""
    for hit in select(root, selectors) if selectors else ():
        if isinstance(hit.value, Str):
            yield hit.value


def without(mapped: Mapped, marks: Iterable[Comment], base: int = 0) -> Mapped:
    """`mapped` with comments for waitlint as blanks; `base` is where the text begins in the source."""
    cuts: list[tuple[int, int, str]] = []
    for mark in sorted(marks, key=lambda one: (one.span.start, one.span.end)):
        start, end = mark.span.start - base, mark.span.end - base
        if not cuts or start >= cuts[-1][1]:
            cuts.append((start, end, blank(mapped.text[start:end])))
    return replaced(mapped, cuts) if cuts else mapped


def blank(text: str) -> str:
    """Blanks of the same length and with the same line breaks."""
    return "".join(char if char in "\r\n" else " " for char in text)


def worded(source: Source, problems: Iterable[Problem]) -> tuple[str, ...]:
    """Problems with their lines, as `FileFacts.problems` has them; many of a kind are cut short."""
    found = [f"line {source.position(problem.offset)[0]}: {problem.message}" for problem in problems]
    return tuple(found[:20]) + ((f"and {len(found) - 20} more",) if len(found) > 20 else ())
