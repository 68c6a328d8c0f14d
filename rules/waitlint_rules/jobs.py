"""Which waits are jobs: minutes or hours of somebody's work, on which no tool call should block."""

from __future__ import annotations

import re

from msgspec import Struct

from waitlint.context import Context
from waitlint.facts import Intent
from waitlint.linked import Tool, ToolText, Wait
from waitlint.names import words_of
from waitlint.stating import work_limits
from waitlint_rules.wording import (
    how_known,
    in_seconds,
    is_for_a_person,
    is_runner,
    shares_id,
    stands_in_line,
    waits_for_state,
)

JOB_CAP = 300.0
A_MINUTE = 60.0
# Nobody who expects an answer within a minute looks for it at such intervals, in seconds.
SELDOM = 30.0
STARTING = frozenset(
    [
        "start",
        "create",
        "submit",
        "launch",
        "trigger",
        "run",
        "generate",
        "begin",
        "kick",
        "queue",
        "enqueue",
        "import",
        "export",
        "deploy",
        "build",
        "train",
        "scan",
        "render",
        "crawl",
        "request",
        "invoke",
        "execute",
        "process",
        "batch",
        "transcode",
        "schedule",
        "publish",
    ]
)
LOOKING = frozenset(
    [
        "list",
        "get",
        "describe",
        "search",
        "check",
        "status",
        "show",
        "read",
        "find",
        "wait",
        "poll",
        "fetch",
        "view",
        "query",
        "lookup",
    ]
)
ENDING = frozenset(
    [
        "stop",
        "cancel",
        "delete",
        "remove",
        "abort",
        "terminate",
        "kill",
        "pause",
        "update",
        "edit",
        "set",
        "close",
        "archive",
    ]
)
ASKING = frozenset(
    [
        "status",
        "check",
        "progress",
        "poll",
        "state",
        "result",
        "results",
        "job",
        "task",
        "run",
        "get",
        "fetch",
        "retrieve",
        "query",
    ]
)
CALLBACK = re.compile(r"web_?hook|call_?back|notif|on_?complet", re.IGNORECASE)
RESOURCE = re.compile(
    r"\bcheck (?:on )?(?:the )?(?:status|progress)[^.\n]{0,60}\b(?:resource\b[^.\n]{0,12}[a-z]{3,}://|(?!https?:)[a-z]{4,}://)",
    re.IGNORECASE,
)
SOME_MINUTES = re.compile(r"(?:\d+ ?(?:-|–|to) ?)?\d+ ?(?:minutes?|mins?|hours?|hrs?)\b", re.IGNORECASE)
MINUTES = re.compile(r"\b(?:minutes?|mins?|hours?|hrs?)\b", re.IGNORECASE)


def why_a_job(tool: Tool, wait: Wait, context: Context) -> str:
    """Why a wait of a tool is one for work of minutes or hours; "" if it is not known to be."""
    if wait.within is not None or wait.kind == "sleep" or stands_in_line(wait):
        return ""
    typical = context.settings.typical_duration.get(tool.name)
    if typical is not None:
        limit = context.settings.idle_limit.seconds
        return f"it usually takes {in_seconds(typical)}, as configured" if typical >= limit else ""
    if is_for_a_person(tool) or any(is_runner(other) for other in context.project.tools_reaching(wait.place)):
        return ""
    if wait.cap.known and wait.cap.value >= JOB_CAP:
        return f"it waits up to {in_seconds(wait.cap.value)}{how_known(wait.cap)}"
    said = None if _returns_at_once(tool) else says_minutes(tool)
    if wait.cap.known and wait.cap.value < context.settings.client_limit.seconds:
        return ""
    return f"its own words speak of “{said}”" if said is not None else _why_endless_is_long(tool, wait, context)


def _why_endless_is_long(tool: Tool, wait: Wait, context: Context) -> str:
    """Why a wait that code does not bound is one of minutes, by what bounds it from the outside."""
    if wait.cap.known or wait.of_command:
        return ""
    longest = next((said for said, seconds in work_limits(tool) if seconds >= JOB_CAP), "")
    if longest:
        return f"its own words let the work last so long: “{longest}”"
    client = context.settings.client_limit
    if wait.cap.absent and client.stated and client.seconds >= JOB_CAP:
        return f"its clients are told to wait up to {in_seconds(client.seconds)} for it ({client.hop})"
    return ""


def _returns_at_once(tool: Tool) -> bool:
    """Whether a tool says that it hands the work over to somebody else."""
    return any(intent.kind in ("starts", "hands-job-id") for text in _texts(tool) for intent in text.text.intents)


def says_minutes(tool: Tool) -> str | None:
    """The words by which a tool says that its work takes minutes or hours."""
    for text in (tool.description, *tool.texts):
        for intent in text.text.intents if text is not None else ():
            if text is not None and intent.kind == "long-job" and _is_minutes(text, intent):
                return words(text, intent)
    return None


def words(text: ToolText, intent: Intent) -> str:
    return " ".join(text.text.value[intent.span.start : intent.span.end].split())


def _is_minutes(text: ToolText, intent: Intent) -> bool:
    if intent.seconds is not None:
        return intent.seconds >= A_MINUTE
    return bool(MINUTES.search(words(text, intent)))


class Resume(Struct, frozen=True):
    """How a model gets back to work that a tool has started: by asking `status`, for as long as `said` says.

    `status` is None where it is a resource that the model reads. `polls` are the words that have it poll, "" where the
    tools alone leave it no other way.
    """

    status: Tool | None
    said: str
    polls: str
    callback: str


