"""`stop/forced-steps`."""

from __future__ import annotations

from collections.abc import Iterator

from waitlint.context import Context
from waitlint.finding import Confidence, Finding, Quiet, Severity
from waitlint.linked import Mentioned
from waitlint.rule import rule
from waitlint_rules.stopping import is_first, others, scope, subject


@rule(subject="Mentioned", severity=Severity.WARNING, seeds=(3,), fixes="")
def check(mentioned: Mentioned, context: Context) -> Iterator[Finding | Quiet]:
    """A text demands an exact number of steps, whatever is found."""
    if mentioned.intent.kind != "forced-steps":
        return
    if not is_first(mentioned, context):
        yield Quiet(subject(mentioned.text), "another sentence of this text says so, too")
        return
    yield context.finding(
        mentioned.place,
        f"{mentioned.intent.reason}: where the answer is there sooner, the model makes up the rest of the steps",
        help=(
            "Write: “Take at least 3 steps. When you have the answer, end with a line that says DONE”: no step is then "
            "taken for its own sake."
        ),
        scope=scope(mentioned.text),
        confidence=Confidence(mentioned.intent.confidence),
        evidence=others(mentioned, context),
    )
