"""Schemas that are written as calls: what they say of an argument's default, bounds and description."""

from __future__ import annotations

from waitlint.finding import Place
from waitlint.interpret.alternatives import options
from waitlint.interpret.values import (
    NOTHING,
    TRUE,
    Constant,
    External,
    Instance,
    Items,
    ModelArgument,
    Outside,
    Record,
    Textual,
    Unknown,
    Value,
)

Args = list[tuple[str | None, Value]]

SCHEMA = External("a schema")
CHAINS = (
    "zod.",
    "zod/",
    "z.",
    "genkit.z.",
    "genkit/beta.z.",
    "@opencode-ai/plugin.tool.schema.",
    "@hono/zod-openapi.z.",
)
PARSED = Unknown("whether it can be parsed")
OPTIONS = (
    "@sinclair/typebox.Type.",
    "typebox.Type.",
    "typebox.default.",
    "@mariozechner/pi-ai.Type.",
    "@google/genai.Type.",
)
PIPES = ("valibot.",)
MAKERS = (*CHAINS, *OPTIONS, *PIPES)
HANDED_ON = frozenset(
    {
        "zodToJsonSchema",
        "toJSONSchema",
        "toJsonSchema",
        "zodSchema",
        "jsonSchema",
        "valibotSchema",
        "toJsonSchemaCompat",
        "standardSchema",
        "zodToGeminiSchema",
    }
)
KEPT = {
    "default": "default",
    "prefault": "default",
    "catch": "default",
    "max": "maximum",
    "lte": "maximum",
    "lt": "maximum",
    "maxValue": "maximum",
    "ltValue": "maximum",
    "describe": "description",
    "description": "description",
}
OBJECTS = frozenset({"object", "strictObject", "looseObject", "interface", "Object"})
NESTING = frozenset(
    {
        "array",
        "set",
        "record",
        "map",
        "tuple",
        "intersection",
        "discriminatedUnion",
        "promise",
        "Array",
        "Union",
        "Record",
    }
)
CHOICES = frozenset({"enum", "literal", "nativeEnum", "picklist", "Literal", "Enum"})
ELSEWHERE = frozenset({"anyOf", "oneOf", "allOf", "$ref", "refined", "options"})
REFINING = frozenset({"refine", "superRefine", "transform", "pipe", "check", "overwrite", "brand"})
PARSING = frozenset({"parse", "safeParse", "parseAsync", "safeParseAsync"})
MAYBE = frozenset({"optional", "nullish", "nullable", "exactOptional", "Optional"})


def schema_call(name: str, args: Args, place: Place) -> Value | None:
    """The start of a chain, such as `z.number()`; None for a call that makes no schema."""
    kind = name.rpartition(".")[2]
    if kind in HANDED_ON and args and isinstance(args[0][1], Record | Instance):
        return args[0][1]
    if not name.startswith(MAKERS):
        return None
    made = Instance(SCHEMA, (), {}, place)
    first = args[0][1] if args else NOTHING
    if kind in OBJECTS and isinstance(first, Record):
        made.fields["shape"] = first
    elif kind in CHOICES or (kind in ("union", "variant") and isinstance(first, Items)):
        made.fields["options"] = first
        greatest = greatest_of(first)
        if greatest is not None:
            made.fields["maximum"] = greatest
    elif kind in MAYBE and isinstance(first, Instance):
        made.fields.update(first.fields)
        made.fields["optional"] = TRUE
        if len(args) > 1 and name.startswith(PIPES):
            made.fields["default"] = args[1][1]
    elif kind == "pipe" and isinstance(first, Instance):
        for _, part in args:
            made.fields.update(part.fields if isinstance(part, Instance) and part.type == SCHEMA else {})
    elif kind in KEPT and name.startswith(PIPES):
        made.fields[KEPT[kind]] = first
    elif kind in NESTING:
        made.fields["inner"] = Items(tuple(value for _, value in args))
    if name.startswith(OPTIONS):
        _take_options(made, args)
    return made


def _take_options(made: Instance, args: Args) -> None:
    """What the last argument of `Type.Number({ description, default, maximum })` says."""
    last = args[-1][1] if args else NOTHING
    if isinstance(last, Record) and last is not made.fields.get("shape"):
        for key in ("default", "description", "maximum"):
            if key in last.entries:
                made.fields[key] = last.entries[key]


def greatest_of(allowed: Value) -> Constant | None:
    """The greatest of some numbers, if all that is allowed are numbers."""
    items = allowed.items if isinstance(allowed, Items) and not allowed.open else (allowed,)
    numbers: list[Constant] = []
    for item in items:
        inner = item.fields.get("maximum") if isinstance(item, Instance) and item.type == SCHEMA else item
        if not isinstance(inner, Constant) or inner.number is None:
            return None
        numbers.append(inner)
    return max(numbers, key=lambda one: one.number or 0.0, default=None)


