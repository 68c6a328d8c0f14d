"""What the methods of texts, lists, records and objects mean for values."""

from __future__ import annotations

import re
from collections.abc import Callable

from waitlint.finding import Place
from waitlint.interpret.alternatives import choice, is_a_list, options, put_in_text
from waitlint.interpret.arithmetic import arithmetic
from waitlint.interpret.builtins import Args, first
from waitlint.interpret.frames import Frame
from waitlint.interpret.promises import Promises
from waitlint.interpret.schemas import PARSED, parsed_by
from waitlint.interpret.values import (
    NOTHING,
    ClassRef,
    Constant,
    External,
    FunctionRef,
    Instance,
    Items,
    MethodOf,
    ModelArgument,
    Now,
    Outside,
    Record,
    Textual,
    Unknown,
    Value,
    pick,
)

Method = Callable[[Promises, Value, Args, Place, Frame], Value | None]
KEY = re.compile(r"[\w-]+")
# Methods that change little more than the space around words.
SAME_TEXT = (
    "strip",
    "rstrip",
    "lstrip",
    "trim",
    "trimEnd",
    "trimStart",
    "expandtabs",
    "removeprefix",
    "removesuffix",
    "replace",
    "replaceAll",
    "format_map",
    "encode",
    "decode",
    "normalize",
    "toString",
)
TEMPLATES = ("jinja2.Template", "string.Template", "jinja2.environment.Template")


def _run_callback(machine: Promises, args: Args, item: Value, place: Place, frame: Frame) -> Value:
    callback = first(args)
    if isinstance(callback, FunctionRef):
        return machine.call_value(callback, [(None, item)], place, frame)
    return NOTHING


def _filter(machine: Promises, owner: Value, args: Args, place: Place, frame: Frame) -> Value | None:
    if not isinstance(owner, Items):
        return None
    kept = tuple(item for item in owner.items if not (isinstance(item, Constant) and item.value is None))
    return Items(kept, owner.open)


def _map(machine: Promises, owner: Value, args: Args, place: Place, frame: Frame) -> Value | None:
    if isinstance(owner, Outside | Unknown | MethodOf | ModelArgument) and isinstance(first(args), FunctionRef):
        item = owner.part("[]") if isinstance(owner, Outside) else Unknown("one of what is not in view")
        return Items((_run_callback(machine, args, item, place, frame),), open=True)
    if not isinstance(owner, Items):
        return None
    if len(owner.items) > 8:
        return Items((), open=True)
    return Items(tuple(_run_callback(machine, args, item, place, frame) for item in owner.items), owner.open)


def _join(machine: Promises, owner: Value, args: Args, place: Place, frame: Frame) -> Value | None:
    items: Value = first(args) if isinstance(owner, Textual) else owner
    separator: Value = owner if isinstance(owner, Textual) else first(args)
    if not is_a_list(items):
        return None
    return choice([(tag, _joined(one, separator)) for tag, one in options(items) if isinstance(one, Items)])


def _joined(items: Items, separator: Value) -> Value:
    glue: Value = separator if isinstance(separator, Textual) else Textual((None,))
    joined: Value = Textual(())
    for position, item in enumerate(items.items):
        if position:
            joined = arithmetic("+", joined, glue)
        text = item if isinstance(item, Textual) else Textual((None,), None, put_in_text((item,)))
        joined = arithmetic("+", joined, text)
    return arithmetic("+", joined, Unknown("more items")) if items.open else joined


def _format(machine: Promises, owner: Value, args: Args, place: Place, frame: Frame) -> Value | None:
    if not isinstance(owner, Textual):
        return None
    return Textual(owner.parts, owner.place, put_in_text([owner, *(value for _, value in args)]))


def _text_unchanged(machine: Promises, owner: Value, args: Args, place: Place, frame: Frame) -> Value | None:
    return owner if isinstance(owner, Textual) else None


