"""What the languages' own functions and methods mean for values."""

from __future__ import annotations

import re
from collections.abc import Callable

from waitlint.finding import Place
from waitlint.interpret.alternatives import choice, comes_from_outside, put_in_text
from waitlint.interpret.arithmetic import arithmetic, by_environment, greatest, least
from waitlint.interpret.files import loaded
from waitlint.interpret.frames import Frame
from waitlint.interpret.promises import Promises
from waitlint.interpret.schemas import PARSED, parsed_by
from waitlint.interpret.tests import as_test
from waitlint.interpret.values import (
    ENVIRONMENT,
    FALSE,
    NOTHING,
    Above,
    ClassRef,
    Constant,
    Deadline,
    Deferred,
    External,
    FunctionRef,
    Instance,
    Items,
    Laps,
    MethodOf,
    ModelArgument,
    Now,
    Outside,
    Record,
    Signal,
    StateTest,
    Textual,
    Unknown,
    Value,
    pick,
)

Args = list[tuple[str | None, Value]]
Builtin = Callable[[Promises, Args, Place, Frame], Value]
Method = Callable[[Promises, Value, Args, Place, Frame], Value | None]
KEY = re.compile(r"[\w-]+")
# Functions and tags that change the space around words alone, and methods that change little more.
SAME_WORDS = (
    "textwrap.dedent",
    "textwrap.indent",
    "textwrap.fill",
    "inspect.cleandoc",
    "dedent",
    "dedent.default",
    "ts-dedent",
    "ts-dedent.default",
    "ts-dedent.dedent",
    "outdent",
    "outdent.default",
    "outdent.outdent",
    "strip-indent.default",
    "endent.default",
    "common-tags.stripIndent",
    "common-tags.stripIndents",
    "common-tags.oneLine",
    "String.raw",
)
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
SECONDS_PER = {"weeks": 604800, "days": 86400, "hours": 3600, "minutes": 60, "seconds": 1, "milliseconds": 0.001}


def _first(args: Args) -> Value:
    value = pick(tuple(args), None, 0)
    return NOTHING if value is None else value


def _same(machine: Promises, args: Args, place: Place, frame: Frame) -> Value:
    return _first(args)


def _parsed(machine: Promises, args: Args, place: Place, frame: Frame) -> Value:
    first = _first(args)
    return loaded(machine.world, first, frame) or first


def _plain(args: Args) -> list[Value]:
    values = [value for key, value in args if key is None]
    if len(values) == 1 and isinstance(values[0], Items):
        return list(values[0].items)
    return values


def _range(machine: Promises, args: Args, place: Place, frame: Frame) -> Value:
    values = [value for key, value in args if key is None]
    if len(values) == 1:
        return Laps(values[0], place)
    if len(values) >= 2:
        span = arithmetic("-", values[1], values[0])
        return Laps(arithmetic("/", span, values[2]) if len(values) > 2 else span, place)
    return Unknown("a range without an end")


def _length(machine: Promises, args: Args, place: Place, frame: Frame) -> Value:
    value = _first(args)
    if isinstance(value, Items) and not value.open:
        return Constant(len(value.items))
    return Outside(place) if comes_from_outside(value) else Unknown("a length")


def _rounded(machine: Promises, args: Args, place: Place, frame: Frame) -> Value:
    value = _first(args)
    if isinstance(value, Textual):
        literal = value.literal
        try:
            return Constant(float(literal or ""), value.place)
        except ValueError:
            return Unknown("text as a number")
    if isinstance(value, Constant) and isinstance(value.value, bool):
        return Constant(int(value.value), value.origin)
    return value


def _instance_check(machine: Promises, args: Args, place: Place, frame: Frame) -> Value:
    return StateTest(outside=comes_from_outside(_first(args)))


def _environment(machine: Promises, args: Args, place: Place, frame: Frame) -> Value:
    default = pick(tuple(args), "default", 1)
    if default is None:
        return ENVIRONMENT
    if isinstance(default, Constant):
        return Constant(default.value, default.origin, at_most=False)
    return by_environment(default)


def _truth(machine: Promises, args: Args, place: Place, frame: Frame) -> Value:
    """What `!!value` is: of what nobody knows, nobody knows that."""
    return as_test(args[0][1]) if args else FALSE


def _get_attribute(machine: Promises, args: Args, place: Place, frame: Frame) -> Value:
    base, name = _first(args), pick(tuple(args), None, 1)
    if isinstance(name, Textual) and name.literal:
        attribute = getattr(machine, "attribute")  # noqa: B009 - provided by a layer above this one
        found: Value = attribute(base, name.literal, frame)
        return found
    return Unknown("an attribute by a computed name")


