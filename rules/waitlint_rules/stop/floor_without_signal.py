"""`stop/floor-without-signal`."""

from __future__ import annotations

from collections.abc import Iterator

from waitlint.context import Context
from waitlint.finding import Confidence, Finding, Quiet, Severity
from waitlint.linked import Mentioned
from waitlint.rule import rule
from waitlint_rules.stopping import is_first, others, said, scope, subject, told


@rule(subject="Mentioned", severity=Severity.ADVICE, seeds=(3,), fixes="")
def check(mentioned: Mentioned, context: Context) -> Iterator[Finding | Quiet]:
    """A text asks for a least number of steps, and for no marker by which the model says that it is done."""
    if mentioned.intent.kind != "floor":
        return
    text = mentioned.text
    if not is_first(mentioned, context):
        yield Quiet(subject(text), "another sentence of this text says so, too")
    elif said(text, context, "done-marker"):
        yield Quiet(subject(text), "the text asks for a done marker, too")
    elif any(loop.signal.yes for loop in told(text, context)):
        yield Quiet(subject(text), "the code looks for a done marker")
    else:
        yield context.finding(
            mentioned.place,
            f"{mentioned.intent.reason}, and nothing says how the model tells that it is done",
            help=(
                "Write: “When you have the answer, end with a line that says DONE and nothing else”, and let code look "
                "for that line, above the floor."
            ),
            scope=scope(text),
            confidence=Confidence(mentioned.intent.confidence),
            evidence=others(mentioned, context),
        )
