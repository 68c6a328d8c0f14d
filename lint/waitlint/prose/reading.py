"""A text read from start to end: blocks, sentences, clauses, intents."""

from __future__ import annotations

import re

import msgspec

from waitlint.facts import Intent, Mention, Span
from waitlint.prose.acts import Parsed
from waitlint.prose.addressee import address_of
from waitlint.prose.bans import is_labelled
from waitlint.prose.blocks import Block, split
from waitlint.prose.built import waits_for_nothing
from waitlint.prose.context import Context
from waitlint.prose.cues import places
from waitlint.prose.documents import is_a_brief, is_of_a_site, share_of_code, waiting_loops
from waitlint.prose.earned import Claim, backings, confidence_of
from waitlint.prose.found import Found, covered
from waitlint.prose.inline import flatten
from waitlint.prose.languages import foreign
from waitlint.prose.loops import read_loops
from waitlint.prose.names import mentions
from waitlint.prose.setting import NOWHERE, Setting
from waitlint.prose.signs import AROUND, BRIEF, of_a_loop, of_code_below, of_form
from waitlint.prose.stops import read_stops
from waitlint.prose.tempered import temper
from waitlint.prose.tokens import Sentence, lower, sentences
from waitlint.prose.waits import read_waits

LOOPS = frozenset(["poll", "model-sleeps"])
_POINTERS = frozenset(["it", "this", "that", "tool"])
_OWN = frozenset(["tool-description", "parameter-description"])
_BOUNDS = frozenset(["waits", "call-once"])
_OF_A_TOOL = frozenset(["tool-description", "parameter-description", "tool-result"])
_SPEAKS_OF_WORDS = re.compile(r"\b(?:that|this|these|such) (?:sentences?|lines?|phrases?|wordings?|words)\b", re.I)
# "For long tasks: check again later", "If it is idle: …".
_CASE = re.compile(r"\W{0,4}(?:for|if|when|on|in case of) [^.:]{2,60}:")
# "Check the status until:", "until one of these:", above the list of what it is to be.
_OPEN_END = re.compile(
    r"\b(?:until|till)(?: (?:either|any|one|all) ?(?:of)?(?: (?:these|the following))?)?:[* ]{0,3}\Z", re.I
)
_LONGEST_END = 60
# "Every 30 seconds:", "Repeat every 2-3 min until all are done:", above the list of what is done then.
_AT_INTERVALS = re.compile(
    r"\W{0,4}(?:(?:then,? )?repeat )?every (?:~|about )?[\w{}`<>$\u2013-]{1,30} ?(?:seconds?|secs?|s|minutes?|mins?|m)"
    r"(?: \([^()]{1,30}\))?"
    r"(?: (?:until|while)\b[^.:]{2,60})?[*_]{0,3}:[*_ ]{0,3}",
    re.IGNORECASE,
)
# A tool that was named more blocks ago is not what "it" points to.
NEAR = 3


