"""What a text says about waiting: that a tool waits, looks once, starts something, hands out an ID, notifies."""

from __future__ import annotations

import re

from waitlint.prose import ends, marks
from waitlint.prose import lexicon as lex
from waitlint.prose.acts import Act, Parsed
from waitlint.prose.context import Context
from waitlint.prose.durations import duration_at, said
from waitlint.prose.found import Found, tokens_of
from waitlint.prose.guarded import Guarded
from waitlint.prose.moods import DESCRIBED, ORDER, PURPOSE

_JOB = (
    r"(?:job|task|run|operation|request|session|scan|batch|generation|execution|build|deployment|workflow|crawl|query|"
    r"export|import|render|process|prediction|transaction|mission|report|pipeline|training|simulation|backtest)"
)
_ID = Guarded(
    r"\b(?:return(?:s|ed|ing)?|you(?:'ll)? get|gets? back|gives?|hands?|receives?|yields?|responds? with|"
    r"immediately with)\b[^.;:]{0,40}?"
    rf"\b{_JOB}[ _-]?(?:ids?|uuid|token|handle|ticket)\b",
    ("id", "token", "handle", "ticket"),
    ("return", "get", "give", "hand", "receive", "yield", "respond", "immediately"),
)
_ID_FIELD = re.compile(rf"^\W{{0,3}}{_JOB}[ _-]?(?:id|uuid|token|handle)\W{{0,2}}(?: \([^()]{{0,40}}\))?:")
_IMMEDIATELY = Guarded(
    r"(?<!calls )(?<!requests )(?<!reads )(?<!lookups )"
    r"\breturn(?:s|ing)?\b[^.;,]{0,40}\b(?:immediately|right away|at once|instantly|straight away)\b"
    r"(?! (?:when|once|after|if|on))"
    r"|\bimmediately returns?\b|\bfire[- ]and[- ]forget\b"
    r"|\bnon-?blocking\b(?! (?:process|session|command|shell|server|task|thread|i/?o))"
    r"|\bwithout (?:waiting|blocking)\b",
    ("return", "fire", "blocking", "without"),
)
_BACKGROUND = Guarded(
    r"\b(?:in|as) (?:the|a) background\b|\basynchronously\b|\b(?:is|are|runs?) async(?:hronous)?\b|^asynchronous\W"
    rf"|\basync(?:hronous)? (?:[\w-]{{1,20}} ){{0,2}}{_JOB}s?\b",
    ("background", "async"),
)
_STARTS = Guarded(
    r"(?:^\W{0,3}|, |\band |\bthen )"
    r"(?:starts?|kicks? off|launch(?:es)?|enqueues?|queues?|submits?|triggers?|initiates?|begins?|spawns?)"
    rf" (?:an? |the |new |your )?(?:(?!to |for |with |on )[\w-]{{1,24}} ){{0,3}}{_JOB}\b(?! id)",
    ("start", "kick", "launch", "queue", "submit", "trigger", "initiate", "begin", "spawn"),
)
_LOOKS_AT = r"(?:checks?|gets?|fetch(?:es)?|retrieves?|quer(?:y|ies)|polls?|looks? up|inspects?|views?|reads?)"
_CHECKS = Guarded(
    rf"(?:^\W{{0,4}}|\b(?:used?|tool|it) to |\bthis tool |, |\band )(?:{_LOOKS_AT} (?:the |a |an |its |your |this )?"
    r"(?:(?!by |with |of |for |in |about |from |to )[\w'`-]{1,24} ){0,3}"
    r"|(?:returns?|shows?|reports?) (?:the |its )?(?:current |latest |live )(?:[\w'-]{1,20} )?)"
    r"(?:status|progress|state)\b(?= ?(?:of|for|and|or|[,.;:(]|\u2014|-|via|from|until|$))",
    ("status", "progress", "state"),
)
_LONG = Guarded(
    r"\b(?:takes?|taking|took|lasts|last for|requires?|needs?|runs? for|expect|slow|"
    r"(?:finish|complete|ready|done)(?:e?[sd])? in|"
    r"typically|usually|often|allow)\b[^.;]{0,40}?\b(?:minutes?|mins?|hours?|hrs?)\b"
    rf"|\blong[- ]running (?:[\w-]{{1,20}} )?(?:{_JOB}|command|tool|call)s?\b"
    r"|\btakes? (?:a while|a long time|some time)\b",
    ("min", "hour", "hr", "long", "take"),
)
_NOTIFIED = Guarded(
    r"\b(?:you|agent|agents|model|caller|client|user|they|it)(?:'ll| will| are| is| get| gets| may)?(?: be| get)?"
    r"(?: automatically)?(?: be)? (?:notified|informed|alerted|told|woken|messaged|re-?invoked|pinged)\b"
    r"|\b(?:notif(?:y|ies)|wakes?|alerts?|pings?|tells?) you\b"
    r"|\b(?:get|gets|receive|receives|sends?)\b[^.;]{0,20}\b(?:notifications?|message|callback|event)\b[^.;]{0,16}"
    r"\b(?:when|once|on|after|as soon)\b"
    r"|\b(?:delivered|arrives?|pushed|posted|sent|returned|reported|injected) (?:\w{1,12} )?automatically\b"
    r"|\bautomatically (?:delivered|pushed|posted|sent|notified|reported|injected)\b"
    r"|\b(?:webhooks?|callbacks?)\b[^.;]{0,40}\b(?:when|once|complet\w{1,4}|finish\w{0,3}|done|instead|fires?)\b"
    r"|\bnotifications?\b[^.;]{0,12}\b(?:when|once|complet\w{1,4}|finish\w{0,3}|arrives?|automatically)\b",
    (
        "notif",
        "inform",
        "alert",
        "told",
        "woken",
        "messag",
        "invoked",
        "ping",
        "wake",
        "tell",
        "callback",
        "event",
        "automatically",
        "webhook",
    ),
)
_ONCE = Guarded(
    r"\b(?:call|use|run|invoke)\b[^.;,]{0,30}\b(?:only |exactly |just )?(?:once|one time)\b"
    r"(?! (?:per|the|it|you|every|for|all))"
    r"|\b(?:make|use|issue|needs?) (?:only |just )?(?:one|a single) (?:tool )?call\b(?! (?:per|for each))"
    r"|\b(?:one|single) (?:tool )?call (?:is enough|suffices|instead|and wait)",
    ("once", "one ", "single "),
)
_RETURNS_WHEN = Guarded(
    r"\breturns?\b[^.;]{0,40}\b(?:when|once|as soon as|after)\b[^.;]{0,30}"
    r"\b(?:complet\w{1,4}|finish\w{0,3}|done|ready|succeeds?|fails?|terminal|final|ends?)\b",
    ("return",),
)
_POLLS_ITSELF = Guarded(
    r"\b(?:with|uses?|using|through|by|via|does|has|built-in|includ(?:es?|ing)) "
    r"(?:automat(?:ed|ic)|internal|built-in|server-side) (?:polling|waiting)\b",
    ("polling", "waiting"),
)
_CAP = frozenset(["up", "most", "max", "maximum", "within", "for", "timeout", "than", "capped", "default"])
_CLIENTS = frozenset(
    ["client", "clients", "caller", "callers", "frontend", "app", "apps", "your", "loops", "consumers"]
)
_OWN_LOOP = frozenset(["internally", "automatically", "itself", "every", "for", "periodically", "repeatedly", "up"])
_ITSELF = frozenset(
    ["tool", "function", "call", "command", "method", "action", "operation", "skill", "server", "script", "this", "it"]
)
_AFTER_CAP = frozenset(["to", "of", "is", ":", "a", "maximum", "at"])
_BLOCKS_NEXT = frozenset(
    ["until", "till", "for", "up", "while", "and", "or", "at", "the", "internally", "here", "waiting"]
)


