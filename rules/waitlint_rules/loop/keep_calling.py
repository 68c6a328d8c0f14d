"""`loop/keep-calling`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from waitlint.context import Context
from waitlint.finding import Confidence, Evidence, Finding, Quiet, Severity
from waitlint.fix import Repair
from waitlint.linked import Mentioned, ToolText
from waitlint.prose import is_for_waiting
from waitlint.rule import rule
from waitlint_rules.rewrites import instead, reason
from waitlint_rules.waiters import Waiter, code_for, waiter_for
from waitlint_rules.wording import loops_in_place_of_model, waits_for_the_work

NEAR_LINES = 3
INSISTS = re.compile(
    r"\b(?:immediately|keep|keeps|continue(?! (?:monitor|track|follow)ing)|poll|polling|repeatedly|periodically|until|"
    r"every)\b|again and again",
    re.IGNORECASE,
)
# A line that is the title of what stands under it: "### 3. Poll the job", "3. **Poll the job**".
TITLE = re.compile(
    r"^[ \t]{0,8}(?:#{1,6}[ \t]+\S.*|(?:\d{1,3}[.)][ \t]+)?\*\*[^*\n]+\*\*[ \t]*:?[ \t]*)$", re.MULTILINE
)


_SURE = {Confidence.LOW: 0, Confidence.MEDIUM: 1, Confidence.HIGH: 2}


@rule(subject="ToolText", severity=Severity.ERROR, rules=("R1", "R4"), checklist=("C1", "C5"), fixes="unsafe")
def check(text: ToolText, context: Context) -> Iterator[Finding | Quiet]:
    """A text that a model reads tells it to call again until something changes."""
    if text.deliberate:
        yield Quiet(text.path, "this file is a loop on purpose")
        return
    polls = [m for m in context.project.mentions_in(text) if m.intent.kind == "poll"]
    for group in grouped(polls):
        first = _surest(group)
        tools = [tool for mentioned in group for tool in mentioned.tools]
        if tools and all(waits_for_the_work(tool) for tool in tools):
            yield Quiet(tools[0].name, "it waits by itself: tell/prompt-contradicts-tool speaks of it")
            continue
        if _comes_after_a_wait(text, first, context):
            yield Quiet(text.owner, "these words come back after the tool itself has waited")
            continue
        evidence = [Evidence(mentioned.place, "it says so again") for mentioned in group if mentioned is not first]
        evidence.extend(Evidence(tool.place, f"`{tool.name}` is defined here") for tool in dict.fromkeys(tools))
        waiter = waiter_for(text, tools, context)
        yield context.finding(
            first.place,
            f"{reason(first)}: every lap is a full inference",
            help=_help(first, waiter, context),
            scope=text.owner or text.text.key,
            tools=[tool.name for tool in tools],
            confidence=_confidence(first),
            evidence=evidence,
            repair=_repair(group, waiter),
        )


def _surest(group: list[Mentioned]) -> Mentioned:
    """The first of those sentences that are surest to have the model poll; what a title says comes after its text."""
    return max(group, key=lambda mentioned: (_SURE[_confidence(mentioned)], not _is_title(mentioned)))


def _help(first: Mentioned, waiter: Waiter | None, context: Context) -> str:
    """What to write: the tool that waits, else the loop that the tool should own, in its own names."""
    if waiter is not None:
        return waiter.help
    return instead(first, code_for(first, context))


def _repair(group: Sequence[Mentioned], waiter: Waiter | None) -> Repair | None:
    """One call of the tool that waits; where none does, no words would be true."""
    if waiter is None:
        return None
    return waiter.repair(group[0].text, [mentioned.intent for mentioned in group])


def _confidence(mentioned: Mentioned) -> Confidence:
    """How sure it is that a sentence has the model poll.

    A tool that is not in view and is named for its waiting may well wait.
    """
    intent = mentioned.intent
    if not mentioned.tools and any(is_for_waiting(mention.name) for mention in intent.mentions):
        return Confidence.LOW
    return Confidence(intent.confidence)


def grouped(polls: list[Mentioned]) -> list[list[Mentioned]]:
    """Instructions that repeat each other within a few lines are one, and so are a title and what stands under it."""
    groups: list[list[Mentioned]] = []
    for mentioned in polls:
        before = groups[-1][-1] if groups else None
        if before is not None and _repeats(before, mentioned):
            groups[-1].append(mentioned)
        else:
            groups.append([mentioned])
    return groups


def _repeats(before: Mentioned, mentioned: Mentioned) -> bool:
    between = before.text.text.value[before.intent.span.end : mentioned.intent.span.start]
    if _is_title(before):
        of_the_same = not before.tools or not mentioned.tools or set(mentioned.tools) <= set(before.tools)
        return of_the_same and not TITLE.search(between)
    if between.count("\n") > NEAR_LINES:
        return False
    return not mentioned.tools or set(mentioned.tools) <= set(before.tools)


def _is_title(mentioned: Mentioned) -> bool:
    """Whether an instruction is the title of what stands under it, or a part of that."""
    value, start = mentioned.text.text.value, mentioned.intent.span.start
    return TITLE.match(value, value.rfind("\n", 0, start) + 1) is not None


def _comes_after_a_wait(text: ToolText, mentioned: Mentioned, context: Context) -> bool:
    """Whether a tool that has waited says what to call next, with neither urgency, interval nor repetition."""
    if text.text.role != "tool-result" or mentioned.intent.seconds is not None:
        return False
    said = text.text.value[mentioned.intent.span.start : mentioned.intent.span.end]
    owners = context.project.tools_named(text.owner, text.path)
    return bool(owners) and all(loops_in_place_of_model(tool) for tool in owners) and not INSISTS.search(said)
