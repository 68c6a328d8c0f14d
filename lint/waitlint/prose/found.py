"""What a reader finds in a sentence, before it becomes an intent, and how it is put into words."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from waitlint.prose.acts import Parsed


@dataclass(slots=True)
class Found:
    """Tokens `first` to `last` (not included) of a sentence; the other fields are those of `facts.Intent`.

    `bare` where nothing is said of what is called or looked at, so that the tool named just before is meant;
    `named` is what the sentence calls it. `verb` is the one that orders it; `firm` is 0 where nothing says how long it
    goes on, 1 where an end is named, 2 where that is the end of the work, or it is to "keep" on; `paced` whether the
    sentence says when the next look is due, `provided` whether it is due on a condition; `of_status` where a status is
    looked at, by that word alone; `label` where it is so short that it may as well name what stands below it;
    `tempered` where what stands around it has it told rather than ordered; `limits` where it only bounds the pace.
    """

    kind: str
    confidence: str
    reason: str
    first: int
    last: int
    seconds: float | None = None
    states: tuple[str, ...] = ()
    until: str = ""
    bare: bool = False
    named: str = ""
    verb: str = ""
    firm: int = 0
    paced: bool = False
    provided: bool = False
    of_status: bool = False
    label: bool = False
    tempered: bool = False
    limits: bool = False


def tokens_of(parsed: Parsed, match: re.Match[str]) -> tuple[int, int]:
    """The tokens that a match in the sentence's lower-cased text covers."""
    return covered(parsed, match.start(), match.end())


def covered(parsed: Parsed, start: int, end: int) -> tuple[int, int]:
    """The tokens between two offsets of the sentence's lower-cased text; at least one."""
    base = parsed.sentence.start
    tokens = parsed.tokens
    first = next((i for i, token in enumerate(tokens) if token.end - base > start), 0)
    last = next((i for i, token in enumerate(tokens) if token.start - base >= end), len(tokens))
    while first < last - 1 and tokens[first].kind in ("mark", "dash"):
        first += 1
    return first, max(last, first + 1)


def in_parentheses(parsed: Parsed, one: Found) -> bool:
    """Whether what was found stands in the first parentheses of its sentence."""
    before = [token.text for token in parsed.tokens[: one.first]]
    return "(" in before and ")" not in before


def shortened(words: str) -> str:
    """Words for a message: at most 60 characters."""
    words = words.rstrip(".,;:")
    return words if len(words) <= 60 else words[:57].rsplit(" ", 1)[0] + "…"
