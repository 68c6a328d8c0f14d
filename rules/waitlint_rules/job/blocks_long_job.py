"""`job/blocks-long-job`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from waitlint.context import Context
from waitlint.finding import Confidence, Evidence, Finding, Place, Quiet, Severity
from waitlint.linked import Tool
from waitlint.names import words_of
from waitlint.rule import rule
from waitlint_rules.bounding import fitting
from waitlint_rules.jobs import why_a_job
from waitlint_rules.sketches import answered

# A tool of such a name starts nothing: it waits for what it is given the ID of.
WAITING = frozenset({"wait", "await", "poll", "watch", "monitor", "follow", "track", "stream"})


@rule(subject="Tool", severity=Severity.WARNING, rules=("R5",), checklist=("C6",), fixes="")
def check(tool: Tool, context: Context) -> Iterator[Finding | Quiet]:
    """A tool call blocks on work that takes minutes or hours."""
    if not tool.waits:
        yield Quiet(tool.name, "it does not wait")
    for wait in tool.waits:
        reason = why_a_job(tool, wait, context)
        if not reason:
            yield Quiet(tool.name, f"{context.project.where(wait.place)}: it is not known to be work of minutes")
            continue
        place = context.home(wait, partial(_blocks, place=wait.place, context=context))
        yield context.finding(
            place,
            f"a call of this tool blocks on a long job: {reason}",
            help=_help(tool, context),
            scope=wait.scope,
            excerpt=wait.excerpt,
            tools=(tool.name,),
            confidence=Confidence.HIGH if tool.confidence == "high" else Confidence.MEDIUM,
            evidence=[*([] if place == wait.place else [Evidence(wait.place, "the wait")]), *wait.cap.places],
        )


def _help(tool: Tool, context: Context) -> str:
    if tool.takes and not WAITING.isdisjoint(words_of(tool.name)):
        seconds = fitting(context.settings)
        return (
            f"Let one call wait {seconds:.0f} s at most and return the state that it saw last, with `{tool.takes[0]}`; "
            "resume on an event that says that the work is done."
        )
    return f"Write `{answered(tool)}` at once, and resume on an event that says that the work is done."


def _blocks(tool: Tool, place: Place, context: Context) -> bool:
    return any(wait.place == place and why_a_job(tool, wait, context) for wait in tool.waits)
