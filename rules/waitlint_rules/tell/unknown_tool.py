"""`tell/unknown-tool`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from waitlint.context import Context
from waitlint.finding import Confidence, Evidence, Finding, Quiet, Severity
from waitlint.fix import Applicability, Repair
from waitlint.linked import Tool, ToolText
from waitlint.names import words_of
from waitlint.prose import near_name, same_name
from waitlint.rule import rule
from waitlint_rules.telling import can_be_rewritten, replacing_all

QUOTED = re.compile(r"[`\"'](?P<name>[A-Za-z][\w.-]{4,60})(?:\(\))?(?=[`\"'])")
SENDS = re.compile(
    r"\b(?:call|calls|calling|use|uses|using|run|invoke|poll|via|with|through|ask)(?: the| its)? \Z", re.IGNORECASE
)
LONGEST_BEFORE = 16
IS_A_TOOL = re.compile(r". tool\b", re.IGNORECASE | re.DOTALL)
SLIP = 0.7
OPPOSITES = frozenset(
    frozenset(pair)
    for pair in (
        ("start", "stop"),
        ("create", "delete"),
        ("get", "set"),
        ("get", "list"),
        ("open", "close"),
        ("add", "remove"),
        ("enable", "disable"),
        ("lock", "unlock"),
        ("upload", "download"),
        ("import", "export"),
        ("push", "pull"),
        ("read", "write"),
        ("encode", "decode"),
        ("insert", "delete"),
        ("mount", "unmount"),
        ("subscribe", "unsubscribe"),
        ("before", "after"),
        ("input", "output"),
        ("source", "target"),
    )
)


@rule(subject="ToolText", severity=Severity.ADVICE, rules=("R4",), checklist=("C5",), fixes="unsafe")
def check(text: ToolText, context: Context) -> Iterator[Finding | Quiet]:
    """Words send the model to a tool that the repository does not define, by a near miss of one that it does."""
    tools = context.project.tools_beside(text.path)
    if not tools:
        yield Quiet(text.owner or text.path, "no tool is defined beside it")
        return
    names: tuple[str, ...] = ()
    seen: set[str] = set()
    for found in _sent(text.text.value):
        written = found["name"]
        if written in seen or context.project.defines_tool(written):
            continue
        seen.add(written)
        names = names or tuple(dict.fromkeys(tool.name for tool in tools))
        meant = near_name(written, names)
        if meant is None or not _is_slip(written, meant) or _is_argument(written, tools):
            yield Quiet(written, "it is not near enough to a tool's name to be meant for one")
            continue
        place = text.place(*found.span("name"))
        tool = next(tool for tool in tools if tool.name == meant)
        yield context.finding(
            place,
            f"no tool is called `{written}`: `{meant}` may be meant",
            help=f"Write `{meant}`, or name the server that `{written}` is a tool of.",
            scope=text.owner or text.text.key,
            excerpt=written,
            tools=(meant,),
            confidence=Confidence.MEDIUM,
            evidence=[Evidence(tool.place, f"`{meant}` is defined here")],
            repair=_repair(text, written, meant),
        )


def _sent(words: str) -> Iterator[re.Match[str]]:
    """The quoted names that words send the model to, or call a tool: "use the `name`", "the 'name' tool"."""
    behind = 0
    for found in QUOTED.finditer(words):
        start, end = found.span()
        if start < behind:
            continue
        ticks = words[start] == words[end] == "`"
        if (ticks and SENDS.search(words[max(0, start - LONGEST_BEFORE) : start])) or IS_A_TOOL.match(words, end):
            behind = end + 1
            yield found


def _is_slip(written: str, meant: str) -> bool:
    """Whether two names differ as slips do: in one word that is written alike, or in a word too many or too few."""
    ours, theirs = words_of(written), words_of(meant)
    if len(ours) == len(theirs):
        different = [(a, b) for a, b in zip(ours, theirs, strict=True) if a != b]
        if len(different) != 1 or frozenset(different[0]) in OPPOSITES:
            return False
        return SequenceMatcher(None, *different[0]).ratio() >= SLIP
    short, long = sorted((ours, theirs), key=len)
    return len(long) - len(short) == 1 and any(short == (*long[:at], *long[at + 1 :]) for at in range(len(long)))


def _is_argument(written: str, tools: Sequence[Tool]) -> bool:
    """Whether a name is an argument of a tool: then it is no tool."""
    return any(same_name(written, parameter.name) for tool in tools for parameter in tool.parameters)


def _repair(text: ToolText, written: str, meant: str) -> Repair | None:
    """The right name wherever the text has the wrong one as a word of its own."""
    if not can_be_rewritten(text):
        return None
    found = re.finditer(rf"(?<![\w.-]){re.escape(written)}(?![\w-])", text.text.value)
    changes = replacing_all(text, [match.span() for match in found], meant)
    return Repair("name the tool that is defined", Applicability.UNSAFE, changes)
