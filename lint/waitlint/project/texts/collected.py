"""All texts of a project that a model reads, each once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from waitlint.catalog import Apis, TextNames
from waitlint.catalog.surfaces import row_of
from waitlint.facts import Text
from waitlint.linked import Tool, ToolText
from waitlint.project.texts.mapped import Start, starts_of
from waitlint.project.texts.prompts import CodeTexts
from waitlint.project.world import ProjectWorld


def all_texts(world: ProjectWorld, tools: Sequence[Tool], names: TextNames, apis: Apis) -> list[ToolText]:
    """The texts of tools, those that code hands over otherwise, and those of documents.

    A document that a tool or prompt takes its words from is that text, and not one more of its own.
    """
    of_tools = [text for tool in tools for text in _own(tool)]
    taken: set[Start] = {start for text in of_tools for start in starts_of(text)}
    in_code = list(CodeTexts(world, names, apis).all(taken))
    taken.update(start for text in in_code for start in starts_of(text))
    of_files = [
        ToolText(path, facts.surface, text)
        for path, facts in world.files.items()
        for text in facts.texts
        if not _is_taken(path, text, taken)
    ]
    unique: dict[tuple[str, object, str], ToolText] = {}
    for text in (*of_files, *of_tools, *in_code):
        unique.setdefault((text.path, text.text.span, text.owner), text)
    return [_judged(text, world) for text in unique.values()]


def _own(tool: Tool) -> Iterator[ToolText]:
    described = (parameter.description for parameter in tool.parameters)
    yield from (text for text in (tool.description, *described, *tool.texts) if text is not None)


def _is_taken(path: str, text: Text, taken: Iterable[Start]) -> bool:
    return bool(text.places) and text.role != "front-matter" and (path, text.places[0][1]) in taken


def _judged(text: ToolText, world: ProjectWorld) -> ToolText:
    """The text with what its file's surface says of it."""
    facts = world.files.get(text.path)
    row = row_of(facts.surface) if facts is not None else None
    if row is None or not (row.deliberate or row.confidence != "high"):
        return text
    return replace(text, deliberate=row.deliberate, confidence=row.confidence)
