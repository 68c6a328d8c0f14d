"""From what a run noted to the waits, reads and sleeps of a tool."""

from __future__ import annotations

import re
from collections.abc import Iterable

from msgspec.structs import replace

from waitlint.facts import Loop, Span
from waitlint.finding import Evidence, Place
from waitlint.interpret.cancels import OF_TASK
from waitlint.interpret.events import ENDS_WITH_ITEMS, ENDS_WITH_POSITIONS, CapFound, Event, LoopRun, Scope
from waitlint.interpret.frames import Frame
from waitlint.interpret.processes import QUICK
from waitlint.interpret.runs import Run
from waitlint.interpret.values import Constant, Counter, ModelArgument, Unknown, Value
from waitlint.linked import Bound, Certainty, Ending, Reach, Read, Seconds, Sleep, Swallow, Wait
from waitlint.project.arriving import deadline_reach, left_running, stop_reach
from waitlint.project.busy import asks_again, is_busy
from waitlint.project.choices import chosen_by_call, chosen_in_loop
from waitlint.project.durations import absent, known, number_of, seconds_of, unknown, written
from waitlint.project.endings import Cap, ending_of
from waitlint.project.merging import greatest, innermost, repeated, unique
from waitlint.project.paging import takes_pieces
from waitlint.project.retrying import pauses_to_retry, tries_again
from waitlint.project.sources import Sources
from waitlint.project.stepping import of_steps
from waitlint.project.ticking import ticks_of
from waitlint.project.ways import signal_name, ways_of

WORDS = {"clock": "the deadline", "signal": "the deadline's signal", "timer": "a timer", "scope": "the bound around it"}
SHORTEST_WAIT = 2.0
TELLS = re.compile(
    r"progress|notif|writer|\bemit|dispatch|on_?(?:update|text|event)|"
    r"\b(?:ctx|context|extra|log)\.(?:\w+\.)?(?:info|log|debug|warn\w*|error|report\w*|send\w*)\b",
    re.IGNORECASE,
)
AFTER_HEAD = re.compile(r"[{:][ \t]*(?:(?:#|//)[^\n]*)?\s*(?:const|let|var|return|await|yield)?\s*$")
BOUNDS = {
    "clock": Bound.CLOCK,
    "count": Bound.LAPS,
    "items": Bound.LAPS,
    "signal": Bound.SIGNAL,
    "timer": Bound.SIGNAL,
    "scope": Bound.SCOPE,
}


