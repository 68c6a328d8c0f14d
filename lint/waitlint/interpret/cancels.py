"""Cancellations that are caught and not let go on."""

from __future__ import annotations

import re

from waitlint.facts import (
    Assign,
    Attr,
    Await,
    Binary,
    Call,
    Const,
    Do,
    Expr,
    Handler,
    If,
    Jump,
    Loop,
    Name,
    Raise,
    Return,
    Stmt,
    Str,
    Try,
    Unary,
)
from waitlint.finding import Place
from waitlint.interpret.alternatives import options
from waitlint.interpret.events import LoopRun, Taken
from waitlint.interpret.frames import Frame
from waitlint.interpret.paths import exception_names
from waitlint.interpret.statements import Statements
from waitlint.interpret.syntax import (
    awaits,
    awaits_what_runs,
    cancels,
    laps_until_done,
    leaves_by_raising,
    nodes,
    only_awaited,
)
from waitlint.interpret.values import External, FunctionRef, Items, Value
from waitlint.spelled import within

CANCELLATIONS = frozenset({"CancelledError", "BaseException", "Cancelled"})
OF_TASK = "of a task"
OTHER_CANCELLATION = "concurrent.futures."
FAILED = re.compile(r"err|fail|\bok\b", re.IGNORECASE)
CLOSING = frozenset({"__aexit__", "aclose", "close", "wait_closed", "disconnect", "cleanup", "stop", "shutdown"})
LOOKS_AT_IT = re.compile(r"abort|cancel|signal", re.IGNORECASE)


class Cancels(Statements):
    """Notes which cancellations are caught where."""

    # ------------------------------------------------------------ in Python, where a cancel is an exception

    def note_swallowed(self, handler: Handler, stmt: Try, frame: Frame) -> None:
        """A handler that takes a cancellation, in async code, and does not let it go on."""
        if not self._may_be_cancelled(stmt.body, frame):
            return
        names = set() if handler.type is None else self._cancellations(self.evaluate(handler.type, frame))
        if handler.type is not None and not names:
            return
        if self.world.once("raises", handler, lambda: leaves_by_raising(handler.body)):
            return
        if self.world.once("hands on", handler, lambda: _hands_on(handler)):
            return
        body = frame.function.body if frame.function is not None else ()
        if self.world.once("raises later", handler, lambda: _raises_later(handler, body)):
            return
        if self.world.once("closes", stmt, lambda: _only_closes(stmt.body)):
            return
        if not self._cleans_up(frame) and not self._has_ended(stmt.body, frame):
            caught = "everything" if handler.type is None else ", ".join(sorted(names))
            of_task = self.world.once("awaits what runs", stmt, lambda: awaits_what_runs(stmt.body))
            detail = OF_TASK if of_task else ""
            self.record("swallow", None, caught, frame.place(handler.span), length=None, detail=detail)

    def note_suppressed(self, manager: Expr, body: tuple[Stmt, ...], frame: Frame) -> None:
        """`with suppress(CancelledError)` around what awaits."""
        if not isinstance(manager, Call) or not self._may_be_cancelled(body, frame):
            return
        called = self.evaluate(manager.func, frame)
        if not isinstance(called, External) or called.name != "contextlib.suppress":
            return
        names = {name for arg in manager.args for name in self._cancellations(self.evaluate(arg.value, frame))}
        if names and not self._cleans_up(frame):
            self.record("swallow", None, ", ".join(sorted(names)), frame.place(manager.span), length=None)

    def note_left_in_finally(self, stmt: Try, frame: Frame) -> None:
        """A `finally` that leaves by `return`, `break` or `continue`, and with that drops the exception in hand."""
        if not self._may_be_cancelled(stmt.body, frame):
            return
        way = _leaves(stmt.final)
        if way is not None and not self._cleans_up(frame):
            self.record("swallow", None, "everything", frame.place(way.span), length=None)

    def _may_be_cancelled(self, body: tuple[Stmt, ...], frame: Frame) -> bool:
        if not self.in_async or not body or self.world.facts(frame.path).language != "python":
            return False
        running = [caught.handler for caught in self.caught if caught.handler is not None]
        if any(handler.body and isinstance(handler.body[-1], Raise) for handler in running):
            return False  # What is caught here is the second cancellation: the first one goes on afterwards.
        return self.world.once("awaits", body[0], lambda: awaits(body))

    def _cleans_up(self, frame: Frame) -> bool:
        """Whether the function cancels something itself, whose end it then awaits."""
        function = frame.function
        return function is not None and self.world.once("cancels", function, lambda: cancels(function.body))

    def _has_ended(self, body: tuple[Stmt, ...], frame: Frame) -> bool:
        """Whether all that is awaited is a task that a loop before saw done: nothing can be cancelled there."""
        name = only_awaited(body)
        function = frame.function
        if not name or function is None:
            return False
        return self.world.once(f"sees {name} done", function, lambda: laps_until_done(function.body, name))

    def _cancellations(self, caught: Value) -> set[str]:
        """The names of the cancellations among what is caught."""
        values = caught.items if isinstance(caught, Items) else tuple(option for _, option in options(caught))
        own = [v for v in values if not (isinstance(v, External) and v.name.startswith(OTHER_CANCELLATION))]
        return {name for value in own for name in exception_names(value)} & CANCELLATIONS

    # ------------------------------------------------------------ in TypeScript, where an aborted call throws

    def note_taken(self, handler: Handler, stmt: Try, first: int, frame: Frame) -> None:
        """A `catch` around calls since `first` that a stop ends, after which the loop around it goes on."""
        loop = self._loop_in(frame)
        if loop is None or self.muted or not self._stop_since(first):
            return
        body = loop.loop.body
        looked = self.world.once("looks", handler, lambda: looks_at_cancel(handler.body))
        if not looked and not self.world.once("misses", stmt, lambda: misses_are_noticed(body, stmt)):
            loop.taken.append(Taken(first, self.serial, frame.place(handler.span)))

    def note_caught(self, callback: Value, first: int, place: Place, frame: Frame) -> None:
        """The same for `pause(…).catch(() => {})`: of a read, nobody knows what its missing answer leads to."""
        loop = self._loop_in(frame)
        if loop is None or self.muted or not isinstance(callback, FunctionRef) or not self._stop_since(first):
            return
        function = self.world.facts(callback.path).functions[callback.index]
        only_pauses = all(event.kind == "sleep" for event in self.events if event.serial > first)
        if only_pauses and not self.world.once("looks", function, lambda: looks_at_cancel(function.body)):
            loop.taken.append(Taken(first, self.serial, place))

    def _loop_in(self, frame: Frame) -> LoopRun | None:
        loop = self.loops[-1] if self.loops else None
        here = loop is not None and bool(loop.frames) and loop.frames[-1] is frame
        return loop if here and self.world.facts(frame.path).language == "typescript" else None

    def _stop_since(self, first: int) -> bool:
        return any(event.serial > first and any(signal.stop for signal in event.signals) for event in self.events)

    def note_goes_on(self, loop: LoopRun) -> None:
        """After the laps: what was taken is swallowed if nothing else in the loop ends at the signal."""
        if not loop.taken or not any(event.kind == "sleep" and loop.serial in event.loops for event in self.events):
            return
        elsewhere = [at for at in loop.stop_seen if not any(taken.first < at <= taken.last for taken in loop.taken)]
        if not elsewhere:
            for taken in loop.taken:
                self.record("swallow", None, "an aborted call", taken.place, length=None)


