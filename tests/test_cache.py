"""The cache of facts: found again by content alone, and never trusted when damaged."""

from __future__ import annotations

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from waitlint import cache
from waitlint.cache import FILE, Entry, FactCache, key_of


def opened(folder: Path) -> FactCache:
    return FactCache(folder / "cache")


def test_what_was_put_is_found_by_the_next_run(tmp_path: Path) -> None:
    first = opened(tmp_path)
    first.put({b"a" * 16: Entry(b"one"), b"b" * 16: Entry(b"two")})
    first.close()
    assert opened(tmp_path).get([b"a" * 16, b"c" * 16]) == {b"a" * 16: b"one"}


def test_many_keys_at_once(tmp_path: Path) -> None:
    items = {index.to_bytes(16): str(index).encode() for index in range(2_500)}
    store = opened(tmp_path)
    store.put({key: Entry(data) for key, data in items.items()})
    assert store.get(items) == items


def test_links_can_be_had_without_the_facts(tmp_path: Path) -> None:
    store = opened(tmp_path)
    store.put({b"a" * 16: Entry(b"one", ("x.md", "ü/*.md")), b"b" * 16: Entry(b"two")})
    assert store.links([b"a" * 16, b"b" * 16, b"c" * 16]) == {b"a" * 16: ("x.md", "ü/*.md"), b"b" * 16: ()}


def test_the_folder_keeps_itself_out_of_git(tmp_path: Path) -> None:
    opened(tmp_path)
    assert "*" in (tmp_path / "cache/.gitignore").read_text().splitlines()


def test_a_key_hangs_on_everything_that_facts_hang_on(monkeypatch: pytest.MonkeyPatch) -> None:
    keys = {
        key_of(b"x", "a.py", "python", "code"),
        key_of(b"y", "a.py", "python", "code"),
        key_of(b"x", "b.py", "python", "code"),
        key_of(b"x", "a.py", "text", "code"),
        key_of(b"x", "a.py", "python", "prompt"),
    }
    monkeypatch.setattr(cache, "engine_version", lambda: b"another engine")
    keys.add(key_of(b"x", "a.py", "python", "code"))
    assert len(keys) == 6


@pytest.mark.parametrize("rubbish", [b"", b"not a database at all", b"SQLite format 3\0" + b"\xff" * 5000])
def test_a_damaged_file_is_thrown_away(tmp_path: Path, rubbish: bytes) -> None:
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache" / FILE).write_bytes(rubbish)
    store = opened(tmp_path)
    assert store.get([b"a" * 16]) == {}
    store.put({b"a" * 16: Entry(b"one")})
    store.close()
    assert opened(tmp_path).get([b"a" * 16]) == {b"a" * 16: b"one"}


def test_a_damaged_row_is_not_believed(tmp_path: Path) -> None:
    store = opened(tmp_path)
    store.put({b"a" * 16: Entry(b"one")})
    store.close()
    with sqlite3.connect(tmp_path / "cache" / FILE) as connection:
        connection.execute("UPDATE facts SET data = ?", (b"two",))
    connection.close()
    assert opened(tmp_path).get([b"a" * 16]) == {}


def test_a_table_of_another_shape_is_no_fault(tmp_path: Path) -> None:
    (tmp_path / "cache").mkdir()
    with sqlite3.connect(tmp_path / "cache" / FILE) as connection:
        connection.execute("CREATE TABLE facts (other TEXT)")
    connection.close()
    store = opened(tmp_path)
    store.put({b"a" * 16: Entry(b"one")})
    assert store.get([b"a" * 16]) == {}


def test_where_nothing_can_be_written_there_is_no_cache(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file stands in the way")
    store = opened(tmp_path)
    store.put({b"a" * 16: Entry(b"one")})
    assert store.get([b"a" * 16]) == {}


def test_several_runs_at_once_lose_nothing(tmp_path: Path) -> None:
    def run(number: int) -> None:
        store = opened(tmp_path)
        for step in range(20):
            store.put({(number * 100 + step).to_bytes(16): Entry(b"x" * number)})
        store.close()

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(run, range(1, 7)))
    wanted = [(number * 100 + step).to_bytes(16) for number in range(1, 7) for step in range(20)]
    assert len(opened(tmp_path).get(wanted)) == 120


def test_runs_that_open_a_new_cache_at_once_all_have_it(tmp_path: Path) -> None:
    def run(number: int) -> None:
        for attempt in range(10):
            store = FactCache(tmp_path / str(attempt))
            store.put({number.to_bytes(16): Entry(b"x")})
            store.close()

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(run, range(1, 7)))
    wanted = [number.to_bytes(16) for number in range(1, 7)]
    assert [len(FactCache(tmp_path / str(attempt)).get(wanted)) for attempt in range(10)] == [6] * 10


def test_what_nobody_asks_for_is_dropped(tmp_path: Path) -> None:
    store = opened(tmp_path)
    store.put({b"a" * 16: Entry(b"old")})
    store.close()
    with sqlite3.connect(tmp_path / "cache" / FILE) as connection:
        connection.execute("UPDATE facts SET used = used - 100")
    connection.close()
    store = opened(tmp_path)
    store.put({b"b" * 16: Entry(b"new")})
    assert store.get([b"a" * 16, b"b" * 16]) == {b"b" * 16: b"new"}
