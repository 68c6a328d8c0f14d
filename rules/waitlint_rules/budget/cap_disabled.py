"""`budget/cap-disabled`."""

from __future__ import annotations

from collections.abc import Iterator

from waitlint.context import Context
from waitlint.finding import Confidence, Finding, Quiet, Severity
from waitlint.linked import AgentLoop, Ending
from waitlint.rule import rule
from waitlint_rules.capping import capped, written

NO_LIMIT = 1000.0


@rule(subject="AgentLoop", severity=Severity.WARNING, seeds=(2,), fixes="unsafe")
def check(loop: AgentLoop, context: Context) -> Iterator[Finding | Quiet]:
    """The step cap of a framework's loop is off, missing where none is the default, or so high that it is none."""
    steps = loop.steps
    if loop.kind != "run":
        yield Quiet(loop.excerpt, "it is written by hand: budget/uncapped-loop speaks of it")
    elif not steps.known and not steps.absent:
        yield Quiet(loop.excerpt, steps.how or "its step cap is not in view")
    elif steps.known and steps.value < NO_LIMIT:
        yield Quiet(loop.excerpt, steps.how)
    elif loop.spend.yes:
        yield Quiet(loop.excerpt, loop.spend.how)
    elif not loop.time.absent:
        yield Quiet(loop.excerpt, f"it is bounded in time{'' if loop.time.known else ', or may be'}: {loop.time.how}")
    elif loop.uses_tools.no:
        yield Quiet(loop.excerpt, f"{loop.uses_tools.how}: it ends after one reply")
    elif not loop.uses_tools.yes and not steps.places and not loop.runs_any:
        yield Quiet(loop.excerpt, "whether it has tools, and so goes on, is not in view")
    else:
        much = "" if steps.absent else f", and {steps.value:,.0f} {loop.unit} are no limit"
        goes_on = steps.absent and not steps.places and loop.ending is Ending.NEVER
        if goes_on and loop.outer is None:
            what = f"nothing in the code limits the calls of this agent's run: {steps.how}"
        elif loop.outer is None:
            what = f"nothing in the code ends this agent's loop: {steps.how}{much}"
        else:
            what = f"only the {loop.outer:g} requests of the whole run end this agent's loop: {steps.how}{much}"
        yield context.finding(
            loop.place,
            what,
            help=_help(loop, goes_on=goes_on),
            scope=loop.scope,
            excerpt=loop.excerpt,
            severity=Severity.ADVICE if goes_on or loop.outer is not None else None,
            confidence=Confidence(loop.confidence) if loop.uses_tools.yes else Confidence.MEDIUM,
            evidence=steps.places,
            repair=capped(loop.option, "set a step cap"),
        )


def _help(loop: AgentLoop, *, goes_on: bool) -> str:
    set_to = f"`{written(loop.option)}`" if loop.option is not None else f"10 to 50 {loop.unit}"
    if goes_on:
        return f"Set a limit that fits the task, such as {set_to}: what is called beyond it is refused."
    return f"Set a step cap that fits the task, such as {set_to}, and handle its being reached."
