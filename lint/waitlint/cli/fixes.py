"""`waitlint check --fix` and `--diff`: what is done with fixed files, and what is said of fixes that were refused."""

from __future__ import annotations

from waitlint.changing import NotWritten, changes, diff, write_changes
from waitlint.cli.options import Failure
from waitlint.cli.terminal import note, write
from waitlint.fixing import Fixed, run_fixes
from waitlint.linter import Demand
from waitlint.output.closing import counted
from waitlint.output.styled import visible
from waitlint.reporting import shown_path, spot
from waitlint.scanning import Scan


def apply_fixes(scan: Scan, demand: Demand, *, unsafe: bool, show: bool = False) -> tuple[Scan, int]:
    """Fix the files on disk, and list the fixes if that is wished. Returns the scan as it is then, and their number."""
    fixed = run_fixes(scan, demand, unsafe=unsafe)
    try:
        write_changes(changes(scan, fixed.scan))
    except NotWritten as error:
        raise Failure(str(error)) from error
    if show:
        _list(fixed)
    _explain(fixed)
    return fixed.scan, fixed.applied


def show_diff(scan: Scan, demand: Demand, *, unsafe: bool, quiet: bool, show: bool = False) -> int:
    """Write what `--fix` would change to standard output. Returns 1 if that is anything."""
    fixed = run_fixes(scan, demand, unsafe=unsafe)
    found = changes(scan, fixed.scan)
    write(diff(found))
    if show:
        _list(fixed)
    _explain(fixed)
    if not quiet:
        note(f"Would fix {counted(fixed.applied, 'finding')} in {counted(len(found), 'file')}.")
    return 1 if found else 0


def _list(fixed: Fixed) -> None:
    """One line for each fix that was kept: where its finding stood, and what was done."""
    for kept in fixed.kept:
        at = spot(kept.finding.place, kept.group, fixed.scan.request.cwd)
        repair = kept.finding.repair
        how = f"{visible(repair.title)} ({repair.applicability})" if repair else ""
        note(f"waitlint: fixed: {visible(at.path)}:{at.line}: {kept.finding.rule}: {how}")


def _explain(fixed: Fixed) -> None:
    cwd = fixed.scan.request.cwd
    for refused in fixed.refused:
        at = spot(refused.finding.place, refused.group, cwd)
        note(f"waitlint: not fixed: {visible(at.path)}:{at.line}: {refused.finding.rule}: {visible(refused.reason)}")
    for group in fixed.unsettled:
        root = visible(shown_path(group.root, cwd))
        note(f"waitlint: fixing does not settle under {root}: its files are left as they were")
