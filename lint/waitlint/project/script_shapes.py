"""Tools of TypeScript that are known by their shape: objects that have the parts of one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from waitlint.catalog import Frameworks, Slot
from waitlint.facts import Attr, Call, Map, Name, Span
from waitlint.finding import Place
from waitlint.interpret.core import key_path
from waitlint.interpret.frames import Frame
from waitlint.interpret.schemas import SCHEMA
from waitlint.interpret.values import (
    ClassRef,
    FunctionRef,
    Instance,
    Record,
    Textual,
    Value,
    is_nothing,
)
from waitlint.project.found import Found, FoundMap
from waitlint.project.handed_types import HandedTypes
from waitlint.project.registrations import Registration
from waitlint.project.registrations.unrolling import frames_at
from waitlint.project.script_slots import (
    NOT_IN_VIEW,
    UNNAMED,
    entry_of,
    handlers_of,
    has_one,
    name_place,
    slot,
    text_of,
)
from waitlint.project.world import ProjectWorld

WRAPPED = 3
COLLECTING = ("tool", "register", "push", "add", "set", "define", "append")
# Functions that give back the object that they are given.
KEEPS = frozenset({("Object", "freeze"), ("Object", "seal"), ("Object", "assign")})


class ScriptShapes:
    """Finds the objects that are tools."""

    def __init__(self, world: ProjectWorld, frameworks: Frameworks) -> None:
        self.world = world
        self._handed = HandedTypes(world)
        self._row = next(row for row in frameworks.rows if row.language == "typescript" and row.form == "shape")
        self._bodies = frozenset(slot.key for slot in self._row.body)

    def may_be_one(self, held: FoundMap) -> bool:
        """Whether an object has what a tool is made of, by its keys: what it is given to takes longer to know."""
        return not self._bodies.isdisjoint(held.keys) and self._settings_key(held) is not None

    def _settings_key(self, held: FoundMap) -> str | None:
        """The key under which an object has the settings of a tool, "" if it has them itself; None if it has none."""
        keys = held.keys
        if has_one(keys, self._row.schema):
            return "" if "description" in keys else None
        return next((key for key in self._row.nested if key in keys), None)

    def tools(self, held: FoundMap, given_to: dict[Span, Found]) -> Iterator[Registration]:
        """An object that has the parts of a tool: a name, words or a schema, and a function that does it."""
        row = self._row
        bodies = [one for one in row.body if one.key in held.keys]
        nested = self._settings_key(held)
        taker = given_to.get(held.map.span)
        if nested is None or (taker is not None and not self._takes_tools(taker)):
            return
        for frame in frames_at(self.world, held):
            made = self._tool_in(held, nested, bodies, frame)
            if made is not None:
                yield replace(made, handed=self._handed.of(held, bodies[0].key or "", given_to))

    def _tool_in(self, held: FoundMap, nested: str, bodies: list[Slot], frame: Frame) -> Registration | None:
        row = self._row
        whole = self.world.evaluate(held.map, frame)
        settings = key_path(whole, nested) if nested else whole
        if not isinstance(whole, Record) or not isinstance(settings, Record):
            return None
        handlers = handlers_of(self.world, slot(tuple(bodies), [(None, whole)]), (), frame)
        schema = slot(row.schema, [(None, settings)])
        if isinstance(schema, NOT_IN_VIEW) or (isinstance(schema, Record) and schema.open and not schema.entries):
            schema = self._schema_inside(held.map, row.schema, frame) or schema
        named = slot(row.name, [(None, settings)])
        name = text_of(named) or (held.bound if named is None and held.bound not in UNNAMED else "")
        described = settings.entries.get("description")
        if not name or not handlers or schema is None or isinstance(schema, FunctionRef | Textual):
            return None
        return Registration(
            row,
            name,
            name_place(named) or Place(held.path, held.map.span),
            "medium",
            None if described is None or is_nothing(described) else described,
            schema,
            handlers,
            settings.place or Place(held.path, held.map.span),
            Place(held.path, held.map.span),
        )

    def _schema_inside(self, literal: Map, slots: tuple[Slot, ...], frame: Frame) -> Value | None:
        """The schema that is given to helpers which make something unknown of it."""
        expr = next((found for one in slots if one.key and (found := entry_of(literal, one.key)) is not None), None)
        for _ in range(WRAPPED):
            if not isinstance(expr, Call) or not expr.args:
                return None
            expr = expr.args[0].value
            value = self.world.evaluate(expr, frame)
            if isinstance(value, Instance) and value.type == SCHEMA:
                return value
        return None

    def _takes_tools(self, found: Found) -> bool:
        """Whether a call that is given an object may take it as a tool: one of another library means something else."""
        callee = found.call.func
        name = callee.name.lower() if isinstance(callee, Name | Attr) else ""
        if any(word in name for word in COLLECTING):
            return True
        if isinstance(callee, Attr):
            return isinstance(callee.base, Name) and (callee.base.name, callee.name) in KEEPS
        value = self.world.evaluate(callee, self.world.frame_for(found.path, found.function))
        return isinstance(value, FunctionRef | ClassRef)
