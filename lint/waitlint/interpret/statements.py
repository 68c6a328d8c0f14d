"""Executing statements: paths, exits, and what leads to each."""

from __future__ import annotations

from waitlint.facts import (
    Assign,
    Define,
    DefineClass,
    Do,
    Expr,
    Function,
    If,
    Import,
    Jump,
    Loop,
    Raise,
    Return,
    Stmt,
    Try,
    With,
)
from waitlint.finding import Place
from waitlint.interpret.alternatives import by_cap, choice, inside, options
from waitlint.interpret.answers import note_asked
from waitlint.interpret.branches import Branches
from waitlint.interpret.calls import Args
from waitlint.interpret.errors import refuses
from waitlint.interpret.frames import Frame
from waitlint.interpret.paths import FEW_EXITS, MAX_EXITS, is_unknown_test, merged, together
from waitlint.interpret.raising import IN_HAND, Raised
from waitlint.interpret.tests import as_test, asks_if_over, failure_if, leaves, negate
from waitlint.interpret.values import (
    NOTHING,
    Choice,
    ClassRef,
    Constant,
    Deferred,
    External,
    FunctionRef,
    Instance,
    Items,
    ModelArgument,
    Outside,
    StateTest,
    Textual,
    Unknown,
    Value,
)
from waitlint.interpret.ways import Exit, State, Way


def _parted(states: list[State], given: Value) -> list[State]:
    """The paths behind a call whose answer nobody takes: one for each cap that it may have reached."""
    if type(given) is not Choice:
        return states
    tags = {tag for tag, _ in given.options} - {None}
    parted = list(states)
    for state in states:
        for tag in sorted(tag for tag in tags if tag is not None):
            ahead = state.copy()
            ahead.tag = tag
            parted.append(ahead)
    return parted


