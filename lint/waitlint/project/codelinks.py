"""What is known of the code of a project, as it is kept: nothing here needs what finds it out."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
from msgspec import Struct, field

from waitlint.finding import Evidence, Place
from waitlint.linked import AgentLoop, AgentStart, Read, Retry, Sleep, Tool, ToolText, Wait
from waitlint.project.asked import Asked


class ToolAnswers(Struct, frozen=True, array_like=True):
    """The tools, by their position as a text, of which something is true, and where that is seen.

    `writes` are those of the tools in `reads`.
    """

    reads: dict[str, Evidence]
    writes: dict[str, Evidence]
    wholes: dict[str, Evidence]


class CodeLinks(Struct, frozen=True, array_like=True):
    """What is known of the code of a project: `texts` are those that it hands to a model beside those of its tools.

    `loops`, `retries`, `starts` and `answers` are None where nobody has asked for them yet. `asked` grows with all else
    that is asked.
    """

    tools: tuple[Tool, ...]
    texts: tuple[ToolText, ...]
    loops: tuple[AgentLoop, ...] | None = None
    retries: tuple[Retry, ...] | None = None
    starts: tuple[AgentStart, ...] | None = None
    sources: dict[str, bytes] = {}
    documents: dict[str, bytes] = {}
    answers: ToolAnswers | None = None
    asked: Asked = field(default_factory=Asked)


_ENCODER = msgspec.msgpack.Encoder(order="deterministic")
_DECODER = msgspec.msgpack.Decoder(CodeLinks)


def encoded(links: CodeLinks) -> bytes:
    """Raises RecursionError where something in them is too deep."""
    return _ENCODER.encode(links)


def decoded(data: bytes) -> CodeLinks | None:
    """What was kept; None where the data is none of ours."""
    try:
        return _DECODER.decode(data)
    except (msgspec.MsgspecError, RecursionError):
        return None


def by_place(tools: Iterable[Tool]) -> dict[Place, list[Tool]]:
    """The tools that run the code at a place."""
    found: dict[Place, list[Tool]] = {}
    for tool in tools:
        facts: tuple[Wait | Read | Sleep, ...] = (*tool.waits, *tool.reads, *tool.sleeps)
        for place in {place for fact in facts for place in (fact.place, *fact.callers)}:
            found.setdefault(place, []).append(tool)
    return found
