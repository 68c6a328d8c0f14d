"""Options that several commands share: what to scan, and what to do with what is found."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click
import msgspec
from msgspec import Struct

from waitlint import output
from waitlint.cli.terminal import Progress
from waitlint.config import ConfigError, Selection, check_selector
from waitlint.config.reading import selectors
from waitlint.discovery import MissingPath
from waitlint.finding import Confidence, Severity
from waitlint.linter import Demand
from waitlint.reporting import shown_path
from waitlint.scanning import Request, Scan, scan

Command = Callable[..., Any]
T = TypeVar("T")
FORMATS = click.Choice(list(output.FORMATS))


class Failure(click.ClickException):
    """The run itself failed."""

    exit_code = 2

    def show(self, file: Any = None) -> None:
        click.echo(f"waitlint: {self.format_message()}", file=file, err=True)


class Sources(Struct, frozen=True):
    """What to scan and how."""

    root: str | None
    isolated: bool
    no_cache: bool
    cache_dir: str | None
    jobs: int

    def request(self, paths: tuple[Path, ...], *, cwd: Path | None = None, **more: Any) -> Request:
        """The request for some absolute paths; what is shown is relative to `cwd`, the working folder if not given.

        Raises Failure for a root that is none.
        """
        here = Path.cwd()
        root = absolute(self.root, here) if self.root else None
        if root is not None and not root.is_dir():
            raise Failure(f"--root: {self.root} is no folder")
        return Request(
            cwd=cwd or here,
            paths=tuple(dict.fromkeys(paths)),
            root=root,
            isolated=self.isolated,
            use_cache=not self.no_cache,
            cache_folder=absolute(self.cache_dir, here) if self.cache_dir else None,
            jobs=self.jobs,
            **more,
        )


class Wish(Struct, frozen=True):
    """What to do with what is found."""

    select: tuple[str, ...]
    ignore: tuple[str, ...]
    extend_select: tuple[str, ...]
    pedantic: bool
    min_confidence: str | None
    fail_on: str | None
    baseline: str | None
    fix: bool
    unsafe_fixes: bool
    fix_only: bool
    show_fixes: bool
    output_format: str
    output: tuple[tuple[str, Path], ...]
    exit_zero: bool
    statistics: bool
    quiet: bool
    verbose: bool

    @property
    def demand(self) -> Demand:
        return _demand(
            self.select, self.extend_select, self.ignore, self.min_confidence, self.pedantic or None, self.fail_on
        )

    def check(self) -> None:
        """Raise UsageError for options that don't go together."""
        if self.statistics and self.output_format not in output.TEXT_FORMATS:
            raise click.UsageError("--statistics is a text: leave --output-format out.")


def _demand(
    select: tuple[str, ...],
    extend_select: tuple[str, ...],
    ignore: tuple[str, ...],
    min_confidence: str | None,
    pedantic: bool | None,
    fail_on: str | None = None,
) -> Demand:
    return Demand(
        Selection(select or None, extend_select, ignore),
        pedantic,
        Confidence(min_confidence) if min_confidence else None,
        Severity(fail_on) if fail_on else None,
    )


def demand_of(given: dict[str, Any], *, pedantic: bool) -> Demand:
    """What the options of `CHOOSING` say."""
    names = ("select", "extend_select", "ignore", "min_confidence")
    return _demand(**{name: given[name] for name in names}, pedantic=pedantic)


