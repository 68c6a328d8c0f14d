"""From a path to its row in the table of surfaces, at tens of thousands of paths a second.

Globs are indexed by what is literal in them: the file's name, its suffix, or a folder on the way. What depends on the
folder alone is worked out once a folder.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import NamedTuple

from waitlint.catalog import globs
from waitlint.catalog.dotfiles import put_at
from waitlint.catalog.minified import SUFFIXES, is_minified
from waitlint.catalog.surfaces import (
    NAMED,
    PROMPTS,
    Anchor,
    Head,
    Match,
    Row,
    Skip,
    SkipRule,
    language_of,
    load_surfaces,
)

_LITERAL = re.compile(r"[^*?\[\]]+")
_ANCHORED = re.compile(r"<([a-z-]+)>/")
_PLAIN = re.compile(r"[\w\": -]+")
NOTHING = Skip("no place where a model reads")
MINIFIED = Skip("minified")


class _Pattern(NamedTuple):
    """One glob. `glob` is None where the suffix by which it was found is all that it asks for.

    Its expression is made when a path is first held against it: most of the table is never needed in one repository.
    """

    row: int
    glob: str | None
    nocase: bool
    anchor: str
    excepted: re.Pattern[str] | None


class _Folder(NamedTuple):
    """What the folder of a file decides, for one suffix."""

    patterns: tuple[_Pattern, ...]
    skip: Skip | None
    firm: Skip | None
    vendored: bool
    anchors: dict[str, tuple[str, ...]]


class _Index:
    """The globs of a table, found by what is literal in them. Shared by all matchers of that table."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self.by_name: dict[str, list[_Pattern]] = {}
        self.by_suffix: dict[str, list[_Pattern]] = {}
        self.by_folder: dict[str, list[tuple[str | None, _Pattern]]] = {}
        self.others: list[_Pattern] = []
        for number, row in enumerate(rows):
            excepted = globs.any_of(row.excepted, row.nocase)
            for glob in row.files:
                found = _ANCHORED.match(glob)
                kind = found.group(1) if found else ""
                for plain in globs.alternatives(glob[found.end() :] if found else glob):
                    self._add(number, plain, kind, excepted, row.nocase)

    def _add(self, row: int, glob: str, kind: str, excepted: re.Pattern[str] | None, nocase: bool) -> None:
        parts = globs.anchored(glob).split("/")
        name = parts[-1]
        free = parts[:-1] == ["**"]
        suffix = name.rpartition(".")[2].lower() if "." in name.lstrip(".") else None
        if suffix is not None and not _LITERAL.fullmatch(suffix):
            suffix = None
        is_name = bool(_LITERAL.fullmatch(name))
        only_suffix = free and name == f"*.{suffix}"
        pattern = _Pattern(row, None if only_suffix and not kind else glob, nocase, kind, excepted)
        folders = [part.lower() for part in parts[:-1] if _LITERAL.fullmatch(part)]
        if is_name:
            self.by_name.setdefault(name.lower(), []).append(pattern)
        elif folders and not kind:
            self.by_folder.setdefault(folders[-1], []).append((suffix, pattern))
        elif suffix is not None:
            self.by_suffix.setdefault(suffix, []).append(pattern)
        else:
            self.others.append(pattern)


@cache
def _index() -> _Index:
    return _Index(load_surfaces().surfaces)


class _SkipTable:
    """The skip rules, asked once a folder and once a name."""

    def __init__(self, rules: Sequence[SkipRule]) -> None:
        self.folders: dict[str, list[SkipRule]] = {}
        self.paths: list[tuple[re.Pattern[str], SkipRule]] = []
        names: list[tuple[re.Pattern[str], SkipRule]] = []
        for rule in rules:
            for folder in rule.folders:
                self.folders.setdefault(folder.lower(), []).append(rule)
            if expression := globs.any_of(rule.paths):
                self.paths.append((expression, rule))
            if expression := globs.any_of(rule.names, nocase=True):
                names.append((expression, rule))
        self.names = names
        self.any_name = re.compile("|".join(f"(?:{one.pattern})" for one, _ in names), re.DOTALL | re.IGNORECASE)

    def of_folder(self, folder: str, parts: Iterable[str], suffix: str) -> tuple[Skip | None, Skip | None]:
        """Why files of a folder are not read: for most surfaces, and for those whose name alone decides."""
        soft: Skip | None = None
        for part in parts:
            for rule in self.folders.get(part, ()):
                if rule.suffixes and suffix not in rule.suffixes:
                    continue
                if rule.firm:
                    return Skip(rule.reason), Skip(rule.reason)
                soft = soft or Skip(rule.reason)
        for expression, rule in self.paths:
            if expression.match(f"{folder}/x"):
                soft = soft or Skip(rule.reason)
        return soft, None

    def of_name(self, name: str, suffix: str) -> SkipRule | None:
        if not self.any_name.match(name):
            return None
        for expression, rule in self.names:
            if expression.match(name) and (not rule.suffixes or suffix in rule.suffixes):
                return rule
        return None


