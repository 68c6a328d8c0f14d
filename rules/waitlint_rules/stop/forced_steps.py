"""`stop/forced-steps`."""

from __future__ import annotations

from collections.abc import Iterator

from waitlint.context import Context
from waitlint.finding import Confidence, Finding, Quiet, Severity
from waitlint.linked import AgentLoop, Mentioned
from waitlint.rule import rule
from waitlint_rules.stopping import is_first, others, scope, subject


@rule(subject="Mentioned | AgentLoop", severity=Severity.WARNING, seeds=(3,), fixes="")
def check(told: Mentioned | AgentLoop, context: Context) -> Iterator[Finding | Quiet]:
    """A text demands an exact number of steps, or code makes it, whatever is found."""
    if isinstance(told, AgentLoop):
        yield from _of_code(told, context)
        return
    if told.intent.kind != "forced-steps":
        return
    if not is_first(told, context):
        yield Quiet(subject(told.text), "another sentence of this text says so, too")
        return
    yield context.finding(
        told.place,
        f"{told.intent.reason}: where the answer is there sooner, the model makes up the rest of the steps",
        help=(
            "Write: “Take at least 3 steps. When you have the answer, end with a line that says DONE”: no step is then "
            "taken for its own sake."
        ),
        scope=scope(told.text),
        confidence=Confidence(told.intent.confidence),
        evidence=others(told, context),
    )


def _of_code(loop: AgentLoop, context: Context) -> Iterator[Finding | Quiet]:
    if not loop.forced.yes:
        yield Quiet(loop.excerpt, "its steps are not known to be forced")
        return
    first, *further = loop.forced.places
    yield context.finding(
        first.place,
        f"{loop.forced.how}: nothing that the model says or finds ends it sooner, so it makes up the rest of the steps",
        help=(
            "Have the model write “DONE” on a line of its own where nothing is left to find, end there once a least "
            "number of steps is made, and keep this number as the most."
        ),
        scope=loop.scope,
        excerpt=loop.excerpt,
        confidence=Confidence.MEDIUM,
        evidence=further,
    )
