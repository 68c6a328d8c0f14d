"""Loops that are written by hand around a model: the functions that may hold one are run, and what showed is read."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from msgspec.structs import replace

from waitlint.catalog import Apis
from waitlint.facts import Attr, Call, Const, Expr, Function, Jump, Name, Raise, Return, Span, Unary
from waitlint.finding import Evidence, Place
from waitlint.fix import SetOption
from waitlint.interpret.alternatives import options
from waitlint.interpret.events import LoopRun
from waitlint.interpret.runs import Run
from waitlint.interpret.values import Constant, FunctionRef, Instance, Unknown, Value
from waitlint.linked import (
    UNANSWERED,
    AgentLoop,
    Answer,
    Asking,
    Ending,
    Known,
    Read,
    Seconds,
    ToolText,
)
from waitlint.names import words_of
from waitlint.project.agents.controls import Controls
from waitlint.project.agents.dispatches import Dispatches
from waitlint.project.agents.exits import Bounds, leads_on_without_failure, leavings
from waitlint.project.agents.forced import Forced
from waitlint.project.agents.frameworks import texts_in
from waitlint.project.agents.limits import Limits
from waitlint.project.agents.machine import AgentMachine
from waitlint.project.agents.names import NOT_TOLD, Names, slot_values
from waitlint.project.agents.people import goes_on_by_approvals, leads_on_by_answers
from waitlint.project.agents.reach import Reach
from waitlint.project.agents.readers import Writers, said_to_read
from waitlint.project.agents.roots import Root, Roots
from waitlint.project.agents.runs import AgentRun, Asked
from waitlint.project.agents.sayings import ends_by_model, goes_through_others
from waitlint.project.agents.speakers import is_person
from waitlint.project.agents.stopping import StopRules
from waitlint.project.agents.trails import Trails
from waitlint.project.agents.worklists import runs_dry
from waitlint.project.durations import absent, seconds_of
from waitlint.project.sources import Sources
from waitlint.project.waits import Summary
from waitlint.project.world import ProjectWorld
from waitlint.spelled import tail, within

SHUTTING_DOWN = frozenset({"shutdown", "stop", "stopping", "exit", "exiting", "closing", "terminate", "quit"})
COUNTED = frozenset({"range", "trange", "count", "Array", "keys", "from", "repeat", "cycle", "entries"})
SURE = {"model-by-its-method": "medium", "model-by-its-name": "medium", "an-agent": "medium"}
ADVISED_SECONDS = 120.0
HEAD = 90
LISTENS = re.compile(r"\brec(?:v|eive)\w*\(")
MOST_CALLERS = 4


class HandWritten:
    """Finds the loops of a project in which a model is asked again and again."""

    def __init__(
        self, world: ProjectWorld, apis: Apis, names: Names, roots: Roots, sources: Sources, writers: Writers
    ) -> None:
        self.world = world
        self.apis = apis
        self.names = names
        self.roots = roots
        self.sources = sources
        self.writers = writers
        self.limits = Limits(sources, Bounds(sources))
        self.forced = Forced(sources)
        self._runs: dict[Root, AgentRun] = {}

    def loops(self) -> Iterator[AgentLoop]:
        """The loops, each once: as it is where it stands, and as its callers in the project use it."""
        found: dict[Place, tuple[Root, AgentLoop]] = {}
        for root in self.roots.all():
            for place, seen in self._seen(root).items():
                if place not in found or _stands_in(root, seen, self.world):
                    found[place] = (root, seen)
        for root, seen in found.values():
            yield self._as_used(seen, root)

    def _seen(self, root: Root) -> dict[Place, AgentLoop]:
        run = self.run(root)
        loops = [seen for loop in run.run.loops if (seen := self._loop(loop, run)) is not None]
        return {seen.place: seen for seen in reversed(loops)}

    def _as_used(self, own: AgentLoop, root: Root) -> AgentLoop:
        """A loop with what its callers give it, and what they make of its end, where it alone does not tell."""
        if root.index is None:
            return own
        views = [seen for caller in self._callers(root) if (seen := self._seen(caller).get(own.place)) is not None]
        if not views:
            return own
        steps, time, ending, ending_place = own.steps, own.time, own.ending, own.ending_place
        if steps.absent:
            bounded = [view.steps for view in views if not view.steps.absent]
            if len(bounded) == len(views):
                steps = max(bounded, key=lambda limit: (not limit.known, limit.value))
                ending, ending_place = views[0].ending, views[0].ending_place
        elif all(view.steps.known for view in views):
            # What the function would do by itself is nothing to those who only call it in the project.
            steps = max((view.steps for view in views), key=lambda limit: limit.value)
        if time.absent and all(not view.time.absent for view in views):
            time = views[0].time
        if own.ending not in (Ending.RAISES, Ending.ERROR, Ending.LAST_STATE):
            told = next((view for view in views if view.ending not in (Ending.NOTHING, Ending.LOOKS_DONE)), None)
            if told is not None:
                ending, ending_place = told.ending, told.ending_place
        return replace(own, steps=steps, time=time, ending=ending, ending_place=ending_place)

    def _callers(self, root: Root) -> list[Root]:
        """The functions of the project that call one, a few of them."""
        callers = [caller for caller in self.roots.callers(root) if self._calls(caller, root)]
        return callers[:MOST_CALLERS]

    def _calls(self, caller: Root, root: Root) -> bool:
        for found in self.world.calls(caller.path):
            if found.function != caller.index:
                continue
            if tail(found.call.func) != self.roots.called_as(root):
                continue
            func = self.world.evaluate(found.call.func, self.world.frame_for(found.path, found.function))
            for _, option in options(func):
                if isinstance(option, FunctionRef) and (option.path, option.index) == (root.path, root.index):
                    return True
        return False

    # ------------------------------------------------------------ running

    def run(self, root: Root) -> AgentRun:
        """A function as a caller runs it that gives only what it must."""
        known = self._runs.get(root)
        if known is None:
            known = self.world.faults.result(f"running {root.path}", lambda: self._run(root), _not_run)
            self._runs[root] = known
        return known

    def _run(self, root: Root) -> AgentRun:
        machine = AgentMachine(self.world, self.apis, self.names)
        if root.index is None:
            return machine.run_module(root.path)
        function = self.world.files[root.path].functions[root.index]
        return machine.run_agent(self._as_called(root.path, root.index, function), _required(function))

    def _as_called(self, path: str, index: int, function: Function) -> FunctionRef:
        receiver: Value | None = None
        if function.owner is not None:
            receiver = self.world.frame_receiver(path, function)
        return FunctionRef(path, index, self.world.parent_frame(path, function), receiver, plain=True)

    # ------------------------------------------------------------ one loop

    def _loop(self, loop: LoopRun, run: AgentRun) -> AgentLoop | None:
        asked = [one for one in run.asked if loop.serial in one.loops]
        if not asked or not loop.laps_again or not self._counts_laps(loop):
            return None
        if loop.serial in run.people or loop.serial in run.serving:
            return None
        if goes_through_others(loop.loop, self.asks(loop.place.path)) or runs_dry(loop.loop):
            return None
        if goes_on_by_approvals(loop.loop) or leads_on_by_answers(loop.loop, _people_asked(run, loop)):
            return None
        if not leads_on_without_failure(loop.loop):
            return None
        facts = self.world.files[loop.place.path]
        inner = self._inner_loops(loop, asked, run)
        inner_serials = {one.serial for one in inner}
        reach = Reach(self.world, loop, run, inner)
        stopping = StopRules(reach, self.sources).read()
        floors = frozenset(floor.place for floor in stopping.floors)
        steps = self.limits.steps(loop, run, facts, floors=floors, asks=self.asks(loop.place.path), inner=inner)
        uses_tools = self._uses_tools(loop, run, asked)
        ends = self._ends(loop, run)
        forced = self._forced(loop, asked)
        rounds = not ends and not (steps.known and uses_tools.yes)
        if rounds and not forced.yes:
            return None
        ending, ending_place = (Ending.NEVER, None) if steps.absent else self._ending(loop, run)
        place = self.head(loop)
        controls = Controls(reach, self.sources)
        dispatches = tuple(Dispatches(reach, run, self.sources).all())
        verification, replanning = controls.verification(steps)
        texts = tuple(self._texts(asked))
        only_reads = said_to_read(texts)
        lookups = [lookup for lookup in run.lookups if loop.serial in lookup.loops] if only_reads is not None else []
        return AgentLoop(
            kind="rounds" if rounds else "loop",
            place=place,
            scope=loop.frames[-1].scope if loop.frames else "",
            excerpt=self.sources.code(place),
            confidence=self._confidence(loop, run, asked),
            steps=steps,
            unit="laps",
            ending=ending,
            ending_place=ending_place,
            time=self.limits.time(loop, run),
            askings=tuple(self._askings(loop, run, asked, inner_serials)),
            uses_tools=uses_tools,
            spend=controls.spend(),
            dispatches=dispatches,
            output=controls.output(dispatches),
            repeats=controls.repeats(),
            verification=verification,
            replanning=replanning,
            trail=Trails(reach, self.sources).read(),
            floors=stopping.floors,
            signal=stopping.signal,
            markers=stopping.markers,
            loose_markers=tuple(literal for literal, _ in stopping.anywhere),
            exits_freely=stopping.exits_freely,
            texts=texts,
            only_reads=(only_reads, *self.writers.looked_up(lookups)) if only_reads is not None else (),
            callers=tuple(frame.call for frame in loop.frames[1:] if frame.call is not None),
            forced=forced,
        )

    def _forced(self, loop: LoopRun, asked: list[Asked]) -> Answer:
        if not any(one.loops and one.loops[-1] == loop.serial for one in asked):
            return UNANSWERED
        path = loop.place.path
        return self.forced.loop(path, self.world.files[path], loop.loop, self.asks(path))

    def _inner_loops(self, loop: LoopRun, asked: list[Asked], run: AgentRun) -> tuple[LoopRun, ...]:
        """The loops in each lap of one that are an agent's by themselves, and not those that try again."""
        serials = {serial for one in asked for serial in one.loops if serial > loop.serial}
        return tuple(
            one
            for one in run.run.loops
            if one.serial in serials
            and one.laps_again
            and self._counts_laps(one)
            and leads_on_without_failure(one.loop)
            and self._ends(one, run)
        )

    def _confidence(self, loop: LoopRun, run: AgentRun, asked: list[Asked]) -> str:
        """Low where someone is asked on some laps: the loop may go on only then."""
        if loop.serial in run.asked_now_and_then:
            return "low"
        return min((SURE.get(one.row.id, "high") for one in asked), key=lambda word: word != "high")

    def _ending(self, loop: LoopRun, run: AgentRun) -> tuple[Ending, Evidence | None]:
        path = loop.place.path
        return self.limits.ending(loop, run, self.world.files[path], self.asks(path))

    def _counts_laps(self, loop: LoopRun) -> bool:
        """Whether a loop goes on and on, or counts: one that goes through items, pages or a stream ends with them.

        A function that calls itself is none of those that are written as loops.
        """
        if loop.loop.kind != "each":
            return not any(function.span == loop.loop.span for function in self.world.files[loop.place.path].functions)
        iterable = loop.loop.iterable
        return isinstance(iterable, Call) and tail(iterable.func) in COUNTED and not loop.loop.is_async

    def asks(self, path: str) -> Callable[[Call], bool]:
        """Whether a call in the file at `path` reaches a model, by its place or by the name of what it calls."""
        asking = self.roots.asking.get(path, set())

        def asks(call: Call) -> bool:
            return (call.span.start, call.span.end) in asking or tail(call.func) in self.roots.names

        return asks

    def _ends(self, loop: LoopRun, run: AgentRun) -> bool:
        """Whether the loop has an end that what is read in it decides. One without any is a server or a worker."""
        test = loop.loop.test
        has_test = test is not None and not (isinstance(test, Const) and test.value) and not _until_shut_down(test)
        leaves = any(isinstance(one.stmt, Return | Jump | Raise) for one in leavings(loop.loop))
        raises = any(way.kind == "raise" and not way.at_cap for way in run.ways.get(loop.serial, ()))
        tests = loop.tests_outside or ends_by_model(loop.loop, self.asks(loop.place.path))
        return tests and (has_test or leaves or raises)

    def _uses_tools(self, loop: LoopRun, run: AgentRun, asked: list[Asked]) -> Answer:
        """Whether the model is given tools, or something is run by its word."""
        if any(loop.serial in lookup.loops for lookup in run.lookups):
            return Answer(Known.YES, "something is looked up by the model's word")
        unsure = False
        for one in asked:
            value = slot_values(one.row.tools, one.args)
            if value == NOT_TOLD:
                unsure = True
            elif value is not None and not (isinstance(value, Constant) and value.value is None):
                return Answer(Known.YES, "the model is given tools")
        return UNANSWERED if unsure else Answer(Known.NO, "the model is given no tools")

    def _texts(self, asked: list[Asked]) -> Iterator[ToolText]:
        for one in asked:
            yield from texts_in(one.row, one.args)

    # ------------------------------------------------------------ requests

    def _askings(self, loop: LoopRun, run: AgentRun, asked: list[Asked], inner: set[int]) -> Iterator[Asking]:
        seen: set[Place] = set()
        for one in asked:
            if one.place not in seen and inner.isdisjoint(one.loops):
                seen.add(one.place)
                yield self._asking(one)
        summary = Summary(run.run, self.sources)
        for event in run.run.events:
            if event.kind != "read" or not inner.isdisjoint(event.loops):
                continue
            if loop.serial in event.loops and event.place not in seen:
                seen.add(event.place)
                read = summary.reads[event.serial]
                # What is heard on an open connection is asked for nowhere.
                if not LISTENS.search(read.excerpt):
                    yield _of_tool(read)

    def _asking(self, asked: Asked) -> Asking:
        timeout, own = self._timeout(asked)
        return Asking(
            kind="model",
            place=asked.place,
            scope=asked.frames[-1].scope if asked.frames else "",
            excerpt=self.sources.code(asked.place),
            api=asked.row.id,
            timeout=timeout,
            own=own,
            callers=tuple(frame.call for frame in asked.frames[1:] if frame.call is not None),
            option=self._timeout_option(asked) if timeout.absent else None,
        )

    def _timeout_option(self, asked: Asked) -> SetOption | None:
        """How a request gets a timeout: by its client, where that is made in view, else by its own option."""
        row = asked.row
        value = f"{ADVISED_SECONDS / row.scale:g}" if row.scale == 1 else f"{int(ADVISED_SECONDS / row.scale):_}"
        made = next((link.place for link in self.names.links(asked.func) if link.place is not None), None)
        slot = next(iter(row.own), None) if made is not None else None
        place = made if slot is not None else asked.place
        slot = slot or next(iter(row.timeout), None)
        if slot is None or place is None:
            return None
        return SetOption(place.path, place.span, value, slot.arg, slot.name, slot.key, plain=True)

    def _timeout(self, asked: Asked) -> tuple[Seconds, bool]:
        """The bound of one request: set at the call, around it, or for its client; else the library's own."""
        row = asked.row
        for scope in asked.scopes:
            if scope.seconds is not None:
                return seconds_of(scope.seconds, 1.0), True
        given = slot_values(row.timeout, asked.args)
        if given is None and slot_values(row.signals, asked.args) is not None:
            return absent("a signal ends it"), True
        for link in self.names.links(asked.func) if given is None else ():
            given = slot_values(row.own, link.args)
            if given is not None:
                break
        if given is not None and given != NOT_TOLD:
            if isinstance(given, Instance) and given.args:
                given = given.args[0][1]
            if isinstance(given, Constant) and given.value is None:
                return absent("its timeout is switched off"), True
            return seconds_of(given, row.scale), True
        if given == NOT_TOLD or isinstance(row.default, str):
            return seconds_of(Unknown("its client is not in view"), 1.0), False
        if row.default is None:
            return absent(f"{row.id} sets none by itself"), False
        return seconds_of(Constant(row.default), 1.0, "the library's default"), False

    def head(self, loop: LoopRun) -> Place:
        """The place of a loop without its body."""
        body = loop.loop.body
        start = loop.place.span.start
        end = min(body[0].span.start, loop.place.span.end) if body and loop.loop.kind != "until" else start + 2
        text = self.sources.excerpt(Place(loop.place.path, Span(start, min(end, loop.place.span.end))))
        line = text.split("\\n" if loop.place.path.endswith(".ipynb") else "\n")[0].rstrip().rstrip("{:").rstrip()
        return Place(loop.place.path, Span(start, start + max(1, min(len(line), HEAD))))