def _rendered(machine: Promises, owner: Value, args: Args, place: Place, frame: Frame) -> Value | None:
    """What a template says, whatever is put into it."""
    if isinstance(owner, Instance) and isinstance(owner.type, External) and owner.type.name in TEMPLATES:
        owner = first(list(owner.args))
    return owner if isinstance(owner, Textual) else None


def _concatenated(machine: Promises, owner: Value, args: Args, place: Place, frame: Frame) -> Value | None:
    if not isinstance(owner, Textual):
        return None
    for _, value in args:
        owner = arithmetic("+", owner, value)
    return owner


def _get(machine: Promises, owner: Value, args: Args, place: Place, frame: Frame) -> Value | None:
    key, default = first(args), pick(tuple(args), "default", 1)
    literal = key.literal if isinstance(key, Textual) else None
    if isinstance(owner, Record):
        if literal is not None and literal in owner.entries:
            return owner.entries[literal]
        if literal is None and owner.entries:
            return choice([(None, value) for value in owner.entries.values()])
        return Unknown("an entry not in view") if owner.open else (NOTHING if default is None else default)
    if isinstance(owner, Outside) and literal is not None and KEY.fullmatch(literal):
        return owner.part(literal)
    if isinstance(owner, ModelArgument) and not owner.name and literal is not None:
        return _argument(owner.fields.get(literal) or ModelArgument(literal), default)
    return None


def _argument(found: ModelArgument, default: Value | None) -> ModelArgument:
    """An argument taken out of the input of a tool, with what stands in for it where the model leaves it out."""
    if default is None or found.default is not None:
        return found
    return ModelArgument(found.name, default, found.maximum, found.place)


def _parses(machine: Promises, owner: Value, args: Args, place: Place, frame: Frame) -> Value | None:
    """`schema.parse(input)`."""
    return parsed_by(owner, first(args))


def _tries_to_parse(machine: Promises, owner: Value, args: Args, place: Place, frame: Frame) -> Value | None:
    """`schema.safeParse(input)`: what was parsed stands under `data`."""
    value = parsed_by(owner, first(args))
    return None if value is None else Record({"success": PARSED, "data": value, "error": PARSED}, open=True)


def _abort(machine: Promises, owner: Value, args: Args, place: Place, frame: Frame) -> Value | None:
    if isinstance(owner, Instance) and isinstance(owner.type, External) and owner.type.name == "AbortController":
        machine.controllers.append(owner)
        return NOTHING
    return None


def _as_record(machine: Promises, owner: Value, args: Args, place: Place, frame: Frame) -> Value | None:
    """The fields of an object as a dict or as text."""
    if isinstance(owner, Instance) and isinstance(owner.type, ClassRef):
        return Record(dict(owner.fields), place=owner.made_at)
    return None


def _moment(machine: Promises, owner: Value, args: Args, place: Place, frame: Frame) -> Value | None:
    return owner if isinstance(owner, Now) else None


def _total_seconds(machine: Promises, owner: Value, args: Args, place: Place, frame: Frame) -> Value | None:
    return owner if not isinstance(owner, Outside | Instance | Unknown) else None


METHODS: dict[str, Method] = {
    "filter": _filter,
    "map": _map,
    "flatMap": _map,
    "join": _join,
    **dict.fromkeys(SAME_TEXT, _text_unchanged),
    "render": _rendered,
    "substitute": _rendered,
    "safe_substitute": _rendered,
    "concat": _concatenated,
    "format": _format,
    "get": _get,
    "parse": _parses,
    "parseAsync": _parses,
    "safeParse": _tries_to_parse,
    "safeParseAsync": _tries_to_parse,
    "abort": _abort,
    "model_dump": _as_record,
    "model_dump_json": _as_record,
    "dict": _as_record,
    "to_dict": _as_record,
    "getTime": _moment,
    "valueOf": _moment,
    "total_seconds": _total_seconds,
}
