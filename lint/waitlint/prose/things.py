"""What a verb is about: a tool that is named, "this tool" or "it", a noun of state, something else, or nothing."""

from __future__ import annotations

from dataclasses import dataclass

from waitlint.names import UNITS
from waitlint.prose import lexicon as lex
from waitlint.prose.acts import Act, Parsed
from waitlint.prose.moods import PASSIVE, PURPOSE, subject_of
from waitlint.prose.names import ends_name, is_command, is_product, mention_of, shown
from waitlint.prose.tokens import Token

_FIELDS = ("status", "state", "progress")
_TURNS = frozenset(["rather", "instead", "unless", "because", "not"])
_SAME = frozenset(["tool", "command", "call", "function", "endpoint", "api", "step", "action"])
# "The status tool", "the progress endpoint".
_ASKED_FOR = frozenset(["status", "progress", "health"])
_POINTERS = frozenset(["this", "that", "same", "the"])
_EMPTY = frozenset(
    ["every", "again", "until", "in", "for", "at", "after", "with", "on", "and", "or", "s", "seconds", "to"]
)
LONGEST = 18


@dataclass(slots=True)
class Thing:
    """`named` is a name as written, `status` a noun of state (`strong` where it can hardly be anything else)."""

    named: str = ""
    itself: bool = False
    status: str = ""
    strong: bool = False
    words: tuple[str, ...] = ()
    direct: bool = False

    @property
    def is_tool(self) -> bool:
        return bool(self.named) or self.itself

    @property
    def known(self) -> bool:
        return self.is_tool or bool(self.status)

    @property
    def empty(self) -> bool:
        return not self.words

    def said(self, calls: bool) -> str:
        """The thing in the words of a message."""
        name = shown(self.named)
        if name and name != "\ufffc" and len(name) < 60:
            return f"another `{name}` call"
        if (self.itself or self.named) and calls:
            return "the same call again"
        if self.status:
            return f"another look at the {self.status}"
        return "the same call again" if calls else "another look"


def thing_of(parsed: Parsed, act: Act) -> Thing:
    """The object of an act, within its clause."""
    tokens = parsed.tokens
    clause = parsed.clauses[act.clause]
    thing = Thing()
    words: list[str] = []
    end = min(clause.last, act.verb_at + LONGEST)
    for index in range(act.verb_at + 1, end):
        token = tokens[index]
        low = token.low
        following = tokens[index + 1].low if index + 1 < end else ""
        if (
            low in _TURNS
            or low == "every"
            or (low == "each" and index > act.verb_at + 1)
            or (low == "to" and (following in lex.VERBS or following in lex.OTHER_ORDERS or following in lex.AN_END))
        ):
            break
        if token.kind in ("name", "code", "path", "hole"):
            if _is_of_a_kind(tokens, index, end):
                words.append(low.strip("`'\""))
                continue
            if not thing.named and (
                token.kind in ("hole", "path") or (mention_of(parsed.sentence, index) and not is_product(tokens, index))
            ):
                thing.named = token.text
                thing.direct = not words
            elif low.endswith(_FIELDS):
                thing.strong, thing.status = True, low
        elif token.kind == "word":
            if (low in _POINTERS and following in _SAME) or low == "it":
                thing.itself = True
            elif low == "this" and following not in lex.STATUS and following != "\ufffc":
                thing.itself = (
                    thing.itself or not following.isalpha() or following in _EMPTY or following in lex.ADVERBS
                )
            elif low in _SAME and tokens[index - 1].low in _ASKED_FOR and tokens[index - 1].kind == "word":
                thing.itself = True
            elif low in lex.STRONG_STATUS:
                thing.strong, thing.status = True, low
            elif low in lex.STATUS:
                thing.status = thing.status or low
        if (
            token.kind not in ("mark", "number")
            and low not in UNITS
            and low not in lex.DETERMINERS
            and low not in lex.ADVERBS
            and low not in _EMPTY
            and not (low == "back" and index == act.verb_at + 1)
        ):
            words.append(low.strip("`'\""))
    if not words and not thing.named:
        thing.named = _behind_colon(parsed, act)
    if act.mood in (PASSIVE, PURPOSE):
        _from_before(parsed, act, clause.first, thing)
    thing.words = tuple(words)
    return thing


def _is_of_a_kind(tokens: list[Token], index: int, end: int) -> bool:
    """ "The results of a `fire_kilns` batch": which batch it is, and no tool that is asked."""
    if index + 1 >= end or tokens[index - 1].low not in ("a", "an"):
        return False
    following = tokens[index + 1]
    return following.kind == "word" and following.low not in _SAME and not ends_name(following)


def _behind_colon(parsed: Parsed, act: Act) -> str:
    """ "Poll: `acme job get ID` every 5 s", "poll (`get_job`) every 5 s"."""
    for clause in parsed.clauses[act.clause + 1 : act.clause + 2]:
        named = parsed.tokens[clause.first]
        alone = clause.joined == "(" and clause.last == clause.first + 1
        if (clause.joined == ":" and is_command(named.text)) or (alone and mention_of(parsed.sentence, clause.first)):
            return named.text
    return ""


def _from_before(parsed: Parsed, act: Act, first: int, thing: Thing) -> None:
    """The subject of a passive ("get_job should be polled"), the means of a purpose ("use get_job to poll")."""
    before = parsed.tokens[first : act.at]
    if act.mood == PASSIVE and (subject_of(before) == "tool" or any(token.low in lex.STATUS for token in before)):
        thing.itself = True
    for index in range(first, act.at):
        if not thing.named and mention_of(parsed.sentence, index) is not None:
            thing.named = parsed.tokens[index].text
    words = [token.low for token in before if token.kind == "word"]
    if "tool" in words and act.mood == PURPOSE:
        thing.itself = True