@cache
def _skip_table() -> _SkipTable:
    return _SkipTable(load_surfaces().skips)


@cache
def relievable() -> frozenset[str]:
    """The reasons by which a file is passed over for its place or its name, and not for what is in it."""
    return frozenset(rule.reason for rule in load_surfaces().skips if not rule.firm)


def passed_over(path: str) -> Skip | None:
    """Why a file that is led to is not read for its place and its name, if it is not."""
    folder, _, name = path.rpartition("/")
    suffix = name.rpartition(".")[2].lower() if "." in name[1:] else ""
    skip, _ = _skip_table().of_folder(folder, folder.lower().split("/"), suffix)
    rule = _skip_table().of_name(name, suffix)
    if rule is None or (rule.loud and name[:1].islower()):
        return skip
    return Skip(rule.reason)


@cache
def _vendored() -> tuple[frozenset[str], re.Pattern[str] | None]:
    vendored = load_surfaces().vendored
    return frozenset(vendored.folders), globs.any_of(vendored.paths)


@cache
def _sniffs(number: int) -> tuple[tuple[bytes | re.Pattern[bytes], ...], ...]:
    """The expressions of a row, on bytes; one without any special sign is a plain word, which is found much faster."""
    row = load_surfaces().surfaces[number]
    return tuple(tuple(_expression(one) for one in group) for group in row.sniff)


def _expression(written: str) -> bytes | re.Pattern[bytes]:
    data = written.encode("utf-8")
    return data if _PLAIN.fullmatch(written) else re.compile(data, re.MULTILINE)


def _holds(content: bytes, group: tuple[bytes | re.Pattern[bytes], ...]) -> bool:
    return all(one in content if isinstance(one, bytes) else one.search(content) for one in group)


class Matcher:
    """Paths to surfaces by the table and the user's settings.

    `prompts` are globs of files that are read as prompts, `include` globs that the skip rules don't hold for,
    `disabled` and `enabled` names of surfaces.
    """

    def __init__(
        self,
        *,
        prompts: Sequence[str] = (),
        include: Sequence[str] = (),
        disabled: Iterable[str] = (),
        enabled: Iterable[str] = (),
        anchors: Sequence[tuple[str, str]] = (),
    ) -> None:
        self._prompts = globs.any_of(tuple(prompts))
        self._include = globs.any_of(tuple(include))
        self._disabled = frozenset(disabled)
        self._enabled = frozenset(enabled)
        self._rows = load_surfaces().surfaces
        self._anchors = tuple(anchors)
        self._anchored = _by_place(anchors)
        self._folders: dict[tuple[str, str], _Folder] = {}

    def bound(self, anchors: Sequence[tuple[str, str]]) -> Matcher:
        """The same matcher with these anchors (kind, folder) in view."""
        if tuple(anchors) == self._anchors:
            return self
        other = Matcher.__new__(Matcher)
        other.__dict__.update(self.__dict__)
        other._anchors = tuple(anchors)
        other._anchored = _by_place(anchors)
        other._folders = {}
        return other

    def surface_of(self, path: str, head: Head, *, relieved: str = "", named: bool = False) -> Match | Skip:
        """The surface of a path, or why it has none.

        `relieved` is a folder given by name: skip rules ask for what stands below it only. A file that is `named`
        itself has a surface unless no front end can read it.
        """
        written, path = path, put_at(path)
        folder, _, name = path.rpartition("/")
        suffix = name.rpartition(".")[2].lower() if "." in name[1:] else ""
        if self._prompts and self._prompts.match(written):
            return Match(PROMPTS, language_of(path), self._folder(folder, suffix).vendored)
        below, relieved = folder, put_at(f"{relieved}/x")[:-2] if relieved else ""
        if relieved and (folder == relieved or folder.startswith(f"{relieved}/")):
            below = folder[len(relieved) + 1 :]
        about = self._folder(folder, suffix)
        skip, firm = about.skip, about.firm
        if below != folder:
            skip, firm = _skip_table().of_folder(below, below.lower().split("/"), suffix)
        by_name = _index().by_name.get(name.lower())
        patterns = about.patterns
        if by_name:
            patterns = tuple(sorted((*patterns, *by_name), key=_row_number))
        if named:
            return _as_named(path, self._first(path, patterns, about, head), about.vendored)
        rule = _skip_table().of_name(name, suffix)
        if rule is not None:
            skip = Skip(rule.reason)
            firm = firm or (skip if rule.firm else None)
        included = self._include is not None and self._include.match(written) is not None
        if included:
            skip = firm = None
        if firm is not None:
            return firm
        row = self._first(path, patterns, about, head, wherever=skip is not None)
        if row is None:
            return skip or NOTHING
        if row.unread:
            return Skip(row.unread)
        if (off := self._switched_off(row)) is not None:
            return off
        if suffix in SUFFIXES and not included and is_minified(head()):
            return MINIFIED
        return Match(row.id, row.language or language_of(path), about.vendored)

    def _switched_off(self, row: Row) -> Skip | None:
        if row.id in self._disabled or row.name in self._disabled:
            return Skip(f"surface {row.name} is switched off")
        if not row.default and row.id not in self._enabled and row.name not in self._enabled:
            return Skip(f"surface {row.name} is off by default")
        return None

    def _first(
        self, path: str, patterns: Sequence[_Pattern], about: _Folder, head: Head, *, wherever: bool = False
    ) -> Row | None:
        """The first row whose globs and contents fit; with `wherever`, of those that hold in skipped folders, too."""
        content: bytes | None = None
        refused = -1
        for pattern in patterns:
            if pattern.row == refused or (wherever and not self._rows[pattern.row].wherever):
                continue
            if not _fits(path, pattern, about):
                continue
            sniffs = _sniffs(pattern.row)
            if sniffs:
                if content is None:
                    content = head()
                if not any(_holds(content, group) for group in sniffs):
                    refused = pattern.row
                    continue
            return self._rows[pattern.row]
        return None

    def _folder(self, folder: str, suffix: str) -> _Folder:
        known = self._folders.get((folder, suffix))
        if known is not None:
            return known
        index = _index()
        parts = folder.lower().split("/") if folder else []
        patterns = [*index.others, *index.by_suffix.get(suffix, ())]
        for part in set(parts):
            patterns.extend(
                pattern for wanted, pattern in index.by_folder.get(part, ()) if wanted is None or wanted == suffix
            )
        anchors: dict[str, tuple[str, ...]] = {}
        for place in _upwards(folder):
            for kind in self._anchored.get(place, ()):
                anchors[kind] = (*anchors.get(kind, ()), place)
        skip, firm = _skip_table().of_folder(folder, parts, suffix)
        names, paths = _vendored()
        vendored = not names.isdisjoint(parts) or bool(paths and paths.match(f"{folder}/x"))
        made = _Folder(tuple(sorted(set(patterns), key=_row_number)), skip, firm, vendored, anchors)
        self._folders[folder, suffix] = made
        return made


