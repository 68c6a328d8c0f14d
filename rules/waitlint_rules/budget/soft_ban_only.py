"""`budget/soft-ban-only`."""

from __future__ import annotations

from collections.abc import Iterator

from waitlint.context import Context
from waitlint.finding import Confidence, Evidence, Finding, Quiet, Severity
from waitlint.linked import AgentLoop, Mentioned
from waitlint.rule import rule
from waitlint_rules.capping import written
from waitlint_rules.sketches import counted
from waitlint_rules.stopping import is_first, is_open, others, said, scope, subject, told
from waitlint_rules.wording import shortened


@rule(subject="Mentioned", severity=Severity.WARNING, seeds=(2,), fixes="")
def check(mentioned: Mentioned, context: Context) -> Iterator[Finding | Quiet]:
    """A text asks the model not to loop, and no code is known to keep it from that."""
    if mentioned.intent.kind != "soft-ban":
        return
    loops = told(mentioned.text, context)
    unbounded = [loop for loop in loops if is_open(loop)]
    if not is_first(mentioned, context):
        yield Quiet(subject(mentioned.text), "another sentence of this text says so, too")
    elif any(tool.waits for tool in mentioned.tools) or _is_about_polling(mentioned, context):
        yield Quiet(subject(mentioned.text), "it keeps the model from polling, as it should")
    elif loops and not unbounded:
        yield Quiet(subject(mentioned.text), f"code bounds the loop, or may: {loops[0].steps.how}")
    elif unbounded:
        yield context.finding(
            mentioned.place,
            f"{mentioned.intent.reason}, and nothing in the code holds the model to it: {unbounded[0].steps.how}",
            help=_help(unbounded[0]),
            scope=scope(mentioned.text),
            confidence=Confidence(mentioned.intent.confidence),
            evidence=[
                *others(mentioned, context),
                *(Evidence(loop.place, "the loop has no cap") for loop in unbounded[:1]),
            ],
        )
    elif counted := context.project.counts_beside(mentioned.text.path):
        yield Quiet(subject(mentioned.text), f"code beside it may hold it: {context.project.where(counted.place)}")
    else:
        yield context.finding(
            mentioned.place,
            f"{mentioned.intent.reason}: words do not stop a model that goes in circles",
            help="Make sure that the code which runs the model counts its steps, such as `max_steps=25`: words don't.",
            scope=scope(mentioned.text),
            confidence=Confidence(mentioned.intent.confidence),
            severity=Severity.ADVICE,
            evidence=others(mentioned, context),
        )


def _is_about_polling(mentioned: Mentioned, context: Context) -> bool:
    """Whether the sentences around it keep the model from polling: then so does this one."""
    span = mentioned.intent.span
    beside = said(mentioned.text, context, "forbids-polling", "call-once")
    return any(one.intent.span.end <= span.start or span.end <= one.intent.span.start for one in beside)


def _help(loop: AgentLoop) -> str:
    if loop.option is not None:
        code = f"`{written(loop.option)}` for `{shortened(loop.excerpt)}`"
    else:
        code = f"`{counted(loop.place.path)}` in place of `{shortened(loop.excerpt)}`"
    return f"Keep the words if they help, and count in code, {code}: that ends the run whatever the model does."
