"""`cap/over-idle-timeout`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from waitlint.context import Context, IdleLimit
from waitlint.finding import Confidence, Evidence, Finding, Place, Quiet, Severity
from waitlint.linked import Tool, Wait
from waitlint.rule import rule
from waitlint_rules.bounding import fitting, lowered, lowered_most
from waitlint_rules.jobs import why_a_job
from waitlint_rules.sketches import call_of
from waitlint_rules.wording import how_known, in_seconds, is_python, shortened, stands_in_line


@rule(subject="Tool", severity=Severity.WARNING, rules=("R2",), checklist=("C2",), fixes="unsafe")
def check(tool: Tool, context: Context) -> Iterator[Finding | Quiet]:
    """The cap of a wait is not below the shortest idle timeout between agent and user."""
    limit, client = context.settings.idle_limit, context.settings.client_limit
    if not tool.waits:
        yield Quiet(tool.name, "it does not wait")
    for wait in tool.waits:
        where = context.project.where(wait.place)
        if wait.within is not None:
            yield Quiet(tool.name, f"{where}: it is a part of the wait at {context.project.where(wait.within)}")
            continue
        if not wait.cap.known:
            yield Quiet(tool.name, f"{where}: the cap is {wait.cap.certainty.value} ({wait.cap.how})")
            continue
        if stands_in_line(wait):
            yield Quiet(tool.name, f"{where}: its request only stands in line, and for how long is not known")
            continue
        if why_a_job(tool, wait, context):
            yield Quiet(tool.name, f"{where}: it is a long job, and `job/blocks-long-job` says so")
            continue
        if wait.reports_progress and client.renewed:
            client = limit
        shortest = min(limit.seconds, client.seconds)
        if wait.cap.value >= shortest:
            over = _exceeded(wait.cap.value, limit, client)
            is_asked_for = wait.chosen is not None and f"the greatest `{wait.chosen.name}`" in wait.cap.how
            severity = Severity.WARNING if (over is limit or over.stated) and not is_asked_for else Severity.ADVICE
            place = context.home(wait, partial(_lasts, place=wait.place, seconds=wait.cap.value))
            message = (
                f"the code waits up to {in_seconds(wait.cap.value)}{how_known(wait.cap)}; "
                f"the limit is {in_seconds(over.seconds)}: {over.hop}"
            )
            yield context.finding(
                place,
                message,
                help=_help(wait, context, over),
                scope=wait.scope,
                excerpt=wait.excerpt,
                tools=(tool.name,),
                severity=severity,
                confidence=_confidence(tool, wait, over),
                evidence=[*_wait_elsewhere(wait, place), *wait.cap.places, *_stated_at(over)],
                repair=lowered(tool, wait, context),
            )
        elif wait.most is not None and wait.most.known and wait.most.value >= shortest:
            over = _exceeded(wait.most.value, limit, client)
            yield context.finding(
                context.home(wait, partial(_lasts, place=wait.place, seconds=wait.cap.value)),
                f"the model can ask for a wait of {in_seconds(wait.most.value)} ({wait.most.how}); "
                f"the limit is {in_seconds(over.seconds)}: {over.hop}",
                help=f"Let the schema allow less than {in_seconds(shortest)}.",
                scope=wait.scope,
                excerpt=wait.excerpt,
                tools=(tool.name,),
                severity=Severity.ADVICE,
                evidence=[*wait.most.places, *_stated_at(over)],
                repair=lowered_most(wait, context.settings),
            )
        elif _reads_make_it_longer(wait) and wait.worst.value >= limit.seconds:
            yield context.finding(
                context.home(wait, partial(_lasts, place=wait.place, seconds=wait.cap.value)),
                f"with its reads this wait can last {in_seconds(wait.worst.value)} ({wait.worst.how}); "
                f"the limit is {in_seconds(limit.seconds)}: {limit.hop}",
                help=_bound_reads(wait),
                scope=wait.scope,
                excerpt=wait.excerpt,
                tools=(tool.name,),
                severity=Severity.ADVICE,
                confidence=Confidence.MEDIUM,
                evidence=[
                    *wait.cap.places,
                    *(place for read in wait.reads for place in read.timeout.places),
                    *_stated_at(limit),
                ],
            )
        else:
            yield Quiet(tool.name, f"{where}: {in_seconds(wait.cap.value)} is below {in_seconds(shortest)}")


def _exceeded(seconds: float, limit: IdleLimit, client: IdleLimit) -> IdleLimit:
    """The limit that a wait is measured by: the shortest that is known, else the one that many clients have."""
    known = [one for one in (limit, client) if seconds >= one.seconds and (one is limit or one.stated)]
    return min(known, key=lambda one: one.seconds, default=client)


def _confidence(tool: Tool, wait: Wait, over: IdleLimit) -> Confidence:
    """Less where reports of progress may keep alive what would give up on silence."""
    if tool.confidence != "high" or (wait.reports_progress and over.renewed is not False):
        return Confidence.MEDIUM
    return Confidence.HIGH


def _stated_at(limit: IdleLimit) -> list[Evidence]:
    return [Evidence(limit.place, f"the limit: {in_seconds(limit.seconds)}")] if limit.place else []


def _reads_make_it_longer(wait: Wait) -> bool:
    """Whether the timeouts that make the worst case are the project's own, not a library's defaults."""
    return wait.worst.known and bool(wait.reads) and all(read.timeout.places for read in wait.reads)


def _lasts(tool: Tool, place: Place, seconds: float) -> bool:
    """Whether a tool waits as long at this place: where its tools differ, the fault is in what they hand to it."""
    return any(wait.place == place and wait.cap.known and wait.cap.value == seconds for wait in tool.waits)


def _wait_elsewhere(wait: Wait, place: Place) -> list[Evidence]:
    return [] if place == wait.place else [Evidence(wait.place, "the wait")]


def _help(wait: Wait, context: Context, over: IdleLimit) -> str:
    """What to write for the number that makes the cap, where there is one."""
    code = shortened(context.project.excerpt(wait.cap.places[0].place)) if wait.cap.places else ""
    lower = f"Lower `{code}` until the wait takes" if code else "Wait"
    seconds = min(fitting(context.settings), over.seconds)
    return f"{lower} `{seconds:g}` s at most, and return the last state as a normal result."


def _bound_reads(wait: Wait) -> str:
    left = "timeout=max(0.1, deadline - time.monotonic())" if is_python(wait.place.path) else "{ signal: deadline }"
    return f"Bound each read by what is left until the deadline: `{call_of(wait.reads[0])}` with `{left}`."
