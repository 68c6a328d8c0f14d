"""What the rules about the end of an agent's work ask of words and of the loops that they are said in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from waitlint.context import Context
from waitlint.finding import Evidence
from waitlint.linked import AgentLoop, Mentioned, ToolText

NO_LIMIT = 1000.0


def is_open(loop: AgentLoop) -> bool:
    """Whether a loop is known to have no bound in code."""
    steps = loop.steps
    if loop.spend.yes or loop.time.known:
        return False
    if loop.kind == "run" and not (loop.uses_tools.yes and loop.time.absent):
        return False
    return steps.absent or (steps.known and steps.value >= NO_LIMIT)


def is_held(loop: AgentLoop) -> bool:
    """Whether a floor and a done marker, both in code, end a loop: it may then go as deep as the question does."""
    return bool(loop.floors) and loop.signal.yes


def said(text: ToolText, context: Context, *kinds: str) -> list[Mentioned]:
    """The intents of these kinds in a text, those of low confidence left out."""
    return [
        one for one in context.project.mentions_in(text) if one.intent.kind in kinds and one.intent.confidence != "low"
    ]


def is_first(mentioned: Mentioned, context: Context) -> bool:
    """Whether a sentence is the first of its kind in its text: the others are its evidence."""
    kind = mentioned.intent.kind
    same = [one for one in context.project.mentions_in(mentioned.text) if one.intent.kind == kind]
    sure = [one for one in same if one.intent.confidence != "low"]
    return mentioned is (sure or same)[0]


def others(mentioned: Mentioned, context: Context) -> list[Evidence]:
    """The other sentences of its kind in a text."""
    same = said(mentioned.text, context, mentioned.intent.kind)
    return [Evidence(one.place, "and here") for one in same if one is not mentioned]


def subject(text: ToolText) -> str:
    return text.owner or text.path


def scope(text: ToolText) -> str:
    return text.owner or text.text.key


def told(text: ToolText, context: Context) -> Sequence[AgentLoop]:
    """The loops whose model is told a text; where none is known to be, those that are written in the same file."""
    loops = context.project.loops_told(text)
    return loops or [loop for loop in context.project.loops if loop.place.path == text.path]


def asked_in(loop: AgentLoop) -> Iterator[Evidence]:
    """Where a loop asks the model."""
    yield from (Evidence(one.place, "the model is asked here") for one in loop.askings if one.kind == "model")
