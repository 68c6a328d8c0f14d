"""`job/poll-only-resume`."""

from __future__ import annotations

from collections.abc import Iterator

from waitlint.context import Context
from waitlint.finding import Confidence, Evidence, Finding, Quiet, Severity
from waitlint.linked import Tool
from waitlint.rule import rule
from waitlint_rules.jobs import resumes_by_polling


@rule(subject="Tool", severity=Severity.WARNING, rules=("R5",), checklist=("C6",), fixes="")
def check(tool: Tool, context: Context) -> Iterator[Finding | Quiet]:
    """A tool starts work of minutes and hands out an ID, and polling is the only way on that anything names."""
    resume = resumes_by_polling(tool, context)
    if resume is None:
        yield Quiet(tool.name, "it is not known to start long work that a model can only poll for")
        return
    status = resume.status
    again = f"ask `{status.name}` again" if status is not None else "read its resource again and again"
    polls = f": “{resume.polls}”" if resume.polls else ""
    asked = f"; call `{status.name}` only then" if status is not None else ""
    yield context.finding(
        tool.place,
        f"the work takes minutes ({resume.said}), and the only way back to it is to {again}{polls}",
        help=(
            "Let an event resume the turn: a webhook, a notification or a message into the conversation. Then write: "
            f"“You will be told when it is over{asked}.”"
        ),
        scope=tool.name,
        excerpt=tool.name,
        tools=(tool.name, *([status.name] if status is not None else [])),
        severity=Severity.ADVICE if resume.callback else None,
        confidence=Confidence.HIGH if resume.polls and tool.confidence == "high" else Confidence.MEDIUM,
        evidence=[
            *([Evidence(status.place, f"`{status.name}` looks once")] if status is not None else []),
            *([Evidence(p.place, f"`{p.name}` could say it") for p in tool.parameters if p.name == resume.callback]),
        ],
    )
