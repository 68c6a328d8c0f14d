"""`cancel/blocking-in-async`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from waitlint.context import Context
from waitlint.finding import Confidence, Evidence, Finding, Place, Quiet, Severity
from waitlint.linked import Reach, Read, Sleep, Tool, Wait
from waitlint.rule import rule

from waitlint_rules.wording import SHORTEST_WAIT, in_seconds, is_python, runs_plain_on_loop

Sink = Sleep | Read | Wait
SHORT_PAUSE = 1.0


@rule(subject="Tool", severity=Severity.ERROR, rules=("R3",), checklist=("C4",), fixes="")
def check(tool: Tool, context: Context) -> Iterator[Finding | Quiet]:
    """A blocking pause or read holds the event loop, where no cancel can reach it."""
    groups = _groups(tool)
    if not groups:
        yield Quiet(tool.name, "nothing that it is known to do holds an event loop")
    for group in groups:
        worst = group[0]
        place = context.home(worst, partial(_blocks, place=worst.place))
        held = [Evidence(sink.place, _what(sink)) for sink in group if sink.place != place]
        plain = runs_plain_on_loop(tool)
        yield context.finding(
            place,
            _message(worst, plain),
            help=_instead(worst, plain),
            scope=worst.scope if place == worst.place else "",
            excerpt=worst.excerpt if place == worst.place else "",
            tools=(tool.name,),
            severity=Severity.WARNING if plain or isinstance(worst, Read) else Severity.ERROR,
            confidence=Confidence.MEDIUM if plain or tool.confidence != "high" else Confidence.HIGH,
            evidence=held,
        )


def _groups(tool: Tool) -> list[list[Sink]]:
    """What holds the loop, together as one change would mend it: by wait, then by function; the worst first."""
    plain = runs_plain_on_loop(tool)
    by_wait: dict[Place, list[Sink]] = {}
    seen: set[Place] = set()
    for wait in sorted(tool.waits, key=lambda wait: wait.within is not None):
        sinks: list[Sink] = [sleep for sleep in wait.sleeps if sleep.blocks_loop]
        sinks.extend(read for read in wait.reads if read.blocks_loop and (sinks or not plain))
        if wait.blocks_loop and (not wait.cap.known or wait.cap.value >= SHORTEST_WAIT):
            sinks.append(wait)
        sinks = [sink for sink in sinks if sink.place not in seen]
        seen.update(sink.place for sink in sinks)
        if sinks and not (plain and _has_a_stop(sinks)):
            by_wait.setdefault(wait.within or wait.place, []).extend(sinks)
    if plain:
        return list(by_wait.values())
    by_function: dict[tuple[str, str], list[Sink]] = {}
    rest: list[Sink] = [sleep for sleep in tool.sleeps if sleep.blocks_loop and not _is_short(sleep)]
    rest.extend(read for read in tool.reads if read.blocks_loop)
    for sink in rest:
        if sink.place not in seen:
            seen.add(sink.place)
            by_function.setdefault((sink.place.path, sink.scope), []).append(sink)
    return [*by_wait.values(), *by_function.values()]


def _has_a_stop(sinks: list[Sink]) -> bool:
    """Whether a stop of the tool's own is at hand: it ends the wait, or other rules say that it doesn't arrive."""
    return any(isinstance(sink, Sleep) and sink.stop is not Reach.NOT_OFFERED for sink in sinks)


def _is_short(sleep: Sleep) -> bool:
    return sleep.seconds.known and sleep.seconds.value < SHORT_PAUSE


def _blocks(tool: Tool, place: Place) -> bool:
    sinks: tuple[Sink, ...] = (*tool.sleeps, *tool.reads, *tool.waits)
    return any(sink.place == place and sink.blocks_loop for sink in sinks)


def _call(sink: Sink) -> str:
    return f"`{sink.excerpt.partition('(')[0]}`" if isinstance(sink, Wait) else f"`{sink.api}`"


def _what(sink: Sink) -> str:
    if isinstance(sink, Sleep) and sink.seconds.known:
        return f"{_call(sink)} holds the event loop for {in_seconds(sink.seconds.value)}"
    return f"{_call(sink)} holds the event loop"


def _message(worst: Sink, plain: bool) -> str:
    until = "until it returns, neither a cancel nor a deadline nor another call gets through"
    if plain:
        return f"the framework runs this plain function on its event loop, and {_call(worst)} holds it: {until}"
    return f"{_call(worst)} holds the event loop: {until}"


def _instead(worst: Sink, plain: bool) -> str:
    if not is_python(worst.place.path):
        return "Use the variant that returns a promise, and await it with the stop signal."
    if plain:
        return "Make the tool `async def`, and await its pauses and requests; or run the wait in a thread."
    if isinstance(worst, Sleep):
        return "Await `asyncio.sleep` instead, and read with an asynchronous client."
    if isinstance(worst, Read):
        return "Use an asynchronous client, or hand the call to `asyncio.to_thread`."
    return "Await an asynchronous variant, such as `asyncio.create_subprocess_exec`, or use `asyncio.to_thread`."
