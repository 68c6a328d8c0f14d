"""The mood of a verb and its subject: an order, a description, a purpose, a noun."""

from __future__ import annotations

import re

from waitlint.names import UNITS
from waitlint.prose import lexicon as lex
from waitlint.prose.clauses import Clause
from waitlint.prose.tokens import Token

ORDER = "order"
PERMITTED = "permitted"
DESCRIBED = "described"
PURPOSE = "purpose"
NOUN = "noun"
MANNER = "manner"
PASSIVE = "passive"

_BE = lex.words("be")
_GIVES_UP = lex.words("not-an-order")
_SURE_TO = lex.words("sure-to")
_ASKS_OTHERS = lex.words("asks-others")
_LET = lex.words("let")
_GOES_FIRST = lex.words("goes-first")
_MANNER = lex.words("manner")
_GOES_ON = (",", "and", "or", "then")
_BACK_TO = 2
# "Use bounded polling", "fall back to manual polling".
_OF_ADJECTIVES = ("ed", "al")
_DUTIES = frozenset(["responsibility", "job", "task", "role", "mission", "duty", "goal"])
_PERMITS = frozenset(["can", "may", "might", "could"])
_ASKS_FOR = frozenset(["asks", "ask", "wants", "want", "requests", "request", "asked", "wishes"])
_OTHERS = frozenset(["they", "we", "i", "users", "people", "who", "which", "that"])
# "You'll", "the kiln's".
_SHORTENED = re.compile(r"['\u2019](?:s|ll|d|ve|re)$")


