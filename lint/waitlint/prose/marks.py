"""What makes an act a loop: intervals, vague repetition, "again", a delay; and how far an act reaches for them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from waitlint.names import UNITS
from waitlint.prose import lexicon as lex
from waitlint.prose.acts import Act, Parsed
from waitlint.prose.durations import Duration, duration_at, every_at
from waitlint.prose.moods import NOUN
from waitlint.prose.tokens import Token

_BEGINS = frozenset(["every", "each", "intervals"])
# Looks further apart than this are a schedule.
SLOWEST = 1800
_SECONDS = re.compile(r"\d{1,6}(?:\.\d{1,3})?")
_GOES_ON = lex.words("goes-on")
_EACH_TIME = 3
# "(up to 5 minutes)", "(max 60 s)", "(5 minutes timeout)".
_OF_A_LIMIT = frozenset(["up", "max", "maximum", "most", "timeout", "limit", "within", "or", "least"])
_FEW_MORE = 3
_BEHIND_A_LENGTH = lex.PREPOSITIONS | {
    *("and", "then", "or", "until", "before", "while", "unless", "if", "total", "max", "maximum")
}
_AT_MOST = frozenset(
    ["up", "to", "at", "most", "a", "maximum", "max", "of", "about", "another", "the", "next", "least"]
)
_PAIR = 2
_LOOKS = frozenset(["checks", "polls", "looks", "probes"])
# "Every (~5 to 10) (tool) calls".
_COUNTS = frozenset(["~", "-", "\u2013", "to", "or", "few", "couple", "of", "several", "other", "about", "roughly"])
_WHOSE = frozenset(["tool", "function", "conversation", "agent"])
_OF_A_READER = frozenset(["call", "calls", "uses", "turn", "turns", "invocations"])
_CALLED = frozenset(["it", "this", "that", "the"])
_SELDOM = tuple(
    tuple(said.split())
    for said in ("every so often", "every once in a while", "every now and then", "now and then", "from time to time")
)
_ENDED = frozenset(["returns", "ends", "exits", "finishes", "times", "expires", "comes"])


@dataclass(slots=True)
class Iteration:
    """`seconds` is the interval if told. `word` is the marker in words. `schedule` where it is hours and more,
    `counted` where it is told in calls or turns of the reader, and not in time."""

    word: str
    seconds: float | None
    first: int
    last: int
    schedule: bool = False
    vague: bool = False
    counted: bool = False


def reach(parsed: Parsed, act: Act) -> int:
    """The index of the clause at which the act's own words end: before the next act, or at the sentence's end."""
    inside = _is_inside(parsed.tokens[: act.at])
    for number in range(act.clause + 1, len(parsed.clauses)):
        clause = parsed.clauses[number]
        between = parsed.tokens[parsed.clauses[number - 1].last : clause.first]
        if inside and any(token.text == ")" for token in between):
            return number
        if clause.joined in (";", "but"):
            return number
        if (
            clause.joined in ("dash", ":", "arrow")
            and parsed.tokens[clause.first].low not in _GOES_ON
            and not _is_a_pace(parsed.tokens, clause.first)
            and clause.kind != "until"
            and not (clause.joined == ":" and number == act.clause + 1 and parsed.tokens[clause.first].kind == "code")
        ):
            return number
        if clause.kind != "main" or clause.joined == "or":
            continue
        shared = (
            number == act.clause + 1 and clause.joined == "and" and parsed.clauses[act.clause].last == act.verb_at + 1
        )
        if any(other.clause == number and other.mood != NOUN for other in parsed.acts) or (
            _orders(parsed, number) and not shared
        ):
            return number
    return len(parsed.clauses)


def _is_a_pace(tokens: list[Token], index: int) -> bool:
    """ "Repeat step 2 — 2 minutes between checks"."""
    found = duration_at(tokens, index) if tokens[index].kind == "number" else None
    return found is not None and any(token.low == "between" for token in tokens[found.last + 1 : found.last + 2])


def _is_inside(tokens: list[Token]) -> bool:
    """Whether a parenthesis is open behind these tokens."""
    return sum((token.text == "(") - (token.text == ")") for token in tokens) > 0


def _orders(parsed: Parsed, number: int) -> bool:
    """Whether a clause begins with an order of another kind: ", report the result"."""
    clause = parsed.clauses[number]
    index = clause.first
    while index < clause.last and (parsed.tokens[index].low in lex.ADVERBS or parsed.tokens[index].low in lex.MARKERS):
        index += 1
    token = parsed.tokens[min(index, clause.last - 1)]
    if token.kind != "word" or token.low not in lex.OTHER_ORDERS or token.low in lex.DONE:
        return False
    return clause.joined in ("and", "then", "dash", "arrow", ":", "or") or (
        clause.joined == "," and index + 1 < clause.last
    )


def next_act(parsed: Parsed, act: Act) -> int:
    """The token at which the next act begins that takes markers to itself; the number of tokens if none does."""
    for other in parsed.acts:
        if (
            other is not act
            and not (other.lemma == "use" and other.form == "ing")
            and other.at > act.verb_at
            and (other.mood != NOUN or other.form == "ing")
            and parsed.clauses[other.clause].kind == "main"
        ):
            return max(other.at, act.verb_at + 1)
    return len(parsed.tokens)


def iteration(parsed: Parsed, act: Act, limit: int) -> Iteration | None:
    """The marker of repetition that belongs to an act: before it in its clause, or after it up to its reach."""
    tokens = parsed.tokens
    first = parsed.clauses[act.clause].first
    if act.clause and parsed.clauses[act.clause].joined in (",", ":"):
        before = parsed.clauses[act.clause - 1]
        if before.kind in ("until", "if") and act.clause > 1:
            before = parsed.clauses[act.clause - 2]
        if parsed.clauses[act.clause].joined == ":" and tokens[before.first].low not in _BEGINS:
            before = parsed.clauses[act.clause]
        if any(token.low in _BEGINS for token in tokens[before.first : before.first + 3]):
            first = before.first
    last = min(parsed.clauses[limit - 1].last, next_act(parsed, act))
    vague: Iteration | None = None
    for index in range(first, last):
        token = tokens[index]
        if token.kind != "word" or token.quoted:
            continue
        low = token.low
        if low in ("every", "each"):
            if index and tokens[index - 1].low in ("not", "than"):
                continue
            found = every_at(tokens, index)
            if found is not None:
                return _interval(tokens, found, index)
            if (turns := _counted(tokens, index)) is not None:
                return turns
            if index + _EACH_TIME < len(tokens) and _returns(tokens, index):
                return Iteration("each time it returns", None, index, index + _EACH_TIME)
            vague = vague or _now_and_then(tokens, index)
        elif low == "once" and (paced := _once_per(tokens, index)) is not None:
            return paced
        elif low in ("interval", "intervals", "apart", "cadence"):
            found = _interval_before(tokens, index)
            if found is not None:
                return Iteration("at intervals", found.seconds, found.first, index)
            set_by_somebody = {"on", "at"} & {token.low for token in tokens[max(0, index - 3) : index - 1]}
            if index and (
                set_by_somebody
                or (
                    low != "cadence"
                    and (
                        tokens[index - 1].low in ("regular", "at", "fixed", "short", "increasing")
                        or (index > 1 and tokens[index - 2].low == "at")
                    )
                )
            ):
                vague = Iteration("at intervals", None, index - 1, index, vague=True)
        elif low == "between" and (paced := _between_looks(tokens, index)) is not None:
            return paced
        elif low in ("from", "now"):
            vague = vague or _now_and_then(tokens, index)
        elif low in lex.VAGUE_ITERATION:
            if tokens[index - 1].low not in ("more", "less", "too") and _qualifies(tokens, index, act, last):
                vague = vague or Iteration(low, None, index, index, vague=True)
        elif low == "loop" and {"in", "inside", "with"} & _lows(tokens, index) and {"a", "an"} & _lows(tokens, index):
            vague = vague or Iteration("in a loop", None, index - 1, index)
        elif low == "backoff":
            vague = vague or Iteration("with backoff", None, index, index, vague=True)
    return vague


def _lows(tokens: list[Token], index: int) -> set[str]:
    return {token.low for token in tokens[max(0, index - 4) : index]}


def _qualifies(tokens: list[Token], index: int, act: Act, last: int) -> bool:
    """Whether an adverb belongs to the act and not to a word behind it ("frequently used data")."""
    if index < act.at:
        between = tokens[index + 1 : act.at]
        return all(
            token.low in lex.ADVERBS or token.low in (",", "and", "or", "you", "must", "should") for token in between
        )
    if index + 1 >= last:
        return True
    following = tokens[index + 1]
    return (
        following.kind in ("mark", "dash", "arrow", "dots")
        or following.low in lex.PREPOSITIONS
        or following.low in ("to", "while", "until", "and", "or", "when", "if")
    )


def _interval(tokens: list[Token], found: Duration, index: int) -> Iteration:
    words = " ".join(token.text for token in tokens[index : found.last + 1])
    schedule = (found.seconds or found.unit) > SLOWEST or found.unit >= 3600
    return Iteration(words, found.seconds, index, found.last, schedule=schedule)


def _counted(tokens: list[Token], index: int) -> Iteration | None:
    """ "Every ~10 tool calls", "every few turns": what the reader does meanwhile is counted."""
    last = index + 1
    while last < len(tokens) and (tokens[last].kind == "number" or tokens[last].low in _COUNTS):
        last += 1
    told = last > index + 1
    before = tokens[index - 1].low if index else ""
    if tokens[index].low != "every" or (before in lex.PREPOSITIONS and not (told and before == "after")):
        return None
    if last + 1 < len(tokens) and tokens[last].low in _WHOSE:
        last += 1
    if last >= len(tokens) or tokens[last].low not in _OF_A_READER:
        return None
    words = " ".join(token.text for token in tokens[index : last + 1])
    return Iteration(words.replace("~ ", "~"), None, index, last, counted=True)


def _now_and_then(tokens: list[Token], index: int) -> Iteration | None:
    """ "Every so often", "every now and then", "from time to time"."""
    for said in _SELDOM:
        if tuple(token.low for token in tokens[index : index + len(said)]) == said:
            return Iteration(" ".join(said), None, index, index + len(said) - 1, vague=True)
    return None


def _returns(tokens: list[Token], index: int) -> bool:
    """ "Each time it returns", "every time the command ends": at once, over and over."""
    time, subject, verb = (tokens[index + step].low for step in range(1, _EACH_TIME + 1))
    if subject == "the" and index + _EACH_TIME + 1 < len(tokens):
        verb = tokens[index + _EACH_TIME + 1].low
    return time == "time" and subject in _CALLED and verb in _ENDED


def _once_per(tokens: list[Token], index: int) -> Iteration | None:
    """ "Once per minute", "once a minute", "once per 30 seconds"; "no more than once per minute" limits the pace."""
    if index and tokens[index - 1].low in ("than", "most", "only"):
        return None
    per = tokens[index + 1 : index + 3]
    if len(per) < _PAIR or per[0].low not in ("per", "a", "an"):
        return None
    unit = UNITS.get(per[1].low, 0.0) if per[1].kind == "word" and len(per[1].low) > _PAIR else 0.0
    found = Duration(unit, unit, index, index + 2) if unit else duration_at(tokens, index + 2)
    return _interval(tokens, Duration(found.seconds, found.unit, index, found.last), index) if found else None


def _interval_before(tokens: list[Token], index: int) -> Duration | None:
    if index + 2 < len(tokens) and tokens[index + 1].low == "of":
        return duration_at(tokens, index + 2)
    for back in range(2, 9):
        if index - back < 0:
            return None
        found = duration_at(tokens, index - back)
        if found is not None and found.last >= index - 2:
            return found
    return None


def _between_looks(tokens: list[Token], index: int) -> Iteration | None:
    """ "2 minutes between checks", "with 10 s between two polls"."""
    looks = any(token.low in _LOOKS for token in tokens[index + 1 : index + 4])
    found = _interval_before(tokens, index + 1) if looks else None
    if found is None or found.last != index - 1 or (found.first and tokens[found.first - 1].low == "of"):
        return None
    return Iteration("at intervals", found.seconds, found.first, index, schedule=(found.seconds or 0) > SLOWEST)


def again(parsed: Parsed, act: Act, limit: int) -> int | None:
    """The index of the word that says that the act is done once more, or None."""
    tokens = parsed.tokens
    if act.lemma in lex.RETRY or act.lemma in lex.ANEW:
        return act.at
    clause = parsed.clauses[act.clause]
    for index in range(clause.first, min(parsed.clauses[limit - 1].last, act.at + 25)):
        low = tokens[index].low
        if low == "again":
            if not _is_of_what_follows(tokens, index, act.at):
                return index
        elif (low == "back" and index == act.verb_at + 1 and act.lemma == "check") or (
            low in ("more", "later") and index and tokens[index - 1].low in ("once", "time")
        ):
            return index
    return None


def _is_of_what_follows(tokens: Sequence[Token], at: int, act: int) -> bool:
    """ "use `index` to index it before searching again": what is done again comes after the act."""
    return any(
        tokens[back].low in ("before", "prior") and tokens[back + 1].low.endswith("ing") and act < back
        for back in range(max(act, at - 6), at - 1)
    )


def delay(parsed: Parsed, act: Act, limit: int) -> Duration | None:
    """ "in 5 seconds", "after 15-30 seconds" behind the act."""
    tokens = parsed.tokens
    clause = parsed.clauses[act.clause]
    start = act.verb_at
    if clause.joined in (",", "") and act.clause and parsed.clauses[act.clause - 1].kind == "after":
        before = parsed.clauses[act.clause - 1]
        if not any(token.text == ")" for token in tokens[before.last : clause.first]):
            start = before.first - 1
    elif tokens[clause.first].low in ("in", "after"):
        start = clause.first
    elif clause.joined in ("then", ",", "and") and act.clause and (given := _given(parsed, act.clause - 1)) is not None:
        return given
    for index in range(start, parsed.clauses[limit - 1].last - 1):
        if tokens[index].low == "whether":
            return None
        if tokens[index].low in ("in", "after", "within"):
            found = duration_at(tokens, index + 1)
            if found is not None:
                return found
    return None


def lasts(parsed: Parsed, act: Act, limit: int) -> Duration | None:
    """ "For up to 5 minutes", "for at most 10 s", "for 30 min" behind the act: how long it goes on."""
    tokens = parsed.tokens
    for index in range(act.verb_at + 1, parsed.clauses[limit - 1].last - 1):
        if tokens[index].low != "for":
            continue
        at = index + 1
        while at < len(tokens) - 1 and tokens[at].low in _AT_MOST:
            at += 1
        found = duration_at(tokens, at)
        if found is None:
            continue
        behind = tokens[found.last + 1 : found.last + 2]
        if not behind or behind[0].kind != "word" or behind[0].low in _BEHIND_A_LENGTH:
            return found  # And not "for the 5-minute values".
    return None


def _given(parsed: Parsed, number: int) -> Duration | None:
    """ "Give it 30 seconds, then …": the time with which the order before ends."""
    clause = parsed.clauses[number]
    if clause.kind != "main" or parsed.tokens[clause.first].low not in lex.GIVES:
        return None
    for index in range(clause.first + 1, clause.last):
        found = duration_at(parsed.tokens, index)
        if found is not None:
            return found if found.last == clause.last - 1 else None
    return None


def waits_for(parsed: Parsed, act: Act) -> Duration | None:
    """How long an order to wait or sleep says: `wait 30 seconds`, `sleep 30`, `wait a few seconds`."""
    tokens = parsed.tokens
    if tokens[act.at].kind == "code":
        number = tokens[act.at].text[6:].split(" ")[0].rstrip("s;")
        return Duration(float(number), 1.0, act.at, act.at) if _SECONDS.fullmatch(number) else None
    index = act.verb_at + 1
    last = min(len(tokens), act.verb_at + 9)
    while index < last and (
        tokens[index].low
        in ("for", "at", "another", "approximately", "briefly", "an", "up", "to", "least", "additional", "exactly")
    ):
        if tokens[index].low == "briefly":
            return Duration(None, 1.0, index, index)
        found = duration_at(tokens, index)
        if found is not None:
            return found
        index += 1
    if index < last:
        found = duration_at(tokens, index)
        if found is not None:
            return found
        if act.lemma == "sleep" and tokens[index].kind == "number":
            return Duration(float(tokens[index].text.replace(",", ".").rstrip(".")), 1.0, index, index)
        if tokens[index].low == "briefly":
            return Duration(None, 1.0, index, index)
    return _in_parentheses(parsed, act)


def _in_parentheses(parsed: Parsed, act: Act) -> Duration | None:
    """ "Wait for the glaze to settle (2 minutes)": right behind what is waited for, and no limit of it."""
    clause = parsed.clauses[act.clause]
    behind = parsed.clauses[act.clause + 1 : act.clause + 2]
    if not behind or behind[0].joined != "(" or act.keeps or act.form != "base":
        return None
    said = parsed.tokens[act.verb_at + 1 : clause.last]
    if said and (said[0].low != "for" or len(said) == 1):
        return None
    told = duration_at(parsed.tokens, behind[0].first)
    aside = parsed.tokens[behind[0].first : behind[0].last]
    if told is None or any(token.low in _OF_A_LIMIT for token in aside):
        return None
    return told if behind[0].last - told.last <= _FEW_MORE else None
