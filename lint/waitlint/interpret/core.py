"""The state of a run, shared by all that evaluates and executes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from waitlint.catalog import Api, Apis
from waitlint.facts import Expr, Loop, Span, Stmt
from waitlint.finding import Place
from waitlint.interpret.alternatives import choice, inside, options
from waitlint.interpret.events import CapFound, Event, LoopRun, Scope
from waitlint.interpret.frames import Frame, World
from waitlint.interpret.raising import IN_CALLBACK, Caught, Raised
from waitlint.interpret.tests import asks_if_over
from waitlint.interpret.values import (
    NOTHING,
    Both,
    Choice,
    ClassRef,
    Constant,
    Counter,
    Deferred,
    Elapsed,
    External,
    FunctionRef,
    Instance,
    Instant,
    Items,
    MethodOf,
    ModelArgument,
    ModuleRef,
    Now,
    Outside,
    Record,
    Remaining,
    Signal,
    StateTest,
    Textual,
    Unknown,
    Value,
)
from waitlint.measures import Passing

# Kinds of values that are neither a signal nor an object: most of what a name means.
NO_SIGNAL = frozenset(
    {Constant, Textual, Outside, Unknown, MethodOf, External, FunctionRef, ClassRef, ModuleRef, Record, Items}
    | {ModelArgument, Deferred, Choice, StateTest}
)
# Those of them that never hold other values.
HOLLOW = NO_SIGNAL - {Textual, Record, Items, Choice}
MAX_STEPS = 45_000
MAX_DEPTH = 14
CLOCKS = (Now, Elapsed, Instant, Remaining, Counter)
MAX_SELF_CALLS = 1
SAYS_SOMETHING_ELSE = re.compile(
    r"ready|done|finish|complet|start|connect|load|avail|init|log_?in|auth|receiv|result|respon|answer|data|found|open",
    re.IGNORECASE,
)


def is_hollow(value: Value) -> bool:
    """Whether a value is neither a signal nor an object, and holds none."""
    return type(value) in HOLLOW or (type(value) is Textual and not value.held)


class OutOfBudget(Exception):
    """The run became too long to be worth its time: what it would have found is unknown."""


class Core:
    """Counters, stacks and sinks of one run."""

    def __init__(self, world: World, apis: Apis, *, max_steps: int = MAX_STEPS) -> None:
        self.world = world
        self.apis = apis
        self.max_steps = max_steps
        self.steps = 0
        self.serial = 0
        self.started = 0
        self.tag: int | None = None
        self.chain: list[Frame] = []
        self.deepest = MAX_DEPTH
        self.loops: list[LoopRun] = []
        self.scopes: list[Scope] = []
        self.tests: list[Value] = []
        self.pending: list[Raised] = []
        self.events: list[Event] = []
        self.finished_loops: list[LoopRun] = []
        self.caught: list[Caught] = []
        self.after_failure = False
        self.in_async = False
        self.took_stop = False
        self.limited: set[tuple[str, Place | None]] = set()
        self.cancelled: set[int] = set()
        self.outlives = 0
        self.unseen: dict[str, None] = {}
        self.muted = 0
        self.forks = 0
        self.global_depth = 0
        self.never_returns = False
        self.class_fields: dict[tuple[str, int, str], Value] = {}
        self.said: list[Textual] = []
        self.asked_states: set[str] = set()

    # ------------------------------------------------------------ what the layers above provide

    def evaluate(self, expr: Expr, frame: Frame) -> Value:
        raise NotImplementedError

    def call_value(
        self, func: Value, args: list[tuple[str | None, Value]], place: Place, frame: Frame, *, new: bool = False
    ) -> Value:
        raise NotImplementedError

    def run_function(self, ref: FunctionRef, args: list[tuple[str | None, Value]], place: Place | None) -> Value:
        raise NotImplementedError

    def note_caught(self, callback: Value, first: int, place: Place, frame: Frame) -> None:
        raise NotImplementedError

    def await_promise(self, promise: Deferred) -> Value:
        raise NotImplementedError

    def start(self, value: Value) -> None:
        raise NotImplementedError

    def run_block(self, body: tuple[Stmt, ...], frame: Frame) -> None:
        raise NotImplementedError

    # ------------------------------------------------------------ counters

    def step(self) -> None:
        self.steps += 1
        if self.steps > self.max_steps:
            raise OutOfBudget

    def next_serial(self) -> int:
        self.serial += 1
        return self.serial

    # ------------------------------------------------------------ signals

    def as_signal(self, value: Value) -> Signal | None:
        """A value as a stop signal: an abort signal, or an event that was made before the tool ran."""
        if isinstance(value, Signal):
            return value
        if isinstance(value, Instance) and isinstance(value.type, External):
            api = self.apis.named(value.type.name)
            if api is not None and api.kind == "event" and value.serial < self.started:
                return Signal(stop=True, place=value.made_at)
        return None

    def note_signal(self, frame: Frame, name: str, value: Value, span: Span) -> None:
        """Remember that a stop signal is at hand in a frame; whoever calls it has left out the kinds of `NO_SIGNAL`."""
        if not isinstance(value, Signal | Instance):
            return
        signal = self.as_signal(value)
        if (
            signal is not None
            and signal.stop
            and not (isinstance(value, Instance) and SAYS_SOMETHING_ELSE.search(name))
        ):
            frame.signals.setdefault(name, (signal, frame.place(span)))

    def signals_of(self, value: Value) -> list[Signal]:
        """The signals that a value is or carries."""
        if is_hollow(value):
            return []
        parts = inside(value, depth=3)
        found = [part for part in parts if type(part) is Signal]
        for part in parts:
            if type(part) not in NO_SIGNAL and isinstance(part, Instance):
                signal = self.as_signal(part)
                if signal is not None and signal not in found:
                    found.append(signal)
        return found

    # ------------------------------------------------------------ events

    def record(
        self,
        kind: str,
        api: Api | None,
        label: str,
        place: Place,
        *,
        length: Value | None,
        scale: float = 1.0,
        signals: tuple[Signal, ...] = (),
        opaque: bool = False,
        blocking: bool | None = None,
        detail: str = "",
    ) -> None:
        """Note a read, sleep or wait for work, and what its signals do to the loops around it."""
        if self.muted:
            return
        self.note_asked(place)
        self.events.append(
            Event(
                kind=kind,
                api=api,
                label=label,
                place=place,
                length=length,
                scale=scale,
                signals=signals,
                opaque=opaque,
                frames=tuple(self.chain),
                loops=tuple(loop.serial for loop in self.loops),
                scopes=tuple(self.scopes),
                in_handler=bool(self.caught),
                after_failure=self.after_failure,
                serial=self.next_serial(),
                in_async=self.in_async,
                blocking=blocking if blocking is not None else api is not None and api.blocking,
                detail=detail,
                outlives=self.outlives,
                passing=self.passing(),
            )
        )
        for signal in signals:
            self.signal_may_fire(signal, place)

    def passing(self) -> Passing:
        """Whether every way through the tool leads past this point."""
        if self.caught or self.after_failure:
            return Passing.ON_FAILURE
        if any(isinstance(leaf, StateTest) and leaf.asked_for for test in self.tests for leaf in _sure(test)):
            return Passing.IF_ASKED
        everywhere = not self.forks and not any(frame.left for frame in self.chain)
        sure = everywhere and all(asks_if_over(test) for test in self.tests)
        return Passing.ALWAYS if sure else Passing.SOMETIMES

    @contextmanager
    def one_of(self, ways: int) -> Iterator[None]:
        """Run one of several ways, of which it is not known which is taken."""
        self.forks += ways > 1
        try:
            yield
        finally:
            self.forks -= ways > 1

    def note_asked(self, place: Place) -> None:
        """Remember a call into code that is not in view for the loops around it."""
        if not self.muted:
            for loop in self.loops:
                loop.asked.add(place)

    def note_handed(self, args: Iterable[tuple[str | None, Value]]) -> None:
        """Remember what of the outside is handed on to it: the ID of the work, most often."""
        if self.loops and not self.muted:
            parts = [part for _, value in args for part in inside(value, depth=3) if type(part) is Outside]
            for loop in self.loops:
                loop.handed.extend(part for part in parts if part not in loop.handed)

    def note_limited(self, *sides: Value) -> None:
        """Remember that an argument of the model is compared with what may be its limit."""
        for one, other in (sides, sides[::-1]):
            small = isinstance(other, Constant) and other.number is not None and other.number <= 1
            if isinstance(one, ModelArgument) and not small and not isinstance(other, CLOCKS):
                self.limited.add((one.name, one.place))

    def answer(self, place: Place, *, certain: bool = False, source: str = "") -> Outside:
        """What a call into code that is not in view gives back now."""
        return Outside(place, (), certain, source, self.next_serial() if self.started else 0)

    def signal_may_fire(self, signal: Signal, place: Place) -> None:
        """A call that takes the signal raises when it fires: that ends the loops that started after the signal."""
        if signal.stop:
            self.stop_is_seen()
            for loop in self.loops:
                if signal not in loop.stops:
                    loop.stops.append(signal)
        for bounded in self.bound_by(signal, place):
            self.pending.append(Raised(bounded.serial, External("AbortError"), place, ()))

    def stop_is_seen(self) -> None:
        """A call ends, or a test asks, where the stop signal has fired."""
        if not self.muted:
            for loop in self.loops:
                loop.stop_seen.append(self.serial)

    def bound_by(self, signal: Signal, place: Place) -> list[LoopRun]:
        """The loops that a signal's deadlines end, with that noted as their cap."""
        bounded: list[LoopRun] = []
        for deadline in signal.deadlines:
            loop = self.loop_after(deadline.serial)
            if loop is not None:
                self.cap_found(loop, "signal", deadline.seconds, 1.0, place)
                if loop not in bounded:
                    bounded.append(loop)
        return bounded

    def ended_by(self, seconds: Value, place: Place) -> LoopRun | None:
        """The running loop that a bound inside it ends, because it was fixed before when the time is up."""
        if not isinstance(seconds, Remaining):
            return None
        instant = seconds.instant
        loop = self.loop_after(instant.serial)
        if loop is not None:
            self.cap_found(loop, "scope", instant.after, instant.scale, place)
        return loop

    def new_loop(self, loop: Loop, place: Place) -> LoopRun:
        """A loop that begins here."""
        around = tuple(outer.serial for outer in self.loops)
        run = LoopRun(self.next_serial(), loop, place, tuple(self.chain), tuple(self.scopes), around)
        run.passing = self.passing()
        return run

    def loop_after(self, serial: int) -> LoopRun | None:
        """The innermost running loop that started after a clock, signal or timer did."""
        for loop in reversed(self.loops):
            if loop.serial > serial:
                return loop
        return None

    def cap_found(self, loop: LoopRun, how: str, limit: Value, scale: float, place: Place) -> None:
        found = CapFound(how, limit, scale, place)
        if found not in loop.caps:
            loop.caps.append(found)

    # ------------------------------------------------------------ stacks

    @contextmanager
    def scope(self, scope: Scope) -> Iterator[None]:
        self.scopes.append(scope)
        try:
            yield
        finally:
            self.scopes.pop()

    @contextmanager
    def quietly(self) -> Iterator[None]:
        """Evaluate without recording: the same code was or will be evaluated for real."""
        pending = len(self.pending)
        self.muted += 1
        try:
            yield
        finally:
            self.muted -= 1
            del self.pending[pending:]

    @contextmanager
    def off_the_loop(self) -> Iterator[None]:
        """Run what a thread of its own runs: it does not hold the event loop."""
        outer, self.in_async = self.in_async, False
        try:
            yield
        finally:
            self.in_async = outer

    @contextmanager
    def outliving(self, outlives: bool) -> Iterator[None]:
        """Run what goes on after a cancel, and after a deadline that was set before."""
        outer = self.outlives
        self.outlives = self.next_serial() if outlives else outer
        try:
            yield
        finally:
            self.outlives = outer

    @contextmanager
    def handling(self, caught: Caught = IN_CALLBACK) -> Iterator[None]:
        """Run what happens with an exception in hand."""
        self.caught.append(caught)
        try:
            yield
        finally:
            self.caught.pop()

    # ------------------------------------------------------------ promises and coroutines

    def settle(self, value: Value) -> Value:
        """What awaiting a value gives."""
        for _ in range(8):
            if not isinstance(value, Deferred):
                break
            if value.serial in self.cancelled:
                return NOTHING
            value = value.run() if value.run is not None else self.await_promise(value)
        if type(value) is not Choice and type(value) is not Deferred:
            return value
        if any(isinstance(option, Deferred) for _, option in options(value)):
            return choice([(tag, self.settle(option)) for tag, option in options(value)])
        return value

    @contextmanager
    def under(self, frames: tuple[Frame, ...]) -> Iterator[None]:
        """Go on below the calls `frames`, where they lead on from those that are running."""
        outer = self.chain
        if list(frames[: len(outer)]) == outer:
            self.chain = list(frames)
        try:
            yield
        finally:
            self.chain = outer

    def lazily(self, run: Callable[[], Value], place: Place) -> Deferred:
        """What runs once it is awaited, under the calls that led to it."""
        callers = tuple(self.chain)

        def resume() -> Value:
            with self.under(callers):
                return run()

        return Deferred(resume, place, serial=self.next_serial())


def _sure(test: Value) -> Iterator[Value]:
    """The single tests that all hold where a test does."""
    if isinstance(test, Both):
        yield from _sure(test.left)
        yield from _sure(test.right)
    else:
        yield test


def key_path(value: Value, path: str) -> Value | None:
    """The entry at a dotted path in an options object; None if it is known not to be there."""
    current: Value = value
    for key in path.split("."):
        if isinstance(current, FunctionRef | Textual | Constant | Items):
            return None
        if not isinstance(current, Record):
            return Unknown("options not in view")
        if key not in current.entries:
            return Unknown("options not in view") if current.open else None
        current = current.entries[key]
    return current
