"""A row per agent loop: its budgets and its stop rule, each with reason and place."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from contextlib import suppress

import msgspec

from waitlint.audit.model import BUDGETS, LoopRow, Verdict
from waitlint.audit.model import Answer as Told
from waitlint.audit.tools import Judging
from waitlint.audit.waiting import in_words
from waitlint.finding import Finding, Place
from waitlint.linked import AgentLoop, Answer, Asking, Known, Limit, Retry, Seconds
from waitlint.linter import Policy
from waitlint.reporting import spot
from waitlint.scanning import Group, Scan

# Which column a rule speaks of.
COLUMNS = {
    "budget/uncapped-loop": "steps",
    "budget/cap-disabled": "steps",
    "budget/silent-exhaustion": "steps",
    "budget/soft-ban-only": "steps",
    "budget/no-wall-clock": "time",
    "budget/request-without-timeout": "requests",
    "budget/unbounded-retry": "retries",
    "budget/unbounded-output": "output",
    "budget/unknown-tool": "unknown tools",
    "budget/not-read-only": "read-only",
    "budget/untraced-loop": "trace",
    "budget/unredacted-trace": "trace",
    "stop/model-decides": "floor",
    "stop/forced-steps": "signal",
    "stop/flat-floor": "floor",
    "stop/unenforced-floor": "floor",
    "stop/floor-without-signal": "signal",
    "stop/unread-signal": "signal",
    "stop/other-exit": "signal",
}
STOP_RULE = ("floor", "signal")
# In these columns what the code does is the answer, whether or not a rule minds it.
PLAIN = ("time", *STOP_RULE)
TOLD = {Known.YES: Told.YES, Known.NO: Told.NO, Known.UNKNOWN: Told.UNKNOWN}


def _either(verdicts: dict[str, Verdict], spoken: Collection[str]) -> None:
    """A cap on the steps ends a loop, and so do floor and signal together: who has the one need not have the other.

    What a rule has spoken of, in `spoken`, stays as it is.
    """
    if all(verdicts[key].answer is Told.YES for key in STOP_RULE):
        instead, spared = "floor and signal end it", ["steps"]
    elif verdicts["steps"].answer is Told.YES:
        instead, spared = "the cap on its steps ends it", list(STOP_RULE)
    else:
        return
    for key in spared:
        if verdicts[key].answer is Told.NO and key not in spoken:
            verdicts[key] = Verdict(
                Told.NOT_APPLICABLE, f"{verdicts[key].reason}; {instead}", verdicts[key].path, verdicts[key].line
            )


class LoopJudge(Judging):
    """Makes the rows of one group's agent loops."""

    def __init__(self, group: Group, scan: Scan, policy: Policy, findings: Iterable[Finding]) -> None:
        super().__init__(group, scan)
        self.policy = policy
        self.findings = [finding for finding in findings if finding.rule in COLUMNS]

    def row(self, loop: AgentLoop) -> LoopRow:
        at = spot(loop.place, self.group, self.cwd)
        own = self._places(loop)
        here = {"path": at.path, "line": at.line}
        verdicts = {
            column: verdict if verdict.path else msgspec.structs.replace(verdict, **here)
            for column, verdict in self._by_facts(loop).items()
        }
        spoken: set[str] = set()
        for column in BUDGETS:
            faults = [
                finding
                for finding in self.findings
                if COLUMNS[finding.rule] == column
                and own & {finding.place, *(evidence.place for evidence in finding.evidence)}
            ]
            if faults:
                verdicts[column] = self.fault([one for one in faults if one.place == loop.place] or faults)
                spoken.add(column)
            elif verdicts[column].answer is Told.NO:
                verdicts[column] = self._by_rules(loop, column, verdicts[column])
        _either(verdicts, spoken)
        excerpt = " ".join(loop.excerpt.split())
        return LoopRow(loop.scope, at.path, at.line, loop.kind, loop.framework, excerpt, verdicts)

    def _by_rules(self, loop: AgentLoop, column: str, verdict: Verdict) -> Verdict:
        """A no that only the facts say, as the rules of its column see it: open, where they find no fault."""
        rules = [one for one in self.policy.rules if COLUMNS.get(one.name) == column and one.subject == "AgentLoop"]
        reasons: list[str] = []
        for rule in rules:
            # A rule that fails has been told of when it was run for its findings.
            with suppress(Exception):
                for outcome in self.policy.check(rule, loop, self.group.project):
                    if isinstance(outcome, Finding):
                        told = self.fault([outcome])
                        return msgspec.structs.replace(told, reason=f"{told.reason}, which is silenced")
                    reasons.append(outcome.reason)
        if not rules or column in PLAIN:
            return verdict
        # Of several rules some only say which other one speaks of such a loop.
        reasons = [one for one in reasons if " speak" not in one]
        reason = "; ".join(dict.fromkeys([verdict.reason, *reasons[:1]]))
        return msgspec.structs.replace(verdict, answer=Told.UNKNOWN, reason=reason)

    def _retries(self, loop: AgentLoop) -> list[Retry]:
        """What tries the loop's own requests again."""
        asked = {asking.place for asking in loop.askings}
        return [
            retry
            for retry in self.group.project.retries
            if (retry.asks is not None and retry.asks.place in asked) or retry.place in asked
        ]

    def _places(self, loop: AgentLoop) -> set[Place]:
        """The places at which a finding is one about this loop."""
        places = {loop.place, *loop.callers}
        places.update(asking.place for asking in loop.askings)
        places.update(dispatch.place for dispatch in loop.dispatches)
        places.update(Place(text.path, text.text.span) for text in loop.texts)
        places.update(retry.place for retry in self._retries(loop))
        return places

    def _by_facts(self, loop: AgentLoop) -> dict[str, Verdict]:
        return {
            "steps": self._limit(loop.steps, loop.unit, "nothing counts them"),
            "time": self._of_several(loop, self._time(loop.time)),
            "money": self._answer(loop.spend, "no bound in tokens or money"),
            "requests": self._requests(loop.askings),
            "retries": self._attempts(loop),
            "output": self._of_tools(loop, loop.output, "what tools give is not cut"),
            "unknown tools": self._dispatches(loop),
            "read-only": self._of_tools(loop, Answer(Known.UNKNOWN), ""),
            "verification": self._answer(loop.verification, "nothing checks it"),
            "trace": self._trace(loop),
            "floor": self._of_several(loop, self._floor(loop)),
            "signal": self._of_several(loop, self._answer(loop.signal, "the code looks for no done marker")),
        }

    def _of_several(self, loop: AgentLoop, verdict: Verdict) -> Verdict:
        """A verdict that makes no sense of a single step, which the timeout of its request bounds."""
        if verdict.answer is not Told.YES and loop.steps.known and loop.steps.value <= 1:
            return self.verdict(Told.NOT_APPLICABLE, "it is a single step")
        return verdict

    def _answer(self, answer: Answer, otherwise: str) -> Verdict:
        place = answer.places[0].place if answer.places else None
        fallback = otherwise if answer.no else "the code in view does not tell"
        return self.verdict(TOLD[answer.known], answer.how or fallback, place)

    def _limit(self, limit: Limit, unit: str, otherwise: str) -> Verdict:
        place = limit.places[0].place if limit.places else None
        if limit.known:
            how = f" ({limit.how})" if limit.how else ""
            counted = unit.removesuffix("s") if limit.value == 1 else unit
            return self.verdict(Told.YES, f"{limit.value:g} {counted}{how}", place)
        if limit.absent:
            return self.verdict(Told.NO, limit.how or otherwise, place)
        return self.verdict(Told.UNKNOWN, limit.how or "the code in view does not tell", place)

    def _time(self, time: Seconds) -> Verdict:
        place = time.places[0].place if time.places else None
        if time.known:
            return self.verdict(Told.YES, f"{in_words(time.value)} ({time.how})", place)
        if time.absent:
            return self.verdict(Told.NO, time.how or "nothing bounds it in time", place)
        return self.verdict(Told.UNKNOWN, time.how or "the code in view does not tell", place)

    def _requests(self, askings: tuple[Asking, ...]) -> Verdict:
        if not askings:
            return self.verdict(Told.UNKNOWN, "its requests are not in view")
        for asking in askings:
            if asking.timeout.absent:
                return self.verdict(Told.NO, f"`{asking.called}` has no timeout: {asking.timeout.how}", asking.place)
        for asking in askings:
            if not asking.timeout.known:
                why = asking.timeout.how or "the code in view does not tell"
                return self.verdict(Told.UNKNOWN, f"the timeout of `{asking.called}`: {why}", asking.place)
        slowest = max(askings, key=lambda asking: asking.timeout.value)
        reason = f"at most {in_words(slowest.timeout.value)} each ({slowest.timeout.how})"
        return self.verdict(Told.YES, reason, slowest.place)

    def _attempts(self, loop: AgentLoop) -> Verdict:
        retries = self._retries(loop)
        if not retries:
            return self.verdict(Told.NOT_APPLICABLE, "nothing in view tries its requests again")
        for retry in retries:
            if retry.attempts.absent and not retry.time.known:
                return self.verdict(Told.NO, retry.attempts.how or f"{retry.by} tries for ever", retry.place)
        first = next((retry for retry in retries if not retry.attempts.known and not retry.time.known), None)
        if first is not None:
            return self.verdict(Told.UNKNOWN, first.attempts.how or "how often is not known", first.place)
        retry = retries[0]
        bound = f"{retry.attempts.value:g} attempts" if retry.attempts.known else in_words(retry.time.value)
        return self.verdict(Told.YES, f"{bound} ({retry.attempts.how or retry.by})", retry.place)

    def _of_tools(self, loop: AgentLoop, answer: Answer, otherwise: str) -> Verdict:
        if loop.uses_tools.no:
            return self.verdict(Told.NOT_APPLICABLE, "no tool is run in it")
        return self._answer(answer, otherwise)

    def _dispatches(self, loop: AgentLoop) -> Verdict:
        if loop.dispatches:
            worst = min(loop.dispatches, key=lambda one: (not one.refuses.no, one.refuses.yes))
            verdict = self._answer(worst.refuses, f"a name that `{worst.by}` does not have is not refused")
            return verdict if verdict.path else self.verdict(verdict.answer, verdict.reason, worst.place)
        return self._of_tools(loop, Answer(Known.UNKNOWN, "how tools are run is not in view"), "")

    def _trace(self, loop: AgentLoop) -> Verdict:
        trail = loop.trail
        parts = {"tool": trail.tool, "inputs": trail.inputs, "observation": trail.observation, "time": trail.time}
        missing = [name for name, answer in parts.items() if answer.no]
        if missing:
            return self.verdict(Told.NO, f"it leaves out {', '.join(missing)}", loop.place)
        unsure = [name for name, answer in parts.items() if not answer.yes]
        if unsure:
            return self.verdict(Told.UNKNOWN, f"the code in view does not tell: {', '.join(unsure)}")
        if trail.redacted.no:
            return self._answer(trail.redacted, "nothing redacts it")
        return self._answer(Answer(Known.YES, trail.tool.how or "all four are kept", trail.tool.places), "")

    def _floor(self, loop: AgentLoop) -> Verdict:
        if loop.floors:
            floors = ", ".join(f"{one.steps:g}{f' ({one.depth})' if one.depth else ''}" for one in loop.floors)
            return self.verdict(Told.YES, f"at least {floors}", loop.floors[0].place)
        if loop.signal.known is Known.UNKNOWN:
            return self.verdict(Told.UNKNOWN, "the code in view does not tell")
        return self.verdict(Told.NO, "the code holds no least number of steps")
