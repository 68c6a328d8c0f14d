"""`cap/read-without-timeout`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from waitlint.context import Context
from waitlint.finding import Confidence, Evidence, Finding, Place, Quiet, Severity
from waitlint.fix import Applicability, BoundCall, Repair
from waitlint.linked import Reach, Read, Tool
from waitlint.rule import rule
from waitlint_rules.telling import only_looks
from waitlint_rules.wording import in_seconds, is_python, late_reads

LONG = 100.0
OWN_TIMEOUT = 30.0
# The share of the idle timeout that a request may take.
ROOM = 0.9
INNERMOST = 2
MODELS = ("openai.", "anthropic.", "@anthropic-ai/")


@rule(subject="Tool", severity=Severity.WARNING, rules=("R2",), checklist=("C4",), fixes="unsafe")
def check(tool: Tool, context: Context) -> Iterator[Finding | Quiet]:
    """A read in a tool has no timeout of its own, and no signal reaches it."""
    if not tool.reads:
        yield Quiet(tool.name, "it is not known to read anything")
    for read in tool.reads:
        reason = _bounded_by(read) or _told_by_another(read, tool, context)
        if reason:
            yield Quiet(tool.name, f"{context.project.where(read.place)}: {reason}")
            continue
        place = context.home(read, partial(_is_bare, place=read.place))
        others = None if only_looks(read) or place != read.place else context.project.others_running(place)
        yield context.finding(
            place,
            _hangs(read),
            help=_help(read, others),
            scope=read.scope,
            excerpt=read.excerpt,
            tools=(tool.name,),
            severity=Severity.ADVICE if read.timeout.known else None,
            confidence=Confidence.HIGH if read.timeout.absent and tool.confidence == "high" else Confidence.MEDIUM,
            evidence=[*_evidence(read, place), *([others] if others is not None else [])],
            repair=_repair(read, place, context) if others is None else None,
        )


def _help(read: Read, others: Evidence | None) -> str:
    if others is None:
        return "Give the read a timeout of a few seconds, or the signal of the deadline."
    name, value = ("timeout", "timeout=timeout") if is_python(read.place.path) else ("signal", "{ signal }")
    return (
        f"Others run this read as well, and may have to wait longer: let its function take a `{name}`, hand it on as "
        f"`{value}`, and give one where the tool calls."
    )


def _evidence(read: Read, place: Place) -> list[Evidence]:
    """The read, where the finding stands elsewhere, and the calls that lead to it."""
    found = [] if place == read.place else [Evidence(read.place, f"the read: `{read.called}`")]
    calls = [call for call in reversed(read.callers) if call not in (place, read.place)]
    found.extend(Evidence(call, "the read is reached by this call") for call in calls[:INNERMOST])
    return found


def _bounded_by(read: Read) -> str:
    """What ends a read in time, or why that is not known."""
    if Reach.ARRIVES in (read.stop, read.deadline):
        return "a signal or a deadline reaches it"
    if read.timeout.known and (read.timeout.places or read.timeout.value < LONG or read.api.startswith(MODELS)):
        return f"it ends by itself after {in_seconds(read.timeout.value)}"
    if not read.timeout.known and not read.timeout.absent:
        return f"its timeout is not known: {read.timeout.how}"
    if Reach.UNKNOWN in (read.stop, read.deadline):
        return "a signal may reach it"
    return ""


def _told_by_another(read: Read, tool: Tool, context: Context) -> str:
    """The rule that speaks of the same fault at this read, or of one whose repair mends it too."""
    for other in context.project.tools_reaching(read.place):
        if any(read.place == late.place for wait in other.waits for late in late_reads(wait)):
            return "cancel/deadline-between-laps speaks of it"
        if any(one.place == read.place and one.stop is Reach.MISSES and one.signal is not None for one in other.reads):
            return "a stop signal is at hand: cancel/read-ignores-signal speaks of it, if the tool waits"
    untaken = tool.offers_stop and not tool.takes_stop and read.takes_signal
    if untaken and not read.timeout.absent:
        return "cancel/handler-ignores-signal speaks of it"
    return ""


def _is_bare(tool: Tool, place: Place) -> bool:
    return any(read.place == place and not _bounded_by(read) for read in tool.reads)


def _hangs(read: Read) -> str:
    if read.timeout.absent:
        return f"`{read.called}` has no timeout: if no answer comes, the tool hangs with it"
    return f"only the {in_seconds(read.timeout.value)} of its library end `{read.called}` if no answer comes"


def _repair(read: Read, place: Place, context: Context) -> Repair | None:
    """A timeout of the read's own, where its call takes one in seconds.

    A request that may have work done, which takes its time, gets all that a connection leaves it.
    """
    if place != read.place:
        return None
    most = float(int(ROOM * context.settings.idle_limit.seconds))
    seconds = min(OWN_TIMEOUT, most) if only_looks(read) else most
    change = BoundCall(place.path, place.span, read.api, seconds)
    return Repair("give the read a timeout", Applicability.UNSAFE, (change,))
