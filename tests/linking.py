"""Link small projects that are written in a test."""

from __future__ import annotations

from textwrap import dedent

from msgspec.structs import replace

from waitlint import frontends, prose
from waitlint.facts import FileFacts
from waitlint.linked import Tool, Wait
from waitlint.project.ahead import Begin
from waitlint.project.link import LinkedProject, link
from waitlint.source import Source, Unreadable

LANGUAGES = {"py": "python", "ts": "typescript", "md": "markdown", "json": "json"}


def linked(files: dict[str, str], begin: Begin | None = None, processes: int = 1) -> LinkedProject:
    """The project that these files make, by path; what is neither code nor text is there to be read."""
    sources = {path: Source(path, dedent(text)) for path, text in files.items()}
    facts: dict[str, FileFacts] = {}
    for path, source in sources.items():
        if path.rpartition(".")[2] not in LANGUAGES:
            continue
        found = frontends.read(source, LANGUAGES[path.rpartition(".")[2]], "code")
        texts = tuple(replace(text, intents=prose.read(text.value, text.role)) for text in found.texts)
        facts[path] = replace(found, texts=texts)

    def read(path: str) -> Source:
        if path not in sources:
            raise Unreadable("not in this project")
        return sources[path]

    return link(facts, read_source=read, begin=begin, processes=processes)


def only_tool(files: dict[str, str]) -> Tool:
    tools = linked(files).tools
    assert len(tools) == 1, [tool.name for tool in tools]
    return tools[0]


def only_wait(files: dict[str, str]) -> Wait:
    waits = only_tool(files).waits
    assert len(waits) == 1, [wait.excerpt for wait in waits]
    return waits[0]
