"""Loops that a framework runs: how many steps they may take, by option, condition and default of the version."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

from waitlint.catalog import AgentApi, Default, Slot
from waitlint.facts import Assign, Attr, Await, Do, Expr, Name, Return, Span, Str
from waitlint.finding import Evidence, Place
from waitlint.interpret.alternatives import inside, options
from waitlint.interpret.syntax import nodes
from waitlint.interpret.values import (
    ClassRef,
    Constant,
    External,
    FunctionRef,
    Instance,
    Items,
    ModelArgument,
    Outside,
    Record,
    Textual,
    Value,
    pick,
)
from waitlint.linked import (
    UNANSWERED,
    AgentLoop,
    Answer,
    Certainty,
    Ending,
    Known,
    Limit,
    Seconds,
    ToolText,
    Trail,
)
from waitlint.project.agents.names import NOT_TOLD, Args, Link, Names, items_of, slot_values
from waitlint.project.agents.reach import deep_nodes, expressions
from waitlint.project.agents.sites import Site, Sites, called_method
from waitlint.project.durations import absent, seconds_of, unknown
from waitlint.project.sources import Sources
from waitlint.project.texts.mapped import tool_text
from waitlint.project.versions import Versions, parse_version
from waitlint.project.walk import Found
from waitlint.project.world import ProjectWorld

ENDINGS = {
    "raises": Ending.RAISES,
    "says": Ending.ERROR,
    "silent": Ending.LOOKS_DONE,
    "goes on": Ending.NEVER,
}
ENDS = re.compile(
    r"(?:finish|stop|exit|end)_?[rR]eason|finishReason|stopReason|exitReason|steps|onFinish|onStepFinish|is_?[dD]one|state|"
    r"status|error_max_turns|subtype|max_steps_error|memory|logs|history|errors|isSuccessful|is_successful|toolCalls|"
    r"to\w*Stream\w*|pipe\w*Stream\w*|fullStream|full_stream"
)
ANSWERS = frozenset({"text", "output", "object", "final_output", "finalOutput", "content"})
LEAST_UNBOUNDED = 1000.0
CONFIGURES = (".with_config", ".withConfig")
INFINITE = ("Infinity", "inf", "POSITIVE_INFINITY", "maxsize")
NUMBERS = ("max_messages", "max_turns", "run_limit", "thread_limit", "runLimit", "threadLimit")


class Frameworks:
    """Turns sites of frameworks into agents' loops."""

    def __init__(self, world: ProjectWorld, names: Names, sites: Sites, sources: Sources) -> None:
        self.world = world
        self.names = names
        self.sites = sites
        self.sources = sources

    def loops(self) -> Iterator[AgentLoop]:
        for site in self.sites.all:
            if site.row.kind not in ("run", "make") or _is_own_detail(site):
                continue
            if not self._waits_for_a_person(site):
                yield self._loop(site)

    def _loop(self, site: Site) -> AgentLoop:
        row = site.row
        links = self._links(site)
        place = Place(site.found.path, Span(site.found.call.span.start, site.found.call.func.span.end))
        every = (site.args, *(link.args for link in links))
        steps = self.steps(site, links)
        time = self._first(row.time, every)
        return AgentLoop(
            kind="run",
            place=place,
            scope=self._scope(site.found),
            excerpt=self.sources.code(place),
            confidence="high",
            steps=steps,
            framework=row.id,
            unit=row.unit,
            ending=ENDINGS.get(row.ending, Ending.UNKNOWN),
            asks_how_it_ended=self._asks_how_it_ended(site),
            time=seconds_of(time, row.scale) if time is not None else _no_time(row),
            spend=self._spend(row, every),
            uses_tools=self._uses_tools(row, every, site, links),
            runs_any=self._runs_any(site),
            trail=Trail(*(Answer(Known.YES, f"{row.id} keeps a trace of its own"),) * 4) if row.tracing else Trail(),
            texts=tuple(self._texts(row, every)),
        )

    def _scope(self, found: Found) -> str:
        return self.world.files[found.path].functions[found.function].name if found.function is not None else ""

    def _links(self, site: Site) -> list[Link]:
        """How the agent of a run was made: what it is called on, and what it is given to run."""
        links = self.names.links(called_method(site.func, site.found.call))
        if site.row.agent:
            agent = slot_values(site.row.agent, site.args)
            if agent is not None:
                links.extend(self.names.made(agent))
        return links

    def _runs_any(self, site: Site) -> bool:
        """Whether the agent that is run is handed in from elsewhere: what it is given is not in view."""
        if not site.row.agent:
            return False
        agent = slot_values(site.row.agent, site.args)
        given = [option for _, option in options(agent)] if agent is not None else []
        return not given or any(not isinstance(one, Instance) or one.made_at is None for one in given)

    def _asks_how_it_ended(self, site: Site) -> Answer:
        """Whether the function around a run, or what is made at the top of a file, looks at the reason for its end."""
        facts = self.world.files[site.found.path]
        if site.found.function is None or site.row.kind == "make":
            return Answer(Known.UNKNOWN, "what runs it may be elsewhere")
        body = facts.functions[site.found.function].body
        for node in deep_nodes(body, facts):
            name = node.name if isinstance(node, Name | Attr) else node.literal if isinstance(node, Str) else None
            if name is not None and ENDS.fullmatch(name):
                return Answer(Known.YES, f"`{name}` says how it ended")
        given_back = [node.value for node in nodes(body) if isinstance(node, Return) and node.value is not None]
        if any(self._is_whole(value, site) for value in given_back):
            return Answer(Known.UNKNOWN, "the caller gets all that it gives")
        named = {getattr(one, "name", "") for value in given_back for one in expressions(value)}
        if not named & ANSWERS:
            return Answer(Known.UNKNOWN, "its answer is not given back as one")
        return Answer(Known.NO, "nothing here asks how it ended")

    def _is_whole(self, value: Expr, site: Site) -> bool:
        """Whether what a function gives back is all that the run gave."""
        while isinstance(value, Await):
            value = value.value
        return value.span == site.found.call.span or (isinstance(value, Name) and value.name == site.found.bound)

    # ------------------------------------------------------------ steps

    def steps(self, site: Site, links: list[Link]) -> Limit:
        """The cap of what a call runs, by its options, its conditions and the default of the version."""
        row = site.row
        given = slot_values(row.cap, site.args)
        for link in links if given is None or is_nothing(given) else ():
            made = slot_values(row.configured if link.name.endswith(CONFIGURES) else row.made, link.args)
            given = made if made is not None else given
        conditions = slot_values(row.conditions, site.args)
        for link in links if conditions is None else ():
            conditions = conditions or slot_values(row.conditions, link.args)
        limit = self._given(row, given, site)
        if conditions is not None and not is_nothing(conditions):
            return self._with_conditions(row, conditions, limit, site)
        return limit

    def _given(self, row: AgentApi, value: Value | None, site: Site) -> Limit:
        """The cap that an option sets; without one, the default of the version."""
        if value is None:
            return self._default(row, site)
        limits = [self._limit(row, option, site) for _, option in options(value)]
        if all(limit.known for limit in limits):
            return max(limits, key=lambda limit: limit.value)
        return next(limit for limit in limits if not limit.known) if len(limits) == 1 else _several(limits)

    def _limit(self, row: AgentApi, value: Value, site: Site) -> Limit:
        match value:
            case Constant(value=bool()):
                return Limit(Certainty.UNKNOWN, how="no number")
            case Constant(value=number, origin=origin):
                shown = tuple(Evidence(place, f"`{row.option}`") for place in (origin,) if place is not None)
                is_off = number is None or math.isinf(number)
                if is_off or number in [one for one in row.unlimited if one is not None]:
                    if number in row.unlimited or (number is not None and math.isinf(number)):
                        words = "infinity" if number is not None and math.isinf(number) else f"{_word(number, site)}"
                        return Limit(Certainty.ABSENT, 0.0, f"`{row.option}` is {words}, which is no limit", shown)
                    return self._default(row, site)
                return Limit(Certainty.KNOWN, float(number or 0), f"`{row.option}` = {number:g}", shown)
            case ModelArgument(default=Constant() as default):
                return self._limit(row, default, site)
            case External(name=name) if name.rpartition(".")[2] in INFINITE:
                return Limit(Certainty.ABSENT, 0.0, f"`{row.option}` is infinity, which is no limit")
            case External(name=name) if name.rpartition(".")[2] == "MAX_SAFE_INTEGER":
                return Limit(Certainty.KNOWN, 2.0**53, f"`{row.option}` is the greatest number there is")
            case _:
                return Limit(Certainty.UNKNOWN, how=f"`{row.option}` is not a number in view")

    def _default(self, row: AgentApi, site: Site) -> Limit:
        """What holds without an option, in the versions that the code is written for."""
        versions = self.names.versions_for(row, called_method(site.func, site.found.call), site.found.path)
        possible = [default for default in row.defaults if _holds(default, versions)]
        steps = {default.steps for default in possible}
        if len(steps) > 1 and all(isinstance(one, int | float) and one >= LEAST_UNBOUNDED for one in steps):
            steps = {max(one for one in steps if isinstance(one, int | float))}
        if len(steps) != 1 or "unknown" in steps:
            return Limit(Certainty.UNKNOWN, how=f"the default of {row.id} depends on its version, which is not known")
        only = next(iter(steps))
        if only is None:
            return Limit(Certainty.ABSENT, 0.0, f"no `{row.option}` is set, and without it there is no limit")
        return Limit(Certainty.KNOWN, float(only), f"the default of {row.id} is {float(only):,.0f} {row.unit}")

    # ------------------------------------------------------------ conditions

    def _with_conditions(self, row: AgentApi, conditions: Value, limit: Limit, site: Site) -> Limit:
        """The cap of a loop that also ends at conditions."""
        each = items_of(conditions)
        if each is None:
            return Limit(Certainty.UNKNOWN, how="what ends it is not in view")
        bounds = [self._condition(row, condition) for condition in each]
        known = [bound for bound in bounds if bound.known]
        if known:
            best = min(known, key=lambda bound: bound.value)
            return (
                min(best, limit, key=lambda one: one.value) if limit.known and slot_values(row.cap, site.args) else best
            )
        if any(not bound.absent for bound in bounds):
            return next(bound for bound in bounds if not bound.absent)
        if row.replaces and bounds:
            given = slot_values(row.cap, site.args)
            return limit if given is not None and limit.known else bounds[0]
        return limit

    def _condition(self, row: AgentApi, condition: Value) -> Limit:
        """Whether a condition bounds the number of steps."""
        links = self.names.made(condition)
        name = links[0].name if links else self.names.name_of(condition)
        tail = name.rpartition(".")[2]
        if tail in row.bounding:
            args = links[0].args if links else ()
            value = pick(args, None, 0) or next((v for n in NUMBERS if (v := pick(args, n, None)) is not None), None)
            if isinstance(value, Record):
                value = next((value.entries[n] for n in NUMBERS if n in value.entries), None)
            number = value.number if isinstance(value, Constant) else None
            if isinstance(value, External) and value.name.rpartition(".")[2] in INFINITE:
                number = math.inf
            if number is not None and math.isinf(number):
                return Limit(Certainty.ABSENT, 0.0, f"`{tail}` of infinity is no limit")
            if number is None:
                return Limit(Certainty.UNKNOWN, how=f"bounded by `{tail}`")
            place = links[0].place if links else None
            shown = (Evidence(place, f"`{tail}`"),) if place is not None else ()
            return Limit(Certainty.KNOWN, number, f"`{tail}({number:g})`", shown)
        if isinstance(condition, FunctionRef):
            answer = self.world.run(condition)
            if isinstance(answer, Constant) and not answer.value:
                return Limit(Certainty.ABSENT, 0.0, "its condition to stop is never true")
            return Limit(Certainty.UNKNOWN, how="a function of the project decides when it ends")
        if isinstance(condition, Constant) and not condition.value:
            return Limit(Certainty.ABSENT, 0.0, "there is no condition to stop")
        if tail in row.unbounding or (name and name.partition(".")[0] == row.calls[0].partition(".")[0]):
            return Limit(Certainty.ABSENT, 0.0, f"`{tail}` is no limit: the model may never come to it")
        return Limit(Certainty.UNKNOWN, how="what ends it is not in view")

    # ------------------------------------------------------------ other parts

    def _first(self, slots: tuple[Slot, ...], every: tuple[Args, ...]) -> Value | None:
        for args in every:
            value = slot_values(slots, args)
            if value is not None and not is_nothing(value):
                return value
        return None

    def _spend(self, row: AgentApi, every: tuple[Args, ...]) -> Answer:
        value = self._first(row.spend, every)
        if value is None:
            return Answer(Known.NO, "no bound in tokens or money") if row.spend else UNANSWERED
        if value == NOT_TOLD:
            return UNANSWERED
        return Answer(Known.YES, "bounded in tokens or money")

    def _uses_tools(self, row: AgentApi, every: tuple[Args, ...], site: Site, links: list[Link]) -> Answer:
        """Whether the agent is given tools: without any, its loop ends after one reply."""
        if row.toolless:
            return Answer(Known.YES, "it goes on by itself")
        unsure = False
        for args in every:
            for slot in row.tools:
                value = slot_values((slot,), args)
                if value is None or is_nothing(value):
                    continue
                if isinstance(value, Items) and not value.items and not value.open:
                    continue
                if isinstance(value, Record) and not value.entries and not value.open:
                    continue
                if value != NOT_TOLD:
                    return Answer(Known.YES, "it is given tools")
                unsure = True
        if self._runs_any(site):
            unsure = True
        places = [site.place, *(link.place for link in links if link.place is not None)]
        if any(self._is_set_later(place, row) for place in places):
            return Answer(Known.YES, "it is given tools later on")
        return UNANSWERED if unsure else Answer(Known.NO, "it is given no tools")

    def _is_set_later(self, place: Place, row: AgentApi) -> bool:
        """Whether the tools of what is made at a place are set or added to later, by the name that it is bound to."""
        found = self.names.call_at(place)
        if found is None or not found.bound:
            return False
        keys = {slot.key.rpartition(".")[2] if slot.key else slot.name for slot in row.tools}
        called = [one.call.func for one in self.world.calls(found.path)]
        body = self.world.files[found.path].body
        targets: list[Expr] = [func.base for func in called if isinstance(func, Attr)]
        targets += [stmt.value.target for stmt in body if isinstance(stmt, Do) and isinstance(stmt.value, Assign)]
        return any(
            isinstance(target, Attr)
            and target.name in keys
            and isinstance(target.base, Name)
            and target.base.name == found.bound
            for target in targets
        )

    def _texts(self, row: AgentApi, every: tuple[Args, ...]) -> Iterator[ToolText]:
        for args in every:
            yield from texts_in(row, args)

    def _waits_for_a_person(self, site: Site) -> bool:
        """Whether someone is asked each turn: that is a chat."""
        people = site.row.people
        if "*" in people:
            return True
        for _, value in site.args:
            for part in inside(value, 3) if people else ():
                if isinstance(part, Instance | Outside) and self._class_of(part) in people:
                    return True
        return False

    def _class_of(self, value: Instance | Outside) -> str:
        kind = value.type if isinstance(value, Instance) else None
        if isinstance(kind, ClassRef):
            return self.world.facts(kind.path).classes[kind.index].name
        return self.names.name_of(value).rpartition(".")[2]


