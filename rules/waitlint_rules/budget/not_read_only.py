"""`budget/not-read-only`."""

from __future__ import annotations

from collections.abc import Iterator

from waitlint.context import Context
from waitlint.finding import Confidence, Finding, Quiet, Severity
from waitlint.linked import Tool
from waitlint.rule import rule
from waitlint_rules.wording import is_python, shortened


@rule(subject="Tool", severity=Severity.WARNING, seeds=(2,), fixes="")
def check(tool: Tool, context: Context) -> Iterator[Finding | Quiet]:
    """A tool that is declared to only read writes, deletes or replaces something."""
    said = context.project.said_to_read(tool)
    if said is None:
        return
    written = context.project.writes(tool)
    if written is None:
        yield Quiet(tool.name, "no write is seen in its code")
        return
    yield context.finding(
        said.place,
        f"{said.message}, and {written.message}: clients run such tools without asking",
        help=_help(tool, context.project.excerpt(written.place)),
        scope=tool.name,
        tools=(tool.name,),
        confidence=Confidence(tool.confidence),
        evidence=(written,),
    )


def _help(tool: Tool, write: str) -> str:
    hint = "readOnlyHint=False" if is_python(tool.place.path) else "readOnlyHint: false"
    return f"Say `{hint}` of `{tool.name}`, or take `{shortened(write)}` into a tool of its own."
