"""What bounds a framework's run in time: an option, a condition, a signal, what is around it, what it is handed to."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from waitlint.catalog import AgentApi, Default
from waitlint.catalog.agents import RUNS
from waitlint.facts import Assign, Attr, Await, Call, Expr, Name, Span
from waitlint.finding import Place
from waitlint.interpret.alternatives import inside
from waitlint.interpret.syntax import nodes
from waitlint.interpret.values import Instance, Outside, Signal, Value, is_nothing
from waitlint.linked import Seconds
from waitlint.project.agents.conditions import Conditions, conditions_of
from waitlint.project.agents.names import Args, Link, Names, slot_values
from waitlint.project.agents.roots import Root
from waitlint.project.agents.runs import AgentRun
from waitlint.project.agents.sites import Site, Sites, called_method
from waitlint.project.durations import absent, known, seconds_of, unknown
from waitlint.project.found import Found
from waitlint.project.versions import Versions, parse_version


@dataclass(frozen=True, slots=True)
class Run:
    """A call that runs an agent, in a function of a file, or at its top."""

    path: str
    function: int | None
    span: Span


class Times:
    """Finds the bound in time of what the sites of frameworks run."""

    def __init__(self, names: Names, sites: Sites, conditions: Conditions, run: Callable[[Root], AgentRun]) -> None:
        self.names = names
        self.sites = sites
        self.conditions = conditions
        self.run = run

    def own(self, site: Site, links: Sequence[Link]) -> Seconds:
        """The bound that a call and what it is called on set: by option, condition, signal or the version's default."""
        row = site.row
        every = (site.args, *(link.args for link in links))
        given = first_given(row, every)
        if given is not None:
            return seconds_of(given, row.scale)
        by_condition = self.conditions.time(row, conditions_of(site, links))
        if by_condition is not None:
            return by_condition
        signal = slot_values(row.signals, site.args)
        by_signal = _of_signal(signal) if signal is not None else None
        if by_signal is not None:
            return by_signal
        if row.times:
            return self._default(site)
        return absent(f"no bound in time is set for {row.id}")

    def _default(self, site: Site) -> Seconds:
        """What holds without an option, in the versions that the code is written for."""
        row = site.row
        versions = self.names.versions_for(row, called_method(site.func, site.found.call), site.found.path)
        lengths = {default.steps for default in row.times if holds(default, versions)}
        only = next(iter(lengths)) if len(lengths) == 1 else "unknown"
        if only is None:
            return absent(f"no bound in time is set for {row.id}")
        if isinstance(only, str):
            return unknown(f"whether {row.id} has a bound in time depends on its version, which is not known")
        return known(float(only), f"{only:g} s, the default of {row.id}")

    # ------------------------------------------------------------ from outside

    def around(self, site: Site) -> Seconds | None:
        """The bound that stands around a run, or that what an agent is handed to sets for each of its runs."""
        held = self._held.get(site.place)
        if held is not None:
            return held
        bounds = [bound for one in self._runs_of(site) for bound in self._scopes(one)]
        if bounds and all(bound is not None for bound in bounds):
            sure = [bound for bound in bounds if bound is not None and not bound.absent]
            return max(sure, key=lambda bound: bound.value) if len(sure) == len(bounds) else None
        return None

    def _runs_of(self, site: Site) -> list[Run]:
        """The calls that run what a site makes; a run itself."""
        if site.row.kind == "run":
            return [Run(site.found.path, site.found.function, site.found.call.span)]
        return self._runs_by_maker.get(site.place, [])

    @cached_property
    def _runs_by_maker(self) -> dict[Place, list[Run]]:
        found: dict[Place, list[Run]] = {}
        for one, func, _ in self._calls(frozenset(RUNS)):
            made = [link.place for link in self.names.links(func) if link.place is not None]
            base = one.call.func.base if isinstance(one.call.func, Attr) else one.call.func
            for place in made or self._set_to(base, one):
                found.setdefault(place, []).append(Run(one.path, one.function, one.call.span))
        return found

    def _calls(self, methods: Collection[str]) -> Iterator[tuple[Found, Value, Args]]:
        """The calls of methods with these names: what is called, and with what."""
        world = self.sites.world
        for path in self.sites.paths if methods else ():
            for one in world.calls(path):
                if isinstance(one.call.func, Attr) and one.call.func.name in methods:
                    frame = world.frame_for(path, one.function)
                    func = called_method(world.evaluate(one.call.func, frame), one.call)
                    yield one, func, tuple(world.arguments(one.call, frame))

    def _scopes(self, call: Run) -> Iterator[Seconds | None]:
        """The bounds around a call, one for each time that it is made; None where there is none."""
        for asked in self.run(Root(call.path, call.function)).asked:
            if asked.place == Place(call.path, call.span):
                lengths = [seconds_of(scope.seconds, 1.0) for scope in asked.scopes if scope.seconds is not None]
                signal = slot_values(asked.row.signals, asked.args)
                by_signal = _of_signal(signal) if signal is not None else None
                lengths += [by_signal] if by_signal is not None else []
                yield min(lengths, key=lambda one: (not one.known, one.value)) if lengths else None

    @cached_property
    def _held(self) -> dict[Place, Seconds]:
        """The bounds of agents that are handed to something with a limit in time, by where they are made."""
        holders = {site.place: site for site in self.sites.all if site.row.kind == "around"}
        found: dict[Place, Seconds] = {}
        for holder in holders.values():
            self._hold(found, holder, holder.args)
        methods = {method for holder in holders.values() for method in holder.row.methods}
        for path in self.sites.paths if methods else ():
            for one in self.sites.world.calls(path):
                if not isinstance(one.call.func, Attr) or one.call.func.name not in methods:
                    continue
                frame = self.sites.world.frame_for(path, one.function)
                begun = _begun_with(one.call, methods)
                made = [link.place for link in self.names.made(self.sites.world.evaluate(begun, frame)) if link.place]
                for holder in [holders[place] for place in made or self._set_to(begun, one) if place in holders]:
                    self._hold(found, holder, tuple(self.sites.world.arguments(one.call, frame)))
                    seconds = self.own(holder, ())
                    for place in self._made_by_name(one) if not seconds.absent else ():
                        found.setdefault(place, seconds)
        return found

    def _set_to(self, begun: Expr, call: Found) -> Iterator[Place]:
        """The calls that a name is set to in the function around a call, where following them would lead too far."""
        facts = self.sites.world.files[call.path]
        body = facts.body if call.function is None else facts.functions[call.function].body
        name = begun.name if isinstance(begun, Name) else ""
        for node in nodes(body) if name else ():
            if isinstance(node, Assign) and isinstance(node.target, Name) and node.target.name == name:
                value = node.value.value if isinstance(node.value, Await) else node.value
                yield Place(call.path, value.span)

    def _hold(self, found: dict[Place, Seconds], holder: Site, args: Args) -> None:
        """Note the agents among the arguments of a call as held by what `holder` makes."""
        seconds = self.own(holder, ())
        for slot in holder.row.agent if not seconds.absent else ():
            handed = slot_values((slot,), args)
            for place in self._made_at(handed) if handed is not None else ():
                found.setdefault(place, seconds)

    def _made_at(self, handed: Value) -> Iterator[Place]:
        for part in inside(handed, 4):
            if isinstance(part, Instance | Outside):
                for link in self.names.made(part):
                    if link.place is not None:
                        yield link.place
                        yield from self._made_in(link.place)

    def _made_by_name(self, call: Found) -> Iterator[Place]:
        """The agents of functions whose results are handed over by a name, where running them would lead too far."""
        if call.function is None:
            return
        handed = {arg.value.name for arg in call.call.args if isinstance(arg.value, Name)}
        for node in nodes(self.sites.world.files[call.path].functions[call.function].body):
            if isinstance(node, Assign) and isinstance(node.target, Name) and node.target.name in handed:
                value = node.value.value if isinstance(node.value, Await) else node.value
                if isinstance(value, Call) and isinstance(value.func, Name):
                    yield from self._made_by(call.path, value.func.name)

    def _made_by(self, path: str, name: str) -> Iterator[Place]:
        """The agents that the functions of a file make which are called `name`."""
        functions = self.sites.world.files[path].functions
        for site in self.sites.all:
            index = site.found.function if site.found.path == path else None
            if index is not None and functions[index].name == name:
                yield site.place

    def _made_in(self, place: Place) -> Iterator[Place]:
        """The agents that a function of the same file makes which is called at a place, decorated as it may be."""
        found = self.names.call_at(place)
        if found is None or not isinstance(found.call.func, Name):
            return
        yield from self._made_by(found.path, found.call.func.name)


def _begun_with(call: Call, methods: Collection[str]) -> Expr:
    """What the first of several calls is made on, where each is made on what the one before gives back."""
    base: Expr = call
    while isinstance(base, Call) and isinstance(base.func, Attr) and base.func.name in methods:
        base = base.func.base
    return base


def first_given(row: AgentApi, every: Sequence[Args]) -> Value | None:
    """The value of the first option for a bound in time that is set to something."""
    for args in every:
        value = slot_values(row.time, args)
        if value is not None and not is_nothing(value):
            return value
    return None


def holds(default: Default, versions: Versions | None) -> bool:
    """Whether a default may hold in some of the versions; in all of them, where nothing is known."""
    if versions is None:
        return True
    since = parse_version(default.since) if default.since else None
    below = parse_version(default.below) if default.below else None
    return versions.meets(since, below)


def _of_signal(signal: Value) -> Seconds | None:
    """The time after which a signal stops what it is handed to."""
    lengths = [
        seconds_of(deadline.seconds, 1.0)
        for part in inside(signal, 1)
        if isinstance(part, Signal)
        for deadline in part.deadlines
    ]
    return min(lengths, key=lambda one: (not one.known, one.value)) if lengths else None