def schema_method(owner: Instance, name: str, args: Args) -> Instance | None:
    """The next link of a chain; None if `owner` is no schema."""
    if owner.type != SCHEMA or name in PARSING:
        return None
    made = Instance(SCHEMA, owner.args, dict(owner.fields), owner.made_at)
    first = args[0][1] if args else NOTHING
    if name in KEPT:
        made.fields[KEPT[name]] = first
    elif name in REFINING:
        made.fields["refined"] = TRUE
    elif name in MAYBE:
        made.fields["optional"] = TRUE
    elif name == "partial" and isinstance(shape := made.fields.get("shape"), Record):
        loose = {key: _loosened(value) for key, value in shape.entries.items()}
        made.fields["shape"] = Record(loose, shape.open, shape.place, shape.places)
    elif name in ("pick", "omit") and isinstance(shape := made.fields.get("shape"), Record):
        named = set(first.entries) if isinstance(first, Record) else set()
        kept = {key: value for key, value in shape.entries.items() if (key in named) == (name == "pick")}
        made.fields["shape"] = Record(kept, shape.open, shape.place, shape.places)
    elif name in ("extend", "merge", "safeExtend") and isinstance(shape := made.fields.get("shape"), Record):
        more = first.fields.get("shape", first) if isinstance(first, Instance) else first
        if isinstance(more, Record):
            made.fields["shape"] = Record(
                {**shape.entries, **more.entries},
                shape.open or more.open,
                shape.place,
                {**shape.places, **more.places},
            )
    elif name == "array":
        made.fields = {"inner": owner}
    elif name in ("or", "and") and isinstance(first, Instance):
        made.fields["inner"] = Items((*_inner(made), first))
    elif name == "meta" and isinstance(first, Record) and "description" in first.entries:
        made.fields["description"] = first.entries["description"]
    return made


def parsed_by(owner: Value, value: Value) -> Value | None:
    """What a schema gives back of what it is given: the model's input has the arguments that the schema names.

    None where nothing is known of what it is given.
    """
    is_schema = isinstance(owner, Instance) and owner.type == SCHEMA
    known = (ModelArgument, Record, Outside) if is_schema else (ModelArgument, Record)
    if not any(isinstance(option, known) for _, option in options(value)):
        return None
    if is_schema and isinstance(value, ModelArgument) and not value.fields:
        fields = arguments_of_schema(owner)
        return value if fields is None else ModelArgument("", fields=fields)
    return value


def _loosened(value: Value) -> Value:
    if not (isinstance(value, Instance) and value.type == SCHEMA):
        return value
    return Instance(SCHEMA, value.args, {**value.fields, "optional": TRUE}, value.made_at)


def _inner(schema: Instance) -> tuple[Value, ...]:
    known = schema.fields.get("inner")
    return known.items if isinstance(known, Items) else ()


def shape_of(schema: Value) -> Record | None:
    """The fields of an object schema: a chain, an object of chains, JSON Schema, or one of these in a wrapper."""
    if isinstance(schema, Instance) and schema.type == SCHEMA:
        shape = schema.fields.get("shape")
        return shape_of(shape) if shape is not None else None
    if isinstance(schema, Instance):
        first = schema.args[0][1] if schema.args else None
        return shape_of(first) if isinstance(first, Instance | Record) else None
    if isinstance(schema, Items):
        named = {_said(item).get("name"): item for item in schema.items}
        entries = {key.literal: item for key, item in named.items() if isinstance(key, Textual) and key.literal}
        return Record(entries, schema.open)
    if not isinstance(schema, Record):
        return None
    properties = schema.entries.get("properties")
    if isinstance(properties, Record):
        return properties
    inner = schema.entries.get("json") or schema.entries.get("jsonSchema")
    return shape_of(inner) if isinstance(inner, Record) else schema


def arguments_of_schema(schema: Value) -> dict[str, ModelArgument] | None:
    """The arguments that a schema names; None if it is not in view."""
    shape = shape_of(schema)
    if shape is None:
        return None
    return {name: _argument(name, value, shape) for name, value in shape.entries.items()}


def optional_in(schema: Value) -> frozenset[str]:
    """The arguments that a model may leave out."""
    shape = shape_of(schema)
    if shape is None:
        return frozenset()
    chains = {
        name
        for name, value in shape.entries.items()
        if isinstance(value, Instance) and value.type == SCHEMA and value.fields.keys() & {"optional", "default"}
    }
    required = schema.entries.get("required") if isinstance(schema, Record) else None
    if isinstance(required, Items) and not required.open:
        named = {item.literal for item in required.items if isinstance(item, Textual)}
        chains.update(name for name, value in shape.entries.items() if isinstance(value, Record) and name not in named)
    return frozenset(chains)


def _argument(name: str, value: Value, owner: Record) -> ModelArgument:
    said = _said(value)
    maximum = said.get("maximum") or said.get("exclusiveMaximum")
    if maximum is None and "enum" in said:
        maximum = greatest_of(said["enum"])
    is_chain = isinstance(value, Instance) and value.type == SCHEMA
    if maximum is None and ((not said and not is_chain) or said.keys() & ELSEWHERE):
        maximum = Unknown("its schema may limit it elsewhere")
    return ModelArgument(name, said.get("default"), maximum, owner.places.get(name))


def _said(value: Value) -> dict[str, Value]:
    if isinstance(value, Instance):
        return value.fields if value.type == SCHEMA else {}
    return dict(value.entries) if isinstance(value, Record) else {}


def description_in_schema(value: Value) -> Textual | None:
    """The description of one argument."""
    found = _said(value).get("description")
    return found if isinstance(found, Textual) else None
