"""Facts of files, kept between runs by content; and what linking their code found out.

One SQLite file, safe with several runs at once. A key is a hash of everything that the facts depend on: the engine's
own code, the file's content, its path, language and surface. A cache that is damaged, locked or can't be written is a
slower run, never a wrong one.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import waitlint

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

FOLDER = ".waitlint_cache"
FILE = "facts-3.sqlite"
LINKING = ("linked.py", "finding.py", "fix.py", "interpret", "project")
MOST_LINKS = 4
MOST_RUNS = 8
ENGINE = ("facts.py", "source.py", "frontends", "prose", "catalog")
GRAMMARS = ("tree-sitter", "tree-sitter-python", "tree-sitter-typescript", "PyYAML", "msgspec")
KEPT_DAYS = 14
DIGEST = 16
BATCH = 500
ATTEMPTS, PAUSE = 20, 0.02
TABLE = """
CREATE TABLE IF NOT EXISTS facts (key BLOB PRIMARY KEY, used INTEGER, links TEXT, head BLOB, sum BLOB, data BLOB)
"""
EDIT_TABLE = "CREATE TABLE IF NOT EXISTS edits (key BLOB PRIMARY KEY, used INTEGER, sum BLOB, data BLOB)"
STANDING_TABLE = "CREATE TABLE IF NOT EXISTS standing (key BLOB PRIMARY KEY, used REAL, sum BLOB, data BLOB)"
RUN_TABLE = "CREATE TABLE IF NOT EXISTS runs (key BLOB PRIMARY KEY, used REAL, sum BLOB, data BLOB)"
CONTENTS_TABLE = "CREATE TABLE IF NOT EXISTS contents (key BLOB PRIMARY KEY, used REAL, sum BLOB, data BLOB)"
LINK_TABLE = "CREATE TABLE IF NOT EXISTS linked (key BLOB PRIMARY KEY, used REAL, sum BLOB, data BLOB)"


# What an earlier run of the very same code has found out, of engine and linking.
_told: dict[str, bytes] = {}


def take_versions(engine: bytes, linking: bytes) -> None:
    """Take over what the functions below have said in a run of the same code, with the same parsers."""
    _told.update(engine=engine, linking=linking)


@cache
def engine_version() -> bytes:
    """A hash of the code and data that make facts, and of the parsers under them."""
    if "engine" in _told:
        return _told["engine"]
    from importlib import metadata

    digest = hashlib.blake2b(waitlint.__version__.encode(), digest_size=DIGEST)
    _add_engine(digest, ENGINE)
    for name in GRAMMARS:
        with suppress(metadata.PackageNotFoundError):
            digest.update(f"{name} {metadata.version(name)}\0".encode())
    return digest.digest()


@cache
def linking_version() -> bytes:
    """A hash of the code and data that link facts, and of those that make them."""
    if "linking" in _told:
        return _told["linking"]
    digest = hashlib.blake2b(engine_version(), digest_size=DIGEST)
    _add_engine(digest, LINKING)
    return digest.digest()


def _add_engine(digest: hashlib.blake2b, names: Iterable[str]) -> None:
    from importlib import resources

    package = resources.files("waitlint")
    for name in names:
        _add_files(digest, package.joinpath(name))


def _add_files(digest: hashlib.blake2b, entry: Traversable) -> None:
    if entry.is_dir():
        for child in sorted(entry.iterdir(), key=lambda child: child.name):
            if child.name != "__pycache__":
                _add_files(digest, child)
    elif entry.is_file():
        digest.update(entry.name.encode() + b"\0" + entry.read_bytes() + b"\0")


def key_of(content: bytes, path: str, language: str, surface: str) -> bytes:
    """The key of a file's facts, by the digest of its content."""
    digest = hashlib.blake2b(engine_version(), digest_size=DIGEST)
    digest.update("\0".join((path, language, surface, "")).encode("utf-8", "surrogateescape"))
    digest.update(content)
    return digest.digest()


class Entry(NamedTuple):
    """Encoded facts; and what they point to and what is asked of every file, which can be had without them.

    `head` is "" where there is nothing in it, and None where it can't be had apart.
    """

    data: bytes
    links: tuple[str, ...] = ()
    head: bytes | None = None


def _write_ahead(connection: sqlite3.Connection) -> None:
    """Of several runs that open a new file at once SQLite refuses some here, and does not wait as it does elsewhere."""
    for left in reversed(range(ATTEMPTS)):
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError:
            if not left:
                raise
            time.sleep(PAUSE)


