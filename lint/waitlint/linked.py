"""What is known once the facts of all files are linked: tools, their waits, reads and sleeps, the texts a model reads.

This is the whole vocabulary of the rules. Every number is three-valued and says where it comes from.
"""

from __future__ import annotations

import enum
from bisect import bisect_right

from msgspec import Struct

from waitlint.facts import Intent, Span, Text
from waitlint.finding import Evidence, Place
from waitlint.fix import SetOption
from waitlint.measures import Bound as Bound
from waitlint.measures import Certainty as Certainty
from waitlint.measures import Ending as Ending
from waitlint.measures import Measure
from waitlint.measures import Passing as Passing
from waitlint.measures import Reach as Reach
from waitlint.measures import Seconds as Seconds
from waitlint.names import callee, said


class Through(Struct, frozen=True):
    """A function of the project on the way from a handler down to a call.

    `signal` is the position of the parameter that takes a stop signal, -1 where none does, `name` its name, and
    `parameters` how many there are.
    """

    place: Place
    parameters: int
    signal: int = -1
    name: str = ""


class Read(Struct, frozen=True):
    """A call that asks the outside world for its state.

    `timeout` is its own bound. `stop` and `deadline` say whether the caller's signals arrive. `signal` is where the
    stop signal that misses it is bound, `missed_at` the call that does not hand it on. `callers` are the calls from
    the tool's handler down to it, outermost first. `api` is its qualified name, `takes_signal` where it has a place for
    a signal. `blocks_loop` where it holds the event loop of async code. `left_running` is the race that ends without it
    and does not stop it. `through` are the functions that `callers` call, `signal_name` what the signal that misses it
    is called. `asked_again` where a loop around it may ask once more, by what comes of it.
    """

    place: Place
    scope: str
    excerpt: str
    api: str
    timeout: Seconds
    stop: Reach
    deadline: Reach
    signal: Evidence | None = None
    missed_at: Place | None = None
    callers: tuple[Place, ...] = ()
    blocks_loop: bool = False
    takes_signal: bool = False
    left_running: Place | None = None
    through: tuple[Through, ...] = ()
    signal_name: str = ""
    asked_again: bool = False

    @property
    def called(self) -> str:
        """What messages call it."""
        return said(self.api, self.excerpt)


class Sleep(Struct, frozen=True):
    """A pause; the fields are those of `Read`, and `seconds` is its length."""

    place: Place
    scope: str
    excerpt: str
    api: str
    seconds: Seconds
    stop: Reach
    deadline: Reach
    signal: Evidence | None = None
    missed_at: Place | None = None
    callers: tuple[Place, ...] = ()
    blocks_loop: bool = False
    takes_signal: bool = False
    through: tuple[Through, ...] = ()
    signal_name: str = ""

    @property
    def called(self) -> str:
        """What messages call it."""
        return said(self.api, self.excerpt)


class Chosen(Struct, frozen=True):
    """A length of time, or a number of laps, that the model chooses.

    `what` is `cap`, `laps` or `pause`. `clamped` where a schema, a comparison, `min` or something around it limits it.
    `endless` where its default is no limit at all.
    """

    what: str
    name: str
    place: Place
    has_default: bool
    clamped: bool
    endless: bool = False


class Swallow(Struct, frozen=True):
    """A handler that takes a cancellation and carries on. `caught` names what it catches.

    `of_task` where only what runs already is awaited there: that may have been cancelled by others.
    """

    place: Place
    scope: str
    caught: str
    callers: tuple[Place, ...] = ()
    of_task: bool = False


