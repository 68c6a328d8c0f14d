"""Running code that asks a model: what is asked, what is looked up by its word, what each way out depends on."""

from __future__ import annotations

import math

from waitlint.catalog import ASKING, AgentApi, Apis
from waitlint.facts import (
    Assign,
    Attr,
    Await,
    Binary,
    Call,
    Expr,
    FileFacts,
    Index,
    Loop,
    Name,
    Seq,
    Span,
)
from waitlint.finding import Place
from waitlint.interpret.alternatives import inside
from waitlint.interpret.core import MAX_STEPS, OutOfBudget
from waitlint.interpret.events import Event, LoopRun, Outcome
from waitlint.interpret.frames import Frame
from waitlint.interpret.machine import Machine
from waitlint.interpret.members import INHERITED
from waitlint.interpret.paths import exception_names
from waitlint.interpret.runs import Run
from waitlint.interpret.syntax import nodes, says_nothing
from waitlint.interpret.values import (
    CapTest,
    ClassRef,
    Constant,
    External,
    FunctionRef,
    Instance,
    MethodOf,
    Outside,
    Unknown,
    Value,
)
from waitlint.interpret.ways import Exit, State
from waitlint.project.agents.exits import FAILURES
from waitlint.project.agents.names import Names
from waitlint.project.agents.runs import AgentRun, Asked, Lookup, Way
from waitlint.project.agents.speakers import is_client, is_person
from waitlint.project.durations import INFINITE, number_of
from waitlint.project.world import ProjectWorld
from waitlint.spelled import tail

Args = list[tuple[str | None, Value]]
PARSED = ("parse_args", "parse_known_args")
COMPARING = frozenset({"<", "<=", ">", ">=", "==", "!="})
BY_NAME = ("get", "find", "pop")


