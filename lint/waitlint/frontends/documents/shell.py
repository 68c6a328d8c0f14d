"""What the scripts of a skill print: the agent that runs one reads it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from waitlint.facts import Span, Text
from waitlint.frontends.documents.places import HOLE, Mapped, replaced, verbatim
from waitlint.frontends.documents.texts import text_of

# `awk '{print $2}'` prints into a pipe.
_PRINTS = re.compile(
    r"(?:^|(?<=[;&|()])|(?<=\{)(?![ \t]*printf?\b))[ \t]*(?:(?:then|do|else)[ \t]+)?"
    r"(echo|printf|Write-Host|Write-Output|Write-Error|Write-Warning|puts|warn|print)\b(?=[ \t(])",
    re.MULTILINE,
)
_STRING = re.compile(r'"((?:[^"\\`]|\\.|`.)*)"|\'([^\']*)\'', re.DOTALL)
_HEREDOC = re.compile(r"^[^#\r\n]*\bcat\b[^\r\n|]*<<-?[ \t]*([\"']?)(\w+)\1[^\r\n]*\r?\n", re.MULTILINE)
_ENDS = re.compile(r"[;|&#]")
_VALUE = re.compile(r"\$\{[^}\n]*\}|\$\([^()\n]*\)|\$\w+|#\{[^}\n]*\}")
# How a script is called is what its user reads: it says what the script does.
_USAGE = re.compile(r"\s*usage\b", re.IGNORECASE)
_COMMENT = re.compile(r"(?:^|(?<=[ \t]))#[^\r\n]*", re.MULTILINE)


def read(text: str) -> tuple[list[Text], list[Span]]:
    """The texts that are printed, and the spans of all comments."""
    texts = list(_printed(text))
    inside = [one.span for one in texts]
    comments = [
        Span(found.start(), found.end())
        for found in _COMMENT.finditer(text)
        if not any(span.start <= found.start() < span.end for span in inside)
    ]
    return texts, comments


def _printed(text: str) -> Iterator[Text]:
    found: list[tuple[Span, Mapped, str]] = []
    bodies: list[Span] = []
    for start in _HEREDOC.finditer(text):
        if (bodies and start.start() < bodies[-1].end) or ">" in start.group():
            continue
        close = re.compile(rf"^[ \t]*{start.group(2)}[ \t]*\r?$", re.MULTILINE).search(text, start.end())
        if close:
            span = Span(start.end(), close.start())
            bodies.append(span)
            found.append((span, verbatim(text, span.start, span.end), "cat"))
    for line in _PRINTS.finditer(text):
        if any(body.start <= line.start() < body.end for body in bodies):
            continue
        position = line.end(1)
        line_end = text.find("\n", position)
        for string in _STRING.finditer(text, position):
            if 0 <= line_end <= string.start() or _ENDS.search(text, position, string.start()):
                break
            position = string.end()
            group = 1 if string.group(1) is not None else 2
            mapped = verbatim(text, string.start(group), string.end(group))
            found.append((Span(string.start(), string.end()), mapped, line.group(1)))
    for span, mapped, key in sorted(found, key=lambda one: one[0].start):
        holes = [(hole.start(), hole.end(), HOLE) for hole in _VALUE.finditer(mapped.text)]
        value = replaced(mapped, holes) if holes else mapped
        if value.text.strip() and not _USAGE.match(value.text):
            yield text_of("tool-result", value, span, key)
