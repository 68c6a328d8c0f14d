"""`budget/uncapped-loop`."""

from __future__ import annotations

from collections.abc import Iterator

from waitlint.context import Context
from waitlint.finding import Confidence, Evidence, Finding, Quiet, Severity
from waitlint.linked import AgentLoop
from waitlint.rule import rule
from waitlint_rules.sketches import counted, raised
from waitlint_rules.stopping import is_held
from waitlint_rules.wording import shortened


@rule(subject="AgentLoop", severity=Severity.ERROR, seeds=(2,), fixes="")
def check(loop: AgentLoop, context: Context) -> Iterator[Finding | Quiet]:
    """A loop that asks a model again and again has no step cap in code."""
    steps = loop.steps
    if loop.kind == "run":
        yield Quiet(loop.excerpt, "a framework runs it: budget/cap-disabled speaks of it")
    elif not steps.absent:
        yield Quiet(loop.excerpt, steps.how)
    elif loop.time.known:
        yield Quiet(loop.excerpt, f"it is bounded in time: {loop.time.how}")
    elif loop.spend.yes:
        yield Quiet(loop.excerpt, loop.spend.how)
    elif is_held(loop) and not context.settings.require_step_cap:
        yield Quiet(loop.excerpt, "a floor and a done marker end it")
    else:
        asked = [Evidence(one.place, "the model is asked here") for one in loop.askings if one.kind == "model"]
        yield context.finding(
            loop.place,
            f"only what the model answers ends this loop: {steps.how}",
            help=_help(loop),
            scope=loop.scope,
            excerpt=loop.excerpt,
            confidence=Confidence(loop.confidence),
            evidence=(*steps.places, *asked[:1]),
        )


def _help(loop: AgentLoop) -> str:
    path = loop.place.path
    failed = raised(path, "no answer in all steps")
    if loop.kind == "recursion":
        return f"Hand the number of steps on with each call, and `{failed}` where it is spent."
    return f"Write `{counted(path)}` in place of `{shortened(loop.excerpt)}`, and `{failed}` after it."
