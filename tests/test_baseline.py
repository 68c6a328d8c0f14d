"""The baseline tells new findings, known ones and those that are gone apart."""

from __future__ import annotations

from pathlib import Path

import pytest

from waitlint.baseline import BadBaseline, Baseline, Compared, compare, read_baseline, written
from waitlint.facts import Span
from waitlint.finding import Confidence, Finding, Place, Severity


def finding(excerpt: str, path: str = "a.py", start: int = 0, rule: str = "cap/uncapped-wait") -> Finding:
    place = Place(path, Span(start, start + 1))
    return Finding(rule, Severity.ERROR, Confidence.HIGH, place, "m", "h", scope="poll", excerpt=excerpt)


def kept(folder: Path, *findings: Finding) -> Baseline:
    file = folder / "baseline"
    file.write_text(written(findings), encoding="utf-8")
    return read_baseline(file)


def test_what_is_written_is_known_wherever_it_has_moved(tmp_path: Path) -> None:
    baseline = kept(tmp_path, finding("while True:"), finding("for x in y:"))
    moved = [finding("while  True:", "renamed.py", 99), finding("for x in y:", start=7)]
    assert compare(baseline, moved) == Compared(frozenset(), 2, 0)


def test_a_new_one_and_one_that_is_gone(tmp_path: Path) -> None:
    baseline = kept(tmp_path, finding("while True:"), finding("for x in y:"))
    assert compare(baseline, [finding("while 1:"), finding("while True:")]) == Compared(frozenset({0}), 1, 1)


def test_equal_ones_are_counted(tmp_path: Path) -> None:
    baseline = kept(tmp_path, finding("x"), finding("x"))
    assert compare(baseline, [finding("x")] * 3) == Compared(frozenset({2}), 2, 0)
    assert compare(baseline, [finding("x")]) == Compared(frozenset(), 1, 1)


def test_the_file_is_small_sorted_and_has_one_finding_a_line() -> None:
    text = written([finding("b"), finding("a"), finding("c", rule="budget/x"), finding("a")])
    head, *lines = text.splitlines()
    assert head == "# waitlint baseline 1"
    assert [line.split()[1:] for line in lines] in (
        [["1", "budget/x"], ["1", "cap/uncapped-wait"], ["2", "cap/uncapped-wait"]],
        [["1", "budget/x"], ["2", "cap/uncapped-wait"], ["1", "cap/uncapped-wait"]],
    )
    assert lines[1:] == sorted(lines[1:])


def test_merging_two_files_by_their_lines_keeps_both(tmp_path: Path) -> None:
    one, two = (written([finding("both"), finding(word)]).splitlines() for word in ("one", "two"))
    file = tmp_path / "merged"
    file.write_text("\n".join([one[0], *sorted({*one[1:], *two[1:]})]) + "\n", encoding="utf-8")
    assert compare(read_baseline(file), [finding("both"), finding("one"), finding("two")]).known == 3


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (None, "does not exist"),
        ("", ":1: a baseline starts with"),
        ("{}", ":1: a baseline starts with"),
        ("# waitlint baseline 1\nnonsense\n", ":2: not a fingerprint"),
        ("# waitlint baseline 1\n<<<<<<< ours\n", ":2: not a fingerprint"),
        ("# waitlint baseline 1\n0123456789abcdef0123 0 cap/x\n", ":2:"),
    ],
)
def test_a_file_that_is_none_is_told(tmp_path: Path, text: str | None, words: str) -> None:
    file = tmp_path / "baseline"
    if text is not None:
        file.write_text(text, encoding="utf-8")
    with pytest.raises(BadBaseline, match=words):
        read_baseline(file)
