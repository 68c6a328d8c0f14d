"""Where to look for agents' loops: the functions whose loops, or calls of themselves, may reach a model."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from waitlint.catalog import ASKING
from waitlint.facts import Function, Loop, Stmt
from waitlint.interpret.syntax import calls_in, loops_in
from waitlint.interpret.values import FunctionRef
from waitlint.project.agents.leading import Leading
from waitlint.project.agents.names import Names
from waitlint.project.agents.sites import Site, Sites
from waitlint.project.world import CODE, ProjectWorld
from waitlint.spelled import tail

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
        self._callers: dict[str, set[Root]] = {}
        for path, facts in world.files.items():
            if facts.language in CODE:
                for found in world.calls(path):
                    name = tail(found.call.func)
                    if name and name not in COMMON:
                        self._callers.setdefault(name, set()).add(Root(path, found.function))
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
        callers = self._callers.get(name, set()) if len(name) > 2 else set()
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
            if not self._names_any(path):
                continue
            facts = self.world.files[path]
            if self._may_ask(path, None, facts.body):
                yield Root(path, None)
            for index, function in enumerate(facts.functions):
                if self._may_ask(path, index, function.body):
                    yield Root(path, index)

    def _names_any(self, path: str) -> bool:
        """Whether anything in a file may get to a model, by its name."""
        return path in self.asking or any(tail(found.call.func) in self.names for found in self.world.calls(path))

    def _may_ask(self, path: str, index: int | None, body: tuple[Stmt, ...]) -> bool:
        return any(self.leading.of(path, index, (loop,)) for loop in loops_in(body) if self._is_named(path, loop))

    def _is_named(self, path: str, loop: Loop) -> bool:
        """Whether something in a loop may get to a model, by its name: no more is asked of most loops."""
        asking = self.asking.get(path, set())
        return any(
            (call.span.start, call.span.end) in asking or tail(call.func) in self.names
            for call in calls_in((loop,), self.world.files[path])
        )