class Summary:
    """The waits, reads and sleeps of one run, in the words of the linked facts."""

    def __init__(self, run: Run, sources: Sources) -> None:
        self.run = run
        self.sources = sources
        self.reads: dict[int, Read] = {}
        self.sleeps: dict[int, Sleep] = {}
        for event in run.events:
            if event.kind == "read":
                self.reads[event.serial] = self._read(event)
            elif event.kind == "sleep":
                self.sleeps[event.serial] = self._sleep(event)

    def waits(self) -> tuple[Wait, ...]:
        by_loop = {loop.serial: wait for loop in self.run.loops if (wait := self._loop_wait(loop)) is not None}
        found = [self._nested(loop, by_loop) for loop in self.run.loops if loop.serial in by_loop]
        inside_loops = {loop.serial for loop in self.run.loops}
        for event in self.run.events:
            single: Wait | None = None
            if event.kind == "block":
                single = self._block_wait(event)
            elif event.kind == "sleep" and not inside_loops & set(event.loops):
                single = self._sleep_wait(event)
            if single is not None:
                single = replace(single, lap_of=innermost(event.loops, by_loop))
                found.append(repeated(single) if self._repeats(event.loops, by_loop) else single)
        return unique(found)

    def _nested(self, loop: LoopRun, by_loop: dict[int, Wait]) -> Wait:
        """A wait, with the wait that it is a part of."""
        own = replace(by_loop[loop.serial], within=innermost(loop.around, by_loop))
        return repeated(own) if self._repeats(loop.around, by_loop) else own

    def _repeats(self, around: tuple[int, ...], by_loop: dict[int, Wait]) -> bool:
        """Whether a loop that is no wait itself, over items or attempts, runs what stands in it again and again."""
        laps = {loop.serial for loop in self.run.loops if loop.laps_again}
        return any(serial in laps and serial not in by_loop for serial in around)

    # ------------------------------------------------------------ loops

    def _loop_wait(self, loop: LoopRun) -> Wait | None:
        events = [event for event in self.run.events if loop.serial in event.loops]
        own = [event for event in events if event.loops[-1] == loop.serial]
        pauses = [event for event in own if event.kind == "sleep"]
        waiting = [event for event in pauses if not event.in_handler and not event.after_failure]
        waiting = waiting or ticks_of(loop, own)
        if of_steps(loop, waiting, self.sources):
            return None
        reads = [event for event in events if event.kind == "read"]
        if not loop.laps_again or not (reads or loop.tests_outside):
            return None
        if not waiting and not is_busy(loop, events, self.sources):
            return None
        if takes_pieces(loop, events, self.sources) or tries_again(loop.loop):
            return None
        if pauses_to_retry(loop, waiting, self._head(loop), self.sources):
            return None
        if loop.unknown_exit == ENDS_WITH_POSITIONS or (loop.unknown_exit == ENDS_WITH_ITEMS and not loop.states):
            return None
        pause = self._pause(waiting)
        cap, bound = self._cap(loop, pause, waiting)
        linked_reads = tuple(self._read(event, loop.serial) for event in reads)
        end = self._end(loop, cap, bound)
        between = bound in (Bound.CLOCK, Bound.PAUSES) and any(read.deadline is Reach.MISSES for read in linked_reads)
        return Wait(
            kind="loop",
            place=self._head(loop),
            scope=loop.frames[-1].scope if loop.frames else "",
            excerpt=self._code(self._head(loop)),
            cap=cap,
            worst=self._worst(cap, bound, pause, linked_reads, loop),
            pause=pause,
            bound=bound,
            ending=end.ending,
            ending_place=end.place,
            ending_ids=end.ids,
            between_laps=between,
            reads=linked_reads,
            sleeps=tuple(self._sleep(event, loop.serial) for event in waiting),
            states=tuple(sorted(loop.states)),
            callers=_callers(loop.frames),
            most=self._most(loop, pause, waiting),
            chosen=chosen_in_loop(loop, waiting, self.run.limited),
            exit_states=tuple(sorted(loop.exit_states)),
            exits_otherwise=loop.exits_otherwise,
            doc=_doc(loop),
            reports_progress=any(event.kind == "progress" for event in events),
            tells_something=self._tells_something(loop, events),
            passing=loop.passing,
        )

    def _end(self, loop: LoopRun, cap: Seconds, bound: Bound) -> Cap:
        """What comes of a loop at its cap; what a framework that ends it makes of that is not in view."""
        by_framework = bound is Bound.SCOPE and self.run.limit_at in [evidence.place for evidence in cap.places]
        if cap.absent:
            return Cap(Ending.NEVER)
        return Cap(Ending.UNKNOWN) if by_framework else ending_of(self.run.outcomes, loop)

    def _tells_something(self, loop: LoopRun, events: list[Event]) -> bool:
        """Whether a lap sends anything to the client, or may do so."""
        if any(event.kind == "progress" for event in events):
            return True
        if any(frame.function is not None and frame.function.is_generator for frame in loop.frames):
            return True
        return any(TELLS.search(self.sources.excerpt(place)) for place in loop.asked)

    def _pause(self, waiting: list[Event]) -> Seconds:
        """The time between two reads: the longest of several, and unknown if one of them is."""
        pauses = [seconds_of(event.length, event.scale) for event in waiting]
        if not pauses:
            return absent("no pause")
        return next((s for s in pauses if not s.known), max(pauses, key=lambda found: found.value))

    def _most(self, loop: LoopRun, pause: Seconds, waiting: list[Event]) -> Seconds | None:
        """The cap if the model asks for as much as the tool's schema allows."""
        for found in loop.caps:
            limit = found.limit
            if isinstance(limit, ModelArgument) and limit.maximum is not None:
                asked = CapFound(found.how, limit.maximum, found.scale, found.place, found.counter)
                return self._cap_seconds(asked, pause, waiting)[0]
        return None

    def _head(self, loop: LoopRun) -> Place:
        """The place of a loop without its body."""
        body = loop.loop.body
        start = loop.place.span.start
        end = min(body[0].span.start, loop.place.span.end) if body else loop.place.span.end
        text = AFTER_HEAD.sub("", self.sources.excerpt(Place(loop.place.path, Span(start, end))))
        return Place(loop.place.path, Span(start, start + len(text.rstrip())))

    def _cap(self, loop: LoopRun, pause: Seconds, waiting: list[Event]) -> tuple[Seconds, Bound]:
        by_test: dict[tuple[str, Place, Counter | None], list[tuple[Seconds, Bound]]] = {}
        firm = any(not found.goes_on for found in loop.caps) or bool(loop.unknown_exit)
        for found in loop.caps:
            if found.how in ("clock", "count", "scope") and not loop.leaves_at_cap:
                continue
            if found.goes_on and firm:
                continue
            of_test = by_test.setdefault((found.how, found.place, found.counter), [])
            of_test.append(self._cap_seconds(found, pause, waiting))
        candidates = [greatest(alternatives) for alternatives in by_test.values()]
        for scope in loop.scopes:
            if scope.seconds is not None:
                seconds = self._stated(seconds_of(scope.seconds, 1.0), f"`{self._code(scope.place)}` around it")
                candidates.append((seconds, Bound.SCOPE))
        if not candidates:
            if loop.unknown_exit:
                return unknown(loop.unknown_exit), Bound.UNKNOWN
            weak = [
                Evidence(counter.place, f"`{counter.name}` counts only after an error")
                for counter in loop.weak_counters
            ]
            return absent("no deadline and no limit on attempts", *weak), Bound.NONE
        numbers = [candidate for candidate in candidates if candidate[0].known]
        endless = [candidate for candidate in candidates if candidate[0].absent]
        if len(numbers) + len(endless) < len(candidates):
            return next(candidate for candidate in candidates if not candidate[0].known and not candidate[0].absent)
        if not numbers:
            return endless[0][0], Bound.NONE
        return min(numbers, key=lambda candidate: candidate[0].value)

    def _cap_seconds(self, found: CapFound, pause: Seconds, waiting: list[Event]) -> tuple[Seconds, Bound]:
        bound = BOUNDS[found.how]
        code = self._code(found.place)
        if found.how not in ("count", "items"):
            return self._stated(seconds_of(found.limit, found.scale), WORDS[found.how]), bound
        counter = found.counter
        laps = number_of(found.limit)
        if counter is not None:
            start, step = number_of(counter.start), number_of(counter.step)
            if any(_is_one_name(one.length, counter.step) or self._is_of(one, counter.grows_by) for one in waiting):
                return self._stated(seconds_of(found.limit, waiting[0].scale), "the pauses counted"), Bound.PAUSES
            same = any(event.length == counter.step for event in waiting) and step != 1
            if same or (step is not None and step != 1 and pause.known and abs(step) in _in_any_unit(pause.value)):
                bound = Bound.PAUSES
            if step is None or start is None:
                if bound is Bound.PAUSES:
                    return self._stated(seconds_of(found.limit, waiting[0].scale), "the pauses counted"), bound
                return unknown(f"`{counter.name}` counts in steps that are not known"), bound
            laps = None if laps is None or not step else (laps - start) / step
        if laps is None:
            return unknown(_why(found.limit) or "the number of laps is not known"), bound
        if pause.absent:
            return known(0.0, f"{laps:g} laps without a pause", Evidence(found.place, f"{laps:g} laps")), bound
        if not pause.known:
            return unknown("the pause between laps is not known"), bound
        seconds = laps * pause.value
        how = f"`{code}` = {laps:g} laps × `{self._code(waiting[0].place)}` = {written(pause.value)}"
        evidence = [
            Evidence(found.place, f"{laps:g} laps"),
            Evidence(waiting[0].place, f"a pause of {written(pause.value)}"),
        ]
        return known(seconds, f"{how}, {self.sources.where(found.place)}", *evidence), bound

    def _worst(self, cap: Seconds, bound: Bound, pause: Seconds, reads: Iterable[Read], loop: LoopRun) -> Seconds:
        """The cap with the reads: a read without a bound of its own makes it endless."""
        if not cap.known:
            return cap
        if bound in (Bound.SCOPE, Bound.SIGNAL):
            return cap
        late = [read for read in reads if read.deadline is not Reach.ARRIVES]
        for read in late:
            if read.timeout.absent:
                return absent("a read has no bound", Evidence(read.place, f"`{read.called}` has no timeout"))
        if any(not read.timeout.known for read in late):
            return unknown("the timeout of a read is not known")
        longest = max((read.timeout.value for read in late), default=0.0)
        if bound is Bound.CLOCK:
            return known(cap.value + longest, f"{written(cap.value)} + a read of up to {written(longest)}")
        laps = cap.value / pause.value if pause.known and pause.value else 1.0
        return known(cap.value + laps * longest, f"{written(cap.value)} + {laps:g} reads of up to {written(longest)}")

    # ------------------------------------------------------------ single calls

    def _block_wait(self, event: Event) -> Wait:
        length = seconds_of(event.length, event.scale)
        own = self._stated(length, "its own timeout" if length.places else "the default of its library")
        cap = self._bounded(self._ended_by_signal(own, event), event)
        known = Bound.SCOPE if self._is_around(cap, event) else Bound.OWN
        bound = known if cap.known else (Bound.NONE if cap.absent else Bound.UNKNOWN)
        return self._single("call", event, cap, bound)

    def _sleep_wait(self, event: Event) -> Wait | None:
        seconds = self.sleeps[event.serial].seconds
        chosen = chosen_by_call(event, self.run.limited)
        asked_for = chosen is not None and not chosen.clamped
        short = not asked_for and (not seconds.known or seconds.value < SHORTEST_WAIT)
        if event.in_handler or event.after_failure or short:
            return None
        return self._single("sleep", event, self._bounded(self._stated(seconds, "its pause"), event), Bound.OWN)

    def _bounded(self, own: Seconds, event: Event) -> Seconds:
        """An outer bound overrides a longer or missing inner one."""
        best = own
        for scope in event.scopes:
            if scope.seconds is None:
                continue
            outer = self._stated(seconds_of(scope.seconds, 1.0), f"`{self._code(scope.place)}` around it")
            if (outer.known and (not best.known or outer.value < best.value)) or (
                outer.certainty is Certainty.UNKNOWN and best.absent
            ):
                best = outer
        return best

    def _ended_by_signal(self, own: Seconds, event: Event) -> Seconds:
        """The deadline of a signal that a call takes overrides a longer bound of its own, or one that is missing."""
        deadlines = [timer.seconds for signal in event.signals for timer in signal.deadlines]
        stated = [self._stated(seconds_of(length, 1.0), WORDS["signal"]) for length in deadlines]
        known_ones = [one for one in (*stated, own) if one.known]
        if known_ones:
            return min(known_ones, key=lambda one: one.value)
        return next((one for one in stated if not one.absent), own)

    def _is_around(self, cap: Seconds, event: Event) -> bool:
        """Whether it is a bound around a call that ends it, and not its own."""
        return any(cap.how.startswith(f"`{self._code(scope.place)}` around it") for scope in event.scopes)

    def _end_of_call(self, event: Event, cap: Seconds) -> Cap:
        """What comes of a call that has waited as long as it may, if it is known to raise then."""
        if cap.absent or event.api is None or not event.api.raises:
            return Cap(Ending.NEVER if cap.absent else Ending.UNKNOWN)
        lap = Loop(event.place.span, "each", ())
        run = LoopRun(event.serial, lap, event.place, event.frames, event.scopes, event.loops, ended=event.serial)
        return ending_of(self.run.outcomes, run)

    def _single(self, kind: str, event: Event, cap: Seconds, bound: Bound) -> Wait:
        end = self._end_of_call(event, cap)
        return Wait(
            kind=kind,
            place=event.place,
            scope=event.frames[-1].scope if event.frames else "",
            excerpt=self._code(event.place),
            cap=cap,
            worst=cap,
            pause=absent("one call"),
            bound=bound,
            ending=end.ending,
            ending_place=end.place,
            ending_ids=end.ids,
            between_laps=False,
            reads=(),
            sleeps=(self.sleeps[event.serial],) if event.serial in self.sleeps else (),
            callers=_callers(event.frames),
            chosen=chosen_by_call(event, self.run.limited),
            blocks_loop=event.blocking and event.in_async,
            left_running=left_running(event) if kind == "call" else None,
            of_command=event.api is not None and event.api.command,
            of_quick_command=event.detail == QUICK,
            command=self._read(event) if event.api and event.api.command and event.api.signals else None,
            passing=event.passing,
            is_guard=event.api is None and event.opaque,
        )

    # ------------------------------------------------------------ reads and sleeps

    def _read(self, event: Event, loop: int | None = None) -> Read:
        stop, signal, missed_at = stop_reach(event)
        timeouts = [seconds_of(event.length, event.scale)]
        timeouts.extend(seconds_of(timer.seconds, 1.0) for sent in event.signals for timer in sent.deadlines)
        timeouts.extend(seconds_of(scope.seconds, 1.0) for scope in _ending_one_call(event) if scope.seconds)
        known_timeouts = [timeout for timeout in timeouts if timeout.known]
        return Read(
            place=event.place,
            scope=event.frames[-1].scope if event.frames else "",
            excerpt=self._code(event.place),
            api=event.label,
            timeout=min(known_timeouts, key=lambda timeout: timeout.value) if known_timeouts else timeouts[0],
            stop=stop,
            deadline=deadline_reach(event, loop),
            signal=signal,
            missed_at=missed_at,
            callers=_callers(event.frames),
            through=ways_of(event.frames),
            signal_name=signal_name(event.frames) if signal is not None else "",
            blocks_loop=event.blocking and event.in_async,
            takes_signal=event.api is not None and bool(event.api.signals),
            left_running=left_running(event),
            asked_again=asks_again(event, self.run.loops),
        )

    def _sleep(self, event: Event, loop: int | None = None) -> Sleep:
        stop, signal, missed_at = stop_reach(event)
        return Sleep(
            place=event.place,
            scope=event.frames[-1].scope if event.frames else "",
            excerpt=self._code(event.place),
            api=event.label,
            seconds=seconds_of(event.length, event.scale),
            stop=stop,
            deadline=deadline_reach(event, loop),
            signal=signal,
            missed_at=missed_at,
            callers=_callers(event.frames),
            through=ways_of(event.frames),
            signal_name=signal_name(event.frames) if signal is not None else "",
            blocks_loop=event.blocking and event.in_async,
            takes_signal=event.api is not None and bool(event.api.signals),
        )

    def swallows(self) -> tuple[Swallow, ...]:
        """The handlers that take a cancellation and carry on."""
        found = (event for event in self.run.events if event.kind == "swallow")
        scoped = ((event, event.frames[-1].scope if event.frames else "") for event in found)
        return tuple(
            Swallow(event.place, scope, event.label, _callers(event.frames), event.detail == OF_TASK)
            for event, scope in scoped
        )

    def _stated(self, found: Seconds, what: str) -> Seconds:
        """A number with what it is and where it is written."""
        if not found.known:
            return found
        at = f", {self.sources.where(found.places[0].place)}" if found.places else ""
        return Seconds(found.certainty, found.value, f"{what} = {found.how}{at}", found.places)

    def _is_of(self, pause: Event, name: str) -> bool:
        """Whether a pause is written with a name, at itself or in a call that led to it."""
        places = (pause.place, *_callers(pause.frames))
        return bool(name) and any(re.search(rf"\b{re.escape(name)}\b", self._code(place)) for place in places)

    def _code(self, place: Place) -> str:
        return self.sources.code(place)


def _ending_one_call(event: Event) -> Iterable[Scope]:
    """The bounds around a call that are set anew for it in each lap, and that end it."""
    innermost_loop = event.loops[-1] if event.loops else 0
    return () if event.blocking else (one for one in event.scopes if one.serial > innermost_loop and not one.is_race)


def _doc(loop: LoopRun) -> str:
    function = loop.frames[-1].function if loop.frames else None
    return (function.doc and function.doc.literal) or "" if function is not None else ""


def _is_one_name(pause: Value | None, step: Value) -> bool:
    """Whether a pause and what a counter adds go back to one number, written once: they stay equal as it grows."""
    if not isinstance(pause, Constant) or not isinstance(step, Constant):
        return False
    return step.origin is not None and pause.origin == step.origin and pause.number == step.number


def _in_any_unit(seconds: float) -> tuple[float, ...]:
    return seconds, seconds * 1000


def _why(value: Value) -> str:
    return value.reason if isinstance(value, Unknown) else ""


def _callers(frames: tuple[Frame, ...]) -> tuple[Place, ...]:
    return tuple(frame.call for frame in frames[1:] if frame.call is not None)
