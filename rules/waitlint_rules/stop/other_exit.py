"""`stop/other-exit`."""

from __future__ import annotations

from collections.abc import Iterator

from waitlint.context import Context
from waitlint.finding import Confidence, Finding, Quiet, Severity
from waitlint.linked import AgentLoop
from waitlint.rule import rule
from waitlint_rules.stopping import is_held


@rule(subject="AgentLoop", severity=Severity.WARNING, seeds=(3,), fixes="")
def check(loop: AgentLoop, context: Context) -> Iterator[Finding | Quiet]:
    """A loop with a floor and a done marker also ends in another way, before they are met."""
    if loop.kind != "loop":
        return
    if not is_held(loop):
        yield Quiet(loop.excerpt, "it holds no floor and done marker that something else could get past")
    elif not loop.exits_freely.yes:
        yield Quiet(loop.excerpt, loop.exits_freely.how or "other ways out are not in view")
    else:
        yield context.finding(
            loop.exits_freely.places[0].place if loop.exits_freely.places else loop.place,
            f"floor and done marker can be got past: {loop.exits_freely.how}",
            help="Send the model on here and `continue`, unless both are met or a budget is spent.",
            scope=loop.scope,
            confidence=Confidence(loop.confidence),
            evidence=loop.signal.places,
        )
