"""Texts that tell a model to poll, what is polled, and what that costs."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from waitlint.audit.model import Assumptions, Polled, PollingText
from waitlint.audit.waiting import looks_of
from waitlint.finding import Finding, Place
from waitlint.linked import Mentioned, Tool
from waitlint.linter import Policy
from waitlint.reporting import spot
from waitlint.scanning import Group, Scan

ORDERS = frozenset({"poll", "model-sleeps"})
WORDS = 300


class Cost(Struct, frozen=True):
    """One wait, in inferences and tokens, before and after. Lengths in seconds.

    `looks` = ⌈duration ÷ every⌉ and `calls` = ⌈duration ÷ cap⌉ are inferences; `added` = looks × tokens of a look is
    what the conversation grows by; `read_again` = looks × before + look × looks × (looks − 1) ÷ 2 is what the model
    reads in all these inferences; `steps_over` where the looks alone are more than the cap on steps.
    """

    looks: int
    calls: int
    added: int
    read_again: int
    steps_over: bool
    window_share: float


def cost(polled: Polled, given: Assumptions) -> Cost:
    """What one wait costs; the assumptions stand in for what is not known."""
    duration = polled.duration or given.duration
    looks = max(1, math.ceil(duration / max(polled.every or given.every, 0.001)))
    calls = max(1, math.ceil(duration / max(polled.cap or given.cap, 0.001)))
    added = looks * given.look
    read_again = looks * given.before + given.look * looks * (looks - 1) // 2
    return Cost(looks, calls, added, read_again, looks > given.steps, added / max(given.window, 1))


def texts(group: Group, scan: Scan, findings: Iterable[Finding]) -> Iterator[PollingText]:
    """The sentences that order a model to poll and that a rule has found at fault."""
    rules: dict[Place, str] = {}
    for finding in findings:
        if finding.rule.split("/")[0] in ("loop", "tell"):
            for place in (finding.place, *(one.place for one in finding.evidence)):
                rules.setdefault(place, finding.rule)
    for mention in group.project.mentions:
        if mention.intent.kind in ORDERS and mention.place in rules:
            yield _text(mention, rules[mention.place], group, scan)


def _text(mention: Mentioned, rule: str, group: Group, scan: Scan) -> PollingText:
    at = spot(mention.place, group, scan.request.cwd)
    span = mention.intent.span
    words = " ".join(mention.text.text.value[span.start : span.end].split())
    return PollingText(
        path=at.path,
        line=at.line,
        surface=mention.text.surface,
        words=words if len(words) <= WORDS else words[: WORDS - 1] + "…",
        reason=mention.intent.reason,
        rule=rule,
        named=tuple(dict.fromkeys(one.name for one in mention.intent.mentions if one.quoted)),
        tools=tuple(dict.fromkeys(tool.name for tool in mention.tools)),
        every=mention.intent.seconds,
        waits=bool(mention.tools) and all(looks_of(tool) for tool in mention.tools),
    )


def polled(
    group: Group, scan: Scan, policy: Policy, found: Sequence[PollingText], findings: Sequence[Finding]
) -> Iterator[Polled]:
    """Each thing that a model is made to poll, once, with what is known of its interval, cap and duration."""
    named: set[str] = set()
    for tool in group.project.tools:
        if tool.name in named:
            continue
        about = [text for text in found if tool.name in text.tools]
        once = [f for f in findings if f.rule == "loop/single-read-status" and tool.name in f.tools]
        if about or once:
            named.add(tool.name)
            yield _of_tool(tool, about, policy, group, scan)
    for text in found:
        for name in () if text.tools else text.named:
            if name not in named:
                named.add(name)
                yield Polled(name, text.path, text.line, _said([text]), text.every)


def _of_tool(tool: Tool, about: Sequence[PollingText], policy: Policy, group: Group, scan: Scan) -> Polled:
    at = spot(tool.place, group, scan.request.cwd)
    waits = looks_of(tool)
    caps = [wait.cap.value for wait in waits if wait.cap.known]
    return Polled(
        name=tool.name,
        path=at.path,
        line=at.line,
        why=_said(about) if about else "it reads once and can answer that the work is unfinished",
        every=min((text.every for text in about if text.every), default=None),
        cap=max(caps) if caps and len(caps) == len(waits) else None,
        duration=policy.settings(tool).typical_duration.get(tool.name),
    )


def _said(about: Sequence[PollingText]) -> str:
    return "told to in one place" if len(about) == 1 else f"told to in {len(about)} places"


def assumptions(group: Group, scan: Scan) -> Assumptions:
    """The defaults, with the cap on steps that most of the repository's agent loops have, if any has one."""
    capped = [loop for loop in group.project.loops if loop.steps.known and loop.steps.value >= 1]
    if not capped:
        return Assumptions()
    caps = Counter(loop.steps.value for loop in capped)
    usual = min(caps, key=lambda value: (-caps[value], value))
    first = next(loop for loop in capped if loop.steps.value == usual)
    at = spot(first.steps.places[0].place if first.steps.places else first.place, group, scan.request.cwd)
    return Assumptions(steps=int(usual), steps_from=f"{at.path}:{at.line}")
