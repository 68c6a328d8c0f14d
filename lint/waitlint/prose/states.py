"""States: which are named, and whether something is said to be unfinished."""

from __future__ import annotations

import re

from waitlint.prose import lexicon as lex
from waitlint.prose.acts import Act, Parsed
from waitlint.prose.tokens import Token

_LITERAL = re.compile(r"[A-Z][A-Z0-9_]{2,}$")
_STATE = re.compile(r"[A-Za-z_-]{2,40}")
_PARTS = re.compile(r"[\s=:,'\"|/]")
_DENIALS = lex.words("denials")
_STATE_VERBS = lex.words("state-verbs")
_NO_STATE = lex.words("no-state")
_STILL = lex.words("still")
_FIELDS = frozenset(["status", "state", "phase"])
_SNAKES = frozenset(["in_progress", "in-progress", "pending_review"])
_MARKS = frozenset(["=", "==", ":", ""])
_PLAINLY = frozenset(["running", "pending", "queued", "incomplete", "unfinished", "in-progress"])
_LABEL = 3
# "It hasn't looked at the last of them yet": so far from its denial may "yet" stand.
_AT_THE_END = 7
_MISSING = frozenset(["yet", "url", "result", "exist", "answer"])
_SETS = frozenset(["set", "transition", "move", "mark", "change", "switch", "update", "put", "label"])
_ARTICLES = frozenset(["a", "an", "the", "any", "enough"])
_RUNS = frozenset(["run", "execute", "re-run", "rerun"])
_QUOTES = frozenset(['"', "'", "\u201c", "\u201d"])
_LABELS = frozenset(["", "dash", ":", "(", ",", "or", "and"])


def states_in(span: list[Token]) -> tuple[str, ...]:
    """Names of states among tokens: in backticks, in quotes, or in capitals."""
    found: list[str] = []
    opened = ""
    for index, token in enumerate(span):
        if token.text in _QUOTES:
            opened = "" if opened else token.text
            continue
        text = token.text.strip("`'\"")
        if token.kind == "code":
            pieces = _PARTS.split(text)
            found.extend(piece for piece in pieces if piece.lower() not in _FIELDS and _STATE.fullmatch(piece))
        elif token.kind in ("word", "name") and opened and span[index - 1].text == opened and index + 1 < len(span):
            if span[index + 1].text in _QUOTES:
                found.append(text)
        elif (
            token.kind in ("word", "name") and _LITERAL.match(text) and token.low not in _NO_STATE
        ) or token.low in _SNAKES:
            found.append(text)
    return tuple(dict.fromkeys(found))


def is_pending(span: list[Token], *, condition: bool = False) -> bool:
    """Whether these tokens say that something has not finished; in a condition, "not found" says so too."""
    words = [token.low.strip("`'\"") for token in span]
    denied = -9
    for index, word in enumerate(words):
        token = span[index]
        before = words[index - 1] if index else ""
        if word in _DENIALS:
            denied = index if not token.quoted else denied
        elif word in lex.PENDING:
            literal = token.quoted or token.kind == "code" or token.text.isupper() or "_" in word
            labelled = index == len(words) - 1 and len(words) <= _LABEL and word in _PLAINLY
            alone = labelled or (not index and (len(words) == 1 or word in _PLAINLY))
            field = before in _MARKS and index > 1 and words[index - 2] in _FIELDS
            if literal or alone or field or before in _STATE_VERBS or before in lex.PENDING:
                return True
        elif (
            (
                index - denied <= (_AT_THE_END if word == "yet" else 3)
                and (word in lex.DONE or word in _MISSING or (condition and word == "found"))
                and not (word == "yet" and index + 1 < len(words) and words[index + 1] in _ARTICLES)
            )
            or (before == "still" and word in _STILL)
            or (word == "active" and "another" in words[:index])
            or (word == "progress" and before == "in")
            or (token.kind == "code" and any(part in lex.PENDING for part in _PARTS.split(word)))
        ):
            return True
    return False


def is_set(span: list[Token]) -> bool:
    """Whether a state is what something is to be put into: "move the issue to *In Progress*"."""
    return any(token.low in _SETS for token in span[:6]) and any(token.low in ("to", "as") for token in span)


def _is_command(parsed: Parsed, first: int, last: int) -> bool:
    """ "Run `kiln update --state in_progress` to see why, …": something is run, and no state is told."""
    words = [token for token in parsed.tokens[first:last] if token.kind not in ("mark", "dash")]
    while words and words[0].low in lex.ADVERBS:
        words = words[1:]
    return len(words) > 1 and words[0].low in _RUNS and words[1].kind in ("code", "name")


def pending_condition(parsed: Parsed, act: Act) -> int | None:
    """The clause of the same sentence that says "if it is still running", or None.

    "`running`: keep polling" says so without an "if"; such a clause stands right before the act.
    """
    for number, clause in enumerate(parsed.clauses):
        if number == act.clause or (number > act.clause and clause.kind != "if"):
            continue
        if any(later.kind == "main" for later in parsed.clauses[act.clause + 1 : number]):
            continue
        if number < act.clause - 4 or any(c.joined == ";" for c in parsed.clauses[number + 1 : act.clause + 1]):
            continue
        near = number < act.clause <= number + 2 and clause.joined in _LABELS
        asked = clause.kind == "if"
        if near and not asked and _is_command(parsed, clause.first, clause.last):
            continue
        if clause.kind in ("before", "after"):
            continue  # "Before running `heat up`, look at the kiln again": what is to be run, and no state.
        if (asked or near) and is_pending(parsed.tokens[clause.first : clause.last], condition=asked):
            return number
    return None
