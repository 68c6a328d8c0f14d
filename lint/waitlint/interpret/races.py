"""Bounds around a part of a run: timeouts and races."""

from __future__ import annotations

from waitlint.catalog import Api
from waitlint.facts import Function
from waitlint.finding import Place
from waitlint.interpret.alternatives import choice, options
from waitlint.interpret.arithmetic import arithmetic, least, scaled
from waitlint.interpret.events import Event, Scope
from waitlint.interpret.expressions import Expressions
from waitlint.interpret.origins import is_done_at_once
from waitlint.interpret.raising import Raised
from waitlint.interpret.syntax import cancels
from waitlint.interpret.values import (
    Constant,
    Deferred,
    External,
    Items,
    MethodOf,
    Outside,
    Record,
    Signal,
    Unknown,
    Value,
    pick,
)

ONLY_SETS_UP = frozenset({"on", "once", "off", "addListener", "prependListener", "addEventListener", "listen", "pipe"})
ENDING = ("cancel", "abort", "shutdown", "terminate", "kill")


class Races(Expressions):
    def bounded(self, body: Value, seconds: Value, place: Place, *, raises: bool = True, label: str = "") -> Value:
        """Await `body` for at most `seconds`. Where nothing in it is known to wait, the call `label` is the wait."""
        if isinstance(seconds, Constant) and seconds.value is None:
            return self.settle(body)
        before = len(self.finished_loops)
        is_race = self.world.facts(place.path).language == "typescript"
        noted = len(self.events)
        with self.scope(Scope(seconds, (), place, self.next_serial(), raises, is_race=is_race)):
            value = self.settle(body)
        if label and len(self.events) == noted and not is_race:
            self.record("block", None, label, place, length=seconds, blocking=False)
        around = self.ended_by(seconds, place) if raises else None
        if around is not None:
            self.pending.append(Raised(around.serial, External("TimeoutError"), place, ()))
        return self.after_scope(before, value, place, raises)

    def note_limited_work(self, name: str, args: list[tuple[str | None, Value]], place: Place) -> None:
        """A call into code that is not in view, with a signal that a timer fires: the work may take as long as that."""
        options_given = [value for _, value in args if type(value) is Record]
        if not options_given:
            return
        tail = name.rpartition(".")[2]
        if not tail[:1].islower() or tail in ONLY_SETS_UP or is_done_at_once(name):
            return
        signals = [part for given in options_given for part in given.entries.values() if isinstance(part, Signal)]
        if any(signal.deadline for signal in signals):
            self.record("block", None, name, place, length=None, signals=tuple(signals), opaque=True)

    def after_scope(self, before: int, value: Value, place: Place, raises: bool) -> Value:
        """A scope that ended the waits inside it raises, or falls through."""
        for loop in self.finished_loops[before:]:
            if raises:
                self.pending.append(Raised(loop.serial, External("TimeoutError"), place, ()))
        return value

    def all_of(self, values: list[Value]) -> Value:
        flat: list[Value] = []
        for value in values:
            for _, option in options(value):
                flat.extend(option.items if isinstance(option, Items) else (option,))
        return Items(tuple(self.settle(value) for value in flat))

    def race(self, api: Api, args: list[tuple[str | None, Value]], place: Place) -> Value:
        """Run the arms of a race, each bounded by the others' timers and signals."""
        arms: list[Value] = []
        for key, value in args:
            if key is None:
                arms.extend(value.items if isinstance(value, Items) else (value,))
        limit = None
        for slot in api.seconds:
            limit = limit or pick(tuple(args), slot.name, slot.arg)
        if isinstance(limit, Constant) and limit.value is None:
            limit = None
        timers: list[Value] = [] if limit is None else [scaled(limit, api.scale)]
        signals: list[Signal] = []
        work: list[Value] = []
        ended: list[tuple[int | None, Value]] = []
        unseen = takes_its_time = False
        for arm in arms:
            events, reached = self._probe(arm)
            if isinstance(arm, Deferred) and (arm.timer is not None or arm.signals) and not _reads(events):
                self._timer_arm(arm, events, timers, signals, ended, place)
            elif events and _only_pauses(events):
                timers.extend(
                    arithmetic("*", event.length, Constant(event.scale)) for event in events if event.length is not None
                )
                signals.extend(signal for event in events for signal in event.signals)
            else:
                work.append(arm)
                unseen = unseen or _is_unseen(arm) or (isinstance(arm, Deferred) and not events)
                takes_its_time = takes_its_time or _may_take_its_time(arm, reached)
        bound = least(timers) if timers else None
        results: list[tuple[int | None, Value]] = []
        before = len(self.events)
        tidy, ends = self._is_tidy(), bound is not None or bool(signals)
        clocks = [arm.serial for arm in arms if isinstance(arm, Deferred) and arm.timer is not None]
        own = Scope(
            bound,
            tuple(signals),
            place,
            self.next_serial(),
            False,
            ends,
            tidy=tidy,
            is_open=unseen,
            since=min(clocks, default=None),
        )
        with self.scope(own):
            results.extend((None, self.settle(arm)) for arm in work)
        if any(isinstance(arm, Outside | Unknown) for arm in work):
            for loop in self.loops:
                loop.unknown_exit = loop.unknown_exit or "it is raced against something that is not in view"
        for signal in signals:
            self.signal_may_fire(signal, place)
        by_hand = all(isinstance(arm, Deferred) and arm.cell is not None and not arm.cell.by_others for arm in work)
        if bound is not None and (by_hand or takes_its_time) and len(self.events) == before:
            kind = "sleep" if by_hand else "block"
            self.record(kind, None, api.label, place, length=bound, signals=tuple(signals), opaque=unseen)
        if timers and not ended:
            results.append((None, Unknown("the timer won")))
        return choice([*results, *ended]) if results or ended else Outside(place)

    def _is_tidy(self) -> bool:
        """Whether a function around the race cancels or aborts something itself: most likely what has lost."""
        return any(frame.function is not None and self._ends_something(frame.function) for frame in self.chain)

    def _ends_something(self, function: Function) -> bool:
        return self.world.once("ends", function, lambda: cancels(function.body, ENDING))

    def _timer_arm(
        self,
        arm: Deferred,
        events: list[Event],
        timers: list[Value],
        signals: list[Signal],
        ended: list[tuple[int | None, Value]],
        place: Place,
    ) -> None:
        """An arm that only waits for time or a signal: it bounds the others."""
        signals.extend(arm.signals)
        seconds = arm.timer
        if seconds is None:
            lengths = [
                arithmetic("*", event.length, Constant(event.scale)) for event in events if event.length is not None
            ]
            seconds = least(lengths) if lengths else None
        if seconds is None:
            return
        timers.append(seconds)
        loop = self.loop_after(arm.serial)
        if loop is not None and not self.muted:
            self.cap_found(loop, "timer", seconds, 1.0, place)
            ended.append((loop.serial, Unknown("the timer won")))

    def _probe(self, arm: Value) -> tuple[list[Event], list[str]]:
        """What an arm would do, without its having been done, and the calls in it into code that is not in view."""
        saved, pending, loops, unseen = self.events, self.pending, self.finished_loops, self.unseen
        self.events, self.pending, self.finished_loops, self.unseen = [], [], [], {}
        try:
            if isinstance(arm, Deferred) and arm.run is not None:
                arm.run()
            return self.events, list(self.unseen)
        finally:
            self.events, self.pending, self.finished_loops = saved, pending, loops
            self.unseen = {**unseen, **self.unseen}


def _is_unseen(arm: Value) -> bool:
    """Whether it is not in view what settles an arm: a stop may."""
    if isinstance(arm, Deferred):
        return arm.run is None and arm.timer is None and not arm.signals
    return isinstance(arm, Outside | Unknown)


def _may_take_its_time(arm: Value, reached: list[str]) -> bool:
    """Whether something that is not in view is waited for, and it is not known to be done at once."""
    if isinstance(arm, Deferred):
        return any(not is_done_at_once(name) for name in reached)
    found = [option for _, option in options(arm)]
    seen = [option for option in found if isinstance(option, Outside)]
    return any(not is_done_at_once(option.source) for option in seen) or any(isinstance(o, MethodOf) for o in found)


def _only_pauses(events: list[Event]) -> bool:
    """Whether an arm does nothing but pause: a pause after a failure belongs to work that is tried again."""
    return all(event.kind == "sleep" and not event.in_handler and not event.after_failure for event in events)


def _reads(events: list[Event]) -> bool:
    return any(event.kind != "sleep" for event in events)
