"""What an earlier run concluded, taken up again: where only words have changed, only what they say is judged.

Whatever is not certain to be the same gives None, and everything is read and linked as in a first run.
"""

from __future__ import annotations

import importlib
import os
import stat
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from waitlint.baseline import Baseline
from waitlint.cache import FactCache, key_of
from waitlint.catalog.matching import NOTHING
from waitlint.catalog.surfaces import given_by_links, surface_of
from waitlint.config import Configs
from waitlint.discovery.finding import beginning
from waitlint.discovery.granting import is_document, targets_of
from waitlint.discovery.listing import list_files
from waitlint.facts import FileFacts
from waitlint.finding import Finding
from waitlint.gathering import Member, View
from waitlint.limits.naming import may_state
from waitlint.linked import Mentioned, ToolText
from waitlint.linter import Demand, Judged, Outcome, Policy, Raised, Verdict, conclude, origin_of, weigh
from waitlint.looking import Looked, Looking, changes, content_digest, sign_of
from waitlint.project.codelinks import CodeLinks, decoded
from waitlint.reading import Wanted, read_files
from waitlint.report import Report, Reported, RuleCard, Summary
from waitlint.reporting import Answered, Previews, by_spot, card_of, reported, summary_of
from waitlint.rule import Rule
from waitlint.scanning import Group, any_is_asked, is_asked_about
from waitlint.unchanged.known import Beyond, KnownProject
from waitlint.unchanged.standing import FOREIGN, INERT, Commented, Linked, Prose, Standing, told_key

MOST_CHANGED = 20


class Renewed(NamedTuple):
    """The report, how many findings fail a run, and what stands from now on."""

    report: Report
    failing: int
    standing: Standing


class Asked:
    """Which paths were asked for, by their names alone."""

    def __init__(self, view: View) -> None:
        self._named = frozenset(str(path) for path in view.asked)
        self._folders = tuple(f"{str(path).rstrip('/')}/" for path in view.asked)
        self._all = any(view.root.is_relative_to(path) for path in view.asked)

    def holds(self, path: str) -> bool:
        return self._all or path in self._named or path.startswith(self._folders)


