"""`budget/unbounded-output`."""

from __future__ import annotations

from collections.abc import Iterator

from waitlint.context import Context
from waitlint.finding import Confidence, Evidence, Finding, Quiet, Severity
from waitlint.linked import AgentLoop
from waitlint.rule import rule


@rule(subject="AgentLoop", severity=Severity.ADVICE, seeds=(2,), fixes="")
def check(loop: AgentLoop, context: Context) -> Iterator[Finding | Quiet]:
    """What a tool gives goes to the model whole, however long it is."""
    if loop.kind != "loop" or not loop.dispatches:
        return
    if not loop.output.no:
        yield Quiet(loop.excerpt, loop.output.how or "what becomes of its tools' results is not in view")
        return
    home = loop.dispatches[0]
    yield context.finding(
        home.runs or home.place,
        "what this gives goes to the model whole: one long file or page fills its context, and each step pays for it",
        help="Cut results to some thousand characters, and say in them that they were cut and how to read on.",
        scope=home.scope,
        confidence=Confidence.MEDIUM,
        evidence=(*loop.output.places[1:], Evidence(loop.place, "the loop that hands it on")),
    )
