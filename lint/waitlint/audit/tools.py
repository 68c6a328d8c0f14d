"""A row per tool: its verdicts on the checklist, each with reason and place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress

import msgspec

from waitlint.audit.model import ITEMS, Answer, ToolRow, Verdict
from waitlint.audit.waiting import AT_THE_CAP, contract, in_words, longest, looks_of, waits_of
from waitlint.context import Settings
from waitlint.finding import Because, Confidence, Finding, Place, Quiet, Severity
from waitlint.linked import Bound, Ending, Reach, Read, Sleep, Tool, Wait
from waitlint.linter import LEVELS, TRUST, Policy
from waitlint.reporting import spot
from waitlint.scanning import Group, Scan
from waitlint.spelled import within

JOB = 300.0
NOT_IN_VIEW = "its code is not in view"
BY_A_CLOCK = (Bound.CLOCK, Bound.SCOPE, Bound.SIGNAL, Bound.OWN)


class Judging:
    """Places of one group as verdicts have them."""

    def __init__(self, group: Group, scan: Scan) -> None:
        self.group = group
        self.cwd = scan.request.cwd

    def verdict(self, answer: Answer, reason: str, place: Place | None = None) -> Verdict:
        if place is None:
            return Verdict(answer, reason)
        at = spot(place, self.group, self.cwd)
        return Verdict(answer, reason, at.path, at.line)

    def fault(self, findings: Sequence[Finding]) -> Verdict:
        """What findings say: no, or unknown where none of them is sure."""
        first = max(findings, key=lambda f: (LEVELS.index(f.severity), TRUST.index(f.confidence)))
        more = f" (and {len(findings) - 1} more)" if len(findings) > 1 else ""
        answer = Answer.UNKNOWN if first.confidence is Confidence.LOW else Answer.NO
        return self.verdict(answer, f"{first.message}{more} [{first.rule}]", first.place)


class ToolJudge(Judging):
    """Makes the rows of one group's tools."""

    def __init__(self, group: Group, scan: Scan, policy: Policy, findings: Iterable[Finding]) -> None:
        super().__init__(group, scan)
        self.policy = policy
        self.checklist = {rule.name: rule.checklist for rule in policy.rules}
        self.namesakes = Counter(tool.name for tool in group.project.tools)
        self.by_tool: dict[str, list[Finding]] = {}
        self.by_path: dict[str, list[Finding]] = {}
        for finding in findings:
            self.by_path.setdefault(finding.place.path, []).append(finding)
            for name in finding.tools:
                self.by_tool.setdefault(name, []).append(finding)

    def row(self, tool: Tool) -> ToolRow:
        at = spot(tool.place, self.group, self.cwd)
        naming = self._naming(tool)
        found = list(dict.fromkeys((*naming, *self._in_words_of(tool))))
        settings = self.policy.settings(tool)
        by_facts = {"C1": self.c1, "C2": self.c2, "C3": self.c3, "C4": self.c4, "C5": self.c5, "C6": self.c6}
        verdicts = {}
        for item in ITEMS:
            # Words that send the model to poll another tool say nothing of how often this one is called.
            concerned = naming if item == "C1" else found
            faults = [finding for finding in concerned if item in self.checklist.get(finding.rule, ())]
            verdicts[item] = self._by_findings(item, faults) or by_facts[item](tool, settings)
        return ToolRow(tool.name, at.path, at.line, tool.framework, tool.confidence, contract(tool), verdicts)

    def _naming(self, tool: Tool) -> list[Finding]:
        """The findings that name a tool; where several have its name, those that touch its own files."""
        found = self.by_tool.get(tool.name, [])
        if self.namesakes[tool.name] == 1:
            return found
        own = set(_paths(tool))
        return [
            finding
            for finding in found
            if own & {finding.place.path, *(evidence.place.path for evidence in finding.evidence)}
        ]

    def _in_words_of(self, tool: Tool) -> list[Finding]:
        """The findings in a tool's own words, whichever tool they speak of."""
        texts = (tool.description, *(parameter.description for parameter in tool.parameters), *tool.texts)
        said = [Place(text.path, text.text.span) for text in texts if text is not None]
        return [
            finding
            for place in dict.fromkeys(said)
            for finding in self.by_path.get(place.path, ())
            if within(finding.place.span, place.span)
        ]

    def _by_findings(self, item: str, faults: list[Finding]) -> Verdict | None:
        """No, where something is found; an idle timeout that may not hold here leaves it open."""
        if not faults:
            return None
        sure = [f for f in faults if item != "C2" or f.severity is not Severity.ADVICE]
        if sure:
            return self.fault(sure)
        return self.verdict(Answer.UNKNOWN, f"{faults[0].message} [{faults[0].rule}]", faults[0].place)

    def _by_rules(self, tool: Tool, item: str, place: Place) -> Verdict | None:
        """What the rules for tools that carry an item say of one for which no finding stands."""
        said: dict[Because, str] = {}
        silenced: list[Finding] = []
        for outcome in self._outcomes(tool, item):
            if isinstance(outcome, Finding):
                silenced.append(outcome)
            else:
                said.setdefault(outcome.because, outcome.reason)
        if silenced:
            verdict = self.fault(silenced)
            return msgspec.structs.replace(verdict, reason=f"{verdict.reason}, which is silenced")
        for because, answer in ((Because.UNKNOWN, Answer.UNKNOWN), (Because.MET, Answer.YES)):
            if because in said:
                return self.verdict(answer, said[because], place)
        return None

    def _outcomes(self, tool: Tool, item: str) -> Iterator[Finding | Quiet]:
        for rule in self.policy.rules:
            if rule.subject == "Tool" and item in rule.checklist:
                # A rule that fails has been told of when it was run for its findings.
                with suppress(Exception):
                    yield from self.policy.check(rule, tool, self.group.project)

    # ------------------------------------------------------------ one item each

    def c1(self, tool: Tool, settings: Settings) -> Verdict:
        waits = waits_of(tool)
        return self._by_rules(tool, "C1", waits[0].place if waits else tool.place) or self.verdict(
            Answer.NOT_APPLICABLE, "it is not known to be asked for the state of work", tool.place
        )

    def c2(self, tool: Tool, settings: Settings) -> Verdict:
        waits = waits_of(tool)
        if not waits:
            return self._no_wait(tool)
        wait = longest(waits)
        if wait.cap.absent:
            return self.verdict(Answer.NO, f"it has no cap: {wait.cap.how}", wait.place)
        if not wait.cap.known:
            return self.verdict(Answer.UNKNOWN, f"its cap is not known: {wait.cap.how}", wait.place)
        known = f"it waits up to {in_words(wait.cap.value)} ({wait.cap.how})"
        limits = (settings.idle_limit, settings.client_limit)
        over = [limit for limit in limits if wait.cap.value >= limit.seconds]
        if not over:
            shortest = min(limits, key=lambda limit: limit.seconds)
            return self.verdict(Answer.YES, f"{known}, below {in_words(shortest.seconds)}: {shortest.hop}", wait.place)
        shortest = min(over, key=lambda limit: (not limit.stated, limit.seconds))
        answer = Answer.NO if shortest.stated or settings.idle_limit in over else Answer.UNKNOWN
        return self.verdict(answer, f"{known}, not below {in_words(shortest.seconds)}: {shortest.hop}", wait.place)

    def c3(self, tool: Tool, settings: Settings) -> Verdict:
        if not waits_of(tool):
            return self._no_wait(tool)
        waits = looks_of(tool)
        if not waits:
            return self.verdict(Answer.NOT_APPLICABLE, "it only pauses, and looks at no state meanwhile", tool.place)
        for wait in waits:
            place = wait.ending_place.place if wait.ending_place else wait.place
            if wait.ending in AT_THE_CAP and wait.ending is not Ending.LAST_STATE:
                return self._by_rules(tool, "C3", place) or self._lost(tool, wait, place)
        for wait in waits:
            if wait.ending is Ending.UNKNOWN:
                return self.verdict(Answer.UNKNOWN, "what comes back at the cap is not known", wait.place)
        lasting = [wait for wait in waits if wait.ending is Ending.LAST_STATE]
        if not lasting:
            return self.verdict(Answer.NOT_APPLICABLE, "there is no cap that it could reach", waits[0].place)
        wait = lasting[0]
        place = wait.ending_place.place if wait.ending_place else wait.place
        return self.verdict(Answer.YES, "at the cap the last state comes back", place)

    def _lost(self, tool: Tool, wait: Wait, place: Place) -> Verdict:
        """An end that loses the last state, and in which no rule sees a fault: as a rule says why, if there is one."""
        how = f"it {AT_THE_CAP[wait.ending]}"
        for outcome in self._outcomes(tool, "C3"):
            if isinstance(outcome, Quiet):
                return self.verdict(Answer.NOT_APPLICABLE, f"{how}; {outcome.reason}", place)
        return self.verdict(Answer.UNKNOWN, f"{how}; whether the last state is lost is not known", place)

    def c4(self, tool: Tool, settings: Settings) -> Verdict:
        waits = waits_of(tool)
        if not waits:
            return self._no_wait(tool)
        doubts: list[tuple[Answer, str, Place]] = []
        for wait in waits:
            doubts += _stop_doubts(wait)
            doubts += _deadline_doubts(wait)
        for wanted in (Answer.NO, Answer.UNKNOWN):
            for answer, reason, place in doubts:
                if answer is wanted:
                    return self.verdict(answer, reason, place)
        acts = [act for wait in waits for act in _acts(wait)]
        offered = any(act.stop is Reach.ARRIVES for act in acts)
        if not acts and (tool.offers_stop or tool.unknown):
            return self.verdict(Answer.UNKNOWN, "what it reads while it waits is not in view", waits[0].place)
        stop = "the stop signal reaches every read and pause" if offered else "its framework offers no stop signal"
        return self.verdict(Answer.YES, f"{stop}, and {_held_in_time(waits)}", waits[0].place)

    def c5(self, tool: Tool, settings: Settings) -> Verdict:
        if not tool.body or not tool.understood:
            return self.verdict(Answer.UNKNOWN, f"{NOT_IN_VIEW}, so whether it waits is not known", tool.place)
        text = tool.description
        verdict = self._by_rules(tool, "C5", Place(text.path, text.text.span) if text else tool.place)
        if verdict is not None:
            return verdict
        if not waits_of(tool):
            return self._no_wait(tool, also=", and nothing says to keep calling it")
        wait = longest(waits_of(tool))
        if not wait.cap.known:
            reason = "how long it waits inside a call is not known, and its words do not say that it may"
            return self.verdict(Answer.UNKNOWN, reason, wait.place)
        reason = "its wait is short, for a person, or in what it is told to run: its words need not say so"
        return self.verdict(Answer.NOT_APPLICABLE, reason, wait.place)

    def c6(self, tool: Tool, settings: Settings) -> Verdict:
        said = {intent.kind: intent for intent in tool.description.text.intents} if tool.description else {}
        if tool.description and "notified" in said and (tool.gives or "hands-job-id" in said):
            place = tool.description.place(said["notified"].span.start, said["notified"].span.end)
            return self.verdict(Answer.YES, f"an ID comes back, and its description {said['notified'].reason}", place)
        usual = settings.typical_duration.get(tool.name)
        waits = waits_of(tool)
        if not waits:
            return self._no_wait(tool, also="; the configuration says minutes" if (usual or 0) >= JOB else "")
        wait = longest(waits)
        if wait.cap.absent:
            return self.verdict(Answer.UNKNOWN, "it has no cap, and how long its work takes is not known", wait.place)
        if not wait.cap.known:
            return self.verdict(Answer.UNKNOWN, f"its cap is not known: {wait.cap.how}", wait.place)
        if wait.cap.value >= JOB:
            reason = f"it may block for {in_words(wait.cap.value)}; how long its work takes is not known"
            return self.verdict(Answer.UNKNOWN, reason, wait.place)
        reason = f"it blocks for {in_words(wait.cap.value)} at the most, and nothing says that its work takes minutes"
        return self.verdict(Answer.NOT_APPLICABLE, reason, wait.place)

    def _no_wait(self, tool: Tool, also: str = "") -> Verdict:
        if not tool.body or not tool.understood:
            return self.verdict(Answer.UNKNOWN, NOT_IN_VIEW, tool.place)
        if tool.unknown:
            called = ", ".join(dict.fromkeys(tool.unknown[:3]))
            return self.verdict(Answer.UNKNOWN, f"it calls code that is not in view and may wait: {called}", tool.place)
        return self.verdict(Answer.NOT_APPLICABLE, f"it does not wait{also}", tool.handler or tool.place)


