"""`loop/single-read-status`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from waitlint.context import Context
from waitlint.finding import Because, Confidence, Evidence, Finding, Quiet, Severity
from waitlint.linked import Tool, ToolText
from waitlint.names import words_of
from waitlint.rule import rule
from waitlint_rules.jobs import ENDING, STARTING, resumes_by_polling
from waitlint_rules.owning import UNFINISHED, own_loop, unfinished_state
from waitlint_rules.wording import loops_in_place_of_model, shares_id

HINTS = re.compile(
    r"\b(?:status|state) and progress\b|\bprogress(?: of\b|:)|\bpercent(?:age)? (?:complete|done|finished)|"
    r"\b(?:used?|call(?:ed)?|meant) to poll\b",
    re.IGNORECASE,
)
CHECKS = re.compile(
    r"\b(?:check|monitor|track|see)(?:s|ing)? (?:on )?(?:the |its )?(?:current )?(?:status|progress) of\b",
    re.IGNORECASE,
)
# "Check if content has completed asynchronous ingestion", "whether the export is done or not".
IF_OVER = re.compile(
    r"\b(?:check(?:s|ing)?|returns?|tells?|says?) (?:if|whether) [^.\n]{0,60}?\b(?:has|have|is|are) (?:been )?"
    r"(?:done|complete|completed|finished|processed|ingested|indexed|rendered|exported|imported)\b",
    re.IGNORECASE,
)
OF_WORK = re.compile(
    r"asynchron|\basync\b|background|ingest|process|\bjobs?\b|\btasks?\b|\bruns?\b|\bbuilds?\b|generat|export|import|render|"
    r"index|crawl|\bscans?\b|transcri|upload|deploy|migrat|training",
    re.IGNORECASE,
)
ONE_OF = frozenset({"get", "describe", "show", "view", "retrieve", "fetch", "read", "query", "lookup"})
LOOKS = re.compile(
    r"(?:get|describe|check|retrieve|fetch|query)(?:_\w|[A-Z])|(?:is|has)(?:_\w+_|[A-Z]\w*?)(?:done|complete|finished|ready)",
    re.IGNORECASE,
)
TO_CHECK = re.compile(
    r"[`\"']?(?:\([^)\n]{0,60}\))?[`\"']? (?:tool )?(?:to|for) (?:check|see|poll|monitor|track)", re.IGNORECASE
)
CHECK_WITH = re.compile(
    r"\b(?:check|poll|monitor|track)(?:ing)?\b[^.\n]{0,40}\b(?:with|using|via|through|by calling) [`\"']?$",
    re.IGNORECASE,
)
CAPITALS = re.compile(r"\b[A-Z][A-Z_]{3,}\b")
NEAR = 80
AROUND = 200
LISTING = frozenset({"list", "search", "find"})
FEW = 2
ASKING_WORDS = frozenset({"status", "check", "progress", "poll", "state", "result", "results", "query"})
NOT_A_JOB = frozenset(
    {
        "health",
        "config",
        "configuration",
        "settings",
        "setting",
        "version",
        "auth",
        "login",
        "account",
        "order",
        "quota",
        "balance",
        "permission",
        "permissions",
        "connection",
        "availability",
        "user",
        "git",
        "cache",
    }
)


class Sent(NamedTuple):
    """Where another tool's words send the model to this one; `checks` where that is for a look at how work is doing."""

    by: Tool
    text: ToolText
    start: int
    end: int
    checks: bool


@rule(subject="Tool", severity=Severity.WARNING, rules=("R1",), checklist=("C1",), fixes="")
def check(tool: Tool, context: Context) -> Iterator[Finding | Quiet]:
    """A status tool reads once and can answer “not yet”, and no tool waits for it."""
    beside = context.project.tools_beside(tool.place.path)
    others = [other for other in beside if other is not tool]
    starts = _starts_of(tool, others)
    sent = _sent_here(tool, others)
    silent = _silent_because(tool, starts, sent)
    if silent is not None:
        yield silent
        return
    unfinished = unfinished_state(tool) or _written_unfinished(tool, sent, context)
    said = f"can answer “{unfinished}”" if unfinished else _hinted(tool)
    if not said:
        yield Quiet(tool.name, "it is not known to answer that something is unfinished", Because.UNKNOWN)
        return
    waiting = [other for other in others if loops_in_place_of_model(other) and serves(other, tool)]
    if waiting:
        yield Quiet(tool.name, f"`{waiting[0].name}` waits for the same thing", Because.MET)
        return
    carries = [start for start in starts if (found := resumes_by_polling(start, context)) and found.status is tool]
    if carries:
        yield Quiet(tool.name, f"`{carries[0].name}` starts a long job: job/poll-only-resume speaks of that")
        return
    evidence = [Evidence(read.place, "its only read") for read in tool.reads[:1]]
    evidence.extend(Evidence(start.place, f"`{start.name}` hands out the ID") for start in starts[:2])
    evidence.extend(Evidence(one.text.place(one.start, one.end), f"`{one.by.name}` sends here") for one in sent[:2])
    yield context.finding(
        tool.place,
        f"the tool reads the state once and {said}: all that a model can do then is to ask again",
        help=own_loop(tool, unfinished, context),
        scope=tool.name,
        excerpt=tool.name,
        tools=(tool.name,),
        confidence=_confidence(tool, bool(starts)),
        evidence=evidence,
    )


