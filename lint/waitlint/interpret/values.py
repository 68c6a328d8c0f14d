"""What an expression can be known to be. Values are immutable but for the fields of an `Instance`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct

from waitlint.facts import Piece
from waitlint.finding import Place
from waitlint.interpret.settling import PromiseCell

if TYPE_CHECKING:
    from waitlint.interpret.frames import Frame


class Unknown(Struct, frozen=True):
    """Nothing is known, and why."""

    reason: str = ""


class Constant(Struct, frozen=True):
    """A number, truth value or nothing.

    `origin` is where the number is written; `at_most` where it is an upper bound.
    """

    value: int | float | bool | None
    origin: Place | None = None
    at_most: bool = False

    @property
    def number(self) -> float | None:
        if isinstance(self.value, bool) or self.value is None:
            return None
        return float(self.value)


class TextPart(Struct, frozen=True):
    """A piece of literal text and its file."""

    path: str
    piece: Piece


class Textual(Struct, frozen=True):
    """A string: literal parts, with None for what could not be resolved. `held` are the values that are put into it."""

    parts: tuple[TextPart | None, ...]
    place: Place | None = None
    held: tuple[Value, ...] = ()

    def __hash__(self) -> int:
        return hash(self.place if self.place is not None else self.parts)

    @property
    def literal(self) -> str | None:
        parts = self.parts
        if len(parts) == 1:
            return parts[0].piece.text if parts[0] is not None else None
        if None in parts:
            return None
        return "".join([part.piece.text for part in parts if part is not None])

    @property
    def known_text(self) -> str:
        return "".join("\ufffc" if part is None else part.piece.text for part in self.parts)


class FilePath(Struct, frozen=True):
    """The path of a file or folder, or that file opened, with forward slashes.

    `anchored` where it counts from the link root; otherwise from the working folder of whoever runs the code.
    """

    path: str
    anchored: bool = True


class External(Struct, frozen=True):
    """A module, function, class or object outside the project, by its qualified name (`httpx.Client`)."""

    name: str


class MethodOf(Struct, frozen=True):
    """An attribute of a value that the project does not define: most often a method about to be called."""

    owner: Value
    name: str


class ModuleRef(Struct, frozen=True):
    path: str


class FunctionRef(Struct, frozen=True):
    """A function of the project with its enclosing frame, and its receiver if it is a bound method.

    `plain` is the function without its decorators.
    """

    path: str
    index: int
    frame: Frame | None = None
    receiver: Value | None = None
    bound: tuple[tuple[str | None, Value], ...] = ()
    plain: bool = False


class ClassRef(Struct, frozen=True):
    path: str
    index: int
    frame: Frame | None = None


@dataclass(slots=True, eq=False)
class Instance:
    """An object. `type` is a class of the project or outside it; `args` are those of its construction."""

    type: ClassRef | External
    args: tuple[tuple[str | None, Value], ...] = ()
    fields: dict[str, Value] = field(default_factory=dict)
    made_at: Place | None = None
    serial: int = 0

    def argument(self, name: str, position: int | None = None) -> Value | None:
        return pick(self.args, name, position)


class Above(Struct, frozen=True):
    """An object as the bases of the class `ref` see it: `super()`."""

    receiver: Value
    ref: ClassRef


class Record(Struct, frozen=True):
    """A dict or object literal. `open` where entries may be missing."""

    entries: Mapping[str, Value]
    open: bool = False
    place: Place | None = None
    places: Mapping[str, Place] = {}


class Items(Struct, frozen=True):
    """A list, tuple, set or `range`. `count` is its length if that is all that is known."""

    items: tuple[Value, ...]
    open: bool = False


class Laps(Struct, frozen=True):
    """What `range(n)` yields: `count` laps."""

    count: Value
    place: Place


class ModelArgument(Struct, frozen=True):
    """A value that the model chooses, with its default and the greatest value that its schema allows.

    The whole input of a tool has no name, and its arguments as `fields`. `other_than` is a value that says that none
    was given, where it is known not to be that.
    """

    name: str
    default: Value | None = None
    maximum: Value | None = None
    place: Place | None = None
    fields: Mapping[str, ModelArgument] = {}
    other_than: Constant | None = None

    def __hash__(self) -> int:
        return hash((self.name, self.default, self.maximum, self.place))


class ToolContext(Struct, frozen=True):
    """What a framework hands to a handler. `signal_path` leads from here to the stop signal (`mcpReq.signal`).

    The path `*` is for a context of which nothing is known: what is called a signal there is one.
    """

    signal_path: tuple[str, ...]
    place: Place | None = None


class Deadline(Struct, frozen=True):
    """A timer that fires a signal after `seconds`.

    `serial` orders it against loops: one that is started inside a loop does not bound it, unless it fires when an
    instant comes that was fixed before.
    """

    seconds: Value
    serial: int

    @property
    def fixed_at(self) -> int:
        """The serial at which it was fixed when this fires."""
        return fixed_at(self.seconds, self.serial)


class Signal(Struct, frozen=True):
    """A stop signal, the signal of one or more deadlines, or both combined.

    With neither, it can't be told who fires it.
    """

    stop: bool
    deadlines: tuple[Deadline, ...] = ()
    place: Place | None = None

    @property
    def deadline(self) -> bool:
        return bool(self.deadlines)

    def bounds(self, loop: int) -> bool:
        """Whether it ends a loop with this serial: one of its deadlines was fixed before."""
        return any(deadline.fixed_at < loop for deadline in self.deadlines)


class Now(Struct, frozen=True):
    """A reading of a clock. `scale` turns its unit into seconds."""

    scale: float
    serial: int = 0


class Instant(Struct, frozen=True):
    """A moment `after` the clock was read, in the unit of `scale`."""

    after: Value
    scale: float
    place: Place | None = None
    serial: int = 0


class Elapsed(Struct, frozen=True):
    """The time since the clock was first read, in the unit of `scale`."""

    scale: float
    serial: int = 0


class Remaining(Struct, frozen=True):
    """The time left until an instant, perhaps limited further."""

    instant: Instant
    limit: Value | None = None


def fixed_at(seconds: Value | None, started: int) -> int:
    """The serial at which it was fixed when a bound is over: where it runs until an instant, that of the instant."""
    return seconds.instant.serial if isinstance(seconds, Remaining) else started


def time_left(value: Value) -> Value:
    """The time until an instant, where a bound is given as one; else the value."""
    return Remaining(value) if isinstance(value, Instant) else value


class Counter(Struct, frozen=True):
    """A variable that changes by `step` in the loop with the serial `loop`.

    `counts` is `each` lap, only in an error `handler`, or on `some` laps. `grows_by` is the name of what it adds, where
    the loop changes that, too.
    """

    name: str
    start: Value
    step: Value
    counts: str
    loop: int
    place: Place
    grows_by: str = ""


class Outside(Struct, frozen=True):
    """Something read from the outside world, or derived from it. `certain` where the call is known to read.

    `source` is the qualified name of the call that gave it, as far as that is known. `serial` says when it was read.
    `of` are the classes of the project that it is said to be an object of, one of them.
    """

    place: Place
    path: tuple[str, ...] = ()
    certain: bool = False
    source: str = ""
    serial: int = 0
    of: tuple[ClassRef, ...] = ()

    def __eq__(self, other: object) -> bool:
        """Two readings of the same are equal, whenever they were made."""
        return isinstance(other, Outside) and (
            self.place == other.place
            and self.path == other.path
            and self.certain == other.certain
            and self.source == other.source
        )

    def __hash__(self) -> int:
        return hash((self.place, self.path, self.certain, self.source))

    def part(self, name: str, place: Place | None = None) -> Outside:
        """An entry, a field or the answer of a method."""
        return Outside(place or self.place, (*self.path, name)[-4:], self.certain, self.source, self.serial)


class Resolver(Struct, frozen=True):
    """The function that settles a promise."""

    cell: PromiseCell
    rejects: bool = False


class Deferred(Struct, frozen=True):
    """A coroutine or promise that has not been awaited: what runs when it is.

    A promise made by hand has a `cell` that says what settles it. `waits_for` are signals that it only waits for.
    `serial` orders its start against loops. `frames` are the calls that led to it.
    """

    run: Callable[[], Value] | None
    place: Place
    cell: PromiseCell | None = None
    waits_for: tuple[Signal, ...] = ()
    serial: int = 0
    frames: tuple[Frame, ...] = ()

    @property
    def timer(self) -> Value | None:
        """The seconds after which it settles, if only time or a signal settles it."""
        return self.cell.timer if self.cell is not None else None

    @property
    def signals(self) -> tuple[Signal, ...]:
        """The signals that settle it."""
        own = tuple(self.cell.signals) if self.cell is not None else ()
        return tuple(dict.fromkeys((*self.waits_for, *own)))


class Choice(Struct, frozen=True):
    """One of several values. `tag` is the serial of the wait whose cap led to it, or None."""

    options: tuple[tuple[int | None, Value], ...]


# ---------------------------------------------------------------- tests


class CapTest(Struct, frozen=True):
    """True if `passed` and the bound is reached, or if not `passed` and it isn't.

    `kind` is `clock` (the limit is in the unit of `scale`) or `count` (of `counter`). `serial` is when the clock was
    first read, or the loop that counts.
    """

    kind: str
    limit: Value
    scale: float
    passed: bool
    counter: Counter | None = None
    serial: int = 0


class StopTest(Struct, frozen=True):
    """True if the signal has fired (`fired`) or has not."""

    signal: Signal
    fired: bool


class StateTest(Struct, frozen=True):
    """A test of something outside, or of something unknown. `states` are the names it is compared with.

    `failed` is set where it asks whether a request failed: True if yes means that it failed (`status == 429`), False if
    yes means that it did not (`response.ok`). `excluded` where yes means that it is none of `states`. `invariant` where
    its answer is the same on every lap, so that it bounds no loop. `asked_for` is set where it asks whether an option
    is on that is off by default: True if yes means that it is.
    """

    outside: bool
    states: tuple[str, ...] = ()
    failed: bool | None = None
    invariant: bool = False
    excluded: bool = False
    asked_for: bool | None = None


class Both(Struct, frozen=True):
    left: Value
    right: Value


class Either(Struct, frozen=True):
    left: Value
    right: Value


Value: TypeAlias = (
    Unknown
    | Constant
    | Textual
    | FilePath
    | External
    | MethodOf
    | ModuleRef
    | FunctionRef
    | ClassRef
    | Instance
    | Above
    | Record
    | Items
    | Laps
    | ModelArgument
    | ToolContext
    | Signal
    | Now
    | Instant
    | Elapsed
    | Remaining
    | Counter
    | Outside
    | Deferred
    | Resolver
    | Choice
    | CapTest
    | StopTest
    | StateTest
    | Both
    | Either
)

NOTHING = Constant(None)
ENVIRONMENT = Unknown("an environment variable")
OFF_BY_DEFAULT = Unknown("an option that is off by default")
TRUE = Constant(True)
FALSE = Constant(False)


def is_nothing(value: Value) -> bool:
    return isinstance(value, Constant) and value.value is None


def pick(args: tuple[tuple[str | None, Value], ...], name: str | None, position: int | None) -> Value | None:
    """The argument of a keyword, else at a position among those without a keyword."""
    if name is not None:
        for key, value in args:
            if key == name:
                return value
    if position is not None:
        plain = [value for key, value in args if key is None]
        if position < len(plain):
            return plain[position]
    return None
