"""Words filled into lines: for literals that stand below each other."""

from __future__ import annotations

import re
from collections.abc import Iterable

_SENTENCE = re.compile(r"[.!?][\"')\]]* +(?=\S)")
_BLANKS = re.compile(r" +(?=[^ ])")


def filled(words: str, room: int, held: Iterable[tuple[int, int]] = ()) -> list[str]:
    """Words in pieces no longer than `room`, blanks at their ends aside, broken at a sentence if one ends late enough.

    Nothing is broken within the spans of `held`. Joined, the pieces are the words.
    """
    spans = list(held)
    ends = [found.end() for found in _BLANKS.finditer(words)]
    sentences = {found.end() for found in _SENTENCE.finditer(words)}
    cuts = [end for end in ends if not any(start < end < stop for start, stop in spans)]
    pieces: list[str] = []
    start = 0
    while len(words[start:].rstrip()) > room:
        fitting = [cut for cut in cuts if cut > start and len(words[start:cut].rstrip()) <= room]
        late = [cut for cut in fitting if cut in sentences and cut - start > room // 3]
        following = [cut for cut in cuts if cut > start]
        if not following:
            break
        cut = late[-1] if late else (fitting[-1] if fitting else following[0])
        pieces.append(words[start:cut])
        start = cut
    return [*pieces, words[start:]]


def indent_of(text: str) -> str:
    """One step of indentation as a file has it."""
    found = sorted({match[1] for match in re.finditer(r"^(\t| +)\S", text, re.MULTILINE)}, key=len)
    return next((indent for indent in found if indent == "\t" or len(indent) > 1), "  ")


def difference(before: str, after: str) -> tuple[int, int, str]:
    """The part [start, end) of `before` in the place of which a text makes it `after`."""
    limit = min(len(before), len(after))
    start = next((i for i in range(limit) if before[i] != after[i]), limit)
    same = next((i for i in range(limit - start) if before[-1 - i] != after[-1 - i]), limit - start)
    return start, len(before) - same, after[start : len(after) - same]
