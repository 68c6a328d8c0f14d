"""Plain text that a model reads: prompts, hints, templates of several kinds."""

from __future__ import annotations

import re

from waitlint.catalog.surfaces import row_of
from waitlint.facts import FileFacts, Span
from waitlint.fix import Change, Edit, RewriteText
from waitlint.frontends.documents import baml, comments, shell, templates
from waitlint.frontends.documents.places import verbatim
from waitlint.frontends.documents.rewriting import rewritten_document
from waitlint.frontends.documents.texts import text_of, without
from waitlint.source import Source

_LANGUAGES = {"baml": baml.read, "shell": shell.read}
_PROGRAMS = frozenset(("sh", "bash", "ps1", "rb", "baml"))
_SPECIAL = re.compile(r"[\"'`$\\#{}\r\n]")


def read(source: Source, surface: str) -> FileFacts:
    """The whole as one text; of a language with prompts in it (BAML, scripts) those."""
    row = row_of(surface)
    text = source.text
    if row.template in _LANGUAGES:
        reader = _LANGUAGES[row.template]
        texts, spans = reader(text)
        marks = list(comments.of_spans(text, spans))
        return FileFacts(language="text", surface=surface, texts=tuple(texts), comments=tuple(marks))
    marks = sorted([*comments.html(text), *comments.template(text)], key=lambda mark: mark.span.start)
    mapped = templates.rendered(without(verbatim(text, 0, len(text)), marks), row.template)
    whole = [text_of(row.body or "document", mapped, Span(0, len(text)))] if mapped.text.strip() else []
    return FileFacts(language="text", surface=surface, texts=tuple(whole), comments=tuple(marks))


def edits(source: Source, change: Change) -> tuple[Edit, ...] | None:
    """New wording, written as it stands; in a script or program only what needs no escapes there."""
    if not isinstance(change, RewriteText):
        return None
    if source.path.rpartition(".")[2].lower() in _PROGRAMS and _SPECIAL.search(change.value):
        return None
    edit = rewritten_document(source, change)
    return (edit,) if edit else None
