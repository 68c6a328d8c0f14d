"""Each fixture project gives the findings that it is marked with, and no other."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness import FIXTURES, difference, marks, name_of, projects, run_once

PROJECTS = projects()


@pytest.mark.parametrize("project", PROJECTS, ids=[name_of(project) for project in PROJECTS])
def test_findings_are_the_marked_ones(project: Path) -> None:
    differences = difference(project, run_once(project), marks(project))
    if differences:
        pytest.fail(f"fixtures/{name_of(project)}\n{differences}", pytrace=False)


def test_a_bad_project_is_marked_with_its_rule() -> None:
    for project in PROJECTS:
        family, rule, kind = (*project.relative_to(FIXTURES).parts, "", "", "")[:3]
        if kind == "bad":
            marked = marks(project)
            assert any(hit.rule == f"{family}/{rule}" for hit in (*marked.expected, *marked.todo)), name_of(project)


def test_a_good_project_is_not_marked_with_its_rule() -> None:
    for project in PROJECTS:
        family, rule, kind = (*project.relative_to(FIXTURES).parts, "", "", "")[:3]
        if kind == "good":
            assert not any(hit.rule == f"{family}/{rule}" for hit in marks(project).expected), name_of(project)


def test_no_file_lies_outside_of_the_projects() -> None:
    inside = set(PROJECTS)
    for path in FIXTURES.rglob("*"):
        if path.is_file() and path.parent != FIXTURES:
            assert not inside.isdisjoint(path.parents), path


def test_what_has_no_fix_says_what_to_write() -> None:
    """Code in backticks or words in quotes, made of the project's own names."""
    for project in PROJECTS:
        for finding in run_once(project).findings:
            shown = "`" in finding.help or "“" in finding.help
            assert finding.fix is not None or shown, (name_of(project), finding.rule, finding.help)
