"""What makes an act a loop: intervals, "until", pending states, "again", and what changes between the laps."""

from __future__ import annotations

import re
from dataclasses import dataclass

from waitlint.prose import lexicon as lex
from waitlint.prose.acts import Act, Parsed
from waitlint.prose.durations import Duration, duration_at, every_at
from waitlint.prose.tokens import Token

_LITERAL = re.compile(r"[A-Z][A-Z0-9_]{2,}$")
_CHANGED = frozenset(
    ["different", "larger", "smaller", "modified", "updated", "corrected", "adjusted", "new", "another", "next_token", "next_cursor", "cursor", "offset", "page", "more-specific", "larger", "wider", "narrower", "broader", "real", "confirmed", "confirm", "larger", "alternative", "refined", "fixed", "revised", "missing", "pagetoken", "next", "other", "varied", "remaining"]
)
_NO_STATE = frozenset(["GET", "POST", "PUT", "DELETE", "PATCH", "MUST", "NOT", "AND", "OR", "API", "URL", "JSON", "HTTP", "CI", "PR", "ID",
                       "UNTIL", "THEN", "ALL", "STOP", "NEVER", "AGAIN", "EVERY", "CLI", "MCP", "UI", "AWS", "LLM", "PRS", "SHA", "SQL",
                       "ONCE", "ONLY", "IF", "WAIT", "POLL", "DO", "IMPORTANT", "CRITICAL", "MANDATORY"])  # fmt: skip


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
    states: tuple[str, ...]


def reach(parsed: Parsed, act: Act) -> int:
    """The index of the clause at which the act's own words end: before the next order, or at the sentence's end."""
    for number in range(act.clause + 1, len(parsed.clauses)):
        if parsed.clauses[number].joined == ";":
            return number
        for other in parsed.acts:
            if other.clause == number and other.mood in ("order",) and parsed.clauses[number].kind == "main":
                return number
    return len(parsed.clauses)


def iteration(parsed: Parsed, act: Act, limit: int) -> Iteration | None:
    """The marker of repetition that belongs to an act: before it in its clause, or after it up to its reach."""
    tokens = parsed.tokens
    first = parsed.clauses[act.clause].first
    if act.clause and parsed.clauses[act.clause].joined == ",":
        before = parsed.clauses[act.clause - 1]
        if any(token.low in ("every", "each") for token in tokens[before.first : before.first + 3]):
            first = before.first
    last = parsed.clauses[limit - 1].last
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
            if index and tokens[index - 1].low in ("regular", "at", "fixed", "short", "increasing", "these", "the"):
                vague = vague or Iteration("at intervals", None, index - 1, index, vague=True)
        elif low in lex.VAGUE_ITERATION:
            vague = vague or Iteration(low, None, index, index, vague=True)
        elif (
            low in ("loop", "loops")
            and index >= 2
            and tokens[index - 1].low in ("a", "retry", "polling", "poll", "bounded", "tight")
        ):
            vague = vague or Iteration("in a loop", None, index - 1, index)
        elif low == "backoff":
            vague = vague or Iteration("with backoff", None, index, index, vague=True)
    return vague


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
        if clause.kind == "until" and clause.first > act.at:
            return _until(parsed, number)
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
    span = [token for token in tokens[clause.first : last] if token.kind != "break"]
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
    user = bool(words & lex.USER)
    outside = bool(words & lex.DONE or words & lex.PENDING or words & lex.STATUS or states) or _leaves(span)
    return Until(text, clause.first, last, outside, bool(states), drain, bool(words & lex.FIX), user, states)


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
        elif (token.kind in ("word", "name") and _LITERAL.match(text) and text not in _NO_STATE) or token.low in ("in_progress", "in-progress", "pending_review"):
            found.append(text)
    return tuple(dict.fromkeys(found))


def is_pending(span: list[Token]) -> bool:
    """Whether these tokens say that something has not finished."""
    words = [token.low.strip("`'\"") for token in span]
    negative = False
    for index, word in enumerate(words):
        if word in ("not", "isn't", "hasn't", "n't", "no", "aren't", "haven't", "doesn't", "without", "never", "yet"):
            negative = True
        if word in lex.PENDING and word not in ("creating", "updating", "building", "working", "waiting", "loading"):
            return True
        if (
            word in lex.PENDING
            and index
            and words[index - 1] in ("still", "is", "are", "as", "while", "=", ":", "status", "when", "if")
        ):
            return True
        if negative and (
            word in lex.DONE or word in ("found", "available", "responded", "exist", "yet", "url", "result")
        ):
            return True
        if (
            any(part in lex.PENDING for part in re.split(r"\W{1,4}", word) if len(part) > 6)
            and span[index].kind == "code"
        ):
            return True
    return False


def pending_condition(parsed: Parsed, act: Act) -> int | None:
    """The clause of the same sentence that says "if it is still running", or None."""
    for number, clause in enumerate(parsed.clauses):
        if number >= act.clause and clause.kind != "if":
            continue
        if clause.kind == "if" or (
            number < act.clause and clause.joined in ("if", "", "dash", ":", "(", ",", "or", "and")
        ):
            span = parsed.tokens[clause.first : clause.last]
            if is_pending(span):
                return number
    return None


def changed(parsed: Parsed, act: Act, limit: int) -> bool:
    """Whether the next call differs from this one: another page, another argument, a repaired input."""
    tokens = parsed.tokens
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
            if word == "with" and any("=" in w for w in window):
                return True
    return "confirmed" in words or any(w in ("next_token", "nexttoken", "next_cursor") for w in words)
