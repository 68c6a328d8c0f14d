"""Calls of what is not in the project: functions of libraries, and methods of what came from outside."""

from __future__ import annotations

from msgspec.structs import replace

from waitlint.finding import Place
from waitlint.interpret.alternatives import choice, inside, options
from waitlint.interpret.builtins import BUILTINS
from waitlint.interpret.by_name import wait_by_name
from waitlint.interpret.core import OutOfBudget, is_hollow
from waitlint.interpret.events import Scope
from waitlint.interpret.files import path_method, read_by
from waitlint.interpret.frames import Frame
from waitlint.interpret.futures import FUTURES
from waitlint.interpret.membership import asked_by
from waitlint.interpret.methods import METHODS
from waitlint.interpret.nodejs import NODE
from waitlint.interpret.origins import innermost, is_done_at_once, origin_of
from waitlint.interpret.processes import LISTENING, child_of
from waitlint.interpret.schemas import schema_call, schema_method
from waitlint.interpret.values import (
    NOTHING,
    TRUE,
    ClassRef,
    Constant,
    Deferred,
    External,
    FunctionRef,
    Instance,
    MethodOf,
    ModelArgument,
    Outside,
    Signal,
    StateTest,
    StopTest,
    Textual,
    ToolContext,
    Unknown,
    Value,
    pick,
)
from waitlint.interpret.wrapped import Wrapped

Args = list[tuple[str | None, Value]]
CONTEXT = "the context of a tool"
IS_SET = "is set"
KEEPING = frozenset({"set", "push", "add", "enqueue", "unshift"})
LOOSE = frozenset({External, MethodOf, Outside, Unknown})
# Kinds of values that hold no others: neither signals nor the context of a tool.
PLAIN = frozenset({Constant, Outside, Unknown, External, FunctionRef, ClassRef, MethodOf, ModelArgument})


class Unseen(Wrapped):
    def call_function(self, ref: FunctionRef, args: Args, place: Place) -> Value:
        raise NotImplementedError

    def outside(
        self, args: Args, frame: Frame, place: Place, name: str = "", *, origin: str = "", listens: bool = False
    ) -> Value:
        """The result of code that is not in view, called by `name`. A signal that goes there may be obeyed there.

        `origin` is the qualified name of what it belongs to; it `listens` where it calls back at each event.
        """
        if name and not self.muted:
            self.unseen[name] = None
        for _, value in args:
            if is_hollow(value):
                continue
            if any(isinstance(part, ToolContext) and part.signal_path for part in inside(value, depth=2)):
                self.took_stop = True
            signals = self.signals_of(value)
            if any(signal.stop for signal in signals):
                frame.hands_on = True
                for signal in signals:
                    self.signal_may_fire(signal, place)
        if args:
            self.note_limited_work(name, args, place)
            self.note_handed(args)
            self.hand_out(args, origin, listens)
        self.note_asked(place)
        return self.answer(place)

    def _call_external(self, name: str, args: Args, place: Place, frame: Frame, new: bool) -> Value:
        apis = self.apis.of(self.world.facts(frame.path).language)
        api = apis.named(name)
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
        result = self.outside(args, frame, place, name, origin=name)
        return Outside(place, source=name) if isinstance(result, Outside) else result

    def _call_method(self, owner: Value, name: str, args: Args, place: Place, frame: Frame) -> Value:
        apis = self.apis.of(self.world.facts(frame.path).language)
        if isinstance(owner, Instance) and isinstance(owner.type, External):
            schema = schema_method(owner, name, args)
            if schema is not None:
                return schema
            api = apis.method(owner.type.name, name)
            if api is not None:
                return self.api_call(api, owner, args, place, frame, f"{owner.type.name}.{name}")
            known = self.apis.named(owner.type.name)
            if known is not None and known.kind == "event":
                return self._event_method(owner, name, args, place, frame)
        kind = type(owner)
        child = child_of(owner) if kind not in PLAIN or kind is MethodOf else None
        if child is not None:
            return self.child_method(child, owner, name, args, place, frame)
        if type(owner) is Outside and owner.of:
            own = choice([(None, self.attribute(self.instance_by_type(ref), name, frame)) for ref in owner.of])
            if any(isinstance(one, FunctionRef) for _, one in options(own)):
                return self.call_value(own, args, place, frame)
        origin = origin_of(owner)
        if kind in LOOSE or kind is FunctionRef:
            api = apis.of_origin(origin, name, is_result=kind is Outside)
            if api is not None:
                return self.api_call(api, None, args, place, frame, f"{origin}.{name}" if origin else name)
        elif isinstance(owner, Deferred):
            return self._promise_method(owner, name, args, place, frame)
        elif (signal := self.as_signal(owner)) is not None:
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
        result = self._call_unseen(owner, name, origin, args, place, frame)
        if isinstance(owner, Outside) and isinstance(result, Outside):
            read = owner.part(name, place)
            return read if owner.certain else replace(read, serial=result.serial)
        return replace(result, source=f"{origin}.{name}") if isinstance(result, Outside) and origin else result

    def _wait_by_name(self, owner: Value, name: str, origin: str, args: Args, place: Place, frame: Frame) -> None:
        """Note a wait that is known by the name of its method alone: in Python, where names are written apart."""
        found = wait_by_name(owner, name, args) if self.world.facts(frame.path).language == "python" else None
        if found is not None:
            self.record("block", None, f"{origin}.{name}".lstrip("."), place, length=found[0], scale=found[1])

    def _call_unseen(self, owner: Value, name: str, origin: str, args: Args, place: Place, frame: Frame) -> Value:
        """A method that is not in view, with what is known of how it calls back."""
        values = [value for _, value in args]
        event = values[0].literal if values and isinstance(values[0], Textual) else ""
        if name in KEEPING:
            self.keep_resolvers(*values)
        listens = name in LISTENING and event not in ("error", "spawn") and not is_done_at_once(origin)
        label = "" if isinstance(owner, Outside) and owner.certain else f"{origin}.{name}"
        return self.outside(args, frame, place, label, origin=origin, listens=listens)

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
                first, under_way = self.serial, len(self.pending)
                value = self.settle(promise)
                caught = self.pending[under_way:] if name == "catch" and args else []
                if name == "catch" and callbacks:
                    self.note_caught(callbacks[0], first, place, frame)
                if caught:
                    del self.pending[under_way:]
                    instead: Value = Unknown("what a callback gives back")
                    if callbacks:
                        with self.handling():
                            instead = self.settle(self.call_function(callbacks[0], [(None, caught[0].value)], place))
                    return choice([(None, value), *((one.tag, instead) for one in caught)])
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
