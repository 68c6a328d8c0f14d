"""What a tool's own words state of its wait: one test for the rules that ask for it and for what compares contracts."""

from __future__ import annotations

import re

from waitlint.linked import Tool

STATES_A_WAIT = frozenset({"waits", "call-again-if-unfinished", "long-job"})
NAMES_A_WAIT = re.compile(r"(?:^|_)wait(?:s|ing|_|$)|[a-z]Wait|^wait[A-Z]|(?:^|_)block(?:ing)?$")


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
    return ""
