"""Whether a name is one of a text for a model."""

from __future__ import annotations

import re
from functools import lru_cache

from waitlint.catalog import TextNames

WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
SENTENCE = re.compile(r"[a-z0-9`\"')\]][.:!?](?:\s|$)|\n\s*(?:[-*]|\d+\.)\s")
TO_A_MODEL = re.compile(
    r"\b(?:you are|you must|you should|you have|you can|your (?:task|job|role|goal|answer|response|output)|"
    r"as an? \w+ (?:assistant|agent|expert)|assistant|agent|the (?:user|tool|tools|model|llm)\b|tool call|this tool|"
    r"call (?:the|this|it)|use (?:the|this) (?:tool|function)|respond|do not|don't|never|always|must)",
    re.IGNORECASE,
)
OTHER_CONTENT = re.compile(
    r"\s*(?:<(?:!doctype|html|head|body|div|style|script|svg|\?xml)|select\s|insert\s|create\s+(?:table|or)|#!/|"
    r"match\s*\(|begin;|from\s+\w+\s+import|import\s+\w+|\{\s*\"|resources:|apiversion:|version:)",
    re.IGNORECASE,
)
LONG = 200
LEAST_SAID = 40


@lru_cache(maxsize=8192)
def words_of(name: str) -> tuple[str, ...]:
    """The words of a name in any manner of writing, in lower case."""
    return tuple(word.lower() for word in WORD.findall(name))


def strength(name: str, names: TextNames) -> str:
    """How sure a name makes it that its text is for a model: `sure`, `strong`, `weak`, or "" for not at all."""
    words = words_of(name)
    if not words:
        return ""
    if words[-1] in names.other or (
        len(words) > 1 and not names.other.isdisjoint(words[:-1]) and words[-1] != "prompt"
    ):
        return ""
    if not names.strong.isdisjoint(words):
        if not names.other.isdisjoint(words):
            return ""
        return "sure" if "system" in words or not names.sure.isdisjoint(words) else "strong"
    if "system" in words and words[-1] in ("message", "msg", "text", "content"):
        return "strong"
    if not names.weak.isdisjoint(words) and names.people.isdisjoint(words):
        return "weak"
    return ""


def speaks_to_a_model(value: str) -> bool:
    """Whether a long text with an ambiguous name is one for a model: several sentences that address it."""
    if len(value) < LONG or OTHER_CONTENT.match(value):
        return False
    return len(SENTENCE.findall(value)) >= 2 and bool(TO_A_MODEL.search(value))


def is_more_than_a_question(value: str) -> bool:
    """Whether a text is more than a word, or a question to a person."""
    return len(value) >= LEAST_SAID and not OTHER_CONTENT.match(value) and " " in value.strip()
