"""What is known of a tool where it is handed to a framework."""

from __future__ import annotations

from dataclasses import dataclass

from waitlint.catalog import Framework
from waitlint.finding import Place
from waitlint.interpret.values import FunctionRef, Instance, Value

Args = list[tuple[str | None, Value]]


@dataclass(slots=True)
class Registration:
    """One tool as a project defines it. `description` is None where there is none.

    `timeout` is the framework's own bound around the handlers, in seconds. `handed` is what types say of the values
    that the project calls a handler with, by their positions.
    """

    row: Framework
    name: str
    place: Place
    confidence: str
    description: Value | None = None
    schema: Value | None = None
    handlers: tuple[FunctionRef, ...] = ()
    definition: Place | None = None
    call_place: Place | None = None
    dispatch: str = ""
    timeout: Value | None = None
    handed: tuple[Value | None, ...] = ()


@dataclass(slots=True, eq=False)
class Pending(Instance):
    """What the call of a registering decorator gives: called with a function, it makes a tool of it."""

    row: Framework | None = None