def _is_own_detail(site: Site) -> bool:
    """Whether a framework that is a part of the project calls itself: its loop is seen where it is written."""
    return any(isinstance(one, FunctionRef) and one.path == site.found.path for _, one in options(site.func))


def texts_in(row: AgentApi, args: Args) -> Iterator[ToolText]:
    """What the model is told by the arguments of a call."""
    for slot in row.texts:
        value = slot_values((slot,), args)
        for part in inside(value, 6) if value is not None else ():
            if isinstance(part, Textual):
                text = tool_text(part, "prompt", row.id)
                if text is not None:
                    yield text


def _holds(default: Default, versions: Versions | None) -> bool:
    """Whether a default may hold in some of the versions; in all of them, where nothing is known."""
    if versions is None:
        return True
    since = parse_version(default.since) if default.since else None
    below = parse_version(default.below) if default.below else None
    return versions.meets(since, below)


def is_nothing(value: Value) -> bool:
    return isinstance(value, Constant) and value.value is None


def _word(number: float | None, site: Site) -> str:
    if number is not None:
        return f"{number:g}"
    return "None" if site.found.path.endswith((".py", ".ipynb")) else "null"


def _several(limits: list[Limit]) -> Limit:
    """One of several values holds: none is certain."""
    if all(limit.absent for limit in limits):
        return limits[0]
    return Limit(Certainty.UNKNOWN, how="it depends on what runs before")


def _no_time(row: AgentApi) -> Seconds:
    return absent(f"no bound in time is set for {row.id}") if row.time else unknown("not followed into the framework")
