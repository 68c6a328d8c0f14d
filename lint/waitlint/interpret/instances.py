"""Objects of the outside that a run keeps more of than of others."""

from __future__ import annotations

from dataclasses import dataclass

from waitlint.catalog import Api
from waitlint.interpret.values import NOTHING, Instance, Signal, Value


@dataclass(slots=True, eq=False)
class Child(Instance):
    """A command that was started. `length` is its own timeout in seconds, `killed_after` a timer that ends it."""

    row: Api | None = None
    label: str = ""
    length: Value | None = None
    signals: tuple[Signal, ...] = ()
    opaque: bool = False
    killed_after: Value | None = None


@dataclass(slots=True, eq=False)
class Repeated(Instance):
    """A function that a helper calls again and again, as its row in the catalog says."""

    body: Value = NOTHING
    row: Api | None = None
