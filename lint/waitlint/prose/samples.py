"""Words that a text only shows: what is offered to somebody, printed, said in a sample, or left to be filled in."""

from __future__ import annotations

import re

from waitlint.prose.acts import Parsed
from waitlint.prose.blocks import SHELLS, Block
from waitlint.prose.context import Context
from waitlint.prose.found import Found

# "Choose:", "How do you want to go on?", above what can be picked.
_OFFERS = re.compile(
    r"\b(?:choose|pick one|select one|reply with|would you like|do you want"
    r"|(?:how|what) (?:should|would|do) (?:you|we|i))\b[^.\n]{0,60}[:?]\W{0,4}$",
    re.IGNORECASE,
)
_PICKED = re.compile(r"[ \t>]{0,20}(?:\d{1,2}[.)]|[-*•]|[a-zA-Z][.)]|\[[\w ]\])[ \t]")
_FARTHEST = 8
# What an agent says to a person, in an answer that is shown.
_SAYS = re.compile(r"\b(?:would you like|shall i|(?:do you )?want me to|let me know (?:if|when))\b", re.IGNORECASE)
_FENCE = re.compile(r"^[ \t>]{0,20}(?:`{3,20}|~{3,20})", re.MULTILINE)
_LONGEST = 6000
# Above a fence with what comes back, or with what is to be said to somebody.
_COMES_BACK = re.compile(
    r"\b(?:outputs?|responses?|results?|reports?|transcript)\b[^.:\n]{0,30}:\W{0,4}$", re.IGNORECASE
)
_TO_BE_SAID = re.compile(
    r"\b(?:say|tell|reply|respond|answer|announce|inform|report|print|output|display|show)\b[^.\n]{0,60}:\W{0,4}$",
    re.IGNORECASE,
)
_TO_AN_AGENT = re.compile(r"agent|worker|teammate|prompt", re.IGNORECASE)
_LEAD = 200
_NEAR = 400
_LABELLED = 3
_WORDS_OF_A_SETTING = 5
_NOTES = re.compile(
    r"\W{0,4}(?:[\w-]{1,16} )?"
    r"(?:notes?|limits?|limitations|configuration|settings|specs?|specifications|defaults)\b"
    r"|\W{0,4}(?:api|technical) details\b"
)
_SETTING = re.compile(r"\W*poll(?:ing)? (?:interval|rate|frequency|timeout)\W")
_WRONG = re.compile(r"\W{0,4}(?:wrong|bad|incorrect)\b[^:.\n]{0,40}:", re.IGNORECASE)
_RIGHT = re.compile(r"\b(?:right|correct|instead|good|better|do)\b[^:.\n]{0,40}:", re.IGNORECASE)
_METHOD = re.compile(r"`?(?:GET|POST|PUT|HEAD) ")
# What a server answers an app whose user has not signed in yet.
_SIGNING_IN = re.compile(r"\bauthorization_pending\b|\bslow_down\b")
# Below it stands what was told above.
_SUMMARY = re.compile(r"\W{0,4}(?:summary|recap)\W{0,4}")
_EXAMPLE = re.compile(r"\W{0,8}(?:example|sample|scenario) \d{1,3}\b")
_USAGE = re.compile(r"^[ \t]{0,8}usage:", re.IGNORECASE | re.MULTILINE)
_SCOPE = re.compile(r"\W{0,4}(?:(?:in|out of) )?scope\W{0,4}")
_IN_SCOPE = re.compile(r"\W{0,4}(?:in|out of) scope\b")
_ALARM = re.compile(r"[^\n]{0,80}\n[ \t>]{0,12}[-*•][ \t]+(?:\*\*)?alert (?:if|when|on|after)\b", re.IGNORECASE)
_WITH_SKILL = re.compile(r"\W{0,4}use \$[\w-]{2,60} to\b")


def is_shown(parsed: Parsed, one: Found, context: Context, value: str) -> bool:
    """Whether a loop stands in what is shown: a menu, a sample answer, a usage text, a placeholder, a scope."""
    start = parsed.sentence.place(parsed.tokens[one.first].start)
    bare = not (one.firm or one.paced or one.seconds)
    return (
        _is_offered(value, start)
        or (bare and _is_of_an_answer(context.block, value, start))
        or _is_a_sample(context.block, value, start)
        or _is_to_be_filled_in(parsed, one)
        or _EXAMPLE.match(parsed.sentence.low) is not None
        or (context.role == "tool-result" and _USAGE.search(value, 0, start) is not None)
        or _is_of_a_scope(parsed, context.block)
        or _is_a_setting(parsed, context)
        or _is_told_as_wrong(context.block, value, start)
        or _is_an_endpoint(parsed, context.block)
        or (bare and _is_of_a_protocol(parsed, value, start))
        or any(_SIGNING_IN.search(cell) for cell in context.block.row[:1])
        or (bare and bool(context.block.headings) and _SUMMARY.fullmatch(context.block.headings[-1]) is not None)
        or _is_a_default(parsed, one)
        or _is_an_alarm(parsed, context.block, value)
        or (context.role == "prompt" and _WITH_SKILL.match(parsed.sentence.low) is not None)
        or (bare and context.block.kind == "cell" and parsed.tokens[max(0, one.first - 1)].text == "(")
    )


