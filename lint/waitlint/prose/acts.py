"""Who does what in a clause: the verbs of looking, calling, waiting and repeating, with mood, subject and negation."""

from __future__ import annotations

from dataclasses import dataclass

from waitlint.prose import lexicon as lex
from waitlint.prose.clauses import Clause, cut
from waitlint.prose.tokens import Sentence, Token

ORDER, PERMITTED, DESCRIBED, PURPOSE, NOUN, MANNER, PASSIVE = (
    "order",
    "permitted",
    "described",
    "purpose",
    "noun",
    "manner",
    "passive",
)
_NOUN_AFTER = lex.words("noun-after")
_BE = frozenset(["is", "are", "was", "were", "be", "been", "being", "get", "gets"])
_FLIPS = lex.words("flips")
_STRONG = lex.words("strong-negators")
_WEAK = lex.words("weak-negators")
_KEEPERS = lex.words("keepers")
_GIVES_UP = lex.words("not-an-order")


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
        for number, clause in enumerate(self.clauses):
            self._acts_of(number, clause)

    def _acts_of(self, number: int, clause: Clause) -> None:
        tokens = self.tokens
        index = clause.first
        while index < clause.last:
            token = tokens[index]
            entry = lex.VERBS.get(token.low) if token.kind == "word" and not token.quoted else None
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
        """An order without a verb: `sleep 60` in backticks, or `get_job(id)` at the start with "every 2 s" behind it."""
        token = self.tokens[index]
        if token.kind == "code" and token.low.startswith("sleep ") and not token.quoted:
            last = self.acts[-1] if self.acts else None
            if last is not None and last.clause == number and last.lemma in lex.CALL:
                self.acts.pop()
                return Act(
                    "sleep", "base", last.mood, last.subject, last.negated, index, number, False, last.start, index
                )
            mood, subject, start = self._mood(clause, index, "base")
            negated = "no" if self._is_negated(number, clause, index) else ""
            return Act("sleep", "base", mood, subject, negated, index, number, False, start, index)
        if (
            token.kind not in ("name", "code")
            or not token.call
            or any(self._has_word(t) for t in self.tokens[clause.first : index])
        ):
            return None
        after = self.tokens[index + 1].low if index + 1 < len(self.tokens) else ""
        if after in ("every", "each", "until", "again", "periodically", "repeatedly"):
            return Act("call", "base", ORDER, "model", "", index, number, False, index, index - 1)
        return None

    @staticmethod
    def _has_word(token: Token) -> bool:
        return token.kind in ("word", "name", "code", "path", "number")

    def _act(self, number: int, clause: Clause, index: int, lemma: str, form: str) -> Act | None:
        tokens = self.tokens
        verb_at, keeps, head = index, False, lemma
        if lemma in lex.KEEP and form != "ing":
            inner = self._kept_verb(clause, index)
            if inner is not None:
                verb_at, keeps = inner, True
                head = lex.VERBS[tokens[inner].low][0]
        if form == "ing":
            keeper = self._keeper_before(clause, index)
            if keeper is not None:
                index, keeps = keeper, True
                form = "base"
        mood, subject, start = self._mood(clause, index, form)
        if form == "base" and not keeps and verb_at + 1 < clause.last:
            if self._is_compound(verb_at) or (mood == ORDER and index == start and self._is_subject(clause, verb_at)):
                mood = NOUN
        negated = self._negation(number, clause, index, mood, verb_at)
        return Act(head, form, mood, subject, negated, index, number, keeps, start, verb_at)

    def _is_compound(self, at: int) -> bool:
        following = self.tokens[at + 1]
        if following.text in "</" and following.start == self.tokens[at].end:
            return True
        return following.kind == "word" and following.low in _NOUN_AFTER

    def _is_subject(self, clause: Clause, at: int) -> bool:
        """ "Poll operations use long timeouts": the base form belongs to the subject of another verb."""
        for index in range(at + 2, min(clause.last, at + 5)):
            token, before = self.tokens[index], self.tokens[index - 1]
            if token.kind != "word" or before.kind != "word" or before.low in lex.PREPOSITIONS:
                return False
            if token.low in (
                "use",
                "uses",
                "is",
                "are",
                "was",
                "were",
                "has",
                "have",
                "requires",
                "require",
                "takes",
                "take",
            ):
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
                if entry[1] == "ing" or (entry[1] == "base" and tokens[cursor - 1].low == "to"):
                    return cursor
                if entry[1] == "base" and cursor > index + 1 and tokens[cursor - 1].low in lex.ADVERBS:
                    return cursor
            if low not in lex.ADVERBS and low not in ("on", "to", "with", "and", "the", "your", "polling"):
                return None
        return None

    def _keeper_before(self, clause: Clause, index: int) -> int | None:
        tokens = self.tokens
        cursor = index - 1
        while cursor >= clause.first and (tokens[cursor].low in lex.ADVERBS or tokens[cursor].low == "on"):
            cursor -= 1
        if cursor >= clause.first and tokens[cursor].low in _KEEPERS and tokens[cursor].kind == "word":
            polls = lex.VERBS[tokens[index].low][0] in lex.POLL
            return cursor if polls or tokens[cursor].low in ("keep", "continue", "go", "carry") else None
        return None

    def _mood(self, clause: Clause, index: int, form: str) -> tuple[str, str, int]:
        """Mood, subject and the index of the first token that belongs to the verb group."""
        tokens = self.tokens
        first = clause.first
        while first < index and _opens(tokens[first]):
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
            return self._gerund(before, first)
        if not before:
            return self._bare(clause, first)
        return self._base(clause, before, first)

    def _bare(self, clause: Clause, first: int) -> tuple[str, str, int]:
        """A base form with nothing before it: an order, unless the clause goes on with the subject of the one before."""
        number = self.clauses.index(clause)
        if clause.joined in ("and", "or") and number:
            previous = self.clauses[number - 1]
            head = previous.first
            while head < previous.last and (_opens(self.tokens[head]) or self.tokens[head].low in lex.DETERMINERS):
                head += 1
            inherited = self._modal_subject(previous)
            if inherited in ("person", "program", "thing", "tool"):
                return DESCRIBED, inherited, first
            token = self.tokens[min(head, previous.last - 1)]
            if token.kind == "word" and token.low.endswith("s") and token.low not in lex.VERBS:
                if token.low in lex.PROGRAM or token.low in lex.PERSON:
                    return DESCRIBED, subject_of([token]), first
        return ORDER, "model", first

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
        ordered = verb.low in lex.OTHER_ORDERS or lex.VERBS.get(verb.low, ("", ""))[1] == "base"
        if last in ("by", "via", "through", "with", "using", "use", "for", "requires", "require", "prefer"):
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
                return (PERMITTED if last in ("can", "may", "might", "could") else ORDER), "model", first
            return DESCRIBED, subject, first
        if words[0] in ("let", "lets", "have", "make", "makes", "having", "letting", "allow"):
            return DESCRIBED, subject_of(before[1:]), first
        if last in ("you", "agent", "agents", "claude"):
            return ORDER, "model", first
        if last in ("go", "please", "also", "help", "and", "or", "then", "immediately", "need", "let's"):
            return ORDER, "model", first
        if clause.kind in ("if", "after", "until") and (last in lex.PENDING or last in lex.DONE):
            return ORDER, "model", first
        if before[-1].kind == "number" and len(before) == 1:
            return ORDER, "model", first
        if last.endswith("s") and (last in lex.PERSON or last in lex.PROGRAM or last in lex.MODEL):
            return DESCRIBED, subject_of(before), first
        if last in ("they", "we", "i", "users", "people", "who", "which", "that"):
            return DESCRIBED, subject_of(before), first
        return NOUN, subject_of(before), first

    def _infinitive(self, before: list[Token], first: int) -> tuple[str, str, int]:
        words = [token.low for token in before]
        while words and words[-1] in ("not", "never", "in", "order", "so", "as"):
            words.pop()
        if not words:
            return PURPOSE, "model", first
        last = words[-1]
        if last in _GIVES_UP:
            return DESCRIBED, "none", first
        if last in lex.SEMI_MODALS:
            rest = before[: len(words) - 1]
            while rest and rest[-1].low in _BE:
                rest = rest[:-1]
            subject = subject_of(rest) if rest else "model"
            if subject != "model":
                return DESCRIBED, subject, first
            return (PERMITTED if last in ("able", "allowed", "free", "want", "wants") else ORDER), "model", first
        if last in ("sure", "remember", "certain", "careful", "ready", "try", "advised", "best", "recommended"):
            return ORDER, "model", first
        if words[0] in ("ask", "tell", "tells", "asks", "configure", "design", "instruct", "allow", "let", "set"):
            return DESCRIBED, subject_of(before[1:]), first
        if words[0] in lex.OTHER_ORDERS or lex.VERBS.get(words[0], ("", ""))[1] == "base":
            return PURPOSE, "model", first
        if words[0] == "you" or (len(words) > 1 and words[1] in lex.MODALS and words[0] in lex.MODEL):
            return PURPOSE, "model", first
        return DESCRIBED, subject_of(before), first

    def _negation(self, number: int, clause: Clause, index: int, mood: str, verb_at: int) -> str:
        if not self._is_negated(number, clause, index) and not (
            mood in (NOUN, MANNER) and self._denied_after(clause, verb_at)
        ):
            return ""
        return "cadence" if self._bans_pace(clause, verb_at) else "no"

    def _is_negated(self, number: int, clause: Clause, index: int) -> bool:
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
            strong = low in _STRONG or (
                low == "not"
                and cursor > 0
                and tokens[cursor - 1].low in ("do", "must", "should", "does", "need", "will", "can")
            )
            if not strong and low not in _WEAK:
                continue
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
        denial = (
            "not", "isn't", "unnecessary", "forbidden", "wasted", "wasteful", "banned", "redundant", "disallowed", "never",
            "prohibited", "pointless", "costs", "wastes", "burns", "expensive", "discouraged",
        )  # fmt: skip
        return any(word in denial for word in window)

    def _bans_pace(self, clause: Clause, at: int) -> bool:
        words = [token.low for token in self.tokens[at + 1 : min(len(self.tokens), at + 12)]]
        text = " ".join(words)
        return any(
            phrase in text
            for phrase in (
                "faster than", "more than once", "more often", "more frequently", "too often", "too frequently",
                "too fast", "too quickly", "too aggressively", "sooner than", "quicker than",
            )
        ) or any(
            word in ("aggressively", "faster", "rapidly", "excessively") for word in words[:3]
        )  # fmt: skip


def _opens(token: Token) -> bool:
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
    low = head.low.removesuffix("'s")
    if low in lex.MODEL:
        return "model"
    if low in lex.PERSON:
        return "person"
    if low in lex.PROGRAM:
        return "program"
    return "thing"
