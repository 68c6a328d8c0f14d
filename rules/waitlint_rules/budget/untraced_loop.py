"""`budget/untraced-loop`."""

from __future__ import annotations

from collections.abc import Iterator

from waitlint.context import Context
from waitlint.finding import Confidence, Evidence, Finding, Quiet, Severity
from waitlint.linked import AgentLoop
from waitlint.rule import rule


@rule(subject="AgentLoop", severity=Severity.ADVICE, seeds=(2,), fixes="")
def check(loop: AgentLoop, context: Context) -> Iterator[Finding | Quiet]:
    """The trail of a loop that runs tools leaves out which tool ran, with what, what came back, or how long it took."""
    if loop.kind != "loop" or not loop.dispatches:
        return
    trail = loop.trail
    parts = {
        "the tool": trail.tool,
        "its inputs": trail.inputs,
        "what came back": trail.observation,
        "the time": trail.time,
    }
    missing = [name for name, answer in parts.items() if answer.no]
    kept = [answer for answer in parts.values() if answer.yes]
    if not missing:
        yield Quiet(loop.excerpt, trail.tool.how or "what it leaves behind is not in view")
        return
    what = "no trail of its calls" if not kept else f"a trail without {' and '.join(missing)}"
    yield context.finding(
        loop.place,
        f"this loop leaves {what}: when a run fails, nobody can tell why",
        help="Record for each call the tool, its inputs, what came back and the time it took, redacted and cut short.",
        scope=loop.scope,
        excerpt=loop.excerpt,
        confidence=Confidence.MEDIUM,
        evidence=(Evidence(loop.dispatches[0].place, "a tool is run here"), *(kept[0].places if kept else ())),
    )
