"""Loops that a framework runs: how many steps they may take, by option, condition and default of the version."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from functools import lru_cache

from waitlint.catalog import AgentApi, Slot
from waitlint.facts import Assign, Attr, Await, Do, Expr, FileFacts, Name, Return, Span, Stmt, Str
from waitlint.finding import Evidence, Place
from waitlint.interpret.alternatives import inside, options
from waitlint.interpret.syntax import statements_in
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
    is_nothing,
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
from waitlint.project.agents.conditions import INFINITE, Conditions, conditions_of
from waitlint.project.agents.names import NOT_TOLD, Args, Link, Names, slot_values
from waitlint.project.agents.pausing import pauses_at_each_tool
from waitlint.project.agents.reach import deep_nodes, expressions
from waitlint.project.agents.readers import Writers, said_to_read
from waitlint.project.agents.roots import Root
from waitlint.project.agents.runs import AgentRun
from waitlint.project.agents.sites import Site, Sites, called_method, cap_option
from waitlint.project.agents.times import Times, holds
from waitlint.project.found import Found
from waitlint.project.sources import Sources
from waitlint.project.texts.mapped import tool_text
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
NO_TOOLS = ("tool_choice", "toolChoice")
LEAST_UNBOUNDED = 1000.0
AFTER_ONE = Answer(Known.UNKNOWN, "without tools it ends after one reply")
CONFIGURES = (".with_config", ".withConfig")


class Frameworks:
    """Turns sites of frameworks into agents' loops."""

    def __init__(
        self,
        world: ProjectWorld,
        names: Names,
        sites: Sites,
        sources: Sources,
        writers: Writers,
        run: Callable[[Root], AgentRun],
    ) -> None:
        self.world = world
        self.names = names
        self.sites = sites
        self.sources = sources
        self.conditions = Conditions(world, names)
        self.writers = writers
        self.times = Times(names, sites, self.conditions, run)

    def loops(self) -> Iterator[AgentLoop]:
        for site in self.sites.all:
            if site.row.kind not in ("run", "make") or _is_own_detail(site):
                continue
            if not self._waits_for_a_person(site):
                yield self._loop(site)

    def _loop(self, site: Site) -> AgentLoop:
        row = site.row
        links = self._links(site)
        texts = tuple(self._texts(row, (site.args, *(link.args for link in links))))
        only_reads = said_to_read(texts)
        place = Place(site.found.path, Span(site.found.call.span.start, site.found.call.func.span.end))
        every = (site.args, *(link.args for link in links))
        steps = self.steps(site, links)
        uses_tools = self._uses_tools(row, every, site, links)
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
            asks_how_it_ended=AFTER_ONE if uses_tools.no else self._asks_how_it_ended(site),
            time=self._time(site, links, steps, uses_tools),
            spend=self._spend(row, every, conditions_of(site, links)),
            uses_tools=uses_tools,
            runs_any=self._runs_any(site),
            trail=Trail(*(Answer(Known.YES, f"{row.id} keeps a trace of its own"),) * 4) if row.tracing else Trail(),
            texts=texts,
            outer=row.outer,
            option=cap_option(row, site.place, shown=_takes_many(row, every, steps)),
            only_reads=(only_reads, *self.writers.given(_values(row.tools, every))) if only_reads is not None else (),
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
        function = facts.functions[site.found.function]
        # Many runs stand in the same function, as in a file of tests.
        tells = self.world.once("how a run ended", function, lambda: next(_ends_named(function.body, facts), ""))
        if tells:
            return Answer(Known.YES, f"`{tells}` says how it ended")
        body = statements_in(function.body)
        given_back = [stmt.value for stmt in body if isinstance(stmt, Return) and stmt.value is not None]
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
        conditions = conditions_of(site, links)
        limit = self._given(row, given, site)
        every = (site.args, *(link.args for link in links))
        if conditions is not None:
            limit = self.conditions.limit(row, conditions, limit, every)
        is_open = limit.absent or (limit.known and limit.value >= LEAST_UNBOUNDED)
        pauses = pauses_at_each_tool(self.names, row, every) if is_open else Known.NO
        if pauses is Known.YES:
            return Limit(Certainty.KNOWN, 1.0, "it stops at each call of a tool, or its provider runs the tools")
        if pauses is Known.UNKNOWN:
            return Limit(Certainty.UNKNOWN, how="it stops at calls of some tools of a kit, and perhaps of all")
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
        possible = [default for default in row.defaults if holds(default, versions)]
        steps = {default.steps for default in possible}
        if len(steps) > 1 and all(isinstance(one, int | float) and one >= LEAST_UNBOUNDED for one in steps):
            steps = {max(one for one in steps if isinstance(one, int | float))}
        if len(steps) != 1 or "unknown" in steps:
            return Limit(Certainty.UNKNOWN, how=f"the default of {row.id} depends on its version, which is not known")
        only = next(iter(steps))
        if only is None:
            return Limit(Certainty.ABSENT, 0.0, f"no `{row.option}` is set, and without it there is no limit")
        return Limit(Certainty.KNOWN, float(only), f"the default of {row.id} is {float(only):,.0f} {row.unit}")

    # ------------------------------------------------------------ other parts

    def _first(self, slots: tuple[Slot, ...], every: tuple[Args, ...]) -> Value | None:
        for args in every:
            value = slot_values(slots, args)
            if value is not None and not is_nothing(value):
                return value
        return None

    def _time(self, site: Site, links: list[Link], steps: Limit, uses_tools: Answer) -> Seconds:
        """The bound in time of a run; what stands around it is looked for where nothing else bounds it."""
        own = self.times.own(site, links)
        if own.known or uses_tools.no or (steps.known and steps.value < LEAST_UNBOUNDED):
            return own
        return self.times.around(site) or own

    def _spend(self, row: AgentApi, every: tuple[Args, ...], conditions: Value | None) -> Answer:
        if self.conditions.spends(row, conditions):
            return Answer(Known.YES, "bounded in tokens or money")
        value = self._first(row.spend, every)
        if value is None:
            return Answer(Known.NO, "no bound in tokens or money") if row.spend else UNANSWERED
        if value == NOT_TOLD:
            return UNANSWERED
        return Answer(Known.YES, "bounded in tokens or money")

    def steps_of(self, site: Site) -> Limit:
        """The cap of what a call runs."""
        return self.steps(site, self._links(site))

    def uses_tools(self, site: Site) -> Answer:
        """Whether what a call runs is given tools."""
        links = self._links(site)
        return self._uses_tools(site.row, (site.args, *(link.args for link in links)), site, links)

    def _uses_tools(self, row: AgentApi, every: tuple[Args, ...], site: Site, links: list[Link]) -> Answer:
        """Whether the agent is given tools: without any, its loop ends after one reply."""
        running = slot_values(row.running, every[0])
        if isinstance(running, Constant) and running.value is False:
            return Answer(Known.NO, "it hands the calls of tools back")
        if row.toolless:
            return Answer(Known.YES, "it goes on by itself")
        if any(_switches_off(args) for args in every):
            return Answer(Known.NO, "its tools are switched off")
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
        if not people or "*" in people:
            return bool(people)
        for _, value in site.args:
            for part in inside(value, 3):
                if isinstance(part, Instance | Outside) and self._class_of(part) in people:
                    return True
        return False

    def _class_of(self, value: Instance | Outside) -> str:
        kind = value.type if isinstance(value, Instance) else None
        if isinstance(kind, ClassRef):
            return self.world.facts(kind.path).classes[kind.index].name
        return self.names.name_of(value).rpartition(".")[2]


