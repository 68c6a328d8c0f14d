"""A project of which the tools are known from an earlier run, and the texts of some documents from this one."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property
from typing import NoReturn

from waitlint.catalog.surfaces import AGENT_FILES
from waitlint.facts import FileFacts
from waitlint.finding import Evidence, Place
from waitlint.linked import AgentLoop, AgentStart, Mentioned, Retry, StateSet, Tool, ToolText
from waitlint.project.asked import key_of_paths, key_of_place
from waitlint.project.codelinks import CodeLinks, by_place
from waitlint.project.mentions import Mentions
from waitlint.project.nearness import PackageFolders
from waitlint.project.sources import ReadSource, Sources
from waitlint.project.surfaces import texts_of
from waitlint.project.told import Told
from waitlint.unchanged.standing import Linked

CODE = frozenset(("python", "typescript", "notebook"))


class Beyond(Exception):
    """What is asked for hangs on more than is known here: everything has to be linked."""


class KnownProject:
    """Implements `waitlint.context.Project` for the rules about the texts of `documents`.

    `links` gives what is known of the code, once somebody asks for it. Whatever is not known raises Beyond.
    """

    asked_for = ""

    def __init__(
        self,
        linked: Linked,
        documents: Mapping[str, FileFacts],
        read_source: ReadSource,
        links: Callable[[], CodeLinks | None],
    ) -> None:
        self._linked = linked
        self._sources = Sources(read_source)
        self._packages = PackageFolders(self._sources)
        self._load = links
        self.own_texts = [text for path, facts in sorted(documents.items()) for text in texts_of(path, facts)]
        self.own_mentions = [one for text in self.own_texts for one in self._mentions(text)]
        self._in_text: dict[int, list[Mentioned]] = {}
        for mentioned in self.own_mentions:
            self._in_text.setdefault(id(mentioned.text), []).append(mentioned)

    def _mentions(self, text: ToolText) -> list[Mentioned]:
        return [self._names.of(text, intent) for intent in text.text.intents]

    @cached_property
    def _links(self) -> CodeLinks:
        links = self._load()
        if links is None:
            raise Beyond("what is known of the code was not kept")
        return links

    @cached_property
    def _names(self) -> Mentions:
        return Mentions(self.tools, self._linked.skills)

    @cached_property
    def _reaching(self) -> dict[Place, list[Tool]]:
        return by_place(self.tools)

    @cached_property
    def _told(self) -> Told:
        return Told(self.loops)

    @property
    def tools(self) -> Sequence[Tool]:
        return self._links.tools

    @property
    def loops(self) -> Sequence[AgentLoop]:
        loops = self._links.loops
        return loops if loops is not None else _beyond("nobody has asked for loops yet")

    def mentions_in(self, text: ToolText) -> Sequence[Mentioned]:
        return self._in_text.get(id(text), ())

    def tools_named(self, name: str, near: str) -> Sequence[Tool]:
        return self._names.named(name, near)

    def defines_tool(self, name: str) -> bool:
        return self._names.is_named(name)

    def tools_beside(self, path: str) -> Sequence[Tool]:
        package = self._packages.of(path)
        below = f"{package}/" if package else ""
        return [
            tool
            for tool in self.tools
            if tool.place.path.startswith(below) and self._packages.of(tool.place.path) == package
        ]

    def tools_reaching(self, place: Place) -> Sequence[Tool]:
        return self._reaching.get(place, [])

    def loops_told(self, text: ToolText) -> Sequence[AgentLoop]:
        return self._told.of(text)

    def excerpt(self, place: Place) -> str:
        return self._sources.excerpt(place)

    def where(self, place: Place) -> str:
        return self._sources.where(place)

    def grants_writes(self, text: ToolText) -> tuple[Evidence, Evidence] | None:
        if text.surface not in AGENT_FILES:
            return None
        from waitlint.project.agents.readers import granted, said_to_read

        source = self._sources.get(text.path)
        grants = granted(text.path, source.text) if source is not None else None
        said = said_to_read((text,)) if grants is not None else None
        return (said, grants) if said is not None and grants is not None else None

    def names_in(self, path: str) -> frozenset[str]:
        return self._of_code("names_in", path)

    def compared_in(self, path: str) -> frozenset[str]:
        return self._of_code("compared_in", path)

    def states_in(self, path: str) -> frozenset[str]:
        return self._of_code("states_in", path)

    def _of_code(self, what: str, path: str) -> frozenset[str]:
        """What is only asked of code: documents have none of it."""
        seen = self._linked.members.get(path)
        if seen is not None and seen.language in ("markdown", "text"):
            return frozenset()
        known: dict[str, frozenset[str]] = getattr(self._links.asked, what)
        return known[path] if path in known else _beyond(path)

    def counts_beside(self, path: str) -> Evidence | None:
        if path in self._links.asked.counts_beside:
            return self._links.asked.counts_beside[path]
        folder = path.rpartition("/")[0]
        for other, seen in self._linked.members.items():
            if seen.language in CODE and other.rpartition("/")[0] == folder:
                _beyond(other)
        return None

    def states_seen_from(self, paths: Collection[str]) -> Sequence[StateSet]:
        key = key_of_paths(paths)
        known = self._links.asked.states_seen_from
        return known[key] if key in known else _beyond("lists of states")

    # ------------------------------------------------------------ what hangs on all texts, or on code

    @property
    def mentions(self) -> Sequence[Mentioned]:
        return _beyond("all sentences")

    @property
    def texts(self) -> Sequence[ToolText]:
        return _beyond("all texts")

    @property
    def retries(self) -> Sequence[Retry]:
        return _beyond("retries")

    @property
    def starts(self) -> Sequence[AgentStart]:
        return _beyond("starts")

    def mentions_of(self, names: Collection[str]) -> Sequence[Mentioned]:
        return _beyond("all sentences")

    def said_to_read(self, tool: Tool) -> Evidence | None:
        return _beyond("what a tool is said to do")

    def writes(self, tool: Tool) -> Evidence | None:
        return _beyond("what a tool writes")

    def hands_whole(self, tool: Tool) -> Evidence | None:
        return _beyond("what a tool hands on")

    def others_running(self, place: Place) -> Evidence | None:
        key = key_of_place(place)
        known = self._links.asked.others_running
        return known[key] if key in known else _beyond("who else runs code")


def _beyond(what: str) -> NoReturn:
    raise Beyond(what)
