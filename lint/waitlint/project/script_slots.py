"""The parts of a call or object that hands over a tool in TypeScript or JavaScript."""

from __future__ import annotations

from collections.abc import Iterable

from waitlint.catalog import Framework, Slot
from waitlint.facts import Expr, Map, Str
from waitlint.finding import Place
from waitlint.interpret.alternatives import options
from waitlint.interpret.core import key_path
from waitlint.interpret.frames import Frame
from waitlint.interpret.schemas import SCHEMA
from waitlint.interpret.values import (
    Constant,
    FunctionRef,
    Instance,
    Items,
    MethodOf,
    ModelArgument,
    Outside,
    Record,
    Textual,
    Unknown,
    Value,
    is_nothing,
    pick,
)
from waitlint.project.world import ProjectWorld

Args = list[tuple[str | None, Value]]
ANY_SHAPE = -2
NOT_IN_VIEW = (Unknown, MethodOf, Outside, ModelArgument)
UNNAMED = frozenset({"", "default", "exports", "index"})


def slot(slots: tuple[Slot, ...], args: Args) -> Value | None:
    """The value in the first of some slots that is there. One without a position is a key of the first argument."""
    plain = [value for key, value in args if key is None]
    for one in slots:
        position = 0 if one.arg is None else one.arg
        if position < 0:
            position += len(plain)
        value = pick(tuple(args), one.name, position) if position >= 0 else None
        if value is not None and one.key is not None:
            holders = [option for option in flat(value) if not isinstance(option, FunctionRef | Textual | Items)]
            value = key_path(holders[0], one.key) if len(holders) == 1 else (Unknown() if holders else None)
        if value is not None and not is_nothing(value):
            return value
    return None


def text_of(value: Value | None) -> str:
    """A text that is known as a whole, else an empty one."""
    return (value.literal or "") if isinstance(value, Textual) else ""


def schema_in(row: Framework, args: Args) -> Value | None:
    if row.schema and row.schema[0].arg == ANY_SHAPE:
        return shape_among(args)
    schema = slot(row.schema, args)
    return None if isinstance(schema, Textual | FunctionRef) else schema


def shape_among(args: Args) -> Value | None:
    """The input's shape among arguments of which some are texts and one may hold annotations."""
    for _, value in args[1:-1]:
        if isinstance(value, Instance) and value.type == SCHEMA:
            return value
        if isinstance(value, Record):
            plain = [entry for entry in value.entries.values() if isinstance(entry, Constant | Textual)]
            if not plain:
                return value
    unknown = [value for _, value in args[2:-1] if not isinstance(value, Textual | Record)]
    return unknown[0] if unknown else None


def is_shaped(row: Framework, args: Args) -> bool:
    """Whether a call that is known by its name alone has a body where the row says."""
    if row.items:
        return bool(items_of(slot(row.items, args)))
    return not row.body or any(isinstance(option, FunctionRef) for option in flat(slot(row.body, args)))


def entry_of(literal: Map, key: str) -> Expr | None:
    return next((e.value for e in literal.entries if isinstance(e.key, Str) and e.key.literal == key), None)


def flat(value: Value | None) -> list[Value]:
    return [option for _, option in options(value)] if value is not None else []


def items_of(value: Value | None) -> list[Value]:
    return [option for item in value.items for option in flat(item)] if isinstance(value, Items) else []


def name_place(value: Value | None) -> Place | None:
    return value.place if isinstance(value, Textual) else None


def has_one(keys: Iterable[str | None], slots: tuple[Slot, ...]) -> bool:
    return any(one.key in keys for one in slots)


def handlers_of(
    world: ProjectWorld, body: Value | None, methods: tuple[str, ...], frame: Frame
) -> tuple[FunctionRef, ...]:
    """The functions that do the work, also where a wrapper that is not in view was put around one."""
    if body is None:
        return ()
    for option in flat(body):
        if isinstance(option, FunctionRef):
            return (option,)
        if methods and isinstance(option, Instance | Record):
            found = [world.attribute(option, method, frame) for method in methods]
            refs = tuple(one for one in found if isinstance(one, FunctionRef))
            if refs:
                return refs
    return ()
