"""Files to facts: what goes wrong with one file is told of that file, and the others are read."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from waitlint import reading
from waitlint.cache import Entry, FactCache, key_of
from waitlint.facts import FileFacts
from waitlint.looking import digest_of
from waitlint.reading import Wanted, read_files
from waitlint.source import Source

MANY = reading.POOL_FROM + 10


def wanted(folder: Path, contents: dict[str, bytes]) -> list[Wanted]:
    for name, content in contents.items():
        (folder / name).write_bytes(content)
    return [Wanted(name, str(folder / name), "text", "prompt") for name in contents]


def fake(source: Source, language: str, surface: str) -> FileFacts:
    """Stands for a front end, with every way to go wrong."""
    match source.text:
        case "die":
            os._exit(9)
        case "nest":
            raise RecursionError
        case "fill":
            raise MemoryError
        case "fail":
            raise ZeroDivisionError("boom")
    return FileFacts(language, surface, problems=(source.text,))


@pytest.fixture(autouse=True)
def _fake(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "facts_of", fake)


def test_each_way_to_go_wrong_has_its_reason(tmp_path: Path) -> None:
    contents = {"good": b"good", "nest": b"nest", "fill": b"fill", "fail": b"fail", "binary": b"\0"}
    files = [*wanted(tmp_path, contents), Wanted("gone", str(tmp_path / "gone"), "text", "prompt")]
    (tmp_path / "folder").mkdir()
    files.append(Wanted("folder", str(tmp_path / "folder"), "text", "prompt"))
    result = read_files(files, jobs=1)
    assert [facts.problems for facts in result.facts.values()] == [("good",)]
    assert {files[index].path: reason for index, reason in result.skipped.items()} == {
        "nest": "too deeply nested",
        "fill": "too large for the memory at hand",
        "fail": "a fault of waitlint (ZeroDivisionError: boom)",
        "binary": "binary",
        "gone": "vanished while it was to be read",
        "folder": "not a regular file",
    }
    assert result.faults == ["fail: reading it as text failed with ZeroDivisionError: boom"]


def test_a_pool_reads_what_one_process_reads(tmp_path: Path) -> None:
    files = wanted(tmp_path, {f"f{number}": f"text {number}".encode() for number in range(MANY)})
    counted: list[int] = []
    one = read_files(files, jobs=1)
    two = read_files(files, jobs=2, progress=lambda done, total: counted.append(done))
    assert dict(sorted(two.facts.items())) == one.facts
    assert counted == list(range(1, MANY + 1))


def test_a_reader_that_dies_costs_its_own_file_alone(tmp_path: Path) -> None:
    contents = {f"f{number}": f"text {number}".encode() for number in range(MANY)} | {"bad": b"die", "worse": b"die"}
    files = wanted(tmp_path, contents)
    result = read_files(files, jobs=2)
    assert len(result.facts) == MANY
    assert {files[index].path: reason for index, reason in result.skipped.items()} == {
        "bad": "the reader crashed on it",
        "worse": "the reader crashed on it",
    }
    assert sorted(result.faults) == ["bad: the reader crashed on it", "worse: the reader crashed on it"]


def test_facts_come_from_the_cache_and_only_while_the_content_is_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = wanted(tmp_path, {"a": b"one", "b": b"two"})
    cache = FactCache(tmp_path / "cache")
    first = read_files(files, cache=cache)
    monkeypatch.setattr(reading, "facts_of", lambda *arguments: FileFacts("text", "new"))
    assert read_files(files, cache=cache).facts == first.facts
    (tmp_path / "b").write_bytes(b"three")
    assert [facts.surface for facts in read_files(files, cache=cache).facts.values()] == ["prompt", "new"]


def test_what_failed_is_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = wanted(tmp_path, {"a": b"fail"})
    cache = FactCache(tmp_path / "cache")
    assert read_files(files, cache=cache).skipped
    monkeypatch.setattr(reading, "facts_of", lambda *arguments: FileFacts("text", "prompt"))
    assert read_files(files, cache=cache).facts


def test_facts_of_another_shape_in_the_cache_are_read_anew(tmp_path: Path) -> None:
    files = wanted(tmp_path, {"a": b"one"})
    cache = FactCache(tmp_path / "cache")
    key = key_of(digest_of(b"one"), "a", "text", "prompt")
    cache.put({key: Entry(b"\x93\x01\x02\x03")})
    assert read_files(files, cache=cache).facts[0].problems == ("one",)


def test_an_overlay_goes_over_what_is_on_disk(tmp_path: Path) -> None:
    files = [*wanted(tmp_path, {"a": b"one"}), Wanted("b", str(tmp_path / "b"), "text", "prompt")]
    overlay = {str(tmp_path / name): name.upper().encode() for name in "ab"}
    assert [facts.problems for facts in read_files(files, overlay=overlay).facts.values()] == [("A",), ("B",)]