class Statements(Branches):
    exits: list[Exit]

    # ------------------------------------------------------------ functions

    def run_function(self, ref: FunctionRef, args: Args, place: Place | None) -> Value:
        function = self.world.facts(ref.path).functions[ref.index]
        same = 0
        for running in self.chain:
            if running.function is function:
                same += 1
        if same > 1 or len(self.chain) >= self.deepest:
            return Unknown("too deep a recursion") if not same else Outside(place or Place(ref.path, function.span))
        parent = ref.frame
        if parent is None:
            parent = self.world.parent_frame(ref.path, function)
        frame = Frame(ref.path, function, parent, ref.receiver, place)
        frame.shared = self.world.shared_names(ref.path, ref.index)
        frame.tests = len(self.tests)
        self.chain.append(frame)
        outer_exits, self.exits = getattr(self, "exits", []), []
        tag, tests, failed, was_async = self.tag, len(self.tests), self.after_failure, self.in_async
        self.in_async = was_async or function.is_async
        try:
            self.bind_arguments(frame, function, args, ref.receiver)
            states = self.block(function.body, [State(frame.locals, tag, failed)], frame)
            return self._by_its_type(self._result(function, states, self.exits, tag, place), function, frame)
        finally:
            del self.tests[tests:]
            self.tag = tag
            self.after_failure = failed
            self.in_async = was_async
            self.exits = outer_exits
            self.chain.pop()

    def _result(
        self, function: Function, states: list[State], exits: list[Exit], before: int | None, place: Place | None
    ) -> Value:
        """What a call gives back, with the caps that led to it; exceptions go on to the caller."""
        results: list[tuple[int | None, Value]] = []
        for way in exits:
            tag = way.state.tag if way.state.tag != before else None
            if way.kind == "return":
                results.append((tag, way.value))
            elif way.kind == "raise" and way.place is not None:
                self.pending.append(Raised(way.state.tag, way.value, way.place, way.tests))
        for state in states:
            tag = state.tag if state.tag != before else None
            results.append((tag, NOTHING))
        self._note_unknown_answers(exits)
        if self.loops and not self.muted:
            note_asked(self.loops[-1], function, self.chain[-1].place(function.span), exits)
        if function.is_generator:
            return Items((Outside(place or Place("", function.span)),), open=True)
        self.never_returns = not results
        return choice(results) if results else Unknown("it never returns")

    def _by_its_type(self, given: Value, function: Function, frame: Frame) -> Value:
        """What a function gives, or else an object of the class of the project that it says to give."""
        if self.never_returns or function.returns is None or function.is_generator:
            return given
        if isinstance(given, Choice):
            return choice([(tag, self._said_to_give(option, function.returns, frame)) for tag, option in given.options])
        return self._said_to_give(given, function.returns, frame)

    def _said_to_give(self, given: Value, returns: Expr, frame: Frame) -> Value:
        if not isinstance(given, Unknown | Outside):
            return given
        said = self.said_to_be(given, returns, frame)
        return said if isinstance(said, Outside) or any(self._is_known(one) for _, one in options(said)) else given

    def _is_known(self, value: Value) -> bool:
        """Whether a value is an object of the project, or of a class whose methods the catalog knows."""
        kind = value.type if isinstance(value, Instance) else None
        return isinstance(kind, ClassRef) or (isinstance(kind, External) and self.apis.is_known(kind.name))

    def _note_unknown_answers(self, exits: list[Exit]) -> None:
        """A helper that answers yes or no for reasons that are not in view may be a bound of the loop that asks it."""
        answers = [way for way in exits if way.kind == "return" and isinstance(way.value, Constant)]
        if len({way.value for way in answers}) < 2 or not self.loops:
            return
        for way in answers:
            for test in way.tests:
                if any(is_unknown_test(leaf) for leaf in leaves(test)):
                    self.loops[-1].unknown_exit = self.loops[-1].unknown_exit or "a helper decides when it ends"

    # ------------------------------------------------------------ blocks

    def block(self, body: tuple[Stmt, ...], states: list[State], frame: Frame) -> list[State]:
        """Execute statements on each path; what comes out at the end. Other ways out go to `exits`."""
        for stmt in body:
            if not states:
                return []
            after: list[State] = []
            for state in states:
                frame.locals = state.locals
                self.tag = state.tag
                self.after_failure = state.failed
                self.never_returns = False
                after.extend(self.statement(stmt, state, frame))
            states = after if len(after) < 2 else merged(after)
        if states:
            frame.locals = states[-1].locals
        return states

    def statement(self, stmt: Stmt, state: State, frame: Frame) -> list[State]:
        self.step()
        ways: list[State] = getattr(self, STATEMENTS[type(stmt)])(stmt, state, frame)
        return ways

    def _do(self, stmt: Do, state: State, frame: Frame) -> list[State]:
        given = self.evaluate(stmt.value, frame)
        self.start(given)
        behind = self.carry_on(state, frame)
        return behind if type(stmt.value) is Assign else _parted(behind, given)

    def _raise(self, stmt: Raise, state: State, frame: Frame) -> list[State]:
        raised = self.evaluate(stmt.value, frame) if stmt.value is not None else self._in_hand()
        if not self.muted:
            self.said.extend(part for part in inside(raised) if isinstance(part, Textual))
        self.carry_on(state, frame)
        for _, option in options(raised):
            self.leave(Exit("raise", state, option, frame.place(stmt.span)))
        return []

    def _jump(self, stmt: Jump, state: State, frame: Frame) -> list[State]:
        self.leave(Exit(stmt.kind, state, label=stmt.label))
        return []

    def _define(self, stmt: Define, state: State, frame: Frame) -> list[State]:
        function = self.world.facts(frame.path).functions[stmt.index]
        state.locals[function.name] = FunctionRef(frame.path, stmt.index, frame)
        return [state]

    def _define_class(self, stmt: DefineClass, state: State, frame: Frame) -> list[State]:
        definition = self.world.facts(frame.path).classes[stmt.index]
        state.locals[definition.name] = ClassRef(frame.path, stmt.index, frame)
        return [state]

    def _import(self, stmt: Import, state: State, frame: Frame) -> list[State]:
        state.locals[stmt.local] = self.world.imported(frame.path, stmt.module, stmt.name)
        return [state]

    def _in_hand(self) -> Value:
        """What a `raise` without a value raises again."""
        return self.caught[-1].value if self.caught else IN_HAND

    def run_loop(self, loop: Loop, state: State, frame: Frame) -> list[State]:
        raise NotImplementedError

    def run_try(self, stmt: Try, state: State, frame: Frame) -> list[State]:
        raise NotImplementedError

    def run_with(self, stmt: With, state: State, frame: Frame) -> list[State]:
        raise NotImplementedError

    def leave(self, way: Exit) -> None:
        """A way out of what is running. At a loop's cap it proves that the loop has one."""
        way.tests = tuple(self.tests)
        self._note_left(way)
        self.keep(way)

    def _note_left(self, way: Exit) -> None:
        """Remember by which statement a function ends once the cap of a loop in it is reached."""
        if way.state.tag is None or way.place is None or self.muted or way.kind not in ("return", "raise"):
            return
        for run in (*self.loops, *self.finished_loops):
            if run.serial == way.state.tag and run.frames == tuple(self.chain) and way.place not in run.left_at:
                run.left_at.append(way.place)

    def carry_on(self, state: State, frame: Frame) -> list[State]:
        """The path after an expression: exceptions that it let loose leave, the rest goes on."""
        state.locals = frame.locals
        if self.pending:
            for raised in self.pending:
                ahead = State(dict(frame.locals), raised.tag if raised.tag is not None else state.tag)
                way = Exit("raise", ahead, raised.value, raised.place)
                self.leave(way)
                way.tests = (*way.tests, *raised.tests)
            self.pending.clear()
        if self.never_returns:
            self.never_returns = False
            return []
        return [state]

    def _return(self, stmt: Return, state: State, frame: Frame) -> list[State]:
        result = self.evaluate(stmt.value, frame) if stmt.value is not None else NOTHING
        if isinstance(result, Deferred) and frame.function is not None and frame.function.is_async:
            result = self.settle(result)
        if not self.carry_on(state, frame):
            return []
        if not self.muted:
            self.said.extend([part for part in inside(result, depth=6) if type(part) is Textual])
        place = frame.place(stmt.span)
        for tag, option in by_cap(result):
            frame.left = frame.left or self._leaves_early(option, state, frame)
            ahead = State(state.locals, tag if tag is not None else state.tag, state.failed)
            self.leave(Exit("return", ahead, option, place))
        return []

    def _leaves_early(self, value: Value, state: State, frame: Frame) -> bool:
        """Whether a way ends a function here that did not have to, and neither failed nor found the work to be over."""
        if self.muted or self.caught or state.failed:
            return False
        may_part = bool(self.forks) or not all(asks_if_over(test) for test in self.tests[frame.tests :])
        return may_part and not refuses(value)

    # ------------------------------------------------------------ branches

    def _if(self, stmt: If, state: State, frame: Frame) -> list[State]:
        forks = self.fork(stmt.test, state)
        ways = [way for fork in forks for way in self._answers(stmt, fork, frame)]
        after: list[State] = []
        refused: tuple[str, Value] | None = None
        asked = frame.place(stmt.test.span)
        for answer in (True, False):
            for taken in together([way for way in ways if way.answer is answer]):
                mark = len(self.tests)
                for way in taken:
                    if type(way.test) is not Constant and way.test not in self.tests[mark:]:
                        self.tests.append(way.test)
                is_fork = 1 if len(taken) != len(forks) > 1 else 0
                self.forks += is_fork
                try:
                    body = stmt.body if answer else stmt.orelse
                    behind = self.block(body, merged([way.branch for way in taken]), frame)
                    after.extend(behind)
                    for way in taken:
                        tag = way.branch.tag
                        if tag is not None and tag != way.before and any(left.tag == tag for left in behind):
                            self._goes_on(tag, asked)
                    if answer and not behind:
                        refused = self._refused(stmt.test, frame)
                finally:
                    self.forks -= is_fork
                    del self.tests[mark:]
        for left in after if refused is not None else ():
            if refused is not None and isinstance(left.locals.get(refused[0]), ModelArgument):
                left.locals[refused[0]] = refused[1]
        return after

    def _answers(self, stmt: If, fork: State, frame: Frame) -> list[Way]:
        """The answers that a test can give on one path, each with the path behind it."""
        frame.locals, self.tag = fork.locals, fork.tag
        test = as_test(self.evaluate(stmt.test, frame))
        if not self.carry_on(fork, frame):
            return []
        if self.loops and all(is_unknown_test(leaf) for leaf in leaves(test)) and self._is_fixed(stmt.test, frame):
            test = StateTest(outside=False, invariant=True)
        self._remember(test)
        ways: list[Way] = []
        for answer, tag in self.split(test, fork.tag, frame.place(stmt.test.span)):
            branch = fork.copy()
            branch.tag = tag
            branch.failed = fork.failed or failure_if(test, answer)
            said = test if answer or isinstance(test, Constant) else negate(test)
            ways.append(Way(answer, said, branch, fork.tag))
        return ways

    def keep(self, way: Exit) -> None:
        """Remember a way out. Of many, those that say nothing new are left out, so that the last ones find room."""
        if len(self.exits) < FEW_EXITS or (
            len(self.exits) < MAX_EXITS and not any(_leaves_alike(way, other) for other in self.exits)
        ):
            self.exits.append(way)
        elif len(self.exits) >= MAX_EXITS:
            for loop in self.loops:
                loop.unknown_exit = loop.unknown_exit or "there are more ways out than are followed"
            raised = [one for one in self.exits if one.kind == "raise"]
            if way.kind != "raise" and len(raised) > 1:
                self.exits.remove(raised[-1])
                self.exits.append(way)


def _leaves_alike(way: Exit, other: Exit) -> bool:
    return (way.kind, way.state.tag, way.value, way.label) == (other.kind, other.state.tag, other.value, other.label)


STATEMENTS: dict[type, str] = {
    Do: "_do",
    Return: "_return",
    Raise: "_raise",
    If: "_if",
    Loop: "run_loop",
    Jump: "_jump",
    Try: "run_try",
    With: "run_with",
    Define: "_define",
    DefineClass: "_define_class",
    Import: "_import",
}
