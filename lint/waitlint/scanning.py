"""The pipeline's first half: paths to groups of linked files, each group under one link root."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import closing
from functools import cached_property, lru_cache, partial, reduce
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct

from waitlint.apart import begun
from waitlint.cache import FOLDER, FactCache
from waitlint.catalog.own import OwnRows
from waitlint.config import Configs
from waitlint.contents import Contents
from waitlint.context import Project
from waitlint.facts import FileFacts
from waitlint.finding import Finding
from waitlint.gathering import Gathering, Member, View, view_around, views
from waitlint.limits.naming import code_may_state, kinds_of, may_state
from waitlint.looking import note
from waitlint.reading import Wanted, facts_of, known_links, processors, read_files
from waitlint.report import Skipped
from waitlint.source import Source, Unreadable

if TYPE_CHECKING:
    from waitlint.limits.choosing import Chosen, Limits
    from waitlint.project.kept import Keep
    from waitlint.project.link import LinkedProject

SOURCES_KEPT = 512
MOST_HOPS = 5


class Request(Struct, frozen=True, kw_only=True):
    """What to scan.

    `paths` are absolute. `root` overrides where the link root is. `overlay` holds the content of files, by absolute
    path, that goes over what is on disk. `cache_folder` is None for the default place; `jobs` 0 for all processors.
    `by_hand` where a person has named the paths, so that they are read whatever they are. `deleted` are files that are
    gone, with the content that they had, and `restore` reads them as if they were there.
    """

    cwd: Path
    paths: tuple[Path, ...]
    root: Path | None = None
    isolated: bool = False
    use_cache: bool = True
    cache_folder: Path | None = None
    jobs: int = 0
    overlay: Mapping[str, bytes] = {}
    by_hand: bool = True
    deleted: Mapping[Path, bytes] = {}
    restore: bool = False
    progress: Callable[[int, int], None] = lambda done, total: None


class Group:
    """The files under one link root, and what they say together. Paths are relative to that root.

    `listed` are all files that are there, also those that no model reads, `silent` code that states no timeout. `keys`
    are those of facts in the cache, which is in `cache_folder`. `tests` are the project's own, which are left out.
    `faults` is what failed of waitlint itself while they were linked, in words. `jobs` is the number of processes;
    `asks_for_agents` is set before linking where the loops of agents will be asked for.
    """

    def __init__(
        self,
        root: Path,
        members: Mapping[str, Member],
        facts: Mapping[str, FileFacts],
        configs: Configs,
        overlay: Mapping[str, bytes],
        asks_for: Callable[[Path], bool],
        grant: Callable[[str], Member | None],
        listed: Sequence[str] = (),
        keys: Mapping[str, bytes] = {},
        cache_folder: Path | None = None,
        silent: Collection[str] = (),
        tests: Sequence[str] = (),
        jobs: int = 1,
    ) -> None:
        self.root = root
        self.members = dict(members)
        self.facts = dict(facts)
        self.grant = grant
        self.configs = configs
        self.overlay = overlay
        self.asks_for = asks_for
        self.listed = listed
        self.keys = keys
        self.cache_folder = cache_folder
        self.silent = silent
        self.tests = tests
        self.jobs = jobs
        self.faults: Sequence[str] = ()
        self.asks_for_agents = False
        self._linked: LinkedProject | None = None
        self.read_source = lru_cache(SOURCES_KEPT)(self._read_source)

    def absolute(self, path: str) -> Path:
        member = self.members.get(path)
        return member.absolute if member else self.root / path

    def _read_source(self, path: str) -> Source:
        """The source of a file under the root; an empty one if it can't be read (any more)."""
        absolute = self.absolute(path)
        content = self.overlay.get(str(absolute))
        note(absolute)
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
        """The linked facts. A document that code takes words for a model from becomes a member."""
        from waitlint.project.link import link

        originals = {copy: member.path for member in self.members.values() for copy in member.copies}
        further: dict[str, Member] = {}

        def read_document(path: str) -> tuple[str, FileFacts] | None:
            original = originals.get(path)
            if original is not None:
                return (original, self.facts[original]) if original in self.facts else None
            member = self.grant(path)
            source = self.read_source(path) if member is not None else None
            if member is None or source is None or not source.text:
                return None
            further[path] = member
            return path, facts_of(source, member.language, member.surface)

        linked = link(
            self.facts,
            read_source=self.read_source,
            read_document=read_document,
            own=self._own_rows(),
            keep=_keep(self.cache_folder, self.keys) if self.cache_folder is not None else None,
            begin=begun if self.jobs > 1 else None,
            processes=self.jobs,
            for_agents=self.asks_for_agents,
        )
        self._linked = linked
        self.faults = linked.faults.found
        for path, facts in linked.granted.items():
            self.members[path], self.facts[path] = further[path], facts
        return linked

    def keep_answers(self) -> None:
        """Keep what rules have asked of the code, for the next run."""
        if self._linked is not None:
            self._linked.keep_answers()

    def folders(self) -> set[Path]:
        """The folders, by their absolute paths, of the files whose facts are known."""
        one_of_each = {path.rpartition("/")[0]: path for path in self.facts}
        return {self.absolute(path).parent for path in one_of_each.values()}

    def _own_rows(self) -> OwnRows:
        """What the configurations in the group add to the tables; it holds for the whole of it."""
        configs = {config.origin: config for config in map(self.configs.for_folder, sorted(self.folders()))}
        return reduce(OwnRows.joined, (config.own_rows for config in configs.values()), OwnRows())

    @cached_property
    def limits(self) -> Limits:
        """The idle timeouts that the files state."""
        from waitlint.limits.collecting import find

        code = {path: facts for path, facts in self.facts.items() if path not in self.silent}
        return find({*self.listed, *self.facts}, code, self.read_source)

    def states_a_limit(self, paths: Callable[[Path], bool]) -> bool:
        """Whether any of some files, by their absolute paths, seems to state an idle timeout."""
        return any(
            may_state(path) and paths(self.absolute(path)) and kinds_of(path, self.read_source(path).data)
            for path in self.listed
        )

    def all_members(self) -> Mapping[str, Member]:
        """The members, with the documents that only linking makes some."""
        assert self.project is not None
        return self.members

    def changed(self, files: Mapping[str, tuple[bytes, FileFacts]]) -> Group:
        """The group with other content, and its facts, in some of its files."""
        overlay = {str(self.absolute(path)): content for path, (content, _) in files.items()}
        facts = {path: found for path, (_, found) in files.items()}
        return Group(
            self.root,
            self.members,
            {**self.facts, **facts},
            self.configs,
            {**self.overlay, **overlay},
            self.asks_for,
            self.grant,
            self.listed,
            tests=self.tests,
        )

    @cached_property
    def is_concerned(self) -> bool:
        """Whether anything in the group was asked for."""
        return any_is_asked(self.members, self.asks) or self.states_a_limit(self.asks_for)

    @property
    def is_whole(self) -> bool:
        """Whether everything in the group was asked for."""
        return all(member.asked for member in self.members.values())

    def asks(self, path: str) -> bool:
        """Whether a file is among the paths that were named, or in one of them."""
        member = self.members.get(path)
        return member.asked if member else self.asks_for(self.absolute(path))

    def is_asked(self, finding: Finding) -> bool:
        """Whether a finding's place or evidence, or a copy of its file, lies in what was asked for."""
        return is_asked_about(finding, self.members, self.asks)


