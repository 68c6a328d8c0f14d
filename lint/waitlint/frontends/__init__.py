"""Front ends: one a language. Each module offers `read(source, surface) -> FileFacts`, and, where it can repair,
`edits(source, change) -> tuple[Edit, ...] | None` (None: not here)."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import cast

from waitlint.facts import FileFacts
from waitlint.fix import Change, Edit
from waitlint.source import Source

MODULES = {
    "python": "python",
    "typescript": "typescript",
    "markdown": "markdown",
    "text": "text",
    "json": "manifest",
    "yaml": "manifest",
    "toml": "manifest",
    "notebook": "notebook",
}

Reader = Callable[[Source, str], FileFacts]
Editor = Callable[[Source, Change], tuple[Edit, ...] | None]


def read(source: Source, language: str, surface: str) -> FileFacts:
    """The facts of one source. Never raises on what the file contains: problems are in `FileFacts.problems`."""
    module = importlib.import_module(f"{__name__}.{MODULES[language]}")
    return cast(Reader, module.read)(source, surface)


def edits(source: Source, language: str, change: Change) -> tuple[Edit, ...] | None:
    """A change as text edits, or None where this front end can't carry it out."""
    module = importlib.import_module(f"{__name__}.{MODULES[language]}")
    editor = cast("Editor | None", getattr(module, "edits", None))
    return editor(source, change) if editor else None
