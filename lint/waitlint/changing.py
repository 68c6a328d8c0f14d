"""What becomes of fixed files: written whole, all or none, or shown as a diff."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from msgspec import Struct

from waitlint.atomic import write_file
from waitlint.reporting import shown_path
from waitlint.scanning import Scan


class Change(Struct, frozen=True):
    """A file before and after; `path` as the user writes it."""

    path: str
    absolute: Path
    before: bytes
    after: bytes


class NotWritten(Exception):
    """Nothing was changed on disk; the message says why."""


def changes(before: Scan, after: Scan) -> tuple[Change, ...]:
    """What differs between two states of a scan, sorted by path."""
    found = []
    for old, new in zip(before.groups, after.groups, strict=True):
        for path in new.facts if new is not old else ():
            first, last = old.read_source(path).to_bytes(), new.read_source(path).to_bytes()
            if first != last:
                absolute = new.absolute(path)
                found.append(Change(shown_path(absolute, before.request.cwd), absolute, first, last))
    return tuple(sorted(found, key=lambda change: change.path))


def write_changes(found: Sequence[Change]) -> None:
    """Write all files, or, where one of them can't be or has changed meanwhile, none. Raises NotWritten."""
    for change in found:
        try:
            current = change.absolute.read_bytes()
        except OSError as error:
            raise NotWritten(f"{change.path}: {error.strerror or error}; nothing was written") from error
        if current != change.before:
            raise NotWritten(f"{change.path} has changed meanwhile; nothing was written")
    written: list[Change] = []
    for change in found:
        try:
            write_file(change.absolute, change.after)
        except OSError as error:
            for done in written:
                with suppress(OSError):
                    write_file(done.absolute, done.before)
            raise NotWritten(f"{change.path}: {error.strerror or error}; nothing was written") from error
        written.append(change)


def diff(found: Sequence[Change]) -> str:
    """The changes as a unified diff."""
    return "".join(line for change in found for line in _diff(change))


def _diff(change: Change) -> Iterator[str]:
    before, after = (_lines(data.decode("utf-8")) for data in (change.before, change.after))
    for line in difflib.unified_diff(before, after, change.path, change.path):
        yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def _lines(text: str) -> list[str]:
    """Lines with their ends, as diff and patch see them: a line feed ends one, nothing else does."""
    return [line + "\n" for line in text.split("\n")[:-1]] + ([last] if (last := text.rpartition("\n")[2]) else [])