def _as_named(path: str, row: Row | None, vendored: bool) -> Match | Skip:
    if row is None or (row.unread and row.tier != "code"):
        return Match(NAMED, language_of(path), vendored)
    if row.unread:
        return Skip(row.unread)
    return Match(row.id, row.language or language_of(path), vendored)


def _by_place(anchors: Sequence[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    places: dict[str, tuple[str, ...]] = {}
    for kind, place in anchors:
        places[place] = (*places.get(place, ()), kind)
    return places


def _upwards(folder: str) -> Iterator[str]:
    while folder:
        yield folder
        folder = folder.rpartition("/")[0]
    yield ""


def _row_number(pattern: _Pattern) -> int:
    return pattern.row


def _fits(path: str, pattern: _Pattern, about: _Folder) -> bool:
    if not pattern.anchor:
        if not _is_glob_of(path, pattern):
            return False
        return pattern.excepted is None or not pattern.excepted.match(path)
    for place in about.anchors.get(pattern.anchor, ()):
        rest = path[len(place) + 1 :] if place else path
        if not _is_glob_of(rest, pattern):
            continue
        if pattern.excepted is None or not pattern.excepted.match(rest):
            return True
    return False


def _is_glob_of(path: str, pattern: _Pattern) -> bool:
    return pattern.glob is None or globs.compiled(pattern.glob, pattern.nocase).match(path) is not None


def anchors_among(paths: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """The anchors (kind, folder) that a list of paths holds."""
    by_name: dict[str, list[tuple[str, Anchor]]] = {}
    for kind, anchor in load_surfaces().anchors.items():
        by_name.setdefault(anchor.file.lower(), []).append((kind, anchor))
    found: set[tuple[str, str]] = set()
    for path in map(put_at, paths):
        name = path.rpartition("/")[2]
        for kind, anchor in by_name.get(name.lower(), ()):
            if not anchor.nocase and name != anchor.file:
                continue
            parts = path.split("/")
            if anchor.under and (len(parts) < 2 or parts[-2] not in anchor.under):
                continue
            if anchor.within and (len(parts) < 3 or parts[-3] not in anchor.within):
                continue
            folder = "/".join(parts[: -anchor.up])
            found.add((kind if folder or not anchor.root else anchor.root, folder))
    return tuple(sorted(found))
