"""Loops that count the steps of an agent: what pauses in a step is not what the loop is there for."""

from __future__ import annotations

import re

from waitlint.interpret.events import Event, LoopRun
from waitlint.project.busy import STATE
from waitlint.project.sources import Sources

# How the number of an agent's steps is called, in the head of a loop.
STEPS = re.compile(
    r"(?<![a-z])(?:(?:max|limit|num|n|total|remaining)_)?(?:round|step|turn|hop|episode)s?_?(?:limit|max|budget|left|count|num)?\b",
    re.IGNORECASE,
)
OF_A_NUMBER = re.compile(r"\brange\b|[<>]=?|-=|\+=")
# Calls that ask a model or an agent, as they are written.
ASKS_A_MODEL = re.compile(
    r"(?:agent|llm|model|assistant|planner|chat|completions?|responses|messages)\w*(?:\.\w+)*\."
    r"(?:a?step|a?run|a?invoke|a?chat|a?generate\w*|create|a?complete|a?predict|a?call|a?ask)\(|"
    r"_?(?:observe|think|plan|act|decide|reason|ask_\w+|call_(?:llm|model)|query_(?:llm|model))\(",
    re.IGNORECASE,
)


def counts_steps(loop: LoopRun, head: str, body: str, waiting: list[Event]) -> bool:
    """Whether a loop makes an agent's steps: counts them, or asks a model in each. Its pauses lie further down."""
    if not waiting or any(len(event.frames) <= len(loop.frames) for event in waiting):
        return False
    for_a_state = any(map(STATE.search, loop.states))
    counted = OF_A_NUMBER.search(head) is not None and STEPS.search(head) is not None and not for_a_state
    return counted or ASKS_A_MODEL.search(body) is not None


def of_steps(loop: LoopRun, waiting: list[Event], sources: Sources) -> bool:
    text = sources.excerpt(loop.place)
    body = loop.loop.body
    start = body[0].span.start - loop.place.span.start if body else len(text)
    return counts_steps(loop, text[:start], text[start:], waiting)
