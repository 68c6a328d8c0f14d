"""`tell/denies-wait`."""

from __future__ import annotations

from collections.abc import Iterator

from waitlint.context import Context
from waitlint.finding import Confidence, Evidence, Finding, Quiet, Severity
from waitlint.linked import Tool, Wait
from waitlint.rule import rule
from waitlint_rules.denials import blocks_for_long, denial
from waitlint_rules.wording import (
    how_known,
    in_seconds,
    longest,
    waits_for_state,
)


@rule(subject="Tool", severity=Severity.ERROR, rules=("R4",), checklist=("C5",), fixes="")
def check(tool: Tool, context: Context) -> Iterator[Finding | Quiet]:
    """A description says that the tool starts something or returns at once, and the code blocks."""
    waits = [wait for wait in waits_for_state(tool) if blocks_for_long(wait)]
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


def _how_long(wait: Wait) -> str:
    if wait.cap.known:
        return f" up to {in_seconds(wait.cap.value)}{how_known(wait.cap)}"
    return " until the work is done, without a cap" if wait.cap.absent else " for the work"


def _sentence(wait: Wait) -> str:
    return f"Waits up to {in_seconds(wait.cap.value)} for it." if wait.cap.known else "Waits for it to end."
