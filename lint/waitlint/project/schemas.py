"""Tools that are written down as data: manifests, snapshots of `tools/list`, raw schemas in code."""

from __future__ import annotations

from collections.abc import Iterator

from waitlint.catalog import Framework
from waitlint.facts import Call, Expr, FileFacts, Func, Map, Str
from waitlint.finding import Place
from waitlint.interpret.frames import Frame
from waitlint.project.registrations import Registration
from waitlint.project.world import CODE, ProjectWorld

NAME = "name"
SCHEMA_KEYS = ("inputSchema", "input_schema", "parameters", "parametersJsonSchema")
BODY_KEYS = ("execute", "handler", "run", "func", "callback", "invoke")
MANIFEST = Framework(id="manifest", language="", form="schema")


def written_tools(world: ProjectWorld, taken: set[Place]) -> Iterator[Registration]:
    """Tools by shape: a name, a description and a schema of the input in one object. `taken` are known definitions."""
    for path, facts in world.files.items():
        if not _may_hold_tools(facts):
            continue
        is_code = facts.language in CODE
        for found in world.maps(path):
            if NAME not in found.keys:
                continue
            entries = found.entries
            schema = next((entries[key] for key in SCHEMA_KEYS if key in entries), None)
            name = entries.get(NAME)
            if schema is None or not isinstance(name, Str) or not name.literal:
                continue
            place = Place(path, found.map.span)
            if place in taken or any(isinstance(entries.get(key), Func | Call) for key in BODY_KEYS):
                continue
            if is_code and not _is_schema(schema):
                continue
            frame = Frame(path, None)
            description = entries.get("description")
            yield Registration(
                MANIFEST,
                name.literal,
                Place(path, name.span),
                "high",
                world.evaluate(description, frame) if description is not None else None,
                world.evaluate(schema, frame),
                (),
                place,
                place,
                dispatch=name.literal,
            )


def _may_hold_tools(facts: FileFacts) -> bool:
    return facts.language in (*CODE, "json", "yaml", "toml") and bool(facts.body or facts.functions)


def _is_schema(schema: Expr) -> bool:
    """Whether a value in code is JSON Schema, or made by a call that makes one."""
    if isinstance(schema, Map):
        keys = {entry.key.literal for entry in schema.entries if isinstance(entry.key, Str)}
        return bool(keys & {"type", "properties", "json", "$ref"})
    return not isinstance(schema, Func | Str)