def _raises_later(handler: Handler, body: tuple[Stmt, ...]) -> bool:
    """Whether a handler only notes the cancellation, and the function raises where it asks for what was noted."""
    noted = {
        node.target.name for node in nodes(handler.body) if isinstance(node, Assign) and isinstance(node.target, Name)
    }
    return bool(noted) and any(
        isinstance(node, If) and _speaks_of(node.test, noted) and leaves_by_raising(node.body) for node in nodes(body)
    )


def _speaks_of(test: Expr, names: set[str]) -> bool:
    return any(isinstance(node, Name) and node.name in names for node in nodes((test,)))


def _hands_on(handler: Handler) -> bool:
    """Whether a handler gives what it caught to whoever awaits a future: `ready.set_exception(error)`."""
    return any(
        isinstance(node, Call)
        and isinstance(node.func, Attr)
        and node.func.name == "set_exception"
        and any(isinstance(arg.value, Name) and arg.value.name == handler.name for arg in node.args)
        for node in nodes(handler.body)
    )


def _only_closes(body: tuple[Stmt, ...]) -> bool:
    """Whether all that a block awaits is that something closes: what goes wrong with that is nobody's business."""
    awaited = [node.value for node in nodes(body) if isinstance(node, Await)]
    closed = (call.func.name for call in awaited if isinstance(call, Call) and isinstance(call.func, Attr))
    return bool(awaited) and sum(name in CLOSING for name in closed) == len(awaited)


def looks_at_cancel(body: tuple[Stmt, ...]) -> bool:
    """Whether a handler leaves, or asks what it caught or the signal for a cancel."""
    for node in nodes(body):
        if isinstance(node, Raise | Return) or (isinstance(node, Jump) and node.kind == "break"):
            return True
        if isinstance(node, Str) and LOOKS_AT_IT.search(node.literal or ""):
            return True
        if LOOKS_AT_IT.search(str(getattr(node, "name", ""))):
            return True
    return False


def _leaves(final: tuple[Stmt, ...]) -> Return | Jump | None:
    """The statement by which a `finally` leaves; what stands in a loop of its own does not."""
    for stmt in final:
        if isinstance(stmt, Return | Jump):
            return stmt
        if isinstance(stmt, Loop | Try):
            continue
        for name in ("body", "orelse"):
            inner = _leaves(getattr(stmt, name, ()))
            if inner is not None:
                return inner
    return None


def misses_are_noticed(body: tuple[Stmt, ...], stmt: Try) -> bool:
    """Whether a loop leaves outside of `stmt` where what `stmt` should have brought has not come."""
    for node in nodes(body):
        if isinstance(node, If) and not within(node.span, stmt.span) and asks_for_what_is_missing(node.test):
            inner = (*node.body, *node.orelse)
            if any(isinstance(n, Raise | Return) or (isinstance(n, Jump) and n.kind == "break") for n in nodes(inner)):
                return True
    return False


def asks_for_what_is_missing(test: Expr) -> bool:
    """Whether a test asks if something has not come, or has failed: `!answer`, `answer === undefined`, `failed`."""
    for node in nodes((Do(test.span, test),)):
        if isinstance(node, Unary) and node.op == "not":
            return True
        if isinstance(node, Binary) and any(isinstance(e, Const) and e.value is None for e in (node.left, node.right)):
            return True
        if isinstance(node, Name | Attr) and FAILED.search(node.name):
            return True
    return False
