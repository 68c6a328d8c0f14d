"""What is known of a project's agents, and what rules have asked of its code: kept, or found when it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import cached_property
from typing import TypeVar

from msgspec.structs import replace

from waitlint.finding import Evidence
from waitlint.linked import AgentLoop, AgentStart, Retry, ToolText
from waitlint.project.agents import AgentFacts
from waitlint.project.ahead import heard
from waitlint.project.answers import Answers
from waitlint.project.code_world import CodeWorld
from waitlint.project.codelinks import CodeLinks, ToolAnswers
from waitlint.project.kept import KeptLinks

Found = TypeVar("Found")


class AgentsFound:
    """The loops of agents, and what tries again: kept from an earlier run, or found when they are first asked for.

    `asked` are the sources that were looked up for the code. `ahead` waits for what another process finds of them.
    """

    def __init__(
        self,
        world: CodeWorld,
        code: CodeLinks,
        kept: KeptLinks | None,
        asked: frozenset[str],
        ahead: Callable[[], bytes | None] | None = None,
    ) -> None:
        self._world = world
        self.code = code
        self._kept = kept
        self._asked = asked
        self._ahead = ahead
        self._has_more = False

    @cached_property
    def _facts(self) -> AgentFacts:
        self._hear()
        return self._world.agents(self.code)

    def _hear(self) -> None:
        """Take over what the other process has found."""
        ahead, self._ahead = self._ahead, None
        found = heard(ahead()) if ahead is not None else None
        if found is None:
            return
        self.code = replace(self.code, loops=found.loops, retries=found.retries, starts=found.starts)
        self._world.take_over(found.looked_up)
        self._asked |= frozenset(found.looked_up.sources)
        if self._kept is not None:
            self._remember(self.code, ())

    @cached_property
    def _found(self) -> tuple[tuple[AgentLoop, ...], tuple[Retry, ...], tuple[AgentStart, ...]]:
        self._hear()
        with self._world.sources.followed() as asked:
            loops, retries, starts = self._facts.loops, self._facts.retries, self._facts.starts
        if self.code.loops is None or self.code.retries is None or self.code.starts is None:
            self._remember(replace(self.code, loops=loops, retries=retries, starts=starts), asked)
        return loops, retries, starts

    @cached_property
    def answers(self) -> Answers:
        """What rules ask of each tool."""

        def keep(found: ToolAnswers) -> None:
            self._remember(replace(self.code, answers=found), frozenset(self._world.sources.asked) - before)

        before = frozenset(self._world.sources.asked)
        return Answers(
            self.code.tools,
            self._world.sources,
            lambda: (self._facts.effects, self._facts.wholes),
            self.code.answers,
            keep if self._kept is not None else None,
        )

    def _remember(self, code: CodeLinks, asked: Collection[str]) -> None:
        """Keep what was found out, with the sources that were looked up for it."""
        self._asked = self._asked.union(asked)
        self.code, self._has_more = code, False
        if self._kept is not None and not self._world.faults.found:
            self._kept.remember(code, self._asked)

    def asking(self, find: Callable[[], Found]) -> Found:
        """What is found, once, for `CodeLinks.asked`."""
        with self._world.sources.followed() as asked:
            found = find()
        self._asked = self._asked.union(asked)
        self._has_more = True
        return found

    def keep_answers(self) -> None:
        if self._has_more:
            self._remember(self.code, ())

    @property
    def key(self) -> bytes | None:
        return self._kept.key if self._kept is not None else None

    @property
    def looked_up(self) -> frozenset[str]:
        """All sources and documents that what is known of the code hangs on."""
        documents = (*self._world.documents.asked, *self._world.documents.granted)
        return self._asked.union(self.code.sources, self.code.documents, documents)

    @property
    def loops(self) -> tuple[AgentLoop, ...]:
        return self._found[0]

    @property
    def retries(self) -> tuple[Retry, ...]:
        return self._found[1]

    @property
    def starts(self) -> tuple[AgentStart, ...]:
        return self._found[2]

    def told(self, text: ToolText) -> Sequence[AgentLoop]:
        return self._facts.told(text) if self.loops else ()

    def names_in(self, path: str) -> frozenset[str]:
        return self._facts.names_in(path)

    def compared_in(self, path: str) -> frozenset[str]:
        return self._facts.compared_in(path)

    def counts_beside(self, path: str) -> Evidence | None:
        return self._facts.counts_beside(path)
