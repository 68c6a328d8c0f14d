"""`budget/no-wall-clock`."""

from __future__ import annotations

from collections.abc import Iterator

from waitlint.context import Context
from waitlint.finding import Confidence, Evidence, Finding, Quiet, Severity
from waitlint.linked import AgentLoop
from waitlint.rule import rule
from waitlint_rules.sketches import clock, is_over
from waitlint_rules.wording import shortened

IN_ALL = 600.0


@rule(subject="AgentLoop", severity=Severity.ADVICE, seeds=(2,), fixes="")
def check(loop: AgentLoop, context: Context) -> Iterator[Finding | Quiet]:
    """A loop has a step cap and no bound in time: neither a clock nor timeouts that were chosen for its requests."""
    asked = [one for one in loop.askings if one.kind == "model"]
    if loop.kind != "loop":
        return
    if not loop.steps.known:
        yield Quiet(loop.excerpt, "it has no step cap that is known: other rules speak of that")
    elif not loop.time.absent:
        yield Quiet(loop.excerpt, loop.time.how or "its bound in time is not in view")
    elif any(one.timeout.absent for one in loop.askings):
        yield Quiet(loop.excerpt, "a request has no timeout at all: budget/request-without-timeout speaks of it")
    elif not asked or any(one.own or not one.timeout.known for one in asked):
        yield Quiet(loop.excerpt, "its requests have timeouts of their own, or ones that are not in view")
    else:
        most = asked[0].timeout.value * loop.steps.value
        yield context.finding(
            loop.place,
            f"{loop.steps.value:g} {loop.unit} are the only bound: with the library's default of "
            f"{asked[0].timeout.value:g} s for a request, they may take {_written(most)}, its own retries left "
            "out",
            help=_help(loop),
            scope=loop.scope,
            excerpt=loop.excerpt,
            confidence=Confidence(loop.confidence),
            evidence=(Evidence(asked[0].place, "the model is asked here"),),
        )


def _written(seconds: float) -> str:
    return f"{seconds / 3600:.1f} h" if seconds >= 5400 else f"{seconds / 60:.0f} min"


def _help(loop: AgentLoop) -> str:
    path = loop.place.path
    return (
        f"Set `{clock(path, IN_ALL)}` before `{shortened(loop.excerpt)}`, and end the run where `{is_over(path)}`; "
        "or set a timeout on the client that fits the task."
    )
