"""Executing `try` and `with`: exceptions, what catches them, and bounds around a block."""

from __future__ import annotations

from waitlint.catalog import Api
from waitlint.facts import Handler, Try, With
from waitlint.finding import Place
from waitlint.interpret.alternatives import choice, options
from waitlint.interpret.cancels import Cancels
from waitlint.interpret.events import Scope
from waitlint.interpret.frames import Frame
from waitlint.interpret.paths import exception_names, merged
from waitlint.interpret.raising import Caught
from waitlint.interpret.values import (
    NOTHING,
    ClassRef,
    Constant,
    Deferred,
    External,
    FunctionRef,
    Instance,
    Items,
    Unknown,
    Value,
    time_left,
)
from waitlint.interpret.ways import Exit, State

# Bounds that end what runs inside them without an error.
FALLS_THROUGH = ("move_on_after", "move_on_at", "CancelScope")
LEAVING = "__exit__"


class Blocks(Cancels):
    # ------------------------------------------------------------ exceptions and scopes

    def run_try(self, stmt: Try, state: State, frame: Frame) -> list[State]:
        entry = state.copy()
        outer, self.exits = self.exits, []
        first = self.serial
        after = self.block(stmt.body, [state], frame)
        inside_, self.exits = self.exits, outer
        after = self.block(stmt.orelse, after, frame) if stmt.orelse else after
        raised = [way for way in inside_ if way.kind == "raise"]
        for way in inside_:
            if way.kind != "raise":
                self.keep(way)
        if not stmt.handlers:
            for way in raised:
                self.keep(way)
        handled: list[State] = []
        if not after and not raised and _only_hands_out(inside_):
            return []
        for position, handler in enumerate(stmt.handlers):
            self.note_swallowed(handler, stmt, frame)
            self.note_taken(handler, stmt, first, frame)
            unforeseen = entry.copy()
            unforeseen.tag = state.tag
            taken = [Exit("raise", unforeseen, Unknown("an exception"))]
            for way in raised:
                if self._catches(handler, way, frame):
                    taken.append(way)
                elif position == len(stmt.handlers) - 1:
                    self.keep(way)
            for met, value in _met(taken):
                handled.extend(self._handle(handler, met, value, frame))
        after = merged([*after, *handled])
        if stmt.final:
            self.note_left_in_finally(stmt, frame)
            after = self.block(stmt.final, after, frame)
        return after

    def _caught_names(self, handler: Handler, frame: Frame) -> set[str]:
        if handler.type is None:
            return set()
        caught = self.evaluate(handler.type, frame)
        if isinstance(caught, Items):
            return {name for item in caught.items for name in exception_names(item)}
        return {name for _, option in options(caught) for name in exception_names(option)}

    def _catches(self, handler: Handler, way: Exit, frame: Frame) -> bool:
        """Whether a handler takes an exception. Types that are not in view are taken to match."""
        if handler.type is None:
            return True
        wanted = self._caught_names(handler, frame)
        thrown = exception_names(way.value)
        if not wanted or not thrown or wanted & {"Exception", "BaseException"}:
            return True
        if isinstance(way.value, Instance) and isinstance(way.value.type, ClassRef):
            return bool(wanted & self._ancestors(way.value.type))
        return bool(wanted & thrown)

    def _ancestors(self, ref: ClassRef, depth: int = 5) -> set[str]:
        definition = self.world.facts(ref.path).classes[ref.index]
        names = {definition.name}
        if depth > 0:
            for base in definition.bases:
                value = self.evaluate(base, Frame(ref.path, None, ref.frame))
                names |= self._ancestors(value, depth - 1) if isinstance(value, ClassRef) else exception_names(value)
        return names

    def _handle(self, handler: Handler, state: State, value: Value, frame: Frame) -> list[State]:
        frame.locals, self.tag = state.locals, state.tag
        if handler.name:
            state.locals[handler.name] = value
        with self.handling(Caught(value, handler)):
            return self.block(handler.body, [state], frame)

    def run_with(self, stmt: With, state: State, frame: Frame) -> list[State]:
        scopes: list[Scope] = []
        waited_for: list[tuple[Instance, Api, Place]] = []
        for context, target in stmt.items:
            value = self.settle(self.evaluate(context, frame))
            self.note_suppressed(context, stmt.body, frame)
            if isinstance(value, Instance) and isinstance(value.type, External):
                api = self.apis.named(value.type.name)
                at_its_end = self.apis.method(value.type.name, LEAVING)
                if at_its_end is not None and LEAVING in at_its_end.methods:
                    waited_for.append((value, at_its_end, frame.place(context.span)))
                if api is not None and api.kind == "scope":
                    raises = not value.type.name.endswith(FALLS_THROUGH)
                    length = time_left(self.slot(api.seconds, list(value.args)) or NOTHING)
                    if not (isinstance(length, Constant) and length.value is None):
                        place = frame.place(context.span)
                        shield = value.argument("shield")
                        shielded = isinstance(shield, Constant) and shield.value is True
                        scopes.append(Scope(length, (), place, self.next_serial(), raises, is_shielded=shielded))
            if target is not None:
                entered = self._entered(value, frame)
                self.bind(target, entered, frame)
        if not self.carry_on(state, frame):
            return []
        finished, noted = len(self.finished_loops), len(self.events)
        self.scopes.extend(scopes)
        try:
            after = self.block(stmt.body, [state], frame)
        finally:
            del self.scopes[len(self.scopes) - len(scopes) :]
        for opened, row, at in waited_for if after else ():
            self._leave(opened, row, at, frame, noted)
        for scope in scopes:
            ended = self.finished_loops[finished:]
            if scope.raises and scope.seconds is not None and (around := self.ended_by(scope.seconds, scope.place)):
                ended = [*ended, around]
            for loop in ended:
                ahead = State(dict(frame.locals), loop.serial)
                if scope.raises:
                    self.leave(Exit("raise", ahead, External("TimeoutError"), scope.place))
                else:
                    after.append(ahead)
        return merged(after)

    def _leave(self, value: Instance, api: Api, place: Place, frame: Frame, noted: int) -> None:
        """Wait at the end of a block for what it was opened with, unless something in it has waited for that."""
        kinds = set(api.of)
        if not any(event.kind == "block" and event.label.rpartition(".")[0] in kinds for event in self.events[noted:]):
            kind = value.type.name if isinstance(value.type, External) else ""
            self.api_call(api, value, [], place, frame, f"{kind}.{LEAVING}")

    def _entered(self, value: Value, frame: Frame) -> Value:
        if isinstance(value, Instance) and isinstance(value.type, ClassRef):
            for name in ("__enter__", "__aenter__"):
                method = self.class_member(value.type, name, value)
                if isinstance(method, FunctionRef):
                    span = self.world.facts(method.path).functions[method.index].span
                    return self.settle(self.call_function(method, [], Place(method.path, span)))
        return value


def _only_hands_out(ways: list[Exit]) -> bool:
    """Whether each way out gives back what was not awaited yet: what fails then fails where it is awaited."""
    return bool(ways) and all(way.kind == "return" and isinstance(way.value, Deferred) for way in ways)


def _met(ways: list[Exit]) -> list[tuple[State, Value]]:
    """The paths on which exceptions are in one handler's hand: those that passed the same cap are one from there on.

    What they carry are the alternatives of one value.
    """
    by_tag: dict[int | None, list[Exit]] = {}
    for way in ways:
        by_tag.setdefault(way.state.tag, []).append(way)
    return [
        (merged([way.state.copy() for way in alike])[0], choice([(None, way.value) for way in alike]))
        for alike in by_tag.values()
    ]
