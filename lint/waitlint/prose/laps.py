"""What changes between two laps: where the next call differs or something was mended, it is no poll."""

from __future__ import annotations

from itertools import pairwise

from waitlint.prose import lexicon as lex
from waitlint.prose.acts import Act, Parsed

_CHANGED = lex.words("changed")
_REMEDIES = lex.words("remedies")
_TELLING = lex.words("telling")
_PARAMETERS = lex.words("parameters")
_PLACES = lex.words("places")
_RUNS = frozenset(["run", "execute", "use"])
_IN_PERSON = frozenset(
    ["browser", "approve", "authorize", "authorise", "authenticate", "consent", "oauth", "login", "sign-in", "signin"]
)
_SIGNING_IN = frozenset([("sign", "in"), ("log", "in"), ("signed", "in"), ("logged", "in")])
_STARTS = frozenset(["start", "launch", "open", "create", "add", "register", "spawn"])
_ONE_MORE = frozenset(["a", "an", "another", "one", "more"])
_PASSES_TIME = ("sleep", "wait")
_NEXT_PIECE = ("larger", "next_", "page_", "cursor", "nextpage", "nextcursor", "pagination.")
_NAMES_A_PIECE = (".nextpage", ".next_page", ".nextcursor", ".next_cursor", ".cursor", "hasnextpage", "has_more")


def _is_identifier(word: str) -> bool:
    """Whether an argument says which work is meant, and so is the same in each lap."""
    return " " in word or (word.endswith(("id", "ids", "uuid", "token", "number", "name")) and word != "name")


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
        if clause.kind == "main" and _is_done_by_a_person(parsed, clause.first, clause.last):
            return True
        if clause.kind == "main" and (low in lex.OTHER_ORDERS or low in _REMEDIES) and low not in _TELLING:
            return True
        if clause.kind == "main" and low in _RUNS and _is_another_command(parsed, index + 1, act):
            return True
    return False


def _is_done_by_a_person(parsed: Parsed, first: int, last: int) -> bool:
    """ "Complete the login in your browser, then call this again": the next call comes after what somebody does."""
    words = [token.low for token in parsed.tokens[first:last]]
    signs_in = any(pair in _SIGNING_IN for pair in pairwise(words))
    return signs_in or not _IN_PERSON.isdisjoint(words)


def _is_another_command(parsed: Parsed, at: int, act: Act) -> bool:
    """ "If it is missing, run `kiln upgrade`, then re-check `kiln version`": the first command changes something."""
    token = parsed.tokens[min(at, len(parsed.tokens) - 1)]
    if act.lemma not in lex.ANEW or token.kind != "code" or " " not in token.text:
        return False
    same = any(other.text == token.text for other in parsed.tokens[act.verb_at + 1 :])
    return not same and not token.text.startswith(_PASSES_TIME)


def put_right(parsed: Parsed, act: Act) -> bool:
    """ "Module not found: delete the folder and run it again": something is done about it first."""
    return any(
        clause.kind == "main"
        and (_puts_right(parsed, clause.first) or _is_done_by_a_person(parsed, clause.first, clause.last))
        for clause in parsed.clauses[: act.clause]
    )


def _puts_right(parsed: Parsed, first: int) -> bool:
    """ "Delete the folder", "start another worker": an order that changes something, at token `first`."""
    low = parsed.tokens[first].low
    return low in _REMEDIES or (low in _STARTS and parsed.tokens[first + 1].low in _ONE_MORE)


def mended(parsed: Parsed, act: Act, end: int) -> bool:
    """Whether the sentence has something fixed before the act, or between it and its end at token `end`.

    "Fix the errors and rerun it until it passes", "observe the output, correct until green".
    """
    if any(
        act.at < clause.first < end and clause.kind == "main" and parsed.tokens[clause.first].low in lex.MENDS
        for clause in parsed.clauses[act.clause + 1 :]
    ):
        return True
    for clause in parsed.clauses[: act.clause]:
        index = clause.first
        while index < clause.last - 1 and (
            parsed.tokens[index].low in lex.ADVERBS or parsed.tokens[index].low in lex.MARKERS
        ):
            index += 1
        if clause.kind == "main" and parsed.tokens[index].low in lex.MENDS | _REMEDIES:
            return True
        if clause.kind in ("after", "if") and parsed.tokens[index].low in lex.MENDING:
            return True
    return False


def _at_intervals(parsed: Parsed) -> bool:
    """ "Every 60 s, call `look` with filter=new": what is given once for all calls is the same in each."""
    words = [token.low for token in parsed.tokens]
    paced = any(word == "every" and after[:1].isdigit() for word, after in pairwise(words))
    return paced or not lex.VAGUE_ITERATION.isdisjoint(words)


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
        if word == "without" and index + 1 < len(words) and span[index + 1].kind in ("name", "code"):
            return True
        if word in ("with", "on", "using", "for", "to") and index + 1 < len(words):
            window = [w for before, w in pairwise(words[index : index + 5]) if before != "=" or w in _PLACES]
            looked_for = word == "for" and (act.lemma in lex.LOOK or words[index - 1 : index] == ["check"])
            looked_for = looked_for or (word == "to" and words[index + 1] == "check")
            if not looked_for and any(
                w in _CHANGED or w.startswith(_NEXT_PIECE) or w.endswith(_NAMES_A_PIECE) for w in window
            ):
                return True
            other = span[index + 1]
            if word == "with" and act.lemma in lex.RETRY and other.text == ":":
                return any(token.kind == "code" and " " in token.text for token in span[index + 2 : index + 3])
            argument = other.kind in ("code", "name") and not other.call and not _is_identifier(words[index + 1])
            if word != "with" or _at_intervals(parsed):
                continue
            if argument and (act.lemma in lex.RETRY or (act.lemma in lex.CALL and index)):
                return True
            if any("=" in w or w in _PARAMETERS for w in window):
                return True
    return any(w in ("next_token", "nexttoken", "next_cursor") for w in words)
