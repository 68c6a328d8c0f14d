"""`tell/prompt-contradicts-tool`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from waitlint.context import Context
from waitlint.finding import Confidence, Evidence, Finding, Quiet, Severity
from waitlint.linked import Mentioned, Tool, Wait
from waitlint.rule import rule
from waitlint_rules.certain import is_always_passed, verb
from waitlint_rules.rewording import poll_repair
from waitlint_rules.rewrites import reason
from waitlint_rules.telling import told
from waitlint_rules.wording import in_seconds, longest, waits_for_the_work

# What follows is done once the tool has waited: "If the response says `running`, call it again".
AFTER_AN_ANSWER = re.compile(
    r"[\W\d]*(?:if|when|whenever|where) (?:the |its |an? )?(?:tool(?:'s)? |call(?:'s)? |[`\w]{1,40} )?"
    r"(?:response|result|answer|reply|output|returns?|returned|answers|comes back|came back|call returns)\b",
    re.IGNORECASE,
)
ASKS = frozenset({"poll", "model-sleeps"})


@rule(subject="Mentioned", severity=Severity.ERROR, rules=("R4",), checklist=("C5",), fixes="safe/unsafe")
def check(mentioned: Mentioned, context: Context) -> Iterator[Finding | Quiet]:
    """A text tells the model to poll a tool that waits by itself."""
    if mentioned.intent.kind not in ASKS:
        return
    if mentioned.intent.kind == "model-sleeps" and not mentioned.intent.mentions:
        return
    if mentioned.text.text.role == "tool-result" and _is_its_own_answer(mentioned):
        yield Quiet(mentioned.text.owner, "these words come back after the tool itself has waited")
        return
    waiting = [tool for tool in mentioned.tools if waits_for_the_work(tool)]
    if not waiting or len(waiting) < len(mentioned.tools):
        yield Quiet(", ".join(t.name for t in mentioned.tools) or mentioned.text.path, "no tool that waits is named")
        return
    tool = waiting[0]
    if mentioned.intent.kind == "poll" and AFTER_AN_ANSWER.match(_said(mentioned)):
        yield Quiet(tool.name, "a second call is asked for only after an answer that is unfinished")
        return
    wait = longest(waits_for_the_work(tool))
    evidence = [Evidence(wait.place, f"`{tool.name}` waits here: {wait.cap.how}")]
    yield context.finding(
        mentioned.place,
        f"{reason(mentioned)}, but the tool {verb(wait)} by itself{_how_long(wait)}",
        help=_instead(tool, wait),
        scope=mentioned.text.owner or mentioned.text.text.key,
        tools=[tool.name for tool in waiting],
        confidence=_confidence(mentioned, tool, wait),
        evidence=evidence,
        repair=poll_repair(mentioned.text, mentioned.intent, tool, wait) if len(waiting) == 1 else None,
    )


def _is_its_own_answer(mentioned: Mentioned) -> bool:
    """Whether a tool speaks of itself in what it gives back: "still running after 45 s, call wait_for_build again"."""
    return not mentioned.intent.mentions or {tool.name for tool in mentioned.tools} == {mentioned.text.owner}


def _said(mentioned: Mentioned) -> str:
    """The sentence, or the line, from its start."""
    value, span = mentioned.text.text.value, mentioned.intent.span
    start = max(value.rfind(mark, 0, span.start) for mark in ("\n", ". ", "; "))
    return value[start + 1 : span.end]


def _how_long(wait: Wait) -> str:
    return f", for up to {in_seconds(wait.cap.value)}" if wait.cap.known else ""


def _instead(tool: Tool, wait: Wait) -> str:
    known = told(tool, wait)
    lasts = f", for {known.cap_words}" if known.cap_words else ""
    again = f" Call it again only if it returns “{known.unfinished}”." if known.unfinished else ""
    return f"Write: “Call `{tool.name}` once: it {verb(wait)}{lasts}.{again}”"


def _confidence(mentioned: Mentioned, tool: Tool, wait: Wait) -> Confidence:
    if not is_always_passed(wait) or tool.confidence != "high" or mentioned.intent.confidence == "low":
        return Confidence.MEDIUM
    return Confidence.HIGH
