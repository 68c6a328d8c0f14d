"""Repairs of TypeScript and JavaScript files, as edits in code points of the decoded text."""

from __future__ import annotations

from waitlint.fix import AddDescription, Change, Edit, RewriteText
from waitlint.frontends.typescript.describing import described
from waitlint.frontends.typescript.rewriting import rewritten
from waitlint.source import Source


def edits(source: Source, change: Change) -> tuple[Edit, ...] | None:
    """A change as text edits, or None where it can't be carried out in this file."""
    if not 0 <= change.span.start <= change.span.end <= len(source.text):
        return None
    if isinstance(change, RewriteText):
        return rewritten(source, change)
    return described(source, change) if isinstance(change, AddDescription) else None
