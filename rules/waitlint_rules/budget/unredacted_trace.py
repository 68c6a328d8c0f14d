"""`budget/unredacted-trace`."""

from __future__ import annotations

from collections.abc import Iterator

from waitlint.context import Context
from waitlint.finding import Confidence, Evidence, Finding, Quiet, Severity
from waitlint.linked import AgentLoop
from waitlint.rule import rule
from waitlint_rules.wording import is_python, shortened


@rule(subject="AgentLoop", severity=Severity.ADVICE, seeds=(2,), fixes="")
def check(loop: AgentLoop, context: Context) -> Iterator[Finding | Quiet]:
    """The trail of a loop holds whole inputs or observations, neither redacted nor cut short."""
    if loop.kind != "loop" or not loop.dispatches:
        return
    redacted = loop.trail.redacted
    if not redacted.no or not redacted.places:
        yield Quiet(loop.excerpt, redacted.how or "it keeps no inputs or observations that are in view")
        return
    yield context.finding(
        redacted.places[0].place,
        f"{redacted.how}: what users and tools hand over ends up in the logs as it is",
        help=_help(context.project.excerpt(redacted.places[0].place), redacted.places[0].place.path),
        scope=loop.scope,
        confidence=Confidence.MEDIUM,
        evidence=(Evidence(loop.place, "the loop"),),
    )


def _help(code: str, path: str) -> str:
    short = "redacted(value)[:300]" if is_python(path) else "redacted(value).slice(0, 300)"
    return f"In `{shortened(code)}`, write `{short}` for each value: what is secret taken out, the rest cut short."
