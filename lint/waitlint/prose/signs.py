"""What there is to see of a loop that tells whether it is the reader's own: each sign by its name.

What they are worth stands in `earned`. A sign says what is there and judges nothing.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator

from waitlint.prose import lexicon as lex
from waitlint.prose.acts import Parsed
from waitlint.prose.blocks import SHELLS, Block
from waitlint.prose.context import Context
from waitlint.prose.found import Found, in_parentheses
from waitlint.prose.moods import PERMITTED, PURPOSE
from waitlint.prose.setting import Setting
from waitlint.prose.tokens import HOLE

# How far around a loop it is looked for, and how far before it work that takes time, in characters.
AROUND = 600
_BEFORE = 300
_STEPS = 5
_FEW_LINES = 60
_WORDY = 35
_LONG_PAUSE = 300
# So short a text has no room for anything that is not an order, nor to say whom it speaks to.
BRIEF = 6
_POLLS = frozenset(["poll", "long-poll", "re-poll", "repoll", "auto-poll"])
_WATCHES = frozenset(["monitor", "watch", "track", "observe", "follow", "tail"])
_CHECKS = frozenset(["check", "recheck", "re-check", "query", "requery", "re-query", "look", "inspect", "verify"]) | {
    *("refresh", "read", "re-read", "see", "view", "review", "fetch", "re-fetch", "get")
}
_WAITS = frozenset(["wait", "sleep", "pause", "hold", "call", "repeat"])
# What may stand before an order that opens its sentence.
_OPENERS = frozenset(["then", "and", "now", "next", "finally", "please", "always"])
# What work that runs elsewhere has, or is.
_OF_A_RUN = frozenset(["status", "statuses", "state", "result", "results", "completion", "progress", "response"]) | {
    *("job", "jobs", "checks", "run", "runs", "task", "build", "deployment", "review", "reviews", "outcome"),
    *("workflow", "operation", "logs", "log", "output", "location"),
}
# What comes in of itself: a look at it takes what is there.
_COMES_IN = re.compile(
    r"\b(?:notifications?|messages?|inbox|tasks|feed|events?|chat|feedback|mail|emails?|updates|queue|issues)\b"
)
_PROCEDURE = re.compile(
    r"\b(?:steps?|workflows?|procedures?|process|phases?|instructions?|usage|run(?:ning)?|quick ?start|how to|protocol"
    r"|monitor\w{0,4}|polling|loops?|wait\w{0,4}|poll|check\w{0,4}|status|execut\w{1,4}|deploy\w{0,5}|generat\w{1,4}"
    r"|submit\w{0,5}|sequence)\b|\W{0,4}\d+[.):]"
)
_STEP = re.compile(r"\b(?:steps?|phases?)\b|^\W{0,4}\d+[.):]")
_EXPLAINS = re.compile(
    r"\b(?:overview|features?|architecture|how it works|concepts?|about|what|why|when to use|references?|resources?"
    r"|see also|related|patterns?|api|examples?|options?|parameters?|configuration|settings?|setup|boundar(?:y|ies)"
    r"|lifecycle|states?)\b"
)
# As the tools of servers and models are named, and hardly anything else; and as those of other people's code are.
_SNAKE = re.compile(r"[a-z]_[a-z]|mcp__")
_CAMEL = re.compile(r"[a-z][A-Z]")
_OF_AGENTS = lex.words("tools-of-agents")
_ID = re.compile(r"\b(?:\w{1,40}[_-])?[Ii][Dd]s?\b|[a-z]Ids?\b")
_RETURNS_AN_ID = re.compile(r"\breturns? .{0,40}\bids?\b")
_STARTED = re.compile(
    r"\b(?:start|submit|launch|trigger|create|run|send|push|deploy|queue|enqueue|spawn|kick off|post|upload"
    r"|generat\w{1,4}|dispatch\w{0,3}|returns? (?:a|an|the) \W?(?:[\w_]{1,30} )?\W?(?:id|job|task|run))\b"
)
_TAKES_TIME = re.compile(
    r"\b(?:async\w{0,10}|background|long-running|takes? (?:a few|several|about|up to|~|\d)|minutes?"
    r"|(?:job|task|run|request)_?id|pending|queued|in progress|processing)\b",
    re.IGNORECASE,
)
# The head of a column that says what to do in each case.
_TO_DO = re.compile(r"\b(?:action|do|next|what to do)\b")
# Around a sign-in of an app's users.
_SIGN_IN = re.compile(r"device[_ ]code|authorization_pending|slow_down|oauth", re.IGNORECASE)
_SIGN_IN_OF_AN_APP = re.compile(r"\bgrant_type\b|authorization_pending|\bslow_down\b")


def of_a_loop(one: Found, parsed: Parsed, context: Context, before: str, behind: str) -> frozenset[str]:
    """What the words of a loop and the place where they stand show.

    `before` and `behind` are the text that stands around its beginning, `AROUND` characters of it each way.
    """
    of_its_kind = _of_a_poll(one, parsed) if one.kind == "poll" else _of_a_pause(one, parsed, context)
    return frozenset(
        (*of_its_kind, *_of_words(one, parsed), *_of_place(parsed, context), *_of_surroundings(before, behind))
    )


def _of_a_poll(one: Found, parsed: Parsed) -> Iterator[str]:
    """What the order to look again says: its verb, what it looks at, its end and its pace."""
    if one.confidence == "low":
        yield "told"
    if one.verb in _POLLS:
        yield "polls"
        if one.firm:
            yield "polls until"
            if _name(one):
                yield "polls a name until"
    elif one.verb in _WATCHES:
        yield "watches"
    elif one.verb in _CHECKS:
        yield "checks"
        if one.paced or one.seconds is not None:
            yield "checks at intervals"
    elif one.verb not in _WAITS:
        yield "does"
    if not (one.firm or one.paced or one.seconds):
        yield "neither end nor pace"
    if any(act.mood in (PERMITTED, PURPOSE) for act in parsed.acts if one.first <= act.at < one.last):
        yield "permitted"
    if one.paced:
        yield "paced"
    if one.provided:
        yield "provided"
    if one.label:
        yield "label"
    span = [token.low for token in parsed.tokens[one.first : one.last]]
    if not _OF_A_RUN.isdisjoint(span):
        yield "of a run"
    if _COMES_IN.search(" ".join(span)):
        yield "comes in"


def _of_a_pause(one: Found, parsed: Parsed, context: Context) -> Iterator[str]:
    """What the order to wait says."""
    yield "pauses"
    if one.confidence == "low":
        yield "pause told"
    if "after" in {token.low for token in parsed.tokens}:
        yield "pauses after"
    if context.block.kind == "item" and not context.block.step:
        yield "pauses in a list"


def _of_words(one: Found, parsed: Parsed) -> Iterator[str]:
    """What the sentence says, whatever it orders."""
    name, tokens = _name(one), parsed.tokens
    lows = {token.low for token in tokens}
    snake = (_SNAKE.search(name) is not None and "/" not in name) or name.partition("(")[0].lower() in _OF_AGENTS
    for sign, holds in (
        ("tempered", one.tempered),
        ("names", bool(name)),
        ("names a tool", snake),
        ("names a method", not snake and _CAMEL.search(name) is not None),
        ("names a time", one.seconds is not None),
        ("rarely", (one.seconds or 0) >= _LONG_PAUSE),
        ("names a state", bool(one.states)),
        ("names nothing", one.bare),
        ("terminal", "terminal" in parsed.sentence.low),
        ("of an ID", any(_ID.search(token.text) for token in tokens)),
        ("you", bool(lows & {"you", "your"})),
        ("wordy", len(tokens) > _WORDY),
        ("names a command", any(token.kind == "code" and " " in token.text.strip("` ") for token in tokens)),
        ("opens", all(token.kind != "word" or token.low in _OPENERS for token in tokens[: one.first])),
        ("in parentheses", in_parentheses(parsed, one)),
    ):
        if holds:
            yield sign


def _name(one: Found) -> str:
    name = one.named.strip("`")
    return "" if name == HOLE else name


def _of_place(parsed: Parsed, context: Context) -> Iterator[str]:
    """Where the sentence stands."""
    block = context.block
    heading = block.headings[-1] if block.headings else ""
    said = " ".join(previous.sentence.low for previous in context.previous[-2:])
    has_id = any(_ID.search(token.text) for token in parsed.tokens)
    for sign, holds in (
        ("in a paragraph", block.kind == "paragraph"),
        ("in a fence", block.kind == "fence"),
        ("above commands", block.code in SHELLS),
        ("in a column of what to do", block.kind == "cell" and _TO_DO.search(block.column) is not None),
        ("below a procedure", _PROCEDURE.search(heading) is not None),
        ("somewhere in a procedure", any(_PROCEDURE.search(one) for one in block.headings)),
        ("below a step", _STEP.search(heading) is not None),
        ("below an explanation", _EXPLAINS.search(heading) is not None),
        ("behind a start", _STARTED.search(said) is not None),
        ("behind an ID", _RETURNS_AN_ID.search(said) is not None and not has_id),
        ("above a loop", block.looped),
        ("bounded", context.bounded),
        *_of_a_setting(context.setting),
    ):
        if holds:
            yield sign


def _of_a_setting(setting: Setting) -> Iterator[tuple[str, bool]]:
    yield "looked into", setting.aside
    yield "teaches", setting.teaches
    yield "informs", setting.informs


def _of_surroundings(before: str, behind: str) -> Iterator[str]:
    """What the text around it speaks of."""
    around = f"{before}\n{behind}"
    if _TAKES_TIME.search(before, max(0, len(before) - _BEFORE)):
        yield "takes time"
    if _SIGN_IN.search(around):
        yield "sign-in"
    if _SIGN_IN_OF_AN_APP.search(around):
        yield "sign-in of an app"


def of_form(value: str, blocks: list[Block]) -> Iterator[str]:
    """What the form of a document shows."""
    if value.count("\n") < _FEW_LINES:
        yield "short"
    if len(blocks) <= BRIEF:
        yield "brief"
    if sum(block.kind == "item" and bool(block.step) for block in blocks) >= _STEPS:
        yield "steps"


def of_code_below(start: int, loops: list[int], headings: list[int]) -> frozenset[str]:
    """What code that waits below the loop at `start` shows.

    `loops` are the places of such code in the document, and `headings` those of its headings, both in order.
    """
    below = bisect_right(loops, start)
    if below == len(loops):
        return frozenset()
    apart = bisect_right(headings, start) < bisect_left(headings, loops[below])
    return frozenset(["loop below" if apart else "loop in the section"])
