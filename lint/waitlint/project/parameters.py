"""The arguments that a model chooses, and what the framework fills in itself."""

from __future__ import annotations

from collections.abc import Iterator

from waitlint.catalog import Framework
from waitlint.facts import Attr, Binary, Expr, Function, Index, Name, Param, Seq
from waitlint.finding import Place
from waitlint.interpret.frames import Frame
from waitlint.interpret.members import is_decorated
from waitlint.interpret.schemas import arguments_of_schema, description_in_schema, optional_in, shape_of
from waitlint.interpret.values import (
    ClassRef,
    External,
    FunctionRef,
    ModelArgument,
    Record,
    Signal,
    Textual,
    ToolContext,
    Unknown,
    Value,
)
from waitlint.linked import Parameter, ToolText
from waitlint.project.docstrings import of_arguments
from waitlint.project.limits import greatest_by_type
from waitlint.project.models import annotated, argument_of, instance_of_model, is_model, said_of, schema_of_model
from waitlint.project.registrations import Registration
from waitlint.project.registrations.faces import face
from waitlint.project.script_arguments import script_arguments
from waitlint.project.texts import descriptions, tool_text
from waitlint.project.world import ProjectWorld

Args = list[tuple[str | None, Value]]
NESTING = frozenset({"Optional", "Annotated", "Union", "Required", "NotRequired"})


