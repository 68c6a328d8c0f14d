"""Descriptions at every level of a schema, in the forms in which code writes schemas."""

from __future__ import annotations

from collections.abc import Iterator

from waitlint.interpret.alternatives import options
from waitlint.interpret.schemas import SCHEMA
from waitlint.interpret.values import Instance, Items, Record, Textual, Value

NAMED = ("properties", "$defs", "definitions", "patternProperties", "shape")
NESTED = ("items", "additionalProperties", "not", "anyOf", "oneOf", "allOf", "prefixItems", "inner", "options")
WRAPPERS = ("json", "jsonSchema", "schema", "json_schema")
DEEPEST = 12


def descriptions(schema: Value, path: str = "", depth: int = DEEPEST) -> Iterator[tuple[str, Textual]]:
    """Every description in a schema with the path of what it describes (`job.steps[].name`), the outermost first."""
    entries = _entries(schema)
    if entries is None or depth <= 0:
        if isinstance(schema, Items):
            for item in schema.items:
                yield from descriptions(item, path, depth - 1)
        return
    described = entries.get("description")
    for _, option in options(described) if described is not None else ():
        if isinstance(option, Textual):
            yield path, option
    nested = False
    for key in NAMED:
        below = entries.get(key)
        if isinstance(below, Record):
            nested = True
            for name, value in below.entries.items():
                yield from descriptions(value, f"{path}.{name}" if path else name, depth - 1)
    for key in NESTED:
        if key in entries and not isinstance(entries[key], Textual):
            nested = True
            inner = f"{path}[]" if key in ("items", "inner", "prefixItems") else path
            yield from descriptions(entries[key], inner, depth - 1)
    for key in WRAPPERS:
        if isinstance(entries.get(key), Record | Instance):
            nested = True
            yield from descriptions(entries[key], path, depth - 1)
    if not nested and isinstance(schema, Record) and not path:
        for name, value in schema.entries.items():
            if _entries(value) is not None:
                yield from descriptions(value, name, depth - 1)


def _entries(schema: Value) -> dict[str, Value] | None:
    if isinstance(schema, Record):
        return dict(schema.entries)
    if isinstance(schema, Instance) and schema.type == SCHEMA:
        return dict(schema.fields)
    return None