def read_waits(parsed: Parsed, context: Context, loops: list[Found]) -> list[Found]:
    """Everything but orders that a sentence says about waiting. `loops` are the orders that were found in it."""
    acts = [act for act in parsed.acts if not any(loop.first <= act.at < loop.last for loop in loops)]
    found = [one for act in acts if (one := _waiting(parsed, context, act)) is not None]
    low = parsed.sentence.low
    if match := _ONCE.search(low):
        found.append(_said("call-once", "high", parsed, match))
    if context.role == "parameter-description":
        return found
    waits = any(one.kind == "waits" for one in found)
    if not waits and context.role != "document" and (match := _POLLS_ITSELF.search(low)):
        found.append(Found("waits", "medium", "says that it polls by itself", *tokens_of(parsed, match)))
        waits = True
    if not waits and context.role != "document" and (match := _RETURNS_WHEN.search(low)):
        found.append(Found("waits", "low", "says that it returns when the work is done", *tokens_of(parsed, match)))
    if context.role not in ("document", "prompt") and not waits and (match := _CHECKS.search(low)):
        found.append(Found("only-checks", "medium", "says that it looks at a status", *tokens_of(parsed, match)))
    if not any(one.kind == "starts" for one in found):
        if match := _IMMEDIATELY.search(low):
            found.append(_said("starts", "high", parsed, match))
        elif (match := _BACKGROUND.search(low)) or (match := _STARTS.search(low)):
            found.append(_said("starts", "medium", parsed, match))
    returns = "return" in context.block.lead or "return" in context.block.heading
    if (match := _ID.search(low)) or (returns and (match := _ID_FIELD.search(low))):
        found.append(_said("hands-job-id", "medium", parsed, match))
    if match := _LONG.search(low):
        found.append(_long(parsed, match))
    if match := _NOTIFIED.search(low):
        found.append(_said("notified", "medium", parsed, match))
    return found


