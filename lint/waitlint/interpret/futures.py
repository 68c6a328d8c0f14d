"""Functions of the library that wait for several futures."""

from __future__ import annotations

from collections.abc import Callable

from waitlint.finding import Place
from waitlint.interpret.alternatives import inside
from waitlint.interpret.frames import Frame
from waitlint.interpret.promises import Args, Promises
from waitlint.interpret.values import NOTHING, Constant, Deferred, Items, Unknown, Value, pick

NOT_IN_VIEW = Unknown("what it waits for is not in view")


def _as_completed(machine: Promises, args: Args, place: Place, frame: Frame) -> Value:
    """`as_completed(futures, timeout)`: the futures, in the order in which they end."""
    length = pick(tuple(args), "timeout", 1)
    if length is not None and not (isinstance(length, Constant) and length.value is None):
        machine.record("block", None, "as_completed", place, length=length, blocking=True)
    given = pick(tuple(args), "fs", 0) or NOTHING
    found = tuple(part for part in inside(given, depth=3) if isinstance(part, Deferred))
    return Items(found, open=True) if found else machine.answer(place)


def _wait(machine: Promises, args: Args, place: Place, frame: Frame) -> Value:
    """`wait(futures, timeout)`: those that have ended and those that have not."""
    length = pick(tuple(args), "timeout", 1)
    given = pick(tuple(args), "fs", 0) or NOTHING
    found = tuple(part for part in inside(given, depth=3) if isinstance(part, Deferred))
    if length is not None and not (isinstance(length, Constant) and length.value is None):
        machine.record("block", None, "futures.wait", place, length=length, blocking=True)
    elif not found:
        machine.record("block", None, "futures.wait", place, length=NOT_IN_VIEW, blocking=True)
    ended = Items(found, open=True) if found else machine.answer(place)
    return Items((ended, ended))


FUTURES: dict[str, Callable[[Promises, Args, Place, Frame], Value]] = {
    "concurrent.futures.as_completed": _as_completed,
    "concurrent.futures.wait": _wait,
}
