"""Orders to poll a tool that waits by itself, reworded by their shape: what is not wholly understood is left alone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from waitlint.facts import Intent
from waitlint.fix import Applicability, Repair, RewriteText
from waitlint.linked import Tool, ToolText, Wait
from waitlint_rules.telling import DOCUMENTS, Told, again, can_be_rewritten, replacing, safety, told

# Words that an order to poll is made of, before the name of what is called.
_VERBS = re.compile(
    r"(?:"
    r"a|after|again|and|ask|asking|at|before|begin|between|by|call|calling|calls|can|check|checks|checking|continue|"
    r"each|every|fetch|fetching|few|for|get|getting|go|in|invoke|invoking|just|keep|keeps|look|looking|"
    r"minute|minutes|monitor|monitoring|must|need|now|observe|observing|of|on|pause|periodically|ping|"
    r"please|poll|polling|progress|query|querying|read|reading|recheck|regularly|repeat|repeatedly|result|"
    r"retry|retrying|run|running|s|sec|second|seconds|secs|should|simply|sleep|start|state|status|the|"
    r"then|through|to|tool|track|tracking|use|using|via|wait|watch|watching|with|you"
    r"|\d+)",
    re.IGNORECASE,
)
_UNTIL = re.compile(r"\s*,?\s*\b(?:until|till)\s+(?P<end>.+)$", re.IGNORECASE | re.DOTALL)
_WHILE = re.compile(r"\s*,?\s*\b(?:while|as long as|so long as|whenever|if)\s+.+$", re.IGNORECASE | re.DOTALL)
_LAP = re.compile(
    r"\s*,?\s*\b(?:(?:about |roughly |around )?(?:every|each|once (?:a|every|per)) (?:few |couple of |[\w.-]+ )?"
    r"(?:seconds?|secs?|s|minutes?|mins?|m|hours?|\d+ ?(?:s|m|sec|min)?)|again and again|again|repeatedly|periodically|"
    r"regularly|in a loop|at (?:regular |short )?intervals(?: of [\w -]+)?|over and over(?: again)?|continuously|"
    r"frequently|back)\b",
    re.IGNORECASE,
)
_WITH = re.compile(
    r"\s+with (?P<same>the same |that same )?(?P<what>(?:(?:the|that|this|its|your|a) )?[`\"']?\w[\w`\"' -]*?|it)"
    r"(?=\s*$|,|\s+(?:until|till|every|each|once|again|repeatedly|periodically|regularly|while|as long|in a loop|"
    r"at )\b)",
    re.IGNORECASE,
)
_CONDITION = re.compile(
    r"(?:as long as|so long as|while|whenever|when|if|until|unless)\b[^,.;:!?]*,\s*(?:then\s+)?", re.IGNORECASE
)
_LEADS = re.compile(r"\b(?:As long as|So long as|While|Whenever|When|If)\b", re.IGNORECASE)
_OPENING = re.compile(r"(?:^|[\n.;:!?|]|[-*•])[\s>]*(?:\d+[.)]\s+)?(?:\*\*)?$")
_ONGOING = re.compile(
    r"\b(?:still|not (?:yet|done|finished|ready)|n't|in[ _-]?progress|running|pending|queued|processing|building|"
    r"unfinished|incomplete|says?|answers?|returns?|reports?|reads?)\b",
    re.IGNORECASE,
)
_POINTER = re.compile(
    r"\b(?:it|this (?:tool|function|call)|the (?:tool|function)|the same (?:tool|call))\b", re.IGNORECASE
)
_NAMED = re.compile(r"(?P<before>[`*\"']*)[\w./-]+(?:\(\))?(?P<after>[`*\"']*)(?P<kind> (?:tool|function))?")
_WORD = re.compile(r"[\w'-]+")
_FENCE = re.compile(r"^ {0,3}(?:```|~~~)", re.MULTILINE)
_BLANK_LINE = re.compile(r"\r?\n[ \t]*\r?\n")
_LEAST_WIDTH = 60


class _Pieces(NamedTuple):
    """An order taken apart: what is called, with what, until when; and whether it begins like a sentence."""

    thing: str
    arguments: str
    until: str
    capital: bool


def poll_repair(text: ToolText, intent: Intent, tool: Tool, wait: Wait) -> Repair | None:
    """The order to poll a tool, as the truth about it: one call, how long it lasts, what a second one is for."""
    found = _rewritten(text, intent, tool, wait)
    if found is None:
        return None
    change, known = found
    return Repair("say that one call waits", safety(tool, known, intent.confidence), (change,))


def waiter_repair(text: ToolText, intents: Sequence[Intent], waiter: Tool, wait: Wait) -> Repair | None:
    """The orders to poll a tool that only looks, as one call each of the tool that waits for the same thing.

    Never safe: it sends the model to another tool. None if one of the orders is not wholly understood.
    """
    found = [_rewritten(text, intent, waiter, wait, instead=True) for intent in intents]
    changes = [one[0] for one in found if one is not None]
    if len(changes) != len(intents) or (len(changes) > 1 and not text.path.endswith(DOCUMENTS)):
        return None
    return Repair(f"call {waiter.name} once, which waits", Applicability.UNSAFE, tuple(changes))


def _rewritten(
    text: ToolText, intent: Intent, tool: Tool, wait: Wait, *, instead: bool = False
) -> tuple[RewriteText, Told] | None:
    """The change of one order, and what is known of the wait; `instead` where another tool is named in it."""
    if not can_be_rewritten(text) or intent.confidence == "low" or _is_shown_only(text, intent.span.start):
        return None
    start, end = _whole(text.text.value, intent.span.start, intent.span.end)
    pieces = _taken_apart(text.text.value[start:end], intent, start, text.text.value)
    if pieces is None:
        return None
    # What a text has called again and again looks, and starts nothing.
    known = told(tool, wait)._replace(resumed=True)
    if not known.always:
        return None
    if instead:
        pieces = pieces._replace(thing=_in_place_of(pieces.thing, tool.name, text))
    words, start, end = _reworded(text, pieces, known, tool, wait, start, end)
    return replacing(text, start, end, words), known


def _in_place_of(thing: str, name: str, text: ToolText) -> str:
    """A tool's name in the place of another's, with the marks that stand around that one."""
    if not _POINTER.fullmatch(thing):
        marked = re.fullmatch(
            r"(?P<before>[`*\"']*)[\w./-]+(?:\(\))?(?P<after>[`*\"']*)(?P<kind> (?:tool|function))?", thing
        )
        if marked is not None:
            return f"{marked['before']}{name}{marked['after']}{marked['kind'] or ''}"
    return f"`{name}`" if text.path.endswith(DOCUMENTS) else name


def _paragraph(value: str, start: int, end: int) -> tuple[int, int]:
    """Where the paragraph around some words begins and ends."""
    breaks = [found.span() for found in _BLANK_LINE.finditer(value)]
    first = max((after for _, after in breaks if after <= start), default=0)
    return first, min((before for before, _ in breaks if before >= end), default=len(value))


def _is_shown_only(text: ToolText, at: int) -> bool:
    """Whether the words stand in a fence of code, a block quote or quotation marks: they are somebody else's."""
    value = text.text.value
    if len(_FENCE.findall(value, 0, at)) % 2:
        return True
    line = value[value.rfind("\n", 0, at) + 1 : at]
    if line.lstrip().startswith(">"):
        return True
    paragraph = value[_paragraph(value, at, at)[0] : at]
    return paragraph.count('"') % 2 == 1 or paragraph.count("“") > paragraph.count("”")


