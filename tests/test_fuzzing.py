"""Some variants of the fixture projects, and that the search (`python -m tests.fuzzing`) sees what fails or hangs."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

import fuzzing

VARIANTS = 25


def failures(first: int, count: int) -> list[fuzzing.Failure]:
    return list(fuzzing.search(first, lambda number: number < first + count))


def test_broken_and_spliced_files_are_read_judged_and_mended_without_a_fault() -> None:
    assert failures(0, VARIANTS) == []


def test_a_number_makes_the_same_variant_again(tmp_path: Path) -> None:
    made = []
    for folder in (tmp_path / "one", tmp_path / "two"):
        folder.mkdir()
        fuzzing.write_variant(17, folder)
        made.append({path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()})
    assert made[0] == made[1]


def test_what_raises_is_a_failure_and_the_search_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(folder: Path) -> str:
        raise ValueError("no such kiln")

    monkeypatch.setattr(fuzzing, "trouble", fails)
    found = failures(0, 2)
    assert [failure.number for failure in found] == [0, 1]
    assert "no such kiln" in found[0].why


def test_what_dies_or_hangs_is_a_failure_and_the_search_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def dies(folder: Path) -> str:
        os._exit(3)

    monkeypatch.setattr(fuzzing, "trouble", dies)
    assert [failure.why for failure in failures(0, 2)] == ["the process ended with 3"] * 2
    monkeypatch.setattr(fuzzing, "trouble", lambda folder: time.sleep(60))
    monkeypatch.setattr(fuzzing, "HUNG_AFTER", 0.2)
    assert [failure.why for failure in failures(0, 1)] == ["no end after 0.2 s"]
