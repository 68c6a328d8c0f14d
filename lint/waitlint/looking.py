"""What a run looks at on disk, noted so that a later one can tell whether anything of it has changed.

A file is told by its size, times and number, as git does it. One that was changed shortly before it was looked at could
be changed again without these showing it: of such a file the content is noted, too.
"""

from __future__ import annotations

import hashlib
import os
import stat
import struct
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager

from msgspec import Struct

# No file system in use tells times of change less exactly than this.
EXACTNESS_NS = 2_000_000_000
DIGEST = 16
NOTHING = b""
FOLDER = b"folder"
UNREADABLE = b"unreadable"
_SIGN = struct.Struct("<IQqqQ")


class Entry(Struct, frozen=True, array_like=True):
    """A file below a root. `path` is relative to it, with forward slashes; `foreign` in a repository of its own."""

    path: str
    foreign: bool = False


class Listing(Struct, frozen=True, array_like=True):
    """The files below a root. `pruned` are folders that were not entered, each with the reason."""

    entries: list[Entry]
    pruned: list[tuple[str, str]]


class Looked(Struct, frozen=True, array_like=True):
    """What was looked at.

    `seen` are the signs of single paths, `folders` digests of what folders hold whose entries were read, `listed` of
    all that was found below a root; `fresh` are digests of the content of files whose signs do not say enough.
    """

    seen: dict[str, bytes]
    folders: dict[str, bytes]
    listed: dict[str, bytes]
    fresh: dict[str, bytes]


def sign_of(status: os.stat_result) -> bytes:
    """What changes when a file does; of a folder only that it is one."""
    if stat.S_ISDIR(status.st_mode):
        return FOLDER
    return _SIGN.pack(status.st_mode, status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)


def is_settled(status: os.stat_result, now_ns: int) -> bool:
    """Whether a file that looks the same later is the same, looked at now."""
    return max(status.st_mtime_ns, status.st_ctime_ns) < now_ns - EXACTNESS_NS


class Looking:
    """Notes what is looked at, the first time that it is."""

    def __init__(self) -> None:
        self.seen: dict[str, bytes] = {}
        self.folders: dict[str, bytes] = {}
        self.listed: dict[str, bytes] = {}
        self.fresh: dict[str, bytes] = {}
        self.listings: dict[str, Listing] = {}
        self.statuses: dict[str, os.stat_result | None] = {}

    def see(self, path: str) -> None:
        """Note a path, whether or not there is something."""
        if path not in self.seen and path not in self.statuses:
            self.seen[path] = self._signed(path)

    def enter(self, path: str) -> None:
        """Note a folder with what is directly in it."""
        if path not in self.folders:
            self.folders[path] = _entries_of(path)

    def add_listing(self, root: str, listing: Listing) -> None:
        """Note all files below a root."""
        self.listings[root] = listing
        now = time.time_ns()
        digest = hashlib.blake2b(digest_size=DIGEST)
        add, prefix, statuses = digest.update, root.rstrip("/") + "/", self.statuses
        for path, reason in listing.pruned:
            add(os.fsencode(f"{path}\0{reason}\0"))
        for entry in listing.entries:
            full = prefix + entry.path
            status = statuses.get(full)
            if status is None:
                status = statuses[full] = _lstat(full)
            add(os.fsencode(full) + (b"\1" if entry.foreign else b"\0"))
            if status is None:
                continue
            add(sign_of(status))
            if not is_settled(status, now) and stat.S_ISREG(status.st_mode):
                self.fresh[full] = content_digest(full)
        self.listed[root] = digest.digest()

    def carry(self, looked: Looked, changed: Collection[str]) -> None:
        """Note what an earlier run has looked at and what is the same still, but for what has `changed`."""
        now = time.time_ns()
        for path, sign in looked.seen.items():
            if path in changed:
                self.see(path)
            else:
                self.seen.setdefault(path, sign)
        for path, sign in looked.folders.items():
            self.folders.setdefault(path, sign)
        for path, digest in looked.fresh.items():
            status = _stat(path) if path not in changed else None
            if status is not None and not is_settled(status, now):
                self.fresh.setdefault(path, digest)

    def _signed(self, path: str) -> bytes:
        status = _stat(path)
        if status is None:
            return NOTHING
        if not is_settled(status, time.time_ns()) and stat.S_ISREG(status.st_mode):
            self.fresh[path] = content_digest(path)
        return sign_of(status)

    def looked(self) -> Looked:
        return Looked(self.seen, self.folders, self.listed, self.fresh)


_current: Looking | None = None


@contextmanager
def noted() -> Iterator[Looking]:
    """Note what is looked at meanwhile. Lists of files are made once."""
    global _current
    before, _current = _current, Looking()
    try:
        yield _current
    finally:
        _current = before


def is_same(looked: Looked) -> bool:
    """Whether all that was looked at in an earlier run is the same now, but for lists of files."""
    return next(changes(looked), None) is None


def changes(looked: Looked) -> Iterator[str]:
    """What was looked at in an earlier run and is not the same now, but for lists of files."""
    for path, sign in looked.seen.items():
        status = _stat(path)
        if (NOTHING if status is None else sign_of(status)) != sign:
            yield path
    for path, sign in looked.folders.items():
        if _entries_of(path) != sign:
            yield path
    for path, digest in looked.fresh.items():
        if content_digest(path) != digest:
            yield path


def note(path: str | os.PathLike[str]) -> None:
    """Say that a path is looked at, which may be in no list of files."""
    if _current is not None:
        _current.see(os.fspath(path))


def note_folder(path: str) -> None:
    """Say that the entries of a folder are read."""
    if _current is not None:
        _current.enter(path)


def known_listing(root: str) -> Listing | None:
    """The files below a root, if they have been listed in this run."""
    return _current.listings.get(root) if _current is not None else None


def note_listing(root: str, listing: Listing) -> None:
    """Say that the files below a root have been listed."""
    if _current is not None:
        _current.add_listing(root, listing)


def status_of(path: str) -> os.stat_result | None:
    """The status of a path itself, not of what it links to; None where there is nothing."""
    if _current is None:
        return _lstat(path)
    if path not in _current.statuses:
        _current.statuses[path] = _lstat(path)
    return _current.statuses[path]


def digest_of(content: bytes) -> bytes:
    return hashlib.blake2b(content, digest_size=DIGEST).digest()


def content_digest(path: str) -> bytes:
    """A digest of what is in a file."""
    try:
        with open(path, "rb") as file:
            return digest_of(file.read())
    except (OSError, ValueError):
        return UNREADABLE


def _lstat(path: str) -> os.stat_result | None:
    try:
        return os.lstat(path)
    except (OSError, ValueError):
        return None


def _stat(path: str) -> os.stat_result | None:
    try:
        return os.stat(path)
    except (OSError, ValueError):
        return None


def _entries_of(folder: str) -> bytes:
    """A digest of the names in a folder, and of what each of them is."""
    try:
        with os.scandir(folder) as found:
            names = sorted((e.name, e.is_dir(follow_symlinks=False), e.is_file(follow_symlinks=False)) for e in found)
    except (OSError, ValueError):
        return NOTHING
    return digest_of(repr(names).encode("utf-8", "surrogateescape"))
