"""`tell/denies-wait`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from waitlint.context import Context
from waitlint.facts import Intent
from waitlint.finding import Confidence, Evidence, Finding, Quiet, Severity
from waitlint.linked import Tool, Wait
from waitlint.rule import rule

from waitlint_rules.wording import (
    RUNNER_LIMIT,
    how_known,
    in_seconds,
    is_for_a_person,
    longest,
    said_wait,
    waits_for_state,
)

LONG_ENOUGH = 5.0
WAITS = frozenset({"waits", "call-again-if-unfinished"})
CHOOSES = re.compile(r"wait|block|sync|background|detach|poll", re.IGNORECASE)
STARTS_A_PROCESS = re.compile(
    r"^(?:await )?(?:subprocess|\w*\.?(?:communicate|exec|spawn|execa|run)\b)|Popen|[eE]xecSync"
)


@rule(subject="Tool", severity=Severity.ERROR, rules=("R4",), checklist=("C5",), fixes="")
def check(tool: Tool, context: Context) -> Iterator[Finding | Quiet]:
    """A description says that the tool starts something or returns at once, and the code blocks."""
    waits = [wait for wait in waits_for_state(tool) if _blocks_for_long(wait)]
    denied = denial(tool)
    if not waits or denied is None or tool.description is None:
        yield Quiet(tool.name, "it does not wait" if not waits else "nothing in its text denies that it waits")
        return
    wait, text = longest(waits), tool.description
    yield context.finding(
        text.place(denied.span.start, denied.span.end),
        f"the description {denied.reason}, but the code waits{_how_long(wait)}",
        help=f"Say what it does: “{_sentence(wait)}” Or let it return at once, with the ID of the work.",
        scope=tool.name,
        excerpt=text.text.value[denied.span.start : denied.span.end],
        tools=(tool.name,),
        confidence=Confidence(denied.confidence) if tool.confidence == "high" else Confidence.MEDIUM,
        evidence=[Evidence(wait.place, f"the wait: {wait.cap.how}")],
    )


def denial(tool: Tool) -> Intent | None:
    """Where the description says that the tool does not wait, if nothing in its texts says that it may."""
    if tool.description is None or said_wait(tool, WAITS) or is_for_a_person(tool):
        return None
    if any(CHOOSES.search(parameter.name) for parameter in tool.parameters):
        return None
    if not any(_blocks_for_long(wait) for wait in waits_for_state(tool)):
        return None
    starts = [intent for intent in tool.description.text.intents if intent.kind == "starts"]
    return max(starts, key=lambda intent: intent.confidence == "high", default=None)


def _blocks_for_long(wait: Wait) -> bool:
    """Whether a wait is more than the start of something: a process that is only started returns at once."""
    if wait.cap.known and wait.cap.value < LONG_ENOUGH:
        return False
    if wait.kind != "call":
        return True
    return (wait.cap.known and wait.cap.value >= RUNNER_LIMIT) and not STARTS_A_PROCESS.search(wait.excerpt)


def _how_long(wait: Wait) -> str:
    if wait.cap.known:
        return f" up to {in_seconds(wait.cap.value)}{how_known(wait.cap)}"
    return " until the work is done, without a cap" if wait.cap.absent else " for the work"


def _sentence(wait: Wait) -> str:
    return f"Waits up to {in_seconds(wait.cap.value)} for it." if wait.cap.known else "Waits for it to end."
