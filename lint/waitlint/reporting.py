"""Findings to a report: offsets become lines and columns, link roots the working folder, repairs edits."""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import msgspec

from waitlint import frontends
from waitlint.cache import FactCache
from waitlint.finding import Finding, Place
from waitlint.fix import Edit, Fix, Repair
from waitlint.linked import Certainty, Tool
from waitlint.linter import Outcome
from waitlint.report import Proof, References, Report, Reported, RuleCard, Skipped, Spot, Summary
from waitlint.rule import Rule, load_rules
from waitlint.scanning import Group, Scan
from waitlint.widths import line_length

EXCERPT_LINES = 6
_ENCODER = msgspec.msgpack.Encoder()
_DECODER = msgspec.msgpack.Decoder(tuple[Edit, ...] | None)


def report(scan: Scan, outcome: Outcome, *, fixed: int = 0) -> Report:
    """Everything that the outputs need; `fixed` is how many findings the run has mended before."""
    return report_in_order(scan, outcome, fixed)[0]


def report_in_order(scan: Scan, outcome: Outcome, fixed: int = 0) -> tuple[Report, list[Reported]]:
    """The report, and its findings once more in the order of the outcome."""
    rules = {rule.name: rule for rule in load_rules()}
    faults: list[str] = []
    with Previews(scan.groups) as previews:
        findings = [
            reported(found.finding, found.group, scan.request.cwd, rules.get(found.finding.rule), faults, previews)
            for found in outcome.findings
        ]
    found = Report(
        findings=by_spot(findings),
        summary=_summary(scan, outcome, fixed),
        errors=(*scan.faults, *outcome.faults, *faults),
        rules=tuple(card_of(rule) for name, rule in rules.items() if any(f.rule == name for f in findings)),
    )
    return found, findings


def by_spot(findings: Iterable[Reported]) -> tuple[Reported, ...]:
    return tuple(sorted(findings, key=lambda f: (f.spot, f.rule)))


def card_of(rule: Rule) -> RuleCard:
    return RuleCard(rule.name, rule.severity, rule.summary, _page(rule), _references(rule))


def _page(rule: Rule) -> str:
    """A rule that is being written may have no page yet."""
    try:
        return rule.page
    except FileNotFoundError:
        return f"# {rule.name}\n\n{rule.summary}\n"


def _references(rule: Rule) -> References:
    return References(rule.rules, rule.checklist, rule.seeds)


def shown_path(path: Path, cwd: Path) -> str:
    """A path as a user of the working folder writes it; what is no UTF-8 in it is replaced."""
    return os.fsencode(Path(os.path.relpath(path, cwd)).as_posix()).decode("utf-8", "replace")


def spot(place: Place, group: Group, cwd: Path) -> Spot:
    """A place in lines and columns."""
    source = group.read_source(place.path)
    line, column = source.position(place.span.start)
    end_line, end_column = source.position(place.span.end)
    return Spot(shown_path(group.absolute(place.path), cwd), line, column, end_line, end_column)


def reported(
    finding: Finding, group: Group, cwd: Path, rule: Rule | None, faults: list[str], previews: Previews
) -> Reported:
    """A finding as it is shown; an edit that fails is named in `faults`."""
    at = spot(finding.place, group, cwd)
    source = group.read_source(finding.place.path)
    last = min(at.end_line, at.line + EXCERPT_LINES - 1)
    member = group.members.get(finding.place.path)
    return Reported(
        rule=finding.rule,
        severity=finding.severity,
        confidence=finding.confidence,
        spot=at,
        message=finding.message,
        help=finding.help,
        references=_references(rule) if rule else References(),
        tools=finding.tools,
        fingerprint=finding.fingerprint,
        evidence=tuple(Proof(spot(e.place, group, cwd), e.message) for e in finding.evidence),
        fix=_shown_fix(finding.repair, group, cwd, faults, previews) if finding.repair else None,
        excerpt=tuple(source.line_text(line) for line in range(at.line, last + 1)),
        copies=tuple(shown_path(group.absolute(copy), cwd) for copy in (member.copies if member else ())),
        vendored=member.vendored if member else False,
    )


def edits_of(repair: Repair, group: Group, faults: list[str]) -> tuple[Edit, ...] | None:
    """A repair as edits of the group's files; None where a front end can't carry one of its changes out.

    A front end that fails is named in `faults`.
    """
    edits: list[Edit] = []
    for change in repair.changes:
        member = group.members.get(change.path)
        if member is None:
            return None
        try:
            width = line_length(member.absolute, group.root, member.language)
            made = frontends.edits(group.read_source(change.path), member.language, change, width)
        except Exception as error:
            faults.append(f"{change.path}: editing it as {member.language} failed with {type(error).__name__}: {error}")
            return None
        if made is None:
            return None
        edits.extend(made)
    return tuple(sorted(set(edits)))


