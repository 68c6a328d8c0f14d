"""What the files of a project say as code: its tables, its world, its tools and the texts in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace as replaced
from functools import cached_property, partial

from waitlint.catalog import Apis, Frameworks, load_apis, load_frameworks, load_text_names
from waitlint.catalog.own import OwnRows
from waitlint.facts import Attr, Call, FileFacts, Map, Name, Str
from waitlint.finding import Place
from waitlint.interpret.alternatives import options
from waitlint.interpret.values import Instance
from waitlint.linked import Tool
from waitlint.project.agents import AgentFacts
from waitlint.project.ahead import Begin, LookedUp, find
from waitlint.project.codelinks import CodeLinks
from waitlint.project.dispatch import Handlers
from waitlint.project.documents import Documents
from waitlint.project.faults import Faults
from waitlint.project.registrations import Registration, Registry
from waitlint.project.schemas import written_tools
from waitlint.project.script_forms import ScriptForms
from waitlint.project.shares import built
from waitlint.project.sources import Sources
from waitlint.project.texts import CodeTexts, taken_by, texts_of_tools
from waitlint.project.tools import Tools, unread
from waitlint.project.world import CODE, ProjectWorld

NO_ROWS = OwnRows()


class CodeWorld:
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

    def links(self, begin: Begin | None = None, processes: int = 1) -> CodeLinks:
        """What code says, but for its agents; `begin` begins something in another one of so many `processes`."""
        frameworks, apis = self.tables
        wanted, handlers = registrations_in(self.world, frameworks)
        builder = Tools(self.world, apis, handlers, self.sources)

        def build(registration: Registration) -> Tool:
            what = f"linking the tool {registration.name} of {registration.place.path}"
            return self.faults.result(what, partial(builder.tool, registration), partial(unread, registration))

        tools = tuple(sorted(built(wanted, build, begin, processes, self.looked_up, self.take_over), key=_by_place))
        texts = tuple(CodeTexts(self.world, load_text_names(), apis).all(taken_by(texts_of_tools(tools))))
        return CodeLinks(tools, texts)

    def agents_apart(self) -> bytes:
        """What is found of agents, for another process to tell."""
        agents = AgentFacts(self.world, self.tables[1], self.sources)
        return find(agents, self.looked_up)

    def looked_up(self) -> LookedUp:
        return LookedUp(tuple(self.sources.asked), tuple(self.documents.asked), tuple(self.faults.found))

    def take_over(self, other: LookedUp) -> None:
        """What another process has looked up counts as if this one had."""
        self.sources.count(other.sources)
        for path in other.documents:
            self.documents.text(path)
        self.faults.found += [fault for fault in other.faults if fault not in self.faults.found]

    def agents(self, known: CodeLinks) -> AgentFacts:
        return AgentFacts(self.world, self.tables[1], self.sources, known.loops, known.retries, known.starts)


def _by_place(tool: Tool) -> tuple[str, int, str]:
    return tool.place.path, tool.place.span.start, tool.name


def registrations_in(world: ProjectWorld, frameworks: Frameworks) -> tuple[list[Registration], Handlers]:
    """What makes a tool in a project, each place once, and what finds the handler that is run for a tool's name."""
    registry = Registry(world, frameworks)
    registrations = [*registry.all(), *ScriptForms(world, frameworks).all()]
    handlers = Handlers(world, frameworks, registry)
    registrations.extend(world.faults.each("finding the tools that servers list", handlers.listed()))
    _rename_by_key(world, registrations)
    taken = {found.call_place for found in registrations if found.call_place is not None}
    taken |= {found.definition for found in registrations if found.definition is not None}
    registrations.extend(world.faults.each("finding tools that are written down", written_tools(world, taken)))
    first: dict[tuple[str, Place], Registration] = {}
    for registration in registrations:
        first.setdefault((registration.name, registration.place), registration)
    return list(first.values()), handlers


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
        made = bound.get(Place(path, entry.value.span))
        if made is not None and registrations[made].name == entry.key.literal:
            # It is made in place, and has its name of this key: most are, and need no evaluation.
            continue
        for _, option in options(world.evaluate(entry.value, frame)):
            position = bound.get(option.made_at) if isinstance(option, Instance) else None
            if position is not None:
                registrations[position] = replaced(registrations[position], name=entry.key.literal)
