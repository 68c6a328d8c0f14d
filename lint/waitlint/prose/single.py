"""Looks that are over with one: at each piece of work, before it, or since the reader itself changed something."""

from __future__ import annotations

import re
from itertools import pairwise

from waitlint.prose import lexicon as lex
from waitlint.prose.acts import Parsed
from waitlint.prose.found import Found

# "At the start of each item, poll `count`", "poll the tickets for what is new since the last run".
_ONCE_FOR_EACH = re.compile(
    r"\b(?:at the (?:start|beginning) of (?:each|every)|before any(?:thing)?\b|for (?:each|every)\b"
    r"|since (?:the|your|its) (?:last|previous)|on (?:success|failure|error)"
    r"|one (?:[\w-]{1,20} ){1,4}at a time)\b"
)
# "Poll `/waiting`, never `/all`": what is looked at, and not how often.
_OF_TWO = re.compile(r"poll [^,.;\u2014]{2,40}(?:,| \u2014) (?:never|not) (?:the )?[`/]")
# "Poll the state of things: the register, then each sheet": one look at each of several.
_A_LIST = re.compile(r"\bto (?:get|fetch|see|show) (?:the |a )?(?:current |full )?list\b")
_ONE_AFTER_ANOTHER = re.compile(r"poll [^,.;:(]{2,40}: [^.;:]{3,80}?, (?:and )?then ")
_ERRORS = re.compile(r"\b(?:fail\w*|errors?|exceptions?)\b")
_FAILED = re.compile(
    r"\b(?:time(?:d )?[ -]?outs?|(?:http )?5(?:\d\d|xx)|exit\w*|crash\w*|refused|network|exception|econn\w+|unavailable"
    r"|internal ?error)\b"
)
_TRIES = re.compile(r"\b(?:retry|retries|retrying|try again)\b")

# What is free to be taken: "poll `next_order` for new work".
_WORK_TO_TAKE = re.compile(
    r"\bpoll\w*:? [^.]{0,40}?for (?:(?:the|your|any|more|an?) )?"
    r"(?:(?:new|next|available|ready|open|assigned|incoming|unclaimed) )"
    r"(?:tasks?|work|jobs?|issues?|assignments?)\b(?! (?:status|to|complet|result))"
    r"|\bpoll\w* [^.]{0,40}?for (?:the )?(?:task|work|job) queue\b"
)
# "If `waiting > 0`, poll `orders` to retrieve them": one look takes what is there.
_IS_THERE = re.compile(r"\bif [^,]{1,60}(?:>|≥|>=) ?\d+\b")
# "again after every edit": what the reader itself changed is looked at.
_AFTER_A_CHANGE = re.compile(
    r"\bafter (?:(?:every|each|any|your|making|an?|all) (?:[\w`-]{1,20} ){0,2}"
    r"(?:edits?|changes?|fix(?:es)?|modifications?|renames?|repairs?|corrections?|upgrades?)\b"
    r"|(?:editing|changing|fixing|repairing|upgrading|installing)\b)"
)


def is_after_a_change(parsed: Parsed, one: Found) -> bool:
    """Whether a look is due when the reader has changed something itself, and has no end outside."""
    if one.firm or one.seconds:
        return False
    return _AFTER_A_CHANGE.search(parsed.written(one.first, len(parsed.tokens)).lower()) is not None


def is_one_look(parsed: Parsed, one: Found) -> bool:
    """Whether a bare "poll" is said of one look for each of several things, or of what came since the last."""
    if one.verb not in lex.POLL or one.firm or one.paced or one.seconds:
        return False
    awaited = any(
        first.low in lex.POLL and second.low == "for" for first, second in pairwise(parsed.tokens[one.first : one.last])
    )
    low = parsed.sentence.low
    if _WORK_TO_TAKE.search(low) or _IS_THERE.search(low) or _is_of_several(parsed, one):
        return True
    return not awaited and (_ONCE_FOR_EACH.search(parsed.sentence.low) is not None or _is_for_those(parsed))


def _is_of_several(parsed: Parsed, one: Found) -> bool:
    """ "Poll the checks: `kiln list` for the names, `kiln log` for what failed": one look at each."""
    words = parsed.written(one.first, len(parsed.tokens)).lower()
    if _OF_TWO.match(words) or _ONE_AFTER_ANOTHER.match(words) or _A_LIST.search(words):
        return True
    colon = next((at for at, token in enumerate(parsed.tokens) if token.text == ":"), len(parsed.tokens))
    behind = parsed.tokens[colon + 1 :]
    return (
        len(behind) > 1
        and behind[0].kind == "code"
        and behind[1].low == "for"
        and sum(token.kind == "code" for token in behind) > 1
    )


def _is_for_those(parsed: Parsed) -> bool:
    """ "For `sent` letters: poll their state": those that were in that state before."""
    head = [token for token in parsed.tokens[:6] if token.kind != "number"]
    return len(head) > 3 and head[0].low == "for" and head[1].kind == "code" and ":" in (head[2].text, head[3].text)


def is_a_second_try(parsed: Parsed, one: Found) -> bool:
    """Whether a row of a table of errors has a call that failed made again: nothing is waited for."""
    block = parsed.sentence.block
    if block.kind != "cell" or one.firm or not _ERRORS.search(block.first_column):
        return False
    return _FAILED.search(block.row[0]) is not None and _TRIES.search(parsed.sentence.low) is not None
