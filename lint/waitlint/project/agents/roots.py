"""Where to look for agents' loops: the functions whose loops, or calls of themselves, may reach a model."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from waitlint.catalog import ASKING
from waitlint.facts import Function, Loop
from waitlint.interpret.values import FunctionRef
from waitlint.project.agents.leading import Leading
from waitlint.project.agents.names import Names
from waitlint.project.agents.sites import Site, Sites
from waitlint.project.found import Found
from waitlint.project.world import CODE, ProjectWorld

FAR = 4
MOST_CALLERS = 60
COMMON = frozenset({"get", "append", "format", "join", "print", "log", "info", "push", "map", "then", "open", "update"})


@dataclass(frozen=True, slots=True)
class Root:
    """A function, or the top of a file (`index` None), in which a loop may reach a model."""

    path: str
    index: int | None


class Roots:
    """Finds the functions from which a model is reached, by the names of what they call."""

    def __init__(self, world: ProjectWorld, names: Names, sites: Sites, wanted: Collection[str]) -> None:
        self.world = world
        self.wanted = wanted
        self._calls: dict[str, list[Found]] = {}
        self._callers: dict[str, set[Root]] = {}
        for path, facts in world.files.items():
            if facts.language in CODE:
                for name, calls in world.calls_by_name(path).items():
                    self._calls.setdefault(name, []).extend(calls)
        self.asking: dict[str, set[tuple[int, int]]] = {}
        asking = [site for site in sites.all if site.row.kind in ASKING]
        direct = {Root(site.found.path, site.found.function) for site in asking}
        for site in asking:
            span = site.found.call.span
            self.asking.setdefault(site.found.path, set()).add((span.start, span.end))
        self.reaching = self._reaching(direct)
        for root in self.reaching:
            if root.index is not None:
                names.reaching.add((root.path, root.index))
        for site in sites.all:
            if site.row.kind == "retry" and self._tries(site):
                span = site.found.call.span
                self.asking.setdefault(site.found.path, set()).add((span.start, span.end))
        named: dict[str, list[tuple[str, int]]] = {}
        for path, index in sorted(names.reaching):
            if name := world.files[path].functions[index].name:
                named.setdefault(name, []).append((path, index))
        self.names = named.keys()
        self.leading = Leading(world, names, self.asking, named)

    def _tries(self, site: Site) -> bool:
        """Whether a helper is given a function that reaches a model."""
        tried = (value for _, value in site.args if isinstance(value, FunctionRef))
        return any(Root(one.path, one.index) in self.reaching for one in tried)

    def _reaching(self, direct: set[Root]) -> set[Root]:
        """The functions that reach a model, a few calls deep."""
        edge = {outer for root in direct for outer in self._with_outer(root)}
        reached = set(edge)
        for _ in range(FAR):
            callers = {caller for root in edge for caller in self._called_by(root)}
            edge = {outer for root in callers for outer in self._with_outer(root)} - reached
            reached |= edge
        return reached

    def _with_outer(self, root: Root) -> Iterator[Root]:
        """A function, and those that it is written in as a callback."""
        yield root
        index = root.index
        while index is not None:
            index = self.world.files[root.path].functions[index].parent
            if index is not None:
                yield Root(root.path, index)

    def callers(self, root: Root) -> list[Root]:
        """The functions that call something with a function's name, in a settled order."""
        found = self._called_by(root) - {root}
        return sorted(found, key=lambda one: (one.path != root.path, one.path, -1 if one.index is None else one.index))

    def called_as(self, root: Root) -> str:
        """The name by which a function is called: a constructor by that of its class."""
        if root.index is None:
            return ""
        function = self._function(root)
        if function.owner is not None and function.name in ("__init__", "constructor", "__call__"):
            return self.world.files[root.path].classes[function.owner].name
        return function.name

    def _called_by(self, root: Root) -> set[Root]:
        if root.index is None:
            return set()
        name = self.called_as(root)
        if len(name) <= 2 or name in COMMON:
            return set()
        callers = self._callers.get(name)
        if callers is None:
            calls = self._calls.get(name, ())
            callers = self._callers[name] = {Root(found.path, found.function) for found in calls}
        if len(callers) > MOST_CALLERS:
            callers = {caller for caller in callers if caller.path == root.path}
        return callers

    def _function(self, root: Root) -> Function:
        assert root.index is not None
        return self.world.files[root.path].functions[root.index]

    # ------------------------------------------------------------ loops

    def all(self) -> Iterator[Root]:
        """The functions with a loop in which a model may be asked, callbacks inside the loop included."""
        for path in sorted(self.wanted):
            named = self._named_in(path)
            if not named:
                continue
            asking: set[int | None] = set()
            for found in self.world.walked(path).loops:
                index = found.function
                if index in asking or not _holds_any(found.loop, named):
                    continue
                if self.leading.of(path, index, (found.loop,)):
                    asking.add(index)
                    yield Root(path, index)

    def _named_in(self, path: str) -> list[int]:
        """Where in a file the calls stand that may get to a model, by their name: no more is asked of most loops."""
        called = self.world.calls_by_name(path)
        found = [found.call.span.start for name in self.names & called.keys() for found in called[name]]
        return sorted((*found, *(start for start, _ in self.asking.get(path, ()))))


def _holds_any(loop: Loop, places: list[int]) -> bool:
    """Whether one of some places, in order, is in a loop."""
    first = bisect_left(places, loop.span.start)
    return first < len(places) and places[first] < loop.span.end
