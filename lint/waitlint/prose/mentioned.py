"""Looks that a text names without ordering a wait: on demand, in the summary of a command, in tables, as a noun."""

from __future__ import annotations

import re

from waitlint.prose.acts import Parsed
from waitlint.prose.blocks import Block
from waitlint.prose.context import Context
from waitlint.prose.found import Found, in_parentheses

# "Poll it only when the user asks for the result": one look for each question.
_ON_DEMAND = re.compile(
    r"\bonly (?:when|if|after|once) (?:the user|they|someone|somebody|you are|you're)"
    r" (?:explicitly )?(?:asks?|asked|wants?|requests?|says?)\b"
)
# "Light a kiln and watch it until it is hot.", right above how that command is called.
_USAGE = re.compile(
    r"\s{0,8}\n(?:\s|-{3,20}\n){0,12}(?:#{1,6} |\*\*)(?:usage|arguments|parameters|invocation|synopsis|syntax)\b",
    re.IGNORECASE,
)
_FAR = 120
_TO_DO = re.compile(r"\b(?:actions?|do|next|steps?|instructions?|what to do)\b")
# "1. `kilnctl stop` — asks the kiln to stop".
_DESCRIBES = re.compile(r"[ \t]{0,8}\d{1,2}[.)] `[^`\n]{2,120}` ?(?:\u2014|\u2013|-|:) [a-z]{2,20}[^s\W]s [a-z`]")
_SCRIPT = re.compile(r"[\w/.-]{1,80}\.(?:py|sh|js|mjs|ts|ps1)\b")
_HEALTH = re.compile(r"\W{0,4}(?:health|liveness|readiness) ?(?:checks?|probes?)\b")
_QUOTES = frozenset(['"', "\u201c", "\u201d"])
# "async+poll", "the first poll", "between dispatch and poll".
_COUNTED = frozenset(["first", "second", "third", "last", "final", "initial", "previous"])
_OPENS_A_NOUN = frozenset(["(", "the", "a", "an", "its", "your", "after", "before", "since"])
_BETWEEN = 4
# What may stand in parentheses behind the name of an argument.
_TYPES = frozenset(["str", "int", "float", "bool", "dict", "list", "optional", "required", "default", "any", "|"])
_ARGUMENTS = frozenset(["args", "arguments", "parameters", "params"])
_LISTS_ARGUMENTS = re.compile(r"\b(?:args|arguments|parameters|params) ?:")
# A pause so short is one of code.
_SHORTEST = 1
# "Wait 30 s so the user can interrupt": a time that is given to a person.
_FOR_A_WORD = re.compile(r"\bso (?:that )?(?:the|your) (?:user|human|person|operator) (?:can|may|has|could)\b")


def is_mentioned(parsed: Parsed, one: Found, context: Context, value: str) -> bool:
    """Whether a look or a pause is only spoken of, or is due to somebody's word."""
    return (
        _ON_DEMAND.search(parsed.sentence.low) is not None
        or _FOR_A_WORD.search(parsed.sentence.low) is not None
        or (one.seconds is not None and one.seconds < _SHORTEST)
        or _sums_a_command_up(parsed, context.block, value)
        or _is_of_a_row(parsed, context.block)
        or _names_a_row(parsed, one, context.block)
        or _is_a_noun(parsed, one)
        or _is_a_gloss(parsed, one, context)
        or _is_printed_aside(parsed, one, context)
        or _is_a_procedure(parsed, one)
        or _heads_a_command(parsed, one, context)
        or _is_among_descriptions(parsed, context.block, value)
    )


def _sums_a_command_up(parsed: Parsed, block: Block, value: str) -> bool:
    if block.kind != "paragraph":
        return False
    end = parsed.sentence.place(parsed.tokens[-1].end - 1) + 1
    return _USAGE.match(value, end, end + _FAR) is not None


