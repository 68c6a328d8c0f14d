"""Results that say that something went wrong, or that nothing was done: a tool returns them where others raise."""

from __future__ import annotations

import re

from waitlint.interpret.values import Constant, Instance, Items, Record, Textual, Value

ERROR_TEXT = re.compile(r"\W{0,4}(?:error|failed|failure|exception|unable to|could not|cannot)\b", re.IGNORECASE)
ERROR_KEYS = ("error", "isError", "is_error", "errors")
TEXT_KEYS = ("content", "text")
SUCCESS_KEYS = ("success", "ok", "succeeded")
STATE_KEYS = ("status", "state", "type", "result")
ERROR_STATES = frozenset({"error", "failed", "failure"})
REFUSES = re.compile(
    r"\W{0,4}(?:no\b|not\b|nothing\b|invalid\b|missing\b|unknown\b|unsupported\b|please\b|you must\b|must\b|only\b)|"
    r"\b(?:is|are) required\b|\bmust be\b|\bdoes(?: not|n't) exist\b|"
    r"\bnot (?:found|set|configured|supported|available|allowed|installed|enabled)\b",
    re.IGNORECASE,
)


def refuses(value: Value) -> bool:
    """Whether a result only says that the call was not what it had to be, so that no work was begun."""
    if is_error(value):
        return True
    match value:
        case Textual():
            return bool(REFUSES.search(value.known_text))
        case Items(items=(only,)):
            return refuses(only)
        case Record(entries=entries):
            return any(refuses(said) for key in (*TEXT_KEYS, "message") if (said := entries.get(key)) is not None)
        case _:
            return False


def is_error(value: Value) -> bool:
    """Whether what a tool hands back is shaped like an error."""
    match value:
        case Record(entries=entries):
            if any(_is_set(entries.get(key)) for key in ERROR_KEYS):
                return True
            if any(_is_false(entries.get(key)) for key in SUCCESS_KEYS):
                return True
            if any(_names_error(entries.get(key)) for key in STATE_KEYS):
                return True
            return any(is_error(content) for key in TEXT_KEYS if (content := entries.get(key)) is not None)
        case Instance(args=args):
            given = {key: argument for key, argument in args if key is not None}
            return is_error(Record({**given, **value.fields}))
        case Items(items=(only,)):
            return is_error(only)
        case Textual():
            return bool(ERROR_TEXT.match(value.known_text))
        case _:
            return False


def _is_set(value: Value | None) -> bool:
    return value is not None and not (isinstance(value, Constant) and not value.value)


def _is_false(value: Value | None) -> bool:
    return isinstance(value, Constant) and value.value is False


def _names_error(value: Value | None) -> bool:
    return isinstance(value, Textual) and value.known_text.lower() in ERROR_STATES
