"""Repairs as edits."""

from __future__ import annotations

from waitlint.fix import Change, Edit
from waitlint.source import Source


def edits(source: Source, change: Change) -> tuple[Edit, ...] | None:
    return None
