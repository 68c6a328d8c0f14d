"""What one configuration decides, and what that means for a file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

from waitlint.catalog.own import FRAMEWORKS, KINDS, OwnRows, own_rows
from waitlint.context import FLOORS, IdleLimit, Settings
from waitlint.finding import Confidence, Severity

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

ALL = "all"
ROWS = (FRAMEWORKS, *KINDS)
Rows = tuple[Mapping[str, Any], ...]


class Accepted(Struct, frozen=True):
    """A finding that is silenced by its fingerprint, where no comment can stand, and why."""

    rule: str
    fingerprint: str
    reason: str


class Config(Struct, frozen=True, kw_only=True, dict=True):
    """The settings of one configuration file, or the defaults.

    `origin` is the file, None for the defaults; `folder` is where its globs count from. `origins` names, for each key
    that was set, the file that set it. Times are in seconds. `select` is None where every rule is on. `surfaces`
    switches kinds of files on and off.
    """

    folder: Path
    origin: Path | None = None
    origins: Mapping[str, Path] = {}
    root: bool = False
    select: tuple[str, ...] | None = None
    extend_select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    per_file_ignores: Mapping[str, tuple[str, ...]] = {}
    severity: Mapping[str, Severity] = {}
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    prompts: tuple[str, ...] = ()
    surfaces: Mapping[str, bool] = {}
    proxy_idle: float | None = None
    client_idle: float | None = None
    path_idle: Mapping[str, float] = {}
    typical_duration: Mapping[str, float] = {}
    require_step_cap: bool = False
    floors: Mapping[str, int] = field(default_factory=FLOORS.copy)
    frameworks: Rows = ()
    waits: Rows = ()
    reads: Rows = ()
    sleeps: Rows = ()
    pedantic: bool = False
    suppress: tuple[Accepted, ...] = ()
    fail_on: Severity = Severity.ADVICE
    min_confidence: Confidence | None = None

    @property
    def name(self) -> str:
        return self.origin.name if self.origin else "the defaults"

    @cached_property
    def settings(self) -> Settings:
        """What rules are told where no path has a limit of its own."""
        return self._settings(self.proxy_idle, "the proxy's idle timeout")

    def settings_for(self, path: Path) -> Settings:
        """What rules are told about `path`; the last glob of `idle-timeouts.paths` that matches it wins."""
        matching = [(glob, seconds) for glob, seconds in self.path_idle.items() if self.matches(path, glob)]
        if not matching:
            return self.settings
        glob, seconds = matching[-1]
        return self._settings(seconds, f"the idle timeout for {glob}")

    def _settings(self, proxy: float | None, hop: str) -> Settings:
        defaults = Settings()
        idle, client = defaults.idle_limit, defaults.client_limit
        if proxy is not None:
            idle = IdleLimit(proxy, f"{hop} in {self.name}", stated=True)
        if self.client_idle is not None:
            client = IdleLimit(self.client_idle, f"the client's timeout in {self.name}", stated=True)
        return Settings(
            idle_limit=idle,
            client_limit=client,
            typical_duration=dict(self.typical_duration),
            require_step_cap=self.require_step_cap,
            floors=dict(self.floors),
        )

    @cached_property
    def own_rows(self) -> OwnRows:
        """What the project adds to the tables of frameworks and calls."""
        return own_rows({name: getattr(self, name) for name in ROWS})

    def matches(self, path: Path, glob: str) -> bool:
        """Whether a path lies under this configuration's folder and matches a glob, read as in a `.gitignore` there."""
        try:
            relative = path.relative_to(self.folder).as_posix()
        except ValueError:
            return False
        return _spec(glob).match_file(relative)

    def ignored_in(self, path: Path) -> tuple[str, ...]:
        """The selectors that `per-file-ignores` turns off in a file."""
        return tuple(
            selector
            for glob, selectors in self.per_file_ignores.items()
            if self.matches(path, glob)
            for selector in selectors
        )


@cache
def _spec(glob: str) -> GitIgnoreSpec:
    from pathspec import GitIgnoreSpec

    return GitIgnoreSpec.from_lines([glob])


class Selection(Struct, frozen=True):
    """What the command line says about rules; it goes over what a configuration says."""

    select: tuple[str, ...] | None = None
    extend_select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()

    def rules(self, config: Config, names: Iterable[str]) -> frozenset[str]:
        """The names of the rules that run under a configuration."""
        names = tuple(names)
        chosen = _layer(set(names), names, config.select, config.extend_select, config.ignore)
        return frozenset(_layer(chosen, names, self.select, self.extend_select, self.ignore))


def _layer(
    before: set[str],
    names: Sequence[str],
    select: Sequence[str] | None,
    extend: Sequence[str],
    ignore: Sequence[str],
) -> set[str]:
    """Apply one layer to the rules chosen so far: a rule's name goes over its family's, and off over on."""
    chosen = set()
    for name in names:
        on = _weight(name, (*(select or ()), *extend))
        off = _weight(name, ignore)
        if on > off or (not on and not off and select is None and name in before):
            chosen.add(name)
    return chosen


def _weight(name: str, selectors: Iterable[str]) -> int:
    """How exactly a rule is meant: 3 by name, 2 by family, 1 by `all`, 0 not at all."""
    return max(
        (3 if s == name else 2 if s == name.split("/")[0] else 1 if s == ALL else 0 for s in selectors), default=0
    )


def selects(selectors: Iterable[str], name: str) -> bool:
    """Whether any selector means a rule."""
    return _weight(name, selectors) > 0
