"""What follows "until": a state outside, a page, a test, a person."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

from waitlint.prose import lexicon as lex
from waitlint.prose.acts import Act, Parsed
from waitlint.prose.marks import next_act
from waitlint.prose.moods import MANNER, ORDER
from waitlint.prose.states import states_in
from waitlint.prose.tokens import Token

_HARD_DRAIN = lex.words("hard-drain")
_TERMINAL = lex.words("terminal")
_WORK_ITEMS = lex.words("work-items")
_STATES = frozenset(["status", "state", "terminal", "phase"])
_BE = lex.words("be") | {"has", "have", "gets", "becomes"}
_SHORT = 3
# So near behind a look stands what is asked.
_NEAR_NAME = 5
# "(check for errors)": what is looked at once the wait is over.
_LOOKED_FOR = frozenset(["for", "that", "if", "whether"])
_TO_BE = re.compile(r" to (?:be|become|go) ")
_TO_DO = re.compile(r" to ([a-z]+[^s\W])\b")
_ENDINGS = frozenset(["state", "status", "completion", "readiness", "ready"])
_QUOTES = "'\"\u201d\u2019"
_NONE = frozenset(["no", "zero", "0", "without"])
_FEWEST = 4
_DEFINITE = frozenset(["the", "its", "this", "that"])
_INSIDE = lex.words("known-or-enough")
# "Until pass or fail": whatever comes of it.
_GOOD = frozenset(["pass", "passes", "passed", "green", "success", "succeeds", "succeeded"])
_BAD = frozenset(["fail", "fails", "failed", "red", "failure", "failing"])
_SEES = frozenset(["get", "see", "receive"])
# "Until you get a 200".
_ANSWERED = re.compile(r"20[0-4]")
_LEAVES = frozenset(["not", "false", "true"])
# "from", the one thing, and perhaps its quotation marks, which are words of their own.
_ONE_THING = 3
_THROUGH = frozenset(["to", "till", "until", "through"])
_FOLLOWS = frozenset(["monitor", "watch", "track"])
_MOMENT = re.compile(r"\W?(?:end|now|today|start|to|stop|finish|last)(?:$|_|\W)|_(?:time|date|timestamp|ts)(?:$|_|\W)")


@dataclass(slots=True)
class Until:
    """What follows "until": its words, and which kinds of end they speak of.

    `reached` where it names a state by a word of any kind ("it is shipped"): enough where a tool is asked for it.
    `order` is the token of an order to wait that is carried out by the act, -1 for none.
    `settled` where that word may be an adjective ("the kiln is hot"), and it is said of something outside.
    """

    text: str
    first: int
    last: int
    outside: bool
    literal: bool
    drain: bool
    fix: bool
    user: bool
    terminal: bool
    states: tuple[str, ...]
    reached: bool = False
    settled: bool = False
    order: int = -1
    pages: bool = False


def until(parsed: Parsed, act: Act, limit: int) -> Until | None:
    """The "until" of an act and what kind of end it names."""
    for number in range(act.clause, min(limit, len(parsed.clauses))):
        clause = parsed.clauses[number]
        if number > act.clause and clause.joined == ";":
            return None
        if number > act.clause and clause.kind in ("if", "which", "because") and clause.joined != ",":
            following = parsed.clauses[number + 1 : number + 2]
            if following and following[0].kind == "until":
                return None
        if clause.kind == "until" and clause.first > act.at:
            if _is_range(parsed, act, number):
                return None
            return _until(parsed, number) if clause.first <= next_act(parsed, act) else None
    return _explained(parsed, act) or _waited_by(parsed, act) or _to_the_end(parsed, act)


def _explained(parsed: Parsed, act: Act) -> Until | None:
    """ "Wait until the server is up (poll `acme ping`)": how the order before it is carried out."""
    number = act.clause
    if not number or not _carries_out(parsed, act):
        return None
    before = parsed.clauses[number - 1]
    waited = number - 2 if before.kind == "until" else number - 1
    order = next(
        (
            other
            for other in parsed.acts
            if other.clause == waited and other.lemma in lex.WAIT | lex.WATCHING and other.mood == ORDER
        ),
        None,
    )
    if order is None or order.negated:
        return None
    end = _until(parsed, number - 1) if before.kind == "until" else awaited(parsed, order)
    if end is not None:
        end.order = order.start
    return end


def _waited_by(parsed: Parsed, act: Act) -> Until | None:
    """ "Wait for the build to finish by checking `acme status`": how the order before it is carried out."""
    if act.mood != MANNER or not act.at or parsed.tokens[act.at - 1].low != "by":
        return None
    order = next(
        (one for one in parsed.acts if one.clause == act.clause and one.at < act.at and one.lemma in lex.WAIT), None
    )
    if order is None or order.negated or order.mood != ORDER:
        return None
    end = awaited(parsed, order, act.at - 1)
    if end is not None:
        end.order = order.start
    return end


def _carries_out(parsed: Parsed, act: Act) -> bool:
    """Whether an act stands where it can only say how the order before it is done: "(check …)", "— check …",
    ", checking …"; without parentheses it names what is asked."""
    clause = parsed.clauses[act.clause]
    behind = parsed.tokens[act.verb_at + 1].low if act.verb_at + 1 < len(parsed.tokens) else ""
    if act.at != clause.first or behind in _LOOKED_FOR:
        return False
    if clause.joined == "(":
        return True
    named = any(token.kind in ("code", "name") for token in parsed.tokens[act.verb_at + 1 : clause.last][:_NEAR_NAME])
    return named and (clause.joined in ("dash", ":") if act.form == "base" else clause.joined == ",")


def awaited(parsed: Parsed, act: Act, last: int | None = None) -> Until | None:
    """What an order to wait is "for", as an end: "for the kiln to be hot", "for the `hot` state", "for completion"."""
    span = list(parsed.tokens[act.verb_at + 1 : last or parsed.clauses[act.clause].last])
    while span and span[-1].kind == "mark" and span[-1].text not in _QUOTES:
        span.pop()
    if len(span) < 2 or span[0].low != "for":
        return None
    words = [token.low.strip("`'\"") for token in span]
    verbs = [second for first, second in pairwise(words) if first == "to"]
    ends = any(verb in lex.FINISHES for verb in verbs) or words[-1] in _ENDINGS
    if not ends or not lex.PERSON.isdisjoint(words):
        return None
    states = states_in(span)
    fix = not lex.FIX.isdisjoint(words) and lex.STRONG_STATUS.isdisjoint(words)
    text = _told(parsed.written(act.verb_at + 2, act.verb_at + 1 + len(span)))
    terminal = not _TERMINAL.isdisjoint(words) or "complete" in verbs or "finish" in verbs
    first = act.verb_at + 2
    return Until(text, first, first + len(span) - 1, True, bool(states), False, fix, False, terminal, states)


def _told(awaited: str) -> str:
    """ "The build to finish" as "the build finishes", "all jobs to be done" as "all jobs are done"."""
    subject, _, _ = awaited.partition(" to ")
    if subject.endswith("s") and not subject.endswith(("ss", "us", "is")):
        return _TO_DO.sub(r" \1", _TO_BE.sub(" are ", awaited), count=1)
    return _TO_DO.sub(lambda match: f" {lex.third_person(match[1])}", _TO_BE.sub(" is ", awaited), count=1)


def _to_the_end(parsed: Parsed, act: Act) -> Until | None:
    """ "Poll it to completion", "watch the run through to the end", "monitor the run for completion"."""
    tokens, clause = parsed.tokens, parsed.clauses[act.clause]
    through = _THROUGH | {"for"} if act.lemma in _FOLLOWS else _THROUGH
    for index in range(act.verb_at + 1, clause.last - 1):
        if tokens[index].low == "from":
            return None  # "from creation to completion": along its whole way, and nothing is waited for.
        if tokens[index].low in through and tokens[index + 1].low in lex.AN_END:
            text = tokens[index + 1].text
            return Until(text, index + 1, index + 2, True, False, False, False, False, True, ())
    return None


def _is_range(parsed: Parsed, act: Act, number: int) -> bool:
    """ "query from `start` until `end`": one thing on either side, and nothing is waited for."""
    clause = parsed.clauses[number]
    before = [token for token in parsed.tokens[act.at : clause.first] if token.kind != "mark"]
    behind = [token for token in parsed.tokens[clause.first : clause.last] if token.kind != "mark"]
    lows = [token.low for token in before]
    if "from" not in lows or not behind or len(lows) - lows.index("from") > _ONE_THING:
        return False
    return behind[0].kind != "word" or bool(_MOMENT.search(behind[0].low))


def _until(parsed: Parsed, number: int) -> Until:
    tokens = parsed.tokens
    clause = parsed.clauses[number]
    last = clause.last
    for later in range(number + 1, len(parsed.clauses)):
        following = parsed.clauses[later]
        if any(token.text == ")" for token in tokens[last : following.first]):
            break
        if following.joined not in (",", "or", "and", "nor") or following.kind != "main":
            break
        outcome = following.joined == "or" and tokens[following.first].low in _GOOD | _BAD
        if any(other.clause == later for other in parsed.acts) or (_is_order(tokens, following.first) and not outcome):
            break
        last = following.last
    while last > clause.first and tokens[last - 1].kind == "mark" and tokens[last - 1].text not in "'\"\u201d\u2019":
        last -= 1
    span = tokens[clause.first : last]
    words = {token.low.strip("`'\"") for token in span}
    states = states_in(span)
    text = parsed.written(clause.first, last)
    drain = bool(words & lex.DRAIN) or ("no" in words and "more" in words)
    status = bool(words & lex.STRONG_STATUS) or bool(_STATES & words)
    if status and not words & _HARD_DRAIN:
        drain = drain and bool(words & _WORK_ITEMS)
    if span and span[0].low in ("one", "some", "any"):
        drain = True
    terminal = bool(words & _TERMINAL)
    user = bool(words & lex.USER - _no_person(span))
    outside = bool(words & lex.DONE or words & lex.PENDING or words & lex.STATUS or states)
    outside = outside or any(_ANSWERED.fullmatch(token.text) for token in span)
    outside = outside or _leaves(span) or (len(span) == 1 and span[0].kind in ("name", "code"))
    either = not _GOOD.isdisjoint(words) and not _BAD.isdisjoint(words)
    terminal, outside = terminal or either, outside or either
    fix = bool((words | _said_behind(parsed, number, last)) & lex.FIX) and not either
    found = Until(text, clause.first, last, outside, bool(states), drain, fix, user, terminal, states)
    found.reached, found.settled = _is_reached(span), _is_settled(span)
    found.pages = bool(words & _HARD_DRAIN)
    return found


def comes_out(tokens: list[Token], end: Until) -> bool:
    """Whether an end tells how work outside comes out: "until it passes"."""
    return any(token.low in _GOOD | _BAD for token in tokens[end.first : end.last])


def _said_behind(parsed: Parsed, number: int, last: int) -> set[str]:
    """The words of "(no formula errors)" right behind an end: what that state comes to."""
    for clause in parsed.clauses[number + 1 : number + 2]:
        words = {token.low for token in parsed.tokens[clause.first : clause.last]}
        if clause.joined == "(" and clause.first <= last + 2 and words & _NONE:
            return words
    return set()


def _no_person(span: list[Token]) -> frozenset[str]:
    """What is no person here: "they are all green", "you get a 200", "you see `ready`"."""
    if _are_things(span):
        return frozenset(["they"])
    sees = len(span) > _SHORT - 1 and span[0].low == "you" and span[1].low in _SEES
    words = {token.low for token in span[2:]}
    shown = any(token.kind == "code" or _ANSWERED.fullmatch(token.text) for token in span[2:])
    shown = shown or bool(words & lex.STATUS and words & (_TERMINAL | {"new"}))
    return frozenset(["you"]) if sees and shown else frozenset()


def _are_things(span: list[Token]) -> bool:
    """ "until they are all green", "… either on track or escalated": what is in a state, and no people."""
    rest = [token.low for token in span[1:] if token.low not in lex.ADVERBS and token.low not in lex.DETERMINERS]
    if not span or span[0].low != "they" or len(rest) < _SHORT - 1 or rest[0] not in _BE:
        return False
    lows = [token.low for token in span]
    return rest[1] in lex.DONE or ("either" in lows and "or" in lows)


def _leaves(span: list[Token]) -> bool:
    """ "until it is not", "until computing comes back false"."""
    return bool(span) and (span[-1].low in _LEAVES or any(token.low == "comes" for token in span))


def _is_reached(span: list[Token]) -> bool:
    """ "until it is shipped", "until the parcel has been handed over": a state, by the form of the sentence."""
    for index in range(len(span) - 1):
        if span[index].low in _BE and index:
            rest = [token for token in span[index + 1 :] if token.low not in lex.ADVERBS and token.low not in _BE]
            if rest and rest[0].kind == "word" and rest[0].low.endswith(("ed", "en")) and len(rest) <= _SHORT:
                return True
    return False


def _is_settled(span: list[Token]) -> bool:
    """ "until the kiln is hot": a definite thing, a form of "be", and one word. What is known or enough is inside."""
    if len(span) < _FEWEST or span[0].low not in _DEFINITE or span[-2].low not in _BE or span[-1].kind != "word":
        return False
    return not {token.low for token in span} & _INSIDE


def _is_order(tokens: list[Token], index: int) -> bool:
    if index >= len(tokens):
        return False
    token = tokens[index]
    return (
        token.kind == "word" and token.low in lex.OTHER_ORDERS and token.low not in lex.DONE and token.low != "complete"
    )