class AgentMachine(Machine):
    """The interpreter with an eye on models. It does not enter the code of frameworks that the catalog knows."""

    def __init__(self, world: ProjectWorld, apis: Apis, names: Names, *, max_steps: int = MAX_STEPS) -> None:
        super().__init__(world, apis, max_steps=max_steps)
        self.names = names
        self._written: dict[Place, Call] = {}
        self._compared: list[tuple[CapTest, Place]] = []
        self._passed_on: set[Place] = set()
        self._asked_at: dict[int, tuple[Value, Place]] = {}
        self._tests_at: dict[int, int] = {}
        self._found = AgentRun(Run((), (), (), (), frozenset(), took_stop=False, cut_short=False))

    # ------------------------------------------------------------ running

    def run_agent(self, ref: FunctionRef, args: Args) -> AgentRun:
        """Run a function once, as a caller that gives it `args` would."""
        self._found = AgentRun(Run((), (), (), (), frozenset(), took_stop=False, cut_short=False))
        self._found.run = self.run_tool(ref, args)
        return self._found

    def run_module(self, path: str) -> AgentRun:
        """Run what a file does when it is loaded."""
        self._found = AgentRun(Run((), (), (), (), frozenset(), took_stop=False, cut_short=False))
        self.started = self.next_serial()
        self.steps = 0
        self.events, self.finished_loops, self.pending = [], [], []
        self.said, self.asked_states, self.took_stop = [], set(), False
        frame = Frame(path, None)
        self.exits = []
        self.chain.append(frame)
        cut_short = False
        try:
            self.block(self.world.facts(path).body, [State(frame.locals)], frame)
        except (OutOfBudget, RecursionError):
            cut_short = True
        finally:
            outcomes = [Outcome(way.kind, way.value, way.state.tag, way.place) for way in self.exits]
            events, loops = tuple(self.events), tuple(self.finished_loops)
            self._reset()
        self._found.run = _module_run(events, loops, outcomes, cut_short=cut_short)
        return self._found

    # ------------------------------------------------------------ what the project defines

    def class_member(self, ref: ClassRef, name: str, receiver: Value | None, depth: int = INHERITED) -> Value | None:
        found = super().class_member(ref, name, receiver, depth)
        if isinstance(found, FunctionRef) and isinstance(receiver, Instance) and self._is_abstract(found):
            return self._filled(ref, name, receiver, depth) or found
        return found

    def _filled(self, ref: ClassRef, name: str, receiver: Instance, depth: int) -> FunctionRef | None:
        """The method of an heir that does what a class leaves to its heirs; which heir that is is found out once."""
        key = (ref.path, ref.index, name, depth)
        known = self.names.filled_by.get(key)
        for heir in reversed(self.names.heirs(ref)) if known is None else known:
            as_heir = Instance(heir, receiver.args, receiver.fields, receiver.made_at, receiver.serial)
            own = super().class_member(heir, name, as_heir, depth)
            if isinstance(own, FunctionRef) and not self._is_abstract(own):
                self.names.filled_by[key] = (heir,)
                return own
        self.names.filled_by.setdefault(key, ())
        return None

    def _is_abstract(self, ref: FunctionRef) -> bool:
        """Whether a method says nothing but what its heirs have to do."""
        return says_nothing(self.world.facts(ref.path).functions[ref.index].body)

    def attribute(self, base: Value, name: str, frame: Frame) -> Value:
        if isinstance(base, Outside) and base.source.endswith(PARSED) and not base.path:
            default = self.names.argument_default(name, frame.path)
            if default is not None:
                return default
        found = super().attribute(base, name, frame)
        if isinstance(found, Constant) and self.loops and self._is_counted_elsewhere(name, frame.path):
            return Unknown(f"`{name}` is counted somewhere else")
        return found

    def evaluate(self, expr: Expr, frame: Frame) -> Value:
        found = super().evaluate(expr, frame)
        if isinstance(found, External) and found.name in INFINITE:
            return Constant(math.inf, frame.place(expr.span))
        return found

    def _is_counted_elsewhere(self, name: str, path: str) -> bool:
        """Whether a field is counted up in code that a lap runs, but outside of what is written in the loop itself."""
        facts = self.world.facts(path)
        # Each function is run by a machine of its own: what a file counts is nothing new to the next one.
        counted = self.world.once("fields that are counted", facts, lambda: _counted_fields(facts))
        places = counted.get(name, ())
        loop = self.loops[-1]
        return bool(places) and not any(
            path == loop.place.path and loop.place.span.start <= span.start < loop.place.span.end for span in places
        )

    # ------------------------------------------------------------ calls

    def _call(self, expr: Call, frame: Frame) -> Value:
        self._written[frame.place(expr.span)] = expr
        return super()._call(expr, frame)

    def arguments(self, expr: Call, frame: Frame) -> Args:
        for arg in expr.args:
            for passed in arg.value.items if isinstance(arg.value, Seq) else (arg.value,):
                if isinstance(passed, Call):
                    self._passed_on.add(frame.place(passed.span))
        return super().arguments(expr, frame)

    def _await(self, expr: Await, frame: Frame) -> Value:
        return self.settle(super()._await(expr, frame))

    def call_value(self, func: Value, args: Args, place: Place, frame: Frame, *, new: bool = False) -> Value:
        call = self._written.get(place)
        row = self.names.row_of(func, lambda: tuple(args), call, place.path)
        if row is not None and row.kind in ASKING:
            if row.kind != "make":
                return self._ask_model(row, func, args, place, frame)
            if isinstance(func, ClassRef | FunctionRef):
                return Instance(External(self.names.name_of(func)), tuple(args), made_at=place)
        tried = args[0][1] if row is not None and row.kind == "retry" and args else None
        if isinstance(tried, FunctionRef):
            return self.call_value(tried, [], place, frame)
        self._note_called(func, args, place)
        if isinstance(func, FunctionRef) and not self.muted:
            for loop in self.loops:
                self._found.entered.setdefault(loop.serial, set()).add((func.path, func.index))
        if not isinstance(func, FunctionRef | ClassRef):
            self._note_lookup(func, args, place)
        result = super().call_value(func, args, place, frame, new=new)
        owner = func.owner if isinstance(func, MethodOf) else None
        if self._replied and (
            (owner is not None and self.from_model(owner)) or any(self.from_model(value) for _, value in args)
        ):
            self._found.replies.add(place)
        return result

    @property
    def _replied(self) -> bool:
        return bool(self._found.replies)

    def _ask_model(self, row: AgentApi, func: Value, args: Args, place: Place, frame: Frame) -> Value:
        def run() -> Value:
            if not self.muted:
                self._found.asked.append(
                    Asked(
                        row,
                        place,
                        tuple(args),
                        func,
                        tuple(self.chain),
                        tuple(loop.serial for loop in self.loops),
                        tuple(self.scopes),
                        bool(self.caught),
                    )
                )
            self.outside(args, frame, place)
            self._found.replies.add(place)
            return Outside(place, source=self.names.name_of(func))

        if place in self._passed_on and frame.function is not None and frame.function.is_async:
            return self.lazily(run, place)
        return run()

    def from_model(self, value: Value) -> bool:
        """Whether a value is, or holds, what a model said."""
        return any(isinstance(part, Outside) and part.place in self._found.replies for part in inside(value, 4))

    def _note_called(self, func: Value, args: Args, place: Place) -> None:
        """Remember who is waited for, and what is called by its name, in the loops that are running."""
        if self.muted or not self.loops:
            return
        name = self._spoken_name(func, place)
        if is_person(name):
            self._found.people.update(self._waits_each_lap())
            self._found.asked_now_and_then.update(loop.serial for loop in self.loops if self._is_own(loop))
        elif is_client(name):
            self._found.serving.update(self._waits_each_lap())
        for loop in self.loops:
            self._found.called.setdefault(loop.serial, []).append((name, place))

    def _waits_each_lap(self) -> list[int]:
        """The loop that waits here in every lap, or on some laps in its own code."""
        loop = self.loops[-1]
        return [loop.serial] if self._is_own(loop) or len(self.tests) <= self._tests_at.get(loop.serial, 0) else []

    def _is_own(self, loop: LoopRun) -> bool:
        """Whether what runs now is written in the function of a loop."""
        return len(self.chain) == len(loop.frames)

    def run_loop(self, loop: Loop, state: State, frame: Frame) -> list[State]:
        self._tests_at[self.serial + 1] = len(self.tests)
        return super().run_loop(loop, state, frame)

    def _spoken_name(self, func: Value, place: Place) -> str:
        if isinstance(func, FunctionRef):
            return self.world.facts(func.path).functions[func.index].name
        name = self.names.name_of(func)
        if name.startswith("?") and place in self._written:
            written = self._written[place].func
            return name if "." in name else getattr(written, "name", name)
        return name

    # ------------------------------------------------------------ what the model names

    def _note_lookup(self, func: Value, args: Args, place: Place) -> None:
        if self.muted or not self._replied or not args:
            return
        by = ""
        if isinstance(func, MethodOf | Outside) and _tail_of(func) in BY_NAME and self.from_model(args[0][1]):
            owner = func.owner if isinstance(func, MethodOf) else func
            by = "" if self.from_model(owner) else "get"
        elif isinstance(func, External) and _is_table(func.name) and self.from_model(args[0][1]):
            by = "get"
        elif isinstance(func, External) and func.name == "getattr" and len(args) > 1 and self.from_model(args[1][1]):
            by = "" if self.from_model(args[0][1]) else "getattr"
        elif isinstance(func, External) and func.name in ("eval", "exec") and self.from_model(args[0][1]):
            by = "namespace"
        if by:
            self._add_lookup(by, place)

    def _index(self, expr: Index, frame: Frame) -> Value:
        result = super()._index(expr, frame)
        if not self.muted and self._replied:
            with self.quietly():
                key, base = self.evaluate(expr.key, frame), self.evaluate(expr.base, frame)
            if self.from_model(key) and not self.from_model(base):
                called = isinstance(expr.base, Call) and tail(expr.base.func) in ("globals", "locals")
                self._add_lookup("namespace" if called else "index", frame.place(expr.span))
        return result

    def _add_lookup(self, by: str, place: Place) -> None:
        serials = tuple(loop.serial for loop in self.loops)
        self._found.lookups.append(Lookup(by, place, tuple(self.chain), serials))

    # ------------------------------------------------------------ ways out of loops

    def _binary(self, expr: Binary, frame: Frame) -> Value:
        result = super()._binary(expr, frame)
        if not self.muted and expr.op in COMPARING:
            self._settle(result, frame.place(expr.span))
            if isinstance(result, CapTest):
                self._compared.append((result, frame.place(expr.span)))
            elif self.loops:
                self._note_infinity(expr, frame)
        return result

    def _note_infinity(self, expr: Binary, frame: Frame) -> None:
        """Remember a comparison with infinity, which says nothing."""
        for side in (expr.left, expr.right):
            if isinstance(side, Name | Attr):
                with self.quietly():
                    value = self.evaluate(side, frame)
                if isinstance(value, Constant) and value.value == math.inf:
                    self._found.endless[frame.place(expr.span)] = value.origin

    def _settle(self, test: Value, place: Place) -> None:
        """Remember the answer of a test, as long as it has only one."""
        answer = bool(test.value) if isinstance(test, Constant) else None
        same = self._found.settled.get(place, answer) is answer
        self._found.settled[place] = answer if same else None

    def split(self, test: Value, tag: int | None, place: Place) -> list[tuple[bool, int | None]]:
        self._asked_at[id(test)] = (test, place)
        if not self.muted:
            self._settle(test, place)
        return super().split(test, tag, place)

    def _split_cap(self, test: CapTest, tag: int | None, passed: bool, place: Place) -> list[tuple[bool, int | None]]:
        counter = test.counter
        only_failures = counter is not None and counter.counts not in ("each", "some")
        if only_failures or (test.kind == "count" and number_of(test.limit) == math.inf):
            same = ((one, at) for one, at in reversed(self._compared) if _same_count(one, test))
            self._found.failing[next((at for _, at in same), place)] = not passed
        return super()._split_cap(test, tag, passed, place)

    def leave(self, way: Exit) -> None:
        super().leave(way)
        if way.kind != "raise" or self.muted or not self.loops:
            return
        if any(FAILURES.search(name) for name in exception_names(way.value) | self._class_names(way.value)):
            places = {self._asked_at[id(test)][1] for test in way.tests if id(test) in self._asked_at}
            for loop in self.loops:
                self._found.raised.setdefault(loop.serial, set()).update(places)

    def _class_names(self, value: Value) -> set[str]:
        kind = value.type if isinstance(value, Instance) else value
        return {self.world.facts(kind.path).classes[kind.index].name} if isinstance(kind, ClassRef) else set()

    def _note_exit(self, run: LoopRun, way: Exit, mark: int) -> None:
        super()._note_exit(run, way, mark)
        self._add_way(run, way.kind, way.place, way.tests[mark:], at_cap=way.state.tag == run.serial)

    def _note_test(self, run: LoopRun, test: object, ends: list[State], frame: Frame) -> None:
        super()._note_test(run, test, ends, frame)  # type: ignore[arg-type]
        place = frame.place(test.span)  # type: ignore[attr-defined]
        if not self.muted:
            self._found.ways.setdefault(run.serial, []).append(Way("head", place, (place,), at_cap=False))

    def _add_way(self, run: LoopRun, kind: str, place: Place | None, tests: tuple[Value, ...], *, at_cap: bool) -> None:
        if self.muted:
            return
        places = [self._asked_at[id(test)][1] for test in tests if id(test) in self._asked_at]
        self._found.ways.setdefault(run.serial, []).append(Way(kind, place, tuple(places), at_cap))

    def _note_unknown_answers(self, exits: list[Exit]) -> None:
        before = self.loops[-1].unknown_exit if self.loops else ""
        super()._note_unknown_answers(exits)
        if self.loops and self.loops[-1].unknown_exit != before and not self.muted:
            places = {self._asked_at[id(t)][1] for way in exits for t in way.tests if id(t) in self._asked_at}
            self._found.answers.setdefault(self.loops[-1].serial, set()).update(places)

    def _each(self, loop: Loop, state: State, frame: Frame, run: LoopRun) -> list[State]:
        if self._replied and loop.iterable is not None:
            with self.quietly():
                if self.from_model(self.settle(self.evaluate(loop.iterable, frame))):
                    self._found.replies.add(run.place)
        return super()._each(loop, state, frame, run)