class Copied(Protocol):
    """A file of which there may be `copies`, by their paths."""

    @property
    def copies(self) -> tuple[str, ...]: ...


def any_is_asked(members: Mapping[str, Copied], asks: Callable[[str], bool]) -> bool:
    """Whether any of some files, or a copy of one, was asked for."""
    return any(asks(path) or any(map(asks, member.copies)) for path, member in members.items())


def is_asked_about(finding: Finding, members: Mapping[str, Copied], asks: Callable[[str], bool]) -> bool:
    """Whether a finding's place or evidence, or a copy of its file, lies in what was asked for."""
    member = members.get(finding.place.path)
    paths = (finding.place.path, *(evidence.place.path for evidence in finding.evidence))
    return any(map(asks, paths)) or (member is not None and any(map(asks, member.copies)))


def _keep(folder: Path, keys: Mapping[str, bytes]) -> Keep:
    """Where what linking finds out about code is kept; the cache is opened anew, as facts may be read meanwhile."""
    from waitlint.project.kept import Keep

    def load(key: bytes) -> bytes | None:
        with closing(FactCache(folder)) as cache:
            return cache.load_linked(key)

    def store(key: bytes, data: bytes) -> None:
        with closing(FactCache(folder)) as cache:
            cache.store_linked(key, data)

    return Keep(keys, load, store)


