"""The Python front end: source to facts, changes to edits."""

from __future__ import annotations

from waitlint.fix import Change, Edit
from waitlint.frontends.python.reading import read
from waitlint.source import Source

__all__ = ["edits", "read"]


def edits(source: Source, change: Change) -> tuple[Edit, ...] | None:
    """A change as edits in code points of the decoded text; None where it can't be carried out in this file."""
    from waitlint.fix import AddDescription, RewriteText

    if isinstance(change, RewriteText | AddDescription):
        from waitlint.frontends.python import rewriting

        return rewriting.edits(source, change)
    from waitlint.frontends.python import restructuring

    return restructuring.edits(source, change)
