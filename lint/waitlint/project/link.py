"""Linking: from the facts of single files to the project that rules read."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TypeVar

from msgspec.structs import replace

from waitlint.catalog.own import OwnRows
from waitlint.catalog.surfaces import AGENT_FILES
from waitlint.facts import FileFacts
from waitlint.finding import Evidence, Place
from waitlint.linked import AgentLoop, AgentStart, Mentioned, Retry, StateSet, Tool, ToolText
from waitlint.project.agents.readers import granted, said_to_read
from waitlint.project.agents_found import AgentsFound
from waitlint.project.ahead import Begin, is_worth_it
from waitlint.project.asked import key_of_paths, key_of_place
from waitlint.project.code_world import NO_ROWS, CodeWorld
from waitlint.project.codelinks import by_place
from waitlint.project.documents import Documents, ReadDocument, nothing_further
from waitlint.project.faults import Faults
from waitlint.project.kept import Keep, KeptLinks
from waitlint.project.mentions import Mentions, skills_of
from waitlint.project.nearness import PackageFolders
from waitlint.project.sharing import Sharing
from waitlint.project.sources import ReadSource, Sources
from waitlint.project.state_lists import StateSets
from waitlint.project.states import States
from waitlint.project.texts import all_texts

Found = TypeVar("Found")


class LinkedProject:
    """Implements `waitlint.context.Project`.

    `spoken_of` are tools of which it was asked what texts say of them.
    """

    def __init__(
        self,
        tools: Sequence[Tool],
        texts: Sequence[ToolText],
        mentions: Sequence[Mentioned],
        sources: Sources,
        granted: Mapping[str, FileFacts],
        agents: AgentsFound,
        states: States,
        state_sets: StateSets,
        faults: Faults,
        code: Mapping[str, FileFacts],
    ) -> None:
        self.tools = tools
        self.texts = texts
        self.mentions = mentions
        self.granted = granted
        self.faults = faults
        self._sources = sources
        self._agents = agents
        self._states = states
        self._state_sets = state_sets
        self._sharing = Sharing(code, tools, sources.where)
        self._names = Mentions(tools)
        self._reaching: dict[Place, list[Tool]] | None = None
        self._in_text: dict[int, list[Mentioned]] = {}
        self._of_tool: dict[str, list[int]] | None = None
        self.spoken_of: set[str] = set()
        self._asked = agents.code.asked
        self._by_package: dict[str, list[Tool]] | None = None
        self._packages = PackageFolders(sources)
        for mentioned in mentions:
            self._in_text.setdefault(id(mentioned.text), []).append(mentioned)

    @property
    def loops(self) -> Sequence[AgentLoop]:
        return self._agents.loops

    @property
    def retries(self) -> Sequence[Retry]:
        return self._agents.retries

    @property
    def starts(self) -> Sequence[AgentStart]:
        return self._agents.starts

    @property
    def asked_for(self) -> str:
        return self._sources.asked_for

    @asked_for.setter
    def asked_for(self, path: str) -> None:
        self._sources.asked_for = path

    @property
    def hangs_on(self) -> frozenset[str]:
        """The files, whether or not they are there, that more hangs on than what is said of their own texts."""
        return self._agents.looked_up | self._sources.crossed

    @property
    def key(self) -> bytes | None:
        """The key under which what is known of the code is kept."""
        return self._agents.key

    def mentions_of(self, names: Collection[str]) -> Sequence[Mentioned]:
        if self._of_tool is None:
            self._of_tool = {}
            for position, mentioned in enumerate(self.mentions):
                for name in {tool.name for tool in mentioned.tools}:
                    self._of_tool.setdefault(name, []).append(position)
        self.spoken_of.update(names)
        found = {position for name in names for position in self._of_tool.get(name, ())}
        return [self.mentions[position] for position in sorted(found)]

    def mentions_in(self, text: ToolText) -> Sequence[Mentioned]:
        return self._in_text.get(id(text), ())

    def said_to_read(self, tool: Tool) -> Evidence | None:
        return self._agents.answers.said_to_read(tool)

    def writes(self, tool: Tool) -> Evidence | None:
        return self._agents.answers.writes(tool)

    def grants_writes(self, text: ToolText) -> tuple[Evidence, Evidence] | None:
        source = self._sources.get(text.path) if text.surface in AGENT_FILES else None
        grants = granted(text.path, source.text) if source is not None else None
        said = said_to_read((text,)) if grants is not None else None
        return (said, grants) if said is not None and grants is not None else None

    def hands_whole(self, tool: Tool) -> Evidence | None:
        return self._agents.answers.hands_whole(tool)

    def loops_told(self, text: ToolText) -> Sequence[AgentLoop]:
        return self._agents.told(text)

    def names_in(self, path: str) -> frozenset[str]:
        return self._remembered(self._asked.names_in, path, lambda: self._agents.names_in(path))

    def compared_in(self, path: str) -> frozenset[str]:
        return self._remembered(self._asked.compared_in, path, lambda: self._agents.compared_in(path))

    def counts_beside(self, path: str) -> Evidence | None:
        return self._remembered(self._asked.counts_beside, path, lambda: self._agents.counts_beside(path))

    def _remembered(self, known: dict[str, Found], key: str, find: Callable[[], Found]) -> Found:
        """What is known, or else found and kept with what is known of the code."""
        if key not in known:
            known[key] = self._agents.asking(find)
        return known[key]

    def keep_answers(self) -> None:
        """Keep what was asked of code besides."""
        self._agents.keep_answers()

    def excerpt(self, place: Place) -> str:
        return self._sources.excerpt(place)

    def where(self, place: Place) -> str:
        return self._sources.where(place)

    def tools_named(self, name: str, near: str) -> Sequence[Tool]:
        return self._names.named(name, near)

    def defines_tool(self, name: str) -> bool:
        return self._names.is_named(name)

    def states_seen_from(self, paths: Collection[str]) -> Sequence[StateSet]:
        return self._remembered(
            self._asked.states_seen_from, key_of_paths(paths), lambda: tuple(self._state_sets.seen_from(paths))
        )

    def tools_beside(self, path: str) -> Sequence[Tool]:
        if self._by_package is None:
            self._by_package = {}
            for tool in self.tools:
                self._by_package.setdefault(self._packages.of(tool.place.path), []).append(tool)
        return self._by_package.get(self._packages.of(path), ())

    def states_in(self, path: str) -> frozenset[str]:
        return self._remembered(self._asked.states_in, path, lambda: self._states.of(path))

    def others_running(self, place: Place) -> Evidence | None:
        return self._remembered(self._asked.others_running, key_of_place(place), lambda: self._sharing.others(place))

    def tools_reaching(self, place: Place) -> Sequence[Tool]:
        if self._reaching is None:
            self._reaching = by_place(self.tools)
        return self._reaching.get(place, [])


def _as_code(files: Mapping[str, FileFacts]) -> dict[str, FileFacts]:
    """Notebooks are the Python that is in their cells."""
    return {
        path: replace(facts, language="python") if facts.language == "notebook" else facts
        for path, facts in files.items()
    }


def link(
    files: Mapping[str, FileFacts],
    *,
    read_source: ReadSource,
    read_document: ReadDocument = nothing_further,
    own: OwnRows = NO_ROWS,
    keep: Keep | None = None,
    begin: Begin | None = None,
    processes: int = 1,
    for_agents: bool = True,
) -> LinkedProject:
    """Link the facts of all files under one root. `files` are by path, relative to the root.

    `own` are rows that go before those of the catalog. `read_document` reads a document that code takes words for a
    model from: what of that came true is in `granted` of the project, by path. `keep` is where the next run finds what
    this one finds out about code. `begin` begins to find something out in another one of so many `processes`, where
    there is much code: a share of the tools and, if rules will ask `for_agents`, what they will ask. The order in
    which the files are given is nothing to what is found: where one text is handed over in several of them, the first
    by its path has it.
    """
    files = dict(sorted(files.items()))
    sources = Sources(read_source)
    as_code = _as_code(files)
    documents = Documents(as_code, sources, read_document)
    world = CodeWorld(as_code, sources, documents, own)
    kept = KeptLinks(files, own, sources, documents, keep) if keep is not None else None
    code = kept.found() if kept is not None else None
    ahead = None
    if code is None:
        begin = begin if begin is not None and is_worth_it(as_code) else None
        ahead = begin(world.agents_apart) if begin is not None and for_agents else None
        code = world.links(begin, processes)
        if kept is not None and not world.faults.found:
            kept.remember(code, sources.asked)
    asked = frozenset(sources.asked)
    texts = all_texts(as_code, code.tools, code.texts)
    names = Mentions(code.tools, skills_of(files))
    mentions = [names.of(text, intent) for text in texts for intent in text.text.intents]
    said_in = _paths_of(texts)
    granted = {path: facts for path, facts in documents.granted.items() if path in said_in}
    agents = AgentsFound(world, code, kept, asked, ahead)
    sets = StateSets(lambda: world.world)
    return LinkedProject(
        code.tools, texts, mentions, sources, granted, agents, States(files), sets, world.faults, as_code
    )


def _paths_of(texts: Sequence[ToolText]) -> set[str]:
    return {path for text in texts for path in (text.path, *(further for _, further in text.paths))}
