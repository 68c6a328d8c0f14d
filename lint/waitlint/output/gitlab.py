"""GitLab code quality: a list of issues, each with a fingerprint of its own."""

from __future__ import annotations

import hashlib

import msgspec

from waitlint.finding import Severity
from waitlint.report import Report

SEVERITIES = {Severity.ERROR: "major", Severity.WARNING: "minor", Severity.ADVICE: "info"}


def render(report: Report) -> str:
    """The report as indented JSON."""
    issues = [
        {
            "type": "issue",
            "check_name": finding.rule,
            "description": f"{finding.rule}: {finding.message}",
            "content": {"body": finding.help},
            "categories": ["Bug Risk"],
            "severity": SEVERITIES[finding.severity],
            "fingerprint": hashlib.sha256(f"{finding.rule}\0{finding.fingerprint}\0{ordinal}".encode()).hexdigest(),
            "location": {
                "path": finding.spot.path,
                "lines": {"begin": finding.spot.line, "end": finding.spot.end_line},
            },
        }
        for finding, ordinal in zip(report.findings, report.ordinals(), strict=True)
    ]
    return msgspec.json.format(msgspec.json.encode(issues), indent=2).decode() + "\n"
