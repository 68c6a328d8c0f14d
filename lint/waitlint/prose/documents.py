"""What kind of document a text is: one that a model works by, or one that tells how code is to be written."""

from __future__ import annotations

import re

from waitlint.prose.blocks import PROGRAMMING, SHELLS, Block

FENCE = re.compile(r"^[ \t]{0,20}(`{3,20}|~{3,20})[ \t]{0,8}\{?\.?([\w+#.-]{0,30})[^`\n]{0,200}$", re.MULTILINE)
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


def waiting_loops(value: str) -> list[int]:
    """Where in a document the fences begin whose code loops and pauses, in order."""
    found: list[int] = []
    opened = ""
    start = 0
    for mark in FENCE.finditer(value):
        if not opened:
            opened, start = mark[1], mark.end()
        elif mark[1].startswith(opened) and not mark[2]:
            opened = ""
            if _PAUSES.search(value, start, mark.start()) and _LOOPS.search(value, start, mark.start()):
                found.append(start)
    return found


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
    opened = language = ""
    start = 0
    for mark in FENCE.finditer(value):
        if not opened:
            opened, language, start = mark[1], mark[2].lower(), mark.end()
        elif mark[1].startswith(opened) and not mark[2]:
            lines = value.count("\n", start, mark.start())
            if language in PROGRAMMING:
                programs += lines
            elif language in SHELLS:
                shells += lines
            opened = ""
    if programs < LEAST or programs <= shells:
        return 0.0
    return programs / (value.count("\n") + 1)
