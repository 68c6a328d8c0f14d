"""SARIF 2.1.0: rules with their pages, findings with evidence, fixes and fingerprints."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any
from urllib.parse import quote

import msgspec

import waitlint
from waitlint.finding import Confidence, Severity
from waitlint.fix import Applicability, Fix
from waitlint.report import Proof, Report, Reported, RuleCard, Spot

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.ADVICE: "note"}
RANKS = {Confidence.HIGH: 90.0, Confidence.MEDIUM: 60.0, Confidence.LOW: 30.0}
BASE = "%SRCROOT%"
SAME_FILE = "the same file again"


def render(report: Report) -> str:
    """The report as indented JSON."""
    indexes = {card.name: index for index, card in enumerate(report.rules)}
    run = {
        "tool": {
            "driver": {
                "name": "waitlint",
                "version": waitlint.__version__,
                "semanticVersion": waitlint.__version__,
                "rules": [_rule(card) for card in report.rules],
            }
        },
        "columnKind": "unicodeCodePoints",
        "invocations": [
            {
                "executionSuccessful": not report.errors,
                "toolExecutionNotifications": [
                    {"level": "error", "message": {"text": error}} for error in report.errors
                ]
                + [
                    {"level": "note", "message": {"text": f"skipped: {item.reason}"}, "locations": [_file(item.path)]}
                    for item in report.summary.skipped
                ],
            }
        ],
        "results": [
            _result(finding, ordinal, indexes.get(finding.rule))
            for finding, ordinal in zip(report.findings, report.ordinals(), strict=True)
        ],
    }
    document = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    return msgspec.json.format(msgspec.json.encode(document), indent=2).decode() + "\n"


def _rule(card: RuleCard) -> dict[str, Any]:
    refers = (*card.references.rules, *card.references.checklist)
    return {
        "id": card.name,
        "name": "".join(word.capitalize() for word in card.name.replace("/", "-").split("-")),
        "shortDescription": {"text": card.summary},
        "fullDescription": {"text": card.summary},
        "help": {"text": card.page, "markdown": card.page},
        "defaultConfiguration": {"level": LEVELS[card.severity]},
        "properties": {"tags": [card.name.split("/")[0], *refers]},
    }


def _result(finding: Reported, ordinal: int, index: int | None) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": finding.rule,
        "level": LEVELS[finding.severity],
        "rank": RANKS[finding.confidence],
        "message": {"text": f"{finding.message}\n{finding.help}"},
        "locations": [_location(finding.spot)],
        "partialFingerprints": {"waitlint/v1": f"{finding.fingerprint}:{ordinal}"},
        "properties": {"confidence": finding.confidence, "tools": list(finding.tools)},
    }
    if index is not None:
        result["ruleIndex"] = index
    copies = [Proof(msgspec.structs.replace(finding.spot, path=copy), SAME_FILE) for copy in finding.copies]
    if finding.evidence or copies:
        result["relatedLocations"] = [
            _location(proof.spot) | {"id": number, "message": {"text": proof.message}}
            for number, proof in enumerate((*finding.evidence, *copies), 1)
        ]
    if finding.fix and finding.fix.applicability is not Applicability.DISPLAY:
        result["fixes"] = [_fix(finding.fix)]
    return result


def _artifact(path: str) -> dict[str, str]:
    """Where a file is. What lies outside of the working folder has no base."""
    uri = quote(path, safe="/~!$&'()*+,;=@-._")
    return {"uri": uri} if path.startswith("../") else {"uri": uri, "uriBaseId": BASE}


def _file(path: str) -> dict[str, Any]:
    return {"physicalLocation": {"artifactLocation": _artifact(path)}}


def _location(spot: Spot) -> dict[str, Any]:
    region = {
        "startLine": spot.line,
        "startColumn": spot.column,
        "endLine": spot.end_line,
        "endColumn": spot.end_column,
    }
    return {"physicalLocation": {"artifactLocation": _artifact(spot.path), "region": region}}


def _fix(fix: Fix) -> dict[str, Any]:
    changes: Sequence[dict[str, Any]] = [
        {
            "artifactLocation": _artifact(path),
            "replacements": [
                {
                    "deletedRegion": {"charOffset": edit.start, "charLength": edit.end - edit.start},
                    "insertedContent": {"text": edit.text},
                }
                for edit in edits
            ],
        }
        for path, edits in groupby(sorted(fix.edits), key=lambda edit: edit.path)
    ]
    return {"description": {"text": fix.title}, "artifactChanges": list(changes)}
