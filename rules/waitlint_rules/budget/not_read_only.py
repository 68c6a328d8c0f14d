"""`budget/not-read-only`."""

from __future__ import annotations

from collections.abc import Iterator

from waitlint.context import Context
from waitlint.finding import Confidence, Evidence, Finding, Quiet, Severity
from waitlint.linked import AgentLoop, Tool, ToolText
from waitlint.rule import rule
from waitlint_rules.wording import is_python, shortened

MANY = 4


@rule(subject="AgentLoop | Tool | ToolText", severity=Severity.WARNING, seeds=(2,), fixes="")
def check(subject: AgentLoop | Tool | ToolText, context: Context) -> Iterator[Finding | Quiet]:
    """A tool or an agent that is declared to only read writes, deletes or replaces something."""
    match subject:
        case Tool():
            yield from _of_tool(subject, context)
        case AgentLoop():
            yield from _of_loop(subject, context)
        case ToolText():
            yield from _of_definition(subject, context)


def _of_tool(tool: Tool, context: Context) -> Iterator[Finding | Quiet]:
    said = context.project.said_to_read(tool)
    if said is None:
        return
    written = context.project.writes(tool)
    if written is None:
        yield Quiet(tool.name, "no write is seen in its code")
        return
    if _is_housekeeping(tool, written, context):
        yield Quiet(tool.name, "what so many tools that only read do is the server's own housekeeping")
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


def _is_housekeeping(tool: Tool, written: Evidence, context: Context) -> bool:
    """Whether a write far below is one that many tools come to which are all said to only read."""
    if written.place.path == tool.place.path:
        return False
    beside = context.project.tools_beside(tool.place.path)
    reading = (other for other in beside if context.project.said_to_read(other) is not None)
    writes = (context.project.writes(other) for other in reading)
    return sum(write is not None and write.place == written.place for write in writes) >= MANY


def _help(tool: Tool, write: str) -> str:
    hint = "readOnlyHint=False" if is_python(tool.place.path) else "readOnlyHint: false"
    return f"Say `{hint}` of `{tool.name}`, or take `{shortened(write)}` into a tool of its own."


def _instead(written: str) -> str:
    """What to give an agent in the place of what writes, whose code stands in the message."""
    code = written.partition("`")[2].partition("`")[0]
    if code == "Bash":
        return "Take `Bash` out of its tools, or limit it to the commands that it needs, as in `Bash(git log:*)`."
    return f"Take what does `{shortened(code)}` out of its tools: what is left can then only read."


def _of_loop(loop: AgentLoop, context: Context) -> Iterator[Finding | Quiet]:
    if not loop.only_reads:
        return
    said, *written = loop.only_reads
    if not written:
        yield Quiet(loop.excerpt, "no tool that it is given is seen to write")
        return
    yield from _of_agent(said, written[0], loop.scope, context, Evidence(loop.place, "it runs here"))


def _of_definition(text: ToolText, context: Context) -> Iterator[Finding | Quiet]:
    both = context.project.grants_writes(text)
    if both is not None:
        yield from _of_agent(*both, text.text.key, context)


def _of_agent(
    said: Evidence, written: Evidence, scope: str, context: Context, *further: Evidence
) -> Iterator[Finding | Quiet]:
    yield context.finding(
        said.place,
        f"the agent is told {said.message}, and {written.message}: only words keep it from that",
        help=_instead(written.message),
        scope=scope,
        confidence=Confidence.MEDIUM,
        evidence=(written, *further),
    )
