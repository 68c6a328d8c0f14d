"""GitHub workflow commands: findings as annotations of a pull request."""

from __future__ import annotations

from waitlint.finding import Severity
from waitlint.output.styled import visible
from waitlint.report import Report, Reported

COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.ADVICE: "notice"}


def render(report: Report) -> str:
    """One command a line. Columns are given only within one line, as GitHub wants it."""
    return "".join(_command(finding) + "\n" for finding in report.findings)


def _command(finding: Reported) -> str:
    spot = finding.spot
    properties: dict[str, object] = {"file": spot.path, "line": spot.line, "endLine": spot.end_line}
    if spot.line == spot.end_line:
        properties |= {"col": spot.column, "endColumn": spot.end_column}
    properties["title"] = finding.rule
    named = ",".join(f"{name}={_escaped(str(value), ':,')}" for name, value in properties.items())
    known = [f"known from {proof.spot.path}:{proof.spot.line}: {proof.message}" for proof in finding.evidence]
    text = "\n".join([finding.message, *known, f"help: {finding.help}"])
    return f"::{COMMANDS[finding.severity]} {named}::{_escaped(text)}"


def _escaped(text: str, also: str = "") -> str:
    text = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    for char in also:
        text = text.replace(char, f"%{ord(char):02X}")
    return visible(text)
