"""Calls: into the project, and to what the catalog knows outside it."""

from __future__ import annotations

from msgspec.structs import replace

from waitlint.facts import Attr, Call, Expr, Function
from waitlint.finding import Place
from waitlint.interpret.alternatives import choice, comes_from_outside, inside, options
from waitlint.interpret.builtins import BUILTINS, METHODS
from waitlint.interpret.by_name import wait_by_name
from waitlint.interpret.callees import same_functions
from waitlint.interpret.core import OutOfBudget
from waitlint.interpret.events import Scope
from waitlint.interpret.files import path_method, read_by
from waitlint.interpret.frames import FIXED, Frame
from waitlint.interpret.futures import FUTURES
from waitlint.interpret.members import is_decorated
from waitlint.interpret.membership import asked_by
from waitlint.interpret.nodejs import NODE
from waitlint.interpret.origins import innermost, is_done_at_once, origin_of
from waitlint.interpret.processes import LISTENING, child_of
from waitlint.interpret.schemas import schema_call, schema_method
from waitlint.interpret.values import (
    NOTHING,
    OFF_BY_DEFAULT,
    TRUE,
    Above,
    Choice,
    ClassRef,
    Constant,
    Deferred,
    External,
    FunctionRef,
    Instance,
    Items,
    MethodOf,
    Outside,
    Record,
    Resolver,
    Signal,
    StateTest,
    StopTest,
    Textual,
    ToolContext,
    Unknown,
    Value,
    pick,
)
from waitlint.interpret.wrapped import Repeated, Wrapped

Args = list[tuple[str | None, Value]]
CONSTRUCTORS = ("__init__", "constructor")
CONTEXT = "the context of a tool"
CALLED = "()"
IS_SET = "is set"
MAX_CALLEES = 8
GROWING = frozenset({"append", "extend", "insert", "add", "push"})
KEEPING = frozenset({"set", "push", "add", "enqueue", "unshift"})
MOST_ITEMS = 200
MOST_NESTED = 6