def _paths(tool: Tool) -> Iterator[str]:
    yield tool.place.path
    for place in (tool.handler, tool.definition):
        if place is not None:
            yield place.path
    if tool.description is not None:
        yield tool.description.path
    yield from (wait.place.path for wait in tool.waits)
    yield from (read.place.path for read in tool.reads)


def _acts(wait: Wait) -> tuple[Read | Sleep, ...]:
    return (*wait.reads, *wait.sleeps)


def _stop_doubts(wait: Wait) -> Iterator[tuple[Answer, str, Place]]:
    for act in _acts(wait):
        what = f"{'the read' if isinstance(act, Read) else 'the pause'} `{' '.join(act.excerpt.split())[:60]}`"
        if act.stop is Reach.MISSES:
            yield Answer.NO, f"the stop signal does not reach {what}", act.missed_at or act.place
        elif act.stop is Reach.UNKNOWN:
            yield Answer.UNKNOWN, f"whether the stop signal reaches {what} is not known", act.place


def _deadline_doubts(wait: Wait) -> Iterator[tuple[Answer, str, Place]]:
    """Reads that may outlive the wait: the deadline does not reach them, and they have no end of their own."""
    if wait.bound is Bound.NONE:
        yield Answer.NO, "it has no deadline that could reach anything", wait.place
    for read in wait.reads:
        if read.deadline is Reach.ARRIVES or read.timeout.known:
            continue
        what = f"the read `{' '.join(read.excerpt.split())[:60]}`"
        if read.deadline is Reach.UNKNOWN or not read.timeout.absent:
            yield Answer.UNKNOWN, f"whether anything ends {what} in time is not known", read.place
        else:
            yield Answer.NO, f"{what} has no timeout, and the deadline does not reach it", read.place


def _held_in_time(waits: Sequence[Wait]) -> str:
    reads = [read for wait in waits for read in wait.reads]
    late = [read.timeout.value for read in reads if read.deadline is not Reach.ARRIVES]
    if late:
        return f"each read ends by its own timeout of {in_words(max(late))} at the most"
    if reads:
        return "the deadline reaches every read"
    return "the call ends by itself" if all(wait.bound in BY_A_CLOCK for wait in waits) else "it reads nothing"
