"""Doing what the catalog says of a call: sleeping, reading, blocking, bounding, running what it is given."""

from __future__ import annotations

from msgspec.structs import replace

from waitlint.catalog import Api, Slot, load_waiters
from waitlint.finding import Place
from waitlint.interpret.alternatives import options
from waitlint.interpret.arithmetic import arithmetic, least, scaled
from waitlint.interpret.command_lines import own_limit
from waitlint.interpret.core import key_path
from waitlint.interpret.frames import Frame
from waitlint.interpret.instances import Child
from waitlint.interpret.processes import QUICK, Processes, is_quick
from waitlint.interpret.raising import Raised
from waitlint.interpret.syntax import cancels
from waitlint.interpret.tidying import is_of_what_was_ended
from waitlint.interpret.values import (
    NOTHING,
    Choice,
    Constant,
    External,
    FunctionRef,
    Instance,
    MethodOf,
    Now,
    Outside,
    Record,
    Signal,
    Textual,
    Unknown,
    Value,
    pick,
)

Args = list[tuple[str | None, Value]]
MAKER = "the object that made it"
EITHER = "either"
ANYTHING = "**"


class Catalogued(Processes):
    def outside(self, args: Args, frame: Frame, place: Place) -> Value:
        """The result of code that is not in view."""
        raise NotImplementedError

    def slot(self, slots: tuple[Slot, ...], args: Args) -> Value | None:
        """The value in the first of some slots; None if it is known to be absent."""
        for slot in slots:
            value = pick(tuple(args), slot.name, slot.arg)
            if value is None or (slot.if_object and not _may_be_object(value)):
                continue
            if slot.key is None:
                return value
            found = key_path(value, slot.key)
            if found is not None:
                return found
        if any(key == "**" for key, _ in args):
            return Unknown("arguments not in view")
        return None

    def api_call(self, api: Api, owner: Instance | None, args: Args, place: Place, frame: Frame, label: str) -> Value:
        """Do what the catalog says that a call does. `label` is the call's qualified name, for messages."""
        match api.kind:
            case "clock":
                return Now(api.scale, self.next_serial())
            case "event":
                return Instance(
                    External(label),
                    tuple(args),
                    made_at=place,
                    serial=0 if self.global_depth else self.next_serial(),
                )
            case "sleep" | "read" | "block":
                if self._only_tidies(api, place, frame):
                    return self.outside(args, frame, place)
                if self._does_not_wait(api, args) or self._is_a_lock(api, owner, args, frame):
                    if api.command:
                        self.record("look", api, label, place, length=None)
                    given = self.outside(args, frame, place)
                    return replace(given, source=label) if isinstance(given, Outside) else given
                signals, opaque = self._signals_passed(api, args)
                detail = EITHER if self._is_either(api, args) else ""

                def run() -> Value:
                    self._record_api(api, owner, args, place, signals, opaque, label, detail)
                    self.note_handed(args)
                    if api.raises and not self.muted:
                        error = Instance(External(api.raises), (), made_at=place)
                        self.pending.append(Raised(self.events[-1].serial, error, place, tuple(self.tests)))
                    return NOTHING if api.kind == "sleep" else self.answer(place, certain=True, source=label)

                return run() if api.blocking or _is_plain(api, frame) else self.lazily(run, place)
            case "look":
                self.record("look", api, label, place, length=None)
                return self.answer(place, certain=True, source=label)
            case "child":
                return self._start(api, args, place, label)
            case "make":
                made: dict[str, Value] = {} if owner is None else {MAKER: owner}
                return Instance(External(api.returns), tuple(args), made, place)
            case "stop" | "pause" | "result":
                return Instance(External(label), tuple(args), made_at=place)
            case "poll" | "retry":
                return self._repeated(api, args, place, frame, label)
            case "scope" if api.body:
                seconds = scaled(self.slot(api.seconds, args) or NOTHING, api.scale)
                body = self.slot(api.body, args) or NOTHING
                return self.lazily(lambda: self.bounded(body, seconds, place, label=label), place)
            case "scope":
                return Instance(External(label), tuple(args), made_at=place)
            case "race":
                return (
                    self.lazily(lambda: self.race(api, args, place), place)
                    if not api.blocking
                    else self.race(api, args, place)
                )
            case "progress":
                self.record("progress", api, api.label, place, length=None)
                return Outside(place)
            case "all":
                values = [value for _, value in args]
                return self.lazily(lambda: self.all_of(values), place)
            case "run" if api.blocking:
                return self._run_body(api, args, place, frame)
            case "run":
                return self.lazily(lambda: self._run_body(api, args, place, frame), place)
            case "task":
                body = self.slot(api.body, args) or NOTHING
                if isinstance(body, FunctionRef | External | MethodOf) or api.outlives:
                    return self.lazily(lambda: self._run_body(api, args, place, frame), place)
                return body
        return self.outside(args, frame, place)

    def _does_not_wait(self, api: Api, args: Args) -> bool:
        """Whether an argument says that a call comes back at once."""
        needed = self.slot(api.needs, args) if api.needs else None
        if isinstance(needed, Constant) and needed.value is False:
            return True
        given = self.slot(api.unless, args) if api.unless else None
        if isinstance(given, External):
            return given.name in {slot.value for slot in api.unless}
        return isinstance(given, Constant) and given.value is True

    def _only_tidies(self, api: Api, place: Place, frame: Frame) -> bool:
        """Whether a call waits for a command that the lines before have ended."""
        function = frame.function
        if not api.command or function is None or place.path != frame.path:
            return False
        return is_of_what_was_ended(function.body, place.span)

    def _is_a_lock(self, api: Api, owner: Instance | None, args: Args, frame: Frame) -> bool:
        """Whether a condition is waited for that the same function fulfils: it only keeps others out meanwhile."""
        is_condition = owner is not None and isinstance(owner.type, External) and owner.type.name.endswith(".Condition")
        function = frame.function
        if not is_condition or function is None or self.slot(api.timeout, args) is not None:
            return False
        return self.world.once("notifies", function, lambda: cancels(function.body, ("notify", "notify_all")))

    def _run_body(self, api: Api, args: Args, place: Place, frame: Frame) -> Value:
        body = self.slot(api.body, args) or NOTHING
        position = api.body[0].arg or 0
        plain = [pair for pair in args if pair[0] is None]
        rest: Args = [("**", Unknown("what it is called with"))]
        if position >= 0:
            rest = plain[position + 1 :] + [pair for pair in args if pair[0] is not None]
        with self.outliving(api.outlives):
            if not isinstance(body, FunctionRef | External | MethodOf):
                return self.settle(body)
            if not api.threaded:
                return self.settle(self.call_value(body, rest, place, frame))
            with self.off_the_loop():
                return self.settle(self.call_value(body, rest, place, frame))

    def _signals_passed(self, api: Api, args: Args) -> tuple[tuple[Signal, ...], bool]:
        found: list[Signal] = []
        opaque = any(key == "**" for key, _ in args)
        for slot in api.signals:
            value = pick(tuple(args), slot.name, slot.arg)
            if value is not None and slot.key is not None:
                value = key_path(value, slot.key)
            if value is None:
                continue
            signals = self.signals_of(value)
            found.extend(signals)
            absent = all(isinstance(option, Constant) and option.value is None for _, option in options(value))
            opaque = opaque or (not signals and not absent) or any(not s.stop and not s.deadline for s in signals)
        if api.signals:
            first = pick(tuple(args), None, 0)
            if isinstance(first, Instance):
                found.extend(self.signals_of(first))
        return tuple(dict.fromkeys(found)), opaque

    def _is_either(self, api: Api, args: Args) -> bool:
        """Whether the user's stop is handed over or the deadline's signal, and never both in one."""
        for slot in api.signals:
            value = pick(tuple(args), slot.name, slot.arg)
            if value is not None and slot.key is not None:
                value = key_path(value, slot.key)
            if not isinstance(value, Choice):
                continue
            found = [self.as_signal(option) for _, option in value.options]
            kinds = {(signal.stop, signal.deadline) for signal in found if signal is not None}
            if kinds == {(True, False), (False, True)}:
                return True
        return False

    def _record_api(
        self,
        api: Api,
        owner: Instance | None,
        args: Args,
        place: Place,
        signals: tuple[Signal, ...],
        opaque: bool,
        label: str,
        detail: str,
    ) -> None:
        slots = api.seconds if api.kind == "sleep" else api.timeout
        length = self.slot(slots, args)
        scale = api.scale
        if api.table:
            length = self._paced(api, owner, args)
        elif length is None and api.kind != "sleep":
            length, scale = self._default_timeout(api, owner)
        if isinstance(length, Instance) and length.args:
            length = length.args[0][1]
        if isinstance(length, Constant) and (length.value is None or (api.endless and _is_no_limit(length))):
            length = None
        if api.command:
            given = args if owner is None or api.calls else [*owner.args, *args]
            limit = own_limit(given)
            limit = limit if limit is None or scale == 1.0 else arithmetic("/", limit, Constant(scale))
            length = length if limit is None else (limit if length is None else least([length, limit]))
            detail = QUICK if is_quick(api, given) else detail
        self.record(
            api.kind, api, label, place, length=length, scale=scale, signals=signals, opaque=opaque, detail=detail
        )

    def _start(self, api: Api, args: Args, place: Place, label: str) -> Value:
        """Start a command, and hand out what tells of its end."""
        signals, opaque = self._signals_passed(api, args)
        given = self.slot(api.timeout, args)
        never = given is None or (isinstance(given, Constant) and not given.value)
        length = None if given is None or never else arithmetic("*", given, Constant(api.scale))
        made = External(api.returns)
        child = Child(made, tuple(args), {}, place, self.next_serial(), api, label, length, signals, opaque)
        child.fields["exited"] = self.child_ended(child, place)
        return self.start_child(child, args)

    def _repeated(self, api: Api, args: Args, place: Place, frame: Frame, label: str) -> Value:
        """A helper that calls what it is given again and again, at once or once it is set above a function."""
        helper = Instance(External(label), tuple(args), made_at=place)
        body = self.slot(api.body, args) if api.body else None
        repeated = self.repeated(helper, body, place) if body is not None else None
        return helper if repeated is None else self.call_value(repeated, [], place, frame)

    def repeated(self, helper: Value, body: Value, place: Place) -> Value | None:
        """A function under a helper that calls it again and again."""
        raise NotImplementedError

    def _paced(self, api: Api, owner: Instance | None, args: Args) -> Value:
        """The pause times the laps of a waiter, as given or as its table has them."""
        known = _of_table(api, owner)
        pause = self.slot(api.pause, args) or (Constant(known[0]) if known else None)
        laps = self.slot(api.laps, args) or (Constant(known[1]) if known else None)
        if pause is None or laps is None:
            return Unknown("a waiter that is not known")
        return arithmetic("*", pause, laps)

    def _default_timeout(self, api: Api, owner: Instance | None) -> tuple[Value | None, float]:
        if api.own and owner is not None:
            head, _, inner = api.own.partition(".")
            holder = owner.argument(head, None) if inner else None
            if isinstance(holder, Instance):
                set_there = holder.argument(inner, None)
                if set_there is not None:
                    return set_there, api.scale
            own = owner.argument(api.own, api.own_arg) or next(
                (
                    found
                    for _, value in owner.args
                    if (found := key_path(value, api.own)) is not None and isinstance(value, Record)
                ),
                None,
            )
            if own is not None:
                return own, api.scale
            if any(key == "**" for key, _ in owner.args):
                return Unknown("arguments not in view"), 1.0
        if any(self.world.calls_method(name) for name in api.setters):
            return Unknown("the project sets another default"), 1.0
        if api.default is None:
            return None, 1.0
        if isinstance(api.default, str):
            return Unknown("a default that is not known"), 1.0
        return Constant(api.default), 1.0


