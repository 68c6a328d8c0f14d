"""Which files are in view: link roots, the files below them, and which of those were asked for.

The whole link root is in view whatever was named. A folder whose configuration says `root = true` is a link root of its
own, also when it is met from above, so that `check` on it and on what it stands in agree.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from waitlint.catalog.matching import NOTHING, Matcher
from waitlint.catalog.surfaces import TEST, Skip, load_surfaces, row_of
from waitlint.config import FILES, Config, ConfigError, Configs
from waitlint.discovery import Candidate, Discovery, Skipped, discover, grantable, granted
from waitlint.looking import note

CODE = frozenset(("python", "typescript", "notebook"))


class Member(Struct, frozen=True):
    """A file in view. `path` is relative to `root`, its link root, with forward slashes.

    `asked` where it is among the paths that were named, or in one of them; `vendored` where it came from elsewhere.
    `copies` are further files with the very same content, relative to the root, each with its surface. `by_path` where
    its path alone says what it is.
    """

    root: Path
    path: str
    absolute: Path
    language: str
    surface: str
    asked: bool
    vendored: bool = False
    copies: tuple[str, ...] = ()
    copied_as: tuple[str, ...] = ()
    by_path: bool = False


class _Place(Struct, frozen=True):
    """What holds for the files in a folder: `asked` for all of them, `holds_asked` where one of them may be."""

    folder: Path
    root: Path
    surfaces: Mapping[str, bool]
    asked: bool
    holds_asked: bool


class View(Struct, frozen=True):
    """A folder and the paths in it that were asked for.

    `fixed` where the root was given, and holds for all below. `by_hand` where the paths were named by a person: then
    they are read whatever they are.
    """

    root: Path
    asked: tuple[Path, ...]
    fixed: bool = False
    by_hand: bool = True

    def asks_for(self, path: Path | str) -> bool:
        """Whether an absolute path is one of those that were asked for, or below one."""
        below = f"{path}{os.sep}"
        return any(below.startswith(f"{named}".rstrip(os.sep) + os.sep) for named in self.asked)


def views(paths: Sequence[Path], root: Path | None, configs: Configs) -> tuple[View, ...]:
    """The paths by the folder that they are linked in.

    That is the root that is given; else the nearest folder above whose configuration says `root = true`; else the top
    of the git repository; else what the paths without any of these have in common.
    """
    if root is not None:
        return (View(root, tuple(paths), fixed=True),)
    by_root: dict[Path, list[Path]] = {}
    loose: list[Path] = []
    for path in paths:
        found = _root_above(path if path.is_dir() else path.parent, configs)
        if found is None:
            loose.append(path)
        else:
            by_root.setdefault(found, []).append(path)
    if loose:
        common = os.path.commonpath([path if path.is_dir() else path.parent for path in loose])
        by_root.setdefault(Path(common), []).extend(loose)
    return tuple(View(found, tuple(named)) for found, named in by_root.items())


def view_around(folder: Path, paths: Sequence[Path], root: Path | None, configs: Configs) -> View:
    """The paths as files of the repository that a folder is in: what is passed over there is passed over here."""
    found = root or _root_above(folder, configs) or folder
    return View(found, tuple(paths), fixed=root is not None, by_hand=False)


def _root_above(folder: Path, configs: Configs) -> Path | None:
    above = (folder, *folder.parents)
    marked = next((one for one in above if configs.is_root(one)), None)
    return marked or next((one for one in above if _holds_repository(one)), None)


def _holds_repository(folder: Path) -> bool:
    note(folder / ".git")
    return (folder / ".git").exists()


class Gathering:
    """The files of one view, with the settings of every configuration in it."""

    def __init__(
        self,
        view: View,
        configs: Configs,
        overlay: Mapping[str, bytes] = {},
        restored: Mapping[Path, bytes] = {},
    ) -> None:
        self.view = view
        self.configs = configs
        self.overlay = overlay
        self.restored = {path: content for path, content in restored.items() if path.is_relative_to(view.root)}
        self.skipped: list[Skipped] = []
        self._roots: dict[Path, Path] = {}
        config = configs.for_folder(view.root)
        self.discovery = self._discover([config])
        below = list(self._configurations_below(config))
        if below:
            self.discovery = self._discover([config, *below])
        self.skipped += self._worth_telling(self.discovery)

    def first(self) -> list[Member]:
        """What is read at once."""
        return list(self._members(self.discovery.candidates))

    def further(self, links: Mapping[str, Sequence[str]]) -> list[Member]:
        """What is read because something that was read points to it; `links` by path relative to the view's root."""
        found = granted(self.discovery, links)
        self.discovery = msgspec.structs.replace(
            self.discovery, candidates=tuple(sorted((*self.discovery.candidates, *found), key=lambda one: one.path))
        )
        return list(self._members(found))

    def grant(self, root: Path, path: str) -> Member | None:
        """The document at a path under a link root, from which code takes words for a model; None for no document."""
        absolute = root / path
        found = grantable(self.discovery, self._under_view(absolute))
        if found is None:
            return None
        return Member(root, path, absolute, found.language, found.surface, self.view.asks_for(absolute))

    def may_be_taken(self, path: Path) -> bool:
        """Whether a file that no model reads may be a document that code takes words for a model from.

        Code that does so names it, at least without its ending.
        """
        if not path.is_relative_to(self.view.root):
            return False
        under = self._under_view(path)
        if Skipped(under, NOTHING.reason) not in self.discovery.skipped or grantable(self.discovery, under) is None:
            return False
        stem = path.name.partition(".")[0].encode()
        code = (one.absolute for one in self.discovery.candidates if one.language in CODE)
        return any(stem in _content(absolute) for absolute in code)

    def _under_view(self, path: Path) -> str:
        return path.relative_to(self.view.root).as_posix()

    def listed(self) -> dict[Path, list[str]]:
        """All files that are there, by link root and relative to it: what is read, and what no model reads.

        What is left out for being somebody else's, a test, generated or excluded is not among them.
        """
        ours = {NOTHING.reason, *(row.unread for row in load_surfaces().surfaces if row.unread and row.tier != "code")}
        paths = {candidate.path for candidate in self.discovery.candidates}
        paths.update(one.path for one in self.discovery.skipped if one.reason in ours)
        paths.update(path.relative_to(self.view.root).as_posix() for path in self.restored)
        return self._by_root(paths)

    def tests(self) -> dict[Path, list[str]]:
        """The tests that are left out, by link root and relative to it."""
        return self._by_root(one.path for one in self.discovery.skipped if one.reason == TEST)

    def _by_root(self, paths: Iterable[str]) -> dict[Path, list[str]]:
        found: dict[Path, list[str]] = {}
        starts: dict[str, tuple[list[str], int]] = {}
        for path in sorted(paths):
            folder = path.rpartition("/")[0]
            if folder not in starts:
                root = self.root_of(self.view.root / folder)
                above = root.relative_to(self.view.root).as_posix() if root != self.view.root else "."
                starts[folder] = found.setdefault(root, []), 0 if above == "." else len(above) + 1
            listed, start = starts[folder]
            listed.append(path[start:])
        return found

    def relative(self, member: Member) -> str:
        """A member's path as the discovery of the view knows it."""
        return member.path if member.root == self.view.root else self._under_view(member.absolute)

    def _worth_telling(self, found: Discovery) -> list[Skipped]:
        """What was skipped and might have been read; not that a link's target was met under its own name."""
        met = [one.path for one in found.candidates] + [one.path for one in found.skipped]
        told = {NOTHING.reason, *(f"a link to {path}" for path in met)}
        told |= {f"a link to {path}" for copies in found.duplicates.values() for path in copies}
        return [one for one in found.skipped if one.reason not in told]

    def _discover(self, configs: Sequence[Config]) -> Discovery:
        virtual = [path for path in self.view.asked if str(path) in self.overlay]
        root = self.view.root
        globs = {
            field: tuple(glob for config in configs for glob in _from_root(getattr(config, field), config.folder, root))
            for field in ("include", "exclude", "prompts")
        }
        enabled = {name for config in configs for name, on in config.surfaces.items() if on}
        found = discover(
            [path for path in self.view.asked if path not in virtual] if self.view.by_hand else [root],
            root=root,
            include=globs["include"],
            exclude=globs["exclude"],
            prompts=globs["prompts"],
            enabled_surfaces=enabled,
            apart=lambda path: self.root_of((root / path).parent),
        )
        matcher = Matcher(prompts=globs["prompts"], enabled=enabled, anchors=found.anchors)
        for path in virtual:
            found = self._with_virtual(found, matcher, path, self.overlay[str(path)], named=self.view.by_hand)
        for path, content in self.restored.items():
            found = self._with_virtual(found, matcher, path, content, named=False)
        return found

    def _with_virtual(
        self, found: Discovery, matcher: Matcher, path: Path, content: bytes, *, named: bool
    ) -> Discovery:
        """A file that is handed over as text, whether or not it is on disk."""
        relative = path.relative_to(self.view.root).as_posix()
        match = matcher.surface_of(relative, lambda: content, named=named)
        others = tuple(one for one in found.candidates if one.path != relative)
        if isinstance(match, Skip):
            self.skipped += [Skipped(relative, match.reason)] if named else []
            return msgspec.structs.replace(found, candidates=others)
        candidate = Candidate(relative, str(path), match.language, match.surface, named, match.vendored)
        candidates = tuple(sorted((*others, candidate), key=lambda one: one.path))
        return msgspec.structs.replace(found, candidates=candidates)

    def _configurations_below(self, top: Config) -> Iterator[Config]:
        """The further configurations under the root that say which files are read.

        One that governs nothing that is read is nobody's fault if it is wrong.
        """
        listed = (one.path for part in (self.discovery.candidates, self.discovery.skipped) for one in part)
        found = {path.rpartition("/")[0] for path in listed if path.rpartition("/")[2] in FILES}
        seen = {top.origin}
        for folder in sorted(found - {""}):
            try:
                config = self.configs.for_folder(self.view.root / folder)
            except ConfigError:
                if any(one.path.startswith(f"{folder}/") for one in self.discovery.candidates):
                    raise
                continue
            if config.origin not in seen:
                seen.add(config.origin)
                if config.include or config.exclude or config.prompts or config.surfaces:
                    yield config

    def _members(self, candidates: Iterable[Candidate]) -> Iterator[Member]:
        places: dict[str, _Place] = {}
        for candidate in candidates:
            folder, _, name = candidate.absolute.rpartition(os.sep)
            place = places.get(folder)
            if place is None:
                place = places[folder] = self._place(Path(folder or os.sep))
            surfaces, row = place.surfaces, row_of(candidate.surface)
            if not surfaces.get(row.id, surfaces.get(row.name, row.default)) and not candidate.named:
                self.skipped.append(Skipped(candidate.path, f"surface {row.name} is switched off"))
                continue
            absolute = place.folder / name
            copies = self._copies(candidate.path)
            yield Member(
                place.root,
                candidate.path if place.root == self.view.root else absolute.relative_to(place.root).as_posix(),
                absolute,
                candidate.language,
                candidate.surface,
                place.asked or (place.holds_asked and self.view.asks_for(absolute)),
                candidate.vendored and place.root == self.view.root,
                tuple((self.view.root / copy).relative_to(place.root).as_posix() for copy in copies),
                tuple(self.discovery.surfaces.get(copy, candidate.surface) for copy in copies),
                candidate.by_path,
            )

    def _place(self, folder: Path) -> _Place:
        return _Place(
            folder,
            self.root_of(folder),
            self.configs.for_folder(folder).surfaces,
            self.view.asks_for(folder),
            any(named.parent == folder for named in self.view.asked),
        )

    def _copies(self, path: str) -> tuple[str, ...]:
        return self.discovery.duplicates.get(path, ())

    def root_of(self, folder: Path) -> Path:
        """The link root that a folder belongs to."""
        top = self.view.root
        if self.view.fixed or folder == top or not folder.is_relative_to(top):
            return top
        if folder not in self._roots:
            self._roots[folder] = folder if self.configs.is_root(folder) else self.root_of(folder.parent)
        return self._roots[folder]


def _content(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError:
        return b""


def _from_root(globs: Iterable[str], folder: Path, root: Path) -> Iterator[str]:
    """Globs of a configuration, as globs from the root; a folder's name stands for all that is in it."""
    below = folder.relative_to(root).as_posix() if folder.is_relative_to(root) else "."
    prefix = "" if below == "." else f"{below}/"
    for glob in globs:
        body = glob.removeprefix("./").strip("/")
        anchored = "/" in glob.removeprefix("./").rstrip("/")
        base = f"/{prefix}{body}" if anchored else f"/{prefix}**/{body}"
        if not glob.endswith("/"):
            yield base
        yield f"{base}/**"
