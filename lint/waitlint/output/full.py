"""The full text output: rule, place, source with the fault underlined, message, how it is known, help, references."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from waitlint.fix import Applicability
from waitlint.output.styled import QUIET, SEVERITY_STYLE, STRONG, Line, Piece, plain, visible, width
from waitlint.report import Report, Reported

SHOWN_LINES = 3
SHOWN_WIDTH = 160
SHOWN_COPIES = 3
WRAP = 110


def lines(report: Report) -> Iterator[Line]:
    for finding in report.findings:
        yield from _finding(finding)
        yield ()


def render(report: Report) -> str:
    return plain(lines(report))


def _finding(finding: Reported) -> Iterator[Line]:
    style = SEVERITY_STYLE[finding.severity]
    doubt = "" if finding.confidence == "high" else f" ({finding.confidence} confidence)"
    yield (
        Piece(finding.rule, style),
        Piece(f" {finding.severity}{doubt}: "),
        Piece(visible(finding.message), STRONG),
    )
    gutter = len(str(finding.spot.line + min(len(finding.excerpt), SHOWN_LINES) - 1)) if finding.excerpt else 1
    pad = " " * gutter
    spot = finding.spot
    yield Piece(f"{pad}--> ", QUIET), Piece(f"{visible(spot.path)}:{spot.line}:{spot.column}")
    yield (Piece(f"{pad} |", QUIET),)
    yield from _excerpt(finding, gutter, style)
    yield (Piece(f"{pad} |", QUIET),)
    for proof in finding.evidence:
        place = f"{visible(proof.spot.path)}:{proof.spot.line}"
        yield from _note(pad, "known from", f"{place}: {visible(proof.message)}")
    if finding.copies:
        yield from _note(pad, "also in", _copies(finding.copies))
    if finding.vendored:
        yield from _note(pad, "from elsewhere", "the file was installed or copied in: mend it where it comes from")
    if finding.tools:
        yield from _note(pad, "tools", ", ".join(visible(tool) for tool in finding.tools))
    yield from _help(pad, finding.help)
    if finding.fix:
        yield from _note(pad, "fixable", f"{visible(finding.fix.title)} ({_how(finding.fix.applicability)})")
    yield from _note(pad, "see", _references(finding))


def _help(pad: str, text: str) -> Iterator[Line]:
    """What to do; code stands below it, line by line as it is to be written."""
    words, *code = text.split("\n")
    yield from _note(pad, "help", visible(words))
    for line in code:
        yield (Piece(f"{pad}     {visible(line)}".rstrip()),)


def _copies(paths: tuple[str, ...]) -> str:
    """How many files say the same, and the first of them."""
    shown = ", ".join(visible(path) for path in paths[:SHOWN_COPIES])
    more = f" and {len(paths) - SHOWN_COPIES} more" if len(paths) > SHOWN_COPIES else ""
    return f"{len(paths)} {'file' if len(paths) == 1 else 'files'} with the same content: {shown}{more}"


def _how(applicability: Applicability) -> str:
    return {
        Applicability.SAFE: "--fix",
        Applicability.UNSAFE: "--fix --unsafe-fixes",
        Applicability.DISPLAY: "by hand",
    }[applicability]


def _references(finding: Reported) -> str:
    refers = finding.references
    parts = [f"waitlint rule {finding.rule}"]
    if refers.rules:
        parts.append(f"{'rule' if len(refers.rules) == 1 else 'rules'} {', '.join(refers.rules)}")
    if refers.checklist:
        parts.append(f"checklist {', '.join(refers.checklist)}")
    return " · ".join(parts)


def _note(pad: str, label: str, text: str) -> Iterator[Line]:
    first, *rest = textwrap.wrap(text, WRAP, break_long_words=False, break_on_hyphens=False) or [""]
    yield Piece(f"{pad} = ", QUIET), Piece(f"{label}: ", STRONG), Piece(first)
    for line in rest:
        yield (Piece(f"{pad}   {' ' * (len(label) + 2)}{line}"),)


def _excerpt(finding: Reported, gutter: int, style: str) -> Iterator[Line]:
    spot = finding.spot
    total = spot.end_line - spot.line + 1
    for index, text in enumerate(finding.excerpt[:SHOWN_LINES]):
        number = spot.line + index
        start = spot.column - 1 if index == 0 else len(text) - len(text.lstrip())
        end = spot.end_column - 1 if number == spot.end_line else len(text.rstrip())
        if index and (end <= start or not text.strip()):
            end = start
        text, start, end = _window(text, start, max(end, start))
        before, marked = visible(text[:start]), visible(text[start:end])
        line = f"{before}{marked}{visible(text[end:])}".rstrip()
        yield Piece(f"{number:>{gutter}} |", QUIET), Piece(f" {line}" if line else "")
        if end > start or index == 0:
            under = " " * width(before) + "^" * max(width(marked), 1)
            yield Piece(f"{' ' * gutter} | ", QUIET), Piece(under, style)
    if total > SHOWN_LINES:
        more = total - SHOWN_LINES
        yield (Piece(f"{'.' * gutter} | … {more} more {'line' if more == 1 else 'lines'}", QUIET),)


def _window(text: str, start: int, end: int) -> tuple[str, int, int]:
    """The part of a long line that holds the fault, and where the fault stands in it."""
    if len(text) <= SHOWN_WIDTH:
        return text, start, min(end, len(text))
    first = max(0, min(start - SHOWN_WIDTH // 4, len(text) - SHOWN_WIDTH))
    last = first + SHOWN_WIDTH
    shown = text[first:last]
    start, end = start - first, min(end - first, SHOWN_WIDTH)
    if first:
        shown = "…" + shown[1:]
    if last < len(text):
        shown = shown[:-1] + "…"
    return shown, start, end
