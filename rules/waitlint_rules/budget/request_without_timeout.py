"""`budget/request-without-timeout`."""

from __future__ import annotations

from collections.abc import Iterator

from waitlint.context import Context
from waitlint.finding import Confidence, Evidence, Finding, Quiet, Severity
from waitlint.linked import AgentLoop, Asking
from waitlint.rule import rule
from waitlint_rules.capping import capped, written
from waitlint_rules.wording import shortened


@rule(subject="AgentLoop", severity=Severity.WARNING, seeds=(2,), fixes="unsafe")
def check(loop: AgentLoop, context: Context) -> Iterator[Finding | Quiet]:
    """A request that an agent's loop makes has no timeout, neither of its own nor of its library."""
    for one in loop.askings:
        if not one.timeout.absent or "signal" in one.timeout.how:
            yield Quiet(one.excerpt, one.timeout.how or "its timeout is not in view")
        elif one.kind == "tool" and context.project.tools_reaching(one.place):
            yield Quiet(one.excerpt, "it is a tool's: the rules about tools speak of it")
        else:
            what = "this request of the model" if one.kind == "model" else "this request, made in the loop's laps,"
            yield context.finding(
                one.place,
                f"{what} has no timeout ({one.timeout.how}): one that hangs outlasts every step cap",
                help=_help(one),
                scope=one.scope,
                excerpt=one.excerpt,
                confidence=Confidence(loop.confidence),
                evidence=(Evidence(loop.place, "the loop that makes it"),),
                repair=capped(one.option, "give the request a timeout"),
            )


def _help(one: Asking) -> str:
    set_to = written(one.option) if one.option is not None else "timeout"
    return f"Give the client of `{shortened(one.excerpt)}` a `{set_to}`, shorter than what the user would wait."
