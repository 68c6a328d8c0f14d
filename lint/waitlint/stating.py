"""What a tool's own words state of its wait: one test for the rules that ask for it and for what compares contracts."""

from __future__ import annotations

import re
from collections.abc import Iterator

from waitlint.linked import Tool
from waitlint.names import UNITS

STATES_A_WAIT = frozenset({"waits", "call-again-if-unfinished", "long-job"})
NAMES_A_WAIT = re.compile(r"(?:^|_)wait(?:s|ing|_|$)|[a-z]Wait|^wait[A-Z]|(?:^|_)block(?:ing)?$")


# "time limit in seconds (30-300)", "maximum duration in minutes": how long the work may last, as the model is told.
WORK_LIMIT = re.compile(
    r"\b(?:time[ -]?(?:limit|budget)|max(?:imum)?[ -](?:time|duration|run ?time))\b[^.\n]{0,24}?"
    r"\bin (?P<unit>seconds?|secs?|minutes?|mins?|hours?|milliseconds?|ms)\b(?P<numbers>[^.\n]{0,60})",
    re.IGNORECASE,
)
NUMBER = re.compile(r"\d+(?:\.\d+)?")


def said_wait(tool: Tool, kinds: frozenset[str] = STATES_A_WAIT) -> str:
    """What in the tool's own words states that it waits; "" where nothing does. An argument's name may."""
    named = next((parameter.name for parameter in tool.parameters if NAMES_A_WAIT.search(parameter.name)), "")
    return stated_wait(tool, kinds) or (f"has the argument `{named}`" if named else "")


def stated_wait(tool: Tool, kinds: frozenset[str] = STATES_A_WAIT) -> str:
    """What in the texts of the tool and its arguments states that it waits; "" where nothing does."""
    for text in (tool.description, *(parameter.description for parameter in tool.parameters)):
        for intent in text.text.intents if text is not None else ():
            if intent.kind in kinds:
                return intent.reason
    if "long-job" not in kinds:
        return ""
    return next((f'names a limit for the work: "{said}"' for said, _ in work_limits(tool)), "")


def work_limits(tool: Tool) -> Iterator[tuple[str, float]]:
    """What the tool's words say of how long its work may last, and the longest time that they name, in seconds.

    0 where they name none.
    """
    for text in (tool.description, *(parameter.description for parameter in tool.parameters)):
        for limit in WORK_LIMIT.finditer(text.text.value) if text is not None else ():
            longest = max((float(number) for number in NUMBER.findall(limit["numbers"])), default=0.0)
            yield " ".join(limit[0].split()), longest * UNITS[limit["unit"].lower()]
