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
        for words in (block.column, _without_cases(block.lead), block.heading):
            if (
                words
                and _says(words, lex.BAD_HEADS)
                and not (words not in (block.column, block.heading) and _forbids_aside(words))
            ):
                return True
            if words and _says(words, lex.GOOD_HEADS):
                return False
        return False


def _without_cases(lead: str) -> str:
    """ "If you do not need the video:" says when, and forbids nothing."""
    return _CASES.sub("", lead)


def _says(words: str, heads: tuple[str, ...]) -> bool:
    return has_any(words, heads)


def _forbids_aside(lead: str) -> bool:
    """ "Otherwise start it — do not ask the user:" forbids something else than what follows."""
    order, dash, ban = lead.partition(" \u2014 ")
    bans = _BAN.match(ban)
    return bool(dash) and not _says(order, lex.BAD_HEADS) and bans is not None and len(ban[bans.end() :].split()) > 1
