"""`cancel/handler-ignores-signal`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from waitlint.context import Context
from waitlint.facts import Span
from waitlint.finding import Confidence, Evidence, Finding, Place, Quiet, Severity
from waitlint.linked import Read, Sleep, Tool, Wait
from waitlint.rule import rule
from waitlint_rules.signalling import taken
from waitlint_rules.wording import SHORTEST_WAIT, head_of_function, is_python, is_retry

LONG_READ = 60.0
SHORT = 10.0


@rule(subject="Tool", severity=Severity.WARNING, rules=("R3",), checklist=("C4",), fixes="unsafe")
def check(tool: Tool, context: Context) -> Iterator[Finding | Quiet]:
    """The framework hands a stop signal to a handler that waits, and the handler never takes it."""
    because = _has_no_need(tool)
    if because or tool.handler is None:
        yield Quiet(tool.name, because or "where its handler begins is not in view")
        return
    place = _head(tool.handler, context)
    waits = waits_that_need_it(tool)
    reads = [read for read in tool.reads if _is_long(read)]
    if waits:
        yield context.finding(
            place,
            "the framework hands this handler a stop signal and it never takes it: after a stop the tool waits on",
            help=_help(tool, [*tool.reads, *tool.sleeps]),
            scope=tool.name,
            tools=(tool.name,),
            severity=Severity.ADVICE if all(_ends_by_itself(wait) for wait in waits) else Severity.WARNING,
            confidence=Confidence.HIGH if tool.confidence == "high" else Confidence.MEDIUM,
            evidence=_goes_on(waits),
            repair=taken(tool, [*tool.reads, *tool.sleeps]) if _can_be_stopped(tool, waits) else None,
        )
    elif reads:
        yield context.finding(
            place,
            "the framework hands this handler a stop signal and it never takes it: after a stop its request goes on",
            help=_help(tool, reads),
            scope=tool.name,
            tools=(tool.name,),
            severity=Severity.ADVICE,
            evidence=[Evidence(read.place, f"`{read.called}` takes a signal") for read in reads[:3]],
            repair=taken(tool, reads),
        )
    else:
        yield Quiet(tool.name, "it neither waits nor makes a request that takes a signal")


def _goes_on(waits: list[Wait]) -> list[Evidence]:
    """What goes on after a stop: the waits, and the pauses in them."""
    found = [Evidence(wait.place, "the wait") for wait in waits]
    pauses = (sleep for wait in waits for sleep in wait.sleeps if sleep.place != wait.place)
    found.extend(Evidence(sleep.place, "this pause goes on after a stop") for sleep in pauses)
    return found


def _has_no_need(tool: Tool) -> str:
    if not tool.offers_stop:
        return "its framework offers no stop signal"
    if tool.takes_stop:
        return "its handler takes the stop signal"
    return "" if tool.body and tool.understood else "its code is not in view"


def waits_that_need_it(tool: Tool) -> list[Wait]:
    """The waits of a tool that last, or may last, long enough for somebody to stop them.

    Of a call that holds the event loop, where no signal gets through, speaks `cancel/blocking-in-async`.
    """
    free = [wait for wait in tool.waits if not (wait.kind == "call" and wait.blocks_loop)]
    long_enough = [wait for wait in free if not wait.cap.known or wait.cap.value >= SHORTEST_WAIT]
    sure = [wait for wait in long_enough if wait.kind != "call" or wait.cap.known or wait.cap.absent]
    return [wait for wait in sure if not is_retry(wait) and not wait.of_quick_command]


def _can_be_stopped(tool: Tool, waits: list[Wait]) -> bool:
    """Whether a signal ends each of the waits; one for a process or an event ends only with that."""
    calls = {*(read.place for read in tool.reads), *(sleep.place for sleep in tool.sleeps)}
    return all(wait.kind != "call" or wait.place in calls or wait.lap_of is not None for wait in waits)


def _ends_by_itself(wait: Wait) -> bool:
    """Whether a wait outlives a stop by little: one call with a timeout, which takes no signal, or a short loop."""
    return wait.cap.known and (wait.kind == "call" or wait.cap.value < SHORT)


def _is_long(read: Read) -> bool:
    """Whether a request lasts long. Of one that may last for ever speaks `cap/read-without-timeout`."""
    return read.takes_signal and read.timeout.known and read.timeout.value > LONG_READ


def _head(handler: Place, context: Context) -> Place:
    start = handler.span.start
    return Place(handler.path, Span(start, start + head_of_function(context.project.excerpt(handler))))


def _help(tool: Tool, calls: Sequence[Read | Sleep]) -> str:
    path = tool.stop_at[1].split(".") if tool.stop_at is not None else ["signal"]
    if tool.handler is not None and is_python(tool.handler.path):
        return (
            f"Take `{'.'.join(path)}` out of the handler's context, ask it in every lap and before every call that "
            "blocks, and let every pause end with it."
        )
    taken = "".join(f"{{ {key}: " for key in path[:-1]) + f"{{ {path[-1]} }}" + " }" * (len(path) - 1)
    given = " and ".join(
        dict.fromkeys(f"`{call.called.rpartition('.')[2]}`" for call in calls[:3] if call.takes_signal)
    )
    return f"Take it out of the handler's context, `{taken}`, and hand it to {given or 'every read and every pause'}."
