"""`cancel/read-ignores-signal`."""

from __future__ import annotations

from collections.abc import Iterator

from waitlint.context import Context
from waitlint.finding import Confidence, Evidence, Finding, Quiet, Severity
from waitlint.linked import Reach, Read, Tool
from waitlint.rule import rule
from waitlint_rules.signalling import handed_on
from waitlint_rules.wording import in_seconds, is_python, runs_plain_on_loop, waits_for_state

SHORT_READ = 5.0


@rule(subject="Tool", severity=Severity.ERROR, rules=("R3",), checklist=("C4",), fixes="unsafe")
def check(tool: Tool, context: Context) -> Iterator[Finding | Quiet]:
    """A stop signal is at hand and does not reach a read."""
    in_waits = {read.place for wait in tool.waits for read in wait.reads}
    if not waits_for_state(tool):
        yield Quiet(tool.name, "it does not wait")
        return
    if tool.offers_stop and not tool.takes_stop:
        yield Quiet(tool.name, "its handler never takes the signal: cancel/handler-ignores-signal speaks of that")
        return
    for read in tool.reads:
        where = context.project.where(read.place)
        if read.blocks_loop and not runs_plain_on_loop(tool):
            yield Quiet(tool.name, f"{where}: it holds the event loop: cancel/blocking-in-async speaks of that")
        elif read.stop is not Reach.MISSES or read.signal is None:
            yield Quiet(tool.name, f"{where}: the stop signal is {read.stop.value}")
        elif _is_short(read) and not read.takes_signal:
            yield Quiet(tool.name, f"{where}: the read ends by itself after {in_seconds(read.timeout.value)}")
        else:
            confidence = Confidence.HIGH if read.place in in_waits else Confidence.MEDIUM
            yield _missed(tool, read, "read", context, confidence=confidence)
    yield from _commands(tool, context)


def _commands(tool: Tool, context: Context) -> Iterator[Finding | Quiet]:
    """Commands of this machine that are waited for, and could take the signal."""
    for wait in tool.waits:
        call = wait.command
        if call is None or call.stop is not Reach.MISSES or call.signal is None:
            continue
        if wait.of_quick_command or _is_short(call):
            yield Quiet(tool.name, f"{context.project.where(call.place)}: it ends soon by itself")
            continue
        confidence = Confidence.HIGH if tool.confidence == "high" else Confidence.MEDIUM
        yield _missed(tool, call, "command", context, confidence=confidence, severity=Severity.WARNING)


def _missed(
    tool: Tool, call: Read, what: str, context: Context, *, confidence: Confidence, severity: Severity | None = None
) -> Finding:
    assert call.signal is not None
    place = call.missed_at or call.place
    named = "read" if what == "read" else "call"
    elsewhere = [] if place == call.place else [Evidence(call.place, f"the {named}: `{call.called}`")]
    return context.finding(
        place,
        f"the stop signal is at hand here and does not reach this {what}{_hangs(call)}",
        help=_help(call),
        severity=severity,
        scope=call.scope if place == call.place else "",
        tools=(tool.name,),
        confidence=confidence,
        evidence=[call.signal, *elsewhere],
        repair=handed_on(call),
    )


def _is_short(read: Read) -> bool:
    return read.timeout.known and read.timeout.value <= SHORT_READ


def _hangs(read: Read) -> str:
    if read.timeout.known:
        return f": after a stop it can go on for {in_seconds(read.timeout.value)}"
    return ": after a stop it can go on without end" if read.timeout.absent else ""


def _help(read: Read) -> str:
    name, call = read.signal_name or "signal", read.called.rpartition(".")[2]
    if is_python(read.place.path):
        return (
            f"A blocking read knows no event: give `{call}` a `timeout` of {SHORT_READ:g} s or less, and look at "
            f"`{name}.is_set()` after it; or read with an asynchronous client that can be cancelled."
        )
    given = "{ signal }" if name == "signal" else f"{{ signal: {name} }}"
    return f"Hand it on, `{call}(…, {given})`, together with the deadline."
