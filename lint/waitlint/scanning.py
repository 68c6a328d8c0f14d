"""The pipeline's first half: paths to groups of linked files.

What is asked for is one thing, what is in view another: the whole link root is read, so that a tool in one file and the
prompt in another are seen together whichever of the two was named. A folder whose configuration says `root = true` is a
link root of its own, also when it is met from above.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, lru_cache
from pathlib import Path

from msgspec import Struct

from waitlint.cache import FOLDER, FactCache
from waitlint.config import Configs, is_repository
from waitlint.context import Project
from waitlint.discovery import discover
from waitlint.facts import FileFacts
from waitlint.finding import Finding
from waitlint.reading import Wanted, read_files
from waitlint.report import Skipped
from waitlint.source import Source, Unreadable

SOURCES_KEPT = 512


class Request(Struct, frozen=True, kw_only=True):
    """What to scan.

    `paths` are absolute. `root` overrides where the link root is. `overlay` holds the content of files, by absolute
    path, that goes over what is on disk. `cache_folder` is None for the default place; `jobs` 0 for all processors.
    """

    cwd: Path
    paths: tuple[Path, ...]
    root: Path | None = None
    isolated: bool = False
    use_cache: bool = True
    cache_folder: Path | None = None
    jobs: int = 0
    overlay: Mapping[str, bytes] = {}
    progress: Callable[[int, int], None] = lambda done, total: None


class Member(Struct, frozen=True):
    """A file in view. `asked` where it is among the paths that were named, or in one of them."""

    path: str
    absolute: Path
    language: str
    surface: str
    asked: bool


class Group:
    """The files under one link root, and what they say together. Paths are relative to that root."""

    def __init__(
        self,
        root: Path,
        members: Mapping[str, Member],
        facts: Mapping[str, FileFacts],
        configs: Configs,
        overlay: Mapping[str, bytes],
    ) -> None:
        self.root = root
        self.members = members
        self.facts = facts
        self.configs = configs
        self.overlay = overlay
        self.read_source = lru_cache(SOURCES_KEPT)(self._read_source)

    def absolute(self, path: str) -> Path:
        member = self.members.get(path)
        return member.absolute if member else self.root / path

    def _read_source(self, path: str) -> Source:
        """The source of a file of the group; an empty one if it has vanished since."""
        absolute = self.absolute(path)
        content = self.overlay.get(str(absolute))
        try:
            if content is not None:
                return Source.from_bytes(path, content)
            source = Source.read(absolute)
            source.path = path
            return source
        except Unreadable:
            return Source(path, "")

    @cached_property
    def project(self) -> Project:
        """The linked facts."""
        from waitlint.project import link

        return link(self.facts, read_source=self.read_source, settings=self.configs.for_folder(self.root).settings)

    def changed(self, files: Mapping[str, tuple[bytes, FileFacts]]) -> Group:
        """The group with other content, and its facts, in some of its files."""
        overlay = {str(self.absolute(path)): content for path, (content, _) in files.items()}
        facts = {path: found for path, (_, found) in files.items()}
        return Group(self.root, self.members, {**self.facts, **facts}, self.configs, {**self.overlay, **overlay})

    def is_asked(self, finding: Finding) -> bool:
        """Whether a finding's place or evidence lies in what was asked for."""
        paths = {finding.place.path, *(evidence.place.path for evidence in finding.evidence)}
        return any(path in self.members and self.members[path].asked for path in paths)


class Scan(Struct, frozen=True, kw_only=True):
    """Everything that was read. `skipped` paths are absolute; `faults` are readers that failed, in words."""

    request: Request
    configs: Configs
    groups: tuple[Group, ...]
    skipped: tuple[Skipped, ...]
    faults: tuple[str, ...]