def _selectors(ctx: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    """Rules and families from a repeatable, comma-separated option."""
    words = [word for value in values for part in value.split(",") if (word := part.strip())]
    try:
        return tuple(check_selector(word) for word in words)
    except ValueError as error:
        raise click.BadParameter(str(error), ctx, parameter) from error


def _destinations(
    ctx: click.Context, parameter: click.Parameter, values: tuple[str, ...]
) -> tuple[tuple[str, Path], ...]:
    """`FORMAT=FILE` pairs."""
    found = []
    for value in values:
        name, equals, file = value.partition("=")
        if not equals or not file:
            raise click.BadParameter(f"{value!r} is not FORMAT=FILE.", ctx, parameter)
        found.append((FORMATS.convert(name, parameter, ctx), Path(file)))
    return tuple(found)


def complete_selector(ctx: click.Context, parameter: click.Parameter, word: str) -> list[str]:
    """The rules and families that a shell may offer, also behind a comma."""
    done, comma, last = word.rpartition(",")
    return [f"{done}{comma}{name}" for name in selectors() if name.startswith(last)]


def _chosen(*names: str, help: str) -> Callable[[Command], Command]:
    return click.option(
        *names, multiple=True, callback=_selectors, metavar="RULES", help=help, shell_complete=complete_selector
    )


SCANNING = (
    click.option("--root", metavar="FOLDER", help="The folder that is linked as a whole."),
    click.option("--isolated", is_flag=True, help="Read no configuration."),
    click.option("--no-cache", is_flag=True, help="Neither read nor write the cache."),
    click.option("--cache-dir", metavar="FOLDER", envvar="WAITLINT_CACHE_DIR", help="Where the cache is kept."),
    click.option("--jobs", type=click.IntRange(min=0), default=0, help="Processes that read; 0: all processors."),
)
CHOOSING = (
    _chosen("--select", help="Rules or families to run, no others."),
    _chosen("--ignore", help="Rules or families to leave out."),
    _chosen("--extend-select", help="Rules to run besides."),
    click.option(
        "--min-confidence",
        type=click.Choice([str(c) for c in Confidence]),
        help="Show none below; medium without --pedantic.",
    ),
)
WISHING = (
    *CHOOSING,
    click.option("--pedantic", is_flag=True, help="Show advice and findings of low confidence, too."),
    click.option("--fail-on", type=click.Choice([str(s) for s in Severity]), help="Exit with 1 from this severity on."),
    click.option("--baseline", metavar="FILE", help="Report only what this file does not know."),
    click.option("--fix", is_flag=True, help="Repair what can be repaired safely."),
    click.option("--unsafe-fixes", is_flag=True, help="Repairs that may change a meaning, too."),
    click.option("--fix-only", is_flag=True, help="Repair, and neither show nor fail for what is left."),
    click.option("--show-fixes", is_flag=True, help="Name every repair that was made."),
    click.option("--output-format", type=FORMATS, default="full", show_default=True),
    click.option("--output", multiple=True, callback=_destinations, metavar="FORMAT=FILE", help="Write a file, too."),
    click.option("--exit-zero", is_flag=True, help="Exit with 0 even where there are findings."),
    click.option("--statistics", is_flag=True, help="Count the findings of each rule instead of showing them."),
    click.option("-q", "--quiet", is_flag=True, help="Findings only."),
    click.option("-v", "--verbose", is_flag=True, help="Name all files that were skipped or not wholly understood."),
)


def with_options(*options: Callable[[Command], Command]) -> Callable[[Command], Command]:
    """Give a command options, in the order in which help shows them."""

    def decorate(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


def sources_of(given: dict[str, Any]) -> Sources:
    return Sources(**{name: given[name] for name in Sources.__struct_fields__})


def wish_of(given: dict[str, Any]) -> Wish:
    """What the options of `WISHING` say. Raises UsageError for those that don't go together."""
    wish = Wish(**{name: given[name] for name in Wish.__struct_fields__})
    if wish.fix_only:
        wish = msgspec.structs.replace(wish, fix=True)
    wish.check()
    return wish


def run_scan(request: Request, *, quiet: bool = False) -> Scan:
    """Scan, with a line of progress. Raises Failure for what makes the run fail."""
    progress = Progress(quiet=quiet)
    try:
        return with_failures(request.cwd, lambda: scan(msgspec.structs.replace(request, progress=progress)))
    finally:
        progress.clear()


def with_failures(cwd: Path, find: Callable[[], T]) -> T:
    """What is found. Raises Failure for a path that does not exist and for a configuration that can't be used."""
    try:
        return find()
    except MissingPath as error:
        raise Failure(f"{shown_path(Path(str(error)), cwd)} does not exist") from error
    except ConfigError as error:
        raise Failure(str(error)) from error


def named_paths(paths: tuple[str, ...]) -> tuple[Path, ...]:
    """The paths of a command line, absolute; the working folder where there are none."""
    if "-" in paths:
        raise click.UsageError("To read standard input, say with --stdin-filename what file it is.")
    cwd = Path.cwd()
    return tuple(absolute(name, cwd) for name in paths or (".",))


def absolute(name: str, cwd: Path) -> Path:
    """A path as given, made absolute without following links."""
    return Path(os.path.abspath(cwd / name))


def is_within(path: Path, folders: tuple[Path, ...]) -> bool:
    """Whether a path is one of some paths, or in one of them."""
    return any(path.is_relative_to(folder) for folder in folders)
