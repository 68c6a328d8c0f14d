"""What rules ask of each tool: whether it is said to only read, whether it writes, what it hands on whole.

The answers hang on code alone. Where an earlier run has kept them, nobody has to look at any code for them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

from waitlint.finding import Evidence
from waitlint.linked import Tool
from waitlint.project.codelinks import ToolAnswers
from waitlint.project.effects import HINTS, Effects
from waitlint.project.sources import Sources
from waitlint.project.wholes import SOURCES, Wholes


class Answers:
    """Answers for each tool: kept ones, or those of the code.

    `keep` is told all of them as soon as somebody asks for one; None where nothing is kept.
    """

    def __init__(
        self,
        tools: Sequence[Tool],
        sources: Sources,
        code: Callable[[], tuple[Effects, Wholes]],
        kept: ToolAnswers | None,
        keep: Callable[[ToolAnswers], None] | None,
    ) -> None:
        self._tools = tools
        self._sources = sources
        self._code = code
        self._kept = kept
        self._keep = keep
        self._named: dict[tuple[str, tuple[str, ...]], bool] = {}
        self._position = {id(tool): str(position) for position, tool in enumerate(tools)}

    def said_to_read(self, tool: Tool) -> Evidence | None:
        position = self._position.get(id(tool))
        if position is None or self._known is None:
            return self._said_to_read(tool)
        return self._known.reads.get(position)

    def writes(self, tool: Tool) -> Evidence | None:
        position = self._position.get(id(tool))
        if position is None or self._known is None or position not in self._known.reads:
            return self._code()[0].writes(tool)
        return self._known.writes.get(position)

    def hands_whole(self, tool: Tool) -> Evidence | None:
        position = self._position.get(id(tool))
        if position is None or self._known is None:
            return self._hands_whole(tool)
        return self._known.wholes.get(position)

    # ------------------------------------------------------------ by the code

    @cached_property
    def _known(self) -> ToolAnswers | None:
        if self._kept is not None or self._keep is None:
            return self._kept
        try:
            found = self._all()
        except Exception:  # the rule that asks for the tool on which it fails says so
            return None
        self._keep(found)
        return found

    def _all(self) -> ToolAnswers:
        found = ToolAnswers({}, {}, {})
        for tool in self._tools:
            position = self._position[id(tool)]
            if (said := self._said_to_read(tool)) is not None:
                found.reads[position] = said
                if (written := self._code()[0].writes(tool)) is not None:
                    found.writes[position] = written
            if (whole := self._hands_whole(tool)) is not None:
                found.wholes[position] = whole
        return found

    def _said_to_read(self, tool: Tool) -> Evidence | None:
        return self._code()[0].said_to_read(tool) if self._names(tool.place.path, HINTS) else None

    def _hands_whole(self, tool: Tool) -> Evidence | None:
        path = tool.handler.path if tool.handler is not None else ""
        return self._code()[1].of(tool) if path and self._names(path, SOURCES) else None

    def _names(self, path: str, words: tuple[str, ...]) -> bool:
        """Whether one of some words stands in a file, in which there may be many tools."""
        source = self._sources.get(path)
        if source is None:
            return False
        known = self._named.get((path, words))
        if known is None:
            known = self._named[path, words] = any(word in source.text for word in words)
        return known
