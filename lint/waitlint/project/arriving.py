"""Whether the stop signal and the deadline arrive at a call, and what goes on without it."""

from __future__ import annotations

from waitlint.finding import Evidence, Place
from waitlint.interpret.alternatives import inside, options
from waitlint.interpret.catalogued import EITHER
from waitlint.interpret.events import Event, Scope
from waitlint.interpret.values import Constant, ModelArgument, Remaining
from waitlint.linked import Reach
from waitlint.project.durations import seconds_of


def stop_reach(event: Event) -> tuple[Reach, Evidence | None, Place | None]:
    """Whether the stop signal that is at hand arrives; if not, where it is bound and which call leaves it behind."""
    if any(signal.stop for signal in event.signals):
        return Reach.ARRIVES, None, None
    if any(signal.stop for scope in event.scopes for signal in scope.signals):
        return Reach.ARRIVES, None, None
    if _is_cancelled_by_itself(event):
        shield = next((scope for scope in event.scopes if scope.is_shielded), None)
        return (Reach.MISSES, None, shield.place) if shield is not None else (Reach.NOT_OFFERED, None, None)
    for position in range(len(event.frames) - 1, -1, -1):
        frame = event.frames[position]
        if frame.signals:
            if event.opaque or frame.hands_on or any(scope.is_open for scope in event.scopes):
                return Reach.UNKNOWN, None, None
            name, (_, place) = next(iter(frame.signals.items()))
            below = event.frames[position + 1 :]
            missed_at = next((inner.call for inner in below if inner.call is not None), event.place)
            return Reach.MISSES, Evidence(place, f"the stop signal `{name}` is at hand"), missed_at
    return Reach.NOT_OFFERED, None, None


def _is_cancelled_by_itself(event: Event) -> bool:
    """Whether a coroutine is cancelled here without a signal: in Python, at whatever it awaits."""
    if not event.in_async or event.blocking or not event.place.path.endswith((".py", ".pyi", ".ipynb")):
        return False
    handler = event.frames[0].function if event.frames else None
    return handler is not None and handler.is_async


def deadline_reach(event: Event, loop: int | None) -> Reach:
    """Whether a deadline arrives; that of the wait with the serial `loop`, if one is given."""
    if event.detail == EITHER:
        return Reach.MISSES
    carried = [*event.signals, *(signal for scope in event.scopes for signal in scope.signals)]
    if any(signal.deadline if loop is None else signal.bounds(loop) for signal in carried):
        return Reach.ARRIVES
    if any(scope.seconds is not None and (loop is None or scope.fixed_at < loop) for scope in event.scopes):
        return Reach.ARRIVES
    length = event.length
    if length is not None:
        for _, option in options(length):
            if any(isinstance(part, Remaining) for part in inside(option)):
                return Reach.ARRIVES
            if not isinstance(option, Constant | ModelArgument):
                return Reach.UNKNOWN
    return Reach.UNKNOWN if event.opaque else Reach.MISSES


def left_running(event: Event) -> Place | None:
    """The bound that ends in time and leaves this call running: a race, or a bound around what outlives it."""
    if event.api is None and event.label == "Promise":
        return None  # What something else settles runs nothing itself.
    for scope in reversed(event.scopes):
        outlives = scope.serial < event.outlives and scope.seconds is not None
        if not (outlives or (scope.is_race and not scope.tidy)) or _ends_before(event, scope):
            continue
        ended = event.opaque or any(signal.deadline or not signal.stop for signal in event.signals)
        if outlives or not ended:
            return scope.place
    return None


def _ends_before(event: Event, scope: Scope) -> bool:
    """Whether one call is known to end before the bound around it."""
    if scope.seconds is None or any(serial > scope.serial for serial in event.loops):
        return False
    own, bound = seconds_of(event.length, event.scale), seconds_of(scope.seconds, 1.0)
    return own.known and bound.known and own.value <= bound.value
