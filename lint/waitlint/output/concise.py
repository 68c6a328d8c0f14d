"""The concise text output: one line a finding, `path:line:column: severity rule message`."""

from __future__ import annotations

from collections.abc import Iterator

from waitlint.fix import Applicability
from waitlint.output.styled import QUIET, SEVERITY_STYLE, STRONG, Line, Piece, plain, visible
from waitlint.report import Report, Reported

MARKS = {Applicability.SAFE: " [fixable]", Applicability.UNSAFE: " [fixable, unsafe]", Applicability.DISPLAY: ""}


def also_in(finding: Reported) -> str:
    """That a finding stands in more files than the one that is named."""
    count = len(finding.copies)
    return f" (also in {count} {'file' if count == 1 else 'files'})" if count else ""


def lines(report: Report) -> Iterator[Line]:
    for finding in report.findings:
        spot = finding.spot
        yield (
            Piece(visible(spot.path), STRONG),
            Piece(f":{spot.line}:{spot.column}: ", QUIET),
            Piece(f"{finding.severity} ", SEVERITY_STYLE[finding.severity]),
            Piece(f"{finding.rule} "),
            Piece(visible(" ".join(finding.message.split()))),
            Piece(also_in(finding), QUIET),
            Piece(MARKS[finding.fix.applicability] if finding.fix else "", QUIET),
        )


def render(report: Report) -> str:
    return plain(lines(report))
