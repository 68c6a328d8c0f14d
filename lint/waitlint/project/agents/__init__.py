"""The agents' own loops: written by hand, recursive, or run by a framework."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import cached_property

from msgspec.structs import replace

from waitlint.catalog import Apis, load_agents
from waitlint.facts import Import
from waitlint.linked import AgentLoop, Retry
from waitlint.project.agents.frameworks import Frameworks
from waitlint.project.agents.loops import HandWritten
from waitlint.project.agents.names import Names
from waitlint.project.agents.recursion import Recursion
from waitlint.project.agents.retries import Retries
from waitlint.project.agents.roots import Roots
from waitlint.project.agents.sites import Sites
from waitlint.project.sources import Sources
from waitlint.project.versions import InstalledVersions
from waitlint.project.world import CODE, ProjectWorld

IMPORTS_DEEP = 2


class AgentFacts:
    """The loops of agents in a project, and what tries again; found when they are first asked for."""

    def __init__(self, world: ProjectWorld, apis: Apis, sources: Sources) -> None:
        self._world = world
        self._apis = apis
        self._sources = sources

    @cached_property
    def loops(self) -> tuple[AgentLoop, ...]:
        """Every loop of an agent, in the order of their places."""
        found = [loop for view in self._views for loop in view.loops()]
        return tuple(sorted(found, key=lambda loop: (loop.place.path, loop.place.span.start)))

    @cached_property
    def retries(self) -> tuple[Retry, ...]:
        """Every place that tries a request again after it failed."""
        found = [retry for view in self._views for retry in view.retries()]
        return tuple(sorted(found, key=lambda retry: (retry.place.path, retry.place.span.start)))

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
        world = ProjectWorld(files, self._apis, self._sources)
        paths, edge = set(notebooks), list(notebooks)
        for _ in range(IMPORTS_DEEP):
            edge = [target for path in edge for target in _imported(world, path) if target not in paths]
            paths.update(edge)
        return _View(world, self._apis, self._sources, sorted(paths), notebooks)


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
        self.frameworks = Frameworks(world, self.names, self.sites, sources)

    def loops(self) -> Iterator[AgentLoop]:
        recursion = Recursion(self.world, self.by_hand, self.sources)
        found = [*self.frameworks.loops(), *self.by_hand.loops(), *recursion.loops()]
        yield from (loop for loop in found if loop.place.path in self.wanted)

    def retries(self) -> Iterator[Retry]:
        retries = Retries(self.world, self.apis, self.by_hand, self.frameworks, self.sources, self.wanted)
        yield from (retry for retry in retries.all() if retry.place.path in self.wanted)

    @cached_property
    def by_hand(self) -> HandWritten:
        roots = Roots(self.world, self.names, self.sites, self.wanted)
        return HandWritten(self.world, self.apis, self.names, roots, self.sources)


def _imported(world: ProjectWorld, path: str) -> Iterator[str]:
    for stmt in world.files[path].body:
        if isinstance(stmt, Import):
            target = world.resolve(path, stmt.module)
            if target is not None and target in world.files:
                yield target
