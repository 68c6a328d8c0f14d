"""An audit of what was scanned."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import waitlint
from waitlint.audit.loops import LoopJudge
from waitlint.audit.model import (
    Assumptions,
    Audit,
    Found,
    LoopRow,
    Polled,
    PollingText,
    Proof,
    Repository,
    ToolRow,
    Unread,
)
from waitlint.audit.polling import assumptions, polled, texts
from waitlint.audit.tools import ToolJudge
from waitlint.factview import asked_tools
from waitlint.finding import Finding
from waitlint.fix import Applicability
from waitlint.git import GitFailed, answer
from waitlint.linter import Demand, Outcome, Policy, lint
from waitlint.report import Reported, Skipped
from waitlint.reporting import report
from waitlint.scanning import Group, Scan

LONGEST_LINE = 240


def repository(scan: Scan, name: str, demand: Demand) -> Repository:
    """The audit of one scan, whose working folder is the folder that is audited."""
    outcome = lint(scan, demand)
    shown = report(scan, outcome)
    rows = _Rows(scan, outcome, demand)
    for group in scan.groups:
        if group.is_concerned:
            rows.add(group)
    summary = shown.summary
    return Repository(
        name=name,
        revision=_revision(scan.request.cwd),
        files=summary.files,
        by_surface=dict(sorted(summary.by_surface.items())),
        tools=tuple(sorted(rows.tools, key=lambda row: (row.path, row.line, row.name))),
        loops=tuple(sorted(rows.loops, key=lambda row: (row.path, row.line))),
        texts=tuple(sorted(rows.texts, key=lambda row: (row.path, row.line))),
        polled=tuple(rows.polled),
        assumptions=min(rows.assumptions, key=_known_first, default=Assumptions()),
        findings=tuple(_found(one) for one in shown.findings),
        skipped=_unread(summary.skipped),
        problems=_unread(summary.problems),
        unknown=summary.unknown,
        suppressed=summary.suppressed,
        errors=shown.errors,
    )


def audit(repositories: Iterable[Repository]) -> Audit:
    """Repositories side by side; of one that is there twice the later is kept."""
    by_name = {repository.name: repository for repository in repositories}
    return Audit(waitlint=waitlint.__version__, repositories=tuple(by_name[name] for name in sorted(by_name)))


class _Rows:
    """The rows of all groups of a scan."""

    def __init__(self, scan: Scan, outcome: Outcome, demand: Demand) -> None:
        self.scan = scan
        self.outcome = outcome
        self.demand = demand
        self.tools: list[ToolRow] = []
        self.loops: list[LoopRow] = []
        self.texts: list[PollingText] = []
        self.polled: list[Polled] = []
        self.assumptions: list[Assumptions] = []

    def add(self, group: Group) -> None:
        scan, project = self.scan, group.project
        findings: list[Finding] = [one.finding for one in self.outcome.findings if one.group is group]
        policy = Policy(group, scan.configs, self.demand)
        tools = ToolJudge(group, scan, policy, findings)
        loops = LoopJudge(group, scan, policy, findings)
        found = list(texts(group, scan, findings))
        self.tools += map(tools.row, asked_tools(group))
        self.loops += (loops.row(loop) for loop in project.loops if group.asks(loop.place.path))
        self.texts += found
        self.polled += polled(group, scan, policy, found, findings)
        self.assumptions.append(assumptions(group, scan))


def _known_first(given: Assumptions) -> tuple[bool, int]:
    return given.steps_from == Assumptions().steps_from, given.steps


def _found(finding: Reported) -> Found:
    fix = finding.fix
    return Found(
        rule=finding.rule,
        severity=finding.severity,
        confidence=finding.confidence,
        path=finding.spot.path,
        line=finding.spot.line,
        message=finding.message,
        help=finding.help,
        rules=finding.references.rules,
        checklist=finding.references.checklist,
        tools=finding.tools,
        fingerprint=finding.fingerprint,
        evidence=tuple(Proof(one.spot.path, one.spot.line, one.message) for one in finding.evidence),
        excerpt=tuple(map(_cut, finding.excerpt)),
        also_in=finding.copies,
        vendored=finding.vendored,
        fix=str(fix.applicability) if fix and fix.applicability is not Applicability.DISPLAY else "",
    )


def _cut(line: str) -> str:
    return line if len(line) <= LONGEST_LINE else line[: LONGEST_LINE - 1] + "…"


def _unread(items: Iterable[Skipped]) -> tuple[Unread, ...]:
    return tuple(sorted({Unread(one.path, one.reason) for one in items}))


def _revision(folder: Path) -> str:
    try:
        return answer(folder, "rev-parse", "--short=12", "HEAD").decode().strip()
    except GitFailed:
        return ""
