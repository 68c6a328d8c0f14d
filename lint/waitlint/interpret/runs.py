"""What is known once a tool was run."""

from __future__ import annotations

from msgspec import Struct

from waitlint.finding import Place
from waitlint.interpret.events import Event, LoopRun, Outcome
from waitlint.interpret.values import Textual


class Run(Struct, frozen=True):
    """What a tool does.

    `said` are the strings in what its functions return and raise, `asked_states` the names it compares an outside state
    with, `unseen` the calls into code that is not in view, `limited` the arguments that it compares with a limit.
    `took_stop` where it took the stop signal out of what the framework hands over. `cut_short` where the run became too
    long to be followed to its end. `limit_at` is where the framework's own bound is set, if it has one.
    """

    outcomes: tuple[Outcome, ...]
    events: tuple[Event, ...]
    loops: tuple[LoopRun, ...]
    said: tuple[Textual, ...]
    asked_states: frozenset[str]
    took_stop: bool
    cut_short: bool
    unseen: tuple[str, ...] = ()
    limited: frozenset[tuple[str, Place | None]] = frozenset()
    limit_at: Place | None = None
