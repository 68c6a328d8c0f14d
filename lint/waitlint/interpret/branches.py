"""What a test tells: the paths that part at it, and the caps and signals that it speaks of."""

from __future__ import annotations

from msgspec.structs import replace

from waitlint.facts import (
    Binary,
    Const,
    Expr,
    Name,
    Str,
    Unary,
)
from waitlint.finding import Place
from waitlint.interpret.alternatives import options
from waitlint.interpret.calls import Calls
from waitlint.interpret.events import LoopRun
from waitlint.interpret.frames import Frame
from waitlint.interpret.given import asked_if_given, parted
from waitlint.interpret.paths import asked_names
from waitlint.interpret.tests import as_test, leaves
from waitlint.interpret.values import (
    Both,
    CapTest,
    Choice,
    Constant,
    Either,
    ModelArgument,
    Signal,
    StateTest,
    StopTest,
    Value,
)
from waitlint.interpret.ways import State
from waitlint.spelled import within


class Branches(Calls):
    def _refused(self, test: Expr, frame: Frame) -> tuple[str, Value] | None:
        """What is left of an argument of the model once a branch that none comes out of has refused too great ones."""
        if not isinstance(test, Binary) or test.op not in (">", ">=", "<", "<="):
            return None
        given, limit = (test.left, test.right) if test.op in (">", ">=") else (test.right, test.left)
        if not isinstance(given, Name):
            return None
        with self.quietly():
            value, most = self.evaluate(given, frame), self.evaluate(limit, frame)
        if not isinstance(value, ModelArgument) or value.maximum is not None or not isinstance(most, Constant):
            return None
        return (given.name, replace(value, maximum=most)) if most.number is not None and most.number > 0 else None

    def _is_fixed(self, test: Expr, frame: Frame) -> bool:
        """Whether a test is made of names of enclosing functions that nobody sets again: it bounds no loop."""
        match test:
            case Const() | Str():
                return True
            case Unary(value=value):
                return self._is_fixed(value, frame)
            case Binary(left=left, right=right):
                return self._is_fixed(left, frame) and self._is_fixed(right, frame)
            case Name(name=name):
                owner = frame.parent if name not in frame.locals else None
                while owner is not None and name not in owner.locals:
                    owner = owner.parent
                if owner is None or owner.function is None:
                    return False
                functions = self.world.facts(owner.path).functions
                index = next((i for i, function in enumerate(functions) if function is owner.function), None)
                return index is not None and name not in self.world.shared_names(owner.path, index)
            case _:
                return False

    def _goes_on(self, tag: int, asked: Place) -> None:
        """A bound is asked for, here or in a helper whose answer this is, and the lap goes on behind the answer."""
        for loop in self.loops:
            caps = loop.caps if loop.serial == tag else []
            here = [found for found in caps if found.place == asked]
            in_helpers = [found for found in caps if not self._is_in_function(found.place)]
            for found in here or (in_helpers if len(in_helpers) == 1 else []):
                found.goes_on = True

    def _is_in_function(self, place: Place) -> bool:
        """Whether a place is in the function that runs."""
        frame = self.chain[-1] if self.chain else None
        span = frame.function.span if frame is not None and frame.function is not None else None
        if frame is None or span is None:
            return True
        return place.path == frame.path and within(place.span, span)

    def fork(self, test: Expr, state: State) -> list[State]:
        """One path for each value of a name that a test asks about, so that its answer narrows the value."""
        asked, given = self.world.once("names asked", test, lambda: (asked_names(test), asked_if_given(test)))
        if not asked and not given:
            return [state]
        names = [name for name in asked if type(state.locals.get(name)) is Choice]
        forks = [state]
        for name in names[:1]:
            value = state.locals[name]
            forks = []
            for tag, option in options(value):
                fork = state.copy()
                fork.locals[name] = option
                fork.tag = tag if tag is not None else state.tag
                forks.append(fork)
        for name in () if names else given:
            ways = parted(state.locals.get(name))
            if ways is not None:
                forks = [state.copy() for _ in ways]
                forks[0].locals[name], forks[1].locals[name] = ways
                break
        return forks

    def _remember(self, test: Value) -> None:
        """The states that the tool, and the innermost loop, asks about."""
        if self.muted:
            return
        if type(test) is Constant:
            return
        for leaf in (test,) if type(test) is StateTest else leaves(test):
            if type(leaf) is not StateTest:
                continue
            if leaf.outside:
                self.asked_states.update(leaf.states)
            if self.loops:
                self.loops[-1].states.update(leaf.states)
                self.loops[-1].tests_outside = self.loops[-1].tests_outside or leaf.outside

    def split(self, test: Value, tag: int | None, place: Place) -> list[tuple[bool, int | None]]:
        """The answers that a test can give, each with the cap that it speaks of."""
        if type(test) is StateTest:
            return [(True, tag), (False, tag)]
        match test:
            case Constant(value=value):
                return [(bool(value), tag)]
            case CapTest(passed=passed):
                return self._split_cap(test, tag, passed, place)
            case StopTest(signal=signal, fired=fired):
                return self._split_stop(signal, tag, fired, place)
            case Choice(options=alternatives):
                found: list[tuple[bool, int | None]] = []
                for own, option in alternatives:
                    found.extend(self.split(as_test(option), own if own is not None else tag, place))
                return list(dict.fromkeys(found))
            case Both(left=left, right=right):
                found = []
                for answer, own in self.split(left, tag, place):
                    found.extend(self.split(right, own, place) if answer else [(False, own)])
                return list(dict.fromkeys(found))
            case Either(left=left, right=right):
                found = []
                for answer, own in self.split(left, tag, place):
                    found.extend([(True, own)] if answer else self.split(right, own, place))
                return list(dict.fromkeys(found))
            case _:
                return [(True, tag), (False, tag)]

    def _split_cap(self, test: CapTest, tag: int | None, passed: bool, place: Place) -> list[tuple[bool, int | None]]:
        loop = self._loop_of(test)
        if loop is None:
            return [(True, tag), (False, tag)]
        if tag == loop.serial:
            return [(passed, tag)]
        counter = test.counter
        if counter is not None and counter.counts != "each":
            if counter not in loop.weak_counters:
                loop.weak_counters.append(counter)
            if counter.counts == "some":
                loop.unknown_exit = loop.unknown_exit or f"`{counter.name}` counts some of the laps"
            return [(True, tag), (False, tag)]
        how = "clock" if test.kind == "clock" else "count"
        self.offer_cap(loop, how, test, place)
        return [(passed, loop.serial), (not passed, tag)]

    def _loop_of(self, test: CapTest) -> LoopRun | None:
        if test.kind == "count":
            return next((loop for loop in self.loops if loop.serial == test.serial), None)
        return self.loop_after(test.serial)

    def offer_cap(self, loop: LoopRun, how: str, test: CapTest, place: Place) -> None:
        """Remember a bound that is tested; it counts once a path is seen to leave the loop by it."""
        self.cap_found(loop, how, test.limit, test.scale, place)
        for found in loop.caps:
            if found.place == place and found.how == how:
                found.counter = test.counter

    def _split_stop(self, signal: Signal, tag: int | None, fired: bool, place: Place) -> list[tuple[bool, int | None]]:
        if tag is not None:
            return [(fired if signal.deadline else not fired, tag)]
        answers: list[tuple[bool, int | None]] = []
        if signal.stop or not signal.deadline:
            self.stop_is_seen()
            answers.append((fired, tag))
        if signal.deadline:
            bounded = self.bound_by(signal, place)
            answers.append((fired, bounded[0].serial if bounded else tag))
        answers.append((not fired, tag))
        return list(dict.fromkeys(answers))
