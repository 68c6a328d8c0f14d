"""Confidence that is earned: what speaks for a loop being the reader's own, weighed.

A sentence alone seldom tells whether the model that reads it is to look again, or the code that it writes, or a person.
Of some 900 sentences of public skills, agents and references that read like an order to look again, two in three were
one. What told them apart was, first of all, whether *other* sentences of the same document ask for another look (of
100 beside three others 93 were right, of those alone in their document 66), then whether the document speaks to an
agent at all (see `addressee`), whether the section is a procedure and the sentence before it an order, whether the
document is one to work by or one to look things up in (84 and 68), whether what is called can be called at all, and
whether the end is named. Each is worth what it was measured to be worth, in units of a third of the logarithm of the
odds.

Of 1,374 sentences that were found later, 95 in 100 were right where they speak of what works beside the reader (an
agent, a session), 93 where they say "must" or "never", 94 where a command is named and 92 where a time is; 79 where
they have more than 35 words, and 66 in documents about code that is to be written.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from waitlint.prose.acts import Parsed
from waitlint.prose.blocks import SHELLS
from waitlint.prose.context import Context
from waitlint.prose.found import Found
from waitlint.prose.names import is_command
from waitlint.prose.sleeps import RATE
from waitlint.prose.tokens import HOLE

ENOUGH = 0
# So short a text has no room for anything that is not an order, nor to say whom it speaks to.
BRIEF = 6
BY_BREVITY = 9
BY_ANOTHER = 2
BY_CODE = 4
BY_ONE_WITH_AN_END = 1
BY_SEVERAL = 2
_SEVERAL = 3
_WORDY = 35
BY_TEACHING = 4
_MANY_CLAUSES = 5
_PLAIN_VERBS = frozenset(["poll", "long-poll", "re-poll", "check", "monitor", "watch", "call", "wait", "sleep"])
_PROCEDURE = re.compile(
    r"\b(?:steps?|workflows?|procedures?|process|phases?|instructions?|usage|run(?:ning)?|quick ?start|how to|protocol"
    r"|monitor\w{0,4}|polling|loops?|wait\w{0,4}|poll|check\w{0,4}|status|execut\w{1,4}|deploy\w{0,5}|generat\w{1,4}"
    r"|submit\w{0,5}|sequence)\b|\W{0,4}\d+[.):]"
)
_ORDERS = re.compile(
    r"\W{0,4}(?:\d+[.)] )?(?:run|call|use|submit|start|create|send|wait|check|open|click|get|post|take|invoke|fetch"
    r"|trigger|launch|execute|query|report|record|save|read|if|then|once|after|when|do|push|merge|deploy|upload"
    r"|download|generate)\b"
)
# Below such a heading it is code that looks again.
_OF_CODE = re.compile(r"\b(?:tests?|testing|assertions?|client code|code samples?|sdks?)\b")
_TOOL = re.compile(r"[a-zA-Z][_-][a-zA-Z]|[a-z][A-Z]")
# As the tools of servers and models are named, and hardly anything else.
_SNAKE = re.compile(r"[a-z]_[a-z]|mcp__")
# The head of a column that says what to do in each case.
_TO_DO = re.compile(r"\b(?:action|do|next|what to do)\b")
_MUST = re.compile(r"\b(?:must|always|never|required)\b")
# What works for the reader while it does something else.
_BESIDE = re.compile(r"\b(?:(?:sub-?)?agents?|workers?|panes?|sessions?|background)\b")
# Around a sign-in of an app's users, the requests of a protocol, or something that is done once for each of several.
_SIGN_IN = re.compile(r"device[_ ]code|authorization_pending|slow_down|oauth", re.IGNORECASE)
_SIGN_IN_OF_AN_APP = re.compile(r"\bgrant_type\b|authorization_pending|\bslow_down\b")
_REQUEST = re.compile(r"^(?:GET|POST|PUT) ", re.MULTILINE)
_EACH = re.compile(r"\b(?:each|for every)\b", re.IGNORECASE)
# How far around a loop those are looked for, and how far before it, in characters.
AROUND = 600
_JUST_BEFORE = 120
_SHARE = 0.08
# From so much code on, a document is there to teach it.
_TEACHES = 0.25


@dataclass(slots=True)
class Claim:
    """A loop that a document asks for: the place of its intent among all, what its own words and their place weigh,
    and whether it names its end."""

    intent: int
    weight: int
    ends: bool


def weigh(one: Found, parsed: Parsed, context: Context, before: str, behind: str) -> int:
    """What the words of a loop and the place where they stand are worth.

    `before` and `behind` are the text that stands around its beginning, `AROUND` characters of it each way.
    """
    return _for_it(one, parsed, context) - _against_it(one, parsed, context) - _around_it(before, behind)


def _around_it(before: str, behind: str) -> int:
    around = f"{before}\n{behind}"
    sign_in = 9 if _SIGN_IN_OF_AN_APP.search(around) else 4 * (_SIGN_IN.search(around) is not None)
    request = _REQUEST.search(before) or _REQUEST.search(behind)
    each = _EACH.search(before[-_JUST_BEFORE:])
    return sign_in + 2 * (request is not None) + 2 * (each is not None)


def _for_it(one: Found, parsed: Parsed, context: Context) -> int:
    block = context.block
    heading = block.headings[-1] if block.headings else ""
    weight = one.firm + 2 * (one.confidence == "high")
    weight += 2 * (one.kind == "model-sleeps")
    weight += _is_explicit(one) or "terminal" in parsed.sentence.low
    if block.kind == "heading" or _PROCEDURE.search(heading):
        weight += 2
    if context.previous and _ORDERS.match(context.previous[-1].sentence.low):
        weight += 2
    if block.kind in ("item", "fence") and block.step:
        weight += 1
    if block.kind == "cell" and _TO_DO.search(block.column):
        weight += 2
    if block.code in SHELLS or block.shown in SHELLS:
        weight += 1
    if _is_callable(one.named):
        weight += 1
    weight += (one.seconds is not None) + (_MUST.search(parsed.sentence.low) is not None)
    weight += is_command(one.named.strip("`")) + 2 * (_BESIDE.search(parsed.sentence.low) is not None)
    if _SNAKE.search(one.named) and "/" not in one.named:
        weight += 3
    if one.last < len(parsed.tokens) and parsed.tokens[one.last].text == ":":
        weight += 2
    return weight


def _is_explicit(one: Found) -> bool:
    """Whether the order itself says when to look again, or for how long."""
    return one.kind == "poll" and (one.firm > 0 or one.seconds is not None)


def _against_it(one: Found, parsed: Parsed, context: Context) -> int:
    many = len(parsed.clauses) >= _MANY_CLAUSES
    bare = one.kind == "poll" and not (one.firm or one.paced or one.seconds)
    weight = 0
    if context.setting.aside:
        weight += 3
    if one.verb not in _PLAIN_VERBS:
        weight += 3
    if context.setting.teaches:
        weight += BY_TEACHING
    elif any(_OF_CODE.search(heading) for heading in context.block.headings[-1:]):
        weight += 2
    if one.named and one.named != HOLE and not _is_callable(one.named) and "/" not in one.named:
        weight += 2
    if "." in one.named.strip("`.") and "/" not in one.named:
        weight += 2
    if many:
        weight += 2
    if len(parsed.tokens) > _WORDY:
        weight += 1
    if context.code >= _TEACHES:
        weight += BY_CODE
    if one.kind == "model-sleeps" and RATE.search(f"{parsed.sentence.low} {context.block.heading}"):
        weight += 2
    return weight + sum((bare and many, one.of_status, one.provided, context.code > _SHARE))


def backings(claims: Sequence[Claim], blocks: int, own: int) -> list[tuple[int, int]]:
    """The intents of a document's loops, each with how much bears it out beyond what is needed; below zero, too little.

    `blocks` is the length of the document, `own` what it is worth by whom it speaks to.
    """
    with_an_end = sum(claim.ends for claim in claims)
    return [
        (claim.intent, claim.weight + own + _borne_out(claim, claims, with_an_end, blocks) - ENOUGH) for claim in claims
    ]


def _borne_out(claim: Claim, claims: Sequence[Claim], with_an_end: int, blocks: int) -> int:
    others = len(claims) - 1
    weight = BY_BREVITY if blocks <= BRIEF else 0
    if others:
        weight += BY_ANOTHER
    if with_an_end > claim.ends:
        weight += BY_ONE_WITH_AN_END
    if others >= _SEVERAL:
        weight += BY_SEVERAL
    return weight


def _is_callable(name: str) -> bool:
    """Whether a name is that of a tool, or a command of a shell."""
    return _TOOL.search(name) is not None or is_command(name.strip("`"))
