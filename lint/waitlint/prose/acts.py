"""Who does what in a clause: the verbs of looking, calling, waiting and repeating, with mood, subject and negation."""

from __future__ import annotations

from dataclasses import dataclass

from waitlint.prose import lexicon as lex
from waitlint.prose.clauses import Clause, cut
from waitlint.prose.moods import DESCRIBED, NOUN, ORDER, Moods
from waitlint.prose.names import changes
from waitlint.prose.negation import Negation
from waitlint.prose.tokens import Sentence, Token

_JOINED = 2
_NOUN_AFTER = lex.words("noun-after")
_KEEPERS = lex.words("keepers")
_HAPPENS = frozenset(
    ["happens", "happen", "occurs", "starts", "runs", "is", "was", "returns", "fails", "succeeds", "takes"]
)
_SUBJECTS = frozenset(["we", "you", "they", "i", "it", "that", "which", "who"])
# Orders to look at something that goes on elsewhere, what makes a clause of it, and what may stand behind a noun.
_LOOKING = lex.POLL | lex.WATCHING
_ASKS = frozenset(["how", "what", "when", "whether", "why"])
_BEHIND_A_NOUN = frozenset(["until", "till", "and", "or", "again", "for", "of", "while", "periodically", "then"])
_ARTICLES = frozenset(["the", "a", "an", "its", "your", "this", "each"])
# "Poll POST /jobs/status": a request, and not "poll posts".
_METHODS = frozenset(["GET", "POST"])
_LOOKS = frozenset(["checks", "polls", "polling", "monitoring", "probes"])
# "Repeat this check": one of them, for of one it would be said that it "checks".
_OF_ONE = frozenset(["this", "that", "each", "every", "another"])
_IDIOMS = (("an", "eye", "on"), ("watch", "on"), ("watch", "over"), ("tabs", "on"))
_ADVISE = frozenset(["recommend", "prefer"])
_GO_ON = frozenset(["keep", "continue", "go", "carry"])
_STARTS = frozenset(["", ":", ";", "dash", "arrow", "then"])
_FINITE = lex.words("finite-after-noun")


@dataclass(slots=True)
class Act:
    """A verb at token `at` of a sentence. `negated` is "", `no` or `cadence` (the ban is on the pace alone)."""

    lemma: str
    form: str
    mood: str
    subject: str
    negated: str
    at: int
    clause: int
    keeps: bool = False
    start: int = 0
    verb_at: int = 0


