"""`cancel/blocking-in-async`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from weakref import WeakKeyDictionary

from waitlint.context import Context, Project
from waitlint.finding import Confidence, Evidence, Finding, Place, Quiet, Severity
from waitlint.fix import Applicability, AwaitPause, Repair
from waitlint.linked import Reach, Read, Sleep, Tool, Wait
from waitlint.rule import rule
from waitlint_rules.wording import SHORTEST_WAIT, in_seconds, is_python, runs_plain_on_loop

Sink = Sleep | Read | Wait
SHORT_PAUSE = 1.0


@rule(subject="Tool", severity=Severity.ERROR, rules=("R3",), checklist=("C4",), fixes="safe")
def check(tool: Tool, context: Context) -> Iterator[Finding | Quiet]:
    """A blocking pause or read holds the event loop, where no cancel can reach it."""
    groups = _groups(tool)
    requests = {place.path for place, _ in _requests(tool, context)}
    if not groups and not requests:
        yield Quiet(tool.name, "nothing that it is known to do holds an event loop")
    for group in groups:
        yield _finding(tool, context.home(group[0], partial(_blocks, place=group[0].place)), group, context)
    for path in sorted(requests):
        own = [(place, read) for place, read in _requests(tool, context) if place.path == path]
        first, worst = _first_request(path, context)
        yield _finding(tool, first, [worst, *(read for _, read in own if read != worst)], context)


def _finding(tool: Tool, place: Place, group: Sequence[Sink], context: Context) -> Finding:
    worst, plain = group[0], runs_plain_on_loop(tool)
    return context.finding(
        place,
        _message(worst, plain),
        help=_instead(worst, plain),
        scope=worst.scope if place == worst.place else "",
        excerpt=worst.excerpt if place == worst.place else "",
        tools=(tool.name,),
        severity=Severity.WARNING if plain or isinstance(worst, Read) else Severity.ERROR,
        confidence=Confidence.MEDIUM if plain or tool.confidence != "high" else Confidence.HIGH,
        evidence=[Evidence(sink.place, _what(sink)) for sink in group if sink.place != place],
        repair=_repair(place, group, plain),
    )


def _groups(tool: Tool) -> list[list[Sink]]:
    """The waits and pauses that hold the loop, together as one change would mend them; the worst first."""
    plain = runs_plain_on_loop(tool)
    by_wait: dict[Place, list[Sink]] = {}
    seen: set[Place] = set()
    for wait in sorted(tool.waits, key=lambda wait: wait.within is not None):
        sinks: list[Sink] = [sleep for sleep in wait.sleeps if sleep.blocks_loop]
        sinks.extend(read for read in wait.reads if read.blocks_loop and (sinks or not plain))
        is_said = wait.kind == "sleep" and any(sleep.place == wait.place for sleep in wait.sleeps)
        if (
            wait.blocks_loop
            and not is_said
            and not (wait.of_quick_command or (wait.cap.known and wait.cap.value < SHORTEST_WAIT))
        ):
            sinks.append(wait)
        sinks = [sink for sink in sinks if sink.place not in seen]
        seen.update(sink.place for sink in sinks)
        if sinks and not (plain and _has_a_stop(sinks)):
            by_wait.setdefault(wait.within or wait.place, []).extend(sinks)
    if plain:
        return list(by_wait.values())
    by_function: dict[tuple[str, str], list[Sink]] = {}
    for sleep in tool.sleeps:
        if sleep.blocks_loop and not _is_short(sleep) and sleep.place not in seen:
            by_function.setdefault((sleep.place.path, sleep.scope), []).append(sleep)
    return [*by_wait.values(), *by_function.values()]


def _requests(tool: Tool, context: Context) -> list[tuple[Place, Read]]:
    """The requests outside of its waits that hold the loop, each with the place whose change mends it."""
    return _of_project(context).by_tool.get(id(tool), [])


def _first_request(path: str, context: Context) -> tuple[Place, Read]:
    """What stands for all blocking requests of a file: they share a client, and one finding."""
    return _of_project(context).first[path]


class Requests:
    """The blocking requests of all tools."""

    def __init__(self, context: Context) -> None:
        self.by_tool: dict[int, list[tuple[Place, Read]]] = {}
        self.first: dict[str, tuple[Place, Read]] = {}
        for tool in context.project.tools:
            if runs_plain_on_loop(tool):
                continue
            in_waits = {read.place for wait in tool.waits for read in wait.reads}
            for read in tool.reads:
                if read.blocks_loop and read.place not in in_waits:
                    self._add(tool, context.home(read, partial(_blocks, place=read.place)), read)

    def _add(self, tool: Tool, place: Place, read: Read) -> None:
        self.by_tool.setdefault(id(tool), []).append((place, read))
        before = self.first.get(place.path)
        if before is None or place.span.start < before[0].span.start:
            self.first[place.path] = (place, read)


def _of_project(context: Context) -> Requests:
    known = _KNOWN.get(context.project)
    if known is None:
        known = _KNOWN[context.project] = Requests(context)
    return known


_KNOWN: WeakKeyDictionary[Project, Requests] = WeakKeyDictionary()


def _has_a_stop(sinks: list[Sink]) -> bool:
    """Whether a stop of the tool's own is at hand: it ends the wait, or other rules say that it doesn't arrive."""
    return any(isinstance(sink, Sleep) and sink.stop is not Reach.NOT_OFFERED for sink in sinks)


def _is_short(sleep: Sleep) -> bool:
    return sleep.seconds.known and sleep.seconds.value < SHORT_PAUSE


def _blocks(tool: Tool, place: Place) -> bool:
    sinks: tuple[Sink, ...] = (*tool.sleeps, *tool.reads, *tool.waits)
    return any(sink.place == place and sink.blocks_loop for sink in sinks)


def _call(sink: Sink) -> str:
    return f"`{sink.called}`"


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
        variant = _call(worst).strip("`").rpartition(".")[2].removesuffix("Sync")
        return f"Await the variant of {_call(worst)} that returns a promise, `await {variant}(…, {{ signal }})`."
    if plain:
        return "Make the tool `async def`, and await its pauses and requests; or run the wait in a thread."
    if isinstance(worst, Sleep):
        return "Await `asyncio.sleep` instead, and read with an asynchronous client."
    if isinstance(worst, Read):
        return "Use an asynchronous client, or hand the call to `asyncio.to_thread`."
    return "Await an asynchronous variant, such as `asyncio.create_subprocess_exec`, or use `asyncio.to_thread`."


def _repair(place: Place, group: Sequence[Sink], plain: bool) -> Repair | None:
    """Pauses that are awaited instead; what else holds the loop needs another client, which is the author's choice."""
    if plain or place != group[0].place or not all(isinstance(sink, Sleep) for sink in group):
        return None
    changes = tuple(AwaitPause(pause.place.path, pause.place.span) for pause in group)
    return Repair("await the pause", Applicability.SAFE, changes)
