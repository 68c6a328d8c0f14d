"""What words may truly say of a tool that waits, made of what is known of its wait."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from waitlint.context import Context
from waitlint.finding import Confidence
from waitlint.fix import Applicability, RewriteText
from waitlint.linked import Ending, Read, Tool, ToolText, Wait
from waitlint.names import words_of
from waitlint.prose.lexicon import DONE, PENDING
from waitlint_rules.certain import bounds_whole_tool, is_always_passed
from waitlint_rules.wording import in_seconds, is_runner

# A cap from here on, in seconds, is there for the worst case and tells nothing of how long the tool usually takes.
SAFETY_NET = 1800.0
FEW = 6
# A paragraph whose lines are all shorter is not broken for the sake of its width.
LEAST_WIDTH = 60
DOCUMENTS = (".md", ".mdc", ".mdx", ".txt", ".prompt")
_NAME = re.compile(r"[A-Za-z][\w .-]{1,30}")
_QUOTED = re.compile(r"([`\"'“])[\w .-]{1,40}[`\"'”]")
# Letters of languages that are not written like English; a description in one of them is left alone.
_FOREIGN = re.compile(r"[\u0370-\u1fff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_LISTED = re.compile(r"\n[ \t]*(?:[-*•]|\d+[.)]|[A-Z]\w+:$|:param\b|@param\b)", re.MULTILINE)
_LOOKS = frozenset(
    {"await", "wait", "get", "check", "status", "state", "progress", "poll", "result", "results", "track", "watch"}
)
_STARTS = frozenset(
    {"generate", "create", "start", "submit", "make", "run", "build", "deploy", "send", "order", "launch", "trigger"}
    | {"edit", "update", "delete", "publish", "convert", "train", "execute", "queue", "request", "import", "export"}
)
_GENERAL = frozenset(
    {"list", "describe", "search", "find", "discover", "manage", "lookup", "browse", "show", "read", "execute", "exec"}
)
_READS = frozenset({"get", "fetch", "retrieve", "analyze", "review", "compare", "troubleshoot", "validate"})
_OF_WORK = frozenset({"status", "state", "progress", "result", "results", "outcome", "job", "task", "run"})
_LOOKED_UP = frozenset({"query", "sql", "details", "schema", "metadata", "stats", "info", "diagnostics", "command"})
_CHOOSES_WORK = frozenset(
    {"action", "operation", "op", "command", "cmd", "sql", "query", "sql_query", "sqlQuery", "statement", "code"}
    | {"script"}
)
_ENGLISH = re.compile(r"\b(?:the|a|an|of|to|and|for|in|or|is|with|by|from|it|this|on|as)\b", re.IGNORECASE)
_OTHER = re.compile(
    r"\b(?:une?|des|les?|du|pour|dans|et|sur|avec|der|die|das|und|für|mit|von|eine?|el|los|las|una|para|con|por|del|"
    r"il|gli|della|per|che|os|um|uma|het|een|voor|van|met)\b",
    re.IGNORECASE,
)
_GETS = re.compile(r"(?:\.get|urlopen|fetch)\($")
_METHOD_GET = re.compile(r"\bmethod[\"']?\s*[:=]\s*[\"'](?:get|head)[\"']", re.IGNORECASE)
_SENDS = re.compile(r"\bmethod\b|\bdata\b|\bbody\b|\.\.\.|\b(?:init|options|opts|config)\b")
_ENDED = re.compile(r"[.!?][\"'”’)\]`*]*\Z")
_CLOSING = {"“": "”"}


class Told(NamedTuple):
    """What is known of a tool's wait: its cap in seconds, and the state that it comes back with when that is over.

    `comes_back` where it hands over its last state then, `unfinished` is the name of that state if it is known, and
    `resumed` whether another call waits on, instead of starting the work once more. `general` where the tool does many
    things and each of its calls waits for its own: it is called as often as there is something to do. `always` where
    every call that ends well has waited. The cap is None, too, where it is not that of the tool as a whole.
    """

    cap: float | None
    unfinished: str
    comes_back: bool
    resumed: bool | None = True
    general: bool = False
    always: bool = True

    @property
    def cap_words(self) -> str:
        return f"up to {lasting(self.cap)}" if self.cap is not None and self.cap < SAFETY_NET else ""


def lasting(seconds: float) -> str:
    """A length of time as it stands in a sentence."""
    if seconds >= 120 and seconds % 60 == 0:
        return f"{seconds / 60:.0f} min"
    return in_seconds(seconds)


def told(tool: Tool, wait: Wait) -> Told:
    """What may be said of a wait."""
    always = is_always_passed(wait)
    comes_back = always and wait.ending is Ending.LAST_STATE and wait.cap.known
    cap = wait.cap.value if bounds_whole_tool(tool, wait) else None
    general = is_general(tool, wait)
    return Told(cap, _unfinished(tool, wait), comes_back, is_resumed_by_a_call(tool), general, always)


def is_general(tool: Tool, wait: Wait) -> bool:
    """Whether a tool runs commands, looks things up, or does what an argument of it says."""
    if wait.of_command or is_runner(tool) or {parameter.name for parameter in tool.parameters} & _CHOOSES_WORK:
        return True
    words = words_of(tool.name)
    if set(words[:1]) & _READS:
        return not tool.takes and not set(words) & _OF_WORK
    return words[:1] != ("wait",) and bool(set(words[:1]) & _GENERAL or set(words) & _LOOKED_UP)


def is_shared_limit(wait: Wait, context: Context) -> bool:
    """Whether one number bounds the commands of many tools: it is there for the worst case, and no tool's own."""
    if not wait.of_command or not wait.cap.known:
        return False
    reaching = context.project.tools_reaching(wait.place)
    waits = [[one for one in tool.waits if one.place == wait.place] for tool in reaching]
    return sum(any(one.cap.places == wait.cap.places for one in own) for own in waits) > FEW