def _whole(value: str, start: int, end: int) -> tuple[int, int]:
    """The order with the condition that leads to it, where that only says that the work is not done."""
    line = _paragraph(value, start, end)[0]
    for opening in re.finditer(
        r"\b(?:As long as|So long as|While|Whenever|When|If)\b", value[line:start], re.IGNORECASE
    ):
        begin = line + opening.start()
        before, led = value[line:begin], value[begin:start]
        if not _OPENING.search(before) or re.search(r"[.;:!?]", led):
            continue
        if _CONDITION.fullmatch(led) and _ONGOING.search(led):
            return begin, end
        if "," not in led and _CONDITION.match(value[begin:end]) and not led.strip().count(" ") > 2:
            return begin, end
    return start, end


def _taken_apart(clause: str, intent: Intent, start: int, value: str) -> _Pieces | None:
    """The pieces of an order; None where a word of it is not accounted for."""
    capital = clause[:1].isupper() or (clause[:1] in "`*" and _begins_sentence(value, start))
    lead = _CONDITION.match(clause)
    shift = lead.end() if lead and _ONGOING.search(lead[0]) else 0
    if lead and not shift:
        return None
    named = [m for m in intent.mentions if start + shift <= m.span.start and m.span.end <= start + len(clause)]
    if named:
        first, last = named[0].span.start - start, named[0].span.end - start
        if len({mention.name for mention in named}) > 1:
            return None
        while clause[first - 1 : first] in ("`", "*", '"', "'") and clause[last : last + 1] == clause[first - 1]:
            first, last = first - 1, last + 1
        if clause[last : last + 2] == "()":
            last += 2
        if clause[first - 1 : first] == "`" and clause[last : last + 1] == "`":
            first, last = first - 1, last + 1
    else:
        pointer = _POINTER.search(clause, shift)
        if pointer is None:
            return None
        first, last = pointer.span()
    thing = re.sub(r"^the same ", "the ", clause[first:last])
    if not all(map(_VERBS.fullmatch, _WORD.findall(clause[shift:first]))):
        return None
    marks = r"[^\w\s',-]" if intent.kind == "model-sleeps" else r"[^\w\s'-]"
    if re.search(marks, clause[shift:first]):
        return None
    rest, arguments, until = re.sub(r"\s+", " ", clause[last:]), "", ""
    if kind := re.match(r" (?:tool|function)\b", rest):
        thing, rest = thing + kind[0], rest[kind.end() :]
    while rest.strip():
        given, lap = _WITH.match(rest), _LAP.match(rest)
        ended, going = _UNTIL.match(rest), _WHILE.match(rest)
        if given and not arguments:
            what = f"the {given['what']}" if given["same"] else given["what"]
            arguments, rest = f" with {what}", rest[given.end() :]
        elif lap:
            rest = rest[lap.end() :]
        elif ended:
            until, rest = " ".join(ended["end"].split()), ""
        elif going:
            rest = ""
        else:
            return None
    return _Pieces(" ".join(thing.split()), " ".join(arguments.split(" ")).rstrip(), until, capital)


