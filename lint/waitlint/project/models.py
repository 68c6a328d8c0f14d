"""Classes that describe data: pydantic models, dataclasses, typed dicts, and what they say of their fields."""

from __future__ import annotations

from collections.abc import Mapping

from waitlint.facts import Attr, Call, Class, Expr, Func, Index, Member, Name, Seq
from waitlint.finding import Place
from waitlint.interpret.frames import Frame
from waitlint.interpret.values import (
    ClassRef,
    Constant,
    External,
    Instance,
    Items,
    ModelArgument,
    Record,
    Textual,
    Value,
)
from waitlint.project.limits import MAY_LIMIT, greatest_by_type, is_validated, limit_of
from waitlint.project.world import ProjectWorld

MODELS = (
    "pydantic.BaseModel",
    "pydantic.main.BaseModel",
    "pydantic.v1.BaseModel",
    "langchain_core.pydantic_v1.BaseModel",
    "langchain.pydantic_v1.BaseModel",
    "sqlmodel.SQLModel",
    "typing.TypedDict",
    "typing_extensions.TypedDict",
    "agno.utils.pydantic.BaseModel",
)
DECORATORS = frozenset({"dataclass", "define", "frozen", "s", "attrs"})
FIELDS = frozenset({"Field", "field", "InputField", "ib", "attrib"})
DEPTH = 5


def bases_of(world: ProjectWorld, ref: ClassRef) -> list[Value]:
    """What a class is made from; a generic base without its arguments."""
    frame = Frame(ref.path, None, ref.frame)
    return [world.evaluate(base, frame) for base in world.facts(ref.path).classes[ref.index].bases]


def inherits(world: ProjectWorld, base: Value, wanted: tuple[str, ...], depth: int = DEPTH) -> bool:
    """Whether a class is one of those wanted, or made from one."""
    if isinstance(base, External):
        return base.name in wanted
    if isinstance(base, ClassRef) and depth:
        return any(inherits(world, found, wanted, depth - 1) for found in bases_of(world, base))
    return False


def is_model(world: ProjectWorld, ref: ClassRef) -> bool:
    """Whether a class describes data that a model fills in."""
    definition = world.facts(ref.path).classes[ref.index]
    return _is_decorated(definition) or inherits(world, ref, MODELS)


def _is_decorated(definition: Class) -> bool:
    for decorator in definition.decorators:
        callee = decorator.func if isinstance(decorator, Call) else decorator
        if isinstance(callee, Name | Attr) and callee.name in DECORATORS:
            return True
    return False


def schema_of_model(world: ProjectWorld, ref: ClassRef, depth: int = 3) -> Record:
    """The fields of a class in the form of JSON Schema, each with its place."""
    properties: dict[str, Value] = {}
    places: dict[str, Place] = {}
    _collect(world, ref, properties, places, DEPTH, depth)
    place = Place(ref.path, world.facts(ref.path).classes[ref.index].span)
    return Record({"properties": Record(properties, False, place, places)}, False, place)


def _collect(
    world: ProjectWorld,
    ref: ClassRef,
    properties: dict[str, Value],
    places: dict[str, Place],
    depth: int,
    nested: int,
) -> None:
    if depth > 0:
        for base in bases_of(world, ref):
            if isinstance(base, ClassRef) and base != ref:
                _collect(world, base, properties, places, depth - 1, nested)
    frame = Frame(ref.path, None, ref.frame)
    for member in world.facts(ref.path).classes[ref.index].members:
        if member.annotation is None or isinstance(member.value, Func) or member.name.startswith("_"):
            continue
        properties[member.name] = Record(_field(world, ref, member, frame, nested), False, frame.place(member.span))
        places[member.name] = frame.place(member.span)


def _field(world: ProjectWorld, ref: ClassRef, member: Member, frame: Frame, nested: int) -> dict[str, Value]:
    given = world.evaluate(member.value, frame) if member.value is not None else None
    entries = said_of(given, annotated(world, member.annotation, frame))
    if "maximum" not in entries:
        limit = (
            MAY_LIMIT if is_validated(world, ref, member.name) else greatest_by_type(world, member.annotation, frame)
        )
        entries.update({"maximum": limit} if limit is not None else {})
    if nested > 0 and member.annotation is not None:
        inner = world.evaluate(member.annotation, frame)
        if isinstance(inner, ClassRef) and is_model(world, inner):
            entries["properties"] = schema_of_model(world, inner, nested - 1).entries["properties"]
    return entries


def annotated(world: ProjectWorld, annotation: Expr | None, frame: Frame) -> list[Value]:
    """The further arguments of `Annotated[type, …]`, also inside `Optional[…]` and the like."""
    if not isinstance(annotation, Index):
        return []
    if not isinstance(annotation.key, Seq):
        return annotated(world, annotation.key, frame)
    base = annotation.base
    if not (isinstance(base, Name | Attr) and base.name == "Annotated"):
        return []
    return [world.evaluate(item, frame) for item in annotation.key.items[1:] if not isinstance(item, Index)]


def said_of(given: Value | None, extras: list[Value]) -> dict[str, Value]:
    """Default, maximum and description of an argument, by its default value and what its annotation adds."""
    entries: dict[str, Value] = {}
    for found in (given, *extras):
        if isinstance(found, Textual) and found is not given:
            entries.setdefault("description", found)
        elif isinstance(found, Instance) and is_field(found):
            for key, value in _of_field(found).items():
                entries.setdefault(key, value)
        elif isinstance(found, Instance) and found is not given:
            limit = limit_of(found)
            entries.update({"maximum": limit} if limit is not None else {})
        elif isinstance(found, Constant | Textual | Items | Record) and found is given:
            entries["default"] = found
    return entries


def is_field(value: Instance) -> bool:
    return isinstance(value.type, External) and value.type.name.rpartition(".")[2] in FIELDS


def _of_field(found: Instance) -> dict[str, Value]:
    entries: dict[str, Value] = {}
    default = found.argument("default", 0)
    if isinstance(default, Constant | Textual | Items | Record):
        entries["default"] = default
    maximum = found.argument("le") or found.argument("lt")
    if maximum is not None:
        entries["maximum"] = maximum
    description = found.argument("description") or found.argument("desc") or found.argument("title")
    if isinstance(description, Textual):
        entries["description"] = description
    return entries


def argument_of(name: str, entries: Mapping[str, Value], place: Place | None) -> ModelArgument:
    """A value that the model chooses, by what a schema says of it."""
    default = entries.get("default")
    return ModelArgument(name, default, entries.get("maximum"), place)


def instance_of_model(ref: ClassRef, schema: Record, place: Place) -> Instance:
    """An object of a class whose fields the model fills in."""
    properties = schema.entries.get("properties")
    made = Instance(ref, (), made_at=place)
    if isinstance(properties, Record):
        for name, value in properties.entries.items():
            entries = value.entries if isinstance(value, Record) else {}
            made.fields[name] = argument_of(name, entries, properties.places.get(name))
    return made