class Scan(Struct, frozen=True, kw_only=True):
    """Everything that was read.

    `skipped` is what might have been read and wasn't, `passed_over` all that wasn't; their paths are absolute. `faults`
    are readers that failed, in words. `left_out` is as `skipped`, whatever was asked for. `inert` are files that are
    not read for what their paths say, relative to the root of the view.
    """

    request: Request
    configs: Configs
    groups: tuple[Group, ...]
    skipped: tuple[Skipped, ...]
    faults: tuple[str, ...]
    passed_over: tuple[Skipped, ...] = ()
    left_out: tuple[Skipped, ...] = ()
    inert: frozenset[str] = frozenset()

    def holds(self, paths: Iterable[Path]) -> bool:
        """Whether any of some paths is in view."""
        wanted = set(paths)
        return any(
            wanted.intersection(member.absolute for member in group.members.values())
            or group.states_a_limit(wanted.__contains__)
            for group in self.groups
        )

    @property
    def is_whole(self) -> bool:
        """Whether everything in view was asked for."""
        return bool(self.groups) and all(group.is_whole for group in self.groups)


def scan(request: Request) -> Scan:
    """Find and read the files.

    Raises `waitlint.discovery.MissingPath` for a path that does not exist, `waitlint.config.ConfigError` for a
    configuration that can't be used.
    """
    configs = Configs(isolated=request.isolated)
    if request.by_hand:
        in_view = views(request.paths, request.root, configs)
    else:
        in_view = (view_around(request.cwd, request.paths, request.root, configs),)
    cache = FactCache(request.cache_folder or in_view[0].root / FOLDER) if request.use_cache else None
    try:
        readings = [_Reading(view, configs, request, cache) for view in in_view]
    finally:
        if cache is not None:
            cache.close()
    return Scan(
        request=request,
        configs=configs,
        groups=tuple(group for reading in readings for group in reading.groups()),
        skipped=tuple(sorted(skipped for reading in readings for skipped in reading.skipped())),
        faults=tuple(fault for reading in readings for fault in reading.faults),
        passed_over=tuple(sorted(skipped for reading in readings for skipped in reading.passed_over())),
        left_out=tuple(sorted(skipped for reading in readings for skipped in reading.left_out())),
        inert=frozenset().union(*(reading.gathering.discovery.by_path for reading in readings)),
    )


