"""`tell/silent-prompt`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from waitlint.context import Context
from waitlint.finding import Confidence, Evidence, Finding, Quiet, Severity
from waitlint.fix import Applicability, Repair
from waitlint.linked import ToolText, Wait
from waitlint.rule import rule
from waitlint_rules.certain import bounds_whole_tool, is_always_passed, only_after_failure, verb
from waitlint_rules.telling import can_be_rewritten, is_shared_limit, replacing
from waitlint_rules.wording import RUNNER_LIMIT, in_seconds, is_for_a_person, is_runner, longest, waits_for_state

ROLES = frozenset({"prompt", "document", "server-instructions"})
SAYS_IT = frozenset(
    {
        "waits",
        "call-once",
        "call-again-if-unfinished",
        "forbids-polling",
        "long-job",
        "notified",
        "poll",
        "model-sleeps",
    }
)
EXPLAINS = re.compile(
    r"\b(?:call|use|run|invoke|ask|check|to see|when|whenever|after|before|once|then)\b", re.IGNORECASE
)
# What a thing is done with stands behind these words; elsewhere in a line they say nothing of the tool.
BY_IT = re.compile(r"\b(?:with|via|through)(?:\s+(?:the|tool))*\s*\Z", re.IGNORECASE)
NOT_TO_USE = re.compile(r"\b(?:do not|don't|never|avoid|instead of)\b", re.IGNORECASE)
LONG_ENOUGH = 5.0
QUOTED = re.compile(r"(?<=[`\"'])([^\s`\"']{1,120})(?=[`\"'])")
OWNER = re.compile(r"\A[\w-]+[.:]")


@rule(subject="ToolText", severity=Severity.ADVICE, rules=("R4",), checklist=("C5",), fixes="unsafe")
def check(text: ToolText, context: Context) -> Iterator[Finding | Quiet]:
    """A prompt explains when to use a tool that waits, and not that it waits or that one call is enough."""
    if text.text.role not in ROLES or text.owner:
        return
    said = [mentioned for mentioned in context.project.mentions_in(text) if mentioned.intent.kind in SAYS_IT]
    quoted = _quoted(text.text.value)
    for tool in context.project.tools_beside(text.path) if quoted else ():
        if tool.name not in quoted:
            continue
        found = [wait for wait in waits_for_state(tool) if _is_worth_telling(wait) and not only_after_failure(wait)]
        waits = [wait for wait in found if not is_shared_limit(wait, context)]
        sentence = _explained(text.text.value, quoted[tool.name]) if waits else None
        if sentence is None or is_runner(tool) or is_for_a_person(tool):
            continue
        if tool not in context.project.tools_named(tool.name, text.path):
            yield Quiet(tool.name, "its name can mean another tool here")
        elif any(not mentioned.tools or tool in mentioned.tools for mentioned in said):
            yield Quiet(tool.name, "the text says that it waits, or how often to call it")
        else:
            start, end = sentence
            wait = longest(waits)
            lasts = f" for up to {in_seconds(wait.cap.value)}" if bounds_whole_tool(tool, wait) else ""
            yield context.finding(
                text.place(start, end),
                f"this text says when to use `{tool.name}`, and not that it {verb(wait)}{lasts} by itself",
                help=f"Add: “`{tool.name}` {verb(wait)}{lasts}, so one call is enough.”",
                scope=text.text.key,
                excerpt=text.text.value[start:end],
                tools=(tool.name,),
                confidence=Confidence.MEDIUM,
                evidence=[Evidence(wait.place, f"`{tool.name}` waits here: {wait.cap.how}")],
                repair=_repair(text, end, tool.name, lasts) if is_always_passed(wait) else None,
            )


def _is_worth_telling(wait: Wait) -> bool:
    """Whether a wait is long; the cap of a single call, or around one, says nothing of how long that usually takes."""
    least = RUNNER_LIMIT if wait.kind == "call" else LONG_ENOUGH
    return not wait.is_guard and (not wait.cap.known or wait.cap.value >= least)


def _quoted(value: str) -> dict[str, list[tuple[int, int]]]:
    """Where what stands in quotes, with and without what it is of: `kiln.heat()` may be the tool `heat`."""
    found: dict[str, list[tuple[int, int]]] = {}
    for match in QUOTED.finditer(value):
        name = match.group(1).removesuffix("()")
        for one in dict.fromkeys((name, OWNER.sub("", name))):
            found.setdefault(one, []).append((match.start() - 1, match.end() + 1))
    return found


def _explained(value: str, places: Iterable[tuple[int, int]]) -> tuple[int, int] | None:
    """The first of the places where a tool is named whose line tells when or how to use it."""
    for start, end in places:
        before = value[value.rfind("\n", 0, start) + 1 : start]
        line = before + value[start : (value + "\n").index("\n", end)]
        if (EXPLAINS.search(line) or BY_IT.search(before)) and not NOT_TO_USE.search(line):
            return start, end
    return None


def _repair(text: ToolText, named: int, name: str, lasts: str) -> Repair | None:
    """A sentence at the end of the paragraph or item that names the tool, where that is no code."""
    value = text.text.value
    block_end = re.compile(r"\n[ \t]*(?:\n|[-*•#|]|\d+[.)] )|\n?\Z").search(value, named)
    block = value[named : block_end.start() if block_end else len(value)].rstrip()
    if not can_be_rewritten(text) or not block.endswith((".", "!", "?")) or value[:named].count("```") % 2:
        return None
    at, stop = named + len(block), block[-1]
    change = replacing(text, at - 1, at, f"{stop} `{name}` waits{lasts}, so one call is enough.")
    return Repair("say that the tool waits", Applicability.UNSAFE, (change,))
