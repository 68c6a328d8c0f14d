"""What a text says about waiting: that a tool waits, checks once, starts something, hands out an ID, notifies."""

from __future__ import annotations

import re

from waitlint.prose import lexicon as lex
from waitlint.prose import marks
from waitlint.prose.acts import DESCRIBED, ORDER, PURPOSE, Act, Parsed
from waitlint.prose.context import Context
from waitlint.prose.durations import duration_at, said
from waitlint.prose.found import Found

_ID = re.compile(
    r"\b(?:return(?:s|ed|ing)?|get|gives?|hands?|receive|yields?|with|and|you)\b[^.;]{0,40}?\b"
    r"(?:job|task|run|operation|request|session|scan|batch|generation|execution|build|deployment|workflow|crawl|query|"
    r"export|import|render|process|prediction|transaction|mission|report)[ _-]?(?:ids?|uuid|token|handle|ticket)\b"
)
_IMMEDIATELY = re.compile(
    r"\breturn(?:s|ing)?\b[^.;,]{0,40}\b(?:immediately|right away|at once|instantly|straight away)\b(?! (?:when|once|after|if|on))"
    r"|\bimmediately returns?\b|\bfire[- ]and[- ]forget\b|\bnon-?blocking\b|\bwithout (?:waiting|blocking)\b"
)
_BACKGROUND = re.compile(
    r"\b(?:in|as) (?:the|a) background\b|\basynchronous(?:ly)?\b|\basync (?:job|task|operation|run|export)s?\b"
)
_STARTS = re.compile(
    r"\b(?:starts?|kicks? off|launch(?:es)?|enqueues?|queues?|submits?|triggers?|schedules?|initiates?|begins?|creates?|spawns?)"
    r"\b[^.;]{0,40}\b(?:job|task|run|operation|scan|batch|generation|execution|build|deployment|workflow|crawl|export|import|"
    r"render|pipeline|training|process)s?\b"
)
_CHECKS = re.compile(
    r"^\W{0,4}(?:use (?:this|it)(?: tool)? to |this tool |tool to )?"
    r"(?:checks?|gets?|fetch(?:es)?|returns?|retrieves?|reads?|quer(?:y|ies)|polls?|looks? up|shows?|reports?|views?|inspects?)\b"
    r"[^.;,]{0,60}\b(?:status|progress|state)\b"
)
_LONG = re.compile(
    r"\b(?:takes?|taking|took|lasts?|requires?|needs?|runs? for|blocks?|expect|up to|typically|usually|within)\b[^.;]{0,40}?"
    r"\b(?:minutes?|mins?|hours?|hrs?)\b|\b\d{1,3}(?:\s?[-\u2013]\s?\d{1,3})? ?(?:min|minutes|hours)\b"
    r"|\blong[- ]running\b|\b(?:takes?|take) (?:a while|a long time|some time)\b"
)
_NOTIFIED = re.compile(
    r"\b(?:notif(?:y|ies|ied|ication|ications)|delivered automatically|arrives? automatically|pushed (?:to|into)|wakes? you|woken|"
    r"webhooks?|callbacks?|re-?invoked|will be (?:told|informed|alerted|messaged))\b"
)
_ONCE = re.compile(
    r"\b(?:call|use|run|invoke)\b[^.;,]{0,30}\b(?:only |exactly |just )?(?:once|one time)\b(?! (?:per|the|it|you|every))"
    r"|\b(?:one|a single) call\b(?! (?:per|for each))"
)
_RETURNS_WHEN = re.compile(
    r"\breturns?\b[^.;]{0,40}\b(?:only )?(?:when|once|as soon as|after)\b[^.;]{0,30}"
    r"\b(?:complet\w+|finish\w*|done|ready|succeeds?|fails?|terminal|ends?)\b"
)
_CAP = ("up", "most", "max", "maximum", "within", "for", "timeout", "than", "capped", "default")