def scan(request: Request) -> Scan:
    """Find and read the files.

    Raises `waitlint.discovery.MissingPath` for a path that does not exist, `waitlint.config.ConfigError` for a
    configuration that can't be used.
    """
    configs = Configs(isolated=request.isolated)
    members: dict[Path, dict[str, Member]] = {}
    skipped: dict[str, str] = {}
    views = _views(request, configs)
    for view in views:
        _discover(request, configs, view, members, skipped)
    flat = [member for group in members.values() for member in group.values()]
    wanted = [Wanted(m.path, str(m.absolute), m.language, m.surface) for m in flat]
    cache = None
    if request.use_cache:
        cache = FactCache(request.cache_folder or views[0].root / FOLDER)
    try:
        reading = read_files(wanted, cache=cache, jobs=request.jobs, overlay=request.overlay, progress=request.progress)
    finally:
        if cache is not None:
            cache.close()
    facts: dict[Path, dict[str, FileFacts]] = {root: {} for root in members}
    index = 0
    for root, group in members.items():
        for member in group.values():
            if index in reading.facts:
                facts[root][member.path] = reading.facts[index]
            elif member.asked:
                skipped[str(member.absolute)] = reading.skipped[index]
            index += 1
    return Scan(
        request=request,
        configs=configs,
        groups=tuple(Group(root, members[root], facts[root], configs, request.overlay) for root in sorted(members)),
        skipped=tuple(Skipped(path, reason) for path, reason in sorted(skipped.items())),
        faults=tuple(reading.faults),
    )


class _View(Struct, frozen=True):
    """A link root, what is read under it, and what of that was asked for."""

    root: Path
    start: tuple[Path, ...]
    asked: tuple[Path, ...]


def _views(request: Request, configs: Configs) -> list[_View]:
    """The link root of each path: the one that is given, the nearest `root = true`, the top of the repository.

    Where there is none, it is the common parent; then no more is read than was named, and the folder of a lone file.
    """
    if request.root is not None:
        return [_View(request.root, (request.root,), request.paths)]
    by_root: dict[Path, list[Path]] = {}
    loose: list[Path] = []
    for path in request.paths:
        folder = path if path.is_dir() else path.parent
        root = _root_above(folder, configs)
        if root is None:
            loose.append(path)
        else:
            by_root.setdefault(root, []).append(path)
    views = [_View(root, (root,), tuple(paths)) for root, paths in by_root.items()]
    if loose:
        parents = [path if path.is_dir() else path.parent for path in loose]
        parent = Path(os.path.commonpath(parents))
        alone = len(loose) == 1 and parent not in (Path.home(), Path(parent.anchor))
        views.append(_View(parent, (parent,) if alone else tuple(loose), tuple(loose)))
    return views


def _root_above(folder: Path, configs: Configs) -> Path | None:
    for candidate in (folder, *folder.parents):
        if configs.is_root(candidate) or is_repository(candidate):
            return candidate
    return None


def _discover(
    request: Request,
    configs: Configs,
    view: _View,
    members: dict[Path, dict[str, Member]],
    skipped: dict[str, str],
) -> None:
    """Add the files of a view to the groups that they belong to."""
    config = configs.for_folder(view.root)
    files = tuple(path for path in view.asked if path.is_file() or str(path) in request.overlay)
    found = discover(
        (*view.start, *files),
        root=view.root,
        include=config.include,
        exclude=config.exclude,
        prompts=config.prompts,
        disabled_surfaces=config.disabled_surfaces,
    )
    roots: dict[Path, Path] = {}
    for candidate in found.candidates:
        absolute = Path(candidate.absolute)
        root = view.root if request.root else _nearest_root(absolute.parent, view.root, configs, roots)
        path = candidate.path if root == view.root else absolute.relative_to(root).as_posix()
        member = Member(path, absolute, candidate.language, candidate.surface, _is_within(absolute, view.asked))
        members.setdefault(root, {})[path] = member
    for path, reason in found.skipped:
        absolute = view.root / path
        if _is_within(absolute, view.asked):
            skipped[str(absolute)] = reason


def _nearest_root(folder: Path, top: Path, configs: Configs, known: dict[Path, Path]) -> Path:
    """The link root that a folder under `top` belongs to."""
    if folder not in known:
        if folder == top or configs.is_root(folder) or is_repository(folder):
            known[folder] = folder
        elif folder.parent == folder:
            known[folder] = top
        else:
            known[folder] = _nearest_root(folder.parent, top, configs, known)
    return known[folder]


def _is_within(path: Path, asked: Sequence[Path]) -> bool:
    return any(path == named or path.is_relative_to(named) for named in asked)
