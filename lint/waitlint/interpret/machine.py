"""Running a tool: its handler is executed with what is known of its arguments, and what happens is noted."""

from __future__ import annotations

from waitlint.catalog import Apis
from waitlint.facts import Span, Stmt
from waitlint.finding import Place
from waitlint.interpret.alternatives import options
from waitlint.interpret.core import MAX_STEPS, OutOfBudget
from waitlint.interpret.events import Outcome
from waitlint.interpret.frames import Frame, World
from waitlint.interpret.laps import Laps
from waitlint.interpret.runs import Run
from waitlint.interpret.values import Constant, FunctionRef, Unknown, Value
from waitlint.interpret.ways import State

FOR_NAMES = 2
SHARING = 3
SHARE = 0.875
Args = list[tuple[str | None, Value]]


class Machine(Laps):
    """The whole interpreter: expressions, calls, statements and loops over one state."""

    def __init__(self, world: World, apis: Apis, *, max_steps: int = MAX_STEPS) -> None:
        super().__init__(world, apis, max_steps=max_steps)
        self.resolved = []
        self.looking = False
        self.making = None
        self.killed = []
        self.listening = False
        self.recursions = {}
        self.settling = []
        self.controllers = []
        self.exits = []
        self.decorations = {}
        self.sharing = self.gave_up = False

    def run_tool(
        self,
        ref: FunctionRef,
        args: list[tuple[str | None, Value]],
        *,
        on_loop: bool = False,
        limit: Value | None = None,
    ) -> Run:
        """Run a handler once, as the framework would call it; `on_loop` where it runs even plain ones on its loop.

        `limit` are the seconds after which the framework gives up.
        """
        self.in_async = on_loop
        self.sharing, self.gave_up = True, False
        self.started = self.next_serial()
        self.steps = 0
        self.events, self.finished_loops, self.pending = [], [], []
        self.class_fields = {}
        self.said, self.asked_states, self.took_stop = [], set(), False
        self.unseen = {}
        self.limited = set()
        outcomes: list[Outcome] = []
        cut_short = False
        try:
            value = self._bounded_call(ref, args, limit)
            for tag, option in options(value):
                outcomes.append(Outcome("return", self.settle(option), tag, None))
            outcomes.extend(Outcome("raise", raised.value, raised.tag, raised.place) for raised in self.pending)
        except (OutOfBudget, RecursionError):
            cut_short = True
        finally:
            self.sharing = False
            self._reset()
        return Run(
            tuple(outcomes),
            tuple(self.events),
            tuple(self.finished_loops),
            tuple(dict.fromkeys(self.said)),
            frozenset(self.asked_states),
            self.took_stop,
            cut_short or self.gave_up,
            tuple(self.unseen),
            frozenset(self.limited),
            limit.origin if isinstance(limit, Constant) else None,
        )

    def run_function(self, ref: FunctionRef, args: Args, place: Place | None) -> Value:
        """Run a function of the project. One that is called near the handler leaves some steps to what follows."""
        if not self.sharing or not 0 < len(self.chain) <= SHARING:
            return super().run_function(ref, args, place)
        most = self.max_steps
        self.max_steps = self.steps + int((most - self.steps) * SHARE)
        try:
            return super().run_function(ref, args, place)
        except OutOfBudget:
            self.gave_up = True
            self.never_returns = False
            return Unknown("too long to be followed")
        finally:
            self.max_steps = most

    def _bounded_call(self, ref: FunctionRef, args: list[tuple[str | None, Value]], limit: Value | None) -> Value:
        place = Place(ref.path, self._span(ref))
        called = self.lazily(lambda: self.settle(self.call_function(ref, args, place)), place)
        if limit is None:
            return self.settle(called)
        at = limit.origin if isinstance(limit, Constant) and limit.origin is not None else place
        return self.bounded(called, limit, at)

    def run_definitions(self, body: tuple[Stmt, ...], frame: Frame) -> None:
        """Execute statements of a function for the names they bind, without noting what happens in them."""
        self.steps = 0
        self.chain.append(frame)
        outer, self.exits = self.exits, []
        deepest, self.deepest = self.deepest, min(self.deepest, len(self.chain) + FOR_NAMES)
        try:
            with self.quietly():
                self.block(body, [State(frame.locals)], frame)
        except (OutOfBudget, RecursionError):
            return
        finally:
            self.exits = outer
            self.deepest = deepest
            self.chain.pop()

    def _span(self, ref: FunctionRef) -> Span:
        return self.world.facts(ref.path).functions[ref.index].span

    def _reset(self) -> None:
        self.chain.clear()
        self.loops.clear()
        self.scopes.clear()
        self.tests.clear()
        self.resolved.clear()
        self.looking = False
        self.making = None
        self.killed.clear()
        self.listening = False
        self.recursions.clear()
        self.settling.clear()
        self.exits.clear()
        self.pending = []
        self.caught.clear()
        self.muted = 0
        self.forks = 0
        self.tag = None
        self.never_returns = False