def read_waits(parsed: Parsed, context: Context) -> list[Found]:
    """Everything but orders that a sentence says about waiting."""
    found = [one for act in parsed.acts if (one := _waiting(parsed, context, act)) is not None]
    low = parsed.sentence.low
    denied = any(one.kind in ("starts", "only-checks") for one in found)
    whole = (0, len(parsed.tokens))
    if not found and _RETURNS_WHEN.search(low) and context.role != "document":
        found.append(Found("waits", "low", "says that it returns when the work is done", *whole))
    if (match := _CHECKS.search(low)) and context.role in ("tool-description", "tool-result", "server-instructions"):
        if not any(one.kind == "waits" for one in found):
            found.append(Found("only-checks", "medium", "says that it looks at a status", *_tokens(parsed, match)))
    if not denied and (match := _IMMEDIATELY.search(low)):
        found.append(Found("starts", "high", f"says {match[0]!r}", *_tokens(parsed, match)))
    elif (match := _BACKGROUND.search(low)) or (match := _STARTS.search(low)):
        found.append(Found("starts", "medium", f"says {match[0]!r}", *_tokens(parsed, match)))
    if match := _ID.search(low):
        found.append(Found("hands-job-id", "medium", f"says {match[0]!r}", *_tokens(parsed, match)))
    if match := _LONG.search(low):
        found.append(_long(parsed, match))
    if match := _NOTIFIED.search(low):
        found.append(Found("notified", "medium", f"says {match[0]!r}", *_tokens(parsed, match)))
    if match := _ONCE.search(low):
        found.append(Found("call-once", "high", f"says {match[0]!r}", *_tokens(parsed, match)))
    return found


def _waiting(parsed: Parsed, context: Context, act: Act) -> Found | None:
    waiting = act.lemma in ("wait", "block", "await") or act.lemma in lex.POLL
    if not waiting or act.subject == "person":
        return None
    clause = parsed.clauses[act.clause]
    told = act.mood == DESCRIBED and act.form in ("s", "base", "ing")
    own = act.mood == ORDER and context.own_description and not act.keeps and act.form == "base"
    purpose = act.mood == PURPOSE and act.lemma == "block"
    if not (told or own or purpose) or (clause.kind in ("if",) and act.form == "base"):
        return None
    first, last = act.start if act.start <= act.at else act.at, _last(parsed, act)
    if act.negated == "no":
        checks = "status" in parsed.sentence.low or any("status" in p.sentence.low for p in context.previous[:1])
        return Found("only-checks" if checks else "starts", "medium", "says that it does not wait", first, last)
    end = marks.until(parsed, act, marks.reach(parsed, act))
    seconds = _cap(parsed, act, last)
    length = f" up to {said(seconds)}" if seconds else ""
    confidence = "medium" if purpose or (act.subject in ("thing",)) else "high"
    reason = f"says that it {'polls' if act.lemma in lex.POLL else 'waits'}{length}"
    return Found("waits", confidence, reason, first, last, seconds, end.states if end else (), end.text if end else "")


def _last(parsed: Parsed, act: Act) -> int:
    last = parsed.clauses[marks.reach(parsed, act) - 1].last
    while last > act.at + 1 and parsed.tokens[last - 1].kind == "mark":
        last -= 1
    return last


def _cap(parsed: Parsed, act: Act, last: int) -> float | None:
    """The number of seconds that the wait lasts at most; an interval ("every 5 s") is none."""
    tokens = parsed.tokens
    for index in range(act.verb_at + 1, last):
        if tokens[index].low in _CAP or (
            tokens[index].kind == "number" and tokens[index - 1].low not in ("every", "each")
        ):
            start = index + 1 if tokens[index].low in _CAP else index
            while start < last and tokens[start].low in ("to", "of", "is", ":", "a", "maximum"):
                start += 1
            found = duration_at(tokens, start) if start < last else None
            if found is not None and found.seconds is not None:
                return found.seconds
    return None


def _long(parsed: Parsed, match: re.Match[str]) -> Found:
    first, last = _tokens(parsed, match)
    seconds = None
    for index in range(first, last):
        if parsed.tokens[index].kind == "number" or parsed.tokens[index].low in ("a", "an", "one", "half"):
            found = duration_at(parsed.tokens, index)
            if found is not None:
                seconds = found.seconds
                break
    return Found("long-job", "medium", f"says {match[0]!r}", first, last, seconds)


def _tokens(parsed: Parsed, match: re.Match[str]) -> tuple[int, int]:
    """The tokens that a match in the sentence's lower-cased text covers."""
    base = parsed.sentence.start
    first = next((i for i, token in enumerate(parsed.tokens) if token.end - base > match.start()), 0)
    last = next((i for i, token in enumerate(parsed.tokens) if token.start - base >= match.end()), len(parsed.tokens))
    return first, max(last, first + 1)


spanned = _tokens
