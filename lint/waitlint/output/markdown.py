"""Markdown, for a comment on a pull request or a job's summary."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby

from waitlint.output.closing import lines as closing_lines
from waitlint.output.styled import plain, visible
from waitlint.report import Report, Reported

MARKS = {"error": "🔴", "warning": "🟡", "advice": "🔵"}
SPECIAL = re.compile(r"([\\*_{}\[\]<>#|~])")


def render(report: Report) -> str:
    """A heading, the findings of each file, and what was and wasn't seen."""
    head, *rest = plain(closing_lines(report)).splitlines()
    parts = [f"## waitlint: {head[0].lower()}{head[1:]}", ""]
    for path, found in groupby(report.findings, key=lambda finding: finding.spot.path):
        parts += [f"### {code(path)}", ""]
        for finding in found:
            parts += [*_finding(finding), ""]
    parts += [f"{words(line)}  " for line in rest]
    return "\n".join(parts).rstrip() + "\n"


def _finding(finding: Reported) -> Iterator[str]:
    refers = ", ".join((*finding.references.rules, *finding.references.checklist))
    yield (
        f"- {MARKS[finding.severity]} **{finding.severity}** {code(finding.rule)} line {finding.spot.line}"
        f"{f' ({refers})' if refers else ''}: {words(finding.message)}"
    )
    for proof in finding.evidence:
        yield f"  - known from {code(f'{proof.spot.path}:{proof.spot.line}')}: {words(proof.message)}"
    yield f"  - help: {words(finding.help)}"


def code(text: str) -> str:
    """A code span that holds whatever it is given."""
    text = visible(" ".join(text.split()))
    fence = "`" * (max((len(run) for run in re.findall("`+", text)), default=0) + 1)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def words(text: str) -> str:
    """Words in which nothing but code spans is markup."""
    parts = re.split(r"(`[^`]+`)", visible(" ".join(text.split())))
    return "".join(part if index % 2 else SPECIAL.sub(r"\\\1", part) for index, part in enumerate(parts))
