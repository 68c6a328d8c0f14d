"""Functions with something around them: decorators of the project, and helpers that call them again and again."""

from __future__ import annotations

from msgspec.structs import replace

from waitlint.catalog import Api
from waitlint.facts import Call, Expr, Function
from waitlint.finding import Place
from waitlint.interpret.again import handed_on, raises_until_over
from waitlint.interpret.alternatives import options
from waitlint.interpret.arithmetic import arithmetic, least
from waitlint.interpret.catalogued import Args, Catalogued
from waitlint.interpret.frames import Frame
from waitlint.interpret.instances import Repeated
from waitlint.interpret.values import (
    Constant,
    External,
    FunctionRef,
    Instance,
    Unknown,
    Value,
)
from waitlint.spelled import tail

AGAIN = ("poll", "retry")
PLAIN = frozenset(
    {"property", "staticmethod", "classmethod", "wraps", "override", "abstractmethod", "cached_property", "overload"}
)


class Wrapped(Catalogued):
    decorations: dict[tuple[str, int], Value | None]

    # ------------------------------------------------------------ decorators

    def decorated(self, ref: FunctionRef, function: Function) -> Value | None:
        """What a function's decorators have made of it; None where they leave it as it is, for all that is known."""
        key = (ref.path, ref.index)
        own_frame = ref.frame is not None and ref.frame.function is not None
        if not own_frame and key in self.decorations:
            return self.decorations[key]
        self.decorations[key] = None
        found = self._decorated(replace(ref, plain=True, receiver=None, bound=()), function)
        if own_frame:
            del self.decorations[key]
        else:
            self.decorations[key] = found
        return found

    def _decorated(self, plain: FunctionRef, function: Function) -> Value | None:
        made: Value = plain
        frame = plain.frame or Frame(plain.path, None)
        for decorator in reversed(function.decorators):
            if _name_of(decorator) in PLAIN:
                continue
            with self.quietly():
                value = self.settle(self.evaluate(decorator, frame))
                place = frame.place(decorator.span)
                for _, option in options(value)[:1]:
                    if isinstance(option, FunctionRef):
                        changed = self.settle(self.call_value(option, [(None, made)], place, frame))
                        made = changed if isinstance(changed, FunctionRef) else made
                    else:
                        made = self.repeated(option, made, place) or made
        return made if made != plain else None

    def repeated(self, helper: Value, body: Value, place: Place) -> Value | None:
        """`helper` called with a function, or set above it, where it is one that calls it again and again."""
        name = helper.name if isinstance(helper, External) else ""
        if isinstance(helper, Instance) and isinstance(helper.type, External):
            name = helper.type.name
        row = self.apis.named(name) if name else None
        if row is None or row.kind not in AGAIN:
            return None
        args = helper.args if isinstance(helper, Instance) else ()
        made_at = helper.made_at if isinstance(helper, Instance) else None
        return Repeated(External(name), args, {}, made_at or place, 0, body, row)

    # ------------------------------------------------------------ again and again

    def call_again(self, helper: Repeated, args: Args, place: Place, frame: Frame) -> Value:
        """Call a function as often as a helper does."""
        row, body = helper.row, helper.body
        if row is None:
            return Unknown("a helper that is not known")
        name = helper.type.name if isinstance(helper.type, External) else row.label

        function = self.world.facts(body.path).functions[body.index] if isinstance(body, FunctionRef) else None

        def run() -> Value:
            polls = row.kind == "poll" or self._asks_for_a_result(row, list(helper.args))
            polls = polls or (isinstance(body, FunctionRef) and self._raises_until_over(body))
            kind = "block" if polls else "retry"
            length = self._longest(row, list(helper.args))
            self.record(kind, row, name, helper.made_at or place, length=length)
            return self.settle(self.call_value(body, args, place, frame))

        return self.lazily(run, place) if function is not None and function.is_async else run()

    def _raises_until_over(self, body: FunctionRef, further: int = 1) -> bool:
        """Whether a function, or the one that it only calls, raises unless the work that it asks about is over."""
        function = self.world.facts(body.path).functions[body.index]
        if self.world.once("raises until", function, lambda: raises_until_over(function.body)):
            return True
        called = handed_on(function.body) if further else None
        if called is None:
            return False
        with self.quietly():
            callee = self.evaluate(called, Frame(body.path, None, body.frame))
        return isinstance(callee, FunctionRef) and self._raises_until_over(callee, further - 1)

    def _asks_for_a_result(self, row: Api, args: Args) -> bool:
        """Whether it calls again for what the function gave back, and not for what it raised."""
        given = self.slot(row.result, args)
        for _, option in options(given) if given is not None else ():
            if isinstance(option, FunctionRef):
                return True
            if isinstance(option, Instance) and isinstance(option.type, External):
                kind = self.apis.named(option.type.name)
                if kind is not None and kind.kind == "result":
                    return True
        return False

    def _longest(self, row: Api, args: Args) -> Value | None:
        """How long a helper goes on at most, in seconds; None for ever."""
        pause = self._pause(row, args)
        limits: list[Value] = []
        timeout = self.slot(row.timeout, args)
        if timeout is not None and not _is_none(timeout, endless=row.endless):
            limits.append(arithmetic("*", timeout, Constant(row.scale)))
        laps = self.slot(row.laps, args)
        if laps is not None and not _is_none(laps, endless=row.endless):
            limits.append(arithmetic("*", laps, pause))
        stop = self.slot(row.stop, args)
        for _, option in options(stop) if stop is not None else ():
            limits.extend(self._of_stop(option, pause))
        if limits:
            return limits[0] if len(limits) == 1 else least(limits)
        if isinstance(row.default, str):
            return Unknown("a default that is not known")
        return None if row.default is None else Constant(row.default)

    def _of_stop(self, stop: Value, pause: Value) -> list[Value]:
        """What an object that says when to stop limits."""
        if _is_none(stop, endless=False):
            return []
        if not (isinstance(stop, Instance) and isinstance(stop.type, External)):
            return [Unknown("when it stops is not in view")]
        row = self.apis.named(stop.type.name)
        if row is None or row.kind != "stop":
            return [Unknown("when it stops is not in view")]
        seconds = self.slot(row.seconds, list(stop.args))
        if seconds is not None:
            return [arithmetic("*", seconds, Constant(row.scale))]
        laps = self.slot(row.laps, list(stop.args))
        return [] if laps is None else [arithmetic("*", laps, pause)]

    def _pause(self, row: Api, args: Args) -> Value:
        """The longest pause between two calls, in seconds."""
        given = self.slot(row.pause, args)
        if isinstance(given, Instance) and isinstance(given.type, External):
            kind = self.apis.named(given.type.name)
            found = self.slot(kind.seconds, list(given.args)) if kind is not None and kind.kind == "pause" else None
            return arithmetic("*", found, Constant(kind.scale)) if kind is not None and found is not None else NO_PAUSE
        if given is not None:
            return arithmetic("*", given, Constant(row.scale))
        return NO_PAUSE if row.pauses is None else Constant(row.pauses)


NO_PAUSE = Unknown("the pause between two attempts is not known")


def _is_none(value: Value, *, endless: bool) -> bool:
    if not isinstance(value, Constant):
        return False
    return value.value is None or (endless and not value.value)


def _name_of(decorator: Expr) -> str:
    return tail(decorator.func if isinstance(decorator, Call) else decorator)