def _is_of_a_row(parsed: Parsed, block: Block) -> bool:
    """Whether a table says what a script does or how health is checked, or quotes what somebody may say."""
    if block.kind != "cell":
        return False
    if parsed.tokens[0].text in _QUOTES and any(token.text in _QUOTES for token in parsed.tokens[1:]):
        return True
    first = block.row[0].strip("`* ") if block.row else ""
    return int(block.step or 0) > 0 and bool(_SCRIPT.fullmatch(first) or _HEALTH.match(first))


def _names_a_row(parsed: Parsed, one: Found, block: Block) -> bool:
    """ "| Poll (`GET /firings/next`) | … |", "| poll | Check the status |": the name of what the row explains."""
    if block.kind != "cell" or int(block.step or 0) or one.first or one.until or one.seconds or one.provided:
        return False
    behind = parsed.tokens[1:2]
    return _TO_DO.search(block.column) is None and (not behind or behind[0].text == "(")


def _is_a_noun(parsed: Parsed, one: Found) -> bool:
    """ "Prefer one call over async+poll", "after the first poll or so", "Poll only when:", "Poll call: `heat`"."""
    if one.verb != "poll" or one.until or one.seconds:
        return False
    behind = [token.low for token in parsed.tokens[one.first + 1 : one.first + 2]]
    if behind in (["call"], ["calls"], ["only"]):
        return True
    if not one.first:
        return False
    verb, word = parsed.tokens[one.first], parsed.tokens[one.first - 1]
    before = [token.low for token in parsed.tokens[max(0, one.first - _BETWEEN) : one.first]]
    if word.text == "+":
        return word.end == verb.start
    counted = word.low in _COUNTED and len(before) > 1 and before[-2] in _OPENS_A_NOUN
    return counted or (word.low == "and" and "between" in before)


def _is_a_gloss(parsed: Parsed, one: Found, context: Context) -> bool:
    """ "wait: Poll until the kiln is hot", among the arguments of a docstring: what the tool does for it."""
    before = parsed.tokens[: one.first]
    while before and (before[-1].text in "(:)," or before[-1].low in _TYPES):
        before = before[:-1]
    if context.role != "tool-description" or not before or parsed.tokens[one.first - 1].text != ":":
        return False
    lead = f"{context.block.lead}\n{' '.join(token.low for token in before)}"
    return before[-1].low not in _ARGUMENTS and _LISTS_ARGUMENTS.search(lead) is not None


def _is_printed_aside(parsed: Parsed, one: Found, context: Context) -> bool:
    """ "Heating (poll in 3 s)", printed by what waits itself: how it goes on."""
    return context.role == "tool-result" and in_parentheses(parsed, one)


def _is_a_procedure(parsed: Parsed, one: Found) -> bool:
    """ "POLL", alone in its line or its part of one: what is done stands below that name."""
    verb = parsed.tokens[one.first]
    behind = parsed.tokens[one.first + 1 : one.first + 2]
    return verb.text.isupper() and not one.first and (not behind or behind[0].kind == "mark")


def _is_among_descriptions(parsed: Parsed, block: Block, value: str) -> bool:
    """ "2. Poll `kilnctl ps` for up to 5 s.", below "1. `kilnctl stop` — asks the kiln to stop": what a recipe does."""
    if block.kind != "item" or not block.step:
        return False
    start, end = parsed.sentence.place(parsed.tokens[0].start), block.lines[-1][1]
    line = value.rfind("\n", 0, start)
    above = value.rfind("\n", 0, line) if line >= 0 else -1
    return _DESCRIBES.match(value, above + 1, start) is not None or _DESCRIBES.match(value, end + 1) is not None


def _heads_a_command(parsed: Parsed, one: Found, context: Context) -> bool:
    """ "### Poll (`/kiln poll NUMBER`)": what that command of the reader's does stands below it."""
    if context.block.kind != "heading":
        return False
    return any(token.kind == "code" and one.verb in token.low.strip("`").split()[1:] for token in parsed.tokens)
