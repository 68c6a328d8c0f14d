"""A tool that owns its loop: by which state it says that work is not done, and the code that waits for it."""

from __future__ import annotations

import re

from waitlint.context import Context
from waitlint.finding import Place
from waitlint.linked import Read, Tool
from waitlint_rules.bounding import fitting
from waitlint_rules.sketches import waiting

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
# "The client is not ready": what the tool works with, and no work.
OF_ITS_OWN = re.compile(
    r"\b(?:client|server|service|connection|session|browser|database|engine|manager|sdk|api|bridge|plugin|backend|"
    r"environment|runtime|model|index|cache|config\w*|setup|workspace|resource)s?"
    r"(?: (?:is|are|was))?(?: still)?\W{0,3}\Z",
    re.IGNORECASE,
)
# "WHERE status = 'pending'": what is asked for, and no answer.
ASKED_FOR = re.compile(r"(?:\s[=!<>]{1,3}\s*|\bin ?\(\s*)\Z", re.IGNORECASE)
UNFINISHED_IF = re.compile(
    rf"\b(?:task|job|run|build|work|it|operation|generation|process)\w* (?:is|are) (?:still )?({UNFINISHED.pattern}) "
    r"(?:if|when|while|as long as)\b",
    re.IGNORECASE,
)
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


def unfinished_state(tool: Tool) -> str:
    """The state by which the tool says that the work is not done."""
    for state in tool.returns_states:
        if UNFINISHED.search(state):
            return state
    for answer in tool.answers:
        found = STILL.search(answer)
        if found and not OF_ITS_OWN.search(answer, 0, found.start()):
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
    quoted = (one for one in QUOTED_UNFINISHED.finditer(said) if not ASKED_FOR.search(said, 0, one.start()))
    found = next(quoted, None) or UNFINISHED_IF.search(said)
    return found.group(1) if found else _unfinished_of_several(said)


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


def own_loop(tool: Tool, unfinished: str, context: Context) -> str:
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