def _is_offered(value: str, start: int) -> bool:
    """Whether it is one of the things that somebody is to choose from: the line above those asks which."""
    begin = value.rfind("\n", 0, start) + 1
    if not _PICKED.match(value, begin, start + 1):
        return False
    for _ in range(_FARTHEST):
        end = begin - 1
        begin = value.rfind("\n", 0, max(end, 0)) + 1
        line = value[begin:end] if end > 0 else ""
        if not line.strip() or _PICKED.match(line):
            if end <= 0:
                return False
            continue
        return _OFFERS.search(line[-200:].rstrip()) is not None
    return False


def _is_of_an_answer(block: Block, value: str, start: int) -> bool:
    """Whether the fence around it holds an answer to a person, as it asks that one something."""
    if block.kind != "fence":
        return False
    opened = _opening(value, start)
    closed = _FENCE.search(value, start, start + _LONGEST)
    end = closed.start() if closed else min(len(value), start + _LONGEST)
    return _SAYS.search(value, opened.end() if opened else max(0, start - _LONGEST), end) is not None


def _is_a_sample(block: Block, value: str, start: int) -> bool:
    """Whether the line above the fence says that it holds what comes back, or what is to be said to somebody."""
    opened = _opening(value, start) if block.kind == "fence" and block.fence not in SHELLS else None
    if opened is None:
        return False
    lead = value[max(0, opened.start() - _LEAD) : opened.start()].rstrip().rpartition("\n")[2]
    said = _COMES_BACK.search(lead) or _TO_BE_SAID.search(lead)
    return said is not None and not _TO_AN_AGENT.search(lead)


def _opening(value: str, start: int) -> re.Match[str] | None:
    """The mark that opens the fence around a place."""
    opened = None
    for mark in _FENCE.finditer(value, max(0, start - _LONGEST), start):
        opened = mark
    return opened


def _is_told_as_wrong(block: Block, value: str, start: int) -> bool:
    """ "**Wrong:** start it, then poll it every 3 s", with nothing right told before it."""
    label = _WRONG.match(value, block.lines[0][0], start)
    return label is not None and _RIGHT.search(value, label.end(), start) is None


def _is_a_setting(parsed: Parsed, context: Context) -> bool:
    """ "Poll interval: 3 seconds", printed by a program, or among notes: how a program is set."""
    if not _SETTING.match(parsed.sentence.low):
        return False
    noted = bool(context.block.headings) and _NOTES.match(context.block.headings[-1]) is not None
    alone = len([token for token in parsed.tokens if token.kind in ("word", "number")]) <= _WORDS_OF_A_SETTING
    return context.role == "tool-result" or (noted and alone and not context.block.step)


def _is_of_a_protocol(parsed: Parsed, value: str, start: int) -> bool:
    """ "Poll for the token with the `device_code`", next to the requests of that protocol: how an app signs in."""
    words = {token.low.strip("`") for token in parsed.tokens}
    around = value[max(0, start - _NEAR) : start + _NEAR]
    return "device_code" in words and bool(words & {"token", "tokens"}) and "client_id=" in around


def _is_an_endpoint(parsed: Parsed, block: Block) -> bool:
    """ "- Poll: `GET /runs/ID`", in no order of steps: what an interface is made of."""
    tokens = parsed.tokens
    if block.kind != "item" or block.step or len(tokens) < _LABELLED or tokens[1].text != ":":
        return False
    return len(tokens) <= _LABELLED + 1 and tokens[2].kind == "code" and _METHOD.match(tokens[2].text) is not None


def _is_to_be_filled_in(parsed: Parsed, one: Found) -> bool:
    """ "[Poll: yes or no]": what is to be put there."""
    alone = parsed.tokens[0].text == "[" and parsed.tokens[-1].text == "]"
    return alone and not (one.until or one.seconds or one.named)


def _is_a_default(parsed: Parsed, one: Found) -> bool:
    """ "Absent keys take the defaults (`watch`: poll every 30 s)": what a setting is."""
    before = parsed.tokens[: one.first]
    inside = sum((token.text == "(") - (token.text == ")") for token in before) > 0
    return inside and any(token.low in ("default", "defaults") for token in before)


def _is_an_alarm(parsed: Parsed, block: Block, value: str) -> bool:
    """ "- Monitor `/health` every 30 s", and below it "- Alert if …": what a monitor is set to."""
    end = parsed.sentence.place(parsed.tokens[-1].end - 1) + 1
    return block.kind == "item" and _ALARM.match(value, end) is not None


def _is_of_a_scope(parsed: Parsed, block: Block) -> bool:
    """Whether it is listed under what is in scope: what a skill does, and not when."""
    if _IN_SCOPE.match(parsed.sentence.low) or _IN_SCOPE.match(block.lead):
        return True
    return bool(block.headings) and _SCOPE.fullmatch(block.headings[-1]) is not None
