"""How far a loop that was run can go: its bounds in laps and in time, and what comes of it at the cap."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence

from waitlint.facts import Assign, Binary, Call, Do, Expr, FileFacts, If, Loop, Name, Raise, Return, Stmt, Str
from waitlint.finding import Evidence, Place
from waitlint.interpret.alternatives import inside
from waitlint.interpret.errors import is_error
from waitlint.interpret.events import CapFound, LoopRun, Outcome
from waitlint.interpret.syntax import nodes
from waitlint.interpret.values import Constant, External, Instance, Outside, Record, Textual, Unknown, Value
from waitlint.linked import Certainty, Ending, Limit, Seconds
from waitlint.project.agents.exits import Bounds, may_be_a_bound
from waitlint.project.agents.machine import COMPARING
from waitlint.project.agents.runs import AgentRun, Way
from waitlint.project.agents.sayings import names_in, texts_from_model
from waitlint.project.durations import absent, number_of, seconds_of, unknown
from waitlint.project.endings import place_of
from waitlint.project.sources import Sources
from waitlint.spelled import body_around, tail, within

FIELDS = frozenset({"pydantic.Field", "dataclasses.field", "attrs.field", "attr.ib"})
OF_OBJECT = re.compile(r"\b(?:self|this|cls)\b|\bglobal\w*\b")
CLOCKS = ("clock", "signal", "timer")
SAYS = re.compile(
    r"\bmax|limit|exhaust|budget|\bstopp|terminat|without (?:a |an )?(?:final|answer|finish|result)|gave up|giving up|"
    r"could ?n[o']t|unable|not (?:finish|complete|done|verif|found)|incomplete|unfinished|too many|reached|exceed|"
    r"out of (?:steps|turns)|no (?:final )?(?:answer|plan|result)|fail|need more steps|time(?:d)? ?out",
    re.IGNORECASE,
)
STATE_KEYS = re.compile(
    r"status|state|stop_?reason|finish_?reason|exit_?reason|reason|truncated|complete[d]?|finished|done|success|ok|"
    r"error|exhausted|reached\w*|max\w*|timed_?out|converged|passed|steps|turns|iterations|rounds",
    re.IGNORECASE,
)
TELLERS = re.compile(r"print|log|warn|warning|error|info|debug|exception|critical|write|echo|emit|append|push|notify")


class Limits:
    """Reads bounds off loops that were run."""

    def __init__(self, sources: Sources, bounds: Bounds) -> None:
        self.sources = sources
        self.bounds = bounds

    # ------------------------------------------------------------ laps

    def steps(
        self,
        loop: LoopRun,
        run: AgentRun,
        facts: FileFacts,
        *,
        counts_failures: bool = False,
        floors: frozenset[Place] = frozenset(),
        asks: Callable[[Call], bool] | None = None,
        inner: Sequence[LoopRun] = (),
    ) -> Limit:
        """The greatest number of laps: known, absent where nothing counts them, else unknown.

        With `counts_failures` a count of laps that failed is one of all laps: only those lead on. `floors` are the
        comparisons that hold a least number of steps, which are no bound. With `asks`, which says whether a call
        reaches a model, a lap that ends before anything is asked in it is not counted. `inner` are the loops in
        its laps that are bounded by themselves, each time anew.
        """
        found = [
            self._counted(cap, loop, asks)
            for cap in self._leading_out(loop, run)
            if not _asks_for_floor(cap.place, floors)
        ]
        if counts_failures and loop.weak_counters:
            return Limit(Certainty.UNKNOWN, how=f"`{loop.weak_counters[0].name}` counts the failures")
        known = [limit for limit in found if limit.known]
        if known:
            return min(known, key=lambda limit: limit.value)
        if any(not limit.absent for limit in found):
            return next(limit for limit in found if not limit.absent)
        if run.run.cut_short:
            return Limit(Certainty.UNKNOWN, how="the code is too long to be followed to its end")
        reason = self._unclear(loop, run, facts, floors, inner)
        if reason:
            return Limit(Certainty.UNKNOWN, how=reason)
        if found:
            return found[0]
        endless = self._endless(loop, run)
        if endless is not None:
            return endless
        weak = tuple(
            Evidence(counter.place, f"`{counter.name}` does not count every lap") for counter in loop.weak_counters
        )
        return Limit(Certainty.ABSENT, 0.0, "no counter ends it", weak)

    def _endless(self, loop: LoopRun, run: AgentRun) -> Limit | None:
        """What says that it bounds the loop, and is infinite."""
        for place, origin in run.endless.items():
            if place.path != loop.place.path or not _stands_in(place, loop.loop.test):
                continue
            code = self.sources.code(place)
            how = f"`{code}` is no limit: it is infinite"
            if origin is None:
                return Limit(Certainty.ABSENT, 0.0, how)
            how += f" by default, {self.sources.where(origin)}" if origin.path == place.path else ""
            return Limit(Certainty.ABSENT, 0.0, how, (Evidence(origin, "the limit"),))
        return None

    def _leading_out(self, loop: LoopRun, run: AgentRun) -> list[CapFound]:
        """The counts at which the loop is left. A count that is only asked about is none."""
        counted = [cap for cap in loop.caps if cap.how == "count" and loop.leaves_at_cap]
        ways = run.ways.get(loop.serial, ())
        tests = {test for way in ways if way.at_cap or way.kind == "head" for test in way.tests}
        leading = [cap for cap in counted if cap.place in tests]
        if not leading:
            leading = [cap for cap in counted if "==" not in self.sources.excerpt(cap.place)]
        return [*leading, *(cap for cap in loop.caps if cap.how == "items")]

    def _counted(self, cap: CapFound, loop: LoopRun, asks: Callable[[Call], bool] | None) -> Limit:
        laps = number_of(_plain(cap.limit))
        counter = cap.counter
        where = self.sources.where(cap.place)
        code = self.sources.code(cap.place)
        if laps is not None and math.isinf(laps):
            return Limit(Certainty.ABSENT, 0.0, f"`{code}` is no limit: it is infinite, {where}", self._origin(cap))
        if laps is not None and counter is not None:
            start, step = number_of(counter.start), number_of(counter.step)
            if start is None or not step:
                return Limit(Certainty.UNKNOWN, how=f"`{counter.name}` counts in steps that are not known")
            laps = (laps - start) / step
            if asks is not None and laps > 1 and _ends_unasked(cap, counter.name, loop.loop, asks):
                laps -= 1
            elif asks is not None and _ends_asked(cap, counter.name, loop.loop, asks):
                laps += 1
        if laps is None:
            return Limit(Certainty.UNKNOWN, how=f"`{code}` bounds it, by a number that is not in view, {where}")
        return Limit(Certainty.KNOWN, laps, f"`{code}` = {laps:g} laps, {where}", self._origin(cap))

    def _origin(self, cap: CapFound) -> tuple[Evidence, ...]:
        origin = cap.limit.origin if isinstance(cap.limit, Constant) else None
        places = [Evidence(cap.place, "the laps are limited here")]
        if origin is not None and origin != cap.place:
            places.append(Evidence(origin, "the limit"))
        return tuple(places)

    def _unclear(
        self, loop: LoopRun, run: AgentRun, facts: FileFacts, floors: frozenset[Place], inner: Sequence[LoopRun]
    ) -> str:
        """Why the loop may be bounded all the same; "" where nothing that it tests can be a bound."""
        if loop.unknown_exit.endswith("counts some of the laps"):
            return loop.unknown_exit
        bodies = tuple(function.body for function in facts.functions)
        settled = {place: answer for place, answer in run.settled.items() if answer is not None} | run.failing
        settled |= dict.fromkeys(floors, True)
        written = self.bounds.of_loop(loop.loop, loop.place.path, bodies, settled)
        if written:
            return f"`{_short(written)}` may bound it"
        ways = run.ways.get(loop.serial, ())
        places = {test for way in ways if not _fails_inside(way, loop) for test in way.tests}
        places |= run.answers.get(loop.serial, set())
        places |= run.raised.get(loop.serial, set())
        checks = {test for way in ways for test in way.tests} - places
        anew = {test for test in places | checks if self._begins_anew(test, loop, inner)}
        places, checks = places - anew, checks - anew
        for place in sorted((places | checks) - settled.keys(), key=lambda place: (place.path, place.span.start)):
            if may_be_a_bound(self.bounds.open_text(place, settled), named=place in checks):
                return f"`{_short(self.bounds.text(place))}` may bound it, {self.sources.where(place)}"
        return ""

    def _begins_anew(self, test: Place, loop: LoopRun, inner: Sequence[LoopRun]) -> bool:
        """Whether a test bounds a loop of another function, by what that function has for itself in each call."""
        return not OF_OBJECT.search(self.bounds.text(test)) and any(
            one.place.path == test.path
            and one.place.span.start <= test.span.start < one.place.span.end
            and len(one.frames) > len(loop.frames)
            for one in inner
        )

    # ------------------------------------------------------------ time

    def time(self, loop: LoopRun, run: AgentRun) -> Seconds:
        """The bound of the loop as a whole in time."""
        found = [
            seconds_of(cap.limit, cap.scale)
            for cap in loop.caps
            if cap.how in CLOCKS and (cap.how != "clock" or loop.leaves_at_cap)
        ]
        found.extend(seconds_of(scope.seconds, 1.0) for scope in loop.scopes if scope.seconds is not None)
        known = [seconds for seconds in found if seconds.known]
        if known:
            return min(known, key=lambda seconds: seconds.value)
        unsure = [seconds for seconds in found if not seconds.absent]
        if unsure:
            return unsure[0]
        if run.run.cut_short:
            return unknown("the code is too long to be followed to its end")
        return absent("no clock ends it")

    # ------------------------------------------------------------ at the cap

    def ending(
        self, loop: LoopRun, run: AgentRun, facts: FileFacts, asks: Callable[[Call], bool]
    ) -> tuple[Ending, Evidence | None]:
        """What comes of a loop whose laps are spent. `asks` says whether a call reaches a model."""
        body = body_around(facts, loop.loop.span)
        told = self._told_after(loop, body)
        if told is not None:
            return Ending.ERROR, told
        last = self._last_said(loop, body, asks)
        if last[0] is not Ending.UNKNOWN:
            return last
        outcomes = [outcome for outcome in run.run.outcomes if outcome.tag == loop.serial]
        judged = [self._outcome(outcome, run) for outcome in outcomes]
        judged = [one for one in judged if one[0] is not Ending.UNKNOWN] or judged
        if not judged:
            return Ending.UNKNOWN, None
        for ending in (Ending.RAISES, Ending.ERROR, Ending.LAST_STATE):
            found = next((one for one in judged if one[0] is ending), None)
            if found is not None:
                return found
        return judged[0]

    def _last_said(
        self, loop: LoopRun, body: tuple[Stmt, ...], asks: Callable[[Call], bool]
    ) -> tuple[Ending, Evidence | None]:
        """The end of a loop behind which the name of what the model said last is returned as it is."""
        after = _after(loop.loop, body)
        last = after[0] if after else None
        if not isinstance(last, Return) or not isinstance(last.value, Name):
            return Ending.UNKNOWN, None
        if last.value.name not in texts_from_model(loop.loop.body, asks):
            return Ending.UNKNOWN, None
        place = Place(loop.place.path, last.span)
        return Ending.LOOKS_DONE, Evidence(place, "what comes back when the laps are spent")

    def _outcome(self, outcome: Outcome, run: AgentRun) -> tuple[Ending, Evidence | None]:
        value = outcome.value
        place = place_of(value) or outcome.place
        if outcome.kind == "raise":
            return Ending.RAISES, Evidence(place, "it raises when the laps are spent") if place is not None else None
        shown = Evidence(place, "what comes back when the laps are spent") if place is not None else None
        if is_error(value) or _says(value):
            return Ending.ERROR, shown
        if isinstance(value, Constant) and value.value is None:
            return Ending.NOTHING, shown
        if isinstance(value, Record) and any(STATE_KEYS.fullmatch(key) for key in value.entries):
            return Ending.LAST_STATE, shown
        if isinstance(value, Instance) and any(key and STATE_KEYS.fullmatch(key) for key, _ in value.args):
            return Ending.LAST_STATE, shown
        if isinstance(value, Constant) and value.value is False:
            return Ending.LAST_STATE, shown
        parts = list(inside(value, 5))
        if any(isinstance(part, Outside) and part.place in run.replies for part in parts) and not any(
            isinstance(part, Unknown) for part in parts
        ):
            return Ending.LOOKS_DONE, shown
        if isinstance(value, Textual) and value.literal == "":
            return Ending.NOTHING, shown
        return Ending.UNKNOWN, None

    def _told_after(self, run: LoopRun, body: tuple[Stmt, ...]) -> Evidence | None:
        """Where the code says, in a log line or on the screen, that the laps are spent."""
        loop, path = run.loop, run.place.path
        at_cap = {cap.place.span for cap in run.caps}
        for node in nodes(loop.body):
            if isinstance(node, If) and node.test.span in at_cap and (told := _told_in(node.body, path)) is not None:
                return told
        for stmt in (*loop.orelse, *_after(loop, body)):
            told = _told_in((stmt,), path) or self._asked_after(stmt, run)
            if told is not None or isinstance(stmt, Return | Raise):
                return told
        return None

    def _asked_after(self, stmt: Stmt, run: LoopRun) -> Evidence | None:
        """Where it is asked, behind the loop, whether the laps are spent: what is counted is compared once more."""
        named: set[str] = set()
        for node in nodes((run.loop,)):
            if any(getattr(node, "span", None) == cap.place.span for cap in run.caps):
                named |= names_in(node)  # type: ignore[arg-type]
        for node in nodes((stmt,)):
            if isinstance(node, If) and any(
                isinstance(one, Binary) and one.op in COMPARING and named & names_in(one)
                for one in nodes((Do(node.test.span, node.test),))
            ):
                return Evidence(Place(run.place.path, node.test.span), "it is asked here whether the laps are spent")
        return None


def _stands_in(place: Place, test: Expr | None) -> bool:
    return test is not None and within(place.span, test.span)


def _ends_unasked(cap: CapFound, name: str, loop: Loop, asks: Callable[[Call], bool]) -> bool:
    """Whether the last lap counts, reaches the cap and ends, all before a model is asked in it."""
    reached = counted = False
    for node in nodes(loop.body):
        if isinstance(node, Call) and asks(node) and node.span.start < cap.place.span.start:
            return False
        if isinstance(node, Binary) and node.span == cap.place.span:
            reached = node.op in (">=", ">", "==")
        elif isinstance(node, Assign) and isinstance(node.target, Name) and node.target.name == name:
            counted = counted or node.span.end <= cap.place.span.start
    return reached and counted


def _ends_asked(cap: CapFound, name: str, loop: Loop, asks: Callable[[Call], bool]) -> bool:
    """Whether a lap asks a model, then finds the cap reached, and would only count after that."""
    asked = any(
        isinstance(node, Call) and asks(node) and node.span.end <= cap.place.span.start for node in nodes(loop.body)
    )
    for node in nodes(loop.body):
        if isinstance(node, Binary) and node.span == cap.place.span:
            asked = asked and node.op in (">=", "==", "===")
        elif isinstance(node, Assign) and isinstance(node.target, Name) and node.target.name == name:
            asked = asked and node.span.end > cap.place.span.start
    return asked


def _asks_for_floor(place: Place, floors: frozenset[Place]) -> bool:
    """Whether a test is, or holds, a comparison with a least number of steps."""
    return any(floor.path == place.path and within(floor.span, place.span) for floor in floors)


def _fails_inside(way: Way, loop: LoopRun) -> bool:
    """Whether a way out is a failure that code below the loop finds, which mostly checks what it is given."""
    if way.kind != "raise" or way.place is None:
        return False
    inside = loop.place.span.start <= way.place.span.start < loop.place.span.end
    return way.place.path != loop.place.path or not inside


def _plain(limit: Value) -> Value:
    """A number, also where it is the default of a field of a model."""
    if isinstance(limit, Instance) and isinstance(limit.type, External) and limit.type.name in FIELDS:
        return limit.argument("default", 0) or Unknown("a field without a default")
    return limit


def _told_in(body: tuple[Stmt, ...], path: str) -> Evidence | None:
    for node in nodes(body):
        if isinstance(node, Call) and TELLERS.fullmatch(tail(node.func)):
            for inner in nodes((Do(node.span, node),)):
                if isinstance(inner, Str) and SAYS.search(_known_text(inner)):
                    return Evidence(Place(path, node.span), "it says so when the laps are spent")
    return None


def _says(value: Value) -> bool:
    return any(isinstance(part, Textual) and SAYS.search(part.known_text) for part in inside(value, 5))


def _known_text(text: Str) -> str:
    return "".join(getattr(piece, "text", " ") for piece in text.pieces)


def _short(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:59]}…"


def _after(loop: Loop, body: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
    """The statements that follow a loop in its block, and in the blocks around it."""
    for position, stmt in enumerate(body):
        if stmt is loop or (stmt.span == loop.span and isinstance(stmt, Loop)):
            return body[position + 1 :]
        if within(loop.span, stmt.span):
            inner: list[Stmt] = []
            for block in _blocks(stmt):
                found = _after(loop, block)
                inner.extend(found)
            return (*inner, *body[position + 1 :])
    return ()


def _blocks(stmt: Stmt) -> list[tuple[Stmt, ...]]:
    blocks: list[tuple[Stmt, ...]] = [
        block for name in ("body", "orelse", "final") if isinstance(block := getattr(stmt, name, None), tuple)
    ]
    blocks.extend(handler.body for handler in getattr(stmt, "handlers", ()))
    return blocks