class Calls(Wrapped):
    def _call(self, expr: Call, frame: Frame) -> Value:
        if isinstance(expr.func, Attr):
            owner = self.evaluate(expr.func.base, frame)
            func = self._callee(owner, expr.func.name, frame)
            if isinstance(owner, Items) and expr.func.name in GROWING:
                self.keep_resolvers(*(value for _, value in self.arguments(expr, frame)))
                self._grow(owner, expr.func, self.arguments(expr, frame), frame)
                return NOTHING
        else:
            func = self.evaluate(expr.func, frame)
        return self.call_value(func, self.arguments(expr, frame), frame.place(expr.span), frame, new=expr.new)

    def _callee(self, owner: Value, name: str, frame: Frame) -> Value:
        """What is called as `owner.name`: of what came from outside, that as its method, and once for all of a kind."""
        if isinstance(owner, Outside):
            return MethodOf(owner, name)
        if not (isinstance(owner, Choice) and any(isinstance(option, Outside) for _, option in owner.options)):
            return self.attribute(owner, name, frame)
        called: list[tuple[int | None, Value]] = []
        seen: set[tuple[int | None, str, tuple[ClassRef, ...]]] = set()
        for tag, option in owner.options:
            if not isinstance(option, Outside):
                if not (isinstance(option, Constant) and option.value is None):
                    called.append((tag, self.attribute(option, name, frame)))
            elif (tag, option.source, option.of) not in seen:
                seen.add((tag, option.source, option.of))
                called.append((tag, MethodOf(option, name)))
        return choice(called)

    def _grow(self, before: Items, func: Attr, args: Args, frame: Frame) -> None:
        """`items.append(x)` and its kin: the name or field holds more from now on, in a loop nobody knows how much."""
        more = args[-1][1] if args else NOTHING
        many = before.open or bool(self.loops)
        if func.name != "extend":
            grown = Items((*before.items, more), many)
        elif isinstance(more, Items):
            grown = Items((*before.items, *more.items), many or more.open)
        else:
            grown = Items(before.items, open=True)
        if len(grown.items) > MOST_ITEMS:
            grown = Items(before.items, open=True)
        self.bind(func.base, grown, frame)

    def arguments(self, expr: Call, frame: Frame) -> Args:
        args: Args = []
        for arg in expr.args:
            value = self.evaluate(arg.value, frame)
            if not arg.spread:
                args.append((arg.name, value))
            elif isinstance(value, Items) and not value.open:
                args.extend((None, item) for item in value.items)
            elif isinstance(value, Record):
                args.extend(value.entries.items())
                if value.open:
                    args.append(("**", Unknown("arguments not in view")))
            else:
                args.append(("**", Unknown("arguments not in view")))
        return args

    def call_value(self, func: Value, args: Args, place: Place, frame: Frame, *, new: bool = False) -> Value:
        match func:
            case Choice(options=alternatives):
                with self.one_of(len(alternatives)):
                    results = [
                        (tag, self._call_any(callees, args, place, frame, new=new))
                        for tag, callees in same_functions(alternatives)[:MAX_CALLEES]
                    ]
                return choice(results)
            case FunctionRef():
                return self.call_function(func, args, place)
            case ClassRef():
                return self.construct(func, args, place)
            case Above():
                return self._construct_base(func, args, place, frame)
            case Resolver():
                return self.settle_promise(func, args, place)
            case External(name=name):
                return self._call_external(name, args, place, frame, new)
            case MethodOf(owner=owner, name=name):
                return self._call_method(owner, name, args, place, frame)
            case Repeated():
                return self.call_again(func, args, place, frame)
            case Instance(type=External()) if args and (made := self.repeated(func, args[0][1], place)) is not None:
                return self.call_value(made, args[1:], place, frame)
            case Instance(type=External(name=name)) if (row := self.apis.method(name, CALLED)) is not None:
                return self.api_call(row, func, args, place, frame, f"{name}()")
            case Instance(type=ClassRef() as ref):
                method = self.class_member(ref, "__call__", func)
                if isinstance(method, FunctionRef):
                    return self.call_function(method, args, place)
        return self.outside(args, frame, place, "?")

    def _call_any(self, callees: list[Value], args: Args, place: Place, frame: Frame, *, new: bool) -> Value:
        """Call one function once for several objects of a class: as one object that holds what any of them holds."""
        first = callees[0]
        owners = [one.receiver for one in callees if isinstance(one, FunctionRef)]
        objects = [owner for owner in owners if isinstance(owner, Instance)]
        if not isinstance(first, FunctionRef) or len(objects) < 2:
            return self.call_value(first, args, place, frame, new=new)
        names = dict.fromkeys(name for one in objects for name in one.fields)
        held = {name: choice([(None, one.fields[name]) for one in objects if name in one.fields]) for name in names}
        together = Instance(objects[0].type, objects[0].args, dict(held), objects[0].made_at, objects[0].serial)

        def run() -> Value:
            result = self.settle(self.call_function(replace(first, receiver=together), args, place))
            for name, value in together.fields.items():
                for one in objects if held.get(name) is not value else ():
                    one.fields[name] = value
            return result

        is_async = self.world.facts(first.path).functions[first.index].is_async
        return self.lazily(run, place) if is_async else run()

    def outside(self, args: Args, frame: Frame, place: Place, name: str = "") -> Value:
        """The result of code that is not in view, called by `name`. A signal that goes there may be obeyed there."""
        if name and not self.muted:
            self.unseen[name] = None
        for _, value in args:
            if any(isinstance(part, ToolContext) and part.signal_path for part in inside(value, depth=2)):
                self.took_stop = True
            signals = self.signals_of(value)
            if any(signal.stop for signal in signals):
                frame.hands_on = True
                for signal in signals:
                    self.signal_may_fire(signal, place)
        self.note_limited_work(name, args, place)
        self.note_asked(place)
        self.note_handed(args)
        self.hand_out(args)
        return self.answer(place)

    # ------------------------------------------------------------ the project's own

    def call_function(self, ref: FunctionRef, args: Args, place: Place) -> Value:
        function = self.world.facts(ref.path).functions[ref.index]
        given = [*ref.bound, *args]
        if function.decorators and not ref.plain:
            made = self.decorated(ref, function)
            if made is not None:
                own = (
                    ref.receiver is not None
                    and function.owner is not None
                    and not is_decorated(function, "staticmethod")
                )
                receiver: Args = [(None, ref.receiver)] if own and ref.receiver is not None else []
                return self.call_value(made, [*receiver, *given], place, Frame(ref.path, None))
        if function.is_async and not function.is_generator:
            return self.lazily(lambda: self.run_function(ref, given, place), place)
        return self.run_function(ref, given, place)

    def construct(self, ref: ClassRef, args: Args, place: Place | None) -> Value:
        """An object of a class of the project, its constructor run."""
        instance = Instance(ref, tuple(args), made_at=place, serial=0 if self.global_depth else self.next_serial())
        definition = self.world.facts(ref.path).classes[ref.index]
        if self.world.once("an exception", definition, lambda: self._is_exception(ref)):
            return instance
        for name in CONSTRUCTORS:
            method = self.class_member(ref, name, instance)
            if isinstance(method, FunctionRef):
                self.run_function(method, args, place)
                return instance
        self._fill_fields(ref, instance, args)
        return instance

    def _construct_base(self, above: Above, args: Args, place: Place, frame: Frame) -> Value:
        """`super(…)`: the constructor of a base sets its fields in the same object."""
        for name in CONSTRUCTORS:
            method = self.attribute(above, name, frame)
            if isinstance(method, FunctionRef):
                return self.run_function(method, args, place)
        return self.outside(args, frame, place)

    def _is_exception(self, ref: ClassRef, depth: int = 6) -> bool:
        """Whether objects of a class are raised: what their constructors do with the words is nothing to a wait."""
        scope = Frame(ref.path, None, ref.frame)
        for base in self.world.facts(ref.path).classes[ref.index].bases:
            with self.quietly():
                value = self.evaluate(base, scope)
            if isinstance(value, External) and value.name.endswith(("Exception", "Error")):
                return True
            if isinstance(value, ClassRef) and value != ref and depth and self._is_exception(value, depth - 1):
                return True
        return False

    def instance_by_type(self, ref: ClassRef) -> Value:
        if ref.frame is None or ref.frame.function is None:
            known = self.world.template(ref)
            return Instance(known.type, known.args, dict(known.fields), serial=0)
        instance = Instance(ref, (), serial=0)
        if len(self.chain) < MOST_NESTED:
            self.fill_by_constructor(instance, ref)
        return instance

    def fill_by_constructor(self, instance: Instance, ref: ClassRef) -> None:
        """Give an object the fields that its constructor sets, whatever that is called with."""
        for name in CONSTRUCTORS:
            method = self.class_member(ref, name, instance)
            if isinstance(method, FunctionRef):
                with self.quietly():
                    self.run_function(method, [("**", Unknown("an argument not in view"))], None)

    def _fill_fields(self, ref: ClassRef, instance: Instance, args: Args) -> None:
        """What a dataclass or a model does with its arguments."""
        definition = self.world.facts(ref.path).classes[ref.index]
        names = [member.name for member in definition.members if member.annotation is not None]
        for position, (key, value) in enumerate(args):
            if key is not None and key != "**":
                instance.fields[key] = value
            elif key is None and position < len(names):
                instance.fields[names[position]] = value

    def bind_arguments(self, frame: Frame, function: Function, args: Args, receiver: Value | None) -> None:
        """Give a function's parameters their values for one call."""
        plain = [value for key, value in args if key is None]
        named = {key: value for key, value in args if key is not None}
        frame.fixed = {key[1:]: value for key, value in named.items() if key.startswith(FIXED)}
        params = list(function.params)
        if receiver is not None and self.world.facts(frame.path).language == "python" and params:
            if function.owner is not None and not is_decorated(function, "staticmethod"):
                frame.locals[params.pop(0).name] = receiver
        elif receiver is not None:
            frame.locals["this"] = receiver
        if isinstance(receiver, Instance):
            for name, held in receiver.fields.items():
                self.note_signal(frame, name, held, function.at)
        for param in params:
            value: Value | None = None
            if param.kind == "rest":
                value = Items(tuple(plain))
                plain = []
            elif param.kind == "keyword-rest":
                value = Record({key: item for key, item in named.items() if key != "**"}, open="**" in named)
            elif param.kind == "positional" and plain:
                value = plain.pop(0)
            else:
                value = named.pop(param.name, None)
            if value is None or (isinstance(value, Constant) and value.value is None and param.default is not None):
                value = self._missing_argument(param.default, "**" in named, frame) if value is None else value
            if isinstance(value, Unknown | MethodOf | Outside) and param.annotation is not None:
                typed = self.typed(param.annotation, Frame(frame.path, None, frame.parent))
                value = value if isinstance(typed, Unknown) else typed
            elif isinstance(value, Record) and param.annotation is not None:
                value = self.with_types(value, param.annotation, Frame(frame.path, None, frame.parent))
            frame.locals[param.name] = value
            self.note_signal(frame, param.name, value, param.span)

    def _missing_argument(self, default: Expr | None, may_be_spread: bool, frame: Frame) -> Value:
        """The default of what is not given. Where that is not in view, a number that is the default counts."""
        value = NOTHING if default is None else self.evaluate(default, Frame(frame.path, None, frame.parent))
        if may_be_spread and not (isinstance(value, Constant) and value.number is not None):
            is_off = isinstance(value, Constant) and value.value is False
            return OFF_BY_DEFAULT if is_off else Unknown("an argument not in view")
        return value

    # ------------------------------------------------------------ outside

    def _call_external(self, name: str, args: Args, place: Place, frame: Frame, new: bool) -> Value:
        api = self.apis.named(name)
        if api is not None:
            return self.api_call(api, None, args, place, frame, name)
        builtin = BUILTINS.get(name) or NODE.get(name) or FUTURES.get(name)
        if builtin is not None:
            return builtin(self, args, place, frame)
        read = read_by(self.world, name, args, frame)
        if read is not None:
            return read
        schema = schema_call(name, args, place)
        if schema is not None:
            return schema
        tail = name.rpartition(".")[2]
        if new or tail[:1].isupper():
            self.outside(args, frame, place)
            serial = 0 if self.global_depth else self.next_serial()
            return Instance(External(name), tuple(args), made_at=place, serial=serial)
        if name in self.apis.factories:
            return Instance(External(name), tuple(args), made_at=place, serial=0)
        with self.handing_to("at once" if is_done_at_once(name) else ""):
            result = self.outside(args, frame, place, name)
        return Outside(place, source=name) if isinstance(result, Outside) else result

    def _call_method(self, owner: Value, name: str, args: Args, place: Place, frame: Frame) -> Value:
        if isinstance(owner, Instance) and isinstance(owner.type, External):
            schema = schema_method(owner, name, args)
            if schema is not None:
                return schema
            api = self.apis.method(owner.type.name, name)
            if api is not None:
                return self.api_call(api, owner, args, place, frame, f"{owner.type.name}.{name}")
            known = self.apis.named(owner.type.name)
            if known is not None and known.kind == "event":
                return self._event_method(owner, name, args, place, frame)
        child = child_of(owner)
        if child is not None:
            return self.child_method(child, owner, name, args, place, frame)
        if isinstance(owner, Outside) and owner.of:
            own = choice([(None, self.attribute(self.instance_by_type(ref), name, frame)) for ref in owner.of])
            if any(isinstance(one, FunctionRef) for _, one in options(own)):
                return self.call_value(own, args, place, frame)
        origin = origin_of(owner)
        if isinstance(owner, External | MethodOf | Outside | Unknown):
            api = self.apis.of_origin(origin, name, is_result=isinstance(owner, Outside))
            if api is not None:
                return self.api_call(api, None, args, place, frame, f"{origin}.{name}" if origin else name)
        if isinstance(owner, Deferred):
            return self._promise_method(owner, name, args, place, frame)
        signal = self.as_signal(owner)
        if signal is not None:
            return self._signal_method(signal, name, args, place, frame)
        told = self.apis.method(CONTEXT, name) if isinstance(innermost(owner), ToolContext) else None
        if told is not None:
            return self.api_call(told, None, args, place, frame, name)
        read = path_method(self.world, owner, name, args, frame)
        if read is not None:
            return read
        if args and (asks := asked_by(name, owner, args[0][1])) is not None:
            return asks
        method = METHODS.get(name)
        if method is not None:
            result = method(self, owner, args, place, frame)
            if result is not None:
                return result
        self._wait_by_name(owner, name, origin, args, place, frame)
        of_answer = isinstance(owner, Outside) and owner.certain
        result = self._call_unseen(owner, name, args, place, frame, "" if of_answer else f"{origin or ''}.{name}")
        if isinstance(owner, Outside) and isinstance(result, Outside):
            read = owner.part(name, place)
            return read if owner.certain else replace(read, serial=result.serial)
        return replace(result, source=f"{origin}.{name}") if isinstance(result, Outside) and origin else result

    def _wait_by_name(self, owner: Value, name: str, origin: str, args: Args, place: Place, frame: Frame) -> None:
        """Note a wait that is known by the name of its method alone: in Python, where names are written apart."""
        found = wait_by_name(owner, name, args) if self.world.facts(frame.path).language == "python" else None
        if found is not None:
            self.record("block", None, f"{origin}.{name}".lstrip("."), place, length=found[0], scale=found[1])

    def _call_unseen(self, owner: Value, name: str, args: Args, place: Place, frame: Frame, label: str) -> Value:
        """A method that is not in view, with what is known of how it calls back."""
        values = [value for _, value in args]
        event = values[0].literal if values and isinstance(values[0], Textual) else ""
        if name in KEEPING:
            self.keep_resolvers(*values)
        listens = name in LISTENING and event not in ("error", "spawn")
        how = "at once" if is_done_at_once(origin_of(owner)) else ("listening" if listens else "")
        with self.handing_to(how):
            return self.outside(args, frame, place, label)

    def _event_method(self, event: Instance, name: str, args: Args, place: Place, frame: Frame) -> Value:
        signal = self.as_signal(event)
        is_async = isinstance(event.type, External) and not event.type.name.startswith(("threading", "multiprocessing"))
        if name == "is_set":
            return StopTest(signal, fired=True) if signal is not None else StateTest(outside=True)
        if name == "set" and signal is None and not self.muted:
            event.fields[IS_SET] = TRUE
        if name != "wait":
            if signal is not None and name not in ("set", "clear"):
                frame.hands_on = True
            return NOTHING
        length = pick(tuple(args), "timeout", 0)
        blocking = not is_async
        if IS_SET in event.fields:
            return self.lazily(lambda: TRUE, place) if is_async else TRUE
        if signal is None:

            def block() -> Value:
                self.record("block", None, "Event.wait", place, length=length, blocking=blocking)
                return StateTest(outside=True)

            return self.lazily(block, place) if is_async else block()

        def wait() -> Value:
            if length is None:
                return StopTest(signal, fired=True)
            self.record("sleep", None, "Event.wait", place, length=length, signals=(signal,), blocking=blocking)
            return StopTest(signal, fired=True)

        if is_async:
            return Deferred(self.lazily(wait, place).run, place, None, (signal,), self.next_serial())
        return wait()

    def _signal_method(self, signal: Signal, name: str, args: Args, place: Place, frame: Frame) -> Value:
        if name == "throwIfAborted":
            self.signal_may_fire(signal, place)
            return NOTHING
        if name in ("addEventListener", "onCancellationRequested"):
            callback = pick(tuple(args), None, 1 if name == "addEventListener" else 0)
            if callback is None or not self.listen(signal, callback):
                frame.hands_on = True
            return NOTHING
        if name != "removeEventListener":
            frame.hands_on = True
        return Outside(place)

    def _promise_method(self, promise: Deferred, name: str, args: Args, place: Place, frame: Frame) -> Value:
        callbacks = [value for _, value in args if isinstance(value, FunctionRef)]
        if name in ("then", "catch", "finally"):

            def run() -> Value:
                first = self.serial
                value = self.settle(promise)
                if name == "catch" and callbacks:
                    self.note_caught(callbacks[0], first, place, frame)
                if name == "then" and callbacks:
                    return self.settle(self.call_function(callbacks[0], [(None, value)], place))
                with self.handling():
                    for callback in callbacks:
                        self.settle(self.call_function(callback, [], place))
                return value

            return Deferred(run, place, promise.cell, promise.waits_for, promise.serial)
        if name in ("result", "exception"):
            length = pick(tuple(args), "timeout", 0)
            if length is None or (isinstance(length, Constant) and length.value is None):
                return self.settle(promise)
            before = len(self.events)
            try:
                with self.scope(Scope(length, (), place, self.next_serial())):
                    value = self.settle(promise)
            except OutOfBudget:
                self.record("block", None, f"Future.{name}", place, length=length, blocking=True)
                raise
            if len(self.events) == before and self.world.facts(frame.path).language == "python":
                self.record("block", None, f"Future.{name}", place, length=length, blocking=True)
            return value
        if name in ("json", "text", "blob", "arrayBuffer", "formData", "bytes", "buffer"):
            return self.lazily(lambda: self.attribute(self.settle(promise), name, frame), place)
        if name == "cancel":
            frame.hands_on = True
            if not self.tests:
                self.cancelled.add(promise.serial)
        return StateTest(outside=True) if name in ("done", "running", "cancelled") else NOTHING


__all__ = ["Args", "Calls", "comes_from_outside", "inside"]
