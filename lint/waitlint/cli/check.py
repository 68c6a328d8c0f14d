"""`waitlint check`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from waitlint import output as formats
from waitlint.atomic import write_file
from waitlint.cli.fixes import apply_fixes, show_diff
from waitlint.cli.options import Failure, Sources, run_scan, scan_options, selectors
from waitlint.cli.terminal import note, show, write
from waitlint.config import Selection
from waitlint.linter import Demand, lint
from waitlint.output import closing, statistics
from waitlint.report import Report
from waitlint.reporting import report as make_report

FORMATS = click.Choice(list(formats.FORMATS))


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


@click.command(name="check", epilog="Exit code: 0 nothing found, 1 findings, 2 the run itself failed.")
@scan_options
@click.option(
    "--select", multiple=True, callback=selectors, metavar="RULES", help="Rules or families to run, no others."
)
@click.option("--ignore", multiple=True, callback=selectors, metavar="RULES", help="Rules or families to leave out.")
@click.option("--extend-select", multiple=True, callback=selectors, metavar="RULES", help="Rules to run besides.")
@click.option("--pedantic", is_flag=True, help="Show advice and findings of low confidence, too.")
@click.option("--fix", is_flag=True, help="Repair what can be repaired safely.")
@click.option("--unsafe-fixes", is_flag=True, help="With --fix or --diff: repairs that may change a meaning, too.")
@click.option("--diff", is_flag=True, help="Show what --fix would change, and change nothing.")
@click.option("--output-format", type=FORMATS, default="full", show_default=True)
@click.option(
    "--output", multiple=True, callback=_destinations, metavar="FORMAT=FILE", help="Write to a file; repeatable."
)
@click.option("--exit-zero", is_flag=True, help="Exit with 0 even where there are findings.")
@click.option("--statistics", "count", is_flag=True, help="Count the findings of each rule instead of showing them.")
@click.option("--stdin-filename", metavar="NAME", help="Read standard input as the file of this name.")
@click.option("-q", "--quiet", is_flag=True, help="Findings only.")
@click.option("-v", "--verbose", is_flag=True, help="Name every file that was skipped or not wholly understood.")
def command(
    paths: tuple[str, ...],
    root: str | None,
    isolated: bool,
    no_cache: bool,
    cache_dir: str | None,
    jobs: int,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    extend_select: tuple[str, ...],
    pedantic: bool,
    fix: bool,
    unsafe_fixes: bool,
    diff: bool,
    output_format: str,
    output: tuple[tuple[str, Path], ...],
    exit_zero: bool,
    count: bool,
    stdin_filename: str | None,
    quiet: bool,
    verbose: bool,
) -> int:
    """Check the files of PATHS (the working folder without any).

    Everything under the same root is read to link tools with their helpers and with the words about them; what is
    reported has its place or its evidence in PATHS.
    """
    if count and output_format not in formats.TEXT_FORMATS:
        raise click.UsageError("--statistics is a text: leave --output-format out.")
    sources = Sources(paths, root, isolated, no_cache, cache_dir, jobs, stdin_filename)
    demand = Demand(Selection(select or None, extend_select, ignore), pedantic or None)
    if unsafe_fixes and not (fix or diff):
        raise click.UsageError("--unsafe-fixes goes with --fix or --diff.")
    if fix and stdin_filename is not None:
        raise click.UsageError(
            "--fix has no file to change where standard input is read; --diff shows what it would do."
        )
    scanned = run_scan(sources, quiet=quiet)
    if diff:
        return show_diff(scanned, demand, unsafe=unsafe_fixes, quiet=quiet)
    mended = 0
    if fix:
        scanned, mended = apply_fixes(scanned, demand, unsafe=unsafe_fixes)
    found = make_report(scanned, lint(scanned, demand), fixed=mended)
    present(found, output_format, output, count=count, quiet=quiet, verbose=verbose)
    if found.errors:
        return 2
    return 1 if found.findings and not exit_zero else 0


def present(
    found: Report,
    output_format: str,
    files: Sequence[tuple[str, Path]],
    *,
    count: bool,
    quiet: bool,
    verbose: bool,
) -> None:
    """Write a report to standard output and to files, and what else is to be said to standard error."""
    for name, file in files:
        try:
            write_file(file, formats.render(found, name).encode("utf-8"))
        except OSError as problem:
            raise Failure(f"--output: {file}: {problem.strerror or problem}") from problem
    is_text = output_format in formats.TEXT_FORMATS
    if count:
        show(statistics.lines(found))
    elif is_text:
        show(formats.lines(found, output_format))
    else:
        write(formats.render(found, output_format))
    if is_text and not quiet:
        show(closing.lines(found, verbose=verbose))
    elif not found.summary.files:
        note("waitlint: nothing was scanned")
    for error in found.errors:
        note(f"waitlint: internal error: {error}")
