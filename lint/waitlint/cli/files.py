"""`waitlint check --show-files`: each file with what it is to a model, or why it is not read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
from msgspec import Struct

from waitlint.cli.terminal import note, show, write
from waitlint.output.styled import QUIET, STRONG, Line, Piece, visible
from waitlint.reporting import shown_path
from waitlint.scanning import Group, Scan


class Shown(Struct, frozen=True, order=True, omit_defaults=True):
    """A file. `surface` is "" where it is not read, for the `reason`.

    `vendored` where it came from elsewhere, `same_as` is the file with the very same content that is read for it.
    """

    path: str
    surface: str = ""
    reason: str = ""
    vendored: bool = False
    same_as: str = ""


def list_files(scan: Scan, output_format: str) -> int:
    """Write the list, and return the exit code."""
    files = sorted({file for group in scan.groups for file in _read(group, scan)} | set(_passed_over(scan)))
    if output_format == "json":
        document = {"version": 1, "files": [msgspec.to_builtins(file) for file in files]}
        write(msgspec.json.format(msgspec.json.encode(document), indent=2).decode() + "\n")
    else:
        show(map(_line, files))
    for fault in scan.faults:
        note(f"waitlint: internal error: {fault}")
    return 2 if scan.faults else 0


def _read(group: Group, scan: Scan) -> Iterator[Shown]:
    """The files of a group that were asked for and are read, once its project has said what else is."""
    if not group.is_concerned:
        return
    cwd = scan.request.cwd
    for path, member in group.all_members().items():
        shown = shown_path(member.absolute, cwd)
        if member.asked and path in group.facts:
            yield Shown(shown, member.surface, vendored=member.vendored)
        for copy, surface in zip(member.copies, member.copied_as, strict=True):
            if group.asks(copy):
                yield Shown(shown_path(group.absolute(copy), cwd), surface, "", member.vendored, shown)


def _passed_over(scan: Scan) -> Iterator[Shown]:
    granted = {
        member.absolute for group in scan.groups for path, member in group.members.items() if path in group.facts
    }
    for skipped in scan.passed_over:
        if Path(skipped.path) not in granted:
            shown = shown_path(Path(skipped.path), scan.request.cwd)
            yield Shown(f"{shown}/" if skipped.path.endswith("/") else shown, reason=skipped.reason)


def _line(file: Shown) -> Line:
    if not file.surface:
        return Piece(visible(file.path)), Piece(f"  not read: {visible(file.reason)}", QUIET)
    notes = [
        file.surface,
        "from elsewhere" if file.vendored else "",
        f"the same as {file.same_as}" if file.same_as else "",
    ]
    return Piece(visible(file.path), STRONG), Piece(f"  {visible(', '.join(filter(None, notes)))}", QUIET)