def _shown_fix(repair: Repair, group: Group, cwd: Path, faults: list[str], previews: Previews) -> Fix | None:
    edits = previews.of(repair, group, faults)
    if edits is None:
        return None
    shown = tuple(Edit(shown_path(group.absolute(e.path), cwd), e.start, e.end, e.text) for e in edits)
    return Fix(repair.title, repair.applicability, shown)


class Previews:
    """The edits of repairs, kept between runs: to restructure code for each of many findings takes long."""

    def __init__(self, groups: Iterable[Group]) -> None:
        folder = next((group.cache_folder for group in groups if group.cache_folder is not None), None)
        self._folder = folder
        self._cache: FactCache | None = None
        self._fresh: dict[bytes, bytes] = {}

    def __enter__(self) -> Previews:
        return self

    def __exit__(self, *raised: object) -> None:
        if self._cache is not None:
            self._cache.store_edits(self._fresh)
            self._cache.close()

    def of(self, repair: Repair, group: Group, faults: list[str]) -> tuple[Edit, ...] | None:
        """What `edits_of` gives."""
        key = self._key_of(repair, group)
        if key is None or self._folder is None:
            return edits_of(repair, group, faults)
        if self._cache is None:
            self._cache = FactCache(self._folder)
        data = self._cache.load_edits(key)
        if data is not None:
            with suppress(msgspec.MsgspecError):
                return _DECODER.decode(data)
        before = len(faults)
        edits = edits_of(repair, group, faults)
        if len(faults) == before:
            self._fresh[key] = _ENCODER.encode(edits)
        return edits

    def _key_of(self, repair: Repair, group: Group) -> bytes | None:
        """A digest of the repair and of the files that it changes; None where one of these is not known."""
        digest = hashlib.blake2b(_ENCODER.encode(repair), digest_size=16)
        for change in repair.changes:
            known = group.keys.get(change.path)
            if known is None:
                return None
            member = group.members.get(change.path)
            width = line_length(member.absolute, group.root, member.language) if member is not None else 0
            digest.update(f"{type(change).__name__} {width} ".encode() + known)
        return digest.digest()


class Answered(NamedTuple):
    """A file that was asked for and read, by its absolute path."""

    path: str
    surface: str
    problems: tuple[str, ...]


def summary_of(
    outcome: Outcome,
    answered: Sequence[Answered],
    skipped: Iterable[Skipped],
    unknown: Counter[str],
    cwd: Path,
    *,
    in_view: int,
    fixed: int = 0,
) -> Summary:
    """What is said of a whole run. `unknown` are the things that could not be told of tools, by kind; the number of
    files with problems is added to them. The paths in `skipped` are absolute."""
    unknown["files_with_problems"] = sum(bool(one.problems) for one in answered)
    problems = [Skipped(shown_path(Path(one.path), cwd), text) for one in answered for text in one.problems]
    return Summary(
        files=len(answered),
        in_view=in_view,
        by_surface=dict(Counter(one.surface for one in answered)),
        skipped=tuple(Skipped(shown_path(Path(one.path), cwd), one.reason) for one in skipped),
        problems=tuple(sorted(problems)),
        unknown={kind: count for kind, count in sorted(unknown.items()) if count},
        hidden=outcome.hidden,
        suppressed=outcome.suppressed,
        known=outcome.known,
        gone=outcome.gone,
        fixed=fixed,
    )


def _summary(scan: Scan, outcome: Outcome, fixed: int) -> Summary:
    answered = [
        Answered(str(member.absolute), member.surface, group.facts[path].problems)
        for group in scan.groups
        for path, member in group.members.items()
        if member.asked and path in group.facts
    ]
    in_view = sum(len(group.facts) for group in scan.groups)
    unknown: Counter[str] = Counter()
    for group in scan.groups:
        for tool in group.project.tools if group.is_concerned else ():
            if group.asks(tool.place.path):
                unknown.update(unknown_of(tool))
    return summary_of(outcome, answered, scan.skipped, unknown, scan.request.cwd, in_view=in_view, fixed=fixed)


def unknown_of(tool: Tool) -> Iterable[str]:
    """What could not be told of a tool, by kind."""
    if not tool.understood:
        yield "tools"
    if tool.description_unknown:
        yield "descriptions"
    for wait in tool.waits:
        if wait.cap.certainty is Certainty.UNKNOWN:
            yield "caps"
    for read in tool.reads:
        if read.timeout.certainty is Certainty.UNKNOWN:
            yield "read_timeouts"