class Parsed:
    """A sentence with its clauses and acts."""

    def __init__(self, sentence: Sentence) -> None:
        self.sentence = sentence
        self.tokens = sentence.tokens
        self.clauses = cut(sentence)
        self.acts: list[Act] = []
        self._moods = Moods(self.tokens, self.clauses)
        self._negation = Negation(self.tokens, self.clauses)
        for number, clause in enumerate(self.clauses):
            self._acts_of(number, clause)

    def written(self, first: int, last: int) -> str:
        """The words from token `first` to `last` (not included) as they stand in the sentence, blanks made one."""
        if first >= last:
            return ""
        return " ".join(self.sentence.flat.text[self.tokens[first].start : self.tokens[last - 1].end].split())

    def _acts_of(self, number: int, clause: Clause) -> None:
        tokens = self.tokens
        index = clause.first
        while index < clause.last:
            token = tokens[index]
            option = index > 0 and tokens[index - 1].kind == "dash" and tokens[index - 1].end == token.start
            entry = lex.VERBS.get(token.low) if token.kind == "word" and not token.quoted and not option else None
            if entry is None:
                act = self._unspoken(number, clause, index)
                if act is not None:
                    self.acts.append(act)
                index += 1
                continue
            lemma, form = entry
            act = self._act(number, clause, index, lemma, form)
            if act is None:
                index += 1
                continue
            if lemma in lex.KEEP and not act.keeps:
                index += 1
                continue
            self.acts.append(act)
            index = max(act.verb_at, index) + 1

    def _unspoken(self, number: int, clause: Clause, index: int) -> Act | None:
        """An order without a verb: `sleep 60` in backticks, or `get_job(id)` at the start and "every 2 s" behind it."""
        token = self.tokens[index]
        if token.kind == "code" and token.text.startswith("sleep ") and not token.quoted:
            if len(self.tokens) == 1:
                return None
            last = self.acts[-1] if self.acts else None
            if last is not None and last.clause == number and last.lemma in lex.CALL:
                self.acts.pop()
                return Act(
                    "sleep", "base", last.mood, last.subject, last.negated, index, number, False, last.start, index
                )
            if last is not None and clause.kind == "after" and index == clause.first and self._is_again(last, number):
                return Act("sleep", "base", last.mood, last.subject, last.negated, index, number, False, index, index)
            if clause.joined not in _STARTS or any(self._has_word(t) for t in self.tokens[clause.first : index]):
                return None
            mood, subject, start = self._moods.of(clause, index, "base")
            negated = "no" if self._negation.reaches(number, clause, index) else ""
            return Act("sleep", "base", mood, subject, negated, index, number, False, start, index)
        if (
            token.kind not in ("name", "code")
            or not token.call
            or any(self._has_word(t) for t in self.tokens[clause.first : index])
        ):
            return None
        after = self.tokens[index + 1].low if index + 1 < len(self.tokens) else ""
        if after in ("every", "each", "until", "again", "periodically", "repeatedly") and not changes(token.text):
            return Act("call", "base", ORDER, "model", "", index, number, False, index, index - 1)
        return None

    @staticmethod
    def _is_again(act: Act, number: int) -> bool:
        """ "Retry once after `sleep 2`"."""
        return act.lemma in lex.RETRY | lex.ANEW and act.mood == ORDER and act.clause == number - 1

    @staticmethod
    def _has_word(token: Token) -> bool:
        return token.kind in ("word", "name", "code", "path", "number")

    def _act(self, number: int, clause: Clause, index: int, lemma: str, form: str) -> Act | None:
        tokens = self.tokens
        verb_at, keeps, head = index, False, lemma
        watched = self._eye_on(clause, index) if lemma == "keep" and form == "base" else 0
        if watched:
            verb_at, keeps, head = watched, True, "watch"
        elif lemma in lex.KEEP and form != "ing":
            inner = self._kept_verb(clause, index) or self._kept_looks(number, index)
            if inner is not None:
                verb_at, keeps = inner, True
                head = lex.VERBS[tokens[inner].low][0]
        noun = (index + 1 < clause.last and tokens[index + 1].low in _NOUN_AFTER) or self._is_noun_of(index)
        if form == "ing" and not noun:
            keeper = self._keeper_before(clause, index)
            if keeper is not None:
                keeps = tokens[keeper].low not in _ADVISE or lemma in lex.POLL
                index, form = keeper, "base"
        mood, subject, start = self._moods.of(clause, index, form)
        counted = index > clause.first and tokens[index - 1].low == "next"
        if form == "base" and mood == ORDER and (counted or (clause.kind in ("after", "before") and not keeps)):
            mood = NOUN
        bare = form == "base" and not keeps and verb_at + 1 < clause.last
        initial = mood == ORDER and index == start
        if bare and (self._is_compound(verb_at) or (initial and self._is_subject(clause, verb_at))):
            mood = NOUN
        counts = index > clause.first and (tokens[index - 1].kind == "number" or tokens[index - 1].low == "between")
        if form == "base" and mood == DESCRIBED and index > clause.first and tokens[index - 1].low in _OF_ONE:
            mood = NOUN
        if form == "s" and (counts or self._is_looked_at(number, clause, index)):
            mood = NOUN
        if form == "ing" and self._negation.flipped(clause, index):
            mood, subject, keeps = ORDER, "model", True
        negated = self._negation.of(number, clause, index, mood, verb_at)
        return Act(head, form, mood, subject, negated, index, number, keeps, start, verb_at)

    def _is_looked_at(self, number: int, clause: Clause, at: int) -> bool:
        """ "Watch the PR checks until they are green", "poll the runs": what an order to look is about, and no verb."""
        order = next((act for act in self.acts if act.clause == number and act.form == "base"), None)
        if order is None or order.mood != ORDER or order.lemma not in _LOOKING or self.tokens[at].low not in lex.STATUS:
            return False
        if any(token.low in _SUBJECTS or token.low in _ASKS for token in self.tokens[order.verb_at + 1 : at]):
            return False
        following = self.tokens[at + 1] if at + 1 < len(self.tokens) else None
        return (
            following is None or following.kind != "word" or following.low in _BEHIND_A_NOUN or order.lemma in lex.POLL
        )

    def _is_compound(self, at: int) -> bool:
        following = self.tokens[at + 1]
        if following.text in _METHODS and at + 2 < len(self.tokens):
            return False
        if at and self.tokens[at - 1].text == "[" and following.text == "]":
            return True
        if following.kind in ("number", "hole") and at + 2 < len(self.tokens) and self.tokens[at + 2].text in ":/":
            return True
        if following.text == "/" or (following.text in "<\\(=" and following.start == self.tokens[at].end):
            return True
        further = self.tokens[at + 2].low if at + 2 < len(self.tokens) else ""
        return following.kind == "word" and following.low in _NOUN_AFTER and further not in lex.STRONG_STATUS

    def _is_subject(self, clause: Clause, at: int) -> bool:
        """ "Poll operations use long timeouts": the base form belongs to the subject of another verb."""
        if self.tokens[at + 1].low in _HAPPENS:
            return True
        if self.tokens[at + 1].low in _ARTICLES:
            return False
        for index in range(at + 2, min(clause.last, at + 5)):
            token, before = self.tokens[index], self.tokens[index - 1]
            if token.kind != "word" or before.kind != "word" or before.low in lex.PREPOSITIONS:
                return False
            if token.low in _SUBJECTS:
                return False
            if token.low in _FINITE:
                return True
            if token.low in lex.MODALS:
                return True
        return False

    def _kept_verb(self, clause: Clause, index: int) -> int | None:
        """The verb that is kept up: `keep on calling`, `continue to poll`."""
        tokens = self.tokens
        for cursor in range(index + 1, min(clause.last, index + 6)):
            low = tokens[cursor].low
            entry = lex.VERBS.get(low)
            if entry is not None and entry[0] not in lex.KEEP:
                if entry[1] == "ing" and (self._is_noun_of(cursor) or self._is_noun_before(cursor, clause.last)):
                    return None
                if entry[1] == "ing" or (entry[1] == "base" and tokens[cursor - 1].low == "to"):
                    return cursor
                if entry[1] == "base" and cursor > index + 1 and tokens[cursor - 1].low in lex.ADVERBS:
                    return cursor
            if low not in lex.ADVERBS and low not in ("on", "to", "with", "and", "the", "your", "polling"):
                return None
        return None

    def _kept_looks(self, number: int, index: int) -> int | None:
        """ "Continue bounded live checks until the fire is out": where the noun stands, at the end of its clause."""
        last = self.clauses[number].last
        behind = self.clauses[number + 1 : number + 2]
        between = self.tokens[index + 1 : last - 1]
        ends = bool(behind) and behind[0].kind == "until" and self.tokens[last - 1].low in _LOOKS
        named = all(token.kind in ("word", "name") and token.low not in lex.PREPOSITIONS for token in between)
        return last - 1 if ends and named and len(between) <= _JOINED else None

    def _eye_on(self, clause: Clause, index: int) -> int:
        """Where "keep an eye on" or "keep watch over" ends, or 0."""
        words = [token.low for token in self.tokens[index + 1 : min(clause.last, index + 4)]]
        return next((index + len(idiom) for idiom in _IDIOMS if tuple(words[: len(idiom)]) == idiom), 0)

    def _is_noun_of(self, at: int) -> bool:
        """ "Keep polling and download logic in the worker": the first of two nouns before a third."""
        words = [token.low for token in self.tokens[at + 1 : at + 4]]
        return len(words) > _JOINED and words[0] in ("and", "or", "&") and words[_JOINED] in _NOUN_AFTER

    def _is_noun_before(self, at: int, last: int) -> bool:
        """ "Keep polling intervals short": a noun of two words, of which something is said."""
        words = [token.low for token in self.tokens[at + 1 : min(last, at + 3)]]
        return len(words) == _JOINED and words[0] in _NOUN_AFTER and words[1] not in lex.PREPOSITIONS

    def _keeper_before(self, clause: Clause, index: int) -> int | None:
        tokens = self.tokens
        cursor = index - 1
        while cursor >= clause.first and (tokens[cursor].low in lex.ADVERBS or tokens[cursor].low == "on"):
            cursor -= 1
        if cursor >= clause.first and tokens[cursor].low in _KEEPERS and tokens[cursor].kind == "word":
            if tokens[cursor].low == "go" and tokens[cursor + 1].low != "on":
                return None
            polls = lex.VERBS[tokens[index].low][0] in lex.POLL
            advised = tokens[cursor].low in _ADVISE and lex.VERBS[tokens[index].low][0] in _LOOKING
            return cursor if polls or advised or tokens[cursor].low in _GO_ON else None
        return None
