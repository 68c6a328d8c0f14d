"""`job/no-progress`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from waitlint.context import Context
from waitlint.finding import Evidence, Finding, Place, Quiet, Severity
from waitlint.linked import Tool, Wait
from waitlint.rule import rule
from waitlint_rules.jobs import why_a_job
from waitlint_rules.wording import in_seconds, is_python, is_runner

LONG = 30.0
HAND_A_CHANNEL = ("mcp", "fastmcp")


@rule(subject="Tool", severity=Severity.ADVICE, rules=("R5",), fixes="")
def check(tool: Tool, context: Context) -> Iterator[Finding | Quiet]:
    """A long bounded wait reports no progress, though the framework can."""
    reason = _silent_because(tool)
    if reason:
        yield Quiet(tool.name, reason)
        return
    for wait in tool.waits:
        where = context.project.where(wait.place)
        if not _is_silent(wait):
            yield Quiet(tool.name, f"{where}: it is short, of unknown length, or tells something")
            continue
        if why_a_job(tool, wait, context):
            yield Quiet(tool.name, f"{where}: it is a long job, and job/blocks-long-job says so")
            continue
        place = context.home(wait, partial(_waits_silently, place=wait.place))
        yield context.finding(
            place,
            f"for up to {in_seconds(wait.cap.value)} this wait says nothing, and the framework could report progress",
            help=_help(wait),
            scope=wait.scope,
            excerpt=wait.excerpt,
            tools=(tool.name,),
            evidence=[] if place == wait.place else [Evidence(wait.place, "the wait")],
        )


def _silent_because(tool: Tool) -> str:
    if not tool.waits:
        return "it does not wait"
    if not (tool.offers_progress and tool.framework.startswith(HAND_A_CHANNEL)):
        return "its framework hands it nothing to report progress with"
    if not tool.takes_channel:
        return "its handler does not take what it would report progress with"
    if not tool.is_async:
        return "progress is reported from async code, and its handler is none"
    return "it runs what it is given, and has no laps of its own" if is_runner(tool) else ""


def _is_silent(wait: Wait) -> bool:
    known_long = wait.cap.known and wait.cap.value > LONG
    return wait.kind == "loop" and wait.within is None and known_long and not wait.tells_something


def _waits_silently(tool: Tool, place: Place) -> bool:
    return any(wait.place == place and _is_silent(wait) for wait in tool.waits)


def _help(wait: Wait) -> str:
    if is_python(wait.place.path):
        code = f"await ctx.report_progress(waited, {wait.cap.value:g})"
    else:
        code = 'await extra.sendNotification({ method: "notifications/progress", params: { progressToken, progress } })'
    return f"Write `{code}` in every lap: it shows the user that the tool lives, and keeps the connection busy."
