"""Promises that are made by hand: what settles them, and what waiting for one is."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from waitlint.finding import Place
from waitlint.interpret.alternatives import choice, inside
from waitlint.interpret.arithmetic import arithmetic, least
from waitlint.interpret.origins import is_done_at_once
from waitlint.interpret.races import Races
from waitlint.interpret.raising import Raised
from waitlint.interpret.settling import PromiseCell, Settlement, Ticks
from waitlint.interpret.values import (
    NOTHING,
    Constant,
    Deadline,
    Deferred,
    FunctionRef,
    Instance,
    Items,
    Outside,
    Record,
    Resolver,
    Signal,
    Unknown,
    Value,
    pick,
)

SETTLED_ELSEWHERE = Unknown("what settles it is not in view")
STARTS_ANEW = Unknown("a timer that starts anew bounds a silence, not the wait")

Args = list[tuple[str | None, Value]]


class Promises(Races):
    """`making` is the promise whose executor runs, `looking` True while a callback is only looked at.

    `listening` is True in a callback that is called again and again: a timer that it starts is started anew each time.
    """

    resolved: list[tuple[PromiseCell, Settlement]]
    controllers: list[Instance]
    looking: bool
    making: PromiseCell | None
    listening: bool

    def make_promise(self, executor: Value, place: Place) -> Value:
        """`new Promise(executor)`: what settles it may be found out later, where its resolver goes."""
        cell = PromiseCell()
        serial = self.next_serial()
        if isinstance(executor, FunctionRef):
            with self.made_by(cell):
                given: Args = [(None, Resolver(cell)), (None, Resolver(cell, rejects=True))]
                self.run_function(executor, given, place)
        if cell.settled and not (
            cell.timer or cell.signals or cell.by_others or cell.kept or cell.ticks or cell.children
        ):
            return self._settled_with(cell.settled)
        return Deferred(None, place, cell, serial=serial, frames=tuple(self.chain))

    @contextmanager
    def made_by(self, cell: PromiseCell) -> Iterator[None]:
        """Run code that settles a promise: what it starts and does not await is part of that."""
        outer, self.making = self.making, cell
        try:
            yield
        finally:
            self.making = outer

    def start(self, value: Value) -> None:
        """What is started and not awaited: it counts where it may settle the promise that is being made."""
        if self.making is not None and isinstance(value, Deferred) and value.run is not None:
            before = len(self.making.settled)
            self.settle(value)
            self.making.worked = self.making.worked or len(self.making.settled) > before

    def settle_promise(self, resolver: Resolver, args: Args, place: Place) -> Value:
        """A call of a resolver: at once, or in a callback that is being looked at."""
        value = pick(tuple(args), None, 0)
        settlement = Settlement(NOTHING if value is None else value, resolver.rejects, self.tag, place)
        if self.looking:
            self.resolved.append((resolver.cell, settlement))
        else:
            resolver.cell.settled.append(settlement)
        return NOTHING

    def _settled_with(self, settlements: list[Settlement]) -> Value:
        """What a promise gives; what it is rejected with goes on as an exception."""
        for settlement in settlements:
            if settlement.rejects and settlement.place is not None:
                self.pending.append(Raised(settlement.tag, settlement.value, settlement.place, ()))
        kept = [(one.tag, self.settle(one.value)) for one in settlements if not one.rejects]
        if not kept:
            self.never_returns = True
            return Unknown("it is rejected")
        return choice(kept)

    def await_promise(self, promise: Deferred) -> Value:
        """Wait until a promise that was made by hand is settled."""
        cell = promise.cell
        with self.under(promise.frames):
            if cell is not None and cell.ticks is not None:
                return self.run_ticks(cell, cell.ticks)
            if cell is not None and cell.children:
                return self.await_children(cell, promise)
            if cell is not None and (cell.by_others or cell.kept):
                bound = (
                    cell.timer if cell.timer is not None else (SETTLED_ELSEWHERE if cell.heard or cell.kept else None)
                )
                if bound is not None and (cell.strangers or cell.kept):
                    self.record("block", None, "Promise", promise.place, length=bound, signals=promise.signals)
                return Outside(promise.place)
            if cell is not None and cell.worked:
                return self._settled_with(cell.settled)
            if promise.timer is not None:
                self.record("sleep", None, "setTimeout", promise.place, length=promise.timer, signals=promise.signals)
                return NOTHING
        return Unknown("a promise that is resolved elsewhere")

    def await_children(self, cell: PromiseCell, promise: Deferred) -> Value:
        """Wait for a promise that the ends of commands settle."""
        raise NotImplementedError

    def run_ticks(self, cell: PromiseCell, ticks: Ticks) -> Value:
        """Wait for a promise that a callback settles which runs again and again."""
        raise NotImplementedError

    # ------------------------------------------------------------ timers and listeners

    def set_timer(self, callback: Value, milliseconds: Value, place: Place) -> Value:
        """`setTimeout(callback, milliseconds)`: it may settle a promise, or abort a controller."""
        seconds = milliseconds if milliseconds == STARTS_ANEW else arithmetic("*", milliseconds, Constant(0.001))
        settled, controllers = self._looked_at(callback)
        for cell, settlement in settled:
            cell.timer = sooner(cell.timer, seconds)
            cell.late.append(settlement)
        self._fire(controllers, stop=False, deadlines=(Deadline(seconds, self.next_serial()),))
        return Outside(place)

    def set_interval(self, callback: Value, milliseconds: Value, place: Place) -> Value:
        """`setInterval(callback, milliseconds)`: in a promise that is made by hand, it may look when to settle it."""
        if self.making is not None and isinstance(callback, FunctionRef) and not self.looking:
            cells, _ = self.effects_of(callback)
            if self.making in cells:
                self.making.ticks = Ticks(callback, arithmetic("*", milliseconds, Constant(0.001)), place)
        return Outside(place)

    def listen(self, signal: Signal, callback: Value) -> bool:
        """`signal.addEventListener("abort", callback)`; whether it is known what comes of it."""
        settled, controllers = self._looked_at(callback)
        for cell, settlement in settled:
            cell.signals.append(signal)
            if signal.deadlines:
                cell.late.append(settlement)
        self._fire(controllers, stop=signal.stop, deadlines=signal.deadlines)
        return bool(settled or controllers)

    def hand_out(self, args: Args, origin: str, listens: bool) -> None:
        """Callbacks that go to code that is not in view: it may settle the promise that is being made.

        `origin` is the qualified name of what they go to, `listens` is True where it calls them at each event.
        """
        if self.making is None or self.looking:
            return
        outer, self.listening = self.listening, listens
        try:
            for _, value in args:
                if isinstance(value, Record | Items):
                    self.keep_resolvers(value)
                elif self.making in self.effects_of(value)[0]:
                    self.making.by_others = True
                    self.making.strangers = self.making.strangers or not is_done_at_once(origin)
                    self.making.heard = self.making.heard or listens
        finally:
            self.listening = outer

    def keep_resolvers(self, *values: Value) -> None:
        """What settles a promise is put somewhere: who finds it there settles that."""
        making = None if self.looking else self.making
        for part in (part for value in values for part in inside(value, depth=3)):
            if type(part) is Resolver:
                part.cell.kept = True
            elif type(part) is FunctionRef and making is not None and making in self.effects_of(part)[0]:
                making.kept = True

    def effects_of(self, callback: Value) -> tuple[list[PromiseCell], list[Instance]]:
        """The promises that a callback settles, and the controllers that it aborts."""
        settled, controllers = self._looked_at(callback)
        return [cell for cell, _ in settled], controllers

    def _looked_at(self, callback: Value) -> tuple[list[tuple[PromiseCell, Settlement]], list[Instance]]:
        """The promises that a callback settles, each with what, and the controllers that it aborts."""
        if isinstance(callback, Resolver):
            return [(callback.cell, Settlement(NOTHING, callback.rejects))], []
        if not isinstance(callback, FunctionRef):
            return [], []
        saved = self.resolved, self.controllers, self.looking, self.never_returns
        self.resolved, self.controllers, self.looking = [], [], True
        try:
            with self.quietly():
                self.settle(self.run_function(callback, [("**", Unknown("what it is called with"))], None))
            return self.resolved, self.controllers
        finally:
            self.resolved, self.controllers, self.looking, self.never_returns = saved

    def _fire(self, controllers: list[Instance], *, stop: bool, deadlines: tuple[Deadline, ...]) -> None:
        """Give the signals of controllers what fires them."""
        for controller in controllers:
            before = controller.fields.get("signal")
            known = before if isinstance(before, Signal) else Signal(stop=False)
            controller.fields["signal"] = Signal(
                known.stop or stop, tuple(dict.fromkeys((*known.deadlines, *deadlines))), known.place
            )


def sooner(before: Value | None, seconds: Value) -> Value:
    """The first of two timers to fire. One that is set again and again leaves it open when that is."""
    if before is None or before == STARTS_ANEW:
        return before or seconds
    return seconds if seconds == STARTS_ANEW else least([before, seconds])
