"""Running a loop: one lap stands for all, with what changes from lap to lap made general first."""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import Any, get_args

from msgspec import Struct

from waitlint.facts import (
    Assign,
    Attr,
    Binary,
    Call,
    Const,
    Do,
    Expr,
    If,
    Loop,
    Name,
    Raise,
    Return,
    Stmt,
    Try,
    Unary,
    With,
)
from waitlint.interpret.alternatives import choice, comes_from_outside
from waitlint.interpret.arithmetic import arithmetic
from waitlint.interpret.blocks import Blocks
from waitlint.interpret.counting import counts_every_lap
from waitlint.interpret.events import ENDS_WITH_ITEMS, ENDS_WITH_POSITIONS, LoopRun
from waitlint.interpret.frames import Frame
from waitlint.interpret.leaving import exits_of
from waitlint.interpret.paths import is_unknown_test, merged
from waitlint.interpret.syntax import HELD, nodes
from waitlint.interpret.tests import as_test, leaves, truth
from waitlint.interpret.values import (
    Constant,
    Counter,
    Deferred,
    Items,
    Laps,
    Now,
    Outside,
    StateTest,
    Textual,
    Unknown,
    Value,
)
from waitlint.interpret.ways import Exit, State

FEW = 3
EXPRESSIONS = frozenset(get_args(Expr))


class Change(Struct, frozen=True):
    """One assignment inside a loop. `counts` as in `Counter`; `step` where it adds to what was there."""

    name: str
    counts: str
    step: Expr | None
    sign: str
    value: Expr
    place: Assign