def is_resumed_by_a_call(tool: Tool) -> bool | None:
    """Whether a second call goes on waiting, and does not start the work anew; None where that can't be told.

    It goes on if the tool looks, by its name or by all of its requests, or takes an ID.
    """
    words = set(words_of(tool.name))
    if words & _LOOKS:
        return True
    if words & _STARTS:
        return False
    return True if tool.takes or (tool.reads and all(map(only_looks, tool.reads))) else None


def only_looks(read: Read) -> bool:
    """Whether a request is known to ask for something, and to have nothing done."""
    if _METHOD_GET.search(read.excerpt):
        return True
    return bool(_GETS.search(f"{read.api}(")) and not _SENDS.search(read.excerpt)


def _unfinished(tool: Tool, wait: Wait) -> str:
    """The one state in which the tool comes back at its cap; "" where that can't be told."""
    if wait.ending is not Ending.LAST_STATE or not wait.cap.known:
        return ""
    going = [state for state in wait.states if state not in wait.exit_states and not _is(state, DONE)]
    if not (wait.exits_otherwise and len(going) == 1):
        known = [state for state in (*going, *tool.returns_states) if _is(state, PENDING)]
        going = [state for state in dict.fromkeys(known) if state not in wait.exit_states]
    return going[0] if len(going) == 1 and _NAME.fullmatch(going[0]) else ""


def _is(state: str, words: frozenset[str]) -> bool:
    low = state.lower()
    return low in words or bool(words & set(re.split(r"[^a-z]+", low)))


def quoted(state: str, said: str, role: str) -> str:
    """A state as the text writes states. Where it quotes nothing, a description, itself in quotes, won't begin to."""
    found = _QUOTED.search(said)
    if found:
        return f"{found[1]}{state}{_CLOSING.get(found[1], found[1])}"
    return state if role in ("tool-description", "parameter-description", "tool-result") else f'"{state}"'


def again(known: Told, text: ToolText | None) -> str:
    """The sentence that says what a second call is for, without its end; "" where the tool does not come back so."""
    if not known.comes_back or known.general:
        return ""
    if not known.resumed:
        ban = ": do not start it again" if known.resumed is False else ""
        return f"if it comes back unfinished, the work goes on{ban}"
    if not known.unfinished:
        return "call it again only if it comes back unfinished"
    state = quoted(known.unfinished, text.text.value, _role(text)) if text else known.unfinished
    return f"call it again only if it {'returns' if state != known.unfinished else 'comes back still'} {state}"


