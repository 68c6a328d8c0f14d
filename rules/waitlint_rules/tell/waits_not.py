"""`tell/waits-not`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from waitlint.context import Context
from waitlint.facts import Intent
from waitlint.finding import Confidence, Evidence, Finding, Quiet, Severity
from waitlint.linked import Tool
from waitlint.rule import rule
from waitlint.stating import NAMES_A_WAIT

MAY_WAIT_THERE = re.compile(r"wait|poll|block|follow|watch|stream|subscrib|timeout=(?!\s*\d)|long", re.IGNORECASE)
LONG_REQUEST = 20.0


@rule(subject="Tool", severity=Severity.ERROR, rules=("R4",), checklist=("C5",), fixes="")
def check(tool: Tool, context: Context) -> Iterator[Finding | Quiet]:
    """The description says that the tool waits, and the code reads once."""
    said, text = _said(tool), tool.description
    if said is None or text is None:
        yield Quiet(tool.name, "no verb of waiting in its description is the tool's own")
        return
    may_wait = _may_wait(tool)
    if may_wait:
        yield Quiet(tool.name, may_wait)
        return
    yield context.finding(
        text.place(said.span.start, said.span.end),
        f"the description {said.reason}, and the code reads once and returns",
        help=(
            "Let the tool wait as its words say, with a cap; or write: “Looks once, and returns the state as it is.”"
        ),
        scope=tool.name,
        excerpt=text.text.value[said.span.start : said.span.end],
        tools=(tool.name,),
        confidence=Confidence.HIGH if tool.confidence == "high" and len(tool.reads) == 1 else Confidence.MEDIUM,
        evidence=[Evidence(read.place, "it reads here, and not again") for read in tool.reads[:3]],
    )


def _said(tool: Tool) -> Intent | None:
    """Where the description says, with a verb of waiting, that the tool itself waits."""
    if tool.description is None:
        return None
    waits = [intent for intent in tool.description.text.intents if intent.kind == "waits"]
    return next((intent for intent in waits if intent.confidence == "high" and not intent.mentions), None)


def _may_wait(tool: Tool) -> str:
    """Why the tool may wait all the same; "" where it is known to read once."""
    if not tool.body or not tool.understood:
        return "its code is not in view"
    if tool.waits or tool.sleeps:
        return "it waits"
    if not tool.reads:
        return "what it reads is not in view"
    if tool.unknown:
        return f"it may wait in `{tool.unknown[0]}`, which is not in view"
    if any(NAMES_A_WAIT.search(parameter.name) or "timeout" in parameter.name for parameter in tool.parameters):
        return "an argument hands the wait to the other side"
    for read in tool.reads:
        if read.asked_again:
            return "it may read again, by what its read says"
        if read.left_running is not None:
            return "its request is raced against a timer: the other side may hold its answer back"
        if MAY_WAIT_THERE.search(read.excerpt) or (read.timeout.places and read.timeout.value >= LONG_REQUEST):
            return "the other side may hold its answer back until there is one"
    return ""
