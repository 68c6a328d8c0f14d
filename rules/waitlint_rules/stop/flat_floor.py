"""`stop/flat-floor`."""

from __future__ import annotations

from collections.abc import Iterator

from waitlint.context import Context
from waitlint.finding import Confidence, Evidence, Finding, Place, Quiet, Severity
from waitlint.linked import ToolText
from waitlint.rule import rule
from waitlint_rules.stopping import said, scope, subject


@rule(subject="ToolText", severity=Severity.ADVICE, seeds=(3,), fixes="")
def check(text: ToolText, context: Context) -> Iterator[Finding | Quiet]:
    """One least number of steps holds for every question, although the text tells simple ones from deep ones."""
    apart = said(text, context, "depths")
    if not apart:
        return
    words = [one for one in context.project.mentions_in(text) if one.intent.kind == "floor"]
    held = [floor for loop in context.project.loops_told(text) for floor in loop.floors]
    scaled = ", ".join(f"{name} {steps}" for name, steps in context.settings.floors.items())
    place: Place
    is_flat = all(not floor.depth for floor in held) and len({floor.steps for floor in held}) <= 1
    if len(words) == 1 and words[0].intent.confidence != "low" and is_flat:
        place, what = words[0].place, words[0].intent.reason
    elif held and not words and is_flat:
        place, what = held[0].place, f"the code holds one floor of {held[0].steps:g} steps"
    else:
        yield Quiet(subject(text), "no single floor stands for all of them")
        return
    yield context.finding(
        place,
        f"{what}, whatever the question: too few steps for a deep one, or too many for a simple one",
        help=f"Scale the floor to the depth of the question: “Take at least this many steps: {scaled}.”",
        scope=scope(text),
        confidence=Confidence.MEDIUM,
        evidence=(Evidence(apart[0].place, "here the questions are told apart"),),
    )