def _counted_fields(facts: FileFacts) -> dict[str, list[Span]]:
    """The fields that some function of a file adds to, with the places."""
    found: dict[str, list[Span]] = {}
    for function in facts.functions:
        for node in nodes(function.body):
            if isinstance(node, Assign) and isinstance(node.target, Attr) and node.op in ("+", "-"):
                found.setdefault(node.target.name, []).append(node.span)
    return found


def _same_count(first: CapTest, second: CapTest) -> bool:
    """Whether two tests, one of which may be the other's denial, ask for the same count."""
    return first.counter == second.counter and first.limit == second.limit


def _is_table(name: str) -> bool:
    """Whether what looks something up is a table that a module of someone else's holds: `books.TOOLS.get`."""
    owner, _, method = name.rpartition(".")
    return method in BY_NAME and ("." in owner or owner.isupper())


def _tail_of(func: Value) -> str:
    if isinstance(func, MethodOf):
        return func.name
    return func.path[-1] if isinstance(func, Outside) and func.path else ""


def _module_run(
    events: tuple[Event, ...], loops: tuple[LoopRun, ...], outcomes: list[Outcome], *, cut_short: bool
) -> Run:
    return Run(tuple(outcomes), events, loops, (), frozenset(), took_stop=False, cut_short=cut_short)