class FactCache:
    """Encoded facts by key. Every failure turns it off for the rest of the run."""

    def __init__(self, folder: Path, *, by_threads: bool = False) -> None:
        """`by_threads` where several threads use it, one after another."""
        self.folder = folder
        self._by_threads = by_threads
        self._connection: sqlite3.Connection | None = None
        self._today = int(time.time() // 86_400)
        try:
            self._open()
        except (OSError, sqlite3.Error):
            self._recover()

    def _open(self) -> None:
        _make_folder(self.folder)
        connection = sqlite3.connect(
            self.folder / FILE, timeout=5.0, isolation_level=None, check_same_thread=not self._by_threads
        )
        try:
            _write_ahead(connection)
            connection.execute("PRAGMA synchronous=OFF")
            connection.execute(TABLE)
            connection.execute(LINK_TABLE)
            connection.execute(EDIT_TABLE)
            connection.execute(RUN_TABLE)
            connection.execute(STANDING_TABLE)
            connection.execute(CONTENTS_TABLE)
        except sqlite3.Error:
            connection.close()
            raise
        self._connection = connection

    def _recover(self) -> None:
        """Throw a damaged file away and start anew, once; a file that is only locked stays."""
        self.close()
        with suppress(OSError, sqlite3.Error):
            if _is_damaged(self.folder / FILE):
                for suffix in ("", "-wal", "-shm"):
                    (self.folder / (FILE + suffix)).unlink(missing_ok=True)
                self._open()

    def get(self, keys: Iterable[bytes]) -> dict[bytes, bytes]:
        """The data of those keys that are known and whole."""
        found: dict[bytes, bytes] = {}
        stale: list[tuple[int, bytes]] = []
        try:
            for key, used, digest, data in self._rows("key, used, sum, data", keys):
                if isinstance(data, bytes) and digest == _sum(data):
                    found[key] = data
                    if used != self._today:
                        stale.append((self._today, key))
            self._used(stale)
        except sqlite3.Error:
            self._recover()
        return found

    def _rows(self, columns: str, keys: Iterable[bytes]) -> Iterator[tuple[Any, ...]]:
        """What is kept of the facts of some keys."""
        wanted = list(keys) if self._connection is not None else []
        for start in range(0, len(wanted), BATCH):
            batch = wanted[start : start + BATCH]
            if self._connection is not None:
                marks = ",".join("?" * len(batch))
                yield from self._connection.execute(f"SELECT {columns} FROM facts WHERE key IN ({marks})", batch)

    def _used(self, stale: list[tuple[int, bytes]]) -> None:
        """Remember that facts have been asked for today."""
        if stale:
            self._write("UPDATE facts SET used = ? WHERE key = ?", stale)

    def heads(self, keys: Iterable[bytes]) -> dict[bytes, bytes]:
        """What is asked of every file, of the facts of those keys that are known and have it apart."""
        found: dict[bytes, bytes] = {}
        stale: list[tuple[int, bytes]] = []
        try:
            for key, used, head in self._rows("key, used, head", keys):
                if not isinstance(head, bytes) or (head != NO_HEAD and head[:8] != _sum(head[8:])):
                    continue
                found[key] = head[8:]
                if used != self._today:
                    stale.append((self._today, key))
            self._used(stale)
        except sqlite3.Error:
            self._recover()
            return {}
        return found

    def links(self, keys: Iterable[bytes]) -> dict[bytes, tuple[str, ...]]:
        """What the facts of those keys point to that are known."""
        try:
            rows = self._rows("key, links", keys)
            return {key: tuple(json.loads(links)) if links else () for key, links in rows}
        except (sqlite3.Error, ValueError, TypeError):
            self._recover()
            return {}

    def put(self, items: Mapping[bytes, Entry]) -> None:
        """Keep data, and drop what no run has asked for in two weeks."""
        if self._connection is None or not items:
            return
        rows = [
            (
                key,
                self._today,
                json.dumps(entry.links) if entry.links else "",
                _sum(entry.head) + entry.head if entry.head is not None else None,
                _sum(entry.data),
                entry.data,
            )
            for key, entry in items.items()
        ]
        try:
            self._write("INSERT OR REPLACE INTO facts VALUES (?, ?, ?, ?, ?, ?)", rows)
            self._write("DELETE FROM facts WHERE used < ?", [(self._today - KEPT_DAYS,)])
        except sqlite3.Error:
            self._recover()

    def load_linked(self, key: bytes) -> bytes | None:
        """What linking the code of a project found out, by a digest of all that went into it."""
        return self._load("linked", _of_linking(key))

    def store_linked(self, key: bytes, data: bytes) -> None:
        """Keep what linking found out, and drop all but the last few."""
        self._store_last("linked", _of_linking(key), data, MOST_LINKS)

    def load_run(self, key: bytes) -> bytes | None:
        """What a whole run said, by a digest of what was asked of it."""
        return self._load("runs", key)

    def store_run(self, key: bytes, data: bytes) -> None:
        """Keep what a whole run said, and drop all but the last few."""
        self._store_last("runs", key, data, MOST_RUNS)

    def load_standing(self, key: bytes) -> bytes | None:
        """What a whole run concluded, by a digest of all that this hangs on beside the files."""
        return self._load("standing", key)

    def store_standing(self, key: bytes, data: bytes) -> None:
        """Keep what a whole run concluded, and drop all but the last few."""
        self._store_last("standing", key, data, MOST_LINKS)

    def load_contents(self, key: bytes) -> bytes | None:
        """What is known of the contents of the files under a root, by a digest of its path."""
        return self._load("contents", key)

    def store_contents(self, key: bytes, data: bytes) -> None:
        """Keep what is known of contents, for the last few roots."""
        self._store_last("contents", key, data, MOST_RUNS)

    def load_edits(self, key: bytes) -> bytes | None:
        """The edits that a repair comes to, by a digest of it and of the files that it changes."""
        return self._load("edits", _of_linking(key))

    def _load(self, table: str, key: bytes) -> bytes | None:
        if self._connection is None:
            return None
        try:
            row = self._connection.execute(f"SELECT sum, data FROM {table} WHERE key = ?", (key,)).fetchone()
        except sqlite3.Error:
            self._recover()
            return None
        return row[1] if row is not None and isinstance(row[1], bytes) and row[0] == _sum(row[1]) else None

    def _store_last(self, table: str, key: bytes, data: bytes, most: int) -> None:
        if self._connection is None:
            return
        try:
            self._write(f"INSERT OR REPLACE INTO {table} VALUES (?, ?, ?, ?)", [(key, time.time(), _sum(data), data)])
            last = f"SELECT key FROM {table} ORDER BY used DESC LIMIT ?"
            self._write(f"DELETE FROM {table} WHERE key NOT IN ({last})", [(most,)])
        except sqlite3.Error:
            self._recover()

    def store_edits(self, items: Mapping[bytes, bytes]) -> None:
        """Keep the edits of repairs for as long as facts are kept."""
        if self._connection is None or not items:
            return
        try:
            rows = [(_of_linking(key), self._today, _sum(data), data) for key, data in items.items()]
            self._write("INSERT OR REPLACE INTO edits VALUES (?, ?, ?, ?)", rows)
            self._write("DELETE FROM edits WHERE used < ?", [(self._today - KEPT_DAYS,)])
        except sqlite3.Error:
            self._recover()

    def _write(self, statement: str, rows: Sequence[tuple[object, ...]]) -> None:
        assert self._connection is not None
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            self._connection.executemany(statement, rows)
            self._connection.execute("COMMIT")
        except sqlite3.Error:
            with suppress(sqlite3.Error):
                self._connection.execute("ROLLBACK")
            raise

    def close(self) -> None:
        if self._connection is not None:
            with suppress(sqlite3.Error):
                self._connection.close()
            self._connection = None


def _of_linking(key: bytes) -> bytes:
    return hashlib.blake2b(linking_version() + key, digest_size=DIGEST).digest()


def _sum(data: bytes) -> bytes:
    return hashlib.blake2b(data, digest_size=8).digest()


NO_HEAD = _sum(b"")


def _make_folder(folder: Path) -> None:
    """Make the folder, and keep it out of git and of backups."""
    folder.mkdir(parents=True, exist_ok=True)
    ignore = folder / ".gitignore"
    if not ignore.exists():
        ignore.write_text("# Made by waitlint.\n*\n", encoding="utf-8")
    tag = folder / "CACHEDIR.TAG"
    if not tag.exists():
        tag.write_text("Signature: 8a477f597d28d172789f06886806bc55\n", encoding="ascii")


def _is_damaged(file: Path) -> bool:
    """Whether a file is there and SQLite finds it broken, and not merely busy."""
    if not file.is_file():
        return False
    try:
        with closing(sqlite3.connect(file, timeout=5.0)) as connection:
            return bool(connection.execute("PRAGMA quick_check").fetchone() != ("ok",))
    except sqlite3.OperationalError:
        return False
    except sqlite3.DatabaseError:
        return True
