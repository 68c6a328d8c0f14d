"""`stop/model-decides`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from waitlint.context import Context
from waitlint.finding import Confidence, Finding, Quiet, Severity
from waitlint.linked import Mentioned
from waitlint.rule import rule
from waitlint_rules.stopping import is_first, others, said, scope, subject, told

BESIDE = 160
# A literal stands in quotation marks or brackets, or is written in capitals.
LITERAL = re.compile(r"[`'\"\[<](?P<quoted>\w[\w ]{2,30})[`'\"\]>]|\b(?P<plain>[A-Z][A-Z_]{3,30})\b")

CALLED = re.compile(
    r"\b(?:call|use|run|invoke|execute)(?:ning|ing)?\b (?:to )?(?:the )?[\"'`*]{0,3}(?P<name>\w{4,40})\b[\"'`*]{0,3}"
    r"(?P<noun> (?:tool|command|function|action)\b)?",
    re.IGNORECASE,
)
FINISHING = frozenset({"submit", "finish", "complete", "completed", "done", "final", "finalize", "terminate", "end"})


@rule(subject="Mentioned", severity=Severity.WARNING, seeds=(3,), fixes="")
def check(mentioned: Mentioned, context: Context) -> Iterator[Finding | Quiet]:
    """A text leaves the end to the model's own feeling, with no least number of steps."""
    if mentioned.intent.kind != "model-decides":
        return
    text = mentioned.text
    floors = said(text, context, "floor", "forced-steps")
    held = next((loop for loop in told(text, context) if loop.floors), None)
    if not is_first(mentioned, context):
        yield Quiet(subject(text), "another sentence of this text says so, too")
    elif floors:
        yield Quiet(subject(text), "the text names a least number of steps")
    elif held is not None:
        yield Quiet(subject(text), f"the code holds a floor of {held.floors[0].steps:g} steps")
    elif said(text, context, "done-marker"):
        yield Quiet(subject(text), "the text asks for a done marker")
    elif marker := _is_read(mentioned, context):
        yield Quiet(subject(text), f"the code looks for “{marker}”, which the text names beside it")
    elif tool := _finishes_with(mentioned, context):
        yield Quiet(subject(text), f"the model has to call “{tool}” to end the work")
    else:
        yield context.finding(
            mentioned.place,
            "the model's own feeling ends the work, and no least number of steps is named: it may stop at the first "
            "thing that looks like an answer",
            help=(
                "Write: “Take at least 3 steps, 6 for a question of several parts, 10 for research; then end with a "
                "line that says DONE”, and hold both in code."
            ),
            scope=scope(text),
            confidence=Confidence(mentioned.intent.confidence),
            evidence=others(mentioned, context),
        )


def _is_read(mentioned: Mentioned, context: Context) -> str:
    """The literal beside a sentence that the code which tells it to the model looks for; "" if there is none."""
    text = mentioned.text
    loops = told(text, context)
    read = context.project.compared_in(text.path).union(*(context.project.compared_in(one.place.path) for one in loops))
    for found in LITERAL.finditer(_beside(mentioned)):
        literal = found["quoted"] or found["plain"]
        if re.sub(r"\W+", "", literal).lower() in read:
            return literal
    return ""


def _finishes_with(mentioned: Mentioned, context: Context) -> str:
    """The tool or command that the sentences of this kind in a text name to finish with; "" if there is none."""
    for one in said(mentioned.text, context, mentioned.intent.kind):
        for found in CALLED.finditer(_beside(one)):
            parts = {part.lower() for part in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", found["name"])}
            if parts & FINISHING and (len(parts) > 1 or found["noun"]):
                return found["name"]
    return ""


def _beside(mentioned: Mentioned) -> str:
    """The words of a sentence, and some around it."""
    span = mentioned.intent.span
    return mentioned.text.text.value[max(0, span.start - BESIDE) : span.end + BESIDE]
