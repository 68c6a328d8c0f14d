"""Helpers that answer yes or no, and ask outside for that."""

from __future__ import annotations

import re

from waitlint.facts import Function
from waitlint.finding import Place
from waitlint.interpret.events import LoopRun
from waitlint.interpret.values import Constant
from waitlint.interpret.ways import Exit

ASKS_HOW_IT_IS = re.compile(
    r"ready|alive|running|available|healthy|listening|reachable|connected|accepting|online|in_use|free|open|"
    r"(?:is|has|port|server|service)_up",
    re.IGNORECASE,
)


def note_asked(loop: LoopRun, function: Function, at: Place, exits: list[Exit]) -> None:
    """A loop that asks a helper how something is waits for that, where the helper asks outside and answers yes or no.

    `at` is the place of the helper.
    """
    answers = {way.value for way in exits if way.kind == "return" and isinstance(way.value, Constant)}
    if len(answers) < 2 or not ASKS_HOW_IT_IS.search(function.name):
        return
    if any(place.path == at.path and at.span.start <= place.span.start < at.span.end for place in loop.asked):
        loop.tests_outside = loop.exits_otherwise = True
