"""`cap/busy-poll`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from waitlint.context import Context
from waitlint.finding import Confidence, Evidence, Finding, Place, Quiet, Severity
from waitlint.linked import Bound, Tool, Wait
from waitlint.rule import rule
from waitlint_rules.sketches import call_of, pause
from waitlint_rules.wording import FEW_LAPS

PAUSE = 3.0
FEW = frozenset(f"{laps} laps" for laps in range(FEW_LAPS + 1))


@rule(subject="Tool", severity=Severity.WARNING, rules=("R2",), fixes="")
def check(tool: Tool, context: Context) -> Iterator[Finding | Quiet]:
    """A loop reads the same state again and again with no pause between."""
    if not tool.waits:
        yield Quiet(tool.name, "it does not wait")
    for wait in tool.waits:
        reason = _silent_because(wait)
        if reason:
            yield Quiet(tool.name, f"{context.project.where(wait.place)}: {reason}")
            continue
        place = context.home(wait, partial(_is_busy, place=wait.place))
        yield context.finding(
            place,
            "this loop reads the same state again with no pause between: it asks as fast as the answers come",
            help=_help(tool, wait),
            scope=wait.scope,
            excerpt=wait.excerpt,
            tools=(tool.name,),
            confidence=Confidence.HIGH if tool.confidence == "high" else Confidence.MEDIUM,
            evidence=[Evidence(read.place, f"the read: `{read.called}`") for read in wait.reads[:2]],
        )


def _silent_because(wait: Wait) -> str:
    if wait.kind != "loop" or not wait.reads:
        return "it does not read in a loop"
    if not wait.pause.absent and not (wait.pause.known and wait.pause.value == 0):
        return "it pauses between two reads"
    few = [evidence for evidence in wait.cap.places if evidence.message in FEW]
    return "it only tries a few times" if wait.bound is Bound.LAPS and few else ""


def _is_busy(tool: Tool, place: Place) -> bool:
    return any(wait.place == place and not _silent_because(wait) for wait in tool.waits)


def _help(tool: Tool, wait: Wait) -> str:
    path, read = wait.place.path, wait.reads[0]
    signal = next((one.signal_name for one in wait.reads if one.signal_name), "")
    nap = pause(path, PAUSE, waits=tool.is_async, signal=signal)
    return f"After `{call_of(read)}` write `{nap}`, and let the stop signal and the deadline end the pause."
