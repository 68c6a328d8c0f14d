"""`tell/silent-wait`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec.structs import replace

from waitlint.context import Context
from waitlint.finding import Because, Confidence, Evidence, Finding, Place, Quiet, Severity
from waitlint.fix import AddDescription, Applicability, Repair
from waitlint.linked import Tool, Wait
from waitlint.names import words_of
from waitlint.rule import rule
from waitlint.stating import said_wait
from waitlint_rules.certain import is_always_passed, only_after_failure, only_if_asked, only_tries_again, verb
from waitlint_rules.denials import denial
from waitlint_rules.telling import (
    Told,
    again,
    is_resumed_by_a_call,
    is_shared_limit,
    safety,
    sentence_for,
    told,
    with_sentence,
)
from waitlint_rules.wording import (
    RUNNER_LIMIT,
    how_known,
    in_seconds,
    is_for_a_person,
    is_runner,
    longest,
    real_waits,
    stands_in_line,
)

SETTLES = 10.0
OWN = 6

_PAUSES = re.compile(
    r"\b(?:sleep|pause|delay|wait)(?:s|ing)?\b|\bslow\b|"
    r"\buntil (?:it is )?(?:interrupted|stopped|cancell?ed|aborted)\b",
    re.IGNORECASE,
)
_ON_A_THREAD = re.compile(r"\.(?:wait|result|join|get)\(\s*timeout\s*=")


@rule(subject="Tool", severity=Severity.WARNING, rules=("R4",), checklist=("C5",), fixes="safe/unsafe")
def check(tool: Tool, context: Context) -> Iterator[Finding | Quiet]:
    """A tool waits, and its description does not say so."""
    found = [wait for wait in real_waits(tool) if not (_is_safety_net(wait) or _lets_settle(wait) or _throttles(wait))]
    own = [wait for wait in found if not is_shared_limit(wait, context)]
    tried = [wait for wait in own if not only_after_failure(wait)]
    waits = [wait for wait in tried if not only_if_asked(wait)]
    if own and not tried:
        yield Quiet(tool.name, "it waits only where something has failed before")
        return
    if tried and not waits:
        yield Quiet(tool.name, "it waits only where an option is on that is off by default")
        return
    if not waits:
        yield Quiet(tool.name, "it does not wait, or not long enough to tell")
        return
    wait = longest(waits)
    if is_for_a_person(tool):
        yield Quiet(tool.name, "it waits for a person, and says so")
        return
    if is_runner(tool) and not (wait.cap.known and wait.cap.value >= RUNNER_LIMIT):
        yield Quiet(tool.name, "it runs what it is given: its name says that this takes time")
        return
    if is_runner(tool) and wait.chosen is not None:
        yield Quiet(tool.name, "it runs what it is given, for as long as the model says")
        return
    if tool.description is None and tool.description_unknown:
        yield Quiet(tool.name, f"its description is not known: {tool.description_unknown}", Because.UNKNOWN)
        return
    if wait.kind == "sleep" and _PAUSES.search(_words(tool)):
        yield Quiet(tool.name, "it pauses, and says so", Because.MET)
        return
    said = said_wait(tool)
    if denial(tool) is not None:
        yield Quiet(tool.name, "its text denies the wait: tell/denies-wait speaks of that")
        return
    if said:
        yield Quiet(tool.name, f"its text {said}", Because.MET)
        return
    place = Place(tool.description.path, tool.description.text.span) if tool.description is not None else tool.place
    evidence = [Evidence(wait.place, f"the wait: {wait.cap.how}")]
    if tool.limit.known:
        limit = f"the framework is told to end a call after {in_seconds(tool.limit.value)}"
        evidence.extend(Evidence(place.place, limit) for place in tool.limit.places)
    yield context.finding(
        place,
        f"the tool {verb(wait)}{_how_long(wait)}, and its description does not say so",
        help=f"Say it in the description: “{_sentence(tool, wait, context)}”",
        scope=tool.name,
        excerpt=tool.description.text.value if tool.description is not None else tool.name,
        tools=(tool.name,),
        confidence=_confidence(tool, wait, context),
        evidence=evidence,
        repair=_repair(tool, wait, context),
    )


def _words(tool: Tool) -> str:
    return f"{' '.join(words_of(tool.name))} {tool.description.text.value if tool.description is not None else ''}"


def _is_safety_net(wait: Wait) -> bool:
    """Whether the cap of a blocking call says nothing of the time that it usually takes."""
    return wait.is_guard or (wait.kind == "call" and wait.cap.known and wait.cap.value < RUNNER_LIMIT)


def _lets_settle(wait: Wait) -> bool:
    """Whether a pause is so short that it only lets a page or a change settle, or a loop on some way only does."""
    short = wait.cap.known and wait.cap.value < SETTLES
    return short and (wait.kind == "sleep" or (wait.kind == "loop" and not is_always_passed(wait)))


def _throttles(wait: Wait) -> bool:
    """Whether a pause is made on some ways only: for the next request to be allowed, most often."""
    return stands_in_line(wait) or (wait.kind == "sleep" and not is_always_passed(wait) and wait.chosen is None)


def _confidence(tool: Tool, wait: Wait, context: Context) -> Confidence:
    """A wait that not every call comes to is less of a fault, and least where many tools come to it on some way."""
    if is_always_passed(wait):
        return Confidence.HIGH if tool.confidence == "high" and not wait.cap.absent else Confidence.MEDIUM
    return Confidence.LOW if _is_on_the_way(wait, context) else Confidence.MEDIUM


def _how_long(wait: Wait) -> str:
    if wait.cap.known:
        each = "" if wait.once else " each time"
        return f" up to {in_seconds(wait.cap.value)}{each}{how_known(wait.cap)}"
    return " without a cap" if wait.cap.absent else ""


def _is_watchdog(wait: Wait) -> bool:
    """Whether a call that is bounded only gives up on a thread or task, whatever that does and for how long."""
    return wait.kind == "call" and bool(_ON_A_THREAD.search(wait.excerpt))


def _known(tool: Tool, wait: Wait, context: Context) -> Told:
    """What may be said of a wait; one that many tools come to on their way is no one's own."""
    known = told(tool, wait)
    return known._replace(general=known.general or _is_on_the_way(wait, context))


def _is_on_the_way(wait: Wait, context: Context) -> bool:
    return len(context.project.tools_reaching(wait.place)) > OWN


def _sentence(tool: Tool, wait: Wait, context: Context) -> str:
    return sentence_for(_known(tool, wait, context), tool.description) or "A call may wait until its work is done."


def _repair(tool: Tool, wait: Wait, context: Context) -> Repair | None:
    known = _known(tool, wait, context)
    if _is_on_the_way(wait, context) or only_tries_again(wait) or wait.kind == "sleep":
        return None
    if (known.cap is None and not (wait.cap.absent and known.always)) or _is_watchdog(wait):
        return None
    text = tool.description
    sentence = sentence_for(known, text)
    # That its requests only look does not make a tool one that is asked for the result of some work.
    has_one_result = is_resumed_by_a_call(replace(tool, reads=())) is not None
    if not sentence or not (has_one_result or not known.always or known.general or again(known, text)):
        # What the wait is for is not known well enough to put it into words for everybody.
        return None
    if text is None:
        if tool.definition is None:
            return None
        added = AddDescription(tool.definition.path, tool.definition.span, sentence)
        return Repair("say in a description that the tool waits", Applicability.UNSAFE, (added,))
    change = with_sentence(text, sentence)
    if change is None:
        return None
    return Repair("say in the description that the tool waits", safety(tool, known), (change,))
