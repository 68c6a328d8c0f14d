"""`cap/loses-last-state`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from waitlint.context import Context
from waitlint.finding import Because, Confidence, Evidence, Finding, Place, Quiet, Severity
from waitlint.fix import Applicability, Repair, ReturnLast
from waitlint.linked import Ending, Tool, Wait
from waitlint.rule import rule
from waitlint_rules.sketches import call_of
from waitlint_rules.wording import in_seconds, is_for_a_person, is_retry, real_waits, shares_id, shortened

# What only starts is there within so many seconds.
STARTS = 10.0
SAID = {
    Ending.RAISES: "the tool raises: the model gets an error and not the last state",
    Ending.ERROR: "the tool answers with an error that does not tell the last state",
    Ending.NOTHING: "the tool answers with nothing: the last state is lost",
    Ending.LOOKS_DONE: "the answer is the one of finished work",
}


@rule(subject="Tool", severity=Severity.WARNING, rules=("R2",), checklist=("C3",), fixes="unsafe")
def check(tool: Tool, context: Context) -> Iterator[Finding | Quiet]:
    """At its cap a wait ends in an error, in nothing or in what looks like success, and the last state is lost."""
    if not tool.waits:
        yield Quiet(tool.name, "it does not wait")
        return
    if is_for_a_person(tool):
        yield Quiet(tool.name, "it waits for a person, and may end in an error when nobody comes")
        return
    for wait in real_waits(tool):
        where = context.project.where(wait.place)
        reason = _silent_because(wait, context)
        if reason:
            yield Quiet(tool.name, f"{where}: {reason}")
            continue
        taker = _taker(wait, tool, context)
        if taker:
            yield Quiet(tool.name, f"{where}: an ID comes back that `{taker}` takes", Because.MET)
            continue
        place = context.home(wait, partial(_may_lose, place=wait.place), is_the_helpers=True)
        decided = wait.ending_place
        if decided is not None and place == wait.place:
            place = decided.place
        yield context.finding(
            place,
            f"{_when(wait, context)}, {_said(wait)}",
            help=_help(wait, context),
            scope=wait.scope,
            excerpt=wait.excerpt,
            tools=(tool.name,),
            severity=Severity.ADVICE if wait.of_command else None,
            confidence=_confidence(wait, tool),
            evidence=_evidence(wait, place),
            repair=_repair(wait, place) if context.project.others_running(place) is None else None,
        )


def _silent_because(wait: Wait, context: Context) -> str:
    if wait.within is not None:
        return f"it is a part of the wait at {context.project.where(wait.within)}"
    if is_retry(wait):
        return "it only tries again a few times"
    if wait.cap.known and wait.cap.value < STARTS and not (wait.states or wait.exit_states):
        return "it waits a little for something to start, and looks at no state"
    if wait.ending not in SAID:
        return f"what comes back at its cap: {wait.ending.value}"
    return ""


def _taker(wait: Wait, tool: Tool, context: Context) -> str:
    """The tool that takes an ID of the work which comes back at the cap; "" where none does."""
    beside = context.project.tools_beside(tool.place.path)
    return next((other.name for other in beside if shares_id(wait.ending_ids, other.takes)), "")


def _may_lose(tool: Tool, place: Place) -> bool:
    """Whether nothing speaks for the last state's coming back: a tool of which that is not known parts no others."""
    return all(wait.ending is not Ending.LAST_STATE for wait in tool.waits if wait.place == place)


def _when(wait: Wait, context: Context) -> str:
    """In words that are the same for all tools that share the wait, whatever cap each of them gives it."""
    tools = context.project.tools_reaching(wait.place)
    shared = [other.cap for tool in tools for other in tool.waits if other.place == wait.place]
    if not all(cap.known for cap in (wait.cap, *shared)):
        return "when this wait is over"
    seconds = sorted({in_seconds(cap.value): cap.value for cap in (wait.cap, *shared)}.items(), key=lambda one: one[1])
    length = seconds[0][0] if len(seconds) == 1 else f"{seconds[0][0].removesuffix(' s')} to {seconds[-1][0]}"
    return f"when the {length} of this wait are over"


def _said(wait: Wait) -> str:
    if wait.of_command and wait.ending is not Ending.LOOKS_DONE:
        return "what the command has written until then is dropped"
    return SAID[wait.ending]


def _help(wait: Wait, context: Context) -> str:
    if wait.of_command:
        return "Return what has been written so far, and say that the time was up."
    if wait.ending is Ending.LOOKS_DONE:
        return f"Return {_last(wait)}, so that the model can tell unfinished work from finished."
    decided = wait.ending_place
    code = shortened(context.project.excerpt(decided.place)) if decided is not None else ""
    instead = f"In place of `{code}`, return" if code else "Return"
    return f"{instead} {_last(wait)} as an ordinary result, and let the model decide whether to call again."


def _last(wait: Wait) -> str:
    return f"what `{call_of(wait.reads[0])}` gave last" if wait.reads else "the last state"


def _confidence(wait: Wait, tool: Tool) -> Confidence:
    if tool.confidence != "high" or wait.ending in (Ending.NOTHING, Ending.LOOKS_DONE):
        return Confidence.MEDIUM
    return Confidence.HIGH


def _evidence(wait: Wait, place: Place) -> list[Evidence]:
    found = [] if place == wait.place else [Evidence(wait.place, "the wait")]
    if wait.ending_place is not None and wait.ending_place.place != place:
        found.append(wait.ending_place)
    return found


def _repair(wait: Wait, place: Place) -> Repair | None:
    """The last state instead of an error, where the wait's own function raises it after the loop."""
    decided = wait.ending_place
    if wait.kind != "loop" or wait.ending is not Ending.RAISES or decided is None or decided.place != place:
        return None
    change = ReturnLast(place.path, place.span)
    return Repair("return the last state", Applicability.UNSAFE, (change,))
