"""What is found in a fixture of a wait does not hang on names, on files, or on the way that a signal takes.

A sample of the fixtures, unless `WAITLINT_ALL_FIXTURES` is set.
"""

from __future__ import annotations

import os
from pathlib import Path
from zlib import crc32

import pytest

from harness import name_of, projects, run, run_once
from reshaping import CHANGES
from transforms import load, store
from waitlint.report import Report

FAMILIES = ("cap", "cancel", "tell", "job", "loop")
SAMPLE = 24
WAITS = [project for project in projects() if name_of(project).split("/")[0] in FAMILIES]
CASES = [
    (name_of(project), change, project)
    for project in WAITS
    for change in CHANGES
    if os.environ.get("WAITLINT_ALL_FIXTURES") or crc32(f"{name_of(project)} {change}".encode()) % SAMPLE == 0
]


def seen(report: Report) -> list[tuple[str, str, str, tuple[str, ...]]]:
    """The findings without their places."""
    return sorted((f.rule, f.severity, f.confidence, tuple(sorted(f.tools))) for f in report.findings)


@pytest.mark.parametrize(("name", "change", "project"), CASES, ids=[f"{name}-{change}" for name, change, _ in CASES])
def test_findings_stay_the_same(name: str, change: str, project: Path, tmp_path: Path) -> None:
    changed = CHANGES[change](load(project))
    if not changed:
        return
    store(changed, tmp_path)
    assert seen(run(tmp_path)) == seen(run_once(project)), f"{name}: {change}"
