"""The agents' own loops: written by hand, recursive, or run by a framework."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from functools import cached_property

from msgspec.structs import replace

from waitlint.catalog import Apis, load_agents
from waitlint.facts import Assign, Import, Name, Str
from waitlint.finding import Evidence, Place
from waitlint.interpret.syntax import nodes
from waitlint.linked import AgentLoop, AgentStart, Retry, ToolText
from waitlint.project.agents.frameworks import Frameworks
from waitlint.project.agents.loops import HandWritten
from waitlint.project.agents.names import Names
from waitlint.project.agents.readers import Writers
from waitlint.project.agents.recursion import Recursion
from waitlint.project.agents.retries import Retries
from waitlint.project.agents.roots import Roots
from waitlint.project.agents.sayings import compared, greatest_compared
from waitlint.project.agents.sites import Sites
from waitlint.project.agents.starts import Starts
from waitlint.project.effects import Effects
from waitlint.project.sources import Sources
from waitlint.project.told import Told
from waitlint.project.versions import InstalledVersions
from waitlint.project.wholes import Wholes
from waitlint.project.world import CODE, ProjectWorld

IMPORTS_DEEP = 2
SHORT = 40


class AgentFacts:
    """The loops of agents in a project, and what tries again; found when they are first asked for, if not given."""

    def __init__(
        self,
        world: ProjectWorld,
        apis: Apis,
        sources: Sources,
        loops: tuple[AgentLoop, ...] | None = None,
        retries: tuple[Retry, ...] | None = None,
        starts: tuple[AgentStart, ...] | None = None,
    ) -> None:
        self._world = world
        self._apis = apis
        self._sources = sources
        if loops is not None and retries is not None and starts is not None:
            self.loops, self.retries, self.starts = loops, retries, starts

    @cached_property
    def loops(self) -> tuple[AgentLoop, ...]:
        """Every loop of an agent, in the order of their places."""
        faults = self._world.faults
        found = [loop for view in self._views for loop in faults.each("finding the loops of agents", view.loops())]
        return tuple(sorted(found, key=lambda loop: (loop.place.path, loop.place.span.start)))

    @cached_property
    def retries(self) -> tuple[Retry, ...]:
        """Every place that tries a request again after it failed."""
        faults = self._world.faults
        found = [retry for view in self._views for retry in faults.each("finding what tries again", view.retries())]
        return tuple(sorted(found, key=lambda retry: (retry.place.path, retry.place.span.start)))

    @cached_property
    def starts(self) -> tuple[AgentStart, ...]:
        """Every call that starts the run of an agent which a stop signal can end."""
        faults = self._world.faults
        found = [start for view in self._views for start in faults.each("finding the starts of agents", view.starts())]
        return tuple(sorted(found, key=lambda start: (start.place.path, start.place.span.start)))

    @cached_property
    def effects(self) -> Effects:
        """What tools are said to do, and do, to the world outside."""
        return Effects(self._world, self._sources)

    @cached_property
    def wholes(self) -> Wholes:
        """What tools hand to the model whole."""
        return Wholes(self._world)

    def names_in(self, path: str) -> frozenset[str]:
        """Short literals of the code in a file, and its names, as letters and digits in lower case."""
        facts = self._world.files.get(path)
        if facts is None or facts.language not in CODE:
            return frozenset()
        found: Counter[str] = Counter()
        names: Counter[str] = Counter()
        constants: list[tuple[str, str]] = []
        for body in (facts.body, *(function.body for function in facts.functions)):
            for node in nodes(body):
                word = node.literal if isinstance(node, Str) else getattr(node, "name", None)
                if isinstance(word, str) and len(word) <= SHORT:
                    found[_plain(word)] += 1
                    names[word] += not isinstance(node, Str)
                if isinstance(node, Assign) and isinstance(node.target, Name) and isinstance(node.value, Str):
                    constants.append((node.target.name, _plain(node.value.literal or "")))
        for name, word in constants:
            # A constant that nothing reads looks for nothing.
            found[word] -= names[name] == 1
        return frozenset(word for word, count in found.items() if count > 0)

    def compared_in(self, path: str) -> frozenset[str]:
        """Short literals that the code in a file compares with something, or looks for in it, as in `names_in`."""
        facts = self._world.files.get(path)
        if facts is None or facts.language not in CODE:
            return frozenset()
        return frozenset(_plain(word) for word in compared(facts) if len(word) <= SHORT)

    def counts_beside(self, path: str) -> Evidence | None:
        """Where the code in the folder of a file compares a count with a greatest number of steps."""
        folder = path.rpartition("/")[0]
        for other, facts in sorted(self._world.files.items()):
            if facts.language in CODE and other.rpartition("/")[0] == folder:
                for span in greatest_compared(facts):
                    return Evidence(Place(other, span), "the steps are counted here")
        return None

    def told(self, text: ToolText) -> Sequence[AgentLoop]:
        """The loops in which the model is told a text, or one that has it as a part."""
        return self._told.of(text)

    @cached_property
    def _told(self) -> Told:
        return Told(self.loops)

    @cached_property
    def _views(self) -> tuple[_View, ...]:
        code = [path for path, facts in self._world.files.items() if facts.language in CODE]
        views = [_View(self._world, self._apis, self._sources, code, code)]
        notebooks = [path for path, facts in self._world.files.items() if facts.language == "notebook"]
        if notebooks:
            views.append(self._of_notebooks(notebooks))
        return tuple(views)

    def _of_notebooks(self, notebooks: list[str]) -> _View:
        """Notebooks as the Python that they are, with the files that they import."""
        files = {
            path: replace(facts, language="python") if facts.language == "notebook" else facts
            for path, facts in self._world.files.items()
        }
        world = ProjectWorld(files, self._apis, self._sources, faults=self._world.faults)
        paths, edge = set(notebooks), list(notebooks)
        for _ in range(IMPORTS_DEEP):
            edge = [target for path in edge for target in _imported(world, path) if target not in paths]
            paths.update(edge)
        return _View(world, self._apis, self._sources, sorted(paths), notebooks)


def _plain(word: str) -> str:
    return re.sub(r"\W+", "", word).lower()


class _View:
    """A world, the files in it in which calls are looked for, and those whose loops are wanted."""

    def __init__(
        self,
        world: ProjectWorld,
        apis: Apis,
        sources: Sources,
        paths: Collection[str],
        wanted: Collection[str],
    ) -> None:
        self.world = world
        self.apis = apis
        self.sources = sources
        self.wanted = frozenset(wanted)
        self.names = Names(world, load_agents(), InstalledVersions(sources, world.packages))
        self.sites = Sites(world, self.names, paths)
        self.writers = Writers(world, Effects(world, sources), sources)
        self.frameworks = Frameworks(
            world, self.names, self.sites, sources, self.writers, lambda root: self.by_hand.run(root)
        )

    def loops(self) -> Iterator[AgentLoop]:
        recursion = Recursion(self.world, self.by_hand, self.sources)
        found = [*self.frameworks.loops(), *self.by_hand.loops(), *recursion.loops()]
        yield from (loop for loop in found if loop.place.path in self.wanted)

    def starts(self) -> Iterator[AgentStart]:
        starts = Starts(self.world, self.sites, self.frameworks, self.sources)
        yield from (start for start in starts.all() if start.place.path in self.wanted)

    def retries(self) -> Iterator[Retry]:
        retries = Retries(self.world, self.apis, self.by_hand, self.frameworks, self.sources, self.wanted)
        yield from (retry for retry in retries.all() if retry.place.path in self.wanted)

    @cached_property
    def by_hand(self) -> HandWritten:
        roots = Roots(self.world, self.names, self.sites, self.wanted)
        return HandWritten(self.world, self.apis, self.names, roots, self.sources, self.writers)


def _imported(world: ProjectWorld, path: str) -> Iterator[str]:
    for stmt in world.files[path].body:
        if isinstance(stmt, Import):
            target = world.resolve(path, stmt.module)
            if target is not None and target in world.files:
                yield target
