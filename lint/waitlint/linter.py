"""The pipeline's second half: linked facts to findings, with what configuration and comments say about them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path

import msgspec
from msgspec import Struct

from waitlint import suppression
from waitlint.baseline import Baseline, compare
from waitlint.catalog.surfaces import row_of
from waitlint.config import OWN_RULES, Config, Configs, Selection, selects
from waitlint.context import Context, Project, Settings
from waitlint.facts import FileFacts
from waitlint.finding import Confidence, Finding, Place, Quiet, Severity
from waitlint.linked import AgentLoop, AgentStart, Mentioned, Retry, Tool, ToolText
from waitlint.rule import Rule, load_rules
from waitlint.scanning import Group, Scan
from waitlint.suppression import Marked
from waitlint.withholding import Withholding

Subject = Tool | Mentioned | ToolText | AgentLoop | Retry | AgentStart
LEVELS = (Severity.ADVICE, Severity.WARNING, Severity.ERROR)
TRUST = (Confidence.LOW, Confidence.MEDIUM, Confidence.HIGH)

OF_AGENTS = frozenset({"AgentLoop", "Retry", "AgentStart"})

# How a number is known, in brackets that may hold further ones.
HOW_KNOWN = re.compile(r" \((?:[^()]|\([^()]*\))*\)")


class Demand(Struct, frozen=True):
    """What the command line asks of a run; it goes over every configuration. None leaves it to them."""

    selection: Selection = Selection()
    pedantic: bool | None = None
    min_confidence: Confidence | None = None
    fail_on: Severity | None = None


class Judged(Struct, frozen=True):
    """A finding, and the group of files that it was found in."""

    finding: Finding
    group: Group


class Outcome(Struct, frozen=True, kw_only=True):
    """What the rules say of a scan, within what was asked for.

    `failing` counts the findings that are severe enough to fail a run, `known` and `gone` are those of the baseline;
    `faults` is what failed of waitlint itself, in words.
    """

    findings: tuple[Judged, ...]
    failing: int
    hidden: int
    suppressed: int
    faults: tuple[str, ...]
    known: int = 0
    gone: int = 0
    verdicts: tuple[Verdict, ...] = ()


class Raised(Struct, frozen=True, array_like=True):
    """What a rule said of one subject, with its severity. `origin` is the file of a text, "" for what is no text."""

    origin: str
    finding: Finding


class Verdict(Struct, frozen=True):
    """All that the rules say of one group: the findings that no comment silences, loud or not, asked for or not.

    `raised` is what they are made of.
    """

    policy: Policy
    findings: tuple[Finding, ...]
    suppressed: int
    faults: tuple[str, ...]
    raised: tuple[Raised, ...] = ()

    def shown(self) -> list[Finding]:
        """The findings within what was asked for that are loud and sure enough."""
        return [f for f in self.findings if self.policy.group.is_asked(f) and self.policy.shows(f)]


def judge(group: Group, configs: Configs, demand: Demand) -> Verdict:
    """Run the rules over one group of linked files."""
    faults: list[str] = []
    policy = Policy(group, configs, demand)
    group.asks_for_agents = policy.asks_for_agents()
    raised = policy.judge(group.project, faults)
    group.keep_answers()
    verdict = weigh(policy, raised, group.facts, group.project.tools, policy.origins())
    return msgspec.structs.replace(verdict, faults=(*group.faults, *faults))


def weigh(
    policy: Policy,
    raised: Sequence[Raised],
    files: Mapping[str, FileFacts],
    tools: Sequence[Marked],
    origins: Iterable[Config],
) -> Verdict:
    """What is left of all that was said when comments and configurations have silenced their part.

    `files` are those with comments, `tools` those that a comment may stand at.
    """
    group = policy.group
    raw = _merged(one.finding for one in raised)
    silenced = suppression.apply(raw, files, tools, group.read_source, policy.is_on)
    accepted = suppression.apply_accepted(silenced.findings, origins, policy.config, group.root, policy.is_on)
    standing = [*accepted.findings, *silenced.unused, *accepted.unused]
    silent = silenced.silenced + accepted.silenced
    return Verdict(policy, tuple(policy.placed(f) for f in standing), silent, (), tuple(raised))


def lint(scan: Scan, demand: Demand, *, before: Scan | None = None, baseline: Baseline | None = None) -> Outcome:
    """Run the rules over every group.

    Only findings whose place or evidence lies in what was asked for come back; and those that `before`, the same files
    with what has been deleted, does not have.
    """
    groups = [group for group in scan.groups if before is not None or group.is_concerned]
    verdicts = [judge(group, scan.configs, demand) for group in groups]
    brought = _brought(verdicts, before, demand)
    asked = [
        (Judged(finding, verdict.policy.group), verdict.policy.shows(finding), verdict.policy.fails(finding))
        for verdict in verdicts
        for index, finding in enumerate(verdict.findings)
        if verdict.policy.group.is_asked(finding) or (verdict.policy.group.root, index) in brought
    ]
    outcome = conclude(asked, verdicts, baseline, is_whole=scan.is_whole)
    return msgspec.structs.replace(outcome, findings=tuple(_with_repairs(outcome.findings)))


def conclude(
    asked: Sequence[tuple[Judged, bool, bool]],
    verdicts: Sequence[Verdict],
    baseline: Baseline | None,
    *,
    is_whole: bool,
) -> Outcome:
    """What comes of the findings that were asked for, each with whether it shows and whether it fails a run."""
    shown = [(judged, fails) for judged, shows, fails in asked if shows]
    compared = compare(baseline or Baseline({}), [judged.finding for judged, _ in shown])
    new = [shown[index] for index in sorted(compared.new)]
    return Outcome(
        findings=tuple(judged for judged, _ in new),
        failing=sum(fails for _, fails in new),
        hidden=len(asked) - len(shown),
        suppressed=sum(verdict.suppressed for verdict in verdicts),
        faults=tuple(fault for verdict in verdicts for fault in verdict.faults),
        known=compared.known,
        gone=compared.gone if is_whole else 0,
        verdicts=tuple(verdicts),
    )


def _with_repairs(found: Iterable[Judged]) -> Iterator[Judged]:
    """What is shown, without the repairs that others would have to pay for: tests are read for nothing else."""
    by_group: dict[Path, Withholding] = {}
    for judged in found:
        group = judged.group
        if group.root not in by_group:
            by_group[group.root] = Withholding(group)
        yield Judged(by_group[group.root].judged(judged.finding), group)


def _brought(verdicts: Sequence[Verdict], before: Scan | None, demand: Demand) -> set[tuple[Path, int]]:
    """The findings, by root and index, that were not there before something was deleted."""
    if before is None:
        return set()
    there = Counter(
        (group.root, *_lasting(finding))
        for group in before.groups
        for finding in judge(group, before.configs, demand).findings
    )
    brought = set()
    for verdict in verdicts:
        root = verdict.policy.group.root
        for index, finding in enumerate(verdict.findings):
            key = (root, *_lasting(finding))
            if there[key]:
                there[key] -= 1
            else:
                brought.add((root, index))
    return brought


def _lasting(finding: Finding) -> tuple[str, str, str]:
    return finding.rule, finding.place.path, finding.fingerprint


class Policy:
    """What holds for each file of a group: which rules are on, how severe they are, which settings they get."""

    def __init__(self, group: Group, configs: Configs, demand: Demand, names: Sequence[str] = ()) -> None:
        """`names` are those of all rules, where they are known without loading any."""
        self.group = group
        self.configs = configs
        self.demand = demand
        self.names = tuple(names) or (*(rule.name for rule in self.rules), *OWN_RULES)
        self._on: dict[Path, frozenset[str]] = {}
        self._settings: dict[str, Settings] = {}

    @property
    def rules(self) -> tuple[Rule, ...]:
        return load_rules()

    def config(self, path: str) -> Config:
        return self.configs.for_file(self.group.absolute(path))

    def origins(self) -> Collection[Config]:
        """The configurations that hold in the group."""
        return {config.origin: config for config in map(self.configs.for_folder, self.group.folders())}.values()

    def is_on(self, rule: str, path: str) -> bool:
        """Whether a rule is on for a file."""
        config = self.config(path)
        key = config.origin or Path()
        if key not in self._on:
            self._on[key] = self.demand.selection.rules(config, self.names)
        return rule in self._on[key] and not selects(config.ignored_in(self.group.absolute(path)), rule)

    @cached_property
    def _wanted(self) -> list[Rule]:
        """The rules that are on for some file."""
        wanted = {name for config in self.origins() for name in self.demand.selection.rules(config, self.names)}
        return [rule for rule in self.rules if rule.name in wanted]

    def asks_for_agents(self) -> bool:
        """Whether a rule that is on is called with what is found of agents."""
        return any(not OF_AGENTS.isdisjoint(rule.subject.split(" | ")) for rule in self._wanted)

    def judge(self, project: Project, faults: list[str]) -> list[Raised]:
        """The findings of all rules that are on, with their severity; a rule that fails is named in `faults`."""
        found: list[Raised] = []
        for rule in self._wanted:
            for subject in subjects(project, rule):
                project.asked_for = origin = origin_of(subject)
                try:
                    said = self.check(rule, subject, project)
                    found.extend(Raised(origin, one) for one in said if isinstance(one, Finding))
                except Exception as error:
                    faults.append(rule_fault(rule, subject, error))
        project.asked_for = ""
        return list(self.graded(found))

    def graded(self, raised: Iterable[Raised]) -> Iterator[Raised]:
        """What was said by rules that are on, as surface and configuration of its file let it stand."""
        for one in raised:
            if self.is_on(one.finding.rule, one.finding.place.path):
                finding = self._by_surface(one.finding)
                if finding is not None:
                    yield Raised(one.origin, self._graded(finding))

    def check(self, rule: Rule, subject: Subject, project: Project) -> list[Finding | Quiet]:
        """What one rule says of one subject."""
        return list(rule.check(subject, Context(rule, project, self.settings(subject))))

    def settings(self, subject: Subject) -> Settings:
        """What rules are told about a subject: by configuration, and of a tool that waits by the whole repository."""
        path = path_of(subject)
        settings = self._settings.get(path)
        if settings is None:
            settings = self._settings[path] = self.config(path).settings_for(self.group.absolute(path))
        if isinstance(subject, Tool) and subject.waits:
            return self.group.limits.applied(settings, subject)
        return settings

    def _by_surface(self, finding: Finding) -> Finding | None:
        """The finding as the surface of its file lets it stand: a loop that is meant to be one is none."""
        facts = self.group.facts.get(finding.place.path)
        if facts is None:
            return finding
        row = row_of(facts.surface)
        if row.deliberate and finding.rule.startswith("loop/"):
            return None
        if TRUST.index(Confidence(row.confidence)) < TRUST.index(finding.confidence):
            return msgspec.structs.replace(finding, confidence=Confidence(row.confidence))
        return finding

    def _graded(self, finding: Finding) -> Finding:
        """The finding with the severity that its file's configuration gives its rule, the most exact name first."""
        grades = self.config(finding.place.path).severity
        for name in (finding.rule, finding.rule.split("/")[0], "all"):
            if name in grades:
                return msgspec.structs.replace(finding, severity=grades[name])
        return finding

    def placed(self, finding: Finding) -> Finding:
        """The finding, as advice where its file came from elsewhere."""
        member = self.group.members.get(finding.place.path)
        if member is None or not member.vendored:
            return finding
        return msgspec.structs.replace(finding, severity=Severity.ADVICE)

    def fails(self, finding: Finding) -> bool:
        """Whether a finding is severe enough to fail a run."""
        least = self.demand.fail_on or self.config(finding.place.path).fail_on
        return LEVELS.index(finding.severity) >= LEVELS.index(least)

    def shows(self, finding: Finding) -> bool:
        """Whether a finding is loud and sure enough to be shown."""
        config = self.config(finding.place.path)
        pedantic = config.pedantic if self.demand.pedantic is None else self.demand.pedantic
        usual = Confidence.LOW if pedantic else Confidence.MEDIUM
        least = self.demand.min_confidence or config.min_confidence or usual
        is_sure = TRUST.index(finding.confidence) >= TRUST.index(least)
        return is_sure and (pedantic or finding.severity is not Severity.ADVICE)


