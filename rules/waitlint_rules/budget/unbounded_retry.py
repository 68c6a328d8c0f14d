"""`budget/unbounded-retry`."""

from __future__ import annotations

from collections.abc import Iterator

from waitlint.context import Context
from waitlint.finding import Confidence, Finding, Quiet, Severity
from waitlint.linked import Retry
from waitlint.rule import rule


@rule(subject="Retry", severity=Severity.ERROR, seeds=(2,), fixes="")
def check(retry: Retry, context: Context) -> Iterator[Finding | Quiet]:
    """A request is tried again after each failure, and nothing stops that."""
    if not retry.attempts.absent:
        yield Quiet(retry.excerpt, retry.attempts.how)
    elif not retry.time.absent:
        yield Quiet(retry.excerpt, f"it is bounded in time: {retry.time.how}")
    elif retry.by == "loop" and not retry.of_model and not context.project.tools_reaching(retry.place):
        yield Quiet(retry.excerpt, "neither a tool nor an agent is known to run it: it may wait for a start")
    else:
        yield context.finding(
            retry.place,
            f"a failure that stays makes this try again for ever: {retry.attempts.how}",
            help="Stop after a few attempts, or at a deadline, and raise or return the last error then.",
            scope=retry.scope,
            excerpt=retry.excerpt,
            confidence=Confidence(retry.confidence),
            evidence=(*retry.attempts.places, *([retry.asks] if retry.asks is not None else [])),
        )