class Wait(Struct, frozen=True):
    """A place where a tool waits for something outside to change.

    `kind` is `loop`, `call` (one blocking call) or `sleep`. `place` is the loop or call itself and `scope` the function
    it stands in. `cap` is nominal: pauses and laps, or the deadline. `worst` includes the reads. `pause` is the time
    between two reads. `most` is the greatest cap that the model can ask for, where it chooses. `within` is the wait
    that this one is a part of. `ending` is what comes back to the model at the cap, decided at `ending_place`, and
    `ending_ids` are the keys of the IDs of the work that come back with it. `doc` is the docstring of its function.
    `states` are the names that it compares with, `exit_states` those at which it ends; `exits_otherwise` where any
    other state ends it too. `blocks_loop` is for a `call` that holds the event loop of async code, `left_running` the
    bound that ends without it and leaves it running. `reports_progress` where a lap tells the client how far it is,
    `tells_something` where it sends anything or may. `between_laps` is True where only the head or body of the loop
    tests the deadline, `of_command` where a `call` is for a command of this machine, `of_quick_command` if short.
    `passing` says whether every way through the tool leads past it, `once` is False where one call of the tool may wait
    here several times, and `lap_of` is the wait whose laps a `call` or `sleep` is a part of. `is_guard` where a `call`
    is a timer that runs against work which is not in view, and which may be done at once. `command` is what a command
    of this machine shares with reads, where it has a place for a signal.
    """

    kind: str
    place: Place
    scope: str
    excerpt: str
    cap: Seconds
    worst: Seconds
    pause: Seconds
    bound: Bound
    ending: Ending
    ending_place: Evidence | None
    between_laps: bool
    reads: tuple[Read, ...]
    sleeps: tuple[Sleep, ...]
    states: tuple[str, ...] = ()
    callers: tuple[Place, ...] = ()
    most: Seconds | None = None
    within: Place | None = None
    chosen: Chosen | None = None
    exit_states: tuple[str, ...] = ()
    exits_otherwise: bool = False
    ending_ids: tuple[str, ...] = ()
    doc: str = ""
    reports_progress: bool = False
    tells_something: bool = False
    blocks_loop: bool = False
    left_running: Place | None = None
    of_command: bool = False
    of_quick_command: bool = False
    passing: Passing = Passing.SOMETIMES
    once: bool = True
    lap_of: Place | None = None
    is_guard: bool = False
    command: Read | None = None

    @property
    def called(self) -> str:
        """What messages call it, where it is a call."""
        return callee(self.excerpt)


class ToolText(Struct, frozen=True):
    """A text that a model reads, with the file it stands in.

    `path` is the file that it begins in; `paths` holds pairs (offset in the text, file from there on) where it comes
    from several. `owner` is the name of the tool whose text it is, else "". `surface` is the surface of the file, or
    the framework that hands the text to the model. `built` where it is put together from parts, so that it can't be
    rewritten in one place. `deliberate` where its file is meant to be a loop, and `confidence` is low where what its
    file says is to be taken with care.
    """

    path: str
    surface: str
    text: Text
    owner: str = ""
    paths: tuple[tuple[int, str], ...] = ()
    built: bool = False
    deliberate: bool = False
    confidence: str = "high"

    def place(self, start: int, end: int) -> Place:
        """Where the characters from `start` to `end` of the text stand in their file."""
        path = self.path
        for offset, other in self.paths:
            if offset <= start:
                path = other
        first = self._source_offset(start)
        last = self._source_offset(max(start, end - 1))
        return Place(path, Span(first, max(first, last) + 1))

    def _source_offset(self, offset: int) -> int:
        places = self.text.places
        index = bisect_right(places, offset, key=lambda pair: pair[0]) - 1
        if index < 0:
            return self.text.span.start
        text_offset, source_offset = places[index]
        return source_offset + offset - text_offset


class StateSet(Struct, frozen=True):
    """A list of the states that something can be in, as code writes it down: an enum, a union of literals, a tuple."""

    place: Place
    name: str
    states: tuple[str, ...]


class Parameter(Struct, frozen=True):
    """An argument that the model chooses."""

    name: str
    place: Place
    description: ToolText | None = None
    required: bool = True


