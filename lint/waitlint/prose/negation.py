"""What a negator reaches: "do not sleep, poll or check", "never poll", "no need to poll", "polling is forbidden"."""

from __future__ import annotations

from waitlint.prose import lexicon as lex
from waitlint.prose.clauses import Clause
from waitlint.prose.moods import MANNER, NOUN
from waitlint.prose.tokens import Token

_FLIPS = lex.words("flips")
_STRONG = lex.words("strong-negators")
_WEAK = lex.words("weak-negators")
_DENIED = lex.words("denied-after")
_HELPERS = frozenset(["do", "must", "should", "does", "need", "will", "can"])
_UNABLE = frozenset(["cannot", "can't", "couldn't"])
_ENDS = frozenset(["stop", "stopping", "cease"])
_PACES = (
    "faster than", "more than once", "more often", "more frequently", "too often", "too frequently", "too fast",
    "too quickly", "too aggressively", "sooner than", "quicker than",
)  # fmt: skip
_LIMITS = ("more often", "more frequently", "faster than", "sooner than", "quicker than", "more than once")
_HASTY = frozenset(["aggressively", "faster", "rapidly", "excessively"])


class Negation:
    """Looks for negators in a sentence that is cut into clauses."""

    def __init__(self, tokens: list[Token], clauses: list[Clause]) -> None:
        self.tokens = tokens
        self.clauses = clauses

    def of(self, number: int, clause: Clause, index: int, mood: str, verb_at: int) -> str:
        if not self.reaches(number, clause, index) and not (
            mood in (NOUN, MANNER) and self._denied_after(clause, verb_at)
        ):
            return "cadence" if self._limits_pace(verb_at) else ""
        return "cadence" if self._bans_pace(clause, verb_at) else "no"

    def flipped(self, clause: Clause, index: int) -> bool:
        """ "Do not stop polling": two negators that make an order."""
        ends = index > clause.first and self.tokens[index - 1].low in _ENDS
        if any(token.low in _UNABLE for token in self.tokens[clause.first : index]):
            return False  # "Cannot stop polling": what is not possible, and no order.
        return ends and self._negator(clause.first, index, near=index) == "flip"

    def reaches(self, number: int, clause: Clause, index: int) -> bool:
        own = self._negator(clause.first, index, near=index)
        if own:
            return own == "no"
        cursor, lists, conjunction = number, False, ""
        while (
            cursor > 0
            and self.clauses[cursor].joined in (",", "and", "or", "nor")
            and self.clauses[cursor].kind == "main"
        ):
            joined = self.clauses[cursor].joined
            if joined in ("or", "nor"):
                lists = True
            elif joined == "and":
                conjunction = "and"
            cursor -= 1
            previous = self.clauses[cursor]
            if previous.kind != "main":
                return False
            found = self._negator(previous.first, previous.last, near=None)
            if found == "no":
                after = self.clauses[number + 1 : number + 4]
                trailing = any(later.joined in ("or", "nor") for later in after)
                return lists or trailing or (conjunction == "and" and cursor == number - 1)
            if found or self._has_subject(previous):
                return False
        return False

    def _has_subject(self, clause: Clause) -> bool:
        return any(token.low in ("you", "it", "they", "i", "we") for token in self.tokens[clause.first : clause.last])

    def _negator(self, first: int, last: int, near: int | None) -> str:
        """ "no" if a negator in these tokens reaches what follows, "flip" for a double negation, else ""."""
        tokens = self.tokens
        for cursor in range(last - 1, first - 1, -1):
            token = tokens[cursor]
            if token.kind != "word" or token.quoted:
                continue
            low = token.low
            strong = low in _STRONG or (low == "not" and cursor > 0 and tokens[cursor - 1].low in _HELPERS)
            if not strong and low not in _WEAK:
                continue
            if low in _ENDS and any(
                token.low in _STRONG or token.low == "not" for token in tokens[max(0, cursor - 2) : cursor]
            ):
                return "flip"
            following = tokens[cursor + 1 : cursor + 3]
            if strong and any(t.low in _FLIPS for t in following) and near is not None and near > cursor + 1:
                return "flip"
            if low in ("instead", "rather") and not any(t.low in ("of", "than") for t in following[:1]):
                continue
            if not strong and near is not None and near - cursor > 4:
                continue
            if not strong and near is None and low != "not":
                continue
            if low == "not" and following and following[0].low in ("only", "just"):
                continue
            if low == "no" and following and following[0].low in ("more", "longer"):
                continue
            return "no"
        return ""

    def _denied_after(self, clause: Clause, at: int) -> bool:
        window = [token.low for token in self.tokens[at + 1 : min(clause.last, at + 7)]]
        return any(word in _DENIED for word in window)

    def _limits_pace(self, at: int) -> bool:
        """ "Poll no more often than every 5 minutes"."""
        words = " ".join(token.low for token in self.tokens[at + 1 : at + 8])
        return any(f"no {pace}" in words for pace in _LIMITS)

    def _bans_pace(self, clause: Clause, at: int) -> bool:
        words = [token.low for token in self.tokens[at + 1 : min(len(self.tokens), at + 12)]]
        text = " ".join(words)
        return any(pace in text for pace in _PACES) or any(word in _HASTY for word in words[:3])
