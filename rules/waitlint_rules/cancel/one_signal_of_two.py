"""`cancel/one-signal-of-two`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from waitlint.context import Context
from waitlint.finding import Confidence, Evidence, Finding, Place, Quiet, Severity
from waitlint.fix import Applicability, Change, Repair, Unshield
from waitlint.linked import Bound, Ending, Reach, Read, Sleep, Tool, Wait
from waitlint.rule import rule
from waitlint_rules.signalling import until_deadline
from waitlint_rules.wording import is_python

STOP = "stop"
DEADLINE = "deadline"


@rule(subject="Tool", severity=Severity.WARNING, rules=("R3",), checklist=("C4",), fixes="unsafe")
def check(tool: Tool, context: Context) -> Iterator[Finding | Quiet]:
    """The user's stop and the deadline are not combined: one of them does not reach the wait."""
    if not tool.waits:
        yield Quiet(tool.name, "it does not wait")
    for wait in tool.waits:
        where = context.project.where(wait.place)
        for missing, found in missed(wait).items():
            yield context.finding(
                context.home(wait, partial(_fails, place=wait.place, missing=missing)),
                _message(missing, found[0]),
                help=_instead(missing),
                scope=wait.scope,
                excerpt=wait.excerpt,
                tools=(tool.name,),
                confidence=Confidence.HIGH if tool.confidence == "high" else Confidence.MEDIUM,
                evidence=_evidence(found),
                repair=_repair(wait, missing, found),
            )
        if not missed(wait):
            yield Quiet(tool.name, f"{where}: no call in it is known to get one of two signals and not the other")


def missed(wait: Wait) -> dict[str, list[Read | Sleep]]:
    """The reads and pauses of a wait that one signal reaches and the other doesn't, by the one that is missing.

    Where the user's stop is at hand and does not arrive, or where a clock is tested between laps, other rules speak.
    """
    if wait.within is not None:
        return {}
    found: dict[str, list[Read | Sleep]] = {}
    calls: list[Read | Sleep] = [*wait.reads, *wait.sleeps]
    shielded = [call for call in calls if call.stop is Reach.MISSES and call.signal is None]
    if shielded and all(call.deadline is Reach.ARRIVES for call in shielded):
        found[STOP] = shielded
    if wait.bound is Bound.SIGNAL:
        reads = [read for read in wait.reads if read.stop is Reach.ARRIVES and read.deadline is Reach.MISSES]
        late = [read for read in reads if _outlasts(read, wait)]
        if late:
            found[DEADLINE] = list(late)
    return found


def _outlasts(read: Read, wait: Wait) -> bool:
    pause = wait.pause.value if wait.pause.known else 0.0
    return read.timeout.absent or (read.timeout.known and read.timeout.value > pause)


def _fails(tool: Tool, place: Place, missing: str) -> bool:
    return any(wait.place == place and missing in missed(wait) for wait in tool.waits)


def _message(missing: str, call: Read | Sleep) -> str:
    if missing == STOP:
        return "the deadline reaches what is awaited here and the user's stop does not: a shield keeps cancels away"
    return f"the user's stop reaches `{call.called}` and the deadline does not: the two are not one signal"


def _instead(missing: str) -> str:
    if missing == STOP:
        return "Bound the wait without a shield; shield only what has to be cleaned up after a cancel."
    return (
        "Make one signal of both, `AbortSignal.any([stop, AbortSignal.timeout(ms)])`, before the loop, "
        "and hand it to every read and every pause."
    )


def _evidence(found: list[Read | Sleep]) -> list[Evidence]:
    evidence = []
    for call in found:
        if call.missed_at is not None and is_python(call.missed_at.path):
            evidence.append(Evidence(call.missed_at, "the shield"))
        evidence.append(Evidence(call.place, f"`{call.called}` gets one signal of two"))
    return list(dict.fromkeys(evidence))


def _repair(wait: Wait, missing: str, found: list[Read | Sleep]) -> Repair | None:
    """No shield, or one signal of both for each read, where what comes back at the cap stays the last state."""
    if missing == STOP:
        shields = {call.missed_at for call in found if call.missed_at is not None}
        away: list[Change] = [Unshield(place.path, place.span) for place in shields if is_python(place.path)]
        return Repair("let the user's stop through the shield", Applicability.UNSAFE, tuple(away)) if away else None
    if wait.ending is not Ending.LAST_STATE:
        return None
    changes = [until_deadline(call, wait) for call in found if isinstance(call, Read)]
    known = tuple(change for change in changes if change is not None)
    if not known or len(known) < len(changes):
        return None
    return Repair("make one signal of the stop and the deadline", Applicability.UNSAFE, known)
