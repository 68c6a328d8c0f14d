"""What the type of an object says that its functions are called with: `const look: ToolDefinition = { run(ctx) … }`."""

from __future__ import annotations

from collections.abc import Iterator

from waitlint.facts import Assign, Attr, Do, Expr, Func, Index, Map, Name, Opaque, Return, Span, Str
from waitlint.interpret.frames import Frame
from waitlint.interpret.interfaces import alternatives_of, own_classes
from waitlint.interpret.members import IS_STOP
from waitlint.interpret.values import ClassRef, FunctionRef, Instance, ModelArgument, Record, Unknown, Value
from waitlint.project.found import Found, FoundMap
from waitlint.project.world import ProjectWorld

DEEP = 4
# What the model's input is called in an object that holds more.
INPUTS = ("params", "args", "arguments", "input", "parameters")
Types = tuple[Value | None, ...]
# A type, and the frame in which its names mean something.
Placed = tuple[Expr, Frame]


class HandedTypes:
    """Finds the types of a handler's parameters by the type of the object that holds it."""

    def __init__(self, world: ProjectWorld) -> None:
        self.world = world

    def of(self, held: FoundMap, key: str, given_to: dict[Span, Found]) -> Types:
        """The values of the parameters of the function under a key, as far as types say: None for what they don't."""
        for annotation, frame in self._types_of(held, given_to):
            signature = self._member(annotation, key, frame)
            if signature is not None:
                written, where = signature
                parts = written.parts[:-1] if isinstance(written, Opaque) else ()
                return tuple(
                    self._value(part, where) if at else self._first(part, where) for at, part in enumerate(parts)
                )
        return ()

    def _first(self, annotation: Expr, frame: Frame) -> Value | None:
        """The first parameter where the model's input is a part of it: that, and its parts of the project's own."""
        value = self.world.typed(annotation, frame)
        held = value.fields if isinstance(value, Instance) else (value.entries if isinstance(value, Record) else {})
        parts = {name: part for name, part in held.items() if own_classes(part)}
        declared = {name for ref in own_classes(value) for name in self.world.members(ref.path, ref.index)}
        inputs = {name: ModelArgument("") for name in INPUTS if name in declared and name not in parts}
        return Record({**inputs, **parts}, open=True) if inputs else None

    def _value(self, annotation: Expr, frame: Frame) -> Value | None:
        value = self.world.typed(annotation, frame)
        return None if isinstance(value, Unknown) or self._may_hold_a_stop(value) else value

    def _may_hold_a_stop(self, value: Value) -> bool:
        """Whether an object has a part that is called like a stop signal: what may fire that is not in view."""
        names = (name for ref in own_classes(value) for name in self.world.members(ref.path, ref.index))
        return any(IS_STOP.search(name) for name in names)

    def _types_of(self, held: FoundMap, given_to: dict[Span, Found]) -> Iterator[Placed]:
        """The types that an object literal may have: of what it is bound to, handed to, or given back by."""
        for stmt in self.world.bindings(held.path).get(held.bound, ()) if held.function is None else ():
            if isinstance(stmt, Do) and isinstance(stmt.value, Assign) and stmt.value.value is held.map:
                yield from self._apart(stmt.value.annotation, Frame(held.path, None))
        found = given_to.get(held.map.span)
        if found is not None:
            yield from self._of_argument(found, held.map.span)
        elif held.function is not None:
            yield from self._given_back(held, held.function, given_to)

    def _given_back(self, held: FoundMap, index: int, given_to: dict[Span, Found]) -> Iterator[Placed]:
        """The type of what a function gives back, if that is the object: by its own words, or where it is handed on."""
        function = self.world.facts(held.path).functions[index]
        if not any(isinstance(stmt, Return) and stmt.value is held.map for stmt in function.body):
            return
        if function.returns is not None:
            yield from self._apart(function.returns, Frame(held.path, None))
        found = given_to.get(function.span)
        if found is not None:
            for annotation, frame in self._of_argument(found, function.span):
                if isinstance(annotation, Opaque) and annotation.parts:
                    yield from self._apart(annotation.parts[-1], frame)

    def _of_argument(self, found: Found, span: Span) -> Iterator[Placed]:
        """What the function that is called says of the argument that stands at a place."""
        position = next((at for at, arg in enumerate(found.call.args) if arg.value.span == span), None)
        callee = self.world.evaluate(found.call.func, self.world.frame_for(found.path, found.function))
        if position is None or not isinstance(callee, FunctionRef):
            return
        params = self.world.facts(callee.path).functions[callee.index].params
        if position < len(params) and params[position].annotation is not None:
            yield from self._apart(params[position].annotation, Frame(callee.path, None))

    def _apart(self, annotation: Expr | None, frame: Frame) -> Iterator[Placed]:
        for one in alternatives_of(annotation) if annotation is not None else ():
            yield one, frame

    def _member(self, annotation: Expr, key: str, frame: Frame, depth: int = DEEP) -> Placed | None:
        """What a type says of its member of this name."""
        if depth <= 0:
            return None
        match annotation:
            case Index(base=Name() | Attr() as base):
                return self._member(base, key, frame, depth)
            case Map(entries=entries):
                return next(
                    ((one.value, frame) for one in entries if isinstance(one.key, Str) and one.key.literal == key), None
                )
            case Name() | Attr():
                value = self.world.evaluate(annotation, frame)
                return self._of_class(value, key, depth) if isinstance(value, ClassRef) else None
            case _:
                parts = alternatives_of(annotation, "&")
                found = (self._member(part, key, frame, depth - 1) for part in parts if part is not annotation)
                return next((one for one in found if one is not None), None)

    def _of_class(self, ref: ClassRef, key: str, depth: int) -> Placed | None:
        member = self.world.members(ref.path, ref.index).get(key)
        if member is not None:
            return (member.annotation, Frame(ref.path, None)) if member.annotation is not None else None
        bases = self.world.facts(ref.path).classes[ref.index].bases
        found = (self._member(base, key, Frame(ref.path, None), depth - 1) for base in bases)
        return next((one for one in found if one is not None), None)


def given_in_calls(calls: tuple[Found, ...]) -> dict[Span, Found]:
    """The calls that are given objects and functions which are written in place."""
    given: dict[Span, Found] = {}
    for found in calls:
        for arg in found.call.args:
            if isinstance(arg.value, Map | Func):
                given[arg.value.span] = found
    return given
