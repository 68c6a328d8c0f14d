"""Sentences that tell kinds of questions apart by how deep they go: a quick look-up from a long comparison."""

from __future__ import annotations

import re

from waitlint.prose.guarded import Guarded

_EASY_WORDS = (
    "simple", "basic", "quick", "easy", "straightforward", "shallow", "trivial", "factual", "single-hop", "standard",
    "short",
)  # fmt: skip
_HARD_WORDS = (
    "complex", "deep", "thorough", "hard", "difficult", "in-depth", "detailed", "comprehensive", "multi-hop",
    "advanced", "involved", "open-ended",
)  # fmt: skip
_EASY = rf"(?:{'|'.join(_EASY_WORDS)})"
_HARD = rf"(?:{'|'.join(_HARD_WORDS)})"
_ASKED = r"(?:questions?|quer(?:y|ies)|requests?|topics?|comparisons?|research|tasks?|look-?ups?|investigations?)"
_APART = Guarded(
    rf"\b{_EASY}(?: [\w-]{{1,20}})? {_ASKED}\b[^\n]{{0,160}}?\b{_HARD}\b"
    rf"|\b{_HARD}(?: [\w-]{{1,20}})? {_ASKED}\b[^\n]{{0,160}}?\b{_EASY}\b"
    rf"|\b{_ASKED}\b[^.\n]{{0,20}}\b(?:may be|can be|are|is) {_EASY}(?:, [\w-]{{1,12}})? or {_HARD}\b"
    rf"|\bdepth\b[^.\n]{{0,30}}?\b{_EASY}\b[^.\n]{{0,30}}?\b{_HARD}\b",
    _EASY_WORDS,
    _HARD_WORDS,
)


_NUMBER = re.compile(r"\b(?:\d+|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty)\b")


def tells_apart(low: str) -> re.Match[str] | None:
    """Where a lower-cased sentence tells simple questions from deep ones, and gives them no numbers of their own."""
    apart = _APART.search(low)
    return apart if apart is not None and len(set(_NUMBER.findall(low))) < 2 else None
