"""How often each rule spoke: `--statistics`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from waitlint.output.styled import SEVERITY_STYLE, Line, Piece
from waitlint.report import Report


def lines(report: Report) -> Iterator[Line]:
    """One line a rule, the most frequent first: count, severity, rule, and how many of them can be fixed."""
    counts = Counter((finding.rule, finding.severity) for finding in report.findings)
    fixable = Counter((finding.rule, finding.severity) for finding in report.findings if finding.fix)
    digits = len(str(max(counts.values(), default=0)))
    for (rule, severity), count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        can = fixable[rule, severity]
        yield (
            Piece(f"{count:>{digits}}  "),
            Piece(f"{severity:<7}  ", SEVERITY_STYLE[severity]),
            Piece(rule),
            Piece(f"  ({can} fixable)" if can else ""),
        )
