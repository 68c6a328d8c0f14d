"""The fix loop: repairs become edits, edits new texts, and every new text is read and judged before it is believed.

In each pass, the fixes whose edits neither overlap nor meet are applied together; the others wait for the next pass,
and what changes words waits until the code is as it will be. A pass is kept if all changed files still parse, each
fixed finding is gone, no finding is new, and the tools keep their names and arguments and are as well understood as
before. Otherwise its fixes are tried one by one, and those that fail are refused, alone. A group of files that does
not settle is left as it was. Nothing is written here.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

import msgspec
from msgspec import Struct

from waitlint.config import Configs
from waitlint.finding import Finding
from waitlint.fix import Applicability, Edit
from waitlint.linked import Tool
from waitlint.linter import Demand, Verdict, judge
from waitlint.reading import facts_of
from waitlint.reporting import edits_of
from waitlint.scanning import Group, Scan
from waitlint.source import Source
from waitlint.withholding import Withholding

MOST_PASSES = 10
MOST_FOLLOWING = 3


class Refused(Struct, frozen=True):
    """A fix that was not kept, and why not."""

    finding: Finding
    group: Group
    reason: str


class Kept(Struct, frozen=True):
    """A fix that was kept, and the group in which its finding stood."""

    finding: Finding
    group: Group


class Fixed(Struct, frozen=True, kw_only=True):
    """What came of it: the scan as it is now, which fixes were kept, which were refused, what did not settle."""

    scan: Scan
    kept: tuple[Kept, ...]
    refused: tuple[Refused, ...]
    unsettled: tuple[Group, ...]

    @property
    def applied(self) -> int:
        """How many findings were fixed."""
        return len(self.kept)


class _Candidate(Struct, frozen=True):
    finding: Finding
    edits: tuple[Edit, ...]


class _State(Struct, frozen=True):
    """A group of files as it is in memory, and what the rules say of it."""

    group: Group
    verdict: Verdict
    withholding: Withholding


def run_fixes(scan: Scan, demand: Demand, *, unsafe: bool) -> Fixed:
    """Carry out every repair that holds, in memory."""
    loops = [_Loop(group, scan.configs, demand, unsafe=unsafe) for group in scan.groups]
    groups = tuple(loop.run() for loop in loops)
    return Fixed(
        scan=msgspec.structs.replace(
            scan, groups=groups, faults=(*scan.faults, *dict.fromkeys(fault for loop in loops for fault in loop.faults))
        ),
        kept=tuple(kept for loop in loops for kept in loop.kept),
        refused=tuple(refused for loop in loops for refused in loop.refused.values()),
        unsettled=tuple(loop.first for loop in loops if not loop.settled),
    )


class _Loop:
    """Fixing one group of files."""

    def __init__(self, group: Group, configs: Configs, demand: Demand, *, unsafe: bool) -> None:
        self.first = group
        self.configs = configs
        self.demand = demand
        self.wanted = {Applicability.SAFE, Applicability.UNSAFE} if unsafe else {Applicability.SAFE}
        self.refused: dict[tuple[str, str, str], Refused] = {}
        self.kept: list[Kept] = []
        self.settled = True
        self.faults: list[str] = []

    def run(self) -> Group:
        """The group with all fixes that hold, or as it was where fixing does not settle."""
        state = self.judged(self.first)
        seen = [self.texts(state.group)]
        for _ in range(MOST_PASSES):
            chosen = _apart(_code_first(self.candidates(state)))
            if not chosen:
                return state.group
            after = self.tried(state, chosen)
            if after is not state:
                if self.texts(after.group) in seen:
                    break
                seen.append(self.texts(after.group))
            state = after
        if not self.candidates(state):
            return state.group
        self.settled = False
        self.kept.clear()
        return self.first

    def judged(self, group: Group) -> _State:
        return _State(group, judge(group, self.configs, self.demand), Withholding(group))

    def texts(self, group: Group) -> Mapping[str, bytes]:
        """What tells two states apart: the content of the files that are changed in memory."""
        return dict(group.overlay)

    def candidates(self, state: _State, *, quietly: bool = False) -> list[_Candidate]:
        """The fixes that may be tried, in the order of their places; `quietly` those of findings not shown, too."""
        found = []
        for judged in state.verdict.findings if quietly else state.verdict.shown():
            if judged.repair is None or judged.repair.applicability not in self.wanted:
                continue
            finding = state.withholding.judged(judged)
            repair = finding.repair
            if repair is None or repair.applicability not in self.wanted or _name(finding) in self.refused:
                continue
            edits = edits_of(repair, state.group, self.faults)
            if not edits or not all(self.may_change(edit.path) for edit in edits):
                continue
            if _clash_inside(edits):
                self.refuse(finding, "its own edits overlap")
                continue
            found.append(_Candidate(finding, edits))
        return sorted(found, key=lambda candidate: candidate.edits)

    def may_change(self, path: str) -> bool:
        """Only what was asked for is changed, and only what could be read without a problem."""
        member, facts = self.first.members.get(path), self.first.facts.get(path)
        return member is not None and member.asked and facts is not None and not facts.problems

    def refuse(self, finding: Finding, reason: str) -> None:
        self.refused[_name(finding)] = Refused(finding, self.first, reason)

    def tried(self, state: _State, chosen: Sequence[_Candidate]) -> _State:
        """The state with the chosen fixes, or, where they don't hold together, with those that hold alone."""
        after, reason = self.attempt(state, chosen)
        if not reason:
            self.kept.extend(Kept(candidate.finding, state.group) for candidate in chosen)
            return after
        if len(chosen) == 1:
            self.refuse(chosen[0].finding, reason)
            return state
        for candidate in chosen:
            again = next((c for c in self.candidates(state) if _name(c.finding) == _name(candidate.finding)), None)
            if again is None:
                continue
            after, reason = self.attempt(state, [again])
            if reason:
                self.refuse(candidate.finding, reason)
            else:
                self.kept.append(Kept(candidate.finding, state.group))
                state = after
        return state

    def attempt(self, before: _State, chosen: Sequence[_Candidate]) -> tuple[_State, str]:
        """The state after some fixes, and why it can't be kept ("" if it can).

        What a fix brings may be mended with it: a lower cap makes the words that name the old one wrong, and those
        have a fix of their own. The finding that is fixed counts as gone only if all of that is.
        """
        fixed = [candidate.finding for candidate in chosen]
        after, reason = self.applied_to(before, chosen)
        reason = reason or _objection(before, after, fixed)
        first = reason
        for _ in range(MOST_FOLLOWING):
            if not reason or after is before:
                break
            following = _apart(self.brought(before, after, fixed))
            if not following:
                break
            further, failed = self.applied_to(after, following)
            if failed:
                break
            after, reason = further, _objection(before, further, fixed)
        return (after, "") if not reason else (before, first)

    def brought(self, before: _State, after: _State, fixed: Sequence[Finding]) -> list[_Candidate]:
        """The fixes of findings that a state has and the one before, without what was fixed in it, had not."""
        known = Counter(map(_home, before.verdict.findings)) - Counter(map(_home, fixed))
        found = []
        for candidate in self.candidates(after, quietly=True):
            home = _home(candidate.finding)
            if known[home]:
                known[home] -= 1
            else:
                found.append(candidate)
        return found

    def applied_to(self, before: _State, chosen: Sequence[_Candidate]) -> tuple[_State, str]:
        """The state after some fixes, and why they can't be made ("" if they can)."""
        edits: dict[str, set[Edit]] = {}
        for candidate in chosen:
            for edit in candidate.edits:
                edits.setdefault(edit.path, set()).add(edit)
        changed = {}
        for path, found in edits.items():
            source, member = before.group.read_source(path), before.group.members[path]
            text = applied(source.text, found)
            if text == source.text:
                return before, "it changes nothing"
            if member.language == "json" and _is_json(source.text) and not _is_json(text):
                return before, f"{path} would no longer be valid JSON"
            new = Source(path, text, bom=source.bom)
            facts = facts_of(new, member.language, member.surface)
            if facts.problems:
                return before, f"{path} would no longer parse: {facts.problems[0]}"
            changed[path] = (new.to_bytes(), facts)
        return self.judged(before.group.changed(changed)), ""