def _said(kind: str, confidence: str, parsed: Parsed, match: re.Match[str]) -> Found:
    words = match[0].strip(" ,;:-*`")
    return Found(kind, confidence, f'says "{words}"', *tokens_of(parsed, match))


def _waiting(parsed: Parsed, context: Context, act: Act) -> Found | None:
    waiting = act.lemma in ("wait", "block") or act.lemma in lex.POLL
    if not waiting or act.subject == "person" or _is_noun(parsed, act):
        return None
    clause = parsed.clauses[act.clause]
    told = act.mood == DESCRIBED and act.form in ("s", "base", "ing")
    own = act.mood == ORDER and context.own_description and not act.keeps and act.form == "base"
    purpose = act.mood == PURPOSE and act.lemma == "block"
    if not (told or own or purpose) or (clause.kind == "if" and act.form == "base"):
        return None
    before = {token.low for token in parsed.tokens[clause.first : act.at]}
    if before & _CLIENTS:
        return None
    if own and any(token.low in ("this", "again") for token in parsed.tokens[act.at : act.at + 4]):
        return None
    first, last = min(act.start, act.at), _last(parsed, act)
    if act.negated == "no":
        checks = "status" in parsed.sentence.low or any(
            "status" in before.sentence.low for before in context.previous[:1]
        )
        return Found("only-checks" if checks else "starts", "medium", "says that it does not wait", first, last)
    end = ends.until(parsed, act, marks.reach(parsed, act))
    seconds = _cap(parsed, act, last)
    length = f" up to {said(seconds)}" if seconds else ""
    reason = f"says that it {'polls' if act.lemma in lex.POLL else 'waits'}{length}"
    confidence = "medium" if purpose or act.subject == "thing" or _is_of_another(parsed, act) else "high"
    if act.lemma in lex.POLL and not (seconds or end) and not _OWN_LOOP & {token.low for token in parsed.tokens}:
        confidence = "low"
    return Found("waits", confidence, reason, first, last, seconds, end.states if end else (), end.text if end else "")


def _is_of_another(parsed: Parsed, act: Act) -> bool:
    """ "Our backend waits for the feed", in the words of a tool: what waits there is hardly the tool itself."""
    if act.subject != "program":
        return False
    before = {token.low.removesuffix("'s") for token in parsed.tokens[parsed.clauses[act.clause].first : act.at]}
    return not before & _ITSELF


def _is_noun(parsed: Parsed, act: Act) -> bool:
    """ "Code blocks", "blocks deletion", "generates engaging polls": no wait."""
    if act.lemma in lex.POLL and act.form == "s" and act.subject == "thing":
        following = parsed.tokens[act.verb_at + 1 : parsed.clauses[act.clause].last]
        return not any(token.kind in ("word", "name", "code") for token in following)
    if act.lemma != "block":
        return False
    index = act.verb_at + 1
    if index >= parsed.clauses[act.clause].last:
        next_clause = parsed.clauses[act.clause + 1 : act.clause + 2]
        alone = act.start == act.at
        return not alone and not (next_clause and next_clause[0].kind in ("until", "if"))
    if parsed.tokens[index].low == "for":
        named = parsed.tokens[index + 1 : index + 2]
        return not named or (named[0].kind != "number" and named[0].low not in ("up", "at", "as", "a", "about"))
    return parsed.tokens[index].low not in _BLOCKS_NEXT


def _last(parsed: Parsed, act: Act) -> int:
    last = parsed.clauses[marks.reach(parsed, act) - 1].last
    while last > act.at + 1 and parsed.tokens[last - 1].kind == "mark":
        last -= 1
    return last


_RATES = frozenset({"every", "each", "per"})


def _cap(parsed: Parsed, act: Act, last: int) -> float | None:
    """The number of seconds that the wait lasts at most; an interval ("every 5 s") is none."""
    tokens = parsed.tokens
    behind = 0
    for index in range(act.verb_at + 1, last):
        if tokens[index - 1].low in _RATES and (rate := duration_at(tokens, index)) is not None:
            behind = rate.last + 1
        if index < behind:
            continue
        capped = tokens[index].low in _CAP
        if not capped and (tokens[index].kind != "number" or tokens[index - 1].low in ("~", "about")):
            continue
        start = index + 1 if capped else index
        while start < last and tokens[start].low in _AFTER_CAP and duration_at(tokens, start) is None:
            start += 1
        found = duration_at(tokens, start) if start < last else None
        if found is not None and found.seconds is not None and tokens[start - 1].low not in _RATES:
            return found.seconds
    return None


def _long(parsed: Parsed, match: re.Match[str]) -> Found:
    first, last = tokens_of(parsed, match)
    found = _said("long-job", "medium", parsed, match)
    for index in range(first, last):
        if parsed.tokens[index].kind == "number" or parsed.tokens[index].low in ("a", "an", "one", "half"):
            span = duration_at(parsed.tokens, index)
            if span is not None:
                found.seconds = span.seconds
                break
    return found
