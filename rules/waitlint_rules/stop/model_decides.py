"""`stop/model-decides`."""

from __future__ import annotations

from collections.abc import Iterator

from waitlint.context import Context
from waitlint.finding import Confidence, Evidence, Finding, Quiet, Severity
from waitlint.linked import Mentioned
from waitlint.rule import rule
from waitlint_rules.stopping import is_first, others, said, scope, subject, told


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
    else:
        marked = said(text, context, "done-marker")
        half = "; the marker that it asks for is half of a stop rule" if marked else ""
        yield context.finding(
            mentioned.place,
            f"the model's own feeling alone ends the work{half}: it stops at the first thing that looks like an answer",
            help="Ask for a least number of steps, scaled to the question, and hold it in code; a done marker ends it.",
            scope=scope(text),
            confidence=Confidence(mentioned.intent.confidence),
            severity=Severity.ADVICE if marked else None,
            evidence=[*others(mentioned, context), *(Evidence(one.place, "the marker") for one in marked[:1])],
        )