def resumes_by_polling(tool: Tool, context: Context) -> Resume | None:
    """How the model has to poll for the work that a tool starts; None if it need not, or that is not known."""
    if _waits_for_job(tool):
        return None
    if not _starts(tool):
        return _resumes_by_reading(tool)
    beside = [other for other in context.project.tools_beside(tool.place.path) if other.name != tool.name]
    if any(waits_for_state(other) and shares_id(tool.gives, other.takes) for other in beside):
        return None
    named = _named(tool, context)
    status = [other for other in beside if _is_status(other) and (shares_id(tool.gives, other.takes) or other in named)]
    if not status:
        return None
    if any(waits_for_state(other) for other in named) or _is_notified(tool) or any(map(_is_notified, status)):
        return None
    polls = next(filter(None, (_polls(text) for one in (tool, *status) for text in _texts(one))), "")
    callback = next((p.name for p in tool.parameters if CALLBACK.search(p.name)), "")
    if callback and not polls:
        return None
    said = _how_long(tool, status, context)
    return Resume(status[0], said, polls, callback) if said else None


def _resumes_by_reading(tool: Tool) -> Resume | None:
    """How the model has to read a resource for the work that a tool starts, as the tool's own answer has it."""
    if not _sets_going(tool) or _is_notified(tool) or not any(RESOURCE.search(answer) for answer in tool.answers):
        return None
    said = says_minutes(tool)
    if said is None:
        return None
    polls = next(found[0] for answer in tool.answers if (found := RESOURCE.search(answer)))
    return Resume(None, f"its words speak of “{said}”", " ".join(polls.split()), "")


def _sets_going(tool: Tool) -> bool:
    """Whether a tool starts work, by its name or its words."""
    name = set(words_of(tool.name))
    if name & (LOOKING | ENDING) or not tool.body:
        return False
    return bool(name & STARTING) or any(
        intent.kind == "starts" for text in _texts(tool) for intent in text.text.intents
    )


def _starts(tool: Tool) -> bool:
    """Whether a tool starts work and hands out what it can be found by."""
    hands_id = any(intent.kind == "hands-job-id" for text in _texts(tool) for intent in text.text.intents)
    return _sets_going(tool) and (bool(tool.gives) or hands_id)


def _waits_for_job(tool: Tool) -> bool:
    """Whether a tool waits, or may wait, for more than a local command."""
    return any(wait.kind == "loop" or not wait.of_command for wait in tool.waits if wait.kind != "sleep")


def _is_status(tool: Tool) -> bool:
    """Whether a tool looks once at how the work is doing."""
    asks = bool(set(words_of(tool.name)) & ASKING) or any(
        intent.kind in ("only-checks", "poll") for text in _texts(tool) for intent in text.text.intents
    )
    return asks and bool(tool.takes) and not _waits_for_job(tool)


def _texts(tool: Tool) -> list[ToolText]:
    own = [tool.description, *(parameter.description for parameter in tool.parameters), *tool.texts]
    return [text for text in own if text is not None]


def _named(tool: Tool, context: Context) -> list[Tool]:
    """The tools that a tool's own words name."""
    found: list[Tool] = []
    for text in _texts(tool):
        for mentioned in context.project.mentions_in(text):
            found.extend(other for other in mentioned.tools if other not in found and other.name != tool.name)
    return found


def _is_notified(tool: Tool) -> bool:
    return any(intent.kind == "notified" for text in _texts(tool) for intent in text.text.intents)


def _polls(text: ToolText) -> str:
    return next((words(text, intent) for intent in text.text.intents if intent.kind in ("poll", "model-sleeps")), "")


def _how_long(tool: Tool, status: list[Tool], context: Context) -> str:
    """What says that the work takes minutes or more."""
    for one in (tool, *status):
        typical = context.settings.typical_duration.get(one.name)
        if typical is not None:
            long = typical >= context.settings.idle_limit.seconds
            return f"it usually takes {in_seconds(typical)}, as configured" if long else ""
    for one in (tool, *status):
        said = says_minutes(one)
        if said is not None:
            return f"the words of `{one.name}` speak of “{said}”"
    for one in (tool, *status):
        for text in _texts(one):
            seldom = next((intent for intent in text.text.intents if _is_seldom(intent)), None)
            if seldom is not None:
                return f"the words of `{one.name}` ask for it every {in_seconds(seldom.seconds or 0.0)}"
    return _said_elsewhere({tool.name, *(one.name for one in status)}, context)


def _is_seldom(intent: Intent) -> bool:
    """Whether a text asks for a look at such long intervals that the work must last for minutes."""
    return intent.kind in ("poll", "model-sleeps") and intent.seconds is not None and intent.seconds >= SELDOM


def _said_elsewhere(names: set[str], context: Context) -> str:
    """What a prompt or the server's instructions say of how long the tools' work takes."""
    for mentioned in context.project.mentions_of(names):
        text, intent = mentioned.text, mentioned.intent
        if text.owner:
            continue
        if intent.kind == "long-job" and _is_minutes(text, intent):
            return f"{context.project.where(mentioned.place)} speaks of “{words(text, intent)}”"
        if _is_seldom(intent):
            return f"{context.project.where(mentioned.place)} asks for it every {in_seconds(intent.seconds or 0.0)}"
        some = SOME_MINUTES.search(_line(text, intent)) if intent.kind == "poll" else None
        if some is not None:
            return f"{context.project.where(mentioned.place)} speaks of “{some[0]}”"
    return ""


def _line(text: ToolText, intent: Intent) -> str:
    """The line of a text that an intent begins in."""
    value = text.text.value
    start = value.rfind("\n", 0, intent.span.start) + 1
    return value[start:].partition("\n")[0]
