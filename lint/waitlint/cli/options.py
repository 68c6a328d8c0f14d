"""Options that several commands share, and what they mean for a scan."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
from msgspec import Struct

from waitlint.cli.terminal import Progress
from waitlint.config import ConfigError, check_selector
from waitlint.discovery import MissingPath
from waitlint.scanning import Request, Scan, scan

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


class Sources(Struct, frozen=True):
    """What to scan and how, as given on the command line."""

    paths: tuple[str, ...]
    root: str | None
    isolated: bool
    no_cache: bool
    cache_dir: str | None
    jobs: int
    stdin_filename: str | None = None


def scan_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """The arguments of `Sources`, but for `--stdin-filename`."""
    options: list[Decorator] = [
        click.argument("paths", nargs=-1, type=click.Path()),
        click.option("--root", metavar="FOLDER", help="The folder that is linked as a whole."),
        click.option("--isolated", is_flag=True, help="Read no configuration."),
        click.option("--no-cache", is_flag=True, help="Neither read nor write the cache."),
        click.option("--cache-dir", metavar="FOLDER", envvar="WAITLINT_CACHE_DIR", help="Where the cache is kept."),
        click.option(
            "--jobs", type=click.IntRange(min=0), default=0, help="Processes that read files; 0: all processors."
        ),
    ]
    for option in reversed(options):
        function = option(function)
    return function


def selectors(ctx: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    """Rules and families from a repeatable, comma-separated option."""
    words = [word for value in values for part in value.split(",") if (word := part.strip())]
    try:
        return tuple(check_selector(word) for word in words)
    except ValueError as error:
        raise click.BadParameter(str(error), ctx, parameter) from error


def run_scan(sources: Sources, *, quiet: bool = False) -> Scan:
    """Scan what the command line names. Raises ClickException for what makes the run fail."""
    progress = Progress(quiet=quiet)
    try:
        return scan(_request(sources, progress))
    except MissingPath as error:
        raise Failure(str(error)) from error
    except ConfigError as error:
        raise Failure(str(error)) from error
    finally:
        progress.clear()


class Failure(click.ClickException):
    """The run itself failed."""

    exit_code = 2

    def show(self, file: Any = None) -> None:
        click.echo(f"waitlint: {self.format_message()}", file=file, err=True)


def _request(sources: Sources, progress: Progress) -> Request:
    cwd = Path.cwd()
    overlay: dict[str, bytes] = {}
    names = sources.paths or (".",)
    if sources.stdin_filename is not None:
        if sources.paths not in ((), ("-",)):
            raise click.UsageError("--stdin-filename reads standard input alone: give `-` and no other path.")
        names = (sources.stdin_filename,)
        overlay[str(absolute(sources.stdin_filename, cwd))] = sys.stdin.buffer.read()
    elif "-" in names:
        raise click.UsageError("To read standard input, say with --stdin-filename what file it is.")
    root = absolute(sources.root, cwd) if sources.root else None
    if root is not None and not root.is_dir():
        raise Failure(f"--root: {sources.root} is no folder")
    return Request(
        cwd=cwd,
        paths=tuple(dict.fromkeys(absolute(name, cwd) for name in names)),
        root=root,
        isolated=sources.isolated,
        use_cache=not sources.no_cache,
        cache_folder=absolute(sources.cache_dir, cwd) if sources.cache_dir else None,
        jobs=sources.jobs,
        overlay=overlay,
        progress=progress,
    )


def absolute(name: str, cwd: Path) -> Path:
    """A path as given, made absolute without following links."""
    return Path(os.path.abspath(cwd / name))
