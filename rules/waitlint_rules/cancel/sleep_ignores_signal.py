"""`cancel/sleep-ignores-signal`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from waitlint.context import Context
from waitlint.finding import Confidence, Evidence, Finding, Quiet, Severity
from waitlint.linked import Reach, Sleep, Tool
from waitlint.rule import rule
from waitlint_rules.signalling import handed_on
from waitlint_rules.wording import in_seconds, is_python, runs_plain_on_loop

SHORT_PAUSE = 0.5
SIGNAL_ARGUMENT = re.compile(r"\bsignal\b|\babort", re.IGNORECASE)


@rule(subject="Tool", severity=Severity.ERROR, rules=("R3",), checklist=("C4",), fixes="unsafe")
def check(tool: Tool, context: Context) -> Iterator[Finding | Quiet]:
    """A stop signal is at hand and does not reach a pause."""
    waiting = {sleep.place for wait in tool.waits for sleep in wait.sleeps}
    if not waiting:
        yield Quiet(tool.name, "it does not pause in a wait")
        return
    if tool.offers_stop and not tool.takes_stop:
        yield Quiet(tool.name, "its handler never takes the signal: cancel/handler-ignores-signal speaks of that")
        return
    for sleep in tool.sleeps:
        where = context.project.where(sleep.place)
        if sleep.place not in waiting:
            yield Quiet(tool.name, f"{where}: it is no part of a wait")
        elif sleep.blocks_loop and not runs_plain_on_loop(tool):
            yield Quiet(tool.name, f"{where}: it holds the event loop: cancel/blocking-in-async speaks of that")
        elif sleep.stop is not Reach.MISSES or sleep.signal is None:
            yield Quiet(tool.name, f"{where}: the stop signal is {sleep.stop.value}")
        elif sleep.seconds.known and sleep.seconds.value < SHORT_PAUSE:
            yield Quiet(tool.name, f"{where}: a pause of {in_seconds(sleep.seconds.value)} ends by itself soon enough")
        elif _is_lost_with_read(sleep, tool):
            yield Quiet(tool.name, f"{where}: the same call leaves the signal behind for a read, which is reported")
        else:
            place = sleep.missed_at or sleep.place
            elsewhere = [] if place == sleep.place else [Evidence(sleep.place, f"the pause: `{sleep.called}`")]
            yield context.finding(
                place,
                f"{_what_happens(sleep, context)}{_goes_on(sleep)}",
                help=_instead(sleep),
                scope=sleep.scope if place == sleep.place else "",
                tools=(tool.name,),
                confidence=Confidence.HIGH if sleep.seconds.known else Confidence.MEDIUM,
                evidence=[sleep.signal, *elsewhere],
                repair=handed_on(sleep),
            )


def _is_lost_with_read(sleep: Sleep, tool: Tool) -> bool:
    """Whether one call hands the signal on neither to the pause nor to a read: that is one fault."""
    lost = sleep.missed_at or sleep.place
    return any(read.stop is Reach.MISSES and read.missed_at == lost for read in tool.reads)


def _what_happens(sleep: Sleep, context: Context) -> str:
    is_here = sleep.missed_at in (None, sleep.place)
    if is_here and not is_python(sleep.place.path) and SIGNAL_ARGUMENT.search(context.project.excerpt(sleep.place)):
        return "the stop signal is passed where this call ignores it"
    return "the stop signal is at hand here and does not reach this pause"


def _goes_on(sleep: Sleep) -> str:
    return f": after a stop it goes on for up to {in_seconds(sleep.seconds.value)}" if sleep.seconds.known else ""


def _instead(sleep: Sleep) -> str:
    if is_python(sleep.place.path):
        return "Pause with the event itself: `if stop.wait(seconds): …` ends as soon as it is set."
    return (
        "Pause with something that the signal ends, such as `setTimeout(ms, undefined, { signal })` of "
        "`node:timers/promises`, and hand it the signal."
    )
