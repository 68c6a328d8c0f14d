"""Where a project hands a tool to a framework: decorators, calls, classes, pairs of handlers, schemas."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from waitlint.catalog import Framework, Frameworks, Slot
from waitlint.facts import Attr, Call, Expr, FileFacts, Function, Name, Span
from waitlint.finding import Place
from waitlint.interpret.alternatives import inside, options
from waitlint.interpret.core import key_path
from waitlint.interpret.frames import Frame
from waitlint.interpret.schemas import SCHEMA
from waitlint.interpret.values import (
    ClassRef,
    Constant,
    External,
    FunctionRef,
    Instance,
    MethodOf,
    ModelArgument,
    Outside,
    Record,
    Textual,
    Unknown,
    Value,
    pick,
)
from waitlint.project.walk import Found
from waitlint.project.world import CODE, ProjectWorld

Args = list[tuple[str | None, Value]]


@dataclass(slots=True)
class Registration:
    """One tool as a project defines it. `description` is None where there is none."""

    row: Framework
    name: str
    place: Place
    confidence: str
    description: Value | None = None
    schema: Value | None = None
    handlers: tuple[FunctionRef, ...] = ()
    definition: Place | None = None
    call_place: Place | None = None
    dispatch: str = ""
    extra: dict[str, Value] = field(default_factory=dict)


class Registry:
    """Finds the registrations of a whole project."""

    def __init__(self, world: ProjectWorld, frameworks: Frameworks) -> None:
        self.world = world
        self.frameworks = frameworks
        self.class_rows = [row for row in frameworks.rows if row.form == "class"]

    def all(self) -> Iterator[Registration]:
        for path, facts in self.world.files.items():
            if facts.language in CODE:
                yield from self.in_file(path, facts)

    def in_file(self, path: str, facts: FileFacts) -> Iterator[Registration]:
        for index, function in enumerate(facts.functions):
            for decorator in function.decorators:
                found = self._decorated(path, index, function, decorator, facts.language)
                if found is not None:
                    yield found
                    break
        for call in self.world.calls(path):
            found = self._called(call, facts.language)
            if found is not None:
                yield found
        for index in range(len(facts.classes)):
            found = self._subclass(path, index, facts.language)
            if found is not None:
                yield found

    # ------------------------------------------------------------ decorators

    def _decorated(
        self, path: str, index: int, function: Function, decorator: Expr, language: str
    ) -> Registration | None:
        call = decorator if isinstance(decorator, Call) else None
        callee = call.func if call is not None else decorator
        frame = self._frame(path, function.parent)
        matched = self._match(callee, frame, language, ("decorator",), bare=call is None)
        if matched is None:
            return None
        row, confidence = matched
        args = self._args(call, frame) if call is not None else []
        receiver = self._method_receiver(path, function)
        ref = FunctionRef(path, index, self.world.parent_frame(path, function), receiver)
        given = self._text(self._slot(row.name, args))
        at = self._name_span(call, row) if call is not None and given else None
        return Registration(
            row,
            given or function.name,
            Place(path, at or function.at),
            confidence,
            self._described(self._slot(row.description, args), row, ref),
            None,
            (ref,),
            Place(path, function.span),
            Place(path, decorator.span),
        )

    def _method_receiver(self, path: str, function: Function) -> Value | None:
        if function.owner is None:
            return None
        return self.world.frame_receiver(path, function)

    # ------------------------------------------------------------ calls

    def _called(self, found: Found, language: str) -> Registration | None:
        call = found.call
        curried = isinstance(call.func, Call)
        callee = call.func.func if isinstance(call.func, Call) else call.func
        if _tail(callee) not in self.frameworks.by_tail:
            return None
        frame = self._frame(found.path, found.function)
        if curried and isinstance(call.func, Call):
            matched = self._match(callee, frame, language, ("decorator",))
            if matched is None or not matched[0].curried:
                return None
            row, confidence = matched
            args, body = self._args(call.func, frame), pick(tuple(self._args(call, frame)), None, 0)
        else:
            matched = self._match(callee, frame, language, ("call",))
            if matched is None:
                return None
            row, confidence = matched
            args = self._args(call, frame)
            body = self._slot(row.body, args)
        name = found.bound if row.bound else self._text(self._slot(row.name, args))
        ref = self._handler(body)
        if not name and ref is not None and not row.bound:
            name = self.world.facts(ref.path).functions[ref.index].name
        if not name or (row.any_receiver and ref is None):
            return None
        description = self._slot(row.description, args)
        if row.id.startswith(("mcp.tool", "tool-by-shape")) and not isinstance(description, Textual):
            description = None if isinstance(description, Record | FunctionRef) else description
        definition = self._definition(call, row)
        return Registration(
            row,
            name,
            self._name_place(found, call, row, ref),
            confidence,
            self._described(description, row, ref),
            self._schema(row, args),
            (ref,) if ref is not None else (),
            Place(found.path, definition),
            Place(found.path, call.span),
        )

    def _schema(self, row: Framework, args: Args) -> Value | None:
        if row.schema and row.schema[0].arg == -2:
            return self._shape_among(args)
        schema = self._slot(row.schema, args)
        return None if isinstance(schema, Textual | FunctionRef) else schema

    def _shape_among(self, args: Args) -> Value | None:
        """The input's shape among arguments of which some are texts and one may hold annotations."""
        for _, value in args:
            if isinstance(value, Instance) and value.type == SCHEMA:
                return value
            if isinstance(value, Record):
                plain = [entry for entry in value.entries.values() if isinstance(entry, Constant | Textual)]
                if not plain:
                    return value
        return None

    def _name_place(self, found: Found, call: Call, row: Framework, ref: FunctionRef | None) -> Place:
        """Where the name of a tool is written: in the call, or at its function."""
        outer = call.func if isinstance(call.func, Call) else call
        span = self._name_span(outer, row)
        if span is None and ref is not None and not row.bound:
            return Place(ref.path, self.world.facts(ref.path).functions[ref.index].at)
        return Place(found.path, span or call.func.span)

    def _name_span(self, call: Call, row: Framework) -> Span | None:
        for slot in row.name:
            for position, arg in enumerate(call.args):
                if (slot.name is not None and arg.name == slot.name) or (arg.name is None and slot.arg == position):
                    return arg.value.span
        return None

    def _definition(self, call: Call, row: Framework) -> Span:
        """Where a description would be added: the object that holds the tool's settings, else the call."""
        for slot in row.description:
            if slot.key is not None and slot.arg is not None and slot.arg < len(call.args):
                return call.args[slot.arg].value.span
        return call.span

    def _handler(self, value: Value | None) -> FunctionRef | None:
        """The function that does the work, also where a wrapper that is not in view was put around it."""
        if value is None:
            return None
        for _, option in options(value):
            if isinstance(option, FunctionRef):
                return option
        if isinstance(value, Instance | Outside | MethodOf):
            inner = [part for part in inside(value) if isinstance(part, FunctionRef)]
            return inner[0] if len(inner) == 1 else None
        return None

    # ------------------------------------------------------------ classes

    def _subclass(self, path: str, index: int, language: str) -> Registration | None:
        definition = self.world.facts(path).classes[index]
        frame = self._frame(path, definition.parent)
        for base in definition.bases:
            value = self.world.evaluate(base, frame)
            rows = self.class_rows if isinstance(value, ClassRef) else self.frameworks.by_base.get(_tail(base), ())
            for row in rows:
                if row.language != language or not self._inherits(value, row.bases):
                    continue
                ref = ClassRef(path, index, frame if frame.function is not None else None)
                instance = self.world.instance(ref)
                name = self._text(self._own(instance, "name", frame))
                handlers = [self._own(instance, body, frame) for body in row.bodies]
                found = tuple(handler for handler in handlers if isinstance(handler, FunctionRef))
                if not name or not found:
                    continue
                description = self._own(instance, "description", frame)
                return Registration(
                    row,
                    name,
                    Place(path, definition.at),
                    "high",
                    None if isinstance(description, MethodOf) else description,
                    None,
                    found,
                    Place(path, definition.span),
                    Place(path, definition.span),
                )
        return None

    def _own(self, instance: Value, name: str, frame: Frame) -> Value:
        return self.world.attribute(instance, name, frame)

    def _inherits(self, base: Value, wanted: tuple[str, ...], depth: int = 5) -> bool:
        if isinstance(base, External):
            return base.name in wanted
        if isinstance(base, ClassRef) and depth:
            definition = self.world.facts(base.path).classes[base.index]
            frame = Frame(base.path, None, base.frame)
            return any(self._inherits(self.world.evaluate(b, frame), wanted, depth - 1) for b in definition.bases)
        return False

    # ------------------------------------------------------------ matching

    def _frame(self, path: str, function: int | None) -> Frame:
        return self.world.frame_for(path, function)

    def _args(self, call: Call, frame: Frame) -> Args:
        return self.world.arguments(call, frame)

    def _match(
        self, callee: Expr, frame: Frame, language: str, forms: tuple[str, ...], *, bare: bool = False
    ) -> tuple[Framework, str] | None:
        """The row that a callee belongs to, and how sure that is."""
        rows = [
            row
            for row in self.frameworks.by_tail.get(_tail(callee), ())
            if row.form in forms and row.language == language and (row.bare or not bare)
        ]
        if not rows:
            return None
        receiver = self.world.evaluate(callee.base, frame) if isinstance(callee, Attr) else None
        whole = self.world.attribute(receiver, callee.name, frame) if isinstance(callee, Attr) and receiver else None
        if whole is None:
            whole = self.world.evaluate(callee, frame)
        for row in rows:
            if isinstance(whole, External) and whole.name in row.calls:
                return row, "high"
            if receiver is not None and row.of and self._is_host(receiver, row.of):
                return row, "high"
        if receiver is not None and isinstance(receiver, Unknown | MethodOf | Outside | ModelArgument):
            for row in rows:
                if row.any_receiver:
                    return row, "medium"
        return None

    def _is_host(self, value: Value, hosts: tuple[str, ...]) -> bool:
        for _, option in options(value):
            if isinstance(option, Instance):
                if isinstance(option.type, External) and option.type.name in hosts:
                    return True
                if isinstance(option.type, ClassRef) and self._inherits(option.type, hosts):
                    return True
        return False

    # ------------------------------------------------------------ reading slots

    def _slot(self, slots: tuple[Slot, ...], args: Args) -> Value | None:
        plain = [value for key, value in args if key is None]
        for slot in slots:
            position = slot.arg
            if position is not None and position < 0:
                position += len(plain)
            value = pick(tuple(args), slot.name, position if position is None or position >= 0 else None)
            if value is not None and slot.key is not None:
                value = key_path(value, slot.key)
            if value is not None:
                return value
        return None

    def _text(self, value: Value | None) -> str:
        return (value.literal or "") if isinstance(value, Textual) else ""

    def _described(self, given: Value | None, row: Framework, ref: FunctionRef | None) -> Value | None:
        """The description that the model reads: what was given, else the docstring where the framework takes it."""
        empty = isinstance(given, Textual) and given.literal == ""
        if given is not None and not empty and not _is_nothing(given):
            return given
        if row.doc == "none" or ref is None:
            return None
        function = self.world.facts(ref.path).functions[ref.index]
        if function.doc is None:
            return None
        return self.world.evaluate(function.doc, Frame(ref.path, None))


def _is_nothing(value: Value) -> bool:
    return getattr(value, "value", ...) is None


def _tail(expr: Expr) -> str:
    return expr.name if isinstance(expr, Name | Attr) else ""