class Loops(Blocks):
    def run_loop(self, loop: Loop, state: State, frame: Frame) -> list[State]:
        run = self.new_loop(loop, frame.place(loop.span))
        self._generalise(loop, state, frame, run)
        outer, self.exits = self.exits, []
        mark = len(self.tests)
        self.loops.append(run)
        try:
            after = self._each(loop, state, frame, run) if loop.kind == "each" else self._while(loop, state, frame, run)
        finally:
            self.loops.pop()
        run.ended = self.serial
        inside_, self.exits = self.exits, outer
        run.leaves_at_cap = run.leaves_at_cap or any(state.tag == run.serial for state in after)
        if loop.orelse:
            after = self.block(loop.orelse, merged(after), frame)
        for way in inside_:
            self._note_exit(run, way, mark)
            if way.kind == "break" and way.label in ("", loop.label):
                after.append(way.state)
            else:
                self.keep(way)
        if any(state.tag == run.serial for state in after):
            run.leaves_at_cap = True
        for left in after:
            _forget_counters(left, run)
        if not self.muted:
            self.note_goes_on(run)
            self.finished_loops.append(run)
        return merged(after)

    def _note_exit(self, run: LoopRun, way: Exit, mark: int) -> None:
        if way.state.tag == run.serial:
            run.leaves_at_cap = True
            return
        states, otherwise = exits_of(way.tests[mark:])
        run.exit_states |= states
        run.exits_otherwise = run.exits_otherwise or otherwise
        for test in way.tests[mark:]:
            for leaf in leaves(test):
                if is_unknown_test(leaf):
                    run.unknown_exit = run.unknown_exit or "it may end for a reason that is not in view"
                elif isinstance(leaf, StateTest):
                    _note_outside(run, leaf)

    # ------------------------------------------------------------ laps

    def _lap(self, loop: Loop, states: list[State], frame: Frame, run: LoopRun) -> list[State]:
        """Run the body once; the states in which another lap would begin."""
        ends = self.block(loop.body, states, frame)
        kept: list[Exit] = []
        for way in self.exits:
            if way.kind == "continue" and way.label in ("", loop.label):
                ends.append(way.state)
            else:
                kept.append(way)
        self.exits = kept
        ends = merged(ends)
        _restore(run, ends)
        if loop.update:
            ends = self.block(loop.update, ends, frame)
        run.laps_again = run.laps_again or bool(ends)
        return merged(ends)

    def _while(self, loop: Loop, state: State, frame: Frame, run: LoopRun) -> list[State]:
        never: list[State] = []
        states = [state]
        if loop.kind == "while" and loop.test is not None:
            states, never = self._ask(loop.test, states, frame)
        ends = self._lap(loop, states, frame, run)
        if loop.test is None:
            return []
        if loop.kind == "until":
            _, after = self._ask(loop.test, ends, frame)
            self._note_test(run, loop.test, ends, frame)
            return after
        if not ends:
            return never
        with self.quietly():
            _, after = self._ask(loop.test, ends, frame)
        self._note_test(run, loop.test, ends, frame)
        return after or ([] if truth(self._quiet_test(loop.test, ends[0], frame)) else never)

    def _quiet_test(self, test: Expr, state: State, frame: Frame) -> Value:
        frame.locals, self.tag = state.locals, state.tag
        with self.quietly():
            return as_test(self.evaluate(test, frame))

    def _note_test(self, run: LoopRun, test: Expr, ends: list[State], frame: Frame) -> None:
        """What the head of the loop asks: a state, or something that is not in view."""
        for end in ends[:1]:
            for leaf in leaves(self._quiet_test(test, end, frame)):
                if isinstance(leaf, StateTest):
                    run.states.update(leaf.states)
                    _note_outside(run, leaf)
                    if leaf.outside and leaf.states and leaf.excluded:
                        run.exit_states.update(leaf.states)
                    elif leaf.outside:
                        run.exits_otherwise = True
                if is_unknown_test(leaf):
                    run.unknown_exit = run.unknown_exit or "its condition is not in view"

    def _ask(self, test: Expr, states: list[State], frame: Frame) -> tuple[list[State], list[State]]:
        """The states in which a loop's condition holds, and those in which it doesn't."""
        holds: list[State] = []
        fails: list[State] = []
        for state in states:
            frame.locals, self.tag = state.locals, state.tag
            value = as_test(self.evaluate(test, frame))
            if not self.muted:
                self._remember(value)
                if not self.carry_on(state, frame):
                    continue
            for answer, tag in self.split(value, state.tag, frame.place(test.span)):
                branch = state.copy()
                branch.tag = tag
                (holds if answer else fails).append(branch)
        return merged(holds), merged(fails)

    def _each(self, loop: Loop, state: State, frame: Frame, run: LoopRun) -> list[State]:
        iterable = self.settle(self.evaluate(loop.iterable, frame)) if loop.iterable is not None else Unknown()
        if not self.carry_on(state, frame):
            return []
        limit: Value | None = None
        item: Value
        match iterable:
            case Laps() if loop.iterable is not None and _goes_through(loop.iterable):
                item = Unknown("a position")
                run.unknown_exit = ENDS_WITH_POSITIONS
            case Laps(count=count):
                limit = count
                item = Counter("lap", Constant(0), Constant(1), "each", run.serial, run.place)
            case Items(items=items, open=False):
                limit = Constant(len(items))
                item = choice([(None, value) for value in items]) if 0 < len(items) <= FEW else Unknown("an item")
            case Items(items=items) if 0 < len(items) <= FEW and all(isinstance(one, Deferred) for one in items):
                item = choice([(None, value) for value in items])
                run.unknown_exit = ENDS_WITH_ITEMS
            case _:
                item = Outside(run.place) if comes_from_outside(iterable) else Unknown("an item")
                run.unknown_exit = ENDS_WITH_ITEMS
        if loop.target is not None:
            self.bind(loop.target, item, frame)
        if limit is not None:
            place = frame.place(loop.iterable.span) if loop.iterable is not None else run.place
            self.cap_found(run, "items", limit, 1.0, place)
        before = len(self.events)
        ends = self._lap(loop, [state.copy()], frame, run)
        after = ends or [state]
        may_wait = self.muted or bool(run.asked) or len(self.events) > before
        for end in after:
            if limit is not None and may_wait:
                end.tag = run.serial
        return after

    # ------------------------------------------------------------ what changes from lap to lap

    def _generalise(self, loop: Loop, state: State, frame: Frame, run: LoopRun) -> None:
        """Turn what the loop counts into counters, and forget what else it sets."""
        changes = self.world.once("changes", loop, lambda: _changes_of(loop))
        for name, found in changes.items():
            before = state.locals.get(name)
            if before is None:
                continue
            if all(change.step is not None for change in found) and isinstance(before, Constant | Unknown | Counter):
                state.locals[name] = self._counter(name, before, found, frame, run, changes.keys() - {name})
            elif isinstance(before, Now) and all(change.counts == "some" for change in found):
                state.locals[name] = Unknown("a clock that starts anew")
            elif isinstance(before, Constant | Textual):
                state.locals[name] = self._loosened(name, before, found, frame)
                run.loosened[name] = before, state.locals[name]

    def _counter(
        self, name: str, before: Value, found: list[Change], frame: Frame, run: LoopRun, others: Set[str] = frozenset()
    ) -> Value:
        """A count of laps. Its step is not known where it is another of the names that the loop changes."""
        best = next((change for change in found if change.counts == "each"), found[0])
        counts = best.counts
        if counts != "each" and any(change.counts == "some" for change in found):
            counts = "some"
        if counts != "each" and counts_every_lap(run.loop.body, name):
            counts = "each"
        with self.quietly():
            step = self.evaluate(best.step, frame) if best.step is not None else Unknown()
        grows_by = best.step.name if isinstance(best.step, Name) and best.step.name in others else ""
        if grows_by and isinstance(step, Constant):
            step = Unknown("it changes from lap to lap")
        if best.sign == "-":
            step = arithmetic("-", Constant(0), step)
        if isinstance(step, Textual | Items):
            return before
        return Counter(name, before, step, counts, run.serial, frame.place(best.place.span), grows_by)

    def _loosened(self, name: str, before: Value, found: list[Change], frame: Frame) -> Value:
        """A value on the first lap, or what a later lap has made of it."""
        frame.locals[name] = Unknown("it changes from lap to lap")
        try:
            with self.quietly():
                later = [self.evaluate(change.value, frame) for change in found]
        finally:
            frame.locals[name] = before
        numbers = [
            value.number for value in (before, *later) if isinstance(value, Constant) and value.number is not None
        ]
        if len(numbers) == len(later) + 1 and all(isinstance(v, Constant) and v.at_most for v in later):
            return Constant(max(numbers), before.origin if isinstance(before, Constant) else None, at_most=True)
        return choice([(None, before), (None, Unknown("it changes from lap to lap"))])


