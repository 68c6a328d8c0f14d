"""Loops that are written without a loop: functions that call themselves, timers that call back again and again."""

from __future__ import annotations

from collections.abc import Iterator

from waitlint.facts import Attr, Binary, Call, Expr, Function, Loop, Name, Span
from waitlint.finding import Place
from waitlint.interpret.alternatives import join
from waitlint.interpret.arithmetic import arithmetic
from waitlint.interpret.events import LoopRun
from waitlint.interpret.frames import Frame
from waitlint.interpret.loops import Change, Loops, changes_in
from waitlint.interpret.paths import is_unknown_test
from waitlint.interpret.raising import Raised
from waitlint.interpret.settling import PromiseCell, Ticks
from waitlint.interpret.syntax import nodes
from waitlint.interpret.tests import leaves
from waitlint.interpret.values import (
    Constant,
    Counter,
    FunctionRef,
    Resolver,
    Textual,
    Unknown,
    Value,
)
from waitlint.interpret.ways import Exit, State

Args = list[tuple[str | None, Value]]
TIMERS = frozenset({"setTimeout", "setImmediate"})
RECEIVERS = frozenset({"this", "self", "cls"})


class Laps(Loops):
    """`recursions` are the functions that run and call themselves, each with its loop and the tests before it.

    `settling` are the promises that a callback may settle on this lap, each with its loop and the tests before it.
    """

    recursions: dict[tuple[str, int], tuple[LoopRun, int]]
    settling: list[tuple[PromiseCell, LoopRun, int]]

    # ------------------------------------------------------------ functions that call themselves

    def run_function(self, ref: FunctionRef, args: Args, place: Place | None) -> Value:
        function = self.world.facts(ref.path).functions[ref.index]
        if not self.world.once("calls itself", function, lambda: self._calls_itself(ref, function)):
            return super().run_function(ref, args, place)
        key = (ref.path, ref.index)
        running = self.recursions.get(key)
        if running is not None:
            running[0].laps_again = True
            self.never_returns = True
            return Unknown("it goes on with another lap")
        loop = Loop(function.span, "while", function.body)
        at = Place(ref.path, function.span)
        run = self.new_loop(loop, at)
        self.recursions[key] = (run, len(self.tests))
        self.loops.append(run)
        try:
            return super().run_function(ref, args, place)
        finally:
            self.loops.remove(run)
            del self.recursions[key]
            if not self.muted and run.laps_again:
                self.note_goes_on(run)
                self.finished_loops.append(run)

    def _calls_itself(self, ref: FunctionRef, function: Function) -> bool:
        """Whether a function calls itself by its name, or gives itself to a timer, also in functions inside it."""
        return any(True for _ in self._own_calls(ref.path, ref.index, function))

    def _own_calls(self, path: str, index: int, function: Function) -> Iterator[Call | None]:
        """The calls of a function to itself; None where a timer calls it."""
        if not function.name:
            return
        calls = self.world.called_in(path, function.name)
        timers = [timed for name in TIMERS for timed in self.world.called_in(path, name)]
        if not calls and not timers:
            return
        functions = self.world.facts(path).functions
        for call, at in calls:
            if _names(call.func, function) and _is_inside(functions, at, index):
                yield call
        for call, at in timers:
            if _is_timer(call) and _names(call.args[0].value, function) and _is_inside(functions, at, index):
                yield None

    def bind_arguments(self, frame: Frame, function: Function, args: Args, receiver: Value | None) -> None:
        super().bind_arguments(frame, function, args, receiver)
        for (path, index), (run, _) in self.recursions.items():
            if frame.path == path and self.world.facts(path).functions[index] is function:
                self._count_arguments(run, frame, path, index, function)

    def _count_arguments(self, run: LoopRun, frame: Frame, path: str, index: int, function: Function) -> None:
        """Turn what a function counts up in its calls of itself into counters, and forget what else it changes."""
        for call in self._own_calls(path, index, function):
            if call is None:
                continue
            plain = [arg.value for arg in call.args if arg.name is None and not arg.spread]
            named = {arg.name: arg.value for arg in call.args if arg.name is not None}
            for position, param in enumerate(function.params):
                given = named.get(param.name) or (plain[position] if position < len(plain) else None)
                before = frame.locals.get(param.name)
                if given is None or before is None or _is_same(given, param.name):
                    continue
                run.changed.add(param.name)
                step = self._step(given, param.name, frame)
                if step is not None and isinstance(before, Constant | Unknown):
                    at = Place(path, given.span)
                    frame.locals[param.name] = Counter(param.name, before, step, "each", run.serial, at)
                elif isinstance(before, Constant | Textual):
                    frame.locals[param.name] = join(before, Unknown("it changes from lap to lap"))

    def _step(self, given: Expr, name: str, frame: Frame) -> Value | None:
        if isinstance(given, Binary) and given.op in ("+", "-") and _is_same(given.left, name):
            with self.quietly():
                step = self.evaluate(given.right, frame)
            return step if given.op == "+" else arithmetic("-", Constant(0), step)
        return None

    def _result(
        self, function: Function, states: list[State], exits: list[Exit], before: int | None, place: Place | None
    ) -> Value:
        for (path, index), (run, mark) in self.recursions.items():
            if self.world.facts(path).functions[index] is function:
                for way in exits:
                    self._note_exit(run, way, mark)
                run.leaves_at_cap = run.leaves_at_cap or any(state.tag == run.serial for state in states)
        return super()._result(function, states, exits, before, place)

    def set_timer(self, callback: Value, milliseconds: Value, place: Place) -> Value:
        """A timer that calls a running function again is the pause between two of its laps."""
        value = super().set_timer(callback, milliseconds, place)
        if any(run.laps_again and self._is_called_by(callback, run) for run, _ in self.recursions.values()):
            self.record("sleep", None, "setTimeout", place, length=milliseconds, scale=0.001)
        return value

    def _is_called_by(self, callback: Value, run: LoopRun) -> bool:
        """Whether a callback is a running function, or calls it."""
        if not isinstance(callback, FunctionRef):
            return False
        for (path, index), (known, _) in self.recursions.items():
            if known is not run or callback.path != path:
                continue
            functions = self.world.facts(path).functions
            if callback.index == index:
                return True
            own = functions[callback.index].body
            return any(isinstance(node, Call) and _names(node.func, functions[index]) for node in nodes(own))
        return False

    # ------------------------------------------------------------ timers that call back again and again

    def run_ticks(self, cell: PromiseCell, ticks: Ticks) -> Value:
        """One lap of a callback that settles a promise once what it looks at is there."""
        loop = Loop(ticks.place.span, "while", ())
        run = self.new_loop(loop, ticks.place)
        self._count_in_callback(ticks.callback, run)
        head = self._before_callback(ticks)
        mark, settled = len(self.tests), len(cell.settled)
        if cell.timer is not None:
            self.cap_found(run, "timer", cell.timer, 1.0, ticks.place)
        self.loops.append(run)
        self.settling.append((cell, run, mark))
        try:
            self.record("sleep", None, "setInterval", head, length=ticks.seconds, signals=tuple(cell.signals))
            with self.made_by(cell):
                self.settle(self.call_function(ticks.callback, [], ticks.place))
        finally:
            self.settling.pop()
            self.loops.pop()
        run.laps_again = True
        found = cell.settled[settled:]
        if any(one.tag == run.serial for one in found):
            run.leaves_at_cap = True
        if not self.muted:
            self.note_goes_on(run)
            self.finished_loops.append(run)
        if cell.timer is not None:
            for late in cell.late:
                if late.rejects and late.place is not None:
                    self.pending.append(Raised(run.serial, late.value, late.place, ()))
        return self._settled_with(found) if found else Unknown("a promise that is resolved elsewhere")

    def _before_callback(self, ticks: Ticks) -> Place:
        """The place of a timer without its callback."""
        callback = self.world.facts(ticks.callback.path).functions[ticks.callback.index]
        span = ticks.place.span
        is_inside = ticks.callback.path == ticks.place.path and span.start < callback.span.start < span.end
        return Place(ticks.place.path, Span(span.start, callback.span.start)) if is_inside else ticks.place

    def settle_promise(self, resolver: Resolver, args: Args, place: Place) -> Value:
        for cell, run, mark in self.settling:
            if cell is resolver.cell and not self.looking:
                for test in self.tests[mark:]:
                    if any(is_unknown_test(leaf) for leaf in leaves(test)):
                        run.unknown_exit = run.unknown_exit or "it may end for a reason that is not in view"
        return super().settle_promise(resolver, args, place)

    def _count_in_callback(self, callback: FunctionRef, run: LoopRun) -> None:
        """Turn what a callback counts outside of itself into counters."""
        function = self.world.facts(callback.path).functions[callback.index]
        changes: dict[str, list[Change]] = {}
        for change in changes_in(function.body, "each"):
            changes.setdefault(change.name, []).append(change)
        for name, found in changes.items():
            frame = callback.frame
            while frame is not None and name not in frame.locals:
                frame = frame.parent
            before = frame.locals[name] if frame is not None else None
            if frame is None or not isinstance(before, Constant | Unknown):
                continue
            if all(change.step is not None for change in found):
                frame.locals[name] = self._counter(name, before, found, frame, run)
            elif isinstance(before, Constant):
                frame.locals[name] = join(before, Unknown("it changes from lap to lap"))


def _is_inside(functions: tuple[Function, ...], at: int | None, index: int) -> bool:
    """Whether the function `at` is the one at `index`, or stands inside of it."""
    while at is not None and at > index:
        at = functions[at].parent
    return at == index


def _is_timer(call: Call) -> bool:
    return isinstance(call.func, Name) and call.func.name in TIMERS and bool(call.args)


def _names(expr: Expr, function: Function) -> bool:
    """Whether an expression means a function by its own name."""
    if function.owner is not None:
        is_own = isinstance(expr, Attr) and isinstance(expr.base, Name) and expr.base.name in RECEIVERS
        return is_own and isinstance(expr, Attr) and expr.name == function.name
    return isinstance(expr, Name) and expr.name == function.name


def _is_same(expr: Expr, name: str) -> bool:
    return isinstance(expr, Name) and expr.name == name
