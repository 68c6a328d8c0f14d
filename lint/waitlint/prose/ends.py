"""What follows "until": a state outside, a page, a test, a person."""

from __future__ import annotations

import re
from dataclasses import dataclass

from waitlint.prose import lexicon as lex
from waitlint.prose.acts import Act, Parsed
from waitlint.prose.marks import next_act
from waitlint.prose.moods import ORDER
from waitlint.prose.states import states_in
from waitlint.prose.tokens import Token

_HARD_DRAIN = lex.words("hard-drain")
_TERMINAL = lex.words("terminal")
_WORK_ITEMS = lex.words("work-items")
_STATES = frozenset(["status", "state", "terminal", "phase"])
_BE = lex.words("be") | {"has", "have", "gets", "becomes"}
_SHORT = 3
_NONE = frozenset(["no", "zero", "0", "without"])
_FEWEST = 4
_DEFINITE = frozenset(["the", "its", "this", "that"])
_INSIDE = lex.words("known-or-enough")
_SEES = frozenset(["get", "see", "receive"])
# "Until you get a 200".
_ANSWERED = re.compile(r"20[0-4]")
_LEAVES = frozenset(["not", "false", "true"])
# "from", the one thing, and perhaps its quotation marks, which are words of their own.
_ONE_THING = 3
_THROUGH = frozenset(["to", "till", "until", "through"])
_MOMENT = re.compile(r"\W?(?:end|now|today|start|to|stop|finish|last)(?:$|_|\W)|_(?:time|date|timestamp|ts)(?:$|_|\W)")


@dataclass(slots=True)
class Until:
    """What follows "until": its words, and which kinds of end they speak of.

    `reached` where it names a state by a word of any kind ("it is shipped"): enough where a tool is asked for it.
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
    return _explained(parsed, act) or _to_the_end(parsed, act)


def _explained(parsed: Parsed, act: Act) -> Until | None:
    """ "Wait until the server is up (poll `acme ping`)": in parentheses, how the order before them is carried out."""
    number = act.clause
    if number < _SHORT - 1 or parsed.clauses[number].joined != "(" or act.at != parsed.clauses[number].first:
        return None
    waited = parsed.clauses[number - 1]
    if waited.kind != "until" or not any(
        other.clause == number - 2 and other.lemma in lex.WAIT | lex.WATCHING and other.mood == ORDER
        for other in parsed.acts
    ):
        return None
    return _until(parsed, number - 1)


def _to_the_end(parsed: Parsed, act: Act) -> Until | None:
    """ "Poll it to completion", "watch the run through to the end"."""
    tokens, clause = parsed.tokens, parsed.clauses[act.clause]
    for index in range(act.verb_at + 1, clause.last - 1):
        if tokens[index].low == "from":
            return None  # "from creation to completion": along its whole way, and nothing is waited for.
        if tokens[index].low in _THROUGH and tokens[index + 1].low in lex.AN_END:
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
        if any(other.clause == later for other in parsed.acts) or _is_order(tokens, following.first):
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
    fix = bool((words | _said_behind(parsed, number, last)) & lex.FIX)
    found = Until(text, clause.first, last, outside, bool(states), drain, fix, user, terminal, states)
    found.reached, found.settled = _is_reached(span), _is_settled(span)
    found.pages = bool(words & _HARD_DRAIN)
    return found


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
    shown = any(token.kind == "code" or _ANSWERED.fullmatch(token.text) for token in span[2:])
    return frozenset(["you"]) if sees and shown else frozenset()


def _are_things(span: list[Token]) -> bool:
    """ "until they are all green": what is in a state, and no people."""
    rest = [token.low for token in span[1:] if token.low not in lex.ADVERBS and token.low not in lex.DETERMINERS]
    return bool(span) and span[0].low == "they" and len(rest) > 1 and rest[0] in _BE and rest[1] in lex.DONE


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