def _objection(before: _State, after: _State, fixed: Iterable[Finding]) -> str:
    """What speaks against a changed state; "" if nothing does."""
    if after.verdict.faults:
        return after.verdict.faults[0]
    if _interfaces(after.group) != _interfaces(before.group):
        return "it would change the name or the arguments of a tool"
    if lost := _lost(before.group, after.group):
        return f"it would hide what {lost} does"
    counted, expected = Counter(map(_home, after.verdict.findings)), Counter(map(_home, before.verdict.findings))
    gone = Counter(map(_home, fixed))
    for home, number in counted.items():
        if number > expected[home]:
            return f"it would bring {home[0]} in {home[1]}"
        if number > expected[home] - gone[home]:
            return f"{home[0]} would still be there"
    return ""


def _interfaces(group: Group) -> Counter[tuple[object, ...]]:
    """What others match tools on."""
    return Counter(
        (tool.name, tool.framework, *((parameter.name, parameter.required) for parameter in tool.parameters))
        for tool in group.project.tools
    )


def _lost(before: Group, after: Group) -> str:
    """A tool of which less is understood than before: a finding that is gone because nobody sees it is not fixed."""
    known: dict[tuple[str, str], list[Tool]] = {}
    for tool in sorted(before.project.tools, key=_where):
        known.setdefault((tool.name, tool.place.path), []).append(tool)
    for tool in sorted(after.project.tools, key=_where):
        same = known.get((tool.name, tool.place.path))
        if not same:
            continue
        old = same.pop(0)
        blurred = (old.understood and not tool.understood) or (tool.description_unknown and not old.description_unknown)
        said = {one.name for one in old.parameters if one.description is not None}
        blurred = blurred or not said <= {one.name for one in tool.parameters if one.description is not None}
        unseen = len(tool.unknown) > len(old.unknown) or len(tool.waits) < len(old.waits)
        if blurred or unseen or len(tool.reads) < len(old.reads):
            return tool.name
    return ""


