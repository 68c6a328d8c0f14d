"""`budget/untraced-loop`."""

from __future__ import annotations

from collections.abc import Iterator

from waitlint.context import Context
from waitlint.finding import Confidence, Evidence, Finding, Quiet, Severity
from waitlint.linked import AgentLoop
from waitlint.rule import rule
from waitlint_rules.wording import is_python, shortened


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
        help=_help(context.project.excerpt(loop.dispatches[0].place), loop.place.path),
        scope=loop.scope,
        excerpt=loop.excerpt,
        confidence=Confidence.MEDIUM,
        evidence=(Evidence(loop.dispatches[0].place, "a tool is run here"), *(kept[0].places if kept else ())),
    )


def _help(code: str, path: str) -> str:
    if is_python(path):
        line = 'log.info("%s %.300s -> %.300s in %.1f s", name, arguments, result, seconds)'
    else:
        line = "log.info({ tool, input: short(input), output: short(output), ms })"
    return f"After `{shortened(code)}` write `{line}`, with what is secret taken out."