class _Reading:
    """The files of one view, read round after round until none points to a further one."""

    def __init__(self, view: View, configs: Configs, request: Request, cache: FactCache | None) -> None:
        self.view = view
        self.configs = configs
        self.request = request
        self.cache = cache
        self.contents = Contents(cache, view.root) if cache is not None else None
        self.members: dict[Path, dict[str, Member]] = {}
        self.facts: dict[Path, dict[str, FileFacts]] = {}
        self.keys: dict[Path, dict[str, bytes]] = {}
        self.silent: dict[Path, set[str]] = {}
        self.unread: dict[Path, str] = {}
        self.faults: list[str] = []
        restored = request.deleted if request.restore else {}
        self.overlay = {**request.overlay, **{str(path): content for path, content in restored.items()}}
        self.gathering = Gathering(view, configs, request.overlay, restored)
        first = self.gathering.first()
        if not self._is_idle(first):
            self._follow(first, self._read)
        if self.contents is not None:
            self.contents.keep()

    def _follow(
        self, members: list[Member], read: Callable[[list[Member]], Mapping[str, tuple[str, ...]] | None]
    ) -> list[Member]:
        """Files, and round after round those that they point to. `read` gives None to end it."""
        found = list(members)
        for _ in range(MOST_HOPS):
            links = read(members) if members else None
            if links is None:
                break
            members = self.gathering.further(links)
            found += members
        return found

    def _is_idle(self, first: list[Member]) -> bool:
        """Whether nothing that was asked for is read, as the cache knows without any facts: an unrelated commit."""
        cache = self.cache
        if cache is None or self.view.by_hand or self.request.deleted or any(map(self._is_asked, first)):
            return False
        if any(map(self._states_a_limit, self.view.asked)) or any(map(self.gathering.may_be_taken, self.view.asked)):
            return False
        complete = True

        def links(members: list[Member]) -> dict[str, tuple[str, ...]] | None:
            nonlocal complete
            known = known_links([_wanted(member) for member in members], cache, self.contents)
            if known is None:
                complete = False
                return None
            return {self.gathering.relative(members[index]): found for index, found in known.items()}

        gathering = self.gathering
        before = gathering.discovery, list(gathering.skipped)
        idle = not any(map(self._is_asked, self._follow(first, links))) and complete
        gathering.discovery, gathering.skipped = before
        return idle

    def _states_a_limit(self, path: Path) -> bool:
        """Whether a file that no model reads states how long a tool may be silent."""
        if not path.is_relative_to(self.view.root):
            return False
        relative = path.relative_to(self.view.root).as_posix()
        try:
            return may_state(relative) and bool(kinds_of(relative, Source.read(path).data))
        except Unreadable:
            return False

    def _is_asked(self, member: Member) -> bool:
        copies = (member.root / copy for copy in member.copies)
        return member.asked or any(map(self.view.asks_for, copies))

    def _read(self, members: list[Member]) -> dict[str, tuple[str, ...]]:
        """Read files; returns what they point to, by their path under the view's root."""
        reading = read_files(
            [_wanted(member) for member in members],
            cache=self.cache,
            contents=self.contents,
            jobs=self.request.jobs,
            overlay=self.overlay,
            progress=self.request.progress,
        )
        self.faults += reading.faults
        for index, key in reading.keys.items():
            self.keys.setdefault(members[index].root, {})[members[index].path] = key
        for index in reading.silent:
            self.silent.setdefault(members[index].root, set()).add(members[index].path)
        links = {}
        for index, member in enumerate(members):
            self.members.setdefault(member.root, {})[member.path] = member
            facts = reading.facts.get(index)
            if facts is None:
                self.unread[member.absolute] = reading.skipped[index]
                continue
            self.facts.setdefault(member.root, {})[member.path] = facts
            if facts.links:
                links[self.gathering.relative(member)] = facts.links
        return links

    def groups(self) -> list[Group]:
        listed = self.gathering.listed() if self.members else {}
        tests = self.gathering.tests() if self.members else {}
        return [
            Group(
                root,
                members,
                self.facts.get(root, {}),
                self.configs,
                self.overlay,
                self.view.asks_for,
                partial(self.gathering.grant, root),
                listed.get(root, ()),
                self.keys.get(root, {}),
                self.cache.folder if self.cache is not None else None,
                self.silent.get(root, ()),
                tests.get(root, ()),
                self.request.jobs or processors(),
            )
            for root, members in sorted(self.members.items())
        ]

    def skipped(self) -> list[Skipped]:
        """What was asked for and not read."""
        return [one for one in self.left_out() if self.view.asks_for(one.path)]

    def left_out(self) -> list[Skipped]:
        """What was not read and might have been."""
        found = [Skipped(self._absolute(one.path), one.reason) for one in self.gathering.skipped]
        return [*found, *(Skipped(str(path), reason) for path, reason in self.unread.items())]

    def _absolute(self, path: str) -> str:
        """Thousands are asked for in each run: no path objects are made of them."""
        return os.path.join(self.view.root, path.rstrip("/"))

    def passed_over(self) -> list[Skipped]:
        """All that was asked for and not read, each file once."""
        listed = (*self.gathering.discovery.skipped, *self.gathering.skipped)
        found = {self._absolute(path): Skipped(path, reason) for path, reason in listed}
        found.update({str(path): Skipped(str(path), reason) for path, reason in self.unread.items()})
        read = {str(member.absolute) for members in self.members.values() for member in members.values()}
        read -= set(map(str, self.unread))
        return [
            Skipped(f"{path}/" if one.path.endswith("/") else path, one.reason)
            for path, one in found.items()
            if path not in read and self.view.asks_for(path)
        ]


def limits_at(path: Path, configs: Configs) -> Chosen:
    """What the repository around a file states for it; of its code, only what may state a timeout is read."""
    view = views((path,), None, configs)[0]
    gathering = Gathering(view, configs)
    root = gathering.root_of(path if path.is_dir() else path.parent)
    members = {member.path: member for member in gathering.first() if member.root == root}
    group = Group(root, members, {}, configs, {}, view.asks_for, lambda _: None, gathering.listed().get(root, ()))
    for name, member in members.items():
        if member.language in ("python", "typescript"):
            source = group.read_source(name)
            if code_may_state(name, source.data):
                group.facts[name] = facts_of(source, member.language, member.surface)
    inside = (path / "x" if path.is_dir() else path).relative_to(root)
    return group.limits.of(inside.as_posix())


def _wanted(member: Member) -> Wanted:
    return Wanted(member.path, str(member.absolute), member.language, member.surface)
