"""Fields of a tool's result that tell the model to ask again: `should_poll: true`, `recommended_action: "poll"`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from waitlint.facts import Intent, Span, Text
from waitlint.finding import Place
from waitlint.interpret.alternatives import inside, options
from waitlint.interpret.events import Outcome
from waitlint.interpret.values import Constant, Record, Textual, Value
from waitlint.linked import ToolText
from waitlint.project.texts.names import words_of

ORDERS = (
    ("poll",),
    ("should", "poll"),
    ("must", "poll"),
    ("please", "poll"),
    ("keep", "polling"),
    ("continue", "polling"),
    ("poll", "again"),
    ("should", "keep", "polling"),
    ("should", "continue", "polling"),
    ("needs", "polling"),
    ("requires", "polling"),
    ("polling", "required"),
    ("check", "again"),
    ("should", "check", "again"),
    ("call", "again"),
    ("should", "call", "again"),
)
PACES = re.compile(
    r"(?:next_)?(?:re)?poll(?:ing)?_(?:interval|after|in|every|delay|wait)(?:_(?:s|ms|sec|secs|seconds|millis|minutes))?"
)
ACTIONS = frozenset(
    (
        "action",
        "next_action",
        "next_step",
        "recommended_action",
        "suggested_action",
        "required_action",
        "recommendation",
        "suggestion",
        "what_next",
        "todo",
    )
)
ACTION = re.compile(
    r"(?:keep[_ -]|continue[_ -](?:to[_ -])?)?(?:re)?(?:poll|polling|check|call)"
    r"(?:[_ -](?:again|status|later|job|until[_ -]\w+))?|wait[_ -]and[_ -](?:poll|check|retry|call[_ -]again)",
    re.IGNORECASE,
)
BARE = frozenset(("check", "call", "recheck", "recall"))


def told_by(outcomes: Iterable[Outcome], surface: str, owner: str, said: Sequence[ToolText]) -> list[ToolText]:
    """What a tool said, and the fields of what it gives back that order to poll, each as a text with that order."""
    found: dict[Place, ToolText] = {}
    parts = (part for outcome in outcomes for part in inside(outcome.value, depth=6))
    for record in (part for part in parts if isinstance(part, Record)):
        for key, value in record.entries.items():
            place, order = record.places.get(key), _order(key, value)
            if order and place is not None and place not in found:
                found[place] = _text(place, *order, surface, owner)
    return [*(text for text in said if not any(_within(text, place) for place in found)), *found.values()]


def _within(text: ToolText, place: Place) -> bool:
    return text.path == place.path and place.span.start <= text.text.span.start < place.span.end


def _order(key: str, value: Value) -> tuple[str, str, str] | None:
    """What a field says, how sure it is that this is an order to poll, and why; None for all other fields."""
    words = words_of(key)
    flat = "_".join(words)
    if words in ORDERS and not (isinstance(value, Constant | Textual) and not _is_true(value)):
        return f"{key}: true", "medium", f"answers with `{key}`, which tells the model to call again"
    if PACES.fullmatch(flat):
        return f"{key}: …", "low", f"answers with `{key}`, a pace at which the model is to poll"
    if flat in ACTIONS:
        for _, option in options(value):
            literal = option.literal if isinstance(option, Textual) else None
            if literal and ACTION.fullmatch(literal.strip()) and literal.strip().lower() not in BARE:
                return f"{key}: {literal}", "medium", f"answers with `{key}: {literal}`"
    return None


def _is_true(value: Constant | Textual) -> bool:
    return bool(value.value) if isinstance(value, Constant) else value.literal not in ("", "false", "no")


def _text(place: Place, value: str, confidence: str, reason: str, surface: str, owner: str) -> ToolText:
    span = place.span
    length = max(min(len(value), span.end - span.start), 1)
    value = value[:length]
    intent = Intent("poll", Span(0, length), confidence, reason)
    places = ((0, span.start), (length, span.start + length))
    return ToolText(place.path, surface, Text("tool-result", value, places, span, (intent,)), owner)