def subjects(project: Project, rule: Rule) -> Sequence[Subject]:
    """The linked facts that a rule is called with, of each of its kinds."""
    kinds = rule.subject.split(" | ")
    if len(kinds) == 1:
        return _of_kind(project, rule, kinds[0])
    return [subject for kind in kinds for subject in _of_kind(project, rule, kind)]


def _of_kind(project: Project, rule: Rule, kind: str) -> Sequence[Subject]:
    match kind:
        case "Tool":
            return project.tools
        case "Mentioned":
            return project.mentions
        case "ToolText":
            return project.texts
        case "AgentLoop":
            return project.loops
        case "Retry":
            return project.retries
        case "AgentStart":
            return project.starts
        case other:
            raise ValueError(f"{rule.name} asks for {other!r}, which is no linked fact")


def origin_of(subject: Subject) -> str:
    """The file of a text, or of a sentence in one; "" for what is neither."""
    if isinstance(subject, Mentioned):
        return subject.text.path
    return subject.path if isinstance(subject, ToolText) else ""


def path_of(subject: Subject) -> str:
    return subject.path if isinstance(subject, ToolText) else subject.place.path


def describe(subject: Subject) -> str:
    """A subject in words, for messages about waitlint itself."""
    match subject:
        case Tool(name=name):
            return f"tool {name} of {subject.place.path}"
        case Mentioned():
            return f"sentence at {subject.place.span.start} of {subject.place.path}"
        case AgentLoop() | Retry() | AgentStart():
            return f"{subject.excerpt} of {subject.place.path}"
        case _:
            return f"text at {subject.text.span.start} of {subject.path}"


def rule_fault(rule: Rule, subject: Subject, error: Exception) -> str:
    """A failed rule in words: which rule, on what, why, and where in it."""
    import traceback

    frames = traceback.extract_tb(error.__traceback__)
    where = f" ({Path(frames[-1].filename).name}:{frames[-1].lineno})" if frames else ""
    return f"{rule.name} failed on {describe(subject)}: {type(error).__name__}: {error}{where}"


def _merged(findings: Iterable[Finding]) -> list[Finding]:
    """One finding for each fault: the same words at the same place, said for several tools, are said once.

    How a number is known may differ between tools: what stands in brackets is left out when words are compared.
    """
    merged: dict[tuple[str, Place, str], Finding] = {}
    for finding in findings:
        key = (finding.rule, finding.place, HOW_KNOWN.sub("", finding.message))
        first = merged.get(key)
        if first is not None:
            finding = msgspec.structs.replace(
                first,
                tools=tuple(sorted({*first.tools, *finding.tools})),
                evidence=tuple(dict.fromkeys((*first.evidence, *finding.evidence))),
            )
        merged[key] = finding
    return sorted(merged.values(), key=lambda f: (f.place.path, f.place.span.start, f.place.span.end, f.rule))
