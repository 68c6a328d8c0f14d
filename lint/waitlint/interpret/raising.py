"""Exceptions that are on their way or in hand."""

from __future__ import annotations

from msgspec import Struct

from waitlint.facts import Handler
from waitlint.finding import Place
from waitlint.interpret.values import Unknown, Value

IN_HAND = Unknown("the exception in hand")


class Raised(Struct, frozen=True):
    """An exception that is on its way. `tests` are the conditions under which it was raised."""

    tag: int | None
    value: Value
    place: Place
    tests: tuple[Value, ...]


class Caught(Struct, frozen=True):
    """An exception in hand, and the handler that runs with it; None for a callback."""

    value: Value = IN_HAND
    handler: Handler | None = None


IN_CALLBACK = Caught()
