"""Schemas that are written as chains of calls: what they say of an argument's default, bounds and description."""

from __future__ import annotations

from waitlint.finding import Place
from waitlint.interpret.values import NOTHING, TRUE, External, Instance, Items, ModelArgument, Record, Textual, Value

SCHEMA = External("a schema")
PREFIXES = ("zod.", "zod/", "z.")
KEPT = {
    "default": "default",
    "prefault": "default",
    "catch": "default",
    "max": "maximum",
    "lte": "maximum",
    "lt": "maximum",
    "describe": "description",
}


NESTING = frozenset(("array", "set", "record", "map", "tuple", "intersection", "discriminatedUnion", "promise"))


def schema_call(name: str, args: list[tuple[str | None, Value]], place: Place) -> Instance | None:
    """The start of a chain, such as `z.number()`; None for any other call."""
    if not name.startswith(PREFIXES):
        return None
    made = Instance(SCHEMA, (), {}, place)
    kind = name.rpartition(".")[2]
    first = args[0][1] if args else NOTHING
    if kind in ("object", "strictObject", "looseObject") and isinstance(first, Record):
        made.fields["shape"] = first
    elif kind in ("enum", "literal", "nativeEnum") or (kind == "union" and isinstance(first, Items)):
        made.fields["options"] = first
    elif kind in ("optional", "nullish", "nullable") and isinstance(first, Instance):
        made.fields.update(first.fields)
        made.fields["optional"] = TRUE
    elif kind in NESTING:
        made.fields["inner"] = Items(tuple(value for _, value in args))
    return made


def schema_method(owner: Instance, name: str, args: list[tuple[str | None, Value]]) -> Instance | None:
    """The next link of a chain; None if `owner` is no schema."""
    if owner.type != SCHEMA:
        return None
    made = Instance(SCHEMA, owner.args, dict(owner.fields), owner.made_at)
    first = args[0][1] if args else NOTHING
    if name in KEPT:
        made.fields[KEPT[name]] = first
    elif name in ("optional", "nullish", "nullable", "partial"):
        made.fields["optional"] = TRUE
    elif name in ("extend", "merge", "safeExtend") and isinstance(shape := made.fields.get("shape"), Record):
        more = first.fields.get("shape", first) if isinstance(first, Instance) else first
        if isinstance(more, Record):
            made.fields["shape"] = Record({**shape.entries, **more.entries}, shape.open or more.open, shape.place)
    elif name == "array":
        made.fields = {"inner": owner}
    elif name in ("or", "and") and isinstance(first, Instance):
        made.fields["inner"] = Items((*_inner(made), first))
    elif name == "meta" and isinstance(first, Record) and "description" in first.entries:
        made.fields["description"] = first.entries["description"]
    return made


def _inner(schema: Instance) -> tuple[Value, ...]:
    known = schema.fields.get("inner")
    return known.items if isinstance(known, Items) else ()


def arguments_of_schema(schema: Value) -> dict[str, ModelArgument] | None:
    """The arguments that a schema names: a chain, an object of chains, or JSON Schema. None if it is not in view."""
    if isinstance(schema, Instance) and schema.type == SCHEMA:
        shape = schema.fields.get("shape")
        return arguments_of_schema(shape) if shape is not None else None
    if not isinstance(schema, Record):
        return None
    properties = schema.entries.get("properties")
    if isinstance(properties, Record):
        return {name: _json_argument(name, value, properties) for name, value in properties.entries.items()}
    json_schema = schema.entries.get("json") or schema.entries.get("jsonSchema")
    if isinstance(json_schema, Record):
        return arguments_of_schema(json_schema)
    return {name: _chain_argument(name, value, schema) for name, value in schema.entries.items()}


def _json_argument(name: str, value: Value, owner: Record) -> ModelArgument:
    entries = value.entries if isinstance(value, Record) else {}
    return ModelArgument(name, entries.get("default"), entries.get("maximum"), owner.places.get(name))


def _chain_argument(name: str, value: Value, owner: Record) -> ModelArgument:
    fields = value.fields if isinstance(value, Instance) and value.type == SCHEMA else {}
    return ModelArgument(name, fields.get("default"), fields.get("maximum"), owner.places.get(name))


def description_in_schema(value: Value) -> Textual | None:
    """The description of one argument."""
    found: Value | None = None
    if isinstance(value, Instance) and value.type == SCHEMA:
        found = value.fields.get("description")
    elif isinstance(value, Record):
        found = value.entries.get("description")
    return found if isinstance(found, Textual) else None