def _where(tool: Tool) -> tuple[str, int]:
    return tool.place.path, tool.place.span.start


def _home(finding: Finding) -> tuple[str, str, str]:
    """What stays the same of a finding when words around it change."""
    return finding.rule, finding.place.path, finding.scope


def _name(finding: Finding) -> tuple[str, str, str]:
    """What tells one fix from another, over passes."""
    return finding.rule, finding.place.path, finding.fingerprint


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def applied(text: str, edits: Iterable[Edit]) -> str:
    """A text with edits that neither overlap nor meet."""
    for edit in sorted(edits, key=lambda edit: edit.start, reverse=True):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text


def _clash_inside(edits: Sequence[Edit]) -> bool:
    """Whether edits of one fix overlap; they may meet. Two insertions at one place have no order, and overlap."""
    ordered = sorted(edits)
    return any(
        first.path == second.path and (second.start < first.end or second.start == first.start)
        for first, second in pairwise(ordered)
    )


def _apart(candidates: Sequence[_Candidate]) -> list[_Candidate]:
    """The first fixes whose edits neither overlap nor meet; the same edit asked for twice is one."""
    chosen: list[_Candidate] = []
    taken: dict[str, set[Edit]] = {}
    for candidate in candidates:
        if all(
            edit == other or not _meets(edit, other) for edit in candidate.edits for other in taken.get(edit.path, ())
        ):
            chosen.append(candidate)
            for edit in candidate.edits:
                taken.setdefault(edit.path, set()).add(edit)
    return chosen


def _code_first(candidates: Sequence[_Candidate]) -> Sequence[_Candidate]:
    """What changes code, if anything does: words are made to fit it in the next pass."""
    code = [one for one in candidates if one.finding.repair and not one.finding.repair.is_of_words]
    return code or candidates


def _meets(one: Edit, other: Edit) -> bool:
    return one.start <= other.end and other.start <= one.end
