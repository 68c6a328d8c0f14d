"""What `--fix --unsafe-fixes` makes of the fixture projects, kept as a diff beside each: `fixed.diff`.

`python -m tests.goldens` writes them anew for the bad fixtures of all rules and for the story; with names of folders
under `fixtures/`, only for the projects below those.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from harness import FIXTURES, name_of, projects
from waitlint.changing import changes, diff
from waitlint.fixing import Fixed, run_fixes
from waitlint.linter import Demand
from waitlint.scanning import Request, Scan, scan

NAME = "fixed.diff"


def scanned(project: Path) -> Scan:
    return scan(Request(cwd=project, paths=(project,), use_cache=False, jobs=1))


def fixed(before: Scan) -> Fixed:
    """All fixes of a project, advice included."""
    return run_fixes(before, Demand(pedantic=True), unsafe=True)


@cache
def fixed_once(project: Path) -> tuple[Scan, Fixed]:
    before = scanned(project)
    return before, fixed(before)


def copied(project: Path, folder: Path, *, repaired: bool) -> None:
    """The Python of a project in another folder, as its fixes leave it or as it was."""
    for path in project.rglob("*.py"):
        target = folder / path.relative_to(project)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(path.read_bytes())
    if repaired:
        before, after = fixed_once(project)
        for change in changes(before, after.scan):
            (folder / change.absolute.relative_to(project)).write_bytes(change.after)


def golden(project: Path) -> str:
    """The diff that fixing a project makes."""
    before, after = fixed_once(project)
    return diff(changes(before, after.scan))


def kept() -> list[Path]:
    """The projects that have a golden diff."""
    return sorted(path.parent for path in FIXTURES.rglob(NAME))


def _wanted(names: list[str]) -> Iterator[Path]:
    for project in projects():
        name = name_of(project)
        below = any(name == one or name.startswith(f"{one.rstrip('/')}/") for one in names)
        kept_anyway = name.startswith("story/") or name.split("/")[2:3] == ["bad"]
        if below or (not names and kept_anyway):
            yield project


def main(names: list[str]) -> None:
    for project in _wanted(names):
        path, text = project / NAME, golden(project)
        if text:
            path.write_text(text, encoding="utf-8", newline="")
        else:
            path.unlink(missing_ok=True)


if __name__ == "__main__":
    main(sys.argv[1:])
