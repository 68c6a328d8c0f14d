"""The calls of a project that ask a model or run an agent, evaluated where they stand."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property, partial

from msgspec.structs import replace

from waitlint.catalog import AgentApi
from waitlint.facts import Attr, Call, Import, Name
from waitlint.finding import Place
from waitlint.fix import SetOption
from waitlint.interpret.values import MethodOf, Outside, Value
from waitlint.project.agents.names import Args, Names
from waitlint.project.agents.owners import Owners
from waitlint.project.found import Found
from waitlint.project.world import ProjectWorld


@dataclass(frozen=True)
class Site:
    """A call that the catalog knows, evaluated where it stands: its arguments only where somebody asks for them."""

    row: AgentApi
    found: Found
    func: Value
    world: ProjectWorld = field(repr=False, compare=False)

    @cached_property
    def args(self) -> Args:
        return arguments_of(self.world, self.found)

    @property
    def place(self) -> Place:
        return Place(self.found.path, self.found.call.span)


class Sites:
    """The calls of a project that ask a model or run an agent."""

    def __init__(self, world: ProjectWorld, names: Names, paths: Iterable[str]) -> None:
        self.world = world
        self.names = names
        self.owners = Owners(world)
        self.paths = tuple(paths)
        self.all: list[Site] = []
        self.by_place: dict[Place, Site] = {}
        for path in self.paths:
            self._scan(path)

    def _scan(self, path: str) -> None:
        imports = [
            stmt for statements in self.world.bindings(path).values() for stmt in statements if isinstance(stmt, Import)
        ]
        # The other names under which the file imports what the catalog knows.
        aliases = {stmt.local for stmt in imports if stmt.name in self.names.agents.tails}
        tails = self.names.agents.tails | aliases
        may_be_called = any(stmt.module.partition(".")[0] in ("strands", "smolagents") for stmt in imports)
        if not may_be_called and tails.isdisjoint(self.world.calls_by_name(path)):
            return
        for found in self.world.calls(path):
            tail = found.call.func.name if isinstance(found.call.func, Attr | Name) else ""
            if tail not in tails and not (may_be_called and isinstance(found.call.func, Name)):
                continue
            arguments = partial(arguments_of, self.world, found)
            method = self.owners.method(found)
            if method is not None and self.names.row_of(method, arguments, found.call, path) is None:
                continue
            frame = self.world.frame_for(path, found.function)
            func = self.world.evaluate(found.call.func, frame)
            row = self.names.row_of(called_method(func, found.call), arguments, found.call, path)
            if row is not None:
                site = Site(row, found, func, self.world)
                self.all.append(site)
                self.by_place[site.place] = site


def cap_option(row: AgentApi, place: Place, *, shown: bool = False) -> SetOption | None:
    """How the cap of a call that a row knows is set at that call; `shown` where its value is only an example."""
    told = row.advised
    if told is None:
        return None
    slot = (told.arg, told.name, told.key)
    option = SetOption(place.path, place.span, told.value, *slot, told.source, told.joins, told.instead, told.plain)
    return replace(option, shown=told.shown or shown)


def arguments_of(world: ProjectWorld, found: Found) -> Args:
    """The arguments of a call, evaluated where it stands."""
    return tuple(world.arguments(found.call, world.frame_for(found.path, found.function)))


def called_method(func: Value, call: Call) -> Value:
    """What is called, as a method where the interpreter has taken the call itself for a value."""
    if isinstance(func, Outside) and isinstance(call.func, Attr) and func.path[-1:] == (call.func.name,):
        return MethodOf(Outside(func.place, func.path[:-1], func.certain, func.source), call.func.name)
    return func
