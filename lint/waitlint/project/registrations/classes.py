"""Tools that are classes: subclasses of a framework's own, and the modules that stand for one tool."""

from __future__ import annotations

from collections.abc import Iterator

from waitlint.catalog import Framework, Frameworks
from waitlint.facts import Attr, Call, Class, Expr, Func, Index, Name
from waitlint.finding import Place
from waitlint.interpret.alternatives import options
from waitlint.interpret.frames import Frame
from waitlint.interpret.interfaces import is_left_to_heirs
from waitlint.interpret.values import (
    ClassRef,
    FunctionRef,
    Instance,
    Items,
    MethodOf,
    Record,
    Textual,
    Unknown,
    Value,
)
from waitlint.project.models import inherits, is_field, schema_of_model
from waitlint.project.registrations.matching import Matching, text_of
from waitlint.project.registrations.model import Args, Registration
from waitlint.project.registrations.own_bases import OwnBases
from waitlint.project.world import ProjectWorld
from waitlint.spelled import tail

SCHEMA_FIELDS = ("args_schema", "inputs", "input_schema")


class Classes:
    """Registrations by class, by a list of methods in a class, and by a module's own constant."""

    def __init__(self, world: ProjectWorld, frameworks: Frameworks, matching: Matching) -> None:
        self.world = world
        self.frameworks = frameworks
        self.matching = matching
        self.own_bases = OwnBases(world, frameworks.rows)
        self.class_rows = [row for row in frameworks.rows if row.form in ("class", "methods")]
        self.module_rows = [row for row in frameworks.rows if row.form == "module"]

    def in_file(self, path: str, language: str) -> Iterator[Registration]:
        for index in range(len(self.world.facts(path).classes)):
            yield from self._subclass(path, index, language)
        for row in self.module_rows:
            if row.language == language and row.listed in self.world.bindings(path):
                found = self._module(path, row)
                if found is not None:
                    yield found

    def _subclass(self, path: str, index: int, language: str) -> Iterator[Registration]:
        definition = self.world.facts(path).classes[index]
        frame = self.world.frame_for(path, definition.parent)
        for base in definition.bases:
            value = self.world.evaluate(base, frame)
            rows = self.class_rows if isinstance(value, ClassRef) else self.frameworks.by_base.get(_base_tail(base), ())
            for row in rows:
                if row.language == language and inherits(self.world, value, row.bases):
                    ref = ClassRef(path, index, frame if frame.function is not None else None)
                    yield from self._of(row, ref, definition, frame)
                    return
            own = self.own_bases.row_of(value) if isinstance(value, ClassRef) and language == "python" else None
            if own is not None:
                ref = ClassRef(path, index, frame if frame.function is not None else None)
                yield from self._of(own, ref, definition, frame)
                return

    def _of(self, row: Framework, ref: ClassRef, definition: Class, frame: Frame) -> Iterator[Registration]:
        instance = self.world.instance(ref)
        if row.form == "methods":
            yield from self._methods(row, instance, frame)
            return
        found = self._class(row, ref, definition, instance, frame)
        if found is not None:
            yield found

    # ------------------------------------------------------------ one class, one tool

    def _class(
        self, row: Framework, ref: ClassRef, definition: Class, instance: Value, frame: Frame
    ) -> Registration | None:
        args = self._constructed(ref)
        name = text_of(self.matching.slot(row.name, args)) or text_of(self._own(instance, "name", frame))
        bodies = [self._own(instance, body, frame) for body in row.bodies]
        handlers = tuple(body for body in bodies if isinstance(body, FunctionRef))
        by_shape = row.form == "class-shape"
        if by_shape:
            handlers = tuple(body for body in handlers if not self._is_left_to_heirs(body))
        if not name or not handlers:
            return None
        description = self.matching.slot(row.description, args)
        if not isinstance(description, Textual):
            description = self._own(instance, "description", frame)
        return Registration(
            row,
            name,
            Place(ref.path, definition.at),
            "medium" if by_shape else "high",
            self._class_doc(definition, ref) if description is None and row.doc != "none" else description,
            self._schema(row, instance, args, frame),
            handlers,
            Place(ref.path, definition.span),
            Place(ref.path, definition.span),
        )

    def _is_left_to_heirs(self, ref: FunctionRef) -> bool:
        return is_left_to_heirs(self.world.facts(ref.path).functions[ref.index])

    def _class_doc(self, definition: Class, ref: ClassRef) -> Value | None:
        return self.world.evaluate(definition.doc, Frame(ref.path, None)) if definition.doc is not None else None

    def _schema(self, row: Framework, instance: Value, args: Args, frame: Frame) -> Value | None:
        given = self.matching.schema(row, args)
        if given is not None:
            return given
        for name in SCHEMA_FIELDS:
            value = self._own(instance, name, frame)
            for _, option in options(value) if value is not None else ():
                if isinstance(option, ClassRef):
                    return schema_of_model(self.world, option)
                if isinstance(option, Instance) and isinstance(option.type, ClassRef):
                    return schema_of_model(self.world, option.type)
                if isinstance(option, Record):
                    return option
        return None

    def _own(self, instance: Value, name: str, frame: Frame) -> Value | None:
        """A field of the tool's object, the default of a field that says its own; None if the class has none."""
        value = self.world.attribute(instance, name, frame)
        if isinstance(value, Instance) and is_field(value):
            value = value.argument("default", 0) or Unknown("a field without a default")
        return None if isinstance(value, MethodOf) else value

    def _constructed(self, ref: ClassRef) -> Args:
        """What the class hands to the constructor of its base."""
        for member in self.world.facts(ref.path).classes[ref.index].members:
            if member.name == "__init__" and isinstance(member.value, Func):
                for found in self.world.calls(ref.path):
                    if found.function == member.value.index and _calls_base(found.call):
                        return self.world.arguments(found.call, self.world.frame_for(ref.path, found.function))
        return []

    # ------------------------------------------------------------ methods that are named in a field

    def _methods(self, row: Framework, instance: Value, frame: Frame) -> Iterator[Registration]:
        listed = self._own(instance, row.listed, frame)
        if not isinstance(listed, Items):
            return
        for item in listed.items:
            names = [text_of(part) for part in (item.items if isinstance(item, Items) else (item,))]
            methods = [self._own(instance, name, frame) for name in names if name]
            handlers = tuple(method for method in methods if isinstance(method, FunctionRef))
            if not handlers:
                continue
            function = self.world.facts(handlers[0].path).functions[handlers[0].index]
            yield Registration(
                row,
                function.name,
                Place(handlers[0].path, function.at),
                "high",
                self.matching.described(None, row, handlers),
                None,
                handlers,
                Place(handlers[0].path, function.span),
                Place(handlers[0].path, function.span),
            )

    # ------------------------------------------------------------ a module for a tool

    def _module(self, path: str, row: Framework) -> Registration | None:
        spec = self.world.global_value(path, row.listed)
        if not isinstance(spec, Record) or spec.place is None:
            return None
        name = spec.entries.get("name")
        body = self.world.global_value(path, text_of(name)) if text_of(name) else None
        if not isinstance(name, Textual) or not isinstance(body, FunctionRef):
            return None
        return Registration(
            row,
            text_of(name),
            name.place or spec.place,
            "high",
            spec.entries.get("description"),
            spec.entries.get("inputSchema") or spec.entries.get("input_schema"),
            (body,),
            spec.place,
            spec.place,
        )


def _base_tail(base: Expr) -> str:
    return tail(base.base if isinstance(base, Index) else base)


def _calls_base(call: Call) -> bool:
    """`super().__init__(…)` or `Base.__init__(self, …)`."""
    func = call.func
    if not (isinstance(func, Attr) and func.name == "__init__"):
        return False
    return isinstance(func.base, Call) and isinstance(func.base.func, Name) and func.base.func.name == "super"