def _begins_sentence(value: str, at: int) -> bool:
    return bool(_OPENING.search(value[:at]))


def _reworded(
    text: ToolText, pieces: _Pieces, known: Told, tool: Tool, wait: Wait, start: int, end: int
) -> tuple[str, int, int]:
    """The new words, and what they replace."""
    value = text.text.value
    call = f"{'Call' if pieces.capital else 'call'} {pieces.thing} once{pieces.arguments}"
    reason = _reason(pieces, known, tool, wait)
    second = again(known, text)
    following = value[end : end + 1]
    if following in (".", "!"):
        before = value[max(value.rfind("\n", 0, start), value.rfind(". ", 0, start)) + 1 : start]
        mark = ";" if ":" in before else ":"
        tail = f". {second[0].upper()}{second[1:]}" if second else ""
        words = f"{call}{mark} {reason}{tail}"
    elif not value[end:].partition("\n")[0].strip() or value[end:].lstrip(" ").startswith("|"):
        words = f"{call}: {reason}{f'; {second}' if second else ''}"
    else:
        words = f"{call} ({reason}{f'; {second}' if second else ''})"
    return _wrapped(value, start, end, words)


def _reason(pieces: _Pieces, known: Told, tool: Tool, wait: Wait) -> str:
    lasts = f", {known.cap_words}" if known.cap_words else ""
    return f"it waits {f'until {pieces.until}' if _is_true(pieces.until, tool, wait) else 'for the result'}{lasts}"


def _is_true(until: str, tool: Tool, wait: Wait) -> bool:
    """Whether what the order waits for may be said of the tool: no state that it doesn't end at, and no "it says"."""
    if not until or re.match(r"(?:it|they|that|this|you|its)\b", until, re.IGNORECASE) or "," in until:
        return False
    known = {state.lower() for state in (*wait.exit_states, *wait.states, *tool.returns_states)}
    named = re.findall(r"[`\"'“]([\w .-]+)[`\"'”]", until) + re.findall(r"\b[A-Z][A-Z_]{2,}\b", until)
    states = [state.lower() for state in named if state.lower() not in ("state", "status", "phase")]
    return all(state in known for state in states)


def _wrapped(value: str, start: int, end: int, words: str) -> tuple[str, int, int]:
    """Words laid out as the paragraph is: where its lines are broken, the new ones are, too.

    The rest of the last line goes with them, up to the blank that a comment left.
    """
    first, last = value.rfind("\n", 0, start) + 1, value.find("\n", end)
    last = len(value) if last < 0 else last
    paragraph_start, paragraph_end = _paragraph(value, start, end)
    lines = value[paragraph_start:paragraph_end].split("\n")
    broken = [line.rstrip() for line in lines if line.strip()]
    item = re.match(r"[ \t]*(?:[-*•]|\d+[.)])[ \t]+", value[first:start])
    continues = "\n" in value[start:end] or (not item and len(broken) > 1)
    width = max((len(line) for line in broken), default=0)
    if not continues or width < _LEAST_WIDTH:
        return words, start, end
    rest = value[end:last]
    kept = len(rest.rstrip())
    margin = re.match(r"[ \t]*", value[first:])
    indent = (margin[0] if margin else "") + (" " * (len(item[0]) - len(margin[0])) if item and margin else "")
    room, line = width, value[first:start]
    out: list[str] = []
    head = len(line)
    for word in f"{words}{rest[:kept]}".split(" "):
        if line.strip() and len(line) + len(word) + (0 if line.endswith(" ") else 1) > room and (out or line[head:]):
            out.append(line)
            line = indent + word
        else:
            line += word if not line.strip() or line.endswith((" ", "\t")) or len(line) == head else f" {word}"
    out.append(line)
    return "\n".join(out)[head:], start, end + kept
