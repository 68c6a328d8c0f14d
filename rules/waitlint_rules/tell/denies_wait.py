"""`tell/denies-wait`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from waitlint.context import Context
from waitlint.facts import Intent
from waitlint.finding import Confidence, Evidence, Finding, Quiet, Severity
from waitlint.fix import Repair
from waitlint.linked import Tool, ToolText, Wait
from waitlint.rule import rule
from waitlint_rules.certain import is_always_passed, verb
from waitlint_rules.denials import blocks_for_long, denial
from waitlint_rules.telling import can_be_rewritten, replacing, safety, told
from waitlint_rules.wording import (
    how_known,
    in_seconds,
    longest,
    waits_for_state,
)

_RETURNS = re.compile(r"(?P<verb>returns?) (?:immediately|right away|at once|instantly|straight away)", re.IGNORECASE)
_MANNER = re.compile(
    r"(?:asynchronously|in the background|fire[- ]and[- ]forget|non-?blocking(?:ly)?|"
    r"without (?:waiting|blocking)(?: for [\w' -]+)?)",
    re.IGNORECASE,
)

_DENIES = re.compile(f"{_RETURNS.pattern}|{_MANNER.pattern}".replace("?P<verb>", ""), re.IGNORECASE)


@rule(subject="Tool", severity=Severity.ERROR, rules=("R4",), checklist=("C5",), fixes="safe/unsafe")
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
        f"the description {denied.reason}, but the code {verb(wait)}{_how_long(wait)}",
        help=f"Say what it does: “{_sentence(wait)}” Or let it return at once, with the ID of the work.",
        scope=tool.name,
        excerpt=text.text.value[denied.span.start : denied.span.end],
        tools=(tool.name,),
        confidence=_confidence(denied, tool, wait),
        evidence=[Evidence(wait.place, f"the wait: {wait.cap.how}")],
        repair=_repair(text, denied, tool, wait) if is_always_passed(wait) else None,
    )


def _confidence(denied: Intent, tool: Tool, wait: Wait) -> Confidence:
    sure = tool.confidence == "high" and is_always_passed(wait)
    return Confidence(denied.confidence) if sure or denied.confidence == "low" else Confidence.MEDIUM


def _how_long(wait: Wait) -> str:
    if wait.cap.known:
        return f" up to {in_seconds(wait.cap.value)}{how_known(wait.cap)}"
    return " until the work is done, without a cap" if wait.cap.absent else " for the work"


def _sentence(wait: Wait) -> str:
    return f"Waits up to {in_seconds(wait.cap.value)} for it." if wait.cap.known else "Waits for it to end."


def _repair(text: ToolText, denied: Intent, tool: Tool, wait: Wait) -> Repair | None:
    """The words that deny the wait, as the truth about it, by their shape."""
    value, start, end = text.text.value, denied.span.start, denied.span.end
    if not can_be_rewritten(text):
        return None
    known = told(tool, wait)
    lasts = f" {known.cap_words}".rstrip()
    said = value[start:end]
    if _DENIES.search(value[:start]) or _DENIES.search(value[end:]):
        return None
    if found := _RETURNS.fullmatch(said):
        verb = "waits" if found["verb"].endswith("s") else "wait"
        verb = verb.capitalize() if said[0].isupper() else verb
        words = f"{verb}{lasts} for the result"
        if value[end : end + 1] not in (".", "!", ""):
            words += f", then {found['verb'].lower()}"
    elif _MANNER.fullmatch(said):
        begin = max(value.rfind(". ", 0, start) + 1, value.rfind("\n", 0, start) + 1, 0)
        opening = value[begin:start].split()
        if not opening:
            words = f"Waits{lasts} for the result"
        else:
            start = len(value[:start].rstrip(" ,"))
            words = f" and {'waits' if opening[0].endswith('s') else 'wait'}{lasts} for the result"
        if value[end : end + 1] not in (".", "!", "\n", ""):
            return None
    elif value[end : end + 1] in (".", ""):
        words = f"{said}, and {'waits' if said.split()[0].endswith('s') else 'wait'}{lasts} for it to end"
    else:
        return None
    change = replacing(text, start, end, words)
    return Repair("say that it waits", safety(tool, known, denied.confidence), (change,))