def _starts_of(tool: Tool, others: list[Tool]) -> list[Tool]:
    """The tools that hand out the ID. Of many that hand out just an `id`, none does unless its name speaks of it."""
    found = [other for other in others if shares_id(other.gives, tool.takes)]
    if len(found) <= FEW:
        return found
    nouns = {word for key in tool.takes for word in words_of(key)} - {"id", "ids"}
    return [
        other for other in found if nouns & {*words_of(other.name), *(w for key in other.gives for w in words_of(key))}
    ]


def _silent_because(tool: Tool, starts: list[Tool], sent: list[Sent]) -> Quiet | None:
    if not tool.body or not tool.understood:
        return Quiet(tool.name, "its code is not in view", Because.UNKNOWN)
    if loops_in_place_of_model(tool):
        return Quiet(tool.name, "it waits", Because.MET)
    if any(not wait.cap.known for wait in tool.waits):
        return Quiet(tool.name, "it may wait inside a call", Because.UNKNOWN)
    if any(read.asked_again for read in tool.reads):
        return Quiet(tool.name, "it may read again, by what its read says", Because.UNKNOWN)
    words = set(words_of(tool.name))
    if words & NOT_A_JOB:
        return Quiet(tool.name, "it asks for something that is no job")
    if words & LISTING and not words & {"status", "progress"}:
        return Quiet(tool.name, "it lists what there is")
    if set(words_of(tool.name)[:1]) & (STARTING | ENDING) and not words & ASKING_WORDS:
        return Quiet(tool.name, "it starts or ends work, and asks for no state")
    asks = bool(words & ASKING_WORDS) or _says_to_check(tool) or _asks_if_over(tool) is not None
    asks = asks or (bool(words & ONE_OF) and (any(one.checks for one in sent) or _speaks_of_checking(tool)))
    if not asks:
        return Quiet(tool.name, "it does not ask for the state of work")
    is_kept = bool(starts) and not tool.unknown and "status" in words
    if not tool.reads and not is_kept and not _says_to_ask_again(tool) and not _asks_once(tool):
        return Quiet(tool.name, "what it reads is not in view", Because.UNKNOWN)
    return None


def _says_to_check(tool: Tool) -> bool:
    return any(
        intent.kind in ("only-checks", "poll")
        for text in (tool.description, *tool.texts)
        if text
        for intent in text.text.intents
    )


def _asks_if_over(tool: Tool) -> re.Match[str] | None:
    """Where a description says that the tool tells whether work that takes its time is over."""
    said = tool.description.text.value if tool.description is not None else ""
    return IF_OVER.search(said) if OF_WORK.search(said) else None


def _speaks_of_checking(tool: Tool) -> bool:
    return tool.description is not None and bool(CHECKS.search(tool.description.text.value))


def _sent_here(tool: Tool, others: list[Tool]) -> list[Sent]:
    """Where the words of tools that hand out the ID name this one, or others do so for a look at how work is doing."""
    found: list[Sent] = []
    name = rf"(?<!\w){re.escape(tool.name)}(?!\w)"
    for other in others if tool.takes else ():
        for text in (other.description, *other.texts):
            value = text.text.value if text is not None else ""
            if text is None or tool.name not in value:
                continue
            for match in re.finditer(name, value):
                before = value[max(0, match.start() - NEAR) : match.start()]
                checks = bool(TO_CHECK.match(value, match.end()) or CHECK_WITH.search(before))
                if checks or shares_id(other.gives, tool.takes):
                    found.append(Sent(other, text, match.start(), match.end(), checks))
    return found


def _written_unfinished(tool: Tool, sent: list[Sent], context: Context) -> str:
    """A state before the end, in the words that send the model here or in what the file of the tool writes down."""
    for one in sent:
        value = one.text.text.value
        around = value[max(0, one.start - AROUND) : one.end + AROUND]
        found = next((word for word in CAPITALS.findall(around) if UNFINISHED.fullmatch(word)), "")
        if found:
            return found
    if tool.reads or tool.handler is None or "status" not in words_of(tool.name):
        return ""
    return next(filter(UNFINISHED.fullmatch, sorted(context.project.states_in(tool.handler.path))), "")


def _hinted(tool: Tool) -> str:
    """The words by which a tool that takes an ID lets on that its work may not be done, though it names no state."""
    texts = [*tool.answers, *([tool.description.text.value] if tool.description is not None else [])]
    found = (next(filter(None, map(HINTS.search, texts)), None) or _asks_if_over(tool)) if tool.takes else None
    return f"says “{found.group(0)}”" if found is not None else ""


def _asks_once(tool: Tool) -> bool:
    """Whether the tool calls something that is not in view and that looks for a state, by its name."""
    return any(LOOKS.match(name.rpartition(".")[2]) for name in tool.unknown)


def _says_to_ask_again(tool: Tool) -> bool:
    texts = [text for text in (tool.description, *tool.texts) if text is not None]
    return any(intent.kind == "poll" for text in texts for intent in text.text.intents)


def serves(other: Tool, tool: Tool) -> bool:
    """Whether a tool that waits waits for what the status tool asks about: it takes the same ID.

    One that only hands the ID out waits for nothing that was started before.
    """
    if not tool.takes:
        return bool(set(words_of(other.name)) & (set(words_of(tool.name)) - ASKING_WORDS - {"get", "the"}))
    return shares_id(other.takes, tool.takes)


def _confidence(tool: Tool, is_started_here: bool) -> Confidence:
    if tool.confidence == "high" and (tool.takes or is_started_here):
        return Confidence.HIGH
    return Confidence.MEDIUM
