"""In what terms a wait is told: lengths of time that may be unknown, what arrives at it, ends it and leads past it."""

from __future__ import annotations

import enum

from msgspec import Struct

from waitlint.finding import Evidence


class Certainty(enum.StrEnum):
    KNOWN = "known"
    ABSENT = "absent"
    UNKNOWN = "unknown"


class Measure(Struct, frozen=True):
    """A quantity that is known, known to be absent, or unknown.

    `how` says in words how it is known ("`range(60)` × `sleep(5)`") or why it isn't; `places` are its evidence.
    """

    certainty: Certainty
    value: float = 0.0
    how: str = ""
    places: tuple[Evidence, ...] = ()

    @property
    def known(self) -> bool:
        return self.certainty is Certainty.KNOWN

    @property
    def absent(self) -> bool:
        return self.certainty is Certainty.ABSENT


class Seconds(Measure, frozen=True):
    """A length of time in seconds."""


class Reach(enum.StrEnum):
    """Whether a signal or deadline arrives at a read or sleep."""

    ARRIVES = "arrives"
    MISSES = "misses"
    NOT_OFFERED = "not offered"
    UNKNOWN = "unknown"


class Ending(enum.StrEnum):
    """What the model gets when a wait reaches its cap."""

    LAST_STATE = "last state"
    RAISES = "raises"
    ERROR = "error"
    NOTHING = "nothing"
    LOOKS_DONE = "looks done"
    NEVER = "never ends"
    UNKNOWN = "unknown"


class Bound(enum.StrEnum):
    """What ends a wait that is not satisfied."""

    CLOCK = "clock"
    PAUSES = "pauses counted"
    LAPS = "laps counted"
    SIGNAL = "signal"
    SCOPE = "enclosing scope"
    OWN = "the call's own timeout"
    NONE = "nothing"
    UNKNOWN = "unknown"


class Passing(enum.StrEnum):
    """Whether a tool that ends well has passed a wait: on every way, on some, or only where something has failed.

    `IF_ASKED` where it passes it only if whoever set the tool up switched something on that is off by default.
    """

    ALWAYS = "always"
    SOMETIMES = "sometimes"
    IF_ASKED = "if asked"
    ON_FAILURE = "on failure"
