"""`waitlint check`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click
import msgspec

from waitlint.cli.files import list_files
from waitlint.cli.fixes import show_diff
from waitlint.cli.options import (
    SCANNING,
    WISHING,
    Failure,
    absolute,
    is_within,
    named_paths,
    run_scan,
    sources_of,
    wish_of,
    with_options,
)
from waitlint.cli.telling import judge_and_tell, keep_baseline
from waitlint.git import GitFailed, changes_since
from waitlint.scanning import Request


@click.command(name="check", epilog="Exit code: 0 nothing found, 1 findings, 2 the run itself failed.")
@with_options(
    click.argument("paths", nargs=-1, type=click.Path()),
    click.option("--since", metavar="REVISION", help="Only what has to do with files changed since a git revision."),
    click.option("--stdin-filename", metavar="NAME", help="Read standard input as the file of this name."),
    click.option("--diff", is_flag=True, help="Show what --fix would change, and change nothing."),
    click.option("--show-files", is_flag=True, help="List the files, each with what it is to a model; check nothing."),
    click.option("--write-baseline", metavar="FILE", help="Write what is found to a file for --baseline."),
    *WISHING,
    *SCANNING,
)
def command(
    paths: tuple[str, ...],
    since: str | None,
    stdin_filename: str | None,
    diff: bool,
    show_files: bool,
    write_baseline: str | None,
    **given: Any,
) -> int:
    """Check the files of PATHS (the working folder without any).

    Everything under the same root is read to link tools with their helpers and with the words about them; what is
    reported has its place or its evidence in PATHS.
    """
    wish = wish_of(given)
    if wish.unsafe_fixes and not (wish.fix or diff):
        raise click.UsageError("--unsafe-fixes goes with --fix or --diff.")
    if wish.show_fixes and not (wish.fix or diff):
        raise click.UsageError("--show-fixes goes with --fix or --diff.")
    if wish.fix and stdin_filename is not None:
        raise click.UsageError("--fix can't change standard input; --diff shows what it would do.")
    if stdin_filename is None:
        request = sources_of(given).request(named_paths(paths))
    else:
        request = _from_stdin(sources_of(given).request((absolute(stdin_filename, Path.cwd()),)), paths)
    if since is not None:
        request = _since(request, since)
    if not (show_files or diff or write_baseline is not None):
        return judge_and_tell(request, wish)
    scanned = run_scan(request, quiet=wish.quiet)
    if show_files:
        return list_files(scanned, wish.output_format)
    if diff:
        return show_diff(scanned, wish.demand, unsafe=wish.unsafe_fixes, quiet=wish.quiet, show=wish.show_fixes)
    assert write_baseline is not None
    return keep_baseline(scanned, wish, Path(write_baseline))


def _from_stdin(request: Request, paths: tuple[str, ...]) -> Request:
    if paths not in ((), ("-",)):
        raise click.UsageError("--stdin-filename reads standard input alone: give `-` and no other path.")
    return msgspec.structs.replace(request, overlay={str(request.paths[0]): sys.stdin.buffer.read()})


def _since(request: Request, revision: str) -> Request:
    """The request narrowed to what has changed."""
    try:
        changes = changes_since(request.cwd, revision)
    except GitFailed as error:
        raise Failure(f"--since: {error}") from error
    return msgspec.structs.replace(
        request,
        paths=tuple(path for path in changes.changed if is_within(path, request.paths)),
        deleted={path: content for path, content in changes.deleted.items() if is_within(path, request.paths)},
        by_hand=False,
    )
