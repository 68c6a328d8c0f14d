"""What the languages' own functions mean for values."""

from __future__ import annotations

from collections.abc import Callable

from waitlint.finding import Place
from waitlint.interpret.alternatives import comes_from_outside
from waitlint.interpret.arithmetic import arithmetic, by_environment, greatest, least
from waitlint.interpret.files import loaded
from waitlint.interpret.frames import Frame
from waitlint.interpret.promises import Promises
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
# Functions and tags that change the space around words alone.
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
SECONDS_PER = {"weeks": 604800, "days": 86400, "hours": 3600, "minutes": 60, "seconds": 1, "milliseconds": 0.001}


def first(args: Args) -> Value:
    value = pick(tuple(args), None, 0)
    return NOTHING if value is None else value


def _same(machine: Promises, args: Args, place: Place, frame: Frame) -> Value:
    return first(args)


def _parsed(machine: Promises, args: Args, place: Place, frame: Frame) -> Value:
    text = first(args)
    return loaded(machine.world, text, frame) or text


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
    value = first(args)
    if isinstance(value, Items) and not value.open:
        return Constant(len(value.items))
    return Outside(place) if comes_from_outside(value) else Unknown("a length")


def _rounded(machine: Promises, args: Args, place: Place, frame: Frame) -> Value:
    value = first(args)
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
    return StateTest(outside=comes_from_outside(first(args)))


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
    base, name = first(args), pick(tuple(args), None, 1)
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
    func = first(args)
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
    return machine.set_timer(first(args), Constant(0) if delay is None else delay, place)


def _set_interval(machine: Promises, args: Args, place: Place, frame: Frame) -> Value:
    delay = pick(tuple(args), None, 1)
    return machine.set_interval(first(args), Constant(0) if delay is None else delay, place)


def _promise(machine: Promises, args: Args, place: Place, frame: Frame) -> Value:
    return machine.make_promise(first(args), place)


def _resolved(machine: Promises, args: Args, place: Place, frame: Frame) -> Value:
    value = first(args)
    return Deferred(lambda: value, place, serial=machine.next_serial())


def _signal_timeout(machine: Promises, args: Args, place: Place, frame: Frame) -> Value:
    seconds = arithmetic("*", first(args), Constant(0.001))
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
    value = first(args)
    return (
        Items(tuple(value.entries.values()), value.open)
        if isinstance(value, Record)
        else Unknown("the values of an object")
    )


def _keys_of(machine: Promises, args: Args, place: Place, frame: Frame) -> Value:
    return Unknown("the keys of an object")


def _collection(machine: Promises, args: Args, place: Place, frame: Frame) -> Value:
    return first(args) if args else Items((), open=True)


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