class _Reader:
    def __init__(self, value: str, role: str, setting: Setting) -> None:
        self.value = value
        self.role = role
        self.setting = setting
        self.named: Mention | None = None
        self.named_in = -NEAR
        self.previous: list[Parsed] = []
        self.intents: list[Intent] = []
        self.sentences = 0
        self.bounded = False
        self.parsed: dict[int, list[Parsed]] = {}
        self.blocks: list[Block] = []
        self.code = 0.0
        self.published = False
        self.claims: list[Claim] = []
        self.looped_in = -NEAR

    def run(self, cues: list[int]) -> tuple[Intent, ...]:
        """Read the blocks in which there are `cues`."""
        self.blocks = split(self.value)
        self.code = share_of_code(self.value, self.blocks) if self.role == "document" else 0.0
        self.published = is_of_a_site(self.value, aside=self.setting.aside)
        self.published = self.published or (self.role == "prompt" and is_a_brief(self.blocks))
        position = 0
        for block in self.blocks:
            start, end = block.lines[0][0], block.lines[-1][1]
            while position < len(cues) and cues[position] < start:
                position += 1
            if position == len(cues) or cues[position] >= end:
                self.sentences += 1
                self.bounded = self.bounded and self.role in _OF_A_TOOL
                continue
            self.block(block)
        if self.role == "document" and self.claims:
            self.bear_out()
        self.intents.sort(key=lambda intent: (intent.span.start, intent.span.end, intent.kind))
        return tuple(self.intents)

    def bear_out(self) -> None:
        """Have the loops of a document earn their confidence; a brief one says no more than its words."""
        document = {*address_of(self.value), *of_form(self.value, self.blocks)}
        if loops := waiting_loops(self.value):
            headings = [block.lines[0][0] for block in self.blocks if block.kind == "heading"]
            for claim in self.claims:
                claim.signs |= of_code_below(self.intents[claim.intent].span.start, loops, headings)
        brief = len(self.blocks) <= BRIEF
        told = {claim.intent for claim in self.claims if claim.told}
        for number, backing in backings(self.claims, document, aside=self.setting.aside):
            intent = self.intents[number]
            if number in told and (brief or backing < 0):
                continue
            confidence = intent.confidence if brief or backing < 0 else confidence_of(backing)
            self.intents[number] = msgspec.structs.replace(intent, confidence=confidence, backing=backing)

    def block(self, block: Block) -> None:
        if block.index and (not self.previous or self.previous[-1].sentence.block.index < block.index - 1):
            before = self.blocks[block.index - 1]
            if before.kind != "cell" and before.lines[-1][1] - before.lines[0][0] < 2000:
                self.previous = self.parse(before)[-2:] or self.previous
                self.remember(self.previous)
        bounded = self.bounded if self.role in _OF_A_TOOL else self.bounded and block.kind in ("item", "paragraph")
        self.bounded = False
        said = self.parse(block)
        for number, parsed in enumerate(said):
            context = Context(
                self.role,
                block,
                self.sentences == 0,
                self.previous[-3:],
                self.named,
                bounded,
                self.code,
                self.setting,
                said[number + 1].sentence.low if number + 1 < len(said) else self.step_behind(block),
            )
            self.sentences += 1
            bounded = self.sentence(parsed, context) or bounded
            self.previous.append(parsed)
        self.bounded = bounded
        self.parsed = {block.index: self.parsed[block.index]}
        del self.previous[:-4]

    def step_behind(self, block: Block) -> str:
        """The line of the step that follows in the same list, or of the next line of a fence, lower-cased."""
        following = self.blocks[block.index + 1 : block.index + 2]
        if not following or following[0].kind != block.kind or block.kind not in ("item", "fence"):
            return ""
        start, end = following[0].lines[0]
        return lower(self.value[start:end]) if following[0].indent == block.indent else ""

    def parse(self, block: Block) -> list[Parsed]:
        found = self.parsed.get(block.index)
        if found is None:
            flat = flatten(self.value, [*block.lines, *self.listed(block)], led=len(block.lines))
            found = [Parsed(sentence) for sentence in sentences(flat, block)]
            self.parsed[block.index] = found
        return found

    def listed(self, block: Block) -> list[tuple[int, int]]:
        """The first item below a block that ends with "until:", or is but an interval, which goes on there."""
        below = self.blocks[block.index + 1 : block.index + 2]
        if not below or below[0].kind != "item" or block.kind not in ("paragraph", "item"):
            return []
        start, end = block.lines[-1]
        open_end = _OPEN_END.search(self.value, max(start, end - _LONGEST_END), end)
        at_intervals = len(block.lines) == 1 and _AT_INTERVALS.fullmatch(self.value, start, end)
        return below[0].lines[:1] if open_end or at_intervals else []

    def sentence(self, parsed: Parsed, context: Context) -> bool:
        """Read one sentence; whether it states a bounded wait or asks for one call."""
        loops = read_loops(parsed, context)
        said = read_waits(parsed, context, loops)
        if not context.bounded and any(one.kind in _BOUNDS and one.confidence != "low" for one in said):
            context.bounded = True
            loops = read_loops(parsed, context)
        discouraged = context.discouraged or is_labelled(parsed.sentence.low)
        if discouraged or self.published or (context.block.quoted and self.is_spoken_of(context.block)):
            loops = [one for one in loops if one.kind not in LOOPS]
        loops = [one for one in loops if one.kind not in LOOPS or not waits_for_nothing(one, parsed, context)]
        if context.block.sleeps and self.looped_in == context.block.index - 1:
            loops = []  # The words above it have said so.
        ordered = [one for one in loops if one.confidence != "low"]
        if ordered:
            self.looped_in = context.block.index
        temper(loops, parsed, context, self.value)
        for one in ordered:
            one.tempered = one.confidence == "low"
        found = [*loops, *said, *read_stops(parsed, context)]
        if not any(one.kind in LOOPS for one in loops):
            found.extend(self.foreign(parsed))
        for one in found:
            if one.kind in LOOPS and one.verb and not one.limits:
                start = parsed.sentence.place(parsed.tokens[one.first].start)
                before, behind = self.value[max(0, start - AROUND) : start], self.value[start : start + AROUND]
                signs = of_a_loop(one, parsed, context, before, behind)
                told, label = one.confidence == "low", one.label and not self.setting.aside
                self.claims.append(Claim(len(self.intents), signs, one.firm > 0, told, label))
            self.intents.append(self.intent(parsed, one))
        self.remember([parsed])
        return context.bounded

    def remember(self, sentences: list[Parsed]) -> None:
        """Keep the name that was mentioned last, and the block it stood in."""
        for parsed in sentences:
            for mention in mentions(parsed.sentence, 0, len(parsed.tokens)):
                self.named, self.named_in = mention, parsed.sentence.block.index

    def is_spoken_of(self, block: Block) -> bool:
        """Whether the text beside a block quote speaks of the quoted words, and not with them."""
        beside = (block.index - 1, block.index + 1)
        near = (self.blocks[index] for index in beside if 0 <= index < len(self.blocks))
        return any(_SPEAKS_OF_WORDS.search(self.value, one.lines[0][0], one.lines[-1][1]) for one in near)

    def _is_another_case(self, sentence: Sentence) -> bool:
        """Whether an item of a list speaks of another case than the item in which the last tool was named."""
        at = sentence.block.index
        if sentence.block.kind != "item" or self.named_in >= at or self.blocks[self.named_in].kind != "item":
            return False
        return _CASE.match(sentence.low) is not None

    def foreign(self, parsed: Parsed) -> list[Found]:
        match = foreign(parsed.sentence.low)
        if match is None:
            return []
        start, end, language = match
        first, last = covered(parsed, start, end)
        return [Found("poll", "low", f"asks in {language} to look again until something changes", first, last)]

    def intent(self, parsed: Parsed, one: Found) -> Intent:
        sentence = parsed.sentence
        first = one.first
        while first < one.last - 1 and parsed.tokens[first].low in (
            "and",
            "then",
            "or",
            "but",
            ",",
            "so",
            "-",
            "*",
            ":",
        ):
            first += 1
        start = sentence.place(parsed.tokens[first].start)
        end = sentence.place(parsed.tokens[one.last - 1].end - 1) + 1
        last_line = sentence.block.lines[-1][1]
        if start < last_line < end:
            end = last_line  # The sentence goes on in the list below.
        start, end = _with_marks(self.value, start, end)
        whole = one.kind not in LOOPS
        named = mentions(sentence, 0 if whole else one.first, len(parsed.tokens) if whole else one.last)
        pointers = _POINTERS & {token.low for token in parsed.tokens[one.first : one.last]}
        if not whole and pointers:
            named = tuple(mention for mention in named if not _is_said_aside(parsed, mention))
        near = self.named is not None and self.named_in >= sentence.block.index - NEAR
        if not named and self.named is not None and near and not self._is_another_case(sentence):
            points = bool(pointers) and (self.role not in _OWN or "it" in pointers)
            if points or (one.bare and self.named_in >= sentence.block.index - 1):
                named = (self.named,)
        return Intent(one.kind, Span(start, end), one.confidence, one.reason, named, one.seconds, one.states, one.until)