def _role(text: ToolText) -> str:
    """The role of a text; a prompt in code stands in quotes as a description does."""
    in_code = text.text.role == "prompt" and not text.path.endswith(DOCUMENTS)
    return "tool-description" if in_code else text.text.role


def sentence_for(known: Told, text: ToolText | None) -> str:
    """What a description is to say; "" where nothing is known that is worth it."""
    lasts = f" {known.cap_words}".rstrip()
    if known.general or not known.always:
        return f"A call may wait{lasts} for its result." if lasts else ""
    second = again(known, text)
    tail = f" {second[0].upper()}{second[1:]}." if second else ""
    if known.resumed is None:
        # It is not known that there is one result to be had: another call may be for something else.
        return f"Waits{lasts} for the result.{tail}" if lasts or tail else ""
    return f"Waits{lasts} for the result, so call it once.{tail}"


def safety(tool: Tool, known: Told, confidence: str = "high") -> Applicability:
    """Safe only where tool, wait and sentence are all known for certain, and hold for each call of the tool."""
    sure = known.cap is not None and known.always and tool.confidence == "high" and confidence == Confidence.HIGH
    return Applicability.SAFE if sure else Applicability.UNSAFE


def can_be_rewritten(text: ToolText) -> bool:
    """Whether the text stands in one piece in one file."""
    return not text.built and text.text.complete and not text.paths


def with_sentence(text: ToolText, sentence: str) -> RewriteText | None:
    """The change that adds a sentence to a description; None where that is not English.

    It comes behind the first paragraph, or behind the one line that sums all up as a paragraph of its own. Examples and
    lists of arguments come after that, and stay where they are.
    """
    value = text.text.value
    if not can_be_rewritten(text) or _is_foreign(value):
        return None
    lead = value[: len(value) - len(value.lstrip())]
    head, blank, rest = value[len(lead) :].partition("\n\n")
    listed = _LISTED.search(head)
    head, rest = (head[: listed.start()], head[listed.start() :] + blank + rest) if listed else (head, blank + rest)
    body = head.rstrip()
    trailing = head[len(body) :]
    stop = "" if _ENDED.search(body) else "." if not body.endswith((":", ",", ";")) else None
    if stop is None or not body:
        return None
    margin = re.match(r"[ \t]*", blank and rest.removeprefix(blank))
    alone = bool(blank) and not listed and "\n" not in body and rest.removeprefix(blank).strip()
    joined = f"\n\n{margin[0] if margin else ''}" if alone else _joint(body, f"{stop} {sentence}")
    return RewriteText(text.path, text.text.span, f"{lead}{body}{stop}{joined}{sentence}{trailing}{rest}", value)


def _joint(body: str, words: str) -> str:
    """What stands between a paragraph and a sentence: a line break where its lines are broken and the last is full."""
    lines = body.split("\n")
    last = lines[-1]
    width = max(len(line) for line in lines)
    if len(lines) < 2 or width < LEAST_WIDTH or len(last) + len(words) <= width:
        return " "
    return "\n" + last[: len(last) - len(last.lstrip(" \t"))]


def _is_foreign(value: str) -> bool:
    return bool(_FOREIGN.search(value)) or len(_OTHER.findall(value)) > len(_ENGLISH.findall(value))


def replacing(text: ToolText, start: int, end: int, words: str) -> RewriteText:
    """The change that puts `words` in the place of `text[start:end]`."""
    return replacing_all(text, [(start, end)], words)[0]


def replacing_all(text: ToolText, spans: Sequence[tuple[int, int]], words: str) -> tuple[RewriteText, ...]:
    """The changes that put `words` in the place of several parts of a text, given in order."""
    if text.path.endswith(DOCUMENTS) and text.text.role != "front-matter":
        return tuple(RewriteText(text.path, text.place(start, end).span, words) for start, end in spans)
    value = text.text.value
    for start, end in reversed(spans):
        value = value[:start] + words + value[end:]
    return (RewriteText(text.path, text.text.span, value, text.text.value),)
