"""Which of the files are read, by which front end, as what."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct

from waitlint.catalog import globs
from waitlint.catalog.matching import Matcher, anchors_among
from waitlint.catalog.surfaces import Match, Skip, row_of
from waitlint.discovery.listing import list_files, walk_folder
from waitlint.looking import Entry, note, status_of

HEAD_BYTES = 1_000_000
EXCLUDED = "excluded by the configuration"
CODE = frozenset(("python", "typescript", "notebook"))


class MissingPath(Exception):
    """A path that was given and does not exist; the message is the path."""


class Candidate(Struct, frozen=True):
    """A file that is read.

    `path` is relative to the root, with forward slashes (with `../` where the file stands outside). `named` where it
    was given by name, `vendored` where it came from elsewhere: an installed skill, a submodule, a marketplace.
    `by_path` where its path alone says what it is, and nothing in it.
    """

    path: str
    absolute: str
    language: str
    surface: str
    named: bool = False
    vendored: bool = False
    by_path: bool = False


class Skipped(NamedTuple):
    """A file or folder (with a slash at its end) that is not read, and why, in words."""

    path: str
    reason: str


class Discovery(Struct, frozen=True):
    """What was found below the root.

    `candidates` are all files that are read, sorted by path, whatever paths were given: the whole is in view.
    `scope` are the given paths relative to the root. `duplicates` are further files with the very content of a
    candidate, by its path, and `surfaces` what each of them is. `anchors` are what `granted` needs to match further
    files. `by_path` are skipped files into which nobody had to look for that.
    """

    root: str
    candidates: tuple[Candidate, ...]
    skipped: tuple[Skipped, ...] = ()
    duplicates: dict[str, tuple[str, ...]] = {}
    surfaces: dict[str, str] = {}
    scope: tuple[str, ...] = ()
    anchors: tuple[tuple[str, str], ...] = ()
    by_path: frozenset[str] = frozenset()

    def in_scope(self, path: str) -> bool:
        """Whether a path is one of those given, or below one."""
        return _within(path, self.scope)


def _within(path: str, scope: Sequence[str]) -> bool:
    return any(one in ("", path) or path.startswith(f"{one}/") for one in scope)


def discover(
    paths: Sequence[str | Path],
    *,
    root: str | Path,
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
    prompts: Sequence[str] = (),
    disabled_surfaces: Iterable[str] = (),
    enabled_surfaces: Iterable[str] = (),
    apart: Callable[[str], object] = lambda path: None,
) -> Discovery:
    """All files below `root` that a model reads, and those given by name whatever they are.

    `include` are globs that the table's own reasons to skip don't hold for, `exclude` globs of what is left out,
    `prompts` globs of files that are read as prompts. Copies of which `apart` says different things are no copies of
    each other. Raises MissingPath for a given path that does not exist.
    """
    base = os.path.abspath(root)
    scope, files = _given(paths, base)
    listing = list_files(base)
    found = _Files(base, listing.entries, files)
    anchors = anchors_among(found.paths)
    matcher = Matcher(
        prompts=prompts, include=include, disabled=disabled_surfaces, enabled=enabled_surfaces, anchors=anchors
    )
    excluded = globs.any_of(tuple(exclude))
    folders = sorted((one for one in scope if one and one not in files), key=len, reverse=True)
    candidates: list[Candidate] = []
    skipped = [*found.skipped, *(Skipped(f"{path}/", reason) for path, reason in listing.pruned)]
    unseen: set[str] = set()
    for path, foreign in found.paths.items():
        named = path in files
        if excluded and excluded.match(path) and not named:
            skipped.append(Skipped(path, EXCLUDED))
            unseen.add(path)
            continue
        relieved = next((one for one in folders if path.startswith(f"{one}/")), "")
        decided, by_path = _decided(matcher, base, path, found, relieved, named)
        if isinstance(decided, Skip):
            skipped.append(Skipped(path, decided.reason))
            if by_path:
                unseen.add(path)
            continue
        candidates.append(
            Candidate(
                path,
                found.absolute(path),
                decided.language,
                decided.surface,
                named,
                decided.vendored or foreign,
                by_path,
            )
        )
    kept, duplicates = _without_duplicates(sorted(candidates, key=lambda one: one.path), scope, apart)
    copies = {path for further in duplicates.values() for path in further}
    surfaces = {one.path: one.surface for one in candidates if one.path in copies}
    return Discovery(
        base, tuple(kept), tuple(sorted(skipped)), duplicates, surfaces, tuple(scope), anchors, frozenset(unseen)
    )


def _given(paths: Sequence[str | Path], base: str) -> tuple[list[str], set[str]]:
    """The given paths relative to the root, and those of them that are files."""
    scope: list[str] = []
    files: set[str] = set()
    for path in paths:
        absolute = os.path.abspath(path)
        note(absolute)
        if not os.path.lexists(absolute):
            raise MissingPath(str(path))
        relative = os.path.relpath(absolute, base).replace(os.sep, "/")
        relative = "" if relative == "." else relative
        scope.append(relative)
        if not os.path.isdir(absolute):
            files.add(relative)
    return list(dict.fromkeys(scope)), files


class _Files:
    """The files of a listing with links resolved: each real file once, under a name inside the root."""

    def __init__(self, base: str, entries: Sequence[Entry], named: set[str]) -> None:
        self.base = base
        self.real = os.path.realpath(base)
        self.paths: dict[str, bool] = {}
        self.aliases: dict[str, list[str]] = {}
        self.skipped: list[Skipped] = []
        links: list[Entry] = []
        prefix = base.rstrip("/") + "/"
        for entry in entries:
            status = status_of(prefix + entry.path)
            if status is None:
                continue
            mode = status.st_mode
            if stat.S_ISLNK(mode):
                links.append(entry)
            elif stat.S_ISREG(mode):
                self.paths[entry.path] = entry.foreign
            else:
                self.skipped.append(Skipped(entry.path, "no regular file"))
        for entry in links:
            self._follow(entry)
        for path in named:
            if path not in self.paths:
                self.paths[path] = False

    def absolute(self, path: str) -> str:
        return os.path.normpath(os.path.join(self.base, path))

    def _follow(self, entry: Entry) -> None:
        target = os.path.realpath(self.absolute(entry.path))
        note(target)
        inside = os.path.relpath(target, self.real).replace(os.sep, "/")
        if inside == ".." or inside.startswith("../") or os.path.isabs(inside):
            self.skipped.append(Skipped(entry.path, "a link that leads out of the root"))
        elif not os.path.exists(target):
            self.skipped.append(Skipped(entry.path, "a link to nothing"))
        elif os.path.isdir(target):
            self._follow_folder(entry, inside)
        else:
            self._alias(entry.path, inside, entry.foreign)

    def _follow_folder(self, entry: Entry, inside: str) -> None:
        below = entry.path.startswith(f"{inside}/") or inside == "."
        if below:
            self.skipped.append(Skipped(entry.path, "a link to a folder that it stands in"))
            return
        for path in walk_folder(self.real, inside):
            self._alias(f"{entry.path}{path[len(inside) :]}", path, entry.foreign)

    def _alias(self, path: str, target: str, foreign: bool) -> None:
        """One more name for a file: it may be what makes a model read it."""
        self.aliases.setdefault(target, []).append(path)
        self.paths.setdefault(target, foreign)
        self.skipped.append(Skipped(path, f"a link to {target}"))


def _decided(
    matcher: Matcher, base: str, path: str, files: _Files, relieved: str, named: bool
) -> tuple[Match | Skip, bool]:
    """The surface of a file by its own name, else by a link's; a file given by name always has one.

    And whether nothing in it was looked at for that.
    """
    content: bytes | None = None

    def head() -> bytes:
        nonlocal content
        if content is None:
            content = beginning(files.absolute(path))
        return content

    decided = matcher.surface_of(path, head, relieved=relieved, named=named)
    if isinstance(decided, Match):
        return decided, content is None
    for alias in files.aliases.get(path, ()):
        other = matcher.surface_of(alias, head)
        if isinstance(other, Match):
            return other, content is None
    return decided, content is None


def beginning(path: str) -> bytes:
    """So much of a file as tells what it is; nothing of one that can't be read."""
    try:
        with open(path, "rb") as file:
            return file.read(HEAD_BYTES)
    except OSError:
        return b""


