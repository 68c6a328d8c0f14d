"""`waitlint hook`: what pre-commit calls."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click
import msgspec

from waitlint.cli.options import SCANNING, WISHING, named_paths, sources_of, wish_of, with_options
from waitlint.cli.telling import judge_and_tell
from waitlint.git import GitFailed, deletions_between, staged_deletions


@click.command(name="hook", epilog="Exit code: 0 nothing found, 1 findings, 2 the run itself failed.")
@with_options(click.argument("files", nargs=-1, type=click.Path()), *WISHING, *SCANNING)
def command(files: tuple[str, ...], **given: Any) -> int:
    """Judge a commit that touches FILES, as pre-commit hands them over.

    The whole repository is in view. Reported is what has its place or its evidence in FILES, and what only the files
    that the commit deletes had kept from being a fault. Files that no model reads are passed over.
    """
    wish = wish_of(given)
    cwd = Path.cwd()
    deleted = _deletions(cwd)
    named = tuple(path for path in named_paths(files) if path.exists()) if files else ()
    if not named and not deleted:
        return 0
    request = sources_of(given).request(named)
    return judge_and_tell(msgspec.structs.replace(request, deleted=deleted, by_hand=False), wish)


def _deletions(folder: Path) -> dict[Path, bytes]:
    """What the commit, or the range that pre-commit names, deletes; nothing outside of a repository."""
    first, last = os.environ.get("PRE_COMMIT_FROM_REF"), os.environ.get("PRE_COMMIT_TO_REF")
    try:
        if first and last:
            return deletions_between(folder, first, last)
        return staged_deletions(folder)
    except GitFailed:
        return {}