def _is_no_limit(length: Constant) -> bool:
    return length.number is not None and length.number <= 0


def _may_be_object(value: Value) -> bool:
    return any(isinstance(option, Record) for _, option in options(value))


def _is_plain(api: Api, frame: Frame) -> bool:
    """Whether a call that is either awaited or waits itself stands where nothing can be awaited: it waits itself.

    What is not known may be either.
    """
    python = frame.path.endswith((".py", ".ipynb"))
    return python and (api.either or ANYTHING in api.of) and frame.function is not None and not frame.function.is_async


def _of_table(api: Api, owner: Instance | None) -> tuple[float, int] | None:
    """Pause and laps of a waiter, by the service of its client and its name; by its name, where all agree on it."""
    if owner is None:
        return None
    name = _literal(owner.argument("waiter_name", 0))
    maker = owner.fields.get(MAKER)
    service = _literal(maker.argument("service_name", 0)) if isinstance(maker, Instance) else ""
    table = load_waiters().get(api.table, {})
    if service:
        return table.get(service, {}).get(name)
    found = {waiters[name] for waiters in table.values() if name in waiters}
    return next(iter(found)) if len(found) == 1 else None


def _literal(value: Value | None) -> str:
    return (value.literal or "") if isinstance(value, Textual) else ""