def _is_said_aside(parsed: Parsed, mention: Mention) -> bool:
    """Whether a name only says when: "poll this after you called `export`"."""
    sentence = parsed.sentence
    return any(
        clause.kind in ("after", "before")
        and sentence.place(parsed.tokens[clause.first].start) <= mention.span.start
        and mention.span.end <= sentence.place(parsed.tokens[clause.last - 1].end - 1) + 1
        for clause in parsed.clauses
    )


def _with_marks(value: str, start: int, end: int) -> tuple[int, int]:
    """A place widened by the backticks, stars and the parenthesis that belong to its ends, to be replaced whole."""
    if value[start:end].count("`") % 2:
        if value[start - 1 : start] == "`":
            start -= 1
        elif value[end : end + 1] == "`":
            end += 1
    if value[start:end].count("**") % 2:
        if value[start - 2 : start] == "**":
            start -= 2
        elif value[end : end + 2] == "**":
            end += 2
    if value.count("(", start, end) == value.count(")", start, end) + 1 and value[end : end + 1] == ")":
        end += 1
    return start, end


def read(value: str, role: str, setting: Setting = NOWHERE) -> tuple[Intent, ...]:
    """All intents of a decoded text, in order of place.

    `role` is as in `facts.Text.role`; it decides, with `setting`, whom an order speaks to. Takes time in proportion to
    the length.
    """
    cues = places(lower(value), role)
    return _Reader(value, role, setting).run(cues) if cues else ()


__all__ = ["read"]
