"""Fixing the fixtures gives exactly what is kept beside them; it leaves nothing of what it fixed, and settles."""

from __future__ import annotations

import ast
import json
from collections import Counter
from pathlib import Path

import pytest
import yaml

from goldens import NAME, fixed, fixed_once, golden, kept, scanned
from harness import FIXTURES, name_of
from waitlint.changing import changes
from waitlint.linter import Demand, lint
from waitlint.rule import load_rules
from waitlint.scanning import Scan

PROJECTS = kept()
NAMES = [name_of(project) for project in PROJECTS]


def found(scan: Scan) -> Counter[str]:
    return Counter(judged.finding.rule for judged in lint(scan, Demand(pedantic=True)).findings)


@pytest.mark.parametrize("project", PROJECTS, ids=NAMES)
def test_the_fixes_are_the_kept_ones(project: Path) -> None:
    now = golden(project)
    if now != (project / NAME).read_bytes().decode("utf-8"):
        name = name_of(project)
        pytest.fail(f"fixtures/{name}: read this, then run python -m tests.goldens {name}\n{now}", pytrace=False)


@pytest.mark.parametrize("project", PROJECTS, ids=NAMES)
def test_what_is_fixed_is_gone_and_nothing_has_come(project: Path) -> None:
    before, after = fixed_once(project)
    assert not after.scan.faults
    assert not after.unsettled
    old, new = found(before), found(after.scan)
    assert not new - old
    assert (old - new).total() >= after.applied


@pytest.mark.parametrize("project", PROJECTS, ids=NAMES)
def test_a_second_run_changes_nothing(project: Path) -> None:
    _, after = fixed_once(project)
    again = fixed(after.scan)
    assert changes(after.scan, again.scan) == ()


@pytest.mark.parametrize("project", PROJECTS, ids=NAMES)
def test_fixed_files_parse_by_their_languages_own_parser(project: Path) -> None:
    before, after = fixed_once(project)
    for change in changes(before, after.scan):
        text = change.after.decode("utf-8-sig")
        match Path(change.path).suffix:
            case ".py":
                ast.parse(text)
            case ".json":
                json.loads(text)
            case ".yaml" | ".yml":
                yaml.safe_load(text)


def test_every_rule_with_a_fix_has_a_golden_of_its_own() -> None:
    fixable = {rule.name for rule in load_rules() if rule.fixes}
    assert {name for name in fixable if not any(name_of(one).startswith(f"{name}/bad/") for one in PROJECTS)} == set()


CODE = {"python": {".py"}, "typescript": {".ts", ".tsx", ".js", ".mjs"}}
DOCUMENTS = {".md", ".txt", ".json", ".yaml", ".toml"}
# What only one language's front end can mend: pauses that block and errors after a loop in Python; a handler's signal
# and that of a run in TypeScript.
ONE_LANGUAGE = {
    "cancel/blocking-in-async": "python",
    "cap/loses-last-state": "python",
    "cancel/handler-ignores-signal": "typescript",
    "cancel/run-ignores-stop": "typescript",
}


def changed_formats(rule: str) -> set[str]:
    """The endings of the files that the goldens of a rule change."""
    own = [project for project in PROJECTS if name_of(project).startswith(f"{rule}/bad/")]
    diffs = [(project / NAME).read_text(encoding="utf-8") for project in own]
    return {Path(line[4:]).suffix for text in diffs for line in text.split("\n") if line.startswith("+++ ")}


def test_every_rule_with_a_fix_has_a_golden_in_each_language() -> None:
    for rule in load_rules():
        for language, endings in CODE.items() if rule.fixes else ():
            if ONE_LANGUAGE.get(rule.name, language) == language:
                assert not endings.isdisjoint(changed_formats(rule.name)), (rule.name, language)


def test_orders_to_poll_are_mended_in_every_format() -> None:
    assert changed_formats("tell/prompt-contradicts-tool") >= DOCUMENTS


def test_a_rule_that_promises_no_fix_has_none() -> None:
    promised = {rule.name: rule.fixes for rule in load_rules()}
    for project in PROJECTS:
        before, _ = fixed_once(project)
        for judged in lint(before, Demand(pedantic=True)).findings:
            repair = judged.finding.repair
            if repair is not None:
                assert str(repair.applicability) in promised[judged.finding.rule].split("/"), name_of(project)


def test_goldens_are_no_files_of_the_projects() -> None:
    for project in PROJECTS:
        assert NAME not in {path for group in scanned(project).groups for path in group.facts}, FIXTURES
