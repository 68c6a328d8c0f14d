"""What makes an act a loop: intervals, "until", pending states, "again", and what changes between the laps."""

from __future__ import annotations

import re
from dataclasses import dataclass

from waitlint.prose import lexicon as lex
from waitlint.prose.acts import NOUN, Act, Parsed
from waitlint.prose.durations import Duration, duration_at, every_at
from waitlint.prose.tokens import Token

_LITERAL = re.compile(r"[A-Z][A-Z0-9_]{2,}$")
_CHANGED = lex.words("changed")
_DENIALS = lex.words("denials")
_STATE_VERBS = lex.words("state-verbs")
_NO_STATE = lex.words("no-state")
_SECONDS = re.compile(r"\d{1,6}(?:\.\d{1,3})?")
_PLAINLY = frozenset(["running", "pending", "queued", "incomplete", "unfinished", "in-progress"])
_PARAMETERS = frozenset(
    ["argument", "arguments", "parameter", "parameters", "flag", "option", "options", "key", "value"]
)
_GOES_ON = frozenset(["every", "each", "at", "in", "with", "again", "max", "about", "until", "once", "on"])
_LABELS = frozenset(["", "dash", ":", "(", ",", "or", "and"])
_PLACES = frozenset(["next_token", "nexttoken", "cursor", "next_cursor", "offset", "pagetoken", "page_token", "next"])
_TELLING = lex.words("telling")
_PARTS = re.compile(r"[\s=:,'\"|/]")


@dataclass(slots=True)
class Iteration:
    """`seconds` is the interval if told. `word` is the marker in words. `schedule` where it is hours and more."""

    word: str
    seconds: float | None
    first: int
    last: int
    schedule: bool = False
    vague: bool = False


@dataclass(slots=True)
class Until:
    """What follows "until": its words, and which kinds of end they speak of."""

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


def reach(parsed: Parsed, act: Act) -> int:
    """The index of the clause at which the act's own words end: before the next act, or at the sentence's end."""
    for number in range(act.clause + 1, len(parsed.clauses)):
        clause = parsed.clauses[number]
        if clause.joined in (";", "but"):
            return number
        if (
            clause.joined in ("dash", ":", "arrow")
            and parsed.tokens[clause.first].low not in _GOES_ON
            and clause.kind != "until"
        ):
            return number
        if clause.kind != "main":
            continue
        if any(other.clause == number and other.mood != NOUN for other in parsed.acts) or _orders(parsed, number):
            return number
    return len(parsed.clauses)


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
            and other.at > act.verb_at
            and other.mood != NOUN
            and parsed.clauses[other.clause].kind == "main"
        ):
            return max(other.at, act.verb_at + 1)
    return len(parsed.tokens)


def iteration(parsed: Parsed, act: Act, limit: int) -> Iteration | None:
    """The marker of repetition that belongs to an act: before it in its clause, or after it up to its reach."""
    tokens = parsed.tokens
    first = parsed.clauses[act.clause].first
    if act.clause and parsed.clauses[act.clause].joined == ",":
        before = parsed.clauses[act.clause - 1]
        if any(token.low in ("every", "each") for token in tokens[before.first : before.first + 3]):
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
        elif low in ("interval", "intervals", "apart", "cadence"):
            found = _interval_before(tokens, index)
            if found is not None:
                return Iteration("at intervals", found.seconds, found.first, index)
            if (
                index
                and low != "cadence"
                and (
                    tokens[index - 1].low in ("regular", "at", "fixed", "short", "increasing")
                    or (index > 1 and tokens[index - 2].low == "at")
                )
            ):
                vague = Iteration("at intervals", None, index - 1, index, vague=True)
        elif low in lex.VAGUE_ITERATION:
            if _qualifies(tokens, index, act, last):
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
    schedule = (found.seconds or found.unit) > 1800 or found.unit >= 3600
    return Iteration(words, found.seconds, index, found.last, schedule=schedule)


def _interval_before(tokens: list[Token], index: int) -> Duration | None:
    for back in range(2, 9):
        if index - back < 0:
            return None
        found = duration_at(tokens, index - back)
        if found is not None and found.last >= index - 2:
            return found
    return None


