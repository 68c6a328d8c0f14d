"""`budget/unknown-tool`."""

from __future__ import annotations

from collections.abc import Iterator

from waitlint.context import Context
from waitlint.finding import Confidence, Evidence, Finding, Quiet, Severity
from waitlint.linked import AgentLoop
from waitlint.rule import rule
from waitlint_rules.sketches import refused
from waitlint_rules.wording import is_python, shortened


@rule(subject="AgentLoop", severity=Severity.WARNING, seeds=(2,), fixes="")
def check(loop: AgentLoop, context: Context) -> Iterator[Finding | Quiet]:
    """A tool is run by the model's word with no check that the name is known, or that the arguments fit."""
    for one in loop.dispatches:
        if one.refuses.no:
            yield context.finding(
                one.place,
                f"the model names what runs here, and {one.refuses.how}",
                help=f"Write `{refused(one.place.path, one.excerpt)}`, and tell the model which tools there are.",
                scope=one.scope,
                excerpt=one.excerpt,
                confidence=Confidence(loop.confidence),
                evidence=(Evidence(loop.place, "the loop"), *one.refuses.places),
            )
        elif one.validates.no:
            yield context.finding(
                one.validates.places[0].place if one.validates.places else one.place,
                "the model's arguments go in as they come: what does not fit ends the whole run",
                help=_help(context.project.excerpt(one.runs or one.place), one.place.path),
                scope=one.scope,
                excerpt=one.excerpt,
                severity=Severity.ADVICE,
                confidence=Confidence.MEDIUM,
                evidence=(Evidence(one.place, "the tool is looked up here"),),
            )
        else:
            yield Quiet(one.excerpt, one.refuses.how or "whether an unknown name is refused is not in view")


def _help(runs: str, path: str) -> str:
    caught = "except (TypeError, ValueError) as error: …" if is_python(path) else "catch (error) { … }"
    return f"Check the arguments before `{shortened(runs)}`, or put it in a `try` with `{caught}`, and tell the model."
