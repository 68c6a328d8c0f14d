"""The last lines of a text output: what was found, what was seen, and what was not."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from waitlint.finding import Severity
from waitlint.fix import Applicability
from waitlint.output.styled import SEVERITY_STYLE, STRONG, Line, Piece, visible
from waitlint.report import Report, Skipped

SHOWN_REASONS = 8
PLURALS = {"advice": "advice"}


def counted(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {PLURALS.get(word, word + 's')}"


def lines(report: Report, *, verbose: bool = False) -> Iterator[Line]:
    """The closing lines; `verbose` names every file that was skipped or only partly understood."""
    summary = report.summary
    yield _found(report)
    hidden = summary.hidden
    notes = [
        f"{counted(summary.fixed, 'finding')} fixed" if summary.fixed else "",
        f"{counted(hidden, 'finding')} of advice or low confidence not shown (--pedantic)" if hidden else "",
        f"{summary.suppressed} silenced by a comment" if summary.suppressed else "",
        f"{summary.known} known to the baseline" if summary.known else "",
        f"{summary.gone} of the baseline no longer there" if summary.gone else "",
        _from_elsewhere(report),
        _fixable(report),
    ]
    for note in filter(None, notes):
        yield (Piece(note[0].upper() + note[1:] + "."),)
    if summary.files:
        surfaces = sorted(summary.by_surface.items(), key=lambda item: (-item[1], item[0]))
        seen = ", ".join(f"{count} {name}" for name, count in surfaces)
        yield (Piece(f"Read {counted(summary.files, 'file')}: {seen}."),)
    if summary.skipped:
        yield (Piece(f"Skipped {counted(len(summary.skipped), 'file')}: {_reasons(summary.skipped)}."),)
    if summary.unknown:
        parts = ", ".join(_of_kind(count, kind.replace("_", " ")) for kind, count in summary.unknown.items())
        yield (Piece(f"Could not be told: {parts}."),)
    if verbose:
        for label, items in (("skipped", summary.skipped), ("partly understood", summary.problems)):
            for item in items:
                yield (Piece(f"  {label}: {visible(item.path)}: {visible(item.reason)}"),)


def _found(report: Report) -> Line:
    counts = report.counts()
    if report.findings:
        parts: list[Piece] = [Piece(f"Found {counted(len(report.findings), 'finding')}: ", STRONG)]
        shown = [severity for severity in (Severity.ERROR, Severity.WARNING, Severity.ADVICE) if counts[severity]]
        for index, severity in enumerate(shown):
            parts += [Piece(", ")] if index else []
            parts.append(Piece(counted(counts[severity], severity), SEVERITY_STYLE[severity]))
        return (*parts, Piece("."))
    if not report.summary.files:
        return (
            Piece("Nothing was scanned: no file here is one that a model reads or that defines its tools.", STRONG),
        )
    return (Piece("No findings.", "bold green"),)


def _from_elsewhere(report: Report) -> str:
    """Findings in what was installed or copied in are told apart."""
    count = sum(finding.vendored for finding in report.findings)
    return f"{count} of them in files that came from elsewhere" if count else ""


def _fixable(report: Report) -> str:
    by = Counter(finding.fix.applicability for finding in report.findings if finding.fix)
    safe, unsafe = by[Applicability.SAFE], by[Applicability.UNSAFE]
    parts = [f"{safe} fixable with --fix"] if safe else []
    if unsafe:
        parts.append(f"{unsafe} more with --unsafe-fixes" if safe else f"{unsafe} fixable with --fix --unsafe-fixes")
    return ", ".join(parts)


def _of_kind(number: int, kind: str) -> str:
    """A count of things whose first noun is written in the plural."""
    return f"{number} {re.sub(r's(?![a-z])', '', kind, count=1) if number == 1 else kind}"


def _reasons(items: Iterable[Skipped]) -> str:
    counts = Counter(item.reason for item in items).most_common()
    shown = [f"{count} {visible(reason)}" for reason, count in counts[:SHOWN_REASONS]]
    rest = sum(count for _, count in counts[SHOWN_REASONS:])
    return ", ".join([*shown, f"{rest} for other reasons (-v)"] if rest else shown)