def again(parsed: Parsed, act: Act, limit: int) -> int | None:
    """The index of the word that says that the act is done once more, or None."""
    tokens = parsed.tokens
    if (
        act.lemma in lex.RETRY
        or act.lemma.startswith("re-")
        or act.lemma in ("recheck", "rerun", "requery", "refetch", "recall", "repoll")
    ):
        return act.at
    clause = parsed.clauses[act.clause]
    for index in range(clause.first, min(parsed.clauses[limit - 1].last, act.at + 25)):
        low = tokens[index].low
        if low == "again" or (low in ("more", "later") and index and tokens[index - 1].low in ("once", "time")):
            return index
    return None


def delay(parsed: Parsed, act: Act, limit: int) -> Duration | None:
    """ "in 5 seconds", "after 15-30 seconds" behind the act."""
    tokens = parsed.tokens
    clause = parsed.clauses[act.clause]
    start = act.verb_at
    if clause.joined in (",", "") and act.clause and parsed.clauses[act.clause - 1].kind == "after":
        start = parsed.clauses[act.clause - 1].first - 1
    elif tokens[clause.first].low in ("in", "after"):
        start = clause.first
    for index in range(start, parsed.clauses[limit - 1].last - 1):
        if tokens[index].low in ("in", "after", "within"):
            found = duration_at(tokens, index + 1)
            if found is not None:
                return found
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
        in ("for", "at", "another", "approximately", "briefly", "an", "up", "to", "least", "additional")
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
    return None


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
            return _until(parsed, number) if clause.first <= next_act(parsed, act) else None
    return None


def _until(parsed: Parsed, number: int) -> Until:
    tokens = parsed.tokens
    clause = parsed.clauses[number]
    last = clause.last
    for later in range(number + 1, len(parsed.clauses)):
        following = parsed.clauses[later]
        if following.joined not in (",", "or", "and", "nor") or following.kind != "main":
            break
        if any(other.clause == later for other in parsed.acts) or _is_order(tokens, following.first):
            break
        last = following.last
    while last > clause.first and tokens[last - 1].kind == "mark" and tokens[last - 1].text not in "'\"":
        last -= 1
    span = tokens[clause.first : last]
    words = {token.low.strip("`'\"") for token in span}
    states = states_in(span)
    text = " ".join(token.text for token in span if token.text not in ("`",)).strip()
    drain = bool(words & lex.DRAIN) or ("no" in words and "more" in words)
    status = bool(words & lex.STRONG_STATUS) or bool({"status", "state", "terminal", "phase"} & words)
    if status and not words & {
        "page",
        "cursor",
        "next",
        "next_token",
        "remaining",
        "remain",
        "remains",
        "exhausted",
        "empty",
        "null",
    }:
        drain = drain and bool(words & {"items", "rows", "batches", "entries", "records", "every", "each"})
    if span and span[0].low in ("one", "some", "any"):
        drain = True
    terminal = bool(
        words & {"terminal", "status", "complete", "completed", "completes", "done", "finished", "finishes", "ready"}
    )
    user = bool(words & lex.USER)
    outside = bool(words & lex.DONE or words & lex.PENDING or words & lex.STATUS or states)
    outside = outside or _leaves(span) or (len(span) == 1 and span[0].kind in ("name", "code"))
    return Until(text, clause.first, last, outside, bool(states), drain, bool(words & lex.FIX), user, terminal, states)


def _leaves(span: list[Token]) -> bool:
    """ "until it is not", "until computing comes back false"."""
    return bool(span) and (span[-1].low in ("not", "false", "true") or any(token.low == "comes" for token in span))


def _is_order(tokens: list[Token], index: int) -> bool:
    if index >= len(tokens):
        return False
    token = tokens[index]
    return (
        token.kind == "word" and token.low in lex.OTHER_ORDERS and token.low not in lex.DONE and token.low != "complete"
    )


