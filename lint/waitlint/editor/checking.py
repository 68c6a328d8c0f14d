"""Open documents to marks: what is found in each of them, with the whole repository in view."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from msgspec import Struct

from waitlint.finding import Finding
from waitlint.fix import Applicability
from waitlint.linter import Demand, Judged, lint
from waitlint.reporting import edits_of
from waitlint.rule import load_rules
from waitlint.scanning import Request, scan


class Replacement(Struct, frozen=True):
    """Replace [start, end) of a file's text, in code points, by `text`. `path` is absolute."""

    path: Path
    start: int
    end: int
    text: str


class Mended(Struct, frozen=True):
    """A repair that an editor may offer."""

    title: str
    safe: bool
    replacements: tuple[Replacement, ...]


class Mark(Struct, frozen=True):
    """A finding in an open document, at [start, end) of its text in code points.

    `related` are the places that it rests on: absolute path, start, end and what they show.
    """

    finding: Finding
    start: int
    end: int
    related: tuple[tuple[Path, int, int, str], ...] = ()
    mended: Mended | None = None


class Checked(Struct, frozen=True):
    """The marks of each open document, the texts of all files that they speak of, and faults of waitlint, in words."""

    marks: Mapping[Path, tuple[Mark, ...]]
    texts: Mapping[Path, str]
    faults: tuple[str, ...] = ()


def check(folder: Path, documents: Mapping[Path, str]) -> Checked:
    """Check open documents under a folder, with what is on disk beside them.

    Raises `waitlint.config.ConfigError` for a configuration that can't be used.
    """
    overlay = {str(path): text.encode("utf-8", "surrogatepass") for path, text in documents.items()}
    request = Request(cwd=folder, paths=tuple(documents), overlay=overlay, by_hand=False, jobs=1)
    scanned = scan(request)
    outcome = lint(scanned, Demand())
    marks: dict[Path, list[Mark]] = {path: [] for path in documents}
    texts: dict[Path, str] = dict(documents)
    faults = [*scanned.faults, *outcome.faults]
    for judged in outcome.findings:
        path = judged.group.absolute(judged.finding.place.path)
        if path in marks:
            mark = _mark(judged, faults)
            marks[path].append(mark)
            for other in _others(mark):
                texts.setdefault(other, _text(judged, other))
    return Checked({path: tuple(found) for path, found in marks.items()}, texts, tuple(faults))


def page_of(rule: str) -> str:
    """The page of a rule, as Markdown; "" for one that has none."""
    for one in load_rules():
        if one.name == rule:
            try:
                return one.page
            except FileNotFoundError:
                return ""
    return ""


def _mark(judged: Judged, faults: list[str]) -> Mark:
    finding, group = judged.finding, judged.group
    span = finding.place.span
    related = tuple(
        (group.absolute(one.place.path), one.place.span.start, one.place.span.end, one.message)
        for one in finding.evidence
    )
    return Mark(finding, span.start, span.end, related, _mended(judged, faults))


def _mended(judged: Judged, faults: list[str]) -> Mended | None:
    repair, group = judged.finding.repair, judged.group
    if repair is None or repair.applicability is Applicability.DISPLAY:
        return None
    edits = edits_of(repair, group, faults)
    if not edits:
        return None
    replacements = tuple(Replacement(group.absolute(one.path), one.start, one.end, one.text) for one in edits)
    return Mended(repair.title, repair.applicability is Applicability.SAFE, replacements)


def _others(mark: Mark) -> Iterator[Path]:
    yield from (path for path, *_ in mark.related)
    if mark.mended is not None:
        yield from (one.path for one in mark.mended.replacements)


def _text(judged: Judged, path: Path) -> str:
    """The text of a file of the group, as its offsets count in it."""
    group = judged.group
    names = (name for name in group.members if group.absolute(name) == path)
    name = next(names, None)
    return group.read_source(name).text if name is not None else ""