def _until_shut_down(test: Expr) -> bool:
    """ "while not shutdown.is_set()", "while self.running": what runs for as long as the program does."""
    asked = test.value if isinstance(test, Unary) and test.op == "not" else test
    if isinstance(asked, Call) and isinstance(asked.func, Attr) and asked.func.name == "is_set" and asked is not test:
        asked = asked.func.base
    name = asked.name if isinstance(asked, Attr | Name) else ""
    words = set(words_of(name))
    return bool(words & SHUTTING_DOWN) if asked is not test else words == {"running"}


def _people_asked(run: AgentRun, loop: LoopRun) -> set[Span]:
    """The calls in the file of a loop with which it asks someone."""
    called = run.called.get(loop.serial, ())
    return {place.span for name, place in called if is_person(name) and place.path == loop.place.path}


def _not_run() -> AgentRun:
    return AgentRun(Run((), (), (), (), frozenset(), took_stop=False, cut_short=True))


def _required(function: Function) -> list[tuple[str | None, Value]]:
    """What a caller must give: nothing is known of it. What it may leave out keeps its default."""
    own = function.params[1:] if function.owner is not None and function.params[:1] else function.params
    args: list[tuple[str | None, Value]] = []
    for param in own if _takes_self(function) else function.params:
        if param.kind in ("rest", "keyword-rest"):
            continue
        if param.default is None:
            args.append((param.name, Unknown(f"`{param.name}` is the caller's")))
    if any(param.kind == "keyword-rest" for param in function.params):
        args.append(("**", Unknown("arguments not in view")))
    return args


def _takes_self(function: Function) -> bool:
    return function.owner is not None and bool(function.params) and function.params[0].name in ("self", "cls")


def _of_tool(read: Read) -> Asking:
    return Asking(
        kind="tool",
        place=read.place,
        scope=read.scope,
        excerpt=read.excerpt,
        api=read.api,
        timeout=read.timeout,
        own=bool(read.timeout.places),
        callers=read.callers,
    )


def _stands_in(root: Root, loop: AgentLoop, world: ProjectWorld) -> bool:
    """Whether a loop is written in the very function that was run."""
    if root.path != loop.place.path or root.index is None:
        return False
    function = world.files[root.path].functions[root.index]
    inner = [one for one in world.files[root.path].functions if one.parent == root.index]
    return _holds(function, loop) and not any(_holds(one, loop) for one in inner)


def _holds(function: Function, loop: AgentLoop) -> bool:
    return within(loop.place.span, function.span)