def states_in(span: list[Token]) -> tuple[str, ...]:
    """Names of states among tokens: in backticks, in quotes, or in capitals."""
    found: list[str] = []
    for index, token in enumerate(span):
        text = token.text.strip("`'\"")
        if token.kind == "code":
            for piece in re.split(r"[\s=:,'\"|/]{1,8}", text):
                if (
                    piece
                    and piece.lower() not in ("status", "state", "phase")
                    and re.fullmatch(r"[A-Za-z_-]{2,40}", piece)
                ):
                    found.append(piece)
        elif token.kind in ("word", "name") and (
            (token.quoted or (index and span[index - 1].text in ('"', "'", "\u201c"))) and index + 1 < len(span)
        ):
            if span[index + 1].text in ('"', "'", "\u201d"):
                found.append(text)
        elif (token.kind in ("word", "name") and _LITERAL.match(text) and token.low not in _NO_STATE) or token.low in (
            "in_progress",
            "in-progress",
            "pending_review",
        ):
            found.append(text)
    return tuple(dict.fromkeys(found))


def is_pending(span: list[Token]) -> bool:
    """Whether these tokens say that something has not finished."""
    words = [token.low.strip("`'\"") for token in span]
    denied = -9
    for index, word in enumerate(words):
        token = span[index]
        before = words[index - 1] if index else ""
        if word in _DENIALS:
            denied = index
        elif word in lex.PENDING:
            literal = token.quoted or token.kind == "code" or token.text.isupper() or "_" in word
            alone = not index and (len(words) == 1 or word in _PLAINLY)
            if literal or alone or before in _STATE_VERBS or before in lex.PENDING or not before:
                return True
        elif index - denied <= 4 and (word in lex.DONE or word in ("yet", "url", "result", "exist", "answer")):
            return True
        elif before == "still" and word in (
            "0",
            "empty",
            "not",
            "no",
            "null",
            "none",
            "missing",
            "open",
            "false",
            "there",
        ):
            return True
        elif word == "progress" and before == "in":
            return True
        elif token.kind == "code" and any(part in lex.PENDING for part in _PARTS.split(word)):
            return True
    return False


def pending_condition(parsed: Parsed, act: Act) -> int | None:
    """The clause of the same sentence that says "if it is still running", or None.

    "`running`: keep polling" says so without an "if"; such a clause stands right before the act.
    """
    for number, clause in enumerate(parsed.clauses):
        if number == act.clause or (number > act.clause and clause.kind != "if"):
            continue
        if number < act.clause - 4 or any(c.joined == ";" for c in parsed.clauses[number + 1 : act.clause + 1]):
            continue
        near = number < act.clause <= number + 2 and clause.joined in _LABELS
        if (clause.kind == "if" or near) and is_pending(parsed.tokens[clause.first : clause.last]):
            return number
    return None


def repaired(parsed: Parsed, act: Act, pending: int | None) -> bool:
    """Whether something is ordered between the condition and the act that may change the outcome: "kill it, retry"."""
    if pending is None or pending > act.clause:
        return False
    for clause in parsed.clauses[pending + 1 : act.clause]:
        index = clause.first
        while index < clause.last - 1 and (
            parsed.tokens[index].low in lex.ADVERBS or parsed.tokens[index].low in lex.MARKERS
        ):
            index += 1
        low = parsed.tokens[index].low
        if clause.kind == "main" and low in lex.OTHER_ORDERS and low not in _TELLING:
            return True
    return False


def changed(parsed: Parsed, act: Act, limit: int) -> bool:
    """Whether the next call differs from this one: another page, another argument, a repaired input."""
    tokens = parsed.tokens
    before = {token.low.strip("`'\"") for token in tokens[parsed.clauses[act.clause].first : act.at]}
    if before & _PLACES:
        return True
    last = min(parsed.clauses[limit - 1].last, act.verb_at + 30)
    span = tokens[act.verb_at + 1 : last]
    words = [token.low.strip("`'\"") for token in span]
    if "same" in words:
        return False
    for index, word in enumerate(words):
        if word in ("with", "on", "using", "for", "to") and index + 1 < len(words):
            window = words[index + 1 : index + 5]
            if any(w in _CHANGED or w.startswith(("larger", "next_", "page_", "cursor")) for w in window):
                return True
            if word == "with" and any("=" in w or w in _PARAMETERS for w in window):
                return True
    return "confirmed" in words or any(w in ("next_token", "nexttoken", "next_cursor") for w in words)
