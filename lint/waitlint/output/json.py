"""The JSON output, version 1. Fields are added, never changed or removed, within a version.

{
  "version": 1,
  "findings": [                       sorted by path, line, column, rule
    {
      "rule": "loop/keep-calling",
      "severity": "error",            error, warning or advice
      "confidence": "high",           high, medium or low
      "path": "skills/x/SKILL.md",    relative to the working folder, with forward slashes
      "line": 1, "column": 1,         where it starts, from 1, in characters
      "end_line": 1, "end_column": 9, the first character after it
      "message": "…",                 what is wrong
      "help": "…",                    what to write instead
      "references": {
        "rules": ["R1", "R4"],        the rules for tools that wrap slow work that it breaks
        "checklist": ["C1", "C5"],    the checklist items that it breaks
        "seeds": [1]                  1 slow tools, 2 bounded loops, 3 stop rules
      },
      "tools": ["get_status"],        the tools that it touches
      "fingerprint": "…",             the same after lines have moved
      "evidence": [                   the places that it rests on
        {"path": "…", "line": 1, "message": "…"}
      ],
      "also_in": ["CLAUDE.md"],       files with the very same content, in which it is not reported again
      "vendored": false,              whether the file came from elsewhere
      "fix": {                        or null
        "title": "…",
        "applicability": "safe",      safe, unsafe or display
        "edits": [                    replace [start, end), in characters from 0 after a byte order mark
          {"path": "…", "start": 0, "end": 4, "text": "…"}
        ]
      }
    }
  ],
  "summary": {
    "files": 12,                      files that were read
    "by_surface": {"skill": 2},       the same by what they are to a model
    "skipped": [{"path": "…", "reason": "…"}],
    "unknown": {"caps": 1},           what could not be told, by kind
    "findings": {"error": 1, "warning": 0, "advice": 0},
    "hidden": 0,                      further ones that --pedantic shows
    "suppressed": 0,                  those that a comment or the configuration silences
    "known": 0, "gone": 0             those of the baseline that were found again, and those that were not
  }
}
"""

from __future__ import annotations

import msgspec
from msgspec import Struct

from waitlint.fix import Edit
from waitlint.report import References, Report, Reported, Skipped


class _Evidence(Struct):
    path: str
    line: int
    message: str


class _Fix(Struct):
    title: str
    applicability: str
    edits: tuple[Edit, ...]


class _Finding(Struct):
    rule: str
    severity: str
    confidence: str
    path: str
    line: int
    column: int
    end_line: int
    end_column: int
    message: str
    help: str
    references: References
    tools: tuple[str, ...]
    fingerprint: str
    evidence: tuple[_Evidence, ...]
    also_in: tuple[str, ...]
    vendored: bool
    fix: _Fix | None


class _Summary(Struct):
    files: int
    by_surface: dict[str, int]
    skipped: tuple[Skipped, ...]
    unknown: dict[str, int]
    findings: dict[str, int]
    hidden: int
    suppressed: int
    known: int
    gone: int


class _Document(Struct):
    version: int
    findings: tuple[_Finding, ...]
    summary: _Summary


def render(report: Report) -> str:
    """The report as indented JSON."""
    summary = report.summary
    document = _Document(
        version=1,
        findings=tuple(_finding(finding) for finding in report.findings),
        summary=_Summary(
            files=summary.files,
            by_surface=dict(sorted(summary.by_surface.items())),
            skipped=summary.skipped,
            unknown=dict(sorted(summary.unknown.items())),
            findings=report.counts(),
            hidden=summary.hidden,
            suppressed=summary.suppressed,
            known=summary.known,
            gone=summary.gone,
        ),
    )
    return msgspec.json.format(msgspec.json.encode(document), indent=2).decode() + "\n"


def _finding(finding: Reported) -> _Finding:
    spot, fix = finding.spot, finding.fix
    return _Finding(
        rule=finding.rule,
        severity=finding.severity,
        confidence=finding.confidence,
        path=spot.path,
        line=spot.line,
        column=spot.column,
        end_line=spot.end_line,
        end_column=spot.end_column,
        message=finding.message,
        help=finding.help,
        references=finding.references,
        tools=finding.tools,
        fingerprint=finding.fingerprint,
        evidence=tuple(_Evidence(e.spot.path, e.spot.line, e.message) for e in finding.evidence),
        also_in=finding.copies,
        vendored=finding.vendored,
        fix=_Fix(fix.title, fix.applicability, fix.edits) if fix else None,
    )
