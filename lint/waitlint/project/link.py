"""Linking: from the facts of single files to the project that rules read."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace as replaced
from functools import cached_property, partial
from typing import TypeVar

from msgspec.structs import replace

from waitlint.catalog import Apis, Frameworks, load_apis, load_frameworks, load_text_names
from waitlint.catalog.own import OwnRows
from waitlint.catalog.surfaces import AGENT_FILES
from waitlint.facts import Attr, Call, FileFacts, Map, Name, Str
from waitlint.finding import Evidence, Place
from waitlint.interpret.alternatives import options
from waitlint.interpret.values import Instance
from waitlint.linked import AgentLoop, AgentStart, Mentioned, Retry, StateSet, Tool, ToolText
from waitlint.project.agents import AgentFacts
from waitlint.project.agents.readers import granted, said_to_read
from waitlint.project.ahead import Begin, find, heard, is_worth_it
from waitlint.project.answers import Answers
from waitlint.project.asked import key_of_paths, key_of_place
from waitlint.project.codelinks import CodeLinks, ToolAnswers, by_place
from waitlint.project.dispatch import Handlers
from waitlint.project.documents import Documents, ReadDocument, nothing_further
from waitlint.project.faults import Faults
from waitlint.project.kept import Keep, KeptLinks
from waitlint.project.mentions import Mentions, skills_of
from waitlint.project.nearness import PackageFolders
from waitlint.project.registrations import Registration, Registry
from waitlint.project.schemas import written_tools
from waitlint.project.script_forms import ScriptForms
from waitlint.project.sharing import Sharing
from waitlint.project.sources import ReadSource, Sources
from waitlint.project.state_lists import StateSets
from waitlint.project.states import States
from waitlint.project.texts import CodeTexts, all_texts, taken_by, texts_of_tools
from waitlint.project.tools import Tools, unread
from waitlint.project.world import CODE, ProjectWorld

NO_ROWS = OwnRows()
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
        agents: _Agents,
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
) -> LinkedProject:
    """Link the facts of all files under one root. `files` are by path, relative to the root.

    `own` are rows that go before those of the catalog. `read_document` reads a document that code takes words for a
    model from: what of that came true is in `granted` of the project, by path. `keep` is where the next run finds what
    this one finds out about code. `begin` begins to find something out in another process: what the rules will ask of
    agents, where it is given and there is much code. The order in which the files are given is nothing to what is
    found: where one text is handed over in several of them, the first by its path has it.
    """
    files = dict(sorted(files.items()))
    sources = Sources(read_source)
    as_code = _as_code(files)
    documents = Documents(as_code, sources, read_document)
    world = _World(as_code, sources, documents, own)
    kept = KeptLinks(files, own, sources, documents, keep) if keep is not None else None
    code = kept.found() if kept is not None else None
    ahead = None
    if code is None:
        if begin is not None and is_worth_it(as_code):
            ahead = begin(world.agents_apart)
        code = world.code()
        if kept is not None and not world.faults.found:
            kept.remember(code, sources.asked)
    asked = frozenset(sources.asked)
    texts = all_texts(as_code, code.tools, code.texts)
    names = Mentions(code.tools, skills_of(files))
    mentions = [names.of(text, intent) for text in texts for intent in text.text.intents]
    said_in = _paths_of(texts)
    granted = {path: facts for path, facts in documents.granted.items() if path in said_in}
    agents = _Agents(world, code, kept, asked, ahead)
    sets = StateSets(lambda: world.world)
    return LinkedProject(
        code.tools, texts, mentions, sources, granted, agents, States(files), sets, world.faults, as_code
    )


class _World:
    """What the files say as code; nothing is looked at before it is asked for."""

    def __init__(self, files: Mapping[str, FileFacts], sources: Sources, documents: Documents, own: OwnRows) -> None:
        self.files = files
        self.sources = sources
        self.documents = documents
        self.own = own
        self.faults = Faults()

    @cached_property
    def tables(self) -> tuple[Frameworks, Apis]:
        frameworks, apis = load_frameworks(), load_apis()
        if self.own != NO_ROWS:
            frameworks = Frameworks((*self.own.frameworks, *frameworks.rows))
            apis = Apis((*apis.rows, *self.own.apis))
        return frameworks, Apis(apis.rows, [name for row in frameworks.rows for name in (*row.calls, *row.of)])

    @cached_property
    def world(self) -> ProjectWorld:
        frameworks, apis = self.tables
        world = ProjectWorld(self.files, apis, self.sources, self.documents, self.own.names, self.faults)
        named = {name for row in frameworks.rows for name in (*row.calls, *row.of)}
        named.update(name for row in apis.rows for name in (*row.calls, *row.of))
        world.modules.keep_outside(frameworks.packages, frozenset(name.partition(".")[0] for name in named))
        return world

    def code(self) -> CodeLinks:
        """What code says, but for its agents."""
        frameworks, apis = self.tables
        tools = tuple(_tools(self.world, frameworks, apis, self.sources))
        texts = tuple(CodeTexts(self.world, load_text_names(), apis).all(taken_by(texts_of_tools(tools))))
        return CodeLinks(tools, texts)

    def agents_apart(self) -> bytes:
        """What is found of agents, for another process to tell."""
        agents = AgentFacts(self.world, self.tables[1], self.sources)
        return find(agents, self.sources, self.documents, self.faults)

    def agents(self, known: CodeLinks) -> AgentFacts:
        return AgentFacts(self.world, self.tables[1], self.sources, known.loops, known.retries, known.starts)


class _Agents:
    """The loops of agents, and what tries again: kept from an earlier run, or found when they are first asked for.

    `asked` are the sources that were looked up for the code. `ahead` waits for what another process finds of them.
    """

    def __init__(
        self,
        world: _World,
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
        self._world.faults.found += [fault for fault in found.faults if fault not in self._world.faults.found]
        self._asked |= frozenset(found.sources)
        if self._kept is not None:
            for path in found.documents:
                self._world.documents.text(path)
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


def _paths_of(texts: Sequence[ToolText]) -> set[str]:
    return {path for text in texts for path in (text.path, *(further for _, further in text.paths))}


def _tools(world: ProjectWorld, frameworks: Frameworks, apis: Apis, sources: Sources) -> list[Tool]:
    registry = Registry(world, frameworks)
    registrations = [*registry.all(), *ScriptForms(world, frameworks).all()]
    handlers = Handlers(world, frameworks, registry)
    registrations.extend(world.faults.each("finding the tools that servers list", handlers.listed()))
    _rename_by_key(world, registrations)
    taken = {found.call_place for found in registrations if found.call_place is not None}
    taken |= {found.definition for found in registrations if found.definition is not None}
    registrations.extend(world.faults.each("finding tools that are written down", written_tools(world, taken)))
    builder = Tools(world, apis, handlers, sources)
    seen: set[tuple[str, Place]] = set()
    tools: list[Tool] = []
    for registration in registrations:
        key = (registration.name, registration.place)
        if key not in seen:
            seen.add(key)
            what = f"linking the tool {registration.name} of {registration.place.path}"
            tools.append(world.faults.result(what, partial(builder.tool, registration), partial(unread, registration)))
    return sorted(tools, key=lambda tool: (tool.place.path, tool.place.span.start, tool.name))


def _rename_by_key(world: ProjectWorld, registrations: list[Registration]) -> None:
    """A tool that is bound to a constant takes the name of the key under which it is handed over."""
    bound = {found.call_place: position for position, found in enumerate(registrations) if found.row.bound}
    if not bound:
        return
    for path, facts in world.files.items():
        if facts.language not in CODE:
            continue
        for found in world.maps(path):
            if found.bound not in ("tools", "toolset", "toolSet") and not found.bound.lower().endswith("tools"):
                continue
            rename = partial(_rename_from, world, path, found.map, found.function, registrations, bound)
            world.faults.result(f"naming the tools of {path}", rename, lambda: None)


def _rename_from(
    world: ProjectWorld,
    path: str,
    tools: Map,
    function: int | None,
    registrations: list[Registration],
    bound: dict[Place | None, int],
) -> None:
    frame = world.frame_for(path, function)
    for entry in tools.entries:
        if not isinstance(entry.key, Str) or not entry.key.literal or not isinstance(entry.value, Name | Attr | Call):
            continue
        for _, option in options(world.evaluate(entry.value, frame)):
            position = bound.get(option.made_at) if isinstance(option, Instance) else None
            if position is not None:
                registrations[position] = replaced(registrations[position], name=entry.key.literal)