class Moods:
    """Reads the words before a verb within its clause."""

    def __init__(self, tokens: list[Token], clauses: list[Clause]) -> None:
        self.tokens = tokens
        self.clauses = clauses

    def of(self, clause: Clause, index: int, form: str) -> tuple[str, str, int]:
        """Mood, subject and the index of the first token that belongs to the verb group."""
        tokens = self.tokens
        first = clause.first
        while first < index and opens(tokens[first]):
            first += 1
        cursor = index - 1
        while cursor >= first and (tokens[cursor].low in lex.ADVERBS or tokens[cursor].kind == "mark"):
            cursor -= 1
        before = tokens[first : cursor + 1]
        if form == "s":
            return DESCRIBED, subject_of(before) if before else "none", first
        if form == "ed":
            return self._past(before, first)
        if form == "ing":
            joined = not before and clause.joined in (",", "(") and self._follows_an_order(clause)
            return (MANNER, "model", first) if joined else self._gerund(before, first)
        if not before:
            return self._bare(clause, first)
        return self._base(clause, before, first)

    def _bare(self, clause: Clause, first: int) -> tuple[str, str, int]:
        """A base form with nothing before it: an order, unless the clause shares the subject of the one before."""
        number = self.clauses.index(clause)
        if clause.joined in ("and", "or") and number:
            inherited = self._modal_subject(self.clauses[number - 1])
            if inherited in ("person", "program", "thing", "tool"):
                return DESCRIBED, inherited, first
            if clause.joined == "and" and inherited == "model" and self._permits(self.clauses[number - 1]):
                return PERMITTED, "model", first
        if self._is_theirs(number):
            return DESCRIBED, "program", first
        if self._is_asked_for(number):
            return DESCRIBED, "person", first
        while number and self.clauses[number].joined in _GOES_ON and self.clauses[number].kind == "main":
            number -= 1
            aside = self.tokens[self.clauses[number].last : self.clauses[number + 1].first]
            if any(token.text == ")" for token in aside):
                break
            subject = self._plural_subject(self.clauses[number], listed=clause.joined == ",")
            if subject:
                return DESCRIBED, subject, first
        if number and self.clauses[number].joined == ":":
            return self._behind_colon(self.clauses[number - 1], first)
        return ORDER, "model", first

    def _is_theirs(self, number: int) -> bool:
        """ "They log it, back off, then keep polling": the clause goes on with what "they" or "we" do."""
        while number and self.clauses[number].joined in (",", "and", "or", "then"):
            number -= 1
            while number and self.clauses[number].joined == "(" and self.tokens[self.clauses[number].last].text == ")":
                number -= 1
            if self.tokens[self.clauses[number].first].low in ("they", "we"):
                return True
        return False

    def _is_asked_for(self, number: int) -> bool:
        """ "When the user asks to keep a watch, poll, or check again later:": one of the things that may be asked."""
        last = number
        while last + 1 < len(self.clauses) and self.clauses[last + 1].joined in (",", "or"):
            last += 1
        if not any(clause.joined == "or" for clause in self.clauses[number : last + 1]):
            return False
        while number and self.clauses[number].joined in (",", "or") and self.clauses[number].kind == "main":
            number -= 1
        words = [token.low for token in self.tokens[self.clauses[number].first : self.clauses[number].last]]
        asks = any(word in _ASKS_FOR and "to" in words[at:] for at, word in enumerate(words))
        return self.clauses[number].kind == "if" and asks and any(word in lex.PERSON for word in words)

    def _behind_colon(self, lead: Clause, first: int) -> tuple[str, str, int]:
        """ "We use the key only to: create a job, poll it": what is listed is what the lead's "to" is said of."""
        words = [token for token in self.tokens[lead.first : lead.last] if token.kind != "mark"]
        if len(words) < 2 or words[-1].low != "to":
            return ORDER, "model", first
        return self._infinitive(words[:-1], first) if words[0].low not in _OTHERS else (DESCRIBED, "person", first)

    def _follows_an_order(self, clause: Clause) -> bool:
        """ "Wait for the build, checking every 10 s": a participle behind an order says how that is carried out."""
        number = self.clauses.index(clause)
        if not number:
            return False
        before = self.clauses[number - 1]
        if before.kind == "until" and number > 1:
            before = self.clauses[number - 2]
        head = before.first
        while head < before.last - 1 and opens(self.tokens[head]):
            head += 1
        if self.tokens[head].low in lex.MODALS and head + 1 < before.last:
            head += 1
        low = self.tokens[head].low
        lemma, form = lex.VERBS.get(low, ("", ""))
        ordered = form == "base" or low in lex.OTHER_ORDERS
        if clause.joined == "(":  # "Run `acme` (polling every 10 s)": what the command does.
            ordered = form == "base" and lemma in lex.WAIT | lex.WATCHING
        return before.kind == "main" and self.tokens[head].kind == "word" and ordered

    def _plural_subject(self, clause: Clause, *, listed: bool) -> str:
        """Who does what a clause tells, if it begins with several of them ("both tools submit a job"), or ""."""
        head = clause.first
        while head < clause.last and (opens(self.tokens[head]) or self.tokens[head].low in lex.DETERMINERS):
            head += 1
        token = self.tokens[min(head, clause.last - 1)]
        if token.kind != "word" or not token.low.endswith("s") or token.low in lex.VERBS:
            return ""
        if token.low not in lex.PROGRAM and token.low not in lex.PERSON:
            return ""
        verb = self.tokens[head + 1].low if head + 1 < clause.last else ""
        tells = lex.is_base_form(verb)
        return subject_of([token]) if tells or not listed else ""

    def _permits(self, clause: Clause) -> bool:
        """Whether a clause says what somebody may do."""
        modal = next((t.low for t in self.tokens[clause.first : clause.last] if t.low in lex.MODALS), "")
        return modal in _PERMITS

    def _modal_subject(self, clause: Clause) -> str:
        """Who "can" or "should" in a clause, or ""."""
        for index in range(clause.first, clause.last):
            if self.tokens[index].low in lex.MODALS:
                before = self.tokens[clause.first : index]
                for back in range(len(before) - 1, -1, -1):
                    if before[back].low in ("so", "that", "where", "if"):
                        before = before[back + 1 :]
                        break
                return subject_of(before) if before else ""
        return ""

    def _past(self, before: list[Token], first: int) -> tuple[str, str, int]:
        words = [token.low for token in before]
        if "be" in words[-2:] and any(word in lex.MODALS or word in lex.SEMI_MODALS for word in words):
            place = next(i for i, word in enumerate(words) if word in lex.MODALS or word in lex.SEMI_MODALS)
            return PASSIVE, subject_of(before[:place]), first
        return DESCRIBED, subject_of(before), first

    def _gerund(self, before: list[Token], first: int) -> tuple[str, str, int]:
        if not before:
            return NOUN, "model", first
        last = before[-1].low
        if last in _BE:
            return DESCRIBED, subject_of(before[:-1]), first
        verb = before[0]
        ordered = lex.is_base_form(verb.low)
        ordered = ordered or (verb.low == "you" and len(before) > 1 and before[1].low in lex.MODALS)
        if before[-1].kind == "word" and (last.endswith(_OF_ADJECTIVES) or "-" in last) and len(before) > 1:
            before = before[:-1]
        waits = lex.VERBS.get(verb.low, ("", ""))[0] in lex.WAIT and before[-1].low in UNITS
        if waits or before[-1].low in _MANNER or [token.low for token in before[-_BACK_TO:]] == ["back", "to"]:
            return MANNER, "model" if ordered else subject_of(before), first
        return NOUN, "model" if ordered else subject_of(before), first

    def _base(self, clause: Clause, before: list[Token], first: int) -> tuple[str, str, int]:
        words = [token.low for token in before]
        while words and words[-1] in ("not", "never", "n't"):
            words.pop()
        if words and words[-1] in ("do", "don't", "dont", "does", "doesn't", "did", "didn't"):
            helper = words.pop()
            rest = before[: len(words)]
            if not rest:
                return ORDER, "model", first
            subject = subject_of(rest)
            if helper in ("does", "doesn't", "did", "didn't"):
                return DESCRIBED, subject, first
            return (ORDER if subject == "model" else DESCRIBED), subject, first
        if not words:
            return ORDER, "model", first
        last = words[-1]
        if last == "to":
            return self._infinitive(before[: len(words) - 1], first)
        if last in lex.MODALS:
            subject = subject_of(before[: len(words) - 1])
            if subject in ("model", "none"):
                return (PERMITTED if last in _PERMITS else ORDER), "model", first
            return DESCRIBED, subject, first
        if words[0] in _LET:
            return DESCRIBED, subject_of(before[1:]), first
        if last in ("you", "claude"):
            return ORDER, "model", first
        if last in _GOES_FIRST:
            return ORDER, "model", first
        if clause.kind in ("if", "after", "until") and (last in lex.PENDING or last in lex.DONE):
            return ORDER, "model", first
        if before[-1].kind == "number" and len(before) == 1:
            return ORDER, "model", first
        if last.endswith("s") and (last in lex.PERSON or last in lex.PROGRAM or last in lex.MODEL):
            return DESCRIBED, subject_of(before), first
        if last == "that" and (len(before) == 1 or before[-2].low in lex.VERBS):
            return NOUN, "thing", first
        if last in _OTHERS:
            return DESCRIBED, subject_of(before), first
        return NOUN, subject_of(before), first

    def _infinitive(self, before: list[Token], first: int) -> tuple[str, str, int]:
        words = [token.low for token in before]
        while words and words[-1] in ("not", "never", "in", "order", "so", "as"):
            words.pop()
        if not words:
            return PURPOSE, "model", first
        last = words[-1]
        if len(words) == 1 and before[0].kind in ("name", "code"):
            return PURPOSE, "model", first  # "`kiln_list` to watch until all are hot": what it is used for.
        if last in _GIVES_UP:
            return DESCRIBED, "none", first
        if last in lex.SEMI_MODALS:
            rest = before[: len(words) - 1]
            while rest and (rest[-1].low in _BE or rest[-1].low in lex.MODALS):
                rest = rest[:-1]  # "You will need to poll it".
            subject = subject_of(rest) if rest else "model"
            if subject != "model":
                return DESCRIBED, subject, first
            return (PERMITTED if last in ("able", "allowed", "free", "want", "wants") else ORDER), "model", first
        if last in _SURE_TO or _is_a_duty(words):
            return ORDER, "model", first
        if words[0] == "return":
            return DESCRIBED, "tool", first
        if words[0] in _ASKS_OTHERS:
            return DESCRIBED, subject_of(before[1:]), first
        if lex.is_base_form(words[0]):
            return PURPOSE, "model", first
        if words[0] == "you" or (len(words) > 1 and words[1] in lex.MODALS and words[0] in lex.MODEL):
            return PURPOSE, "model", first
        return DESCRIBED, subject_of(before), first