def _timedelta(machine: Promises, args: Args, place: Place, frame: Frame) -> Value:
    total: Value = Constant(0)
    for key, value in args:
        total = arithmetic("+", total, arithmetic("*", value, Constant(SECONDS_PER.get(key or "days", 1))))
    return total


def _partial(machine: Promises, args: Args, place: Place, frame: Frame) -> Value:
    func = _first(args)
    if isinstance(func, FunctionRef):
        return FunctionRef(func.path, func.index, func.frame, func.receiver, (*func.bound, *args[1:]))
    return func


def _super(machine: Promises, args: Args, place: Place, frame: Frame) -> Value:
    """The object of the method around the call, as its class's bases see it."""
    around: Frame | None = frame
    while around is not None:
        function = around.function
        if function is not None and function.owner is not None and function.params:
            receiver = around.find(function.params[0].name)
            if receiver is not None:
                return Above(receiver, ClassRef(around.path, function.owner, around.parent))
        around = around.parent
    return Unknown("`super()` outside of a method")


def _set_timeout(machine: Promises, args: Args, place: Place, frame: Frame) -> Value:
    delay = pick(tuple(args), None, 1)
    return machine.set_timer(_first(args), Constant(0) if delay is None else delay, place)


def _set_interval(machine: Promises, args: Args, place: Place, frame: Frame) -> Value:
    delay = pick(tuple(args), None, 1)
    return machine.set_interval(_first(args), Constant(0) if delay is None else delay, place)


def _promise(machine: Promises, args: Args, place: Place, frame: Frame) -> Value:
    return machine.make_promise(_first(args), place)


def _resolved(machine: Promises, args: Args, place: Place, frame: Frame) -> Value:
    value = _first(args)
    return Deferred(lambda: value, place, serial=machine.next_serial())


def _signal_timeout(machine: Promises, args: Args, place: Place, frame: Frame) -> Value:
    seconds = arithmetic("*", _first(args), Constant(0.001))
    return Signal(False, (Deadline(seconds, machine.next_serial()),), place)


def _signal_any(machine: Promises, args: Args, place: Place, frame: Frame) -> Value:
    signals = [signal for _, value in args for signal in machine.signals_of(value)]
    return Signal(
        stop=any(signal.stop for signal in signals),
        deadlines=tuple(dict.fromkeys(deadline for signal in signals for deadline in signal.deadlines)),
        place=place,
    )


def _controller(machine: Promises, args: Args, place: Place, frame: Frame) -> Value:
    serial = machine.next_serial()
    own = Signal(stop=False, place=place)
    return Instance(External("AbortController"), (), {"signal": own}, place, serial)


def _request(machine: Promises, args: Args, place: Place, frame: Frame) -> Value:
    """`new Request(url, {signal})` only holds what a `fetch` of it will take."""
    return Instance(External("Request"), tuple(args), made_at=place, serial=machine.next_serial())


def _new_date(machine: Promises, args: Args, place: Place, frame: Frame) -> Value:
    return Now(0.001, machine.next_serial()) if not args else Unknown("a date")


def _values_of(machine: Promises, args: Args, place: Place, frame: Frame) -> Value:
    value = _first(args)
    return (
        Items(tuple(value.entries.values()), value.open)
        if isinstance(value, Record)
        else Unknown("the values of an object")
    )


def _keys_of(machine: Promises, args: Args, place: Place, frame: Frame) -> Value:
    return Unknown("the keys of an object")


def _collection(machine: Promises, args: Args, place: Place, frame: Frame) -> Value:
    return _first(args) if args else Items((), open=True)


def _at_random(machine: Promises, args: Args, place: Place, frame: Frame) -> Value:
    """`Math.random()`: less than 1."""
    return Constant(1, at_most=True)


