"""What is found out of a promise that is made by hand: what settles it, with what, and when."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from msgspec import Struct

from waitlint.finding import Place

if TYPE_CHECKING:
    from waitlint.interpret.values import FunctionRef, Instance, Signal, Value


class Ticks(Struct, frozen=True):
    """A callback that runs again and again, every so many `seconds`."""

    callback: FunctionRef
    seconds: Value
    place: Place


class Settlement(Struct, frozen=True):
    """What a promise is settled with. `tag` is the serial of the wait whose cap led to it."""

    value: Value
    rejects: bool = False
    tag: int | None = None
    place: Place | None = None


@dataclass(slots=True, eq=False)
class PromiseCell:
    """What is found out to settle a promise that is made by hand: a timer in seconds, signals, or code in view.

    `settled` is what code settled it with while it was made, `late` what a timer or a deadline settles it with.
    `ticks` is a callback that looks again and again whether to settle it. `by_others` where code that is not in
    view calls back to settle it, `worked` where work that was started settles it and its timer only bounds that.
    `children` are the commands whose ends settle it. `strangers` where some of those others may take their time,
    `heard` where they tell of an event, `kept` where what settles it was put somewhere for others to find.
    """

    timer: Value | None = None
    signals: list[Signal] = field(default_factory=list)
    settled: list[Settlement] = field(default_factory=list)
    late: list[Settlement] = field(default_factory=list)
    ticks: Ticks | None = None
    by_others: bool = False
    worked: bool = False
    children: list[Instance] = field(default_factory=list)
    strangers: bool = False
    heard: bool = False
    kept: bool = False