def _note_outside(run: LoopRun, test: StateTest) -> None:
    run.tests_outside = run.tests_outside or test.outside
    run.asks_state = run.asks_state or (test.outside and test.failed is None)


def _goes_through(iterable: Expr) -> bool:
    """Whether positions are counted off that a list has: `range(0, len(parts), 10)`."""
    args = iterable.args if isinstance(iterable, Call) else ()
    below = nodes(tuple(arg.value for arg in args))
    return any(isinstance(node, Call) and isinstance(node.func, Name) and node.func.name == "len" for node in below)


def _restore(run: LoopRun, ends: list[State]) -> None:
    """What no lap changes that another one follows is on every lap what it was before the first."""
    for name, (before, loosened) in run.loosened.items():
        if all(end.locals.get(name) == loosened for end in ends):
            for end in ends:
                end.locals[name] = before


def _forget_counters(state: State, run: LoopRun) -> None:
    for name, value in state.locals.items():
        if isinstance(value, Counter) and value.loop == run.serial:
            state.locals[name] = Unknown("a count of laps")


def _changes_of(loop: Loop) -> Mapping[str, list[Change]]:
    """The assignments in a loop, by the names that they set."""
    head: list[Change] = []
    if loop.test is not None:
        _in_expression(loop.test, "each", head)
    changes: dict[str, list[Change]] = {}
    for change in (*head, *changes_in(loop.body, "each"), *changes_in(loop.update, "each")):
        changes.setdefault(change.name, []).append(change)
    return changes


def changes_in(body: tuple[Stmt, ...], counts: str) -> list[Change]:
    """The assignments to names in a loop's body, with how often they happen."""
    found: list[Change] = []
    for stmt in body:
        _in_statement(stmt, counts, found)
    return found


def _in_statement(stmt: Stmt, counts: str, found: list[Change]) -> None:
    match stmt:
        case Do(value=value):
            _in_expression(value, counts, found)
        case Return(value=value) | Raise(value=value):
            if value is not None:
                _in_expression(value, counts, found)
        case If(test=test, body=then, orelse=orelse):
            _in_expression(test, counts, found)
            failed = asks_for_failure(test)
            found.extend(changes_in(then, "handler" if failed is True else _less(counts)))
            found.extend(changes_in(orelse, "handler" if failed is False else _less(counts)))
        case Loop(body=inner, orelse=orelse, update=update):
            found.extend(changes_in((*inner, *orelse, *update), _less(counts)))
        case Try(body=tried, handlers=handlers, orelse=orelse, final=final):
            found.extend(changes_in(tried, counts))
            for handler in handlers:
                found.extend(changes_in(handler.body, "handler" if counts == "each" else counts))
            found.extend(changes_in((*orelse, *final), counts))
        case With(body=inner):
            found.extend(changes_in(inner, counts))


def asks_for_failure(test: Expr) -> bool | None:
    """Whether a test, as written, asks if a request failed (True) or succeeded (False)."""
    match test:
        case Unary(op="not", value=value):
            inner = asks_for_failure(value)
            return None if inner is None else not inner
        case Attr(name="ok" | "is_success"):
            return False
        case Attr(name="is_error"):
            return True
        case Binary(op=op, left=Attr(name="status" | "status_code"), right=Const(value=int() as code)) if code >= 400:
            return {"==": True, ">=": True, ">": True, "!=": False, "<": False, "<=": False}.get(op)
        case _:
            return None


def _less(counts: str) -> str:
    return "some" if counts == "each" else counts


def _in_expression(expr: Expr, counts: str, found: list[Change], depth: int = 12) -> None:
    kind = type(expr)
    if kind is Const or kind is Name:
        return
    if isinstance(expr, Assign):
        if isinstance(expr.target, Name):
            step, sign = _step(expr)
            found.append(Change(expr.target.name, counts, step, sign, expr.value, expr))
        _in_expression(expr.value, counts, found, depth - 1)
        return
    if depth <= 0:
        return
    for field_name in HELD[kind]:
        child: Any = getattr(expr, field_name)
        if type(child) is tuple:
            for item in child:
                inner: Any = getattr(item, "value", item)
                if type(inner) in EXPRESSIONS:
                    _in_expression(inner, counts, found, depth - 1)
        elif type(child) in EXPRESSIONS:
            _in_expression(child, counts, found, depth - 1)


def _step(expr: Assign) -> tuple[Expr | None, str]:
    """What an assignment adds to its target, and the sign."""
    if expr.op in ("+", "-"):
        return expr.value, expr.op
    if not expr.op and isinstance(expr.value, Binary) and expr.value.op in ("+", "-") and isinstance(expr.target, Name):
        left = expr.value.left
        if isinstance(left, Name) and left.name == expr.target.name:
            return expr.value.right, expr.value.op
    return None, ""
