"""Front ends: one a language. Each module offers `read(source, surface) -> FileFacts`, and, where it can repair,
`edits(source, change) -> tuple[Edit, ...] | None` (None: not here)."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import cast

from waitlint.facts import FileFacts
from waitlint.fix import BoundCall, Change, Edit, HandOn, RewriteText, SetOption
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

LAYS_OUT: dict[str, tuple[type, ...]] = {
    "python": (RewriteText, BoundCall, SetOption),
    "typescript": (RewriteText, BoundCall, SetOption, HandOn),
}
# A file with this many lines longer than its settings say is one in which nobody minds.
FEW_LONG_LINES = 3
SHORTEST, LONGEST = 88, 120

Reader = Callable[[Source, str], FileFacts]
Editor = Callable[[Source, Change], tuple[Edit, ...] | None]
Layout = Callable[[Source, tuple[Edit, ...], int], tuple[Edit, ...]]


def read(source: Source, language: str, surface: str) -> FileFacts:
    """The facts of one source. Never raises on what the file contains: problems are in `FileFacts.problems`."""
    module = importlib.import_module(f"{__name__}.{MODULES[language]}")
    return cast(Reader, module.read)(source, surface)


def edits(source: Source, language: str, change: Change, width: int = 0) -> tuple[Edit, ...] | None:
    """A change as text edits, or None where this front end can't carry it out.

    `width` is how long a line of the file may be, in characters; 0 where that is to be seen from the file itself.
    """
    module = importlib.import_module(f"{__name__}.{MODULES[language]}")
    editor = cast("Editor | None", getattr(module, "edits", None))
    made = editor(source, change) if editor else None
    if not made or not isinstance(change, LAYS_OUT.get(language, ())):
        return made
    layout = importlib.import_module(f"{module.__name__}.layout")
    return cast(Layout, layout.laid_out)(source, made, _room(source, width))


def _room(source: Source, width: int) -> int:
    """The width that is given, if the file keeps to it, else that of its longest line, within reason."""
    lengths = sorted((len(line) for line in source.text.splitlines()), reverse=True)
    if width and sum(length > width for length in lengths[:FEW_LONG_LINES]) < FEW_LONG_LINES:
        return width
    return max(min(lengths[0] if lengths else 0, LONGEST), width or SHORTEST)
