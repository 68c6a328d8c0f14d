"""Sentences cut into clauses, each with the word that joins it and the part it plays."""

from __future__ import annotations

from dataclasses import dataclass

from waitlint.names import UNITS
from waitlint.prose import lexicon as lex
from waitlint.prose.tokens import Sentence, Token

CONDITIONS = frozenset(["if", "when", "whenever", "while", "unless", "where", "whilst"])
UNTIL = frozenset(["until", "till", "'til", "untill"])
TIMES = frozenset(["after", "before", "since", "because", "although", "though", "which", "who", "whether"])
# "The wait/poll loop": no order.
_OF_POLLS = lex.words("noun-after")
_WAITING = lex.WAIT | lex.POLL
_LOOKS_AGAIN = lex.POLL | lex.RETRY
# "until:", "until one of these:": above a list of ends.
_LISTED = frozenset(["either", "any", "one", "all", "of", "these", "the", "following"])
COORDINATE = frozenset(["and", "or", "then", "nor", "&", "plus", "so"])
STRONG = frozenset([";", ":", "\uff1a", "\uff1b", "|", "\u3001"])


@dataclass(slots=True)
class Clause:
    """Tokens `first` to `last` (not included) of a sentence.

    `kind` is main, if, until, after, before, because, which. `joined` is the mark or word that it follows: "" at the
    start, `,` `;` `:` `(` `)` dash arrow, `and` `or` `then` `but` `nor`.
    """

    kind: str
    first: int
    last: int
    joined: str


def cut(sentence: Sentence) -> list[Clause]:
    """The clauses of a sentence, in order; none is empty."""
    tokens = sentence.tokens
    found: list[Clause] = []
    kind, joined, first = "main", "", 0

    def close(at: int, next_first: int, next_joined: str, next_kind: str) -> None:
        nonlocal kind, joined, first
        if first < at:
            found.append(Clause(kind, first, at, joined))
            joined = next_joined
        elif next_joined and not (joined in lex.BOUNDARY_WORDS and next_kind != "main"):
            joined = next_joined if not joined or joined == "," or next_kind == "main" else joined
        kind, first = next_kind, next_first

    for index, token in enumerate(tokens):
        if index < first:
            continue
        low = token.low
        if token.kind == "arrow" and _between_times(tokens, index):
            continue
        if token.kind in ("dash", "arrow", "dots"):
            close(index, index + 1, "arrow" if token.kind == "arrow" else "dash", "main")
        elif token.kind == "mark":
            if (low == "+" and index > first and _orders_next(tokens, index)) or (
                low == "/" and index == first + 1 and _orders_next(tokens, index) and tokens[first].low in _WAITING
            ):
                close(index, index + 1, "and", "main")
            elif low == ":" and kind == "until" and all(word.low in _LISTED for word in tokens[first:index]):
                first = index + 1
            elif low in STRONG or low in "()":
                close(index, index + 1, low, "main")
            elif low == "," or low == "\uff0c":
                close(index, index + 1, ",", "main")
        elif token.kind != "word":
            continue
        elif low in COORDINATE or low == "but" or low == "yet":
            if low == "then" and index == first and joined in (",", "and", "or", "but"):
                joined, first = "then" if joined == "," else joined, index + 1
                continue
            goes_on = low == "then" and index > first and tokens[index - 1].low != "and"
            if low == "but" or goes_on or _verb_follows(tokens, index + 1):
                inside = kind == "if" and low in ("and", "or") and _subject_follows(tokens, index + 1)
                close(index, index + 1, low, "if" if inside else "main")
        elif low in UNTIL:
            close(index, index + 1, "until", "until")
        elif low in CONDITIONS:
            if low == "where" and index and tokens[index - 1].low in ("to", "from"):
                continue
            close(index, index + 1, low, "if")
        elif low == "as" and index + 2 < len(tokens) and tokens[index + 1].low in ("long", "soon"):
            close(index, index + 3, "while", "if")
        elif low == "once":
            if _once_joins(tokens, index, first):
                close(index, index + 1, "once", "if")
        elif low in TIMES:
            close(index, index + 1, low, low if low in ("after", "before") else "which")
    if first < len(tokens):
        found.append(Clause(kind, first, len(tokens), joined))
    return found


def _orders_next(tokens: list[Token], index: int) -> bool:
    """ "Settle + poll the checks", "wait/poll until it is ready": a mark that joins two orders."""
    following = tokens[index + 1] if index + 1 < len(tokens) else None
    if following is None or following.kind != "word" or following.low not in _LOOKS_AGAIN:
        return False
    further = tokens[index + 2].low if index + 2 < len(tokens) else ""
    return further not in _OF_POLLS


def _between_times(tokens: list[Token], index: int) -> bool:
    """ "2 s → 5 s": one interval and not two clauses."""
    return 0 < index < len(tokens) - 1 and tokens[index - 1].low in UNITS and tokens[index + 1].kind == "number"


def _verb_follows(tokens: list[Token], index: int) -> bool:
    """Whether a verb begins here, adverbs and a subject pronoun passed over."""
    for _ in range(4):
        if index >= len(tokens):
            return False
        token = tokens[index]
        if token.kind != "word":
            return False
        low = token.low
        if low in lex.VERBS or low in lex.OTHER_ORDERS or low in lex.MODALS:
            return True
        if low in ("don't", "do", "does", "doesn't", "is", "are", "never", "not", "it", "you", "if", "when", "once"):
            return True
        if low not in lex.ADVERBS and low not in ("then", "to", "please", "the"):
            return False
        index += 1
    return False


def _subject_follows(tokens: list[Token], index: int) -> bool:
    return index < len(tokens) and tokens[index].low in (
        "you",
        "it",
        "they",
        "we",
        "the",
        "there",
        "is",
        "its",
        "no",
        "not",
    )


def _once_joins(tokens: list[Token], index: int, first: int) -> bool:
    if index + 1 >= len(tokens):
        return False
    following = tokens[index + 1]
    if following.kind == "mark" or following.low in (
        "per",
        "rather",
        "and",
        "or",
        "every",
        "with",
        "for",
        "instead",
        "more",
    ):
        return False
    if index == first or tokens[index - 1].kind in ("mark", "dash"):
        return True
    if following.low in ("the", "it", "they", "all", "you", "its", "this", "that"):
        return True
    return following.low in lex.DONE and following.low not in ("up", "over")
