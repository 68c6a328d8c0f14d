"""Descriptions that say that a tool does not wait: for the rules that must not both speak of it."""

from __future__ import annotations

import re

from waitlint.facts import Intent
from waitlint.linked import Tool, Wait
from waitlint.stating import said_wait
from waitlint_rules.wording import RUNNER_LIMIT, is_for_a_person, waits_for_state

LONG_ENOUGH = 5.0
WAITS = frozenset({"waits", "call-again-if-unfinished"})
CHOOSES = re.compile(r"wait|block|sync|background|detach|poll", re.IGNORECASE)
STARTS_A_PROCESS = re.compile(
    r"^(?:await )?(?:subprocess|\w*\.?(?:communicate|exec|spawn|execa|run)\b)|Popen|[eE]xecSync"
)
# "Start a scan and retrieve its report": what starts it also gives what comes of it.
AND_GIVES = re.compile(
    r"[^.\n]{0,60}?,? (?:and|then) (?:then )?(?:retrieves?|returns?|gets?|fetch(?:es)?|downloads?|collects?|delivers?|"
    r"gives?|reports?|waits?)\b(?![^.\n]{0,40}\b(?:ids?|immediately|at once|right away|handle|ticket|job|task|url)\b)",
    re.IGNORECASE,
)


def denial(tool: Tool) -> Intent | None:
    """Where the description says that the tool does not wait, if nothing in its texts says that it may."""
    if tool.description is None or not any(blocks_for_long(wait) for wait in waits_for_state(tool)):
        return None
    if said_wait(tool, WAITS) or is_for_a_person(tool):
        return None
    if any(CHOOSES.search(parameter.name) for parameter in tool.parameters):
        return None
    text = tool.description.text
    starts = [
        intent
        for intent in text.intents
        if intent.kind == "starts" and not AND_GIVES.match(text.value, intent.span.end)
    ]
    return max(starts, key=lambda intent: intent.confidence == "high", default=None)


def blocks_for_long(wait: Wait) -> bool:
    """Whether a wait is more than the start of something: a process that is only started returns at once."""
    if wait.cap.known and wait.cap.value < LONG_ENOUGH:
        return False
    if wait.kind != "call":
        return True
    return (wait.cap.known and wait.cap.value >= RUNNER_LIMIT) and not STARTS_A_PROCESS.search(wait.excerpt)
