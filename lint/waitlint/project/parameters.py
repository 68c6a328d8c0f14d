"""The arguments that a model chooses, and what the framework fills in itself."""

from __future__ import annotations

from waitlint.catalog import Framework
from waitlint.facts import Call, Expr, Function, Index, Name, Param, Seq
from waitlint.finding import Place
from waitlint.interpret.frames import Frame
from waitlint.interpret.schemas import arguments_of_schema
from waitlint.interpret.values import (
    Constant,
    External,
    FunctionRef,
    Instance,
    ModelArgument,
    Textual,
    ToolContext,
    Unknown,
    Value,
)
from waitlint.project.registrations import Registration
from waitlint.project.world import ProjectWorld

Args = list[tuple[str | None, Value]]
FIELD = ("Field",)


class Parameters:
    """What a framework calls a handler with."""

    def __init__(self, world: ProjectWorld) -> None:
        self.world = world

    def input_of(self, registration: Registration) -> ModelArgument:
        """The whole input of a tool with a schema."""
        fields = arguments_of_schema(registration.schema) if registration.schema is not None else None
        return ModelArgument("", fields=fields or {})

    def arguments(self, registration: Registration, handler: FunctionRef) -> Args:
        """The arguments of one call by the framework."""
        function = self.world.facts(handler.path).functions[handler.index]
        if registration.row.language == "typescript":
            return self._positional(registration)
        return self._by_name(registration.row, handler, function)

    def _positional(self, registration: Registration) -> Args:
        has_schema = registration.schema is not None
        args: list[Value] = [self.input_of(registration)] if has_schema or registration.row.bound else []
        for route in registration.row.signals:
            if route.when == "schema" and not has_schema:
                continue
            if route.when == "no-schema" and has_schema:
                continue
            while len(args) <= route.param:
                args.append(Unknown("an argument of the framework"))
            path = tuple(part for part in route.path.split(".") if part)
            args[route.param] = ToolContext(path, registration.definition)
            break
        return [(None, value) for value in args]

    def _by_name(self, row: Framework, handler: FunctionRef, function: Function) -> Args:
        frame = Frame(handler.path, None, handler.frame)
        return [(param.name, self._value(row, param, frame)) for param in self.shown(function, handler)]

    def shown(self, function: Function, handler: FunctionRef) -> list[Param]:
        """The parameters without the receiver and the rest."""
        params = [param for param in function.params if param.kind in ("positional", "keyword")]
        bound = function.owner is not None and handler.receiver is not None
        return params[1:] if bound and params else params

    def is_hidden(self, row: Framework, param: Param, frame: Frame) -> bool:
        """Whether the framework fills the parameter itself."""
        if param.name in row.hidden:
            return True
        return param.annotation is not None and self._names_context(param.annotation, row, frame)

    def _names_context(self, annotation: Expr, row: Framework, frame: Frame) -> bool:
        if isinstance(annotation, Index):
            parts = annotation.key.items if isinstance(annotation.key, Seq) else (annotation.key,)
            return any(self._names_context(part, row, frame) for part in (annotation.base, *parts))
        value = self.world.evaluate(annotation, frame)
        if isinstance(value, External):
            return value.name in row.context or (row.any_receiver and value.name.endswith(".Context"))
        return False

    def _value(self, row: Framework, param: Param, frame: Frame) -> Value:
        if self.is_hidden(row, param, frame):
            return ToolContext((), Place(frame.path, param.span))
        default = self.world.evaluate(param.default, frame) if param.default is not None else None
        maximum: Value | None = None
        fields: list[Value] = [default] if isinstance(default, Instance) else []
        fields.extend(self._annotated(param.annotation, frame))
        if isinstance(default, Instance):
            default = None
        for found in fields:
            if isinstance(found, Instance) and isinstance(found.type, External) and found.type.name.endswith(FIELD):
                given = found.argument("default", 0)
                if given is not None and not isinstance(given, External):
                    default = default or (given if isinstance(given, Constant | Textual) else None)
                maximum = maximum or found.argument("le") or found.argument("lt")
        return ModelArgument(param.name, default, maximum, Place(frame.path, param.span))

    def _annotated(self, annotation: Expr | None, frame: Frame) -> list[Value]:
        """The further arguments of `Annotated[type, …]`."""
        if isinstance(annotation, Index) and isinstance(annotation.base, Name) and isinstance(annotation.key, Seq):
            return [
                self.world.evaluate(item, frame) for item in annotation.key.items[1:] if not isinstance(item, Index)
            ]
        return []

    def description(self, param: Param, frame: Frame) -> Textual | None:
        """What `Field(description=…)` or `Annotated[…, "…"]` say of a parameter."""
        candidates = self._annotated(param.annotation, frame)
        if isinstance(param.default, Call):
            candidates.append(self.world.evaluate(param.default, frame))
        for found in candidates:
            if isinstance(found, Textual):
                return found
            if isinstance(found, Instance) and isinstance(given := found.argument("description"), Textual):
                return given
        return None
