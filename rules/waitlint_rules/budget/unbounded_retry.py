"""`budget/unbounded-retry`."""

from __future__ import annotations

from collections.abc import Iterator

from waitlint.context import Context
from waitlint.finding import Confidence, Finding, Quiet, Severity
from waitlint.linked import Retry
from waitlint.rule import rule
from waitlint_rules.capping import capped, written
from waitlint_rules.wording import is_python, shortened


@rule(subject="Retry", severity=Severity.ERROR, seeds=(2,), fixes="unsafe")
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
            help=_help(retry),
            scope=retry.scope,
            excerpt=retry.excerpt,
            confidence=Confidence(retry.confidence),
            evidence=(*retry.attempts.places, *([retry.asks] if retry.asks is not None else [])),
            repair=capped(retry.option, "stop after some attempts"),
        )


def _help(retry: Retry) -> str:
    if retry.option is not None:
        return f"Set `{written(retry.option)}`, or a deadline: the last error is then what the caller gets."
    python = is_python(retry.place.path)
    loop = "for attempt in range(5):" if python else "for (let attempt = 1; attempt <= 5; attempt++)"
    return f"Write `{loop}` for `{shortened(retry.excerpt)}`, and raise the last error after it; or test a deadline."