class Tool(Struct, frozen=True):
    """A tool that a model can call.

    `description` is the text the model reads; None where there is none, unless `description_unknown` says why it can't
    be told. `body` is False for a tool whose code is not in view (a manifest). `returns_states` are state names that it
    can hand back, `answers` the strings in what it returns and raises; `takes` and `gives` are the keys of IDs that it
    takes and returns. `offers_stop` where the framework hands a stop signal to the handler, in the parameter and by the
    path of `stop_at`; `takes_stop` where the handler takes it, or hands what holds it to code that is not in view.
    `offers_progress` where the framework can report progress, `takes_channel` where the handler takes the object by
    which it would. `sync_runs` says how the framework runs a synchronous body: `inline` on its event loop, in a
    `thread`, or unknown. `unknown` are calls into code that is not in view, which may wait. `limit` is how long the
    framework is told to let it run, whether or not it can hold the handler to that.
    """

    name: str
    place: Place
    framework: str
    confidence: str
    description: ToolText | None = None
    description_unknown: str = ""
    definition: Place | None = None
    handler: Place | None = None
    body: bool = True
    parameters: tuple[Parameter, ...] = ()
    waits: tuple[Wait, ...] = ()
    reads: tuple[Read, ...] = ()
    sleeps: tuple[Sleep, ...] = ()
    texts: tuple[ToolText, ...] = ()
    returns_states: tuple[str, ...] = ()
    takes: tuple[str, ...] = ()
    gives: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()
    offers_stop: bool = False
    stop_at: tuple[int, str] | None = None
    takes_stop: bool = False
    offers_progress: bool = False
    takes_channel: bool = False
    swallows: tuple[Swallow, ...] = ()
    is_async: bool = False
    sync_runs: str = "unknown"
    understood: bool = True
    unknown: tuple[str, ...] = ()
    limit: Seconds = Seconds(Certainty.ABSENT)


class Mentioned(Struct, frozen=True):
    """An intent of a text with the tools that its mentions mean, as far as that is certain."""

    text: ToolText
    intent: Intent
    place: Place
    tools: tuple[Tool, ...] = ()


# ---------------------------------------------------------------- the agent's own loop


class Known(enum.StrEnum):
    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"


class Answer(Struct, frozen=True):
    """Yes, no or unknown, in words how that is known, and the places that show it."""

    known: Known
    how: str = ""
    places: tuple[Evidence, ...] = ()

    @property
    def yes(self) -> bool:
        return self.known is Known.YES

    @property
    def no(self) -> bool:
        return self.known is Known.NO


UNANSWERED = Answer(Known.UNKNOWN)


class Limit(Measure, frozen=True):
    """A number of steps or attempts."""


class Asking(Struct, frozen=True):
    """A request that an agent's loop makes: of the model (`kind` is `model`) or of a tool (`tool`).

    `timeout` is its own bound, `own` where the project sets it and `option` how: at the call or for its client.
    """

    kind: str
    place: Place
    scope: str
    excerpt: str
    api: str
    timeout: Seconds
    own: bool = False
    callers: tuple[Place, ...] = ()
    option: SetOption | None = None

    @property
    def called(self) -> str:
        """What messages call it."""
        return said(self.api, self.excerpt)


class Dispatch(Struct, frozen=True):
    """A place where a tool is run by the name that the model gave.

    `by` is how the name is looked up, `runs` the call that runs what was found. `refuses` says whether an unknown name
    is refused so that model or caller hears of it; `validates` whether the arguments are checked, or wrong ones told.
    """

    place: Place
    scope: str
    excerpt: str
    by: str
    refuses: Answer
    validates: Answer
    runs: Place | None = None


class Trail(Struct, frozen=True):
    """What a loop leaves behind for those who ask later what it did, and whether that is redacted or cut short."""

    tool: Answer = UNANSWERED
    inputs: Answer = UNANSWERED
    observation: Answer = UNANSWERED
    time: Answer = UNANSWERED
    redacted: Answer = UNANSWERED


class Floor(Struct, frozen=True):
    """A least number of steps that the code holds. `depth` names the kind of question it is for, "" for all."""

    steps: float
    depth: str
    place: Place


