"""Fixture projects: what their marks say, and what a run finds in them.

A fixture project is a folder with a `waitlint.toml` that says `root = true`. A mark is a comment,
`expect: family/rule`, on the line of the finding or alone on the line above it; several rules are parted by commas.
`expect@-2: family/rule` speaks of the line two above the mark, for places that no comment reaches. Files without
comments have their marks beside them: `tools.json.expect` holds lines of a line number and a rule. `todo-expect`
marks a miss that is known.

All findings of a run must match: rule and line, advice included.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from waitlint.linter import Demand, lint
from waitlint.report import Report
from waitlint.reporting import report
from waitlint.scanning import Request, scan

FIXTURES = Path(__file__).parent.parent / "fixtures"
MARK = re.compile(r"(?:#|//|<!--)\s*(?P<todo>todo-)?expect(?:@(?P<shift>[+-]\d+))?:\s*(?P<rules>[a-z][a-z/, -]*[a-z])")
ASIDE = re.compile(r"(?P<todo>todo-)?(?P<line>\d+) (?P<rule>[a-z]+/[a-z-]+)")
ALONE = re.compile(r"\s*(?:#|//|<!--)\s*(?:todo-)?expect:[^@]*?(?:-->)?\s*")
TEXT_FILES = {".py", ".pyi", ".ts", ".tsx", ".js", ".mjs", ".md", ".mdc", ".yaml", ".yml", ".toml"}


class Hit(NamedTuple):
    """A finding, as far as a mark can speak of it. `path` is relative to the project."""

    path: str
    line: int
    rule: str


class Marks(NamedTuple):
    expected: Counter[Hit]
    todo: Counter[Hit]


def projects(under: Path = FIXTURES) -> list[Path]:
    """All fixture projects, sorted."""
    return sorted(path.parent for path in under.rglob("waitlint.toml"))


def name_of(project: Path) -> str:
    return project.relative_to(FIXTURES).as_posix()


def marks(project: Path) -> Marks:
    """What the marks of a project say."""
    found = Marks(Counter(), Counter())
    for path in sorted(path for path in project.rglob("*") if path.is_file()):
        shown = path.relative_to(project).as_posix()
        if path.suffix == ".expect":
            pairs = _beside(path)
            shown = shown.removesuffix(".expect")
        elif path.suffix in TEXT_FILES:
            pairs = _inside(path)
        else:
            continue
        for todo, line, rule in pairs:
            (found.todo if todo else found.expected)[Hit(shown, line, rule)] += 1
    return found


def _inside(path: Path) -> Iterator[tuple[bool, int, str]]:
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        for mark in MARK.finditer(line):
            target = number + int(mark["shift"]) if mark["shift"] else number + bool(ALONE.fullmatch(line))
            for rule in mark["rules"].split(","):
                yield bool(mark["todo"]), target, rule.strip()


def _beside(path: Path) -> Iterator[tuple[bool, int, str]]:
    assert path.with_suffix("").is_file(), f"{path} speaks of a file that does not exist"
    for line in path.read_text(encoding="utf-8").splitlines():
        mark = ASIDE.fullmatch(line)
        assert mark, f"{path}: {line!r} is neither a line number and a rule nor a todo of that"
        yield bool(mark["todo"]), int(mark["line"]), mark["rule"]


def run(folder: Path) -> Report:
    """What a pedantic run on a folder reports, with paths relative to the folder."""
    scanned = scan(Request(cwd=folder, paths=(folder,), use_cache=False, jobs=1))
    return report(scanned, lint(scanned, Demand(pedantic=True)))


@cache
def run_once(folder: Path) -> Report:
    return run(folder)


def hits(found: Report) -> Counter[Hit]:
    return Counter(Hit(f.spot.path, f.spot.line, f.rule) for f in found.findings)


def difference(project: Path, found: Report, marked: Marks) -> str:
    """In words, how findings and marks differ; "" where they don't. A known miss that is found differs, too."""
    actual = hits(found)
    messages = {Hit(f.spot.path, f.spot.line, f.rule): f.message for f in found.findings}
    lines = [f"the run failed: {error}" for error in found.errors]
    lines += [
        f"skipped: {skipped.path}: {skipped.reason}"
        for skipped in found.summary.skipped
        if not skipped.reason.endswith(("for people", "how servers are started"))
    ]
    lines += _listed("missing", project, marked.expected - actual, {})
    extra = actual - marked.expected
    lines += _listed("unexpected", project, extra - marked.todo, messages)
    lines += _listed("found, though marked as a known miss", project, extra & marked.todo, messages)
    return "\n".join(lines)


def _listed(title: str, project: Path, found: Counter[Hit], messages: dict[Hit, str]) -> Iterator[str]:
    for hit in sorted(found.elements()):
        source = (project / hit.path).read_text(encoding="utf-8").splitlines()
        excerpt = source[hit.line - 1].strip() if hit.line <= len(source) else "(past the end of the file)"
        yield f"{title}: {hit.rule} at {hit.path}:{hit.line}"
        yield f"    {excerpt[:150]}"
        if hit in messages:
            yield f"    {messages[hit]}"
