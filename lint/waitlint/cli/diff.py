"""`waitlint diff`: what has changed in each tool's way of waiting."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import click

from waitlint.audit import differing
from waitlint.audit.comparing import Standing, compare, standing
from waitlint.cache import FOLDER
from waitlint.cli.options import SCANNING, Failure, run_scan, sources_of, with_options
from waitlint.cli.terminal import note, show, write
from waitlint.git import GitFailed, name_of, top_of, write_tree
from waitlint.linter import Demand


@click.command(name="diff", epilog="Exit code: 0 done, 2 the run itself failed.")
@with_options(
    click.argument("revision"),
    click.argument("until", required=False),
    click.option("--output-format", type=click.Choice(["text", "markdown", "json"]), default="text", show_default=True),
    *SCANNING[1:],
)
def command(revision: str, until: str | None, output_format: str, **given: Any) -> int:
    """Show what has changed in each tool's way of waiting since REVISION, up to UNTIL or to what is there now."""
    cwd = Path.cwd()
    faults: list[str] = []
    given["root"] = None
    try:
        since, last = name_of(cwd, revision), name_of(cwd, until) if until else ""
        after = _at(cwd, last, given, faults) if last else _standing(cwd, given, faults)
        before = _at(cwd, since, given, faults)
        found = compare(before, after, since[:12], last[:12])
    except GitFailed as error:
        raise Failure(str(error)) from error
    if output_format == "text":
        show(differing.lines(found))
    else:
        write(differing.markdown(found) if output_format == "markdown" else differing.render(found))
    for fault in dict.fromkeys(faults):
        note(f"waitlint: internal error: {fault}")
    return 2 if faults else 0


def _at(cwd: Path, revision: str, given: dict[str, Any], faults: list[str]) -> list[Standing]:
    """The tools at a commit, whose files are laid out in a folder that is gone afterwards."""
    top = top_of(cwd)
    with tempfile.TemporaryDirectory(prefix="waitlint-") as folder:
        place = Path(folder).resolve() / top.name
        place.mkdir()
        write_tree(top, revision, place)
        here = place / cwd.relative_to(top)
        known = top / FOLDER
        cache = given["cache_dir"] or (str(known) if known.is_dir() else None)
        return _standing(here, {**given, "cache_dir": cache}, faults) if here.is_dir() else []


def _standing(folder: Path, given: dict[str, Any], faults: list[str]) -> list[Standing]:
    scanned = run_scan(sources_of(given).request((folder,), cwd=folder))
    faults += scanned.faults
    return standing(scanned, Demand(pedantic=True))
