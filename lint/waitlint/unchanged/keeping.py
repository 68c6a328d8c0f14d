"""From a whole run to what can be kept of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from waitlint.cache import engine_version, linking_version
from waitlint.limits.naming import kinds_of, may_state
from waitlint.linked import Tool
from waitlint.linter import Outcome, Raised, Verdict
from waitlint.looking import Looked, Looking, sign_of
from waitlint.project.link import LinkedProject
from waitlint.project.mentions import skills_of
from waitlint.report import Report, Reported
from waitlint.reporting import unknown_of
from waitlint.rule import load_rules
from waitlint.scanning import Group, Scan
from waitlint.unchanged.standing import (
    FOREIGN,
    INERT,
    Commented,
    Entries,
    Linked,
    Marking,
    Prose,
    Seen,
    Standing,
    told_key,
)

PROSE = frozenset(("markdown", "text"))
OF_TEXTS = frozenset(("Mentioned", "ToolText"))


def standing_of(
    root: Path, scan: Scan, outcome: Outcome, report: Report, told: Sequence[Reported], looking: Looking
) -> Standing | None:
    """What a run over the files under `root` concluded; None where that can't be taken up again.

    `told` are the findings of the outcome as they were reported.
    """
    if report.errors or not outcome.verdicts or looking.listings.keys() != {str(root)}:
        return None
    if any(str(one.absolute) != f"{group.root}/{path}" for group in scan.groups for path, one in group.members.items()):
        return None
    judged = {verdict.policy.group.root: verdict for verdict in outcome.verdicts}
    groups = tuple(_linked(root, scan, group, judged.get(group.root)) for group in scan.groups)
    looked = looking.looked()
    return Standing(
        looked=Looked(looked.seen, looked.folders, {}, looked.fresh),
        entries=_entries(root, scan, looking),
        names=outcome.verdicts[0].policy.names,
        of_texts=tuple(rule.check.__module__ for rule in load_rules() if OF_TEXTS & {*rule.subject.split(" | ")}),
        groups=groups,
        left_out=scan.left_out,
        told=_by_file(outcome, told),
        cards={card.name: card for card in report.rules},
        versions=(engine_version(), linking_version()),
    )


def _by_file(outcome: Outcome, told: Sequence[Reported]) -> dict[str, dict[bytes, Reported]]:
    found: dict[str, dict[bytes, Reported]] = {}
    for judged, one in zip(outcome.findings, told, strict=True):
        path = f"{judged.group.root}/{judged.finding.place.path}"
        found.setdefault(path, {})[told_key(judged.finding)] = one
    return found


def _entries(root: Path, scan: Scan, looking: Looking) -> Entries:
    listing = looking.listings[str(root)]
    read = {str(member.absolute) for group in scan.groups for member in group.members.values()}
    looked_at = read | looking.seen.keys()
    paths, signs, flags = [], [], bytearray()
    prefix = f"{root}/"
    for entry in listing.entries:
        full = prefix + entry.path
        status = looking.statuses[full]
        inert = entry.path in scan.inert and full not in looked_at and not may_state(entry.path)
        paths.append(entry.path)
        signs.append(sign_of(status) if status is not None else b"")
        flags.append(FOREIGN * entry.foreign | INERT * inert)
    return Entries(paths, signs, bytes(flags), listing.pruned)


def _linked(root: Path, scan: Scan, group: Group, verdict: Verdict | None) -> Linked:
    members = {
        path: Seen(
            member.language,
            member.surface,
            member.vendored,
            group.facts[path].problems,
            member.copies,
            group.keys.get(path, b""),
        )
        for path, member in group.members.items()
        if path in group.facts
    }
    states = tuple(path for path in group.listed if may_state(path) and kinds_of(path, group.read_source(path).data))
    unread = tuple(path for path in group.members if path not in group.facts)
    if verdict is None:
        return Linked(str(group.root), members, states, unread)
    project = group.project
    assert isinstance(project, LinkedProject)
    commented = {
        path: Commented(facts.language, facts.surface, facts.comments)
        for path, facts in group.facts.items()
        if facts.comments
    }
    unknown: dict[str, dict[str, int]] = {}
    for tool in project.tools:
        counts = Counter(unknown_of(tool))
        if counts:
            unknown[tool.place.path] = dict(Counter(unknown.get(tool.place.path, {})) + counts)
    folders = {verdict.policy.configs.for_folder(folder).origin: str(folder) for folder in _folders(group)}
    return Linked(
        root=str(group.root),
        members=members,
        states=states,
        unread=unread,
        judged=True,
        granted=tuple(project.granted),
        key=project.key or b"",
        prose=_prose(root, scan, group, project, verdict.raised),
        skills=skills_of(group.facts),
        spoken_of=tuple(sorted(project.spoken_of)),
        raised=verdict.raised,
        commented=commented,
        marked=tuple(
            Marking(tool.name, tool.place, tool.definition) for tool in project.tools if _stands_in(tool, commented)
        ),
        folders=tuple(folders.values()),
        unknown=unknown,
    )


def _folders(group: Group) -> set[Path]:
    return {group.absolute(path).parent for path in group.facts}


def _stands_in(tool: Tool, paths: dict[str, Commented]) -> bool:
    return any(place is not None and place.path in paths for place in (tool.place, tool.definition))


def _prose(root: Path, scan: Scan, group: Group, project: LinkedProject, raised: Sequence[Raised]) -> dict[str, Prose]:
    """The documents of which nothing but their own texts hangs on what they say."""
    entangled = _entangled(project, raised)
    means: dict[str, set[str]] = {}
    for mentioned in project.mentions:
        means.setdefault(mentioned.text.path, set()).update(tool.name for tool in mentioned.tools)
    found = {}
    for path, member in group.members.items():
        facts = group.facts.get(path)
        if facts is None or member.language not in PROSE or member.copies or path in entangled or may_state(path):
            continue
        if member.by_path or member.absolute.relative_to(root).as_posix() in scan.inert:
            found[path] = Prose(facts.links, facts.lends, tuple(sorted(means.get(path, ()))))
    return found


def _entangled(project: LinkedProject, raised: Sequence[Raised]) -> set[str]:
    """The files that more hangs on than what is said of their own texts."""
    found = {*project.hangs_on, *project.granted}
    for one in raised:
        if one.finding.place.path != one.origin:
            found.update((one.finding.place.path, one.origin))
        found.update(path for e in one.finding.evidence if (path := e.place.path) != one.origin)
    for text in project.texts:
        if text.owner or text.paths:
            found.update((text.path, *(path for _, path in text.paths)))
    return found