class AgentLoop(Struct, frozen=True):
    """A loop in which a model's answer decides whether and how it goes on.

    `kind` is `loop`, `rounds` (one that makes all its laps), `recursion` or `run` (a framework's, which `framework`
    names; `place` is then the call that runs it, or makes what runs). `scope` is the function around it, `excerpt` its
    head. `unit` is what `steps` counts. `ending` is what comes of it when they are spent, decided at `ending_place`,
    and `asks_how_it_ended` whether the code around a run looks for the reason. `time` bounds the loop as a whole;
    `spend` is a bound in tokens or money. `uses_tools` where tools are run in it, `runs_any` where any agent may be
    handed to it. `output` says whether what a tool gives is cut before the model reads it, `repeats` whether the same
    call again is noticed, `verification` whether the result is checked, `replanning` how often it may be done again.
    `floors` are the least numbers of steps in code, `signal` whether it looks for a done marker and nothing less,
    `markers` the literals that it looks for, `loose_markers` those that it finds anywhere in the prose. `exits_freely`
    where it also ends without them. `texts` are what the model is told in it. `outer` is how many requests end the run
    that it is a part of. `option` is how its step cap is set. `only_reads` is where the model is told that it only
    reads, and then where its tools write all the same; `forced` says whether all its steps are made, whatever is found.
    """

    kind: str
    place: Place
    scope: str
    excerpt: str
    confidence: str
    steps: Limit
    framework: str = ""
    unit: str = "steps"
    ending: Ending = Ending.UNKNOWN
    ending_place: Evidence | None = None
    asks_how_it_ended: Answer = UNANSWERED
    time: Seconds = Seconds(Certainty.UNKNOWN)
    spend: Answer = UNANSWERED
    askings: tuple[Asking, ...] = ()
    uses_tools: Answer = UNANSWERED
    runs_any: bool = False
    dispatches: tuple[Dispatch, ...] = ()
    output: Answer = UNANSWERED
    repeats: Answer = UNANSWERED
    verification: Answer = UNANSWERED
    replanning: Limit = Limit(Certainty.UNKNOWN)
    trail: Trail = Trail()
    floors: tuple[Floor, ...] = ()
    signal: Answer = UNANSWERED
    markers: tuple[str, ...] = ()
    loose_markers: tuple[str, ...] = ()
    exits_freely: Answer = UNANSWERED
    texts: tuple[ToolText, ...] = ()
    callers: tuple[Place, ...] = ()
    outer: float | None = None
    option: SetOption | None = None
    only_reads: tuple[Evidence, ...] = ()
    forced: Answer = UNANSWERED


class AgentStart(Struct, frozen=True):
    """A call that starts the run of an agent which a stop signal can end.

    `place` is the head of the call, `call` the whole. `api` is its name in the catalog. `goes_on` says whether the
    model may be asked more than once, so that a stop can come in between; `takes_stop` whether the run is handed a stop
    signal, `at_hand` where one is at hand, which is written there as `signal`. `outlives` where the run is meant to go
    on after its reader has left, so that a stop must not end it.
    """

    place: Place
    call: Place
    scope: str
    excerpt: str
    framework: str
    api: str
    at_hand: Evidence | None = None
    signal: str = ""
    goes_on: Answer = UNANSWERED
    takes_stop: Answer = UNANSWERED
    outlives: Answer = UNANSWERED


class Retry(Struct, frozen=True):
    """A place that tries a request again after it failed. `by` is the library, or `loop` where it is written by hand.

    `attempts` is its limit of attempts, `time` its deadline; `asks` is the request, `of_model` where it is one to a
    model. `option` is how a library's limit is set.
    """

    place: Place
    scope: str
    excerpt: str
    by: str
    attempts: Limit
    time: Seconds
    asks: Evidence | None = None
    of_model: bool = False
    confidence: str = "high"
    option: SetOption | None = None
