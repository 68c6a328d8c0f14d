"""What is certain of a tool as a whole: whether each call passes a wait, and whether that one bounds them all."""

from __future__ import annotations

import re

from waitlint.linked import Bound, Passing, Read, Tool, Wait

# Waits that come to no more than this share of another one besides are lost in its rounding.
ROUNDING = 0.1

_WAITS_BY_NAME = re.compile(r"wait|poll|until|block|join|settle|complet|finish|consume", re.IGNORECASE)


def is_always_passed(wait: Wait) -> bool:
    """Whether every call of the tool that ends well has passed the wait."""
    return wait.passing is Passing.ALWAYS


def verb(wait: Wait) -> str:
    """What a tool with this wait does, as a message says it."""
    return "waits" if is_always_passed(wait) else "may wait"


def only_after_failure(wait: Wait) -> bool:
    """Whether a wait stands where something has failed before: it tells nothing of what the tool usually does."""
    return wait.passing is Passing.ON_FAILURE


def only_if_asked(wait: Wait) -> bool:
    """Whether a tool waits only where it was set up to, and by default is not."""
    return wait.passing is Passing.IF_ASKED


def only_tries_again(wait: Wait) -> bool:
    """Whether a loop of counted laps looks for no state: its length says how often it may fail, no more."""
    if wait.kind != "loop" or wait.bound is not Bound.LAPS:
        return False
    return not (wait.states or wait.exit_states)


def bounds_whole_tool(tool: Tool, wait: Wait) -> bool:
    """Whether the cap of a wait is that of the tool: nothing else in it waits longer, as often or for unknown time.

    What its laps ask, and what a failure leads to, counts as little as a rounding.
    """
    if not wait.cap.known or not wait.once or _is_cut_off(tool, wait):
        return False
    others = [other for other in tool.waits if other != wait and wait.place not in (other.within, other.lap_of)]
    others = [other for other in others if not other.of_quick_command]
    if any(not other.cap.known or not other.once for other in others):
        return False
    if sum(other.cap.value for other in others) > max(ROUNDING * wait.cap.value, 1.0):
        return False
    asked = {read.place for read in wait.reads}
    if any(_may_outlast(read, wait) for read in tool.reads if read.place not in asked):
        return False
    return not any(_WAITS_BY_NAME.search(name.rpartition(".")[2]) for name in tool.unknown)


def _is_cut_off(tool: Tool, wait: Wait) -> bool:
    """Whether the framework is told to end a call before the wait does: what comes later may reach nobody."""
    return not tool.limit.absent and not (tool.limit.known and tool.limit.value >= wait.cap.value)


def _may_outlast(read: Read, wait: Wait) -> bool:
    """Whether somebody has written that a request may take longer; a default says nothing of how long it does."""
    return read.timeout.known and bool(read.timeout.places) and read.timeout.value > wait.cap.value
