"""Fixes are applied whole or not at all, believed only after another look, and written only where nothing has moved."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

import standin
from waitlint.changing import Change, NotWritten, changes, diff, write_changes
from waitlint.facts import Span
from waitlint.finding import Confidence, Finding, Place, Severity
from waitlint.fix import Applicability, Edit, Repair, RewriteText
from waitlint.fixing import Fixed, _apart, _Candidate, _clash_inside, applied, run_fixes
from waitlint.linter import Demand
from waitlint.scanning import Request, Scan, scan


@pytest.fixture(autouse=True)
def _rules(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    standin.install(monkeypatch)
    (tmp_path / "waitlint.toml").write_text("root = true\n")


def scanned(folder: Path, *paths: str) -> Scan:
    named = tuple(folder / path for path in paths) or (folder,)
    return scan(Request(cwd=folder, paths=named, use_cache=False, jobs=1))


def fixed(folder: Path, *paths: str, unsafe: bool = False) -> tuple[Scan, Fixed]:
    before = scanned(folder, *paths)
    return before, run_fixes(before, Demand(), unsafe=unsafe)


def skill(folder: Path, content: bytes, name: str = "one") -> Path:
    path = folder / "skills" / name / "SKILL.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def fix_on_disk(folder: Path, *paths: str, unsafe: bool = False) -> Fixed:
    before, after = fixed(folder, *paths, unsafe=unsafe)
    write_changes(changes(before, after.scan))
    return after


def test_all_fixes_of_all_files_are_made(tmp_path: Path) -> None:
    one, two = skill(tmp_path, b"FIXME and FIXME\n"), skill(tmp_path, b"a FIXME\n", "two")
    result = fix_on_disk(tmp_path)
    assert (one.read_bytes(), two.read_bytes()) == (b"fixed and fixed\n", b"a fixed\n")
    assert (result.applied, result.refused, result.unsettled) == (3, (), ())


def test_newlines_marks_and_wide_characters_stay_as_they_were(tmp_path: Path) -> None:
    path = skill(tmp_path, "\ufeff# Größe 日本\r\n\r\n✓ FIXME é\r\nend".encode())
    fix_on_disk(tmp_path)
    assert path.read_bytes() == "\ufeff# Größe 日本\r\n\r\n✓ fixed é\r\nend".encode()


def test_the_mode_stays_and_a_link_stays_a_link(tmp_path: Path) -> None:
    path = skill(tmp_path, b"FIXME\n")
    path.chmod(0o750)
    real = tmp_path / "real.md"
    path.rename(real)
    path.symlink_to(real)
    fix_on_disk(tmp_path)
    assert path.is_symlink()
    assert real.read_bytes() == b"fixed\n"
    assert real.stat().st_mode & 0o777 == 0o750
    assert sorted(os.listdir(tmp_path)) == ["real.md", "skills", "waitlint.toml"]


def test_unsafe_fixes_only_on_demand(tmp_path: Path) -> None:
    path = skill(tmp_path, b"RISKY FIXME\n")
    fix_on_disk(tmp_path)
    assert path.read_bytes() == b"RISKY fixed\n"
    fix_on_disk(tmp_path, unsafe=True)
    assert path.read_bytes() == b"fixed fixed\n"


def test_fixing_twice_changes_nothing_more(tmp_path: Path) -> None:
    skill(tmp_path, b"FIXME RISKY\n")
    fix_on_disk(tmp_path, unsafe=True)
    before, after = fixed(tmp_path, unsafe=True)
    assert changes(before, after.scan) == ()


def test_a_fix_that_brings_another_finding_is_refused_alone(tmp_path: Path) -> None:
    path = skill(tmp_path, b"WRONG and FIXME\n")
    result = fix_on_disk(tmp_path)
    assert path.read_bytes() == b"WRONG and fixed\n"
    assert result.applied == 1
    assert [(r.finding.message, r.reason) for r in result.refused] == [
        ("the text says WRONG", "it would bring loop/keep-calling in skills/one/SKILL.md")
    ]


def test_fixes_that_meet_take_a_pass_each(tmp_path: Path) -> None:
    path = skill(tmp_path, b"FIXMEFIXMEFIXME\n")
    assert fix_on_disk(tmp_path).applied == 3
    assert path.read_bytes() == b"fixedfixedfixed\n"


def test_what_does_not_settle_is_left_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("waitlint.fixing.MOST_PASSES", 1)
    path, other = skill(tmp_path, b"FIXMEFIXME\n"), skill(tmp_path / "apart", b"FIXME\n")
    (tmp_path / "apart/waitlint.toml").write_text("root = true\n")
    result = fix_on_disk(tmp_path)
    assert path.read_bytes() == b"FIXMEFIXME\n"
    assert other.read_bytes() == b"fixed\n"
    assert [group.root for group in result.unsettled] == [tmp_path]
    assert result.applied == 1


def test_only_named_files_are_changed(tmp_path: Path) -> None:
    one, two = skill(tmp_path, b"FIXME 1\n"), skill(tmp_path, b"FIXME 2\n", "two")
    fix_on_disk(tmp_path, "skills/one")
    assert (one.read_bytes(), two.read_bytes()) == (b"fixed 1\n", b"FIXME 2\n")


def test_json_stays_json(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tools = {"tools": [{"name": "get_job", "description": "FIXME now", "inputSchema": {"type": "object"}}]}
    path = tmp_path / "tools.json"
    path.write_text(json.dumps(tools, indent=2))
    fix_on_disk(tmp_path)
    assert json.loads(path.read_text())["tools"][0]["description"] == "fixed now"
    path.write_text(json.dumps(tools, indent=2))

    def broken(source: object, language: str, change: RewriteText, width: int) -> tuple[Edit, ...]:
        return (Edit(change.path, change.span.start, change.span.end, '"'),)

    monkeypatch.setattr("waitlint.reporting.frontends.edits", broken)
    result = fix_on_disk(tmp_path)
    assert json.loads(path.read_text()) == tools
    assert "JSON" in result.refused[0].reason


def test_an_editor_that_fails_is_a_fault_and_no_fix(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(*arguments: object) -> None:
        raise ZeroDivisionError("boom")

    monkeypatch.setattr("waitlint.reporting.frontends.edits", failing)
    path = skill(tmp_path, b"FIXME\n")
    result = fix_on_disk(tmp_path)
    assert path.read_bytes() == b"FIXME\n"
    assert "ZeroDivisionError: boom" in result.scan.faults[0]


def test_a_file_that_has_changed_meanwhile_stops_all_writing(tmp_path: Path) -> None:
    one, two = skill(tmp_path, b"FIXME\n"), skill(tmp_path, b"FIXME too\n", "two")
    before, after = fixed(tmp_path)
    found = changes(before, after.scan)
    two.write_bytes(b"FIXME, somebody else was here\n")
    with pytest.raises(NotWritten, match=r"skills/two/SKILL\.md has changed meanwhile; nothing was written"):
        write_changes(found)
    assert one.read_bytes() == b"FIXME\n"


def test_where_one_file_can_not_be_written_none_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one, two = skill(tmp_path, b"FIXME\n"), skill(tmp_path, b"FIXME too\n", "two")
    before, after = fixed(tmp_path)
    found = changes(before, after.scan)
    replace = os.replace

    def full(source: str, target: Path) -> None:
        if target == two:
            raise OSError(28, "No space left on device")
        replace(source, target)

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(NotWritten, match="No space left on device; nothing was written"):
        write_changes(found)
    assert (one.read_bytes(), two.read_bytes()) == (b"FIXME\n", b"FIXME too\n")
    assert os.listdir(two.parent) == ["SKILL.md"]


def test_a_diff_can_be_read_and_applied() -> None:
    change = Change("a.md", Path("/a.md"), b"one\ntwo\r\nthree\x0cfour", b"one\nTWO\r\nthree\x0cFOUR")
    assert diff([change]).splitlines(keepends=False)[:2] == ["--- a.md", "+++ a.md"]
    assert diff([change]).split("\n")[2:] == [
        "@@ -1,3 +1,3 @@",
        " one",
        "-two\r",
        "-three\x0cfour",
        "\\ No newline at end of file",
        "+TWO\r",
        "+three\x0cFOUR",
        "\\ No newline at end of file",
        "",
    ]
    assert diff([]) == ""


def candidate(*edits: tuple[int, int, str]) -> _Candidate:
    place = Place("a", Span(0, 1))
    repair = Repair("t", Applicability.SAFE, ())
    finding = Finding("r/r", Severity.ERROR, Confidence.HIGH, place, "m", "h", "s", "x", repair=repair)
    return _Candidate(finding, tuple(Edit("a", *edit) for edit in edits))


@pytest.mark.parametrize(
    ("one", "two", "together"),
    [
        ([(0, 2, "x")], [(3, 5, "y")], True),
        ([(0, 2, "x")], [(2, 5, "y")], False),
        ([(0, 2, "x")], [(1, 5, "y")], False),
        ([(0, 0, "x")], [(0, 0, "y")], False),
        ([(0, 0, "import a"), (9, 9, "a")], [(0, 0, "import a"), (20, 21, "a")], True),
        ([(0, 9, "x")], [(3, 4, "y")], False),
    ],
)
def test_edits_that_overlap_or_meet_wait_for_the_next_pass(
    one: list[tuple[int, int, str]], two: list[tuple[int, int, str]], together: bool
) -> None:
    first, second = candidate(*one), candidate(*two)
    assert _apart([first, second]) == ([first, second] if together else [first])


def test_edits_of_one_fix_may_meet_but_not_overlap() -> None:
    assert not _clash_inside((Edit("a", 0, 2, "x"), Edit("a", 2, 3, "y"), Edit("b", 1, 2, "z")))
    assert _clash_inside((Edit("a", 0, 2, "x"), Edit("a", 1, 3, "y")))
    assert _clash_inside((Edit("a", 1, 1, "x"), Edit("a", 1, 1, "y")))


def test_edits_are_applied_where_they_stand() -> None:
    assert (
        applied("0123456789", [Edit("a", 8, 10, ""), Edit("a", 0, 1, "zero"), Edit("a", 4, 4, "!")]) == "zero123!4567"
    )
