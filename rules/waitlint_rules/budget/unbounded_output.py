"""`budget/unbounded-output`."""

from __future__ import annotations

from collections.abc import Iterator

from waitlint.context import Context
from waitlint.finding import Confidence, Evidence, Finding, Quiet, Severity
from waitlint.linked import AgentLoop, Tool
from waitlint.rule import rule
from waitlint_rules.sketches import cut


@rule(subject="AgentLoop | Tool", severity=Severity.ADVICE, seeds=(2,), fixes="")
def check(subject: AgentLoop | Tool, context: Context) -> Iterator[Finding | Quiet]:
    """What a tool gives goes to the model whole, however long it is."""
    if isinstance(subject, Tool):
        yield from _of_tool(subject, context)
    else:
        yield from _of_loop(subject, context)


def _of_tool(tool: Tool, context: Context) -> Iterator[Finding | Quiet]:
    whole = context.project.hands_whole(tool)
    if whole is None:
        yield Quiet(tool.name, "no whole file or page is seen to come back from it")
        return
    yield context.finding(
        whole.place,
        "this tool hands the model a whole file or page, however long it is",
        help=_help(context.project.excerpt(whole.place), whole.place.path),
        scope=tool.name,
        tools=(tool.name,),
        confidence=Confidence.MEDIUM,
    )


def _of_loop(loop: AgentLoop, context: Context) -> Iterator[Finding | Quiet]:
    if loop.kind != "loop" or not loop.dispatches:
        return
    if not loop.output.no:
        yield Quiet(loop.excerpt, loop.output.how or "what becomes of its tools' results is not in view")
        return
    home = loop.dispatches[0]
    yield context.finding(
        home.runs or home.place,
        "what this gives goes to the model whole: one long file or page fills its context, and each step pays for it",
        help=_help(context.project.excerpt(home.runs or home.place), home.place.path),
        scope=home.scope,
        confidence=Confidence.MEDIUM,
        evidence=(*loop.output.places[1:], Evidence(loop.place, "the loop that hands it on")),
    )


def _help(code: str, path: str) -> str:
    return f"Give the model `{cut(path, code)}` at most, and say in it that it was cut and how to read on."