class Renewal:
    """One attempt. `looking` notes what is looked at."""

    def __init__(
        self, standing: Standing, view: View, cwd: Path, demand: Demand, cache: Path, looking: Looking
    ) -> None:
        self._standing = standing
        self._view = view
        self._cwd = cwd
        self._demand = demand
        self._cache = cache
        self._looking = looking
        self._asked = Asked(view)
        self._configs = Configs(isolated=False)
        self._told: dict[str, dict[bytes, Reported]] = {}
        self._groups: dict[Path, Linked] = {}
        self._keys: dict[str, bytes] = {}
        self._touched: set[str] = set()
        self._rules: dict[str, Rule] = {}

    def run(self, *, isolated: bool, baseline: Baseline | None) -> Renewed | None:
        """What there is to say now; None where everything has to be read."""
        self._configs = Configs(isolated=isolated)
        changed = self._changed()
        if changed is None:
            return None
        try:
            groups = [self._renewed(group, changed) for group in self._standing.groups]
            return self._conclude(groups, changed, baseline)
        except Beyond:
            return None

    # ------------------------------------------------------------ what has changed

    def _changed(self) -> set[str] | None:
        """The absolute paths of the files that are not what they were; None where files came, went or were renamed."""
        entries, root = self._standing.entries, str(self._view.root)
        listing = list_files(root)
        if listing.pruned != entries.pruned or len(listing.entries) != len(entries.paths):
            return None
        changed: set[str] = set()
        statuses, prefix = self._looking.statuses, f"{root}/"
        for entry, path, sign, flags in zip(listing.entries, entries.paths, entries.signs, entries.flags, strict=True):
            if entry.path != path or entry.foreign != bool(flags & FOREIGN):
                return None
            status = statuses[prefix + path]
            if not flags & INERT and (sign_of(status) if status is not None else b"") != sign:
                changed.add(prefix + path)
        inert = {prefix + path for path, flags in zip(entries.paths, entries.flags, strict=True) if flags & INERT}
        for path in changes(self._standing.looked):
            if path not in inert:
                changed.add(path)
        self._touched = self._only_touched(changed)
        self._touched |= {path for path in changed - statuses.keys() if self._is_behind_a_link(path, changed)}
        changed -= self._touched
        if len(changed) <= MOST_CHANGED:
            changed -= self._passed_over(changed)
        return changed if len(changed) <= MOST_CHANGED and self._are_prose(changed) else None

    def _is_behind_a_link(self, path: str, changed: Collection[str]) -> bool:
        """Whether a path that is in no list of files leads to a file that has changed: then it is that file.

        The links on the way must be in the list, where they would show if they led elsewhere now.
        """
        real = os.path.realpath(path)
        if real == path or real not in changed:
            return False
        way = (str(one) for one in (Path(path), *Path(path).parents) if one.is_relative_to(self._view.root))
        return all(one in self._looking.statuses for one in way if os.path.islink(one))

    def _passed_over(self, changed: Collection[str]) -> set[str]:
        """Those of the files that no model reads, into which nobody looked but for what they may say that they are.

        They were none of those, and say that they are none now.
        """
        members = {f"{group.root}/{path}" for group in self._standing.groups for path in group.members}
        statuses, prefix = self._looking.statuses, f"{self._view.root}/"
        passed_over = {
            full
            for full in changed
            if full.startswith(prefix)
            and full not in members
            and full not in self._standing.looked.seen
            and is_document(full)
            and not may_state(path := full.removeprefix(prefix))
            and surface_of(path, partial(beginning, full)) == NOTHING
        }
        links = (path for path, status in statuses.items() if status is not None and stat.S_ISLNK(status.st_mode))
        return passed_over.difference(map(os.path.realpath, links)) if passed_over else passed_over

    def _are_prose(self, changed: Collection[str]) -> bool:
        """Whether all that has changed are documents of which nothing hangs but what is said of their own texts."""
        prose = {f"{group.root}/{path}" for group in self._standing.groups for path in group.prose}
        return all(path in prose for path in changed)

    def _only_touched(self, changed: Collection[str]) -> set[str]:
        """Those of the files that were read whose content is what it was."""
        found: set[str] = set()
        for group in self._standing.groups if changed else ():
            prefix = f"{group.root}/"
            for full in changed:
                path = full.removeprefix(prefix)
                seen = group.members.get(path) if path != full else None
                status = self._looking.statuses.get(full)
                if seen is None or not seen.key or status is None or not stat.S_ISREG(status.st_mode):
                    continue
                if key_of(content_digest(full), path, seen.language, seen.surface) == seen.key:
                    found.add(full)
        return found

    def _read(self, group: Linked, paths: Iterable[str]) -> dict[str, FileFacts]:
        """The facts of documents that have changed. Raises Beyond where more has changed with them than their words."""
        wanted = [
            Wanted(path, f"{group.root}/{path}", group.members[path].language, group.members[path].surface)
            for path in paths
        ]
        with closing(FactCache(self._cache)) as cache:
            reading = read_files(wanted, cache=cache, jobs=1)
        if reading.faults or reading.skipped:
            raise Beyond("a document that can't be read any more")
        facts = {one.path: reading.facts[index] for index, one in enumerate(wanted)}
        self._keys.update({f"{group.root}/{wanted[index].path}": key for index, key in reading.keys.items()})
        for path, one in facts.items():
            before = group.prose[path]
            if one.lends != before.lends or any(self._leads_to_more(group, path, {*one.links} ^ {*before.links})):
                raise Beyond(f"{path} leads elsewhere now")
            if self._has_twin(f"{group.root}/{path}"):
                raise Beyond(f"{path} is a copy now")
        return facts

    def _leads_to_more(self, group: Linked, path: str, links: Collection[str]) -> Iterator[bool]:
        """For each file that links lead to whether a model reads it for that."""
        root = self._view.root
        origin = Path(group.root, path).relative_to(root).as_posix()
        members = {f"{one.root}/{name}": seen for one in self._standing.groups for name, seen in one.members.items()}
        listed = set(self._standing.entries.paths) if links else ()
        for link in links:
            for target in (*targets_of(str(root), origin, link), *targets_of(str(root), origin, link, listed)):
                real = os.path.realpath(root / target)
                seen = members.get(real)
                yield is_document(real) and (seen is None or seen.surface in given_by_links())

    def _has_twin(self, path: str) -> bool:
        """Whether a further document in view has the very same content."""
        statuses, size, digest = self._looking.statuses, _size(path), b""
        for group in self._standing.groups:
            for other in group.members:
                full = f"{group.root}/{other}"
                status = statuses.get(full)
                if full != path and (status.st_size if status is not None else _size(full)) == size:
                    digest = digest or content_digest(path)
                    if content_digest(full) == digest:
                        return True
        return False

    # ------------------------------------------------------------ one group

    def _renewed(self, linked: Linked, changed: Collection[str]) -> tuple[Linked, Verdict | None]:
        """What stands of a group now, and the verdict; None where nobody has judged it and nobody asks for it."""
        prefix = f"{linked.root}/"
        own = [path for path in linked.prose if prefix + path in changed]
        facts = self._read(linked, own) if own else {}
        if not linked.judged:
            return linked, None
        group = self._group(linked, facts)
        policy = Policy(group, self._configs, self._demand, self._standing.names)
        project = KnownProject(linked, facts, group.read_source, partial(self._links, linked))
        linked = self._with_prose(linked, facts, project)
        configs = {one.origin: one for one in map(self._configs.for_folder, map(Path, linked.folders))}.values()
        wanted = {name for config in configs for name in self._demand.selection.rules(config, self._standing.names)}
        said = self._said(policy, project, wanted) if facts else ()
        raised = tuple(one for one in linked.raised if one.origin not in facts) + tuple(policy.graded(said))
        files = {
            path: FileFacts(one.language, one.surface, comments=one.comments) for path, one in linked.commented.items()
        }
        return replace(linked, raised=raised), weigh(policy, raised, files, linked.marked, configs)

    def _group(self, linked: Linked, facts: Mapping[str, FileFacts]) -> Group:
        """The group with those members alone that findings stand in."""
        needed = {*facts, *(one.finding.place.path for one in linked.raised)} & linked.members.keys()
        members = {path: self._member(linked, path) for path in needed}
        return Group(Path(linked.root), members, facts, self._configs, {}, self._view.asks_for, lambda _: None)

    def _member(self, linked: Linked, path: str) -> Member:
        seen, full = linked.members[path], f"{linked.root}/{path}"
        asked = self._asked.holds(full)
        return Member(
            Path(linked.root), path, Path(full), seen.language, seen.surface, asked, seen.vendored, seen.copies
        )

    def _links(self, linked: Linked) -> CodeLinks | None:
        with closing(FactCache(self._cache)) as cache:
            data = cache.load_linked(linked.key) if linked.key else None
        return decoded(data) if data is not None else None

    def _with_prose(self, linked: Linked, facts: Mapping[str, FileFacts], project: KnownProject) -> Linked:
        """The group with what changed documents mean now. Raises Beyond where that is asked of tools."""
        if not facts:
            return linked
        prose, members, commented = dict(linked.prose), dict(linked.members), dict(linked.commented)
        for path, one in facts.items():
            means = {tool.name for m in project.own_mentions if m.text.path == path for tool in m.tools}
            if not means.union(prose[path].means).isdisjoint(linked.spoken_of):
                raise Beyond(f"{path} speaks of tools that are judged by it")
            prose[path] = Prose(one.links, one.lends, tuple(sorted(means)))
            key = self._keys.get(f"{linked.root}/{path}", b"")
            members[path] = replace(members[path], problems=one.problems, key=key)
            commented.pop(path, None)
            if one.comments:
                commented[path] = Commented(one.language, one.surface, one.comments)
        in_order = {path: commented[path] for path in members if path in commented}
        return replace(linked, prose=prose, members=members, commented=in_order)

    def _said(self, policy: Policy, project: KnownProject, wanted: Collection[str]) -> Iterator[Raised]:
        """What the rules about texts say of changed documents. Raises Beyond where one fails, or speaks of others."""
        own: dict[str, Sequence[ToolText | Mentioned]]
        own = {"ToolText": project.own_texts, "Mentioned": project.own_mentions}
        for _, rule in sorted(self._of_texts().items()):
            for kind in rule.subject.split(" | ") if rule.name in wanted else ():
                for subject in own.get(kind, ()):
                    origin = project.asked_for = origin_of(subject)
                    try:
                        found = policy.check(rule, subject, project)
                    except Exception as error:
                        raise Beyond(str(error)) from error
                    for one in found:
                        if isinstance(one, Finding):
                            if one.place.path != origin:
                                raise Beyond("a finding that stands elsewhere")
                            yield Raised(origin, one)

    def _of_texts(self) -> dict[str, Rule]:
        """The rules about texts, by name. Raises Beyond where a module does not have the one that was found in it."""
        for name in self._standing.of_texts if not self._rules else ():
            held = [one for one in vars(importlib.import_module(name)).values() if isinstance(one, Rule)]
            own = [one for one in held if one.check.__module__ == name]
            if not own:
                raise Beyond(f"no rule in {name}")
            self._rules.update((one.name, one) for one in own)
        return self._rules

    # ------------------------------------------------------------ the whole

    def _conclude(
        self, groups: list[tuple[Linked, Verdict | None]], changed: Collection[str], baseline: Baseline | None
    ) -> Renewed | None:
        verdicts: list[Verdict] = []
        concerned: list[Linked] = []
        now = [linked for linked, _ in groups]
        self._groups = {Path(linked.root): linked for linked in now}
        asked: list[tuple[Judged, bool, bool]] = []
        for linked, verdict in groups:
            if not self._is_concerned(linked):
                continue
            if verdict is None:
                return None
            verdicts.append(verdict)
            concerned.append(linked)
            for finding in verdict.findings:
                if is_asked_about(finding, linked.members, partial(self._asks, linked)):
                    policy = verdict.policy
                    asked.append((Judged(finding, policy.group), policy.shows(finding), policy.fails(finding)))
        if not verdicts:
            return None
        holds = self._asked.holds
        is_whole = all(holds(f"{one.root}/{path}") for one in now for path in (*one.members, *one.unread))
        outcome = conclude(asked, verdicts, baseline, is_whole=is_whole)
        told = self._all_told(outcome, changed)
        if told is None:
            return None
        cards = dict(self._standing.cards)
        for one in told:
            if one.rule in self._rules and one.rule not in cards:
                cards[one.rule] = card_of(self._rules[one.rule])
        shown = {one.rule for one in told}
        found = Report(
            findings=by_spot(told),
            summary=self._summary(now, {one.root for one in concerned}, outcome),
            rules=tuple(cards[name] for name in sorted(cards) if name in shown),
        )
        return Renewed(found, outcome.failing, self._stands(now, cards, changed))

    def _asks(self, linked: Linked, path: str) -> bool:
        return self._asked.holds(f"{linked.root}/{path}")

    def _is_concerned(self, linked: Linked) -> bool:
        """Whether anything in the group was asked for, before linking has brought further documents into it."""
        granted, asks = frozenset(linked.granted), partial(self._asks, linked)
        read = {path: one for path, one in linked.members.items() if path not in granted}
        return any(map(asks, (*linked.unread, *linked.states))) or any_is_asked(read, asks)

    def _all_told(self, outcome: Outcome, changed: Collection[str]) -> list[Reported] | None:
        """The findings as they are reported; None where one is not known that stands in what has not changed."""
        told: list[Reported] = []
        faults: list[str] = []
        with Previews(verdict.policy.group for verdict in outcome.verdicts) as previews:
            for judged in outcome.findings:
                finding, group = judged.finding, judged.group
                path, key = f"{group.root}/{finding.place.path}", told_key(finding)
                places = (finding.place, *(one.place for one in finding.evidence))
                touched = {f"{group.root}/{place.path}" for place in places}
                known = self._standing.told.get(path, {}).get(key)
                if path not in changed and not touched.isdisjoint(changed):
                    return None
                if known is None or path in changed:
                    if not self._can_be_told(finding, group):
                        return None
                    rule = self._of_texts().get(finding.rule)
                    known = reported(finding, group, self._cwd, rule, faults, previews)
                    self._told.setdefault(path, {})[key] = known
                told.append(known)
        return told if not faults else None

    def _can_be_told(self, finding: Finding, group: Group) -> bool:
        """Whether all is known that a finding is told with: of code that is to be mended, it is not."""
        linked = self._groups[group.root]
        if finding.place.path not in linked.prose:
            return False
        if finding.repair is None:
            return True
        for change in finding.repair.changes:
            if change.path in linked.members and change.path not in group.members:
                group.members[change.path] = self._member(linked, change.path)
        return finding.repair.is_of_words

    def _summary(self, groups: list[Linked], concerned: Collection[str], outcome: Outcome) -> Summary:
        """`concerned` are the roots of the groups that anything was asked of."""
        answered = [
            Answered(f"{linked.root}/{path}", one.surface, one.problems)
            for linked in groups
            for path, one in linked.members.items()
            if self._asks(linked, path) and (linked.root in concerned or path not in linked.granted)
        ]
        unknown: Counter[str] = Counter()
        for linked in groups:
            for path, counts in linked.unknown.items():
                if linked.root in concerned and self._asks(linked, path):
                    unknown.update(counts)
        in_view = sum(len(one.members) - (0 if one.root in concerned else len(one.granted)) for one in groups)
        skipped = (one for one in self._standing.left_out if self._asked.holds(one.path))
        return summary_of(outcome, answered, skipped, unknown, self._cwd, in_view=in_view)

    def _stands(self, groups: list[Linked], cards: dict[str, RuleCard], changed: Collection[str]) -> Standing:
        """What stands from now on."""
        before = self._standing
        self._looking.carry(before.looked, self._touched.union(changed))
        looked, entries, prefix = self._looking.looked(), before.entries, f"{self._view.root}/"
        statuses = {path: self._looking.statuses.get(prefix + path) for path in entries.paths}
        signs = [sign_of(status) if status is not None else b"" for status in statuses.values()]
        # What this run has looked into for the first time is not inert any more.
        flags = bytes(
            flag & ~INERT if prefix + path in looked.seen else flag
            for path, flag in zip(entries.paths, entries.flags, strict=True)
        )
        told = {path: known for path, known in before.told.items() if path not in changed}
        return replace(
            before,
            looked=Looked(looked.seen, looked.folders, {}, looked.fresh),
            entries=replace(entries, signs=signs, flags=flags),
            groups=tuple(groups),
            told={**told, **self._told},
            cards=cards,
        )


def _size(path: str) -> int:
    try:
        return Path(path).stat().st_size
    except OSError:
        return -1
