"""`budget/silent-exhaustion`."""

from __future__ import annotations

from collections.abc import Iterator

from waitlint.context import Context
from waitlint.finding import Confidence, Finding, Quiet, Severity
from waitlint.linked import AgentLoop, Ending
from waitlint.rule import rule
from waitlint_rules.sketches import raised
from waitlint_rules.wording import is_python, shortened

NO_LIMIT = 1000.0
SILENT = {
    Ending.LOOKS_DONE: "the last reply comes back as if it were the answer",
    Ending.NOTHING: "nothing comes back, and nobody is told why",
}


@rule(subject="AgentLoop", severity=Severity.WARNING, seeds=(2,), fixes="")
def check(loop: AgentLoop, context: Context) -> Iterator[Finding | Quiet]:
    """The step budget of a loop runs out, and nothing says so."""
    if loop.kind == "rounds":
        yield Quiet(loop.excerpt, "it is meant to make all its laps")
    elif not loop.steps.known or loop.steps.value >= NO_LIMIT:
        yield Quiet(loop.excerpt, loop.steps.how or "its budget is not in view")
    elif loop.ending not in SILENT:
        yield Quiet(loop.excerpt, f"at the cap: {loop.ending}")
    elif loop.kind == "run":
        yield from _of_framework(loop, context)
    else:
        yield context.finding(
            loop.place,
            f"when its {loop.steps.value:g} {loop.unit} are spent, {SILENT[loop.ending]}",
            help=_help(loop),
            scope=loop.scope,
            excerpt=loop.excerpt,
            confidence=Confidence(loop.confidence),
            evidence=[*loop.steps.places, *([loop.ending_place] if loop.ending_place is not None else [])],
        )


def _of_framework(loop: AgentLoop, context: Context) -> Iterator[Finding | Quiet]:
    if loop.steps.value <= 1 or not loop.uses_tools.yes or not loop.steps.places or not loop.asks_how_it_ended.no:
        yield Quiet(loop.excerpt, loop.asks_how_it_ended.how or "it is no loop, or its cap is the framework's own")
        return
    yield context.finding(
        loop.place,
        f"at {loop.steps.how} the framework ends the run without a word, and nothing here asks why it ended",
        help=f"Ask what `{shortened(loop.excerpt)}` gives for the reason of its end, and say so where it is the cap.",
        scope=loop.scope,
        excerpt=loop.excerpt,
        severity=Severity.ADVICE,
        confidence=Confidence.MEDIUM,
        evidence=loop.steps.places,
    )


def _help(loop: AgentLoop) -> str:
    path, head = loop.place.path, shortened(loop.excerpt)
    failed = raised(path, f"no answer after {loop.steps.value:g} {loop.unit}")
    where = f"as the `else:` of `{head}`" if is_python(path) and head.startswith("for ") else f"after `{head}`"
    return f"Write `{failed}` {where}, or return what says so: a short failure that can be looked into."
