"""`cancel/abandoned-work`."""

from __future__ import annotations

from collections.abc import Iterator

from waitlint.context import Context
from waitlint.finding import Confidence, Evidence, Finding, Place, Quiet, Severity
from waitlint.linked import Read, Tool, Wait
from waitlint.rule import rule
from waitlint_rules.wording import is_python


@rule(subject="Tool", severity=Severity.ADVICE, rules=("R3",), checklist=("C4",), fixes="")
def check(tool: Tool, context: Context) -> Iterator[Finding | Quiet]:
    """A race or a bound ends in time and leaves the work behind it running."""
    left: dict[Place, list[Read | Wait]] = {}
    calls: list[Read | Wait] = [*tool.reads, *(wait for wait in tool.waits if wait.kind == "call")]
    for call in calls:
        if call.left_running is not None:
            left.setdefault(call.left_running, []).append(call)
    if not left:
        yield Quiet(tool.name, "nothing in it is known to outlive a race or a bound")
    for place, running in left.items():
        yield context.finding(
            place,
            f"this ends in time, and {_name(running[0])} runs on after it: only the waiting for it is bounded",
            help=_instead(place, _name(running[0])),
            scope=running[0].scope if running[0].place.path == place.path else "",
            tools=(tool.name,),
            confidence=Confidence.HIGH if tool.confidence == "high" else Confidence.MEDIUM,
            evidence=[Evidence(call.place, f"{_name(call)} is not stopped") for call in running],
        )


def _name(call: Read | Wait) -> str:
    return f"`{call.called}`"


def _instead(place: Place, name: str) -> str:
    if is_python(place.path):
        return f"Give {name} itself a `timeout` that is no longer than the bound, or use an asynchronous client."
    return f"Give {name} a signal that the end of the race aborts, such as `AbortSignal.timeout(ms)`."