def _without_duplicates(
    candidates: Sequence[Candidate], scope: Sequence[str], apart: Callable[[str], object]
) -> tuple[list[Candidate], dict[str, tuple[str, ...]]]:
    """Documents with equal content once: a named one, else the first in scope, else the first."""
    by_size: dict[tuple[int, str, object], list[Candidate]] = {}
    for candidate in candidates:
        if candidate.language in CODE:
            continue
        try:
            size = os.stat(candidate.absolute).st_size
        except OSError:
            continue
        if size:
            by_size.setdefault((size, candidate.language, apart(candidate.path)), []).append(candidate)
    dropped: set[str] = set()
    duplicates: dict[str, tuple[str, ...]] = {}
    for group in by_size.values():
        if len(group) < 2:
            continue
        equal: dict[bytes, list[Candidate]] = {}
        for candidate in group:
            if (digest := _digest(candidate.absolute)) is not None:
                equal.setdefault(digest, []).append(candidate)
        for same in equal.values():
            same.sort(
                key=lambda one: (not one.named, one.vendored, _counts_less(one), not _within(one.path, scope), one.path)
            )
            further = tuple(sorted(one.path for one in same[1:] if not one.named))
            if further:
                duplicates[same[0].path] = further
                dropped.update(further)
    return [one for one in candidates if one.path not in dropped], duplicates


def _counts_less(candidate: Candidate) -> bool:
    """Whether what is found in a file counts for less than in another place."""
    row = row_of(candidate.surface)
    return row.deliberate or row.confidence != "high"


def _digest(path: str) -> bytes | None:
    try:
        with open(path, "rb") as file:
            return hashlib.sha256(file.read()).digest()
    except OSError:
        return None