def _is_a_duty(words: list[str]) -> bool:
    """ "Your responsibility is (to poll the checks)"."""
    return len(words) > _BACK_TO and words[-1] == "is" and words[-2] in _DUTIES and "your" in words[:-_BACK_TO]


def opens(token: Token) -> bool:
    """Words and marks that may stand before an order without being its subject."""
    if token.kind in ("mark", "dash", "dots", "break", "arrow"):
        return True
    if token.kind == "word":
        return token.low in lex.MARKERS or token.low in lex.ADVERBS
    return False


def subject_of(tokens: list[Token]) -> str:
    """model, person, program, tool (a name), thing, or none."""
    head: Token | None = None
    for token in tokens:
        if token.low in lex.PREPOSITIONS and head is not None:
            break
        if token.kind == "word" and (
            token.low in lex.DETERMINERS or token.low in lex.ADVERBS or token.low in lex.MARKERS or token.low in _BE
        ):
            if token.low in ("this", "that", "these", "those") and head is None:
                head = token
            continue
        if token.kind in ("word", "name", "code", "hole", "path"):
            head = token
    if head is None:
        return "none"
    if head.kind in ("name", "code", "path", "hole"):
        return "tool"
    low = _SHORTENED.sub("", head.low)
    if low in lex.MODEL:
        return "model"
    if low in lex.PERSON:
        return "person"
    if low in lex.PROGRAM:
        return "program"
    return "thing"
