"""`cancel/run-ignores-stop`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from waitlint.context import Context
from waitlint.finding import Finding, Quiet, Severity
from waitlint.fix import Applicability, HandOn, Repair
from waitlint.linked import AgentStart
from waitlint.rule import rule
from waitlint_rules.wording import is_python

_AT_THE_END = re.compile(r"\b(onFinish|onEnd)\b\s*[:(,]")


@rule(subject="AgentStart", severity=Severity.WARNING, rules=("R3",), checklist=("C4",), fixes="unsafe")
def check(start: AgentStart, context: Context) -> Iterator[Finding | Quiet]:
    """A stop signal is at hand (a request's, a controller's), and an agent's run starts without it."""
    if start.at_hand is None:
        yield Quiet(start.excerpt, "no stop signal is at hand where it starts")
    elif not start.takes_stop.no:
        yield Quiet(start.excerpt, start.takes_stop.how)
    elif start.outlives.yes:
        yield Quiet(start.excerpt, start.outlives.how)
    elif not start.goes_on.yes:
        yield Quiet(start.excerpt, start.goes_on.how or "whether it has tools can't be told")
    else:
        at_end = _does_at_its_end(start, context)
        yield context.finding(
            start.place,
            f"`{start.signal}` is at hand and the run starts without it: after a stop the agent goes on asking the "
            "model and calling tools",
            help=_help(start, at_end),
            scope=start.scope,
            excerpt=start.excerpt,
            evidence=[start.at_hand],
            repair=_handed_on(start) if not at_end else None,
        )


def _does_at_its_end(start: AgentStart, context: Context) -> str:
    """What the run calls when it has come to its end, and not after a stop; "" where it does nothing then."""
    call = context.project.excerpt(start.call)
    found = _AT_THE_END.search(call)
    return found[1] if found is not None and "onAbort" not in call else ""


def _help(start: AgentStart, at_end: str) -> str:
    hand = f"Hand `{start.signal}` to the run; the framework hands it on to each tool."
    return (
        f"{hand} `{at_end}` is not called after a stop: do in `onAbort` what has to be done then, too."
        if at_end
        else hand
    )


def _handed_on(start: AgentStart) -> Repair | None:
    if is_python(start.call.path):
        return None
    given = HandOn(start.call.path, start.call.span, start.signal, start.api, -1, optional=False, bound=True)
    return Repair("hand the stop signal to the run", Applicability.UNSAFE, (given,))
