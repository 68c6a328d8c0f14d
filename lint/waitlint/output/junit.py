"""JUnit XML: a suite a file, a failed case a finding, and one passed case where there is nothing."""

from __future__ import annotations

import unicodedata
from itertools import groupby
from xml.etree import ElementTree

from waitlint.report import Report, Reported


def render(report: Report) -> str:
    """The report as indented XML."""
    total = len(report.findings)
    root = ElementTree.Element(
        "testsuites", name="waitlint", tests=str(total or 1), failures=str(total), errors=str(len(report.errors))
    )
    for path, found in groupby(report.findings, key=lambda finding: finding.spot.path):
        findings = list(found)
        suite = _suite(root, path, len(findings), len(findings))
        for finding in findings:
            _case(suite, finding)
    if not total:
        ElementTree.SubElement(_suite(root, "waitlint", 1, 0), "testcase", name="waitlint", classname="waitlint")
    ElementTree.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ElementTree.tostring(root, encoding="unicode")}\n'


def _suite(root: ElementTree.Element, name: str, tests: int, failures: int) -> ElementTree.Element:
    return ElementTree.SubElement(
        root, "testsuite", name=_clean(name), tests=str(tests), failures=str(failures), errors="0", skipped="0"
    )


def _case(suite: ElementTree.Element, finding: Reported) -> None:
    spot = finding.spot
    place = f"{spot.path}:{spot.line}:{spot.column}"
    case = ElementTree.SubElement(
        suite, "testcase", name=_clean(f"{finding.rule} at {place}"), classname=_clean(spot.path)
    )
    failure = ElementTree.SubElement(case, "failure", type=finding.severity, message=_clean(finding.message))
    known = [f"known from {proof.spot.path}:{proof.spot.line}: {proof.message}" for proof in finding.evidence]
    failure.text = _clean("\n".join([f"{place}: {finding.message}", *known, f"help: {finding.help}"]))


def _clean(text: str) -> str:
    """Text without the characters that XML 1.0 has no way to write."""
    return "".join(
        char
        if char in "\t\n" or (unicodedata.category(char) not in ("Cc", "Cs") and char not in "\ufffe\uffff")
        else "\N{REPLACEMENT CHARACTER}"
        for char in text
    )
