"""Repairs that a rule asks for, and the text edits that carry them out."""

from __future__ import annotations

import enum

from msgspec import Struct

from waitlint.facts import Span
from waitlint.names import unit_told, words_of


class Applicability(enum.StrEnum):
    SAFE = "safe"
    UNSAFE = "unsafe"
    DISPLAY = "display"


class Edit(Struct, frozen=True, order=True):
    """Replace [start, end) of a file's text, in code points, by `text`."""

    path: str
    start: int
    end: int
    text: str


class RewriteText(Struct, frozen=True, tag=True):
    """Give the text that stands at `span` of `path` the new value `value`; quoting and escapes are the front end's.

    `before` is what the model reads of it now: where more stands there, that stays. "" where it is all.
    """

    path: str
    span: Span
    value: str
    before: str = ""


class AddDescription(Struct, frozen=True, tag=True):
    """Give the tool defined at `span` of `path` (its function or its definition object) the description `value`."""

    path: str
    span: Span
    value: str


class SetNumber(Struct, frozen=True, tag=True):
    """Make the number that stands within `span` of `path`, or in a constant of its file that is named there, another.

    `before` and `after` are in the unit of the facts; a number in thousandths stays one.
    """

    path: str
    span: Span
    before: float
    after: float


class AwaitPause(Struct, frozen=True, tag=True):
    """Pause without holding the event loop: the call at `span` of `path`, which blocks, stands in async code."""

    path: str
    span: Span


class RaiseAgain(Struct, frozen=True, tag=True):
    """Let the handler at `span` of `path` no longer keep a cancellation to itself. `signal` is the stop at hand."""

    path: str
    span: Span
    signal: str = ""


class BoundLoop(Struct, frozen=True, tag=True):
    """End the loop at `span` of `path` after `seconds`, or after `laps` where they are given, with its last state."""

    path: str
    span: Span
    seconds: float
    laps: int = 0


class ReturnLast(Struct, frozen=True, tag=True):
    """Return the last state where the statement at `span` of `path`, after the loop of a wait, raises instead."""

    path: str
    span: Span


class BoundCall(Struct, frozen=True, tag=True):
    """Give the call at `span` of `path` a timeout of its own. `api` is its name in the catalog."""

    path: str
    span: Span
    api: str
    seconds: float


class BoundByDeadline(Struct, frozen=True, tag=True):
    """End the read at `span` of `path` with the deadline of the loop at `loop`, in the same function.

    `api` is its name in the catalog; where it is "", the call is of the project, and `position` is where it takes a
    signal. `signal` is the user's stop where it is at hand and not given to the read, `seconds` the cap of the loop,
    0 where it is not known.
    """

    path: str
    span: Span
    api: str
    loop: Span
    position: int = -1
    signal: str = ""
    seconds: float = 0.0


class Unshield(Struct, frozen=True, tag=True):
    """Let a cancellation into the scope that the call at `span` of `path` opens and shields."""

    path: str
    span: Span


class ClampArgument(Struct, frozen=True, tag=True):
    """Let the model choose no more than what makes a wait `seconds` long, by the argument `name` at `span` of `path`.

    `by_default` is how long the wait is in seconds by the argument's default, 0 where it has none or is endless.
    """

    path: str
    span: Span
    name: str
    seconds: float
    by_default: float


def greatest(change: ClampArgument, default: float | None) -> int | None:
    """The greatest value that an argument may have, in its own unit, by its default or by its name; None if unknown."""
    if default and change.by_default:
        most = int(default * change.seconds / change.by_default)
        return most if most >= default else None
    if default is not None or change.by_default:
        return None
    unit = unit_told(change.name)
    if unit is None:
        unit = 1.0 if {"limit", "timeout"} & set(words_of(change.name)) else None
    return (round(change.seconds * 1000) // round(unit * 1000) or None) if unit is not None else None


class SetOption(Struct, frozen=True, tag=True):
    """Give the call at `span` of `path` an option with the code `value`.

    It is a keyword `name` or an argument at position `arg`, or an entry `key` of the object that stands there. `source`
    is the module that a name in it is imported from, `joins` where it stands in a list with what is there already,
    `instead` an option that it takes the place of, `plain` where a plain object may be made for it. `shown` where the
    value is only an example: what is right there is for the author to say.
    """

    path: str
    span: Span
    value: str
    arg: int | None = None
    name: str | None = None
    key: str | None = None
    source: str = ""
    joins: bool = False
    instead: str = ""
    plain: bool = False
    shown: bool = False


class HandOn(Struct, frozen=True, tag=True):
    """Hand the stop signal called `signal` to the call at `span` of `path`.

    `api` is its name in the catalog; where it is "", the call is of the project, and `position` is where its signal
    goes. `optional` where the signal may be missing, `bound` where the same repair binds its name.
    """

    path: str
    span: Span
    signal: str
    api: str = ""
    position: int = -1
    optional: bool = True
    bound: bool = False


class AddSignal(Struct, frozen=True, tag=True):
    """Give the function at `span` of `path` a last parameter called `signal`, which callers may leave out."""

    path: str
    span: Span


class TakeSignal(Struct, frozen=True, tag=True):
    """Take the stop signal in the handler at `span` of `path`, out of parameter `position` by the keys of `keys`.

    It is handed to the calls of `to` in the same function, whose `signal` is left empty.
    """

    path: str
    span: Span
    position: int
    keys: tuple[str, ...]
    to: tuple[HandOn, ...]


Change = (
    RewriteText
    | AddDescription
    | SetNumber
    | AwaitPause
    | RaiseAgain
    | BoundLoop
    | ReturnLast
    | BoundCall
    | BoundByDeadline
    | Unshield
    | ClampArgument
    | SetOption
    | HandOn
    | AddSignal
    | TakeSignal
)


class Repair(Struct, frozen=True):
    """A language-neutral change: all of `changes`, or none."""

    title: str
    applicability: Applicability
    changes: tuple[Change, ...]

    @property
    def is_of_words(self) -> bool:
        """Whether it changes nothing but texts."""
        return all(isinstance(change, RewriteText | AddDescription) for change in self.changes)


class Fix(Struct, frozen=True):
    """A repair as edits: applied whole or not at all."""

    title: str
    applicability: Applicability
    edits: tuple[Edit, ...]
