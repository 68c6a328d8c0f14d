"""What the surface of its file says of a text."""

from __future__ import annotations

from msgspec.structs import replace

from waitlint.catalog.surfaces import row_of
from waitlint.facts import FileFacts
from waitlint.linked import ToolText


def judged(text: ToolText, facts: FileFacts | None) -> ToolText:
    """The text with what its file's surface says of it; `facts` are those of its file, if it is in view."""
    row = row_of(facts.surface) if facts is not None else None
    if row is None or not (row.deliberate or row.confidence != "high"):
        return text
    return replace(text, deliberate=row.deliberate, confidence=row.confidence)


def texts_of(path: str, facts: FileFacts) -> list[ToolText]:
    """The texts of a document, each once."""
    unique: dict[object, ToolText] = {}
    for text in facts.texts:
        unique.setdefault(text.span, ToolText(path, facts.surface, text))
    return [judged(text, facts) for text in unique.values()]
