"""`loop/single-read-status`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from waitlint.context import Context
from waitlint.finding import Because, Confidence, Evidence, Finding, Place, Quiet, Severity
from waitlint.linked import Read, Tool, ToolText
from waitlint.rule import rule
from waitlint_rules.bounding import fitting
from waitlint_rules.jobs import ENDING, STARTING, resumes_by_polling
from waitlint_rules.sketches import waiting
from waitlint_rules.wording import loops_in_place_of_model, shares_id, words_of

LONGEST_CODE = 80
UNFINISHED = re.compile(
    r"in[ _-]?progress|pending|running|queued|processing|building|deploying|not[ _-](?:yet|ready|finished|done)|"
    r"still |starting|provisioning|creating|unfinished|incomplete|waiting",
    re.IGNORECASE,
)
QUOTED_UNFINISHED = re.compile(rf"[\"'`]({UNFINISHED.pattern})[\"'`]", re.IGNORECASE)
STILL = re.compile(
    r"still (?:\w+ing|pending|queued|in progress|underway|active|busy|not \w+)|in progress|"
    r"not (?:yet |)(?:ready|finished|done|complete\w*)",
    re.IGNORECASE,
)
UNFINISHED_IF = re.compile(
    rf"\b(?:task|job|run|build|work|it|operation|generation|process)\w* (?:is|are) (?:still )?({UNFINISHED.pattern}) "
    r"(?:if|when|while|as long as)\b",
    re.IGNORECASE,
)
HINTS = re.compile(
    r"\b(?:status|state) and progress\b|\bprogress(?: of\b|:)|\bpercent(?:age)? (?:complete|done|finished)|"
    r"\b(?:used?|call(?:ed)?|meant) to poll\b",
    re.IGNORECASE,
)
CHECKS = re.compile(
    r"\b(?:check|monitor|track|see)(?:s|ing)? (?:on )?(?:the |its )?(?:current )?(?:status|progress) of\b",
    re.IGNORECASE,
)
ONE_OF = frozenset({"get", "describe", "show", "view", "retrieve", "fetch", "read", "query", "lookup"})
LOOKS = re.compile(r"(?:get|describe|check|retrieve|fetch|query)(?:_\w|[A-Z])")
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
STATE = r"[\"'`]?[a-z][a-z_ -]{1,24}[\"'`]?"
ENUMERATION = re.compile(rf"((?:{STATE}, ){{1,8}}{STATE},? or {STATE})", re.IGNORECASE)
FINAL = frozenset(
    [
        "done",
        "finished",
        "complete",
        "completed",
        "success",
        "succeeded",
        "successful",
        "failed",
        "failure",
        "error",
        "errored",
        "delivered",
        "paid",
        "returned",
        "refunded",
        "cancelled",
        "canceled",
        "closed",
        "ready",
        "abandoned",
        "expired",
        "rejected",
        "approved",
        "printed",
        "published",
        "live",
        "stopped",
        "passed",
        "resolved",
    ]
)
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
    starts = [other for other in others if shares_id(other.gives, tool.takes)]
    sent = _sent_here(tool, others)
    silent = _silent_because(tool, starts, sent)
    if silent is not None:
        yield silent
        return
    unfinished = _unfinished(tool) or _written_unfinished(tool, sent, context)
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
        help=_instead(tool, unfinished, context),
        scope=tool.name,
        excerpt=tool.name,
        tools=(tool.name,),
        confidence=_confidence(tool, bool(starts)),
        evidence=evidence,
    )


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
    if set(words_of(tool.name)[:1]) & (STARTING | ENDING) and not words & ASKING_WORDS:
        return Quiet(tool.name, "it starts or ends work, and asks for no state")
    asks = bool(words & ASKING_WORDS) or _says_to_check(tool)
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


def _speaks_of_checking(tool: Tool) -> bool:
    return tool.description is not None and bool(CHECKS.search(tool.description.text.value))


def _sent_here(tool: Tool, others: list[Tool]) -> list[Sent]:
    """Where the words of tools that hand out the ID name this one, or others do so for a look at how work is doing."""
    found: list[Sent] = []
    name = re.compile(rf"(?<!\w){re.escape(tool.name)}(?!\w)")
    for other in others if tool.takes else ():
        for text in (other.description, *other.texts):
            value = text.text.value if text is not None else ""
            if text is None or tool.name not in value:
                continue
            for match in name.finditer(value):
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


def _unfinished(tool: Tool) -> str:
    """The state by which the tool says that the work is not done."""
    for state in tool.returns_states:
        if UNFINISHED.search(state):
            return state
    for answer in tool.answers:
        found = STILL.search(answer)
        if found:
            return found.group(0)
    for text in (tool.description, *tool.texts):
        if text is not None:
            for intent in text.text.intents:
                for state in intent.states:
                    if UNFINISHED.fullmatch(state) or UNFINISHED.search(state):
                        return state
    if tool.description is None:
        return ""
    said = tool.description.text.value
    found = QUOTED_UNFINISHED.search(said) or UNFINISHED_IF.search(said)
    return found.group(1) if found else _unfinished_of_several(said)


def _hinted(tool: Tool) -> str:
    """The words by which a tool that takes an ID lets on that its work may not be done, though it names no state."""
    texts = [*tool.answers, *([tool.description.text.value] if tool.description is not None else [])]
    found = next(filter(None, map(HINTS.search, texts)), None) if tool.takes else None
    return f"says “{found.group(0)}”" if found is not None else ""


def _unfinished_of_several(said: str) -> str:
    """The first state that is not final, where a description lists states and one of them is."""
    for found in ENUMERATION.finditer(said):
        states = [part.strip(" \"'`") for part in re.split(r",| or ", found.group(1)) if part.strip(" \"'`")]
        states = [state.rpartition(" is ")[2].strip() for state in states]
        final = [state for state in states if state.split()[-1].lower() in FINAL]
        unfinished = [state for state in states if state not in final and len(state.split()) <= 3]
        if final and unfinished:
            return unfinished[0]
    return ""


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


def _instead(tool: Tool, unfinished: str, context: Context) -> str:
    """What to write, in the tool's own names, with the code below where its read is in view."""
    seconds = fitting(context.settings)
    read = next(iter(tool.reads), None)
    calls = dict.fromkeys(_call_in_body(tool, one) for one in tool.reads)
    codes = [" ".join(context.project.excerpt(place).split()) for place in calls]
    code = next((code for code in codes if not code.endswith("()")), next(iter(codes), ""))
    until = f"the state is no longer “{unfinished}”" if unfinished else "the work is over"
    ends = f"until {until} or {seconds:.0f} s are over; the last state is the result, and the description says so"
    if read is None or not code or len(code) > LONGEST_CODE:
        return f"Poll inside the tool, with a pause between, {ends}: “Waits up to {seconds:.0f} s for the result.”"
    lines = waiting(tool, code, _test(tool, unfinished, context), seconds)
    return "\n".join([f"Let `{tool.name}` repeat `{code}`, with a pause between, {ends}:", *lines])


def _call_in_body(tool: Tool, read: Read) -> Place:
    """What the tool's own body calls to read; above that are only the decorators around it."""
    body = tool.handler
    own = (
        place
        for place in read.callers
        if body is not None
        and place.path == body.path
        and body.span.start <= place.span.start
        and place.span.end <= body.span.end
    )
    return next(own, read.callers[0] if read.callers else read.place)


def _test(tool: Tool, unfinished: str, context: Context) -> tuple[str, str]:
    """The field that holds the state and the state of unfinished work, as far as they are known."""
    paths = dict.fromkeys((tool.place.path, *(read.place.path for read in tool.reads)))
    known = [one for one in context.project.states_seen_from(tuple(paths)) if unfinished in one.states]
    field = known[0].name if len(known) == 1 and known[0].name.isidentifier() and known[0].name.islower() else ""
    return field, unfinished


def _confidence(tool: Tool, is_started_here: bool) -> Confidence:
    if tool.confidence == "high" and (tool.takes or is_started_here):
        return Confidence.HIGH
    return Confidence.MEDIUM
