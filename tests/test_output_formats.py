"""The formats of code hosts: what each of them must have, and that no finding can break out of them."""

from __future__ import annotations

import json
from typing import Any
from xml.etree import ElementTree

import msgspec
import pytest

from test_output import FINDING, REPORT
from waitlint import output
from waitlint.finding import Severity
from waitlint.report import References, Report, Reported, RuleCard, Spot, Summary

CARD = RuleCard(
    "loop/keep-calling", Severity.ERROR, "Asks again.", "# loop/keep-calling\n", References(("R1",), ("C1",))
)
NASTY = msgspec.structs.replace(
    FINDING,
    spot=Spot("a b/ü,:%.md", 1, 1, 2, 1),
    message="x % y\r\n::error::z <b>&\x00 `code` *bold* | \ufffe",
    help="]]> </failure>",
)
TWICE = Report(
    (FINDING, msgspec.structs.replace(FINDING, spot=Spot("z.md", 1, 1, 1, 2)), NASTY), Summary(files=1), (), (CARD,)
)


def sarif(report: Report) -> dict[str, Any]:
    document = json.loads(output.render(report, "sarif"))
    assert document["version"] == "2.1.0"
    (run,) = document["runs"]
    assert isinstance(run, dict)
    return run


def results(report: Report) -> list[dict[str, object]]:
    found = sarif(report)["results"]
    assert isinstance(found, list)
    return found


def test_sarif_has_rule_level_place_evidence_fix_and_fingerprint() -> None:
    (result,) = results(Report((FINDING,), Summary(), (), (CARD,)))
    assert (result["ruleId"], result["ruleIndex"], result["level"]) == ("loop/keep-calling", 0, "error")
    assert result["locations"] == [
        {
            "physicalLocation": {
                "artifactLocation": {"uri": "prompts/system.md", "uriBaseId": "%SRCROOT%"},
                "region": {"startLine": 12, "startColumn": 3, "endLine": 12, "endColumn": 26},
            }
        }
    ]
    assert result["partialFingerprints"] == {"waitlint/v1": "0123456789abcdef0123:0"}
    assert "relatedLocations" in result
    assert result["fixes"] == [
        {
            "description": {"text": "say that it waits"},
            "artifactChanges": [
                {
                    "artifactLocation": {"uri": "prompts/system.md", "uriBaseId": "%SRCROOT%"},
                    "replacements": [
                        {
                            "deletedRegion": {"charOffset": 100, "charLength": 23},
                            "insertedContent": {"text": "Call it once"},
                        }
                    ],
                }
            ],
        }
    ]


def test_sarif_levels_and_rules_are_complete() -> None:
    run = sarif(TWICE)
    assert run["columnKind"] == "unicodeCodePoints"
    advice = msgspec.structs.replace(FINDING, severity=Severity.ADVICE, fix=None, evidence=())
    (result,) = results(Report((advice,), Summary()))
    assert result["level"] == "note"
    assert not {"fixes", "relatedLocations", "ruleIndex"} & result.keys()


def test_equal_findings_are_told_apart() -> None:
    marks = [result["partialFingerprints"] for result in results(TWICE)]
    assert len({json.dumps(mark) for mark in marks}) == 3
    issues = json.loads(output.render(TWICE, "gitlab"))
    assert len({issue["fingerprint"] for issue in issues}) == 3


def test_sarif_paths_are_uris() -> None:
    assert '"uri": "a%20b/%C3%BC,%3A%25.md"' in output.render(TWICE, "sarif")
    outside = msgspec.structs.replace(FINDING, spot=Spot("../up.md", 1, 1, 1, 1))
    assert '"uriBaseId"' not in json.dumps(results(Report((outside,), Summary()))[0]["locations"])


def test_sarif_says_what_failed_and_what_was_skipped() -> None:
    invocation = sarif(msgspec.structs.replace(REPORT, errors=("a rule failed",)))["invocations"][0]
    assert not invocation["executionSuccessful"]
    assert [n["level"] for n in invocation["toolExecutionNotifications"]] == ["error", "note", "note"]


def test_gitlab_has_what_code_quality_asks_for() -> None:
    (issue,) = json.loads(output.render(Report((FINDING,), Summary()), "gitlab"))
    assert {"description", "check_name", "fingerprint", "severity", "location"} <= issue.keys()
    assert issue["severity"] == "major"
    assert issue["location"] == {"path": "prompts/system.md", "lines": {"begin": 12, "end": 12}}
    assert json.loads(output.render(Report((), Summary()), "gitlab")) == []


def test_github_commands_are_one_line_each_and_escaped() -> None:
    lines = output.render(TWICE, "github").splitlines()
    assert lines[0].startswith(
        "::error file=prompts/system.md,line=12,endLine=12,col=3,endColumn=26,title=loop/keep-calling::"
    )
    assert len(lines) == 3
    assert lines[2].startswith("::error file=a b/ü%2C%3A%25.md,line=1,endLine=2,title=")
    assert "x %25 y%0D%0A::error::z" in lines[2]


def test_junit_is_well_formed_and_counts() -> None:
    root = ElementTree.fromstring(output.render(TWICE, "junit"))
    assert root.attrib == {"name": "waitlint", "tests": "3", "failures": "3", "errors": "0"}
    assert [suite.get("name") for suite in root] == ["prompts/system.md", "z.md", "a b/ü,:%.md"]
    (failure,) = root.findall("testsuite[3]/testcase/failure")
    assert "]]> </failure>" in (failure.text or "")
    clean = ElementTree.fromstring(output.render(Report((), Summary(files=1)), "junit"))
    assert [case.get("name") for case in clean.iter("testcase")] == ["waitlint"]
    assert not list(clean.iter("failure"))


def test_markdown_keeps_words_words() -> None:
    text = output.render(TWICE, "markdown")
    assert text.startswith("## waitlint: found 3 findings: 3 errors.\n")
    assert "\\<b\\>&\ufffd `code` \\*bold\\* \\|" in text
    assert "### `a b/ü,:%.md`" in text


@pytest.mark.parametrize("name", sorted(output.FORMATS))
@pytest.mark.parametrize("findings", [(), (FINDING,), (NASTY,)])
def test_every_format_renders_everything(name: str, findings: tuple[Reported, ...]) -> None:
    text = output.render(Report(findings, REPORT.summary, ("oh",), (CARD,)), name)
    assert text == "" or text.endswith("\n")
    text.encode()