BUILTINS: dict[str, Builtin] = {
    "range": _range,
    "len": _length,
    "min": lambda machine, args, place, frame: least(_plain(args)),
    "Math.min": lambda machine, args, place, frame: least(_plain(args)),
    "max": lambda machine, args, place, frame: greatest(_plain(args)),
    "Math.max": lambda machine, args, place, frame: greatest(_plain(args)),
    "int": _rounded,
    "float": _rounded,
    "round": _rounded,
    "abs": _rounded,
    "math.ceil": _rounded,
    "math.floor": _rounded,
    "Math.ceil": _rounded,
    "Math.floor": _rounded,
    "Math.round": _rounded,
    "Math.trunc": _rounded,
    "Number": _rounded,
    "Math.random": _at_random,
    "random.random": _at_random,
    "Boolean": _truth,
    "bool": _truth,
    "parseInt": _rounded,
    "parseFloat": _rounded,
    "isinstance": _instance_check,
    "str": _same,
    "String": _same,
    "repr": _same,
    "dict": _collection,
    "list": _collection,
    "set": _collection,
    "tuple": _collection,
    "frozenset": _collection,
    "sorted": _collection,
    "reversed": _collection,
    "Set": _collection,
    "Array.from": _collection,
    "Object.freeze": _same,
    "Object.values": _values_of,
    "Object.keys": _keys_of,
    "json.dumps": _same,
    "shlex.join": _same,
    "json.loads": _parsed,
    "JSON.stringify": _same,
    "JSON.parse": _parsed,
    "structuredClone": _same,
    "cast": lambda machine, args, place, frame: args[1][1] if len(args) > 1 else NOTHING,
    "typing.cast": lambda machine, args, place, frame: args[1][1] if len(args) > 1 else NOTHING,
    **dict.fromkeys(SAME_WORDS, _same),
    "getattr": _get_attribute,
    "os.getenv": _environment,
    "os.environ.get": _environment,
    "datetime.timedelta": _timedelta,
    "functools.partial": _partial,
    "super": _super,
    "setTimeout": _set_timeout,
    "globalThis.setTimeout": _set_timeout,
    "window.setTimeout": _set_timeout,
    "setInterval": _set_interval,
    "globalThis.setInterval": _set_interval,
    "window.setInterval": _set_interval,
    "Promise": _promise,
    "Promise.resolve": _resolved,
    "AbortSignal.timeout": _signal_timeout,
    "AbortSignal.any": _signal_any,
    "AbortController": _controller,
    "Request": _request,
    "Date": _new_date,
    "anyio.CancelScope": lambda machine, args, place, frame: Unknown("a cancel scope"),
}


# ---------------------------------------------------------------- methods


def _run_callback(machine: Promises, args: Args, item: Value, place: Place, frame: Frame) -> Value:
    callback = _first(args)
    if isinstance(callback, FunctionRef):
        return machine.call_value(callback, [(None, item)], place, frame)
    return NOTHING


def _filter(machine: Promises, owner: Value, args: Args, place: Place, frame: Frame) -> Value | None:
    if not isinstance(owner, Items):
        return None
    kept = tuple(item for item in owner.items if not (isinstance(item, Constant) and item.value is None))
    return Items(kept, owner.open)


def _map(machine: Promises, owner: Value, args: Args, place: Place, frame: Frame) -> Value | None:
    if isinstance(owner, Outside | Unknown | MethodOf | ModelArgument) and isinstance(_first(args), FunctionRef):
        item = owner.part("[]") if isinstance(owner, Outside) else Unknown("one of what is not in view")
        return Items((_run_callback(machine, args, item, place, frame),), open=True)
    if not isinstance(owner, Items):
        return None
    if len(owner.items) > 8:
        return Items((), open=True)
    return Items(tuple(_run_callback(machine, args, item, place, frame) for item in owner.items), owner.open)


def _join(machine: Promises, owner: Value, args: Args, place: Place, frame: Frame) -> Value | None:
    items: Value = _first(args) if isinstance(owner, Textual) else owner
    separator: Value = owner if isinstance(owner, Textual) else _first(args)
    if not isinstance(items, Items):
        return None
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
        owner = _first(list(owner.args))
    return owner if isinstance(owner, Textual) else None


def _concatenated(machine: Promises, owner: Value, args: Args, place: Place, frame: Frame) -> Value | None:
    if not isinstance(owner, Textual):
        return None
    for _, value in args:
        owner = arithmetic("+", owner, value)
    return owner


def _get(machine: Promises, owner: Value, args: Args, place: Place, frame: Frame) -> Value | None:
    key, default = _first(args), pick(tuple(args), "default", 1)
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
    return parsed_by(owner, _first(args))


def _tries_to_parse(machine: Promises, owner: Value, args: Args, place: Place, frame: Frame) -> Value | None:
    """`schema.safeParse(input)`: what was parsed stands under `data`."""
    value = parsed_by(owner, _first(args))
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
__all__ = ["BUILTINS", "METHODS", "as_test"]