class Parameters:
    """What a framework calls a handler with, and what of it the model is told."""

    def __init__(self, world: ProjectWorld) -> None:
        self.world = world
        self._meanings: dict[tuple[int, int], tuple[Frame | None, Value]] = {}
        self._sayings: dict[tuple[int, int], tuple[Frame | None, dict[str, Value]]] = {}

    def input_of(self, registration: Registration) -> ModelArgument:
        """The whole input of a tool with a schema."""
        fields = arguments_of_schema(registration.schema) if registration.schema is not None else None
        return ModelArgument("", fields=fields or {})

    # ------------------------------------------------------------ one call by the framework

    def arguments(self, registration: Registration, handler: FunctionRef) -> Args:
        """The arguments of one call by the framework."""
        if registration.row.language == "typescript":
            return script_arguments(registration, handler, self.input_of(registration))
        return self._by_name(registration, handler)

    def _by_name(self, registration: Registration, handler: FunctionRef) -> Args:
        seen = face(self.world, handler)
        function = self.world.facts(seen.path).functions[seen.index]
        frame = Frame(seen.path, None, seen.frame)
        schema = arguments_of_schema(registration.schema) if registration.schema is not None else None
        args: Args = []
        for position, param in enumerate(self.shown(function, seen)):
            args.append((param.name, self._value(registration, position, param, frame, schema or {})))
        own = self.world.facts(handler.path).functions[handler.index]
        if any(param.kind == "keyword-rest" for param in own.params) and not args:
            args.append(("**", Unknown("arguments not in view")))
        return args

    def shown(self, function: Function, handler: FunctionRef) -> list[Param]:
        """The parameters without the receiver and the rest."""
        params = [param for param in function.params if param.kind in ("positional", "keyword")]
        static = is_decorated(function, "staticmethod")
        bound = function.owner is not None and handler.receiver is not None and not static
        return params[1:] if bound and params else params

    def is_hidden(self, row: Framework, param: Param, frame: Frame) -> bool:
        """Whether the framework fills the parameter itself."""
        if param.name in row.hidden or any(route.name == param.name for route in row.signals):
            return True
        return param.annotation is not None and self._names_context(param.annotation, row, frame)

    def _names_context(self, annotation: Expr, row: Framework, frame: Frame) -> bool:
        if isinstance(annotation, Index):
            parts = annotation.key.items if isinstance(annotation.key, Seq) else (annotation.key,)
            return any(self._names_context(part, row, frame) for part in (annotation.base, *parts))
        if isinstance(annotation, Binary):
            return any(self._names_context(part, row, frame) for part in (annotation.left, annotation.right))
        if not isinstance(annotation, Name | Attr):
            return False
        value = self._meaning(annotation, frame)
        if isinstance(value, External):
            return value.name in row.context or (row.any_receiver and value.name.endswith(".Context"))
        return False

    def _meaning(self, annotation: Expr, frame: Frame) -> Value:
        """What a part of an annotation is. It is asked for again and again, by what runs a tool and what shows it."""
        key = (id(annotation), id(frame.parent))
        known = self._meanings.get(key)
        if known is None:
            known = self._meanings[key] = frame.parent, self.world.evaluate(annotation, frame)
        return known[1]

    def _value(
        self, registration: Registration, position: int, param: Param, frame: Frame, schema: dict[str, ModelArgument]
    ) -> Value:
        row = registration.row
        place = Place(frame.path, param.span)
        if self.is_hidden(row, param, frame):
            return self._context(row, param, place)
        model = self._model(param.annotation, frame)
        if model is not None:
            return instance_of_model(model, schema_of_model(self.world, model), place)
        whole = row.input
        if whole is not None and (whole.name == param.name if whole.name is not None else whole.arg == position):
            given = self.input_of(registration)
            return given if whole.key is None else Record({whole.key: given}, open=True)
        entries = self._said(param, frame)
        known = schema.get(param.name)
        if known is not None:
            default = known.default if known.default is not None else entries.get("default")
            return ModelArgument(param.name, default, known.maximum or entries.get("maximum"), place)
        return argument_of(param.name, entries, place)

    def _context(self, row: Framework, param: Param, place: Place) -> Value:
        for route in row.signals:
            if route.name in ("", param.name):
                path = tuple(part for part in route.path.split(".") if part)
                return ToolContext(path, place) if path else Signal(stop=True, place=place)
        return ToolContext((), place)

    def _said(self, param: Param, frame: Frame) -> dict[str, Value]:
        """Default, maximum and description of a parameter, by its default and its annotation."""
        key = (id(param), id(frame.parent))
        known = self._sayings.get(key)
        if known is None:
            known = self._sayings[key] = frame.parent, self._found_said(param, frame)
        return known[1]

    def _found_said(self, param: Param, frame: Frame) -> dict[str, Value]:
        default = self.world.evaluate(param.default, frame) if param.default is not None else None
        entries = said_of(default, annotated(self.world, param.annotation, frame))
        limit = None if "maximum" in entries else greatest_by_type(self.world, param.annotation, frame)
        return entries if limit is None else {**entries, "maximum": limit}

    def _model(self, annotation: Expr | None, frame: Frame) -> ClassRef | None:
        """The class of the project that describes what the model fills in."""
        match annotation:
            case Name() | Attr():
                value = self._meaning(annotation, frame)
                return value if isinstance(value, ClassRef) and is_model(self.world, value) else None
            case Index(base=Name(name=name) | Attr(name=name), key=key) if name in NESTING:
                return self._model(key.items[0] if isinstance(key, Seq) and key.items else key, frame)
            case Binary(op="|", left=left, right=right):
                return self._model(left, frame) or self._model(right, frame)
            case _:
                return None

    # ------------------------------------------------------------ what the model is told

    def of(self, registration: Registration) -> tuple[Parameter, ...]:
        """The parameters of a tool, with what is said of each."""
        if registration.schema is not None:
            return tuple(self._from_schema(registration, registration.schema))
        if registration.row.language != "python" or not registration.handlers:
            return ()
        return tuple(self._from_function(registration, registration.handlers[0]))

    def _from_function(self, registration: Registration, handler: FunctionRef) -> Iterator[Parameter]:
        row = registration.row
        seen = face(self.world, handler)
        function = self.world.facts(seen.path).functions[seen.index]
        frame = Frame(seen.path, None, seen.frame)
        in_doc = self._in_docstring(row, function, seen)
        for param in self.shown(function, seen):
            if self.is_hidden(row, param, frame):
                continue
            model = self._model(param.annotation, frame)
            if model is not None:
                yield from self._from_schema(registration, schema_of_model(self.world, model))
                continue
            said = self._said(param, frame).get("description")
            described = said if isinstance(said, Textual) else in_doc.get(param.name)
            text = self._text(described, registration, param.name)
            yield Parameter(param.name, Place(seen.path, param.span), text, param.default is None)

    def _in_docstring(self, row: Framework, function: Function, seen: FunctionRef) -> dict[str, Textual]:
        """What the docstring says of each argument, where the framework hands it on with the argument."""
        if row.doc not in ("main", "without-arguments") or function.doc is None:
            return {}
        doc = self.world.evaluate(function.doc, Frame(seen.path, None))
        return of_arguments(doc) if isinstance(doc, Textual) else {}

    def _from_schema(self, registration: Registration, schema: Value) -> Iterator[Parameter]:
        shape, optional = shape_of(schema), optional_in(schema)
        for name, argument in (arguments_of_schema(schema) or {}).items():
            described = description_in_schema(shape.entries[name]) if shape is not None else None
            text = self._text(described, registration, name)
            required = argument.default is None and name not in optional
            yield Parameter(name, argument.place or registration.place, text, required)

    def further(self, registration: Registration) -> Iterator[ToolText]:
        """What is said of the fields inside of a tool's arguments."""
        schemas = [registration.schema] if registration.schema is not None else []
        if registration.row.language == "python" and not schemas:
            for handler in registration.handlers[:1]:
                seen = face(self.world, handler)
                function = self.world.facts(seen.path).functions[seen.index]
                models = (
                    self._model(param.annotation, Frame(seen.path, None, seen.frame)) for param in function.params
                )
                schemas.extend(schema_of_model(self.world, model) for model in models if model is not None)
        for schema in schemas:
            for key, described in descriptions(schema):
                text = self._text(described, registration, key) if "." in key or "[" in key else None
                if text is not None:
                    yield text

    def _text(self, described: Textual | None, registration: Registration, key: str) -> ToolText | None:
        if described is None:
            return None
        return tool_text(described, "parameter-description", registration.row.id, registration.name, key)
