"""What happens while a tool runs: reads, sleeps, waits for work, and the loops they happen in."""

from __future__ import annotations

from dataclasses import dataclass, field

from msgspec import Struct

from waitlint.catalog import Api
from waitlint.facts import Loop
from waitlint.finding import Place
from waitlint.interpret.frames import Frame
from waitlint.interpret.values import Counter, Outside, Signal, Value, fixed_at
from waitlint.measures import Passing

ENDS_WITH_ITEMS = "it ends with what it goes through"
ENDS_WITH_POSITIONS = "it ends with the positions of a list"


class Scope(Struct, frozen=True):
    """A bound around a part of the run: `seconds` in seconds, or the other arms of a race.

    A race ends in time and leaves its losers running, unless the code around it is `tidy`: it cancels. It is
    `is_open` where it is not in view what else may end it. A shielded scope keeps the cancels from outside away.
    `since` is the serial at which its time began to run, where that was before it.
    """

    seconds: Value | None
    signals: tuple[Signal, ...]
    place: Place
    serial: int
    raises: bool = True
    is_race: bool = False
    is_shielded: bool = False
    tidy: bool = False
    is_open: bool = False
    since: int | None = None

    @property
    def began(self) -> int:
        """When its time began to run."""
        return self.serial if self.since is None else self.since

    @property
    def fixed_at(self) -> int:
        """The serial at which it was fixed when its time is up."""
        return fixed_at(self.seconds, self.began)


@dataclass(slots=True)
class Event:
    """A read, a sleep, a wait for work (`block`), a sign of progress (`progress`) or a swallowed cancel (`swallow`).

    `in_async` where it runs on an event loop, `blocking` where it holds its thread. `outlives` is the serial at which
    something began that runs on after the bounds that were set before, else 0.

    `length` is the pause of a sleep or the timeout of a read or wait, in the unit of `scale`; None where it has none
    and Unknown where that can't be told. `signals` are those that were passed to it; `opaque` where something was
    passed that may hold one, and `detail` is `either` where it is the user's stop or the deadline's signal. `frames` is
    the chain of calls, outermost first, and `loops` the serials of the loops around it.
    """

    kind: str
    api: Api | None
    label: str
    place: Place
    length: Value | None
    scale: float
    signals: tuple[Signal, ...]
    opaque: bool
    frames: tuple[Frame, ...]
    loops: tuple[int, ...]
    scopes: tuple[Scope, ...]
    in_handler: bool
    after_failure: bool
    serial: int
    in_async: bool = False
    blocking: bool = False
    detail: str = ""
    outlives: int = 0
    passing: Passing = Passing.SOMETIMES


@dataclass(slots=True)
class CapFound:
    """A bound that ends a loop. `how` is `clock`, `count`, `items`, `signal`, `scope` or `timer`.

    `goes_on` where the lap is seen to go on behind the test that asks for it.
    """

    how: str
    limit: Value
    scale: float
    place: Place
    counter: Counter | None = None
    goes_on: bool = field(default=False, compare=False)


class Taken(Struct, frozen=True):
    """A handler that takes what a stop throws in the calls with serials after `first`, up to `last`."""

    first: int
    last: int
    place: Place


@dataclass(slots=True)
class LoopRun:
    """One loop as it was run.

    `caps` are the bounds that it tests, and `leaves_at_cap` is True if some path really leaves it there.
    `weak_counters` do not count every lap. `states` are the names it compares with. `unknown_exit` says why it may end
    for reasons that are not in view; at `exit_states` it is known to end, and `exits_otherwise` where anything else
    ends it too. `around` are the loops it runs in. `laps_again` is True if a lap can follow a lap. `asks_state`
    where it goes on or ends by what comes from outside, other than a failure; `changed` are the arguments that a
    function which calls itself does not hand on as they are. `asked` are the calls into code that is not in view,
    which its laps make, and `handed` is what of the outside they hand on.
    `ended` is the serial at which it was over. `loosened` are the names whose value may differ on later laps: what they
    were, and what is known of them. `left_at` are the statements by which its function ends once the cap is reached.
    `stop_seen` are the serials at which the stop signal ends a call or is asked about, `taken` the handlers that take
    what it throws.
    """

    serial: int
    loop: Loop
    place: Place
    frames: tuple[Frame, ...]
    scopes: tuple[Scope, ...]
    around: tuple[int, ...]
    caps: list[CapFound] = field(default_factory=list)
    weak_counters: list[Counter] = field(default_factory=list)
    states: set[str] = field(default_factory=set)
    tests_outside: bool = False
    unknown_exit: str = ""
    stops: list[Signal] = field(default_factory=list)
    laps_again: bool = False
    exit_states: set[str] = field(default_factory=set)
    exits_otherwise: bool = False
    asks_state: bool = False
    changed: set[str] = field(default_factory=set)
    leaves_at_cap: bool = False
    stop_seen: list[int] = field(default_factory=list)
    taken: list[Taken] = field(default_factory=list)
    passing: Passing = Passing.SOMETIMES
    asked: set[Place] = field(default_factory=set)
    handed: list[Outside] = field(default_factory=list)
    ended: int = 0
    loosened: dict[str, tuple[Value, Value]] = field(default_factory=dict)
    left_at: list[Place] = field(default_factory=list)


class Outcome(Struct, frozen=True):
    """One way in which a run ends. `tag` is the serial of the wait whose cap led to it."""

    kind: str
    value: Value
    tag: int | None
    place: Place | None
