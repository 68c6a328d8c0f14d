"""All texts of a project that a model reads, each once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from waitlint.facts import FileFacts, Text
from waitlint.linked import Tool, ToolText
from waitlint.project.surfaces import judged
from waitlint.project.texts.mapped import Start, starts_of


def texts_of_tools(tools: Sequence[Tool]) -> list[ToolText]:
    """The texts that tools have or are known to say."""
    return [text for tool in tools for text in _own(tool)]


def taken_by(texts: Iterable[ToolText]) -> set[Start]:
    """Where the words of texts start in the files that they are written in."""
    return {start for text in texts for start in starts_of(text)}


def all_texts(files: Mapping[str, FileFacts], tools: Sequence[Tool], in_code: Sequence[ToolText]) -> list[ToolText]:
    """The texts of tools, those that code hands over otherwise (`in_code`), and those of documents.

    A document that a tool or prompt takes its words from is that text, and not one more of its own.
    """
    of_tools = texts_of_tools(tools)
    taken = taken_by([*of_tools, *in_code])
    of_files = [
        ToolText(path, facts.surface, text)
        for path, facts in files.items()
        for text in facts.texts
        if not _is_taken(path, text, taken)
    ]
    unique: dict[tuple[str, object, str], ToolText] = {}
    for text in (*of_files, *of_tools, *in_code):
        unique.setdefault((text.path, text.text.span, text.owner), text)
    return [judged(text, files.get(text.path)) for text in unique.values()]


def _own(tool: Tool) -> Iterator[ToolText]:
    described = (parameter.description for parameter in tool.parameters)
    yield from (text for text in (tool.description, *described, *tool.texts) if text is not None)


def _is_taken(path: str, text: Text, taken: Iterable[Start]) -> bool:
    return bool(text.places) and text.role != "front-matter" and (path, text.places[0][1]) in taken
