"""`stop/unenforced-floor`."""

from __future__ import annotations

from collections.abc import Iterator

from waitlint.context import Context
from waitlint.finding import Confidence, Evidence, Finding, Quiet, Severity
from waitlint.linked import AgentLoop, Mentioned
from waitlint.rule import rule
from waitlint_rules.stopping import is_first, scope, subject
from waitlint_rules.wording import is_python, shortened


@rule(subject="Mentioned", severity=Severity.WARNING, seeds=(3,), fixes="")
def check(mentioned: Mentioned, context: Context) -> Iterator[Finding | Quiet]:
    """The text names a least number of steps, and the code that runs the model is known not to hold it."""
    if mentioned.intent.kind != "floor":
        return
    loops = context.project.loops_told(mentioned.text)
    own = [loop for loop in loops if loop.kind == "loop" and loop.uses_tools.yes]
    if not own or len(own) < len(loops):
        yield Quiet(subject(mentioned.text), "no loop of the project is known in which the model is told this")
    elif any(loop.floors for loop in own):
        yield Quiet(subject(mentioned.text), "the code holds a floor")
    elif mentioned.intent.confidence == "low" or not is_first(mentioned, context):
        yield Quiet(subject(mentioned.text), "it is not certain, or another sentence says so, too")
    else:
        yield context.finding(
            mentioned.place,
            f"{mentioned.intent.reason}, and the loop ends whenever the model likes: no code counts up to that",
            help=_help(own[0]),
            scope=scope(mentioned.text),
            confidence=Confidence(mentioned.intent.confidence),
            evidence=(Evidence(own[0].place, "the loop"),),
        )


def _help(loop: AgentLoop) -> str:
    send = "if step < floor: messages.append(go_on); continue"
    if not is_python(loop.place.path):
        send = "if (step < floor) { messages.push(goOn); continue; }"
    return f"Count the steps of `{shortened(loop.excerpt)}`, and below the floor write `{send}` before it can end."
