"""The agents' own loops: written by hand, recursive, or run by a framework."""

from __future__ import annotations

from functools import cached_property

from waitlint.catalog import Apis, load_agents
from waitlint.linked import AgentLoop, Retry
from waitlint.project.agents.frameworks import Frameworks, Sites
from waitlint.project.agents.loops import HandWritten
from waitlint.project.agents.names import Names
from waitlint.project.agents.roots import Roots
from waitlint.project.sources import Sources
from waitlint.project.versions import InstalledVersions
from waitlint.project.world import ProjectWorld


class AgentFacts:
    """The loops of agents in a project, and what tries again; found when they are first asked for."""

    def __init__(self, world: ProjectWorld, apis: Apis, sources: Sources) -> None:
        self._world = world
        self._apis = apis
        self._sources = sources

    @cached_property
    def loops(self) -> tuple[AgentLoop, ...]:
        """Every loop of an agent, in the order of their places."""
        found = list(Frameworks(self._world, self._names, self._sites, self._sources).loops())
        roots = Roots(self._world, self._names, self._sites)
        found.extend(HandWritten(self._world, self._apis, self._names, roots, self._sources).loops())
        return tuple(sorted(found, key=lambda loop: (loop.place.path, loop.place.span.start)))

    @cached_property
    def retries(self) -> tuple[Retry, ...]:
        """Every place that tries a request again after it failed."""
        return ()

    @cached_property
    def _names(self) -> Names:
        return Names(self._world, load_agents(), InstalledVersions(self._sources, self._world.packages))

    @cached_property
    def _sites(self) -> Sites:
        return Sites(self._world, self._names)
