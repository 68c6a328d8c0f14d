"""`cancel/deadline-between-laps`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from waitlint.context import Context
from waitlint.finding import Confidence, Evidence, Finding, Place, Quiet, Severity
from waitlint.fix import Applicability, BoundCall, Repair
from waitlint.linked import Bound, Read, Tool, Wait
from waitlint.rule import rule
from waitlint_rules.signalling import until_deadline
from waitlint_rules.wording import in_seconds, is_python, late_reads

LONG_READ = 30.0
SHORTEST_TIMEOUT = 3


@rule(subject="Tool", severity=Severity.WARNING, rules=("R3",), checklist=("C4",), fixes="unsafe")
def check(tool: Tool, context: Context) -> Iterator[Finding | Quiet]:
    """The deadline of a wait is tested only between its laps, so that one slow read outlives it."""
    if not tool.waits:
        yield Quiet(tool.name, "it does not wait")
    for wait in tool.waits:
        late = [] if wait.within is not None else late_reads(wait)
        if not late:
            yield Quiet(tool.name, f"{context.project.where(wait.place)}: {_why_not(wait)}")
            continue
        place = context.home(wait, partial(_is_late, place=wait.place))
        worst = max(late, key=lambda read: (read.timeout.absent, read.timeout.value))
        yield context.finding(
            place,
            f"the deadline is tested only between laps: {_outlives(worst)}",
            help=_instead(worst),
            scope=wait.scope,
            excerpt=wait.excerpt,
            tools=(tool.name,),
            confidence=_confidence(worst),
            evidence=[Evidence(read.place, f"`{read.called}` does not know the deadline") for read in late],
            repair=_repair(wait, late) if place == wait.place else None,
        )


def _is_late(tool: Tool, place: Place) -> bool:
    return any(wait.place == place and late_reads(wait) for wait in tool.waits)


def _why_not(wait: Wait) -> str:
    if wait.bound not in (Bound.CLOCK, Bound.PAUSES):
        return f"no clock bounds it ({wait.bound.value})"
    return "no read is known to outlive the deadline"


def _outlives(read: Read) -> str:
    if read.timeout.absent:
        return f"`{read.called}` has no timeout and can outlive it without end"
    return f"a read of up to {in_seconds(read.timeout.value)} can outlive it"


def _instead(read: Read) -> str:
    """What to write, by the language of the read."""
    if read.api.startswith("boto3."):
        return (
            "Make the client with `config=Config(read_timeout=5)`: one read then outlives the deadline by 5 s at most."
        )
    if is_python(read.place.path):
        return (
            f"Give `{read.called}` what is left as its timeout, such as "
            "`timeout=max(0.1, deadline - time.monotonic())`."
        )
    return (
        f"Give `{read.called}` the signal of the deadline, `AbortSignal.timeout(ms)`, together with the user's stop, "
        "and return the last state where it ends."
    )


def _confidence(read: Read) -> Confidence:
    if read.timeout.absent or read.timeout.value >= LONG_READ:
        return Confidence.HIGH
    return Confidence.MEDIUM


def _repair(wait: Wait, late: list[Read]) -> Repair | None:
    """What is left until the deadline, as the timeout of each read or as a signal that it takes.

    A client of AWS has one timeout for all its calls: one that is no longer than a pause outlives no deadline by much.
    """
    pause = int(wait.pause.value) if wait.pause.known else 0
    if pause >= SHORTEST_TIMEOUT and all(read.api.startswith("boto3.client.") for read in late):
        bounds = tuple(BoundCall(read.place.path, read.place.span, read.api, pause) for read in late)
        return Repair("give the client a timeout", Applicability.UNSAFE, bounds)
    changes = [until_deadline(read, wait) for read in late]
    known = tuple(change for change in changes if change is not None)
    if len(known) < len(late):
        return None
    return Repair("end each read with the deadline", Applicability.UNSAFE, known)
