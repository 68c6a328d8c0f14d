"""What kind of document a text is: one that a model works by, or one that tells how code is to be written."""

from __future__ import annotations

import re
from collections.abc import Iterator

from waitlint.prose.blocks import PROGRAMMING, SHELLS, Block

_FENCE = re.compile(r"^[ \t]{0,20}(`{3,20}|~{3,20})[ \t]{0,8}\{?\.?([\w+#.-]{0,30})[^`\n]{0,200}$", re.MULTILINE)
# Fewer lines of code are an example.
LEAST = 8
_OF_DESIGN = re.compile(
    r"\b(?:(?<!with )best practices?|anti-?patterns?"
    r"|(?:design|integration|architecture|implementation) (?:patterns?|guide)"
    r"|patterns|architecture|one-pager|internals|design (?:doc|notes?|decisions?)|rfc|adr"
    r"|webhooks (?:&|and) (?:events|polling)|202"
    r"|design (?:the|an?) (?:[\w`-]{1,40} ){0,3}(?:skill|agent|plugin|tool|system)s?)\b"
)


_OF_A_MAKER = re.compile(
    r"(?:^|: )\W{0,4}(?:design|write|build|create|generate) (?:the|an?) (?:[\w`-]{1,40} ){0,3}"
    r"(?:skill|agent|plugin|tool|command|prompt)s?\b"
)
# What only a page of a documentation site holds: links as its theme draws them, and its components.
_THEMED = re.compile(r"<a [^<>\n]{0,300}\bclass(?:Name)?=")
_COMPONENT = re.compile(r"^[ \t]{0,8}</[A-Z][A-Za-z]{2,30}>[ \t]*$", re.MULTILINE)


# Code that waits: a loop, and a pause in it.
_LOOPS = re.compile(r"\b(?:while|until|for)\b|\bsetInterval\b|\bdo \{")
_PAUSES = re.compile(r"\bsleep\b|\bsetTimeout\b|\bStart-Sleep\b|\btime\.Sleep\b|\bdelay\(")


def fences(value: str) -> Iterator[tuple[str, int, int]]:
    """The fences of a document that are closed: the language in lower case, where the code begins and where it ends."""
    opened = language = ""
    start = 0
    for mark in _FENCE.finditer(value):
        if not opened:
            opened, language, start = mark[1], mark[2].lower(), mark.end()
        elif mark[1].startswith(opened) and not mark[2]:
            yield language, start, mark.start()
            opened = ""


def waiting_loops(value: str) -> list[int]:
    """Where in a document the fences begin whose code loops and pauses, in order."""
    return [
        start
        for _, start, end in fences(value)
        if _PAUSES.search(value, start, end) and _LOOPS.search(value, start, end)
    ]


def is_of_a_site(value: str, *, aside: bool) -> bool:
    """Whether a text was copied from a documentation site, which speaks to who writes code against a product.

    What is worked by may have parts of its own in tags; what is only looked into (`aside`) has them from a site.
    """
    return _THEMED.search(value) is not None or (aside and _COMPONENT.search(value) is not None)


def is_a_brief(blocks: list[Block]) -> bool:
    """Whether a text's title has a skill, an agent or a tool made: what stands in it is what that is to hold."""
    return _OF_A_MAKER.search(next((block.headings[0] for block in blocks if block.headings), "")) is not None


def share_of_code(value: str, blocks: list[Block]) -> float:
    """How much of a document is code to be written: the part of its lines in a language of programs.

    0 where most of its code is for a shell, 1 where its title says that it is about code.
    """
    title = next((block.headings[0] for block in blocks if block.headings), "")
    return 1.0 if _OF_DESIGN.search(title) else _measured(value)


def _measured(value: str) -> float:
    programs = shells = 0
    for language, start, end in fences(value):
        if language in PROGRAMMING:
            programs += value.count("\n", start, end)
        elif language in SHELLS:
            shells += value.count("\n", start, end)
    if programs < LEAST or programs <= shells:
        return 0.0
    return programs / (value.count("\n") + 1)
