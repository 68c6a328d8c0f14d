"""From a scan to what is written and to the exit code."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from waitlint import output
from waitlint.atomic import write_file
from waitlint.baseline import BadBaseline, Baseline, read_baseline, written
from waitlint.cli.fixes import apply_fixes
from waitlint.cli.options import Failure, Wish, run_scan, with_failures
from waitlint.cli.terminal import note, show, write
from waitlint.fix import Applicability
from waitlint.linter import lint
from waitlint.looking import noted
from waitlint.output import closing, statistics
from waitlint.report import Report
from waitlint.reporting import report, report_in_order
from waitlint.scanning import Request, Scan
from waitlint.unchanged.last import LastRun, Said


def judge_and_tell(request: Request, wish: Wish) -> int:
    """Say what the last run said, if nothing has changed since; else scan, judge and tell. Gives the exit code.

    Where fixing is wished, that is done first, if there is anything to fix.
    """
    if request.overlay or request.deleted or not request.use_cache:
        return conclude(run_scan(request, quiet=wish.quiet), wish)
    with noted() as looking:
        baseline = Path.cwd() / wish.baseline if wish.baseline is not None else None
        last = with_failures(request.cwd, lambda: LastRun(request, wish.demand, baseline, looking))
        said = last.said()
        known = _baseline(wish) if said is None else None
        said = said or last.renewed(known)
        if said is None or _may_be_fixed(said.report, wish):
            scan = run_scan(request, quiet=wish.quiet)
            mended = 0
            if wish.fix:
                scan, mended = apply_fixes(scan, wish.demand, unsafe=wish.unsafe_fixes, show=wish.show_fixes)
                if wish.fix_only:
                    return _fixed_only(scan, mended, quiet=wish.quiet)
            if mended:
                return _tell(_said(scan, wish, mended), wish)
            said = _found(scan, wish, last)
        if not said.report.errors:
            last.keep(said)
    if wish.fix_only:
        return _told_fixed(0, quiet=wish.quiet)
    return _tell(said, wish)


def _may_be_fixed(found: Report, wish: Wish) -> bool:
    """Whether there may be anything to fix among the findings of a report, or among those that a baseline hides."""
    if not wish.fix:
        return False
    wanted = {Applicability.SAFE, *((Applicability.UNSAFE,) if wish.unsafe_fixes else ())}
    return bool(found.summary.known) or any(f.fix is not None and f.fix.applicability in wanted for f in found.findings)


def conclude(scan: Scan, wish: Wish) -> int:
    """Fix if that is wished, judge, tell, and return the exit code."""
    mended = 0
    if wish.fix:
        scan, mended = apply_fixes(scan, wish.demand, unsafe=wish.unsafe_fixes, show=wish.show_fixes)
        if wish.fix_only:
            return _fixed_only(scan, mended, quiet=wish.quiet)
    return _tell(_said(scan, wish, mended), wish)


def _said(scan: Scan, wish: Wish, mended: int = 0) -> Said:
    outcome = lint(scan, wish.demand, before=_before(scan, wish), baseline=_baseline(wish))
    return Said(report(scan, outcome, fixed=mended), outcome.failing)


def _found(scan: Scan, wish: Wish, last: LastRun) -> Said:
    """Judge what was read, and keep all that was concluded."""
    outcome = lint(scan, wish.demand, baseline=_baseline(wish))
    found, told = report_in_order(scan, outcome)
    last.keep_all(scan, outcome, found, told)
    return Said(found, outcome.failing)


def _tell(said: Said, wish: Wish) -> int:
    present(said.report, wish)
    if said.report.errors:
        return 2
    return 1 if said.failing and not wish.exit_zero else 0


def _fixed_only(scan: Scan, mended: int, *, quiet: bool) -> int:
    """What there is to say where nothing but fixing is wished: what is left neither shows nor fails."""
    for fault in scan.faults:
        note(f"waitlint: internal error: {fault}")
    told = _told_fixed(mended, quiet=quiet)
    return 2 if scan.faults else told


def _told_fixed(mended: int, *, quiet: bool) -> int:
    if not quiet:
        note(f"{closing.counted(mended, 'finding')} fixed.")
    return 0


def keep_baseline(scan: Scan, wish: Wish, file: Path) -> int:
    """Write what is found to a baseline, and return the exit code."""
    if not scan.is_whole:
        raise Failure("--write-baseline takes the whole root, or what it leaves out would be forgotten")
    outcome = lint(scan, wish.demand)
    for fault in (*scan.faults, *outcome.faults):
        note(f"waitlint: internal error: {fault}")
    if scan.faults or outcome.faults:
        return 2
    _write_file(file, written(judged.finding for judged in outcome.findings), "--write-baseline")
    if not wish.quiet:
        note(f"Wrote {closing.counted(len(outcome.findings), 'finding')} to {file}.")
    return 0


def _baseline(wish: Wish) -> Baseline | None:
    if wish.baseline is None:
        return None
    try:
        return read_baseline(Path(wish.baseline))
    except BadBaseline as error:
        raise Failure(f"--baseline: {error}") from error


def _before(scan: Scan, wish: Wish) -> Scan | None:
    """The same files with those that have been deleted, if any of these meant anything to a model."""
    if not scan.request.deleted:
        return None
    before = run_scan(msgspec.structs.replace(scan.request, restore=True), quiet=wish.quiet)
    return before if before.holds(scan.request.deleted) else None


def present(found: Report, wish: Wish) -> None:
    """Write a report to standard output and to files, and what else is to be said to standard error."""
    _write_outputs(found, wish.output)
    is_text = wish.output_format in output.TEXT_FORMATS
    if wish.statistics:
        show(statistics.lines(found))
    elif is_text:
        show(output.lines(found, wish.output_format))
    else:
        write(output.render(found, wish.output_format))
    if is_text and not wish.quiet:
        show(closing.lines(found, verbose=wish.verbose))
    elif not is_text and not found.summary.files:
        note("waitlint: nothing was scanned")
    for error in found.errors:
        note(f"waitlint: internal error: {error}")


def _write_outputs(found: Report, files: Sequence[tuple[str, Path]]) -> None:
    for name, file in files:
        _write_file(file, output.render(found, name), "--output")


def _write_file(file: Path, text: str, option: str) -> None:
    try:
        write_file(file, text.encode("utf-8"))
    except OSError as error:
        raise Failure(f"{option}: {file}: {error.strerror or error}") from error
