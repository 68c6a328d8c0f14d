"""What stands around a sentence: its role, its section, the sentences before it, the tool named last."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from waitlint.facts import Mention
from waitlint.prose import lexicon as lex
from waitlint.prose.acts import Parsed
from waitlint.prose.blocks import Block
from waitlint.prose.guarded import has_any
from waitlint.prose.setting import NOWHERE, Setting

_CASES = re.compile(r"(?:^|(?<=: ))\W{0,4}(?:if|when|where|unless|in case)\b[^,:]{0,160}[,:]")
# Sentences before the one that ends with a colon.
_BEFORE_THE_LAST = re.compile(r"^.*[.!] (?=[^.!]*$)", re.DOTALL)
_REPLACED = re.compile(r"\binstead of [^,:]{3,160}, ")
# "After the launch, the lead should:", "do this:".
_ORDERS = re.compile(r"\b(?:should|must|need to|do|please)\W{0,4}:\W{0,4}$")
_ASIDES = (" \u2014 ", "; ")
_BAN = re.compile(r"(?:do not|don.t|never) ")


@dataclass(slots=True)
class Context:
    """`previous` are the sentences that were read before, nearest last; `named` the tool named last before this one;
    `code` the part of the document that is code to be written, `setting` what the document is in its repository;
    `next_step` the next sentence of the block, or else the next step, or the next line of a fence, in lower case."""

    role: str
    block: Block
    first: bool
    previous: list[Parsed] = field(default_factory=list)
    named: Mention | None = None
    bounded: bool = False
    code: float = 0.0
    setting: Setting = NOWHERE
    next_step: str = ""

    @property
    def own_description(self) -> bool:
        """The first sentence of a tool's own description tells what the tool does, whatever the verb's form."""
        return self.first and self.role in ("tool-description", "parameter-description")

    @property
    def discouraged(self) -> bool:
        """The heading, the list's lead or the column's head says that what stands here is not to be done."""
        block = self.block
        lead = _without_cases(block.lead)
        for words in (block.column, lead, block.heading):
            if (
                words
                and _says(words, lex.BAD_HEADS)
                and not (words not in (block.column, block.heading) and _forbids_aside(words))
            ):
                return True
            if words and (_says(words, lex.GOOD_HEADS) or (words is lead and _ORDERS.search(words))):
                return False
        return False


def _without_cases(lead: str) -> str:
    """What a lead tells to do. "If you do not need the video:" says when, "instead of waiting for all, fill the slots"
    what else there was, and neither forbids anything."""
    return _CASES.sub("", _REPLACED.sub("", _BEFORE_THE_LAST.sub("", lead)))


def _says(words: str, heads: tuple[str, ...]) -> bool:
    return has_any(words, heads)


def _forbids_aside(lead: str) -> bool:
    """ "Otherwise start it — do not ask the user:" forbids something else than what follows."""
    order, dash, ban = next((parts for mark in _ASIDES if (parts := lead.partition(mark))[1]), (lead, "", ""))
    bans = _BAN.match(ban)
    return bool(dash) and not _says(order, lex.BAD_HEADS) and bans is not None and len(ban[bans.end() :].split()) > 1
