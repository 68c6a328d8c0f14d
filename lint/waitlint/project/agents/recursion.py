"""Agents that go on by calling themselves: recursion, and steps that put themselves on the queue again."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from waitlint.facts import (
    Attr,
    Binary,
    Call,
    Comp,
    Const,
    Do,
    Expr,
    Func,
    Function,
    If,
    Index,
    Loop,
    Name,
    Opaque,
    Return,
    Stmt,
    Try,
    With,
)
from waitlint.finding import Evidence, Place
from waitlint.interpret.alternatives import options
from waitlint.interpret.syntax import calls_in, nodes
from waitlint.interpret.values import External, FunctionRef, MethodOf
from waitlint.linked import UNANSWERED, AgentLoop, Answer, Certainty, Ending, Known, Limit
from waitlint.project.agents.exits import may_be_a_bound
from waitlint.project.agents.forced import Forced, with_inner
from waitlint.project.agents.loops import HandWritten
from waitlint.project.agents.roots import Root
from waitlint.project.agents.sayings import names_from_model, names_in
from waitlint.project.agents.speakers import is_person
from waitlint.project.durations import absent
from waitlint.project.sources import Sources
from waitlint.project.world import ProjectWorld
from waitlint.spelled import tail, within

LATER = frozenset(
    {
        "setImmediate",
        "setTimeout",
        "queueMicrotask",
        "nextTick",
        "call_soon",
        "call_soon_threadsafe",
        "call_later",
        "requestIdleCallback",
        "enqueue",
        "defer",
        "submit",
    }
)
THROUGH = frozenset({"map", "forEach", "flatMap", "reduce", "filter"})
SOMEONES = re.compile(r"(?:user|human)_?(?:interrupt|input|message|reply|replied|said|answer)|interrupted", re.I)
PARTS = frozenset({"slice", "pop", "shift", "children", "parent", "next", "rest", "tail", "left", "right", "subtasks"})


@dataclass(frozen=True, slots=True)
class Again:
    """A place where a function calls itself, or has itself called later.

    `tests` stand above it, `over` are the loops around it, `caught` where it stands in a handler of failures.
    """

    call: Call
    tests: tuple[Expr, ...]
    over: tuple[Loop, ...]
    caught: bool
    later: bool


class Recursion:
    """Finds functions that reach a model and themselves."""

    def __init__(self, world: ProjectWorld, by_hand: HandWritten, sources: Sources) -> None:
        self.world = world
        self.by_hand = by_hand
        self.sources = sources
        self.forced = Forced(sources)

    def loops(self) -> Iterator[AgentLoop]:
        for root in sorted(self.by_hand.roots.reaching, key=lambda one: (one.path, one.index or -1)):
            if root.index is None or root.path not in self.by_hand.roots.wanted:
                continue
            function = self.world.files[root.path].functions[root.index]
            if not function.name:
                continue
            candidates = [one for one in self._again(root, function) if not one.caught and not self._led_by(root, one)]
            if not candidates:
                continue
            facts, asks = self.world.files[root.path], self.by_hand.asks(root.path)
            said = names_from_model(function.body, asks)
            passed = [node.test for node in nodes(function.body) if isinstance(node, If)]
            again = [one for one in candidates if _by_model(said, passed, one)]
            sure = bool(again) and self._asks(root, function)
            if not sure:
                # From further away, or in a callback, only where it is sure that it goes on to a depth that is set.
                said = names_from_model(with_inner(function.body, facts), asks)
                again = [one for one in candidates if _by_model(said, passed, one)]
                if not again or not self.by_hand.roots.leading.of(root.path, root.index, function.body):
                    continue
            if self._asks_a_person(root, function):
                continue
            forced = self._forced(root, function, again)
            if sure or forced.yes:
                yield self._loop(root, function, again, said, forced)

    # ------------------------------------------------------------ where it calls itself

    def _again(self, root: Root, function: Function) -> list[Again]:
        called = self.world.calls_named(root.path, LATER | {function.name})
        if not any(within(found.call.span, function.span) and _is_of(found.call, function.name) for found in called):
            return []
        return [one for one in self._in(function.body, root, function, (), (), caught=False) if self._is(one, root)]

    def _in(
        self,
        body: tuple[Stmt, ...],
        root: Root,
        function: Function,
        tests: tuple[Expr, ...],
        over: tuple[Loop, ...],
        *,
        caught: bool,
    ) -> Iterator[Again]:
        for stmt in body:
            match stmt:
                case If(test=test, body=then, orelse=orelse):
                    yield from self._calls((Do(test.span, test),), root, function, tests, over, caught=caught)
                    yield from self._in(then, root, function, (*tests, test), over, caught=caught)
                    yield from self._in(orelse, root, function, (*tests, test), over, caught=caught)
                case Loop(body=within):
                    yield from self._in(within, root, function, tests, (*over, stmt), caught=caught)
                case Try(body=tried, handlers=handlers, orelse=orelse, final=final):
                    yield from self._in((*tried, *orelse, *final), root, function, tests, over, caught=caught)
                    for handler in handlers:
                        yield from self._in(handler.body, root, function, tests, over, caught=True)
                case With(body=within):
                    yield from self._in(within, root, function, tests, over, caught=caught)
                case _:
                    yield from self._calls((stmt,), root, function, tests, over, caught=caught)

    def _calls(
        self,
        body: tuple[Stmt, ...],
        root: Root,
        function: Function,
        tests: tuple[Expr, ...],
        over: tuple[Loop, ...],
        *,
        caught: bool,
    ) -> Iterator[Again]:
        for call in calls_in(body, self.world.files[root.path]):
            if _is_of(call, function.name):
                yield Again(call, tests, over, caught, later=tail(call.func) != function.name)

    def _is(self, again: Again, root: Root) -> bool:
        """Whether a call is really one of the function itself."""
        if again.later:
            return True
        return root in self._called(root, again.call)

    def _asks(self, root: Root, function: Function) -> bool:
        """Whether the function asks a model, itself or in what it calls: from further away it may not get there."""
        return self._asks_itself(root, function) or any(
            tail(call.func) in self.by_hand.roots.names
            and any(one != root and self._is_asker(one) for one in self._called(root, call))
            for call in calls_in(function.body, self.world.files[root.path])
        )

    def _asks_itself(self, root: Root, function: Function) -> bool:
        asking = self.by_hand.roots.asking.get(root.path, set())
        calls = calls_in(function.body, self.world.files[root.path])
        return any((call.span.start, call.span.end) in asking for call in calls)

    def _is_asker(self, root: Root) -> bool:
        return root.index is not None and self._asks_itself(root, self.world.files[root.path].functions[root.index])

    def _led_by(self, root: Root, again: Again) -> bool:
        """Whether someone's own word leads to it, such as a message that comes in between."""
        return any(SOMEONES.search(self.sources.excerpt(Place(root.path, test.span))) for test in again.tests)

    def _asks_a_person(self, root: Root, function: Function) -> bool:
        """Whether someone answers before it goes on: in the function, or in one that it calls."""
        for call in calls_in(function.body, self.world.files[root.path]):
            if self._is_question(root, call):
                return True
            for one in self._called(root, call):
                if one.index is None or one == root:
                    continue
                inner = self.world.files[one.path]
                if any(self._is_question(one, deep) for deep in calls_in(inner.functions[one.index].body, inner)):
                    return True
        return False

    def _is_question(self, root: Root, call: Call) -> bool:
        """Whether a call in a function asks a person, by its name or by that of the package it is from."""
        if is_person(tail(call.func)):
            return True
        func = self.world.evaluate(call.func, self.world.frame_for(root.path, root.index))
        return isinstance(func, External | MethodOf) and is_person(self.by_hand.names.name_of(func))

    def _called(self, root: Root, call: Call) -> list[Root]:
        """The functions of the project that a call means."""
        found = self.by_hand.names.call_at(Place(root.path, call.span))
        frame = self.world.frame_for(root.path, found.function if found is not None else root.index)
        func = self.world.evaluate(call.func, frame)
        return [Root(one.path, one.index) for _, one in options(func) if isinstance(one, FunctionRef)]

    # ------------------------------------------------------------ how far it goes

    def _loop(self, root: Root, function: Function, again: list[Again], said: set[str], forced: Answer) -> AgentLoop:
        first = again[0]
        place = Place(root.path, first.call.func.span if not first.later else first.call.span)
        steps = self._steps(root, function, again, said)
        name = f"`{function.name}` calls itself" if not first.later else f"`{function.name}` has itself called again"
        return AgentLoop(
            kind="recursion",
            place=place,
            scope=function.name,
            excerpt=self.sources.code(place),
            confidence="medium",
            steps=steps,
            unit="calls",
            ending=Ending.NEVER if steps.absent else Ending.UNKNOWN,
            time=absent("no clock ends it"),
            uses_tools=Answer(Known.UNKNOWN, name),
            forced=forced,
        )

    def _forced(self, root: Root, function: Function, again: list[Again]) -> Answer:
        """Whether it goes as deep as it is told, whatever it finds: at each place where it calls itself."""
        facts, asks = self.world.files[root.path], self.by_hand.asks(root.path)
        found = [self.forced.recursion(root.path, facts, function, one.call, asks) for one in again if not one.later]
        return found[0] if found and len(found) == len(again) and all(one.yes for one in found) else UNANSWERED

    def _steps(self, root: Root, function: Function, again: list[Again], said: set[str]) -> Limit:
        for one in again:
            reason = self._bounded(root, function, one)
            if reason:
                return Limit(Certainty.UNKNOWN, how=reason)
        facts = self.world.files[root.path]
        for branch in nodes(function.body):
            if isinstance(branch, If) and _returns(branch) and not said & names_in(branch.test):
                text = self.sources.excerpt(Place(root.path, branch.test.span))
                return Limit(Certainty.UNKNOWN, how=f"it also ends at `{' '.join(text.split())[:60]}`")
        for node in _nodes_with_inner(function.body, facts.functions):
            if isinstance(node, If):
                text = self.sources.excerpt(Place(root.path, node.test.span))
                if may_be_a_bound(text):
                    return Limit(Certainty.UNKNOWN, how=f"`{' '.join(text.split())[:60]}` may bound it")
        shown = tuple(Evidence(Place(root.path, one.call.span), "it goes on here") for one in again[:2])
        return Limit(Certainty.ABSENT, 0.0, "nothing counts how deep it goes", shown)

    def _bounded(self, root: Root, function: Function, again: Again) -> str:
        """Why a recursion may have an end: a number that goes up or down, a part of what it was given."""
        given = {param.name for param in function.params}
        for arg in again.call.args:
            for node in _expressions(arg.value):
                text = " ".join(self.sources.excerpt(Place(root.path, node.span)).split())
                if isinstance(node, Binary) and node.op in ("+", "-") and _counts(node):
                    return f"`{text}` may count how deep it goes"
                if isinstance(node, Attr | Index) and _is_part(node, given):
                    return f"it goes into the parts of what it is given: `{text}`"
                if may_be_a_bound(text) and isinstance(node, Name | Attr):
                    return f"`{text}` may bound it"
        for test in again.tests:
            if any(isinstance(node, Binary) and node.op in ("in", "not in") for node in _expressions(test)):
                return "what it has seen already may bound it"
        used = {name for arg in again.call.args for name in _names_in(arg.value)}
        for targets, iterable in self._gone_through(root, function, again):
            if targets & used and given & _names_in(iterable):
                return "it goes through the parts of what it is given"
        return ""

    def _gone_through(self, root: Root, function: Function, again: Again) -> Iterator[tuple[set[str], Expr]]:
        """The names for items, and what they are items of, in loops, comprehensions and callbacks of the function."""
        for loop in again.over:
            if loop.iterable is not None and loop.target is not None:
                yield _names_in(loop.target), loop.iterable
        functions = self.world.files[root.path].functions
        for node in _nodes_with_inner(function.body, functions):
            if isinstance(node, Comp):
                yield _names_in(node.target), node.iterable
            elif isinstance(node, Call) and isinstance(node.func, Attr) and node.func.name in THROUGH:
                for arg in node.args:
                    if isinstance(arg.value, Func):
                        yield {param.name for param in functions[arg.value.index].params}, node.func.base