def _ends_named(body: tuple[Stmt, ...], facts: FileFacts) -> Iterator[str]:
    """The names and words in a block, and in the functions written in it, that are of how something ended."""
    for node in deep_nodes(body, facts):
        kind = type(node)
        if kind is Name or kind is Attr or kind is Str:
            name = node.literal if kind is Str else node.name  # type: ignore[attr-defined]
            if name and _is_of_an_end(name):
                yield name


@lru_cache(4096)
def _is_of_an_end(name: str) -> bool:
    return ENDS.fullmatch(name) is not None


def _takes_many(row: AgentApi, every: tuple[Args, ...], steps: Limit) -> bool:
    """Whether more steps than usual are wanted: a great number was written, or what is added to a turn takes some."""
    written = steps.known and steps.how.startswith(f"`{row.option}`")
    added = row.unit == "super-steps" and any(slot_values(row.conditions, args) is not None for args in every)
    return written or added


def _values(slots: tuple[Slot, ...], every: tuple[Args, ...]) -> Iterator[Value]:
    for args in every:
        for slot in slots:
            value = slot_values((slot,), args)
            if value is not None:
                yield value


def _switches_off(args: Args) -> bool:
    """Whether the model is kept from calling any tool."""
    given = [pick(args, name, None) for name in NO_TOOLS]
    first = pick(args, None, 0)
    given += [first.entries.get(name) for name in NO_TOOLS] if isinstance(first, Record) else []
    return any(isinstance(one, Textual) and one.literal == "none" for one in given)


def _is_own_detail(site: Site) -> bool:
    """Whether a framework that is a part of the project calls itself: its loop is seen where it is written."""
    package = f"/{site.row.calls[0].partition('.')[0]}/"
    own, _, inside_package = f"/{site.found.path}".partition(package)
    for _, one in options(site.func):
        if isinstance(one, FunctionRef) and one.path == site.found.path:
            return True
        if isinstance(one, ClassRef) and site.row.kind == "make" and inside_package:
            where, _, rest = f"/{one.path}".partition(package)
            if rest and where == own:
                return True
    return False


def texts_in(row: AgentApi, args: Args) -> Iterator[ToolText]:
    """What the model is told by the arguments of a call."""
    for slot in row.texts:
        value = slot_values((slot,), args)
        for part in inside(value, 6) if value is not None else ():
            if isinstance(part, Textual):
                text = tool_text(part, "prompt", row.id)
                if text is not None:
                    yield text


def _word(number: float | None, site: Site) -> str:
    if number is not None:
        return f"{number:g}"
    return "None" if site.found.path.endswith((".py", ".ipynb")) else "null"


def _several(limits: list[Limit]) -> Limit:
    """One of several values holds: none is certain."""
    if all(limit.absent for limit in limits):
        return limits[0]
    return Limit(Certainty.UNKNOWN, how="it depends on what runs before")
