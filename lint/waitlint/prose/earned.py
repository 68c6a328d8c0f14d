"""Confidence that is earned: what speaks for a loop being the reader's own, weighed.

A sentence alone seldom tells whether the model that reads it is to look again, or the code that it writes, or a person.
Of 1,930 sentences of 320 public repositories that read like an order to look again, each judged by a person, four in
five were one; of 300 in repositories by which nothing had been mended, five in eight. What each sign is worth was
fitted to them all at once (a logistic regression, so that signs which come together are not counted twice) and holds
for repositories that were left out of the fit. The unit is a fifth of the logarithm of the odds: five of them make a
loop nearly three times as likely.

What is named is worth most. Of sentences with a verb of polling that name their end, 94 in 100 were right, and 99 where
they also name what is polled; of those that name neither end nor pace, 71. A verb that says nothing of looking ("use",
"run", "act": 61) needs an end or other loops beside it. Of those that the grammar took for told rather than ordered, 26
were right after all, and as many as 58 of the pauses: these are found where all else speaks for them. Then come the
other loops of the document (91 beside another one, 94 beside three, 67 alone), the steps and the headings, and whom the
document speaks to (see `addressee`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from waitlint.prose.acts import Parsed
from waitlint.prose.blocks import SHELLS, Block
from waitlint.prose.context import Context
from waitlint.prose.found import Found
from waitlint.prose.moods import PERMITTED, PURPOSE
from waitlint.prose.tokens import HOLE

# So much is needed: of what is found in repositories that were never seen, nine in ten are right then.
ENOUGH = 8
# So much beyond it makes high confidence: 19 in 20 are right.
SURE = 5
# So short a text has no room for anything that is not an order, nor to say whom it speaks to.
BRIEF = 6
BY_BREVITY = 12
BY_ANOTHER = 4
BY_SEVERAL = 2
BY_ONE_WITH_AN_END = 1
BY_STEPS = 2
# What the grammar took for told: a poll, a pause, and either where it was lowered for what stands around it.
TOLD = 10
PAUSE_TOLD = 6
TEMPERED = 4
BY_TEACHING = 4
_SEVERAL = 3
_STEPS = 5
_WORDY = 35
_LONG_PAUSE = 300
_POLLS = frozenset(["poll", "long-poll", "re-poll", "repoll", "auto-poll"])
_WATCHES = frozenset(["monitor", "watch", "track", "observe", "follow", "tail"])
_CHECKS = frozenset(["check", "recheck", "re-check", "query", "requery", "re-query", "look", "inspect", "verify"]) | {
    *("refresh", "read", "re-read", "see", "view", "review", "fetch", "re-fetch", "get")
}
_WAITS = frozenset(["wait", "sleep", "pause", "hold", "call", "repeat"])
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
# How far around a loop it is looked for, and how far before it work that takes time, in characters.
AROUND = 600
_BEFORE = 300


@dataclass(slots=True)
class Claim:
    """A loop that a document asks for: the place of its intent among all, what its own words and their place weigh,
    whether it names its end, whether the grammar took it for told, and whether it did so for its brevity alone."""

    intent: int
    weight: int
    ends: bool
    told: bool
    label: bool


def weigh(one: Found, parsed: Parsed, context: Context, before: str, behind: str) -> int:
    """What the words of a loop and the place where they stand are worth.

    `before` and `behind` are the text that stands around its beginning, `AROUND` characters of it each way.
    """
    words = _poll(one, parsed) if one.kind == "poll" else _pause(one, parsed, context)
    return words + _words(one, parsed) + _place(one, parsed, context) + _around(before, behind)


def _poll(one: Found, parsed: Parsed) -> int:
    """What the order to look again says: its verb, what it looks at, its end and its pace.

    Of a hundred with a verb of watching 74 were right, 87 where they name their end; 83 that look at what a run has or
    is, and 58 at what comes in of itself.
    """
    polls = one.verb in _POLLS
    named = bool(_name(one))
    span = [token.low for token in parsed.tokens[one.first : one.last]]
    weight = -TOLD if one.confidence == "low" else 0
    if polls:
        weight += 3 + 3 * (one.firm > 0) + 3 * (one.firm > 0 and named)
    elif one.verb in _WATCHES:
        weight += 1 + (one.firm > 0)
    elif one.verb in _CHECKS:
        weight += -1 + 2 * (one.paced or one.seconds is not None)
    elif one.verb not in _WAITS:
        weight -= 6
    if not (one.firm or one.paced or one.seconds):
        weight -= 2
    if any(act.mood in (PERMITTED, PURPOSE) for act in parsed.acts if one.first <= act.at < one.last):
        weight -= 2
    weight += one.paced
    if not _OF_A_RUN.isdisjoint(span):
        weight += 1
    if _COMES_IN.search(" ".join(span)):
        weight -= 2
    return weight


def _pause(one: Found, parsed: Parsed, context: Context) -> int:
    """What the order to wait says: of a hundred that wait "after" something 94 were right, of those in lists 83."""
    weight = 1 - (PAUSE_TOLD if one.confidence == "low" else 0)
    if "after" in {token.low for token in parsed.tokens}:
        weight += 3
    if context.block.kind == "item" and not context.block.step:
        weight += 2
    return weight


def _words(one: Found, parsed: Parsed) -> int:
    """What the sentence says, whatever it orders.

    Of a hundred that name a tool 90 were right, 92 a state, 94 where a state is "terminal", 88 that speak of an ID, 85
    that name a time; 64 with a name of other people's code, 68 of more than 35 words, 62 in parentheses, 60 that have
    the next look five minutes away.
    """
    name, tokens = _name(one), parsed.tokens
    lows = {token.low for token in tokens}
    weight = 2 * bool(name) - TEMPERED * one.tempered
    snake = _SNAKE.search(name) is not None and "/" not in name
    weight += snake - 2 * (not snake and _CAMEL.search(name) is not None)
    weight += 3 * (one.seconds is not None) - 2 * ((one.seconds or 0) >= _LONG_PAUSE)
    weight += bool(one.states) + one.bare + 2 * ("terminal" in parsed.sentence.low)
    weight += 2 * any(_ID.search(token.text) for token in tokens)
    weight -= 2 * bool(lows & {"you", "your"}) + 3 * (len(tokens) > _WORDY)
    opened = [token.text for token in tokens[: one.first]]
    return weight - 3 * ("(" in opened and ")" not in opened)


def _name(one: Found) -> str:
    name = one.named.strip("`")
    return "" if name == HOLE else name


def _place(one: Found, parsed: Parsed, context: Context) -> int:
    """Where the sentence stands.

    Of a hundred below the heading of a step 90 were right, 87 of a procedure, 75 of an explanation; 96 in a column of
    what to do, 70 in fences, 24 above code that loops; 76 in what is looked into, 60 in skills that teach.
    """
    block = context.block
    heading = block.headings[-1] if block.headings else ""
    weight = (block.kind == "paragraph") - 2 * (block.kind == "fence") + (block.code in SHELLS)
    weight += 2 * (block.kind == "cell" and _TO_DO.search(block.column) is not None)
    weight += 2 * (_PROCEDURE.search(heading) is not None) + any(_PROCEDURE.search(one) for one in block.headings)
    weight += 2 * (_STEP.search(heading) is not None) - (_EXPLAINS.search(heading) is not None)
    said = " ".join(previous.sentence.low for previous in context.previous[-2:])
    weight += _STARTED.search(said) is not None
    if _RETURNS_AN_ID.search(said) and not any(_ID.search(token.text) for token in parsed.tokens):
        weight += 2
    setting = context.setting
    weight -= 2 * setting.aside + BY_TEACHING * setting.teaches + 2 * setting.informs
    return weight - 9 * block.looped - 2 * context.bounded


def _around(before: str, behind: str) -> int:
    """What the text around it speaks of: work that takes time (86 in 100 right), a sign-in of users (61)."""
    around = f"{before}\n{behind}"
    weight = 2 * (_TAKES_TIME.search(before, max(0, len(before) - _BEFORE)) is not None)
    return weight - (_SIGN_IN.search(around) is not None) - 8 * (_SIGN_IN_OF_AN_APP.search(around) is not None)


def backings(claims: Sequence[Claim], blocks: Sequence[Block], own: int) -> list[tuple[int, int]]:
    """The intents of a document's loops, each with how much bears it out beyond what is needed; below zero, too little.

    `blocks` are those of the document, `own` is what it is worth by whom it speaks to.
    """
    ordered = [claim for claim in claims if not claim.told]
    with_an_end = sum(claim.ends for claim in ordered)
    own += BY_STEPS * (sum(block.kind == "item" and bool(block.step) for block in blocks) >= _STEPS)
    own += BY_BREVITY * (len(blocks) <= BRIEF)
    return [
        (claim.intent, claim.weight + own + _borne_out(claim, len(ordered), with_an_end) - ENOUGH) for claim in claims
    ]


def _borne_out(claim: Claim, ordered: int, with_an_end: int) -> int:
    others = ordered - (not claim.told)
    weight = BY_ANOTHER * (others > 0) + BY_SEVERAL * (others >= _SEVERAL)
    if with_an_end > (claim.ends and not claim.told):
        weight += BY_ONE_WITH_AN_END + TOLD * (claim.told and claim.label)
    return weight


def confidence_of(backing: int) -> str:
    """What so much beyond what is needed makes of a loop."""
    return "low" if backing < 0 else "high" if backing >= SURE else "medium"
