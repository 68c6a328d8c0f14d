"""Tools of TypeScript that are classes: heirs of a framework's, and those that have the parts of a tool."""

from __future__ import annotations

from collections.abc import Iterator

from waitlint.catalog import Framework, Frameworks, Slot
from waitlint.facts import Attr, Class, Expr, Func, Name
from waitlint.finding import Place
from waitlint.interpret.frames import Frame
from waitlint.interpret.schemas import arguments_of_schema
from waitlint.interpret.values import (
    ClassRef,
    Constant,
    External,
    FunctionRef,
    Instance,
    MethodOf,
    ModelArgument,
    Value,
)
from waitlint.project.registrations import Registration
from waitlint.project.script_slots import has_one, text_of
from waitlint.project.world import ProjectWorld


class ScriptClasses:
    """Finds the classes that are tools."""

    def __init__(self, world: ProjectWorld, frameworks: Frameworks) -> None:
        self.world = world
        rows = [row for row in frameworks.rows if row.language == "typescript"]
        self._rows = [row for row in rows if row.form == "class"]
        self._shapes = [row for row in rows if row.form == "class-shape"]

    def tool(self, path: str, index: int, definition: Class) -> Registration | None:
        """The tool that a class is, by what it inherits or by its parts."""
        frame = self.world.frame_for(path, definition.parent)
        ref = ClassRef(path, index, frame if frame.function is not None else None)
        libraries = frozenset(_ancestors(self.world, ref)) if definition.bases else frozenset()
        row = next((row for row in self._rows if not libraries.isdisjoint(row.bases)), None)
        confidence = "high"
        if row is None:
            row = next((row for row in self._shapes if _looks_like_a_tool(definition, row)), None)
            confidence = "medium"
        if row is None:
            return None
        instance = self.world.instance(ref)
        name = next((text for one in row.name if (text := self._own_text(instance, one, frame))), "")
        schema = self._own(instance, row.schema, frame)
        found = [self._body(instance, body, schema, frame) for body in row.bodies] if name else []
        handlers = tuple(handler for handler in found if isinstance(handler, FunctionRef))[:1]
        if not name or not handlers:
            return None
        description = self._own(instance, row.description, frame)
        return Registration(
            row,
            name,
            Place(path, definition.at),
            confidence,
            description,
            self.world.run(schema) if isinstance(schema, FunctionRef) else schema,
            handlers,
            Place(path, definition.span),
            Place(path, definition.span),
        )

    def _body(self, instance: Value, name: str, schema: Value | None, frame: Frame) -> Value:
        """The method that does the work: of the object, or of one that a method of it makes for each call."""
        maker, _, method = name.rpartition(".")
        if not maker:
            return self.world.attribute(instance, method, frame)
        making = self.world.attribute(instance, maker, frame)
        if not isinstance(making, FunctionRef):
            return making
        fields = arguments_of_schema(schema) if schema is not None else None
        made = self.world.call(making, [(None, ModelArgument("", fields=fields or {}))])
        return self.world.attribute(made, method, frame) if isinstance(made, Instance) else made

    def _own(self, instance: Value, slots: tuple[Slot, ...], frame: Frame) -> Value | None:
        for one in slots:
            value = self.world.attribute(instance, one.key or "", frame)
            if not isinstance(value, MethodOf | Constant):
                return value
        return None

    def _own_text(self, instance: Value, one: Slot, frame: Frame) -> str:
        return text_of(self.world.attribute(instance, one.key or "", frame))


def inherits(world: ProjectWorld, base: Value, wanted: tuple[str, ...]) -> bool:
    """Whether a class is one of some of a library, or an heir of one."""
    return any(name in wanted for name in _ancestors(world, base))


def _ancestors(world: ProjectWorld, base: Value, depth: int = 5) -> Iterator[str]:
    """The names of the classes of libraries that a class is, or is an heir of."""
    if isinstance(base, External):
        yield base.name
    elif isinstance(base, ClassRef) and depth:
        definition = world.facts(base.path).classes[base.index]
        frame = world.frame_for(base.path, definition.parent)
        for one in definition.bases:
            yield from _ancestors(world, world.evaluate(one, frame), depth - 1)


def _looks_like_a_tool(definition: Class, row: Framework) -> bool:
    """Whether a class of the project has the parts of a tool by its members' names."""
    members = {member.name for member in definition.members}
    methods = {member.name for member in definition.members if isinstance(member.value, Func)}
    is_tool = any("Tool" in _written(base) for base in definition.bases)
    makers = {body.rpartition(".")[0] for body in row.bodies} - {""}
    if makers:
        return is_tool and bool(makers & methods)
    if not has_one(members, row.name) or not has_one(members, row.description):
        return False
    return bool(methods.intersection(row.bodies)) and (is_tool or has_one(members, row.schema))


def _written(base: Expr) -> str:
    while not isinstance(base, Name | Attr) and hasattr(base, "base"):
        base = base.base
    return base.name if isinstance(base, Name | Attr) else ""