def _by_model(said: set[str], passed: list[Expr], again: Again) -> bool:
    """Whether the model has a say in it: in a test above it, in one that it gets past, or in what it is given."""
    exprs = [*again.tests, *passed, *(arg.value for arg in again.call.args)]
    return any(said & names_in(expr) for expr in exprs)


def _is_of(call: Call, name: str) -> bool:
    """Whether a call may be one of a function of this name, or one that has it called later."""
    called = tail(call.func)
    return called == name or (called in LATER and any(_names(arg.value, name) for arg in call.args))


def _names(expr: Expr, name: str) -> bool:
    """Whether an argument is a function by its name: plain, bound, or called in place."""
    match expr:
        case Name(name=found) | Attr(name=found):
            return found == name
        case Call(func=Attr(base=base, name="bind")):
            return _names(base, name)
        case _:
            return False


def _counts(node: Binary) -> bool:
    return isinstance(node.right, Const) and isinstance(node.right.value, int) and isinstance(node.left, Name | Attr)


def _is_part(node: Attr | Index, given: set[str]) -> bool:
    """Whether an expression is a smaller part of a parameter: a child, a slice, a rest."""
    if isinstance(node, Index):
        return isinstance(node.key, Opaque) and any(
            isinstance(one, Name) and one.name in given for one in _expressions(node.base)
        )
    return node.name in PARTS and any(isinstance(one, Name) and one.name in given for one in _expressions(node.base))


def _names_in(expr: Expr) -> set[str]:
    return {node.name for node in _expressions(expr) if isinstance(node, Name)}


def _expressions(expr: Expr) -> Iterator[Expr]:
    for node in nodes((Do(expr.span, expr),)):
        if hasattr(node, "span") and not isinstance(node, Do):
            yield node  # type: ignore[misc]


def _nodes_with_inner(body: tuple[Stmt, ...], functions: tuple[Function, ...], depth: int = 2) -> Iterator[object]:
    for node in nodes(body):
        yield node
        if isinstance(node, Func) and depth > 0:
            yield from _nodes_with_inner(functions[node.index].body, functions, depth - 1)


def _returns(branch: If) -> bool:
    return any(isinstance(stmt, Return) for stmt in branch.body)
