"""Calls that wait a while for something to happen, lap after lap: they are the pause of the loop around them."""

from __future__ import annotations

from waitlint.facts import Handler, Jump, Raise, Return, Try
from waitlint.interpret.events import ENDS_WITH_ITEMS, Event, LoopRun
from waitlint.interpret.syntax import nodes
from waitlint.project.durations import seconds_of

LONGEST_TICK = 60.0


def ticks_of(loop: LoopRun, own: list[Event]) -> list[Event]:
    """The calls in a loop's own laps that come back after a while at most, so that the next lap can look again."""
    if loop.unknown_exit == ENDS_WITH_ITEMS:
        return []
    return [event for event in own if _is_tick(loop, event)]


def _is_tick(loop: LoopRun, event: Event) -> bool:
    if event.kind != "block" or event.in_handler or event.after_failure:
        return False
    if event.api is not None and event.api.command:
        return False
    seconds = seconds_of(event.length, event.scale)
    if not seconds.known or not 0 < seconds.value <= LONGEST_TICK:
        return False
    return (event.api is not None and event.api.ticks) or _goes_on_without(loop, event)


def _goes_on_without(loop: LoopRun, event: Event) -> bool:
    """Whether what it raises when its time is up is caught inside the lap, and the loop goes on."""
    below = event.frames[len(loop.frames) :]
    place = next((frame.call for frame in below if frame.call is not None), None) or event.place
    if place.path != loop.place.path:
        return False
    for node in nodes(loop.loop.body):
        if isinstance(node, Try) and node.body and any(map(_goes_on, node.handlers)):
            start, end = node.body[0].span.start, node.body[-1].span.end
            if start <= place.span.start < end:
                return True
    return False


def _goes_on(handler: Handler) -> bool:
    last = handler.body[-1] if handler.body else None
    return not isinstance(last, Raise | Return) and not (isinstance(last, Jump) and last.kind == "break")
