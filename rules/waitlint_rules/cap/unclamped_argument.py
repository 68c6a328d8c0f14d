"""`cap/unclamped-argument`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from waitlint.context import Context
from waitlint.finding import Confidence, Evidence, Finding, Place, Quiet, Severity
from waitlint.fix import Applicability, ClampArgument, Repair
from waitlint.linked import Chosen, Ending, Tool, Wait
from waitlint.rule import rule
from waitlint_rules.bounding import SHORTEST, fitting
from waitlint_rules.sketches import fewest, least
from waitlint_rules.telling import is_resumed_by_a_call
from waitlint_rules.wording import in_seconds, is_python, is_runner

SAYS_SECONDS = re.compile(
    r"(?:^|_)(?:timeout|secs?|seconds?|duration|wait)(?:$|_)|(?:Timeout|Secs?|Seconds?|Duration)\b"
)


@rule(subject="Tool", severity=Severity.WARNING, rules=("R2",), checklist=("C2",), fixes="unsafe")
def check(tool: Tool, context: Context) -> Iterator[Finding | Quiet]:
    """The model chooses how long a wait lasts, or how often it looks, and nothing limits that."""
    if not tool.waits:
        yield Quiet(tool.name, "it does not wait")
    for wait in tool.waits:
        chosen = wait.chosen
        fault = _fault(wait)
        if chosen is None or not fault:
            yield Quiet(tool.name, f"{context.project.where(wait.place)}: {_why_not(chosen)}")
            continue
        tools = context.project.tools_reaching(wait.place)
        shared = len(tools) > 1 and all(_is_at_fault(other, wait.place, chosen.what) for other in tools)
        place = wait.place if shared else chosen.place
        yield context.finding(
            place,
            fault,
            help=_help(wait, chosen, fitting(context.settings)),
            scope=wait.scope if place == wait.place else tool.name,
            tools=(tool.name,),
            severity=Severity.ADVICE if wait.kind == "call" and is_runner(tool) else None,
            confidence=Confidence.HIGH if tool.confidence == "high" and chosen.what != "pause" else Confidence.MEDIUM,
            evidence=_evidence(wait, chosen, place),
            repair=_repair(tool, wait, chosen, context) if place == chosen.place else None,
        )


def _fault(wait: Wait) -> str:
    chosen = wait.chosen
    if chosen is None:
        return ""
    if chosen.what == "laps" and _counts_seconds(wait, chosen):
        pause = in_seconds(wait.pause.value)
        return f"`{chosen.name}` speaks of seconds and counts laps of {pause}: the wait lasts that many times as long"
    if chosen.clamped or (chosen.what == "laps" and not _looks(wait)):
        return ""
    if chosen.what == "pause":
        return f"the model chooses the pause between two reads by `{chosen.name}`, and nothing limits it"
    what = "how often this wait looks" if chosen.what == "laps" else "how long this wait lasts"
    endless = ", and none is the default" if chosen.endless else ""
    return f"the model chooses {what} by `{chosen.name}`, and nothing limits it{endless}"


def _looks(wait: Wait) -> bool:
    """Whether each lap of a loop looks at something: one that only does the same again is no wait."""
    return wait.kind != "loop" or bool(wait.reads or wait.exit_states)


def _counts_seconds(wait: Wait, chosen: Chosen) -> bool:
    return bool(SAYS_SECONDS.search(chosen.name)) and wait.pause.known and wait.pause.value > 1


def _is_at_fault(tool: Tool, place: Place, what: str) -> bool:
    """Whether the same length of a wait is this tool's model's to choose as well."""
    waits = [wait for wait in tool.waits if wait.place == place and _fault(wait)]
    return any(wait.chosen is not None and wait.chosen.what == what for wait in waits)


def _why_not(chosen: Chosen | None) -> str:
    if chosen is None:
        return "the model does not choose how long it lasts"
    return f"`{chosen.name}` is limited"


def _help(wait: Wait, chosen: Chosen, seconds: float) -> str:
    if chosen.what == "laps" and _counts_seconds(wait, chosen):
        pause, name = f"{wait.pause.value:g}", chosen.name
        laps = f"{name} // {pause}" if is_python(chosen.place.path) else f"Math.ceil({name} / {pause})"
        return f"Count `{laps}` laps, or test a deadline."
    path, name = chosen.place.path, chosen.name
    if chosen.what == "laps":
        room = int(seconds // wait.pause.value) if wait.pause.known and wait.pause.value > 0 else 0
        limited = fewest(path, name, room) if room else ""
        otherwise = f"as many laps as {in_seconds(seconds)} have room for"
    else:
        limited, otherwise = least(path, name, seconds), f"{in_seconds(seconds)} of it at most"
    return f"Limit `{name}` in the schema, and take {f'`{limited}`' if limited else otherwise} in code."


def _evidence(wait: Wait, chosen: Chosen, place: Place) -> list[Evidence]:
    argument = Evidence(chosen.place, f"the argument `{chosen.name}`")
    return [one for one in (argument, Evidence(wait.place, "the wait")) if one.place != place]


def _repair(tool: Tool, wait: Wait, chosen: Chosen, context: Context) -> Repair | None:
    """A greatest value, where a wait that ends early hands over its last state and can be asked for again."""
    seconds = fitting(context.settings)
    goes_on = wait.ending is Ending.LAST_STATE and bool(is_resumed_by_a_call(tool) or wait.ending_ids)
    # A pause that is cut short in code would be told as a whole one; a schema refuses it aloud.
    refused = wait.kind == "sleep" and not is_python(chosen.place.path)
    if seconds < SHORTEST or not (refused or (wait.kind == "loop" and goes_on)):
        return None
    if chosen.what == "laps" and _counts_seconds(wait, chosen):
        return None
    if _is_called_by_others(tool, wait, context):
        return None
    by_default = wait.cap.value if chosen.has_default and wait.cap.known else 0.0
    change = ClampArgument(chosen.place.path, chosen.place.span, chosen.name, seconds, by_default)
    return Repair("limit what the model can ask for", Applicability.UNSAFE, (change,))


def _is_called_by_others(tool: Tool, wait: Wait, context: Context) -> bool:
    """Whether other tools run this tool's own function: what limits the model's choice would limit theirs."""
    handler, place = tool.handler, wait.place
    if handler is None or handler.path != place.path or not handler.span.start <= place.span.start < handler.span.end:
        return False
    return len(context.project.tools_reaching(place)) > 1
