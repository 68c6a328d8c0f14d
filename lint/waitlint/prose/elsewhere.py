"""Loops that are not the reader's: code in the same list runs them, another agent does, or they are what is to end."""

from __future__ import annotations

import re

from waitlint.prose.acts import Parsed
from waitlint.prose.context import Context
from waitlint.prose.found import Found

# "Approach: `for d in 5 10 20; do kiln ping && break; sleep $d; done`": one command that looks as often as needed.
_SHELL_LOOP = re.compile(r"\b(?:for|while|until)\b[^`\n]{1,200};? do\b[^`\n]{1,300}\bdone\b")
# "As one call of the shell (a loop inside)", "run the polling script": it comes back when all is over.
_NAMED_LOOP = re.compile(
    r"\b(?:single|one) (?:bash|shell) (?:call|command|invocation)\b"
    r"|\b(?:bash|shell|foreground|background|internal|sleep)[ -]loop\b|\bpolling (?:script|helper|daemon)\b"
    r"|`[^`\n]{0,60}\b(?:poll|wait)[\w-]{0,40}\.(?:sh|py|js|mjs|ts)\b",
    re.IGNORECASE,
)
_HOW = 260
# "(tray checks --watch)" in a fence, where no command is set apart.
_WATCHED = re.compile(r"(?<!no )(?<!without )--(?:watch|wait|follow)\b(?!=false)")
_FAR = 700
# "Today, bakers must do by hand:", above what a change is to spare them.
_AS_IT_IS = re.compile(
    r"\b(?:currently|today|at present|right now|until now|so far|before this change|previously)\b[^:]{0,80}"
    r"\b(?:must|have to|has to|needs? to|manually|by hand|had to)\b[^:]{0,40}:\W{0,4}$"
)
_IS_THE_MATTER = re.compile(
    r"[^\n]{0,60}\b(?:lessons?(?: learn(?:ed|t))?\b|lesson-\d|post-?mortems?\b|retrospectives?\b)[^\n]{0,80}"
    r"|\W{0,4}(?:\d{1,2}[.)] )?(?:problem(?: statement| description)?|the problem|motivation|status quo|pain points?"
    r"|current (?:state|behaviou?r|situation|limitations?|approach))\W{0,4}"
)
# "This command delegates to the `kiln-keeper` subagent, with:", above what that one does.
_DELEGATES = re.compile(
    r"\b(?:this|the) (?:[\w`-]{1,24} ){0,2}"
    r"(?:delegates|forwards|hands (?:off|over|it|this|everything)|passes (?:it|this))\b"
    r"[^.:]{0,40}\bto (?:the|an?) [^.:]{0,60}\b(?:sub-?agents?|agents?|workers?|skill|script)\b[^.:]{0,60}:"
)
# "- **\"watch\"** — poll a firing until it is done": what a word that somebody sends stands for.
_WORD_OF_A_MESSAGE = re.compile(r"\W{0,4}[\"\u201c'][\w -]{2,30}[\"\u201d']\W{0,4} ?(?:\u2014|\u2013|-|:|=|\u2192) ")
# "You support two operations: **light** (start it) and **watch** (poll until done)".
_ABILITIES = re.compile(
    r"\b(?:supports?|offers?|provides?|recogni[sz]es?|understands?|knows?|has|have|exposes?)"
    r" (?:\w+ )?(?:operations|modes|commands|actions|functions|capabilities|verbs|features)\b[^:]{0,30}: "
)
# "watch (poll until done)"
_GLOSSED = re.compile(r"\W{0,4}[\w-]{2,24}\W{0,4} ?\(")
# "The poll returned nothing", "Poll triggered the firing": what one look came to.
_CAME_TO = frozenset(["returned", "triggered", "succeeded", "showed", "shows", "found", "revealed", "came", "got"])


def is_elsewhere(parsed: Parsed, one: Found, context: Context, value: str) -> bool:
    """Whether what stands around an order to look again says that somebody or something else does it."""
    lead = context.block.lead
    return (
        context.setting.specifies
        or _is_given_in_code(parsed, context, value)
        or _is_said_to_be_code(parsed, one, value)
        or _AS_IT_IS.search(lead) is not None
        or any(_IS_THE_MATTER.fullmatch(heading) for heading in context.block.headings)
        or _DELEGATES.search(lead) is not None
        or _is_what_a_word_stands_for(parsed, context)
        or _is_an_ability(parsed, one, context)
        or _came_to_something(parsed, one)
    )


def _is_given_in_code(parsed: Parsed, context: Context, value: str) -> bool:
    """Whether it names a loop of a shell, or its step goes on with one: that does all of the waiting in one call."""
    if _SHELL_LOOP.search(parsed.sentence.low):
        return True
    if context.block.kind == "fence" and _WATCHED.search(parsed.sentence.low):
        return True
    if context.block.kind not in ("item", "fence", "paragraph"):
        return False
    end = parsed.sentence.place(parsed.tokens[-1].end - 1) + 1
    behind = value[end : end + _FAR].partition("\n\n")[0].partition("\n```")[0]
    found = _SHELL_LOOP.search(behind)
    if found is None or context.block.kind == "paragraph":
        return found is not None
    return _same_step(behind[: found.start()])


def _is_said_to_be_code(parsed: Parsed, one: Found, value: str) -> bool:
    """Whether the sentence, or the one behind it in its block, says that a script or a loop of a shell does it."""
    if one.seconds is not None and one.until:
        return False
    start = parsed.sentence.place(parsed.tokens[0].start)
    end = min(parsed.sentence.block.lines[-1][1], start + len(parsed.sentence.low) + _HOW)
    return _NAMED_LOOP.search(value, start, end) is not None


def _same_step(between: str) -> bool:
    """Whether no further step of an outer list begins between an item and what is given behind it."""
    return re.search(r"\n\d{1,2}[.)] ", between) is None


def _is_what_a_word_stands_for(parsed: Parsed, context: Context) -> bool:
    block = context.block
    return block.kind == "item" and not block.step and _WORD_OF_A_MESSAGE.match(parsed.sentence.low) is not None


def _is_an_ability(parsed: Parsed, one: Found, context: Context) -> bool:
    """ "You support two operations: … and **watch** (poll until done)", also in a line of its own."""
    start = parsed.tokens[one.first].start - parsed.sentence.start
    if _ABILITIES.search(parsed.sentence.low, 0, start):
        return True
    opened = _GLOSSED.match(parsed.sentence.low)
    if opened is None or opened.end() > start + 1 or not context.previous:
        return False
    before = context.previous[-1].sentence
    return before.block.index == context.block.index and _ABILITIES.search(before.low) is not None


def _came_to_something(parsed: Parsed, one: Found) -> bool:
    behind = parsed.tokens[one.first + 1 : one.first + 2]
    return one.verb == "poll" and bool(behind) and behind[0].low in _CAME_TO
