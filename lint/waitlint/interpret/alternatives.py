"""Several values at once: choosing, joining and looking inside."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from waitlint.finding import Place
from waitlint.interpret.given import met
from waitlint.interpret.values import (
    Both,
    Choice,
    Either,
    External,
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
)

MAX_ALTERNATIVES = 6
MAX_RECORDS = 24
MOST_ITEMS = 200
MAX_CLASSES = 8
MAX_HELD = 8
FEW_CAPS = 3
FOLLOWED = (Record, Instance, FunctionRef)
CHANGING = (Outside, ModelArgument, MethodOf, Unknown, Choice, Textual)


def options(value: Value) -> tuple[tuple[int | None, Value], ...]:
    """A value as its alternatives."""
    return value.options if type(value) is Choice else ((None, value),)


def is_a_list(value: Value) -> bool:
    """Whether a value is a list, or one of several, as it is behind branches that each put something into it."""
    return all(type(option) is Items for _, option in options(value))


def choice(alternatives: list[tuple[int | None, Value]]) -> Value:
    """One value of several alternatives, without repeats. Beyond the greatest number kept they are not compared."""
    if len(alternatives) == 1 and type(alternatives[0][1]) is not Choice:
        return alternatives[0][1] if alternatives[0][0] is None else Choice((alternatives[0],))
    flat: list[tuple[int | None, Value]] = []
    counts: dict[int | None, int] = {}
    for tag, value in alternatives:
        for inner, option in options(value):
            pair = (tag if inner is None else inner, option)
            count = counts.get(pair[0], 0)
            is_one_more = MAX_ALTERNATIVES < count < MAX_RECORDS and isinstance(option, FOLLOWED)
            if is_one_more or (count <= MAX_ALTERNATIVES and pair not in flat):
                counts[pair[0]] = count + 1
                flat.append(pair)
    if not flat:
        return Unknown()
    if len(flat) == 1 and flat[0][0] is None:
        return flat[0][1]
    return Choice(tuple(flat[:MAX_ALTERNATIVES])) if len(flat) <= MAX_ALTERNATIVES else _narrowed(flat)


def _narrowed(flat: list[tuple[int | None, Value]]) -> Value:
    """Too many alternatives: what comes of no cap, or of one of many, is one of several."""
    by_tag: dict[int | None, list[Value]] = {}
    for tag, value in flat:
        by_tag.setdefault(tag, []).append(value)
    most = MAX_ALTERNATIVES if len(by_tag) <= FEW_CAPS else 1
    kept: list[tuple[int | None, Value]] = []
    for tag, values in by_tag.items():
        kept.extend((tag, value) for value in (values if len(values) <= most else _few(values, most)))
    return Choice(tuple(kept))


def _few(values: list[Value], most: int) -> list[Value]:
    """At most so many values for many: objects are put together into one that has the keys of all, lists into one that
    holds what any of them holds, since branch upon branch has put something into it."""
    if all(type(value) is Items for value in values):
        held = (item for value in values if isinstance(value, Items) for item in value.items)
        return [Items(tuple(_each_once(held)), open=True)]
    records = [value for value in values if isinstance(value, Record)]
    others = [value for value in values if not isinstance(value, Record)]
    objects = _one_a_class(others)
    if not records and len(objects) <= max(most, MAX_CLASSES) - (len(objects) < len(others)):
        rest = [value for value in others if not isinstance(value, Instance | FunctionRef)]
        return objects if not rest else [*objects, Unknown("several values")]
    if len(records) < 2 or len(others) >= most:
        return [Unknown("several values")]
    entries: dict[str, Value] = {}
    places: dict[str, Place] = {}
    for record in records:
        for key, value in record.entries.items():
            entries[key] = value if key not in entries else choice([(None, entries[key]), (None, value)])
        places = {**record.places, **places}
    return [*others, Record(entries, True, records[0].place, places)]


def _each_once(values: Iterable[Value]) -> list[Value]:
    found: list[Value] = []
    for value in values:
        if len(found) < MOST_ITEMS and value not in found:
            found.append(value)
    return found


def _one_a_class(values: Sequence[Value]) -> list[Value]:
    """The first object of each class, and each function once."""
    found: dict[object, Value] = {}
    for value in values:
        if isinstance(value, Instance):
            kind = value.type
            found.setdefault(kind.name if isinstance(kind, External) else (kind.path, kind.index), value)
        elif isinstance(value, FunctionRef):
            found.setdefault(("function", value.path, value.index), value)
    return list(found.values())


def join(left: Value, right: Value) -> Value:
    """What is known where two paths meet."""
    if left is right or left == right:
        return left
    if type(left) is Items and type(right) is Items:
        shorter, longer = sorted((left.items, right.items), key=len)
        if longer[: len(shorter)] == shorter:
            return Items(longer, open=True)
    together = met(left, right)
    if together is not None:
        return together
    if type(left) is not Choice and type(right) is not Choice:
        return Choice(((None, left), (None, right)))
    return choice([(None, left), (None, right)])


def inside(value: Value, depth: int = 4) -> Sequence[Value]:
    """A value and all that it holds, each before what it holds."""
    held = _held_by(type(value))
    if held is None or depth <= 0:
        return (value,)
    found = [value]
    _collect(held(value), depth - 1, found)
    return found


def _collect(values: Iterable[Value], depth: int, found: list[Value]) -> None:
    for value in values:
        found.append(value)
        if depth > 0:
            held = _held_by(type(value))
            if held is not None:
                _collect(held(value), depth - 1, found)


def _held_by(kind: type) -> Holding | None:
    """How to get at what values of a kind hold; None for those that hold nothing."""
    try:
        return _HOLDING[kind]
    except KeyError:
        known = next((_HOLDING[base] for base in kind.__mro__ if base in _HOLDING), None)
        _HOLDING[kind] = known
        return known


Holding = Callable[[Any], Iterable[Value]]
_HOLDING: dict[type, Holding | None] = {
    Record: lambda value: value.entries.values(),
    Items: lambda value: value.items,
    Textual: lambda value: value.held,
    Choice: lambda value: [option for _, option in value.options],
    Both: lambda value: (value.left, value.right),
    Either: lambda value: (value.left, value.right),
    Instance: lambda value: [*(argument for _, argument in value.args), *value.fields.values()],
}


def by_cap(value: Value) -> tuple[tuple[int | None, Value], ...]:
    """A value as its alternatives, also where the choice stands deep inside it."""
    if type(value) is Choice:
        return value.options
    if _held_by(type(value)) is None:
        return ((None, value),)
    tags = {tag for part in inside(value) if type(part) is Choice for tag, _ in part.options}
    if not tags - {None}:
        return ((None, value),)
    return tuple((tag, _at_cap(value, tag)) for tag in sorted(tags, key=lambda tag: -1 if tag is None else tag))


def _at_cap(value: Value, tag: int | None, depth: int = 4) -> Value:
    """A value with only those of its alternatives that belong to one cap."""
    if depth <= 0:
        return value
    match value:
        case Choice(options=alternatives):
            kept: list[tuple[int | None, Value]] = [(None, option) for own, option in alternatives if own == tag]
            return choice(kept or [(None, option) for _, option in alternatives])
        case Record(entries=entries):
            inner = {key: _at_cap(entry, tag, depth - 1) for key, entry in entries.items()}
            return Record(inner, value.open, value.place, value.places)
        case Items(items=items):
            return Items(tuple(_at_cap(item, tag, depth - 1) for item in items), value.open)
        case Textual(held=held) if held:
            return Textual(value.parts, value.place, tuple(_at_cap(part, tag, depth - 1) for part in held))
        case Instance(args=args):
            given = tuple((key, _at_cap(argument, tag, depth - 1)) for key, argument in args)
            return Instance(value.type, given, value.fields, value.made_at, value.serial)
        case _:
            return value


def put_in_text(values: Iterable[Value]) -> tuple[Value, ...]:
    """What a text holds of the values that are put into it: what can differ from run to run."""
    found: list[Value] = []
    for value in values:
        for part in _changing(value):
            if type(part) in CHANGING and part not in found and len(found) < MAX_HELD:
                found.append(part)
    return tuple(found)


def _changing(value: Value) -> Sequence[Value]:
    if isinstance(value, Choice) and any(tag is not None for tag, _ in value.options):
        return (value,)
    return value.held if isinstance(value, Textual) else inside(value)


def comes_from_outside(value: Value) -> bool:
    kind = type(value)
    return kind is Outside or (_held_by(kind) is not None and Outside in map(type, inside(value)))
