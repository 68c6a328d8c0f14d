"""`cap/uncapped-wait`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from waitlint.context import Context
from waitlint.finding import Finding, Place, Quiet, Severity
from waitlint.fix import Applicability, BoundByDeadline, Repair
from waitlint.linked import Bound, Ending, Tool, Wait
from waitlint.rule import rule
from waitlint_rules.bounding import bounded, fitting
from waitlint_rules.wording import is_python

LONGEST_NAME = 60
RUN_AND_WAIT = frozenset({"subprocess.run", "subprocess.call", "subprocess.check_call", "subprocess.check_output"})


@rule(subject="Tool", severity=Severity.ERROR, rules=("R2",), checklist=("C2",), fixes="unsafe")
def check(tool: Tool, context: Context) -> Iterator[Finding | Quiet]:
    """A wait in a tool has no deadline and no limit on its attempts."""
    if not tool.waits:
        yield Quiet(tool.name, "it does not wait")
    for wait in tool.waits:
        if wait.chosen is not None and wait.chosen.endless and not wait.chosen.clamped:
            yield Quiet(
                tool.name, f"{context.project.where(wait.place)}: cap/unclamped-argument speaks of its argument"
            )
            continue
        if not wait.cap.absent:
            yield Quiet(tool.name, f"{context.project.where(wait.place)}: {wait.cap.how}")
            continue
        if wait.of_quick_command:
            yield Quiet(tool.name, f"{context.project.where(wait.place)}: this command ends at once")
            continue
        place = context.home(wait, partial(_is_uncapped, place=wait.place), is_the_helpers=True)
        ends = "the call returns" if wait.kind == "call" else "the state that it waits for comes"
        yield context.finding(
            place,
            f"this wait has no cap: {_reason(wait.cap.how)}, so it ends only when {ends}",
            help=_instead(wait, context),
            scope=wait.scope,
            excerpt=wait.excerpt,
            tools=(tool.name,),
            evidence=wait.cap.places,
            repair=(bounded(tool, wait, context) or _by_the_deadline(tool, wait)) if place == wait.place else None,
        )


def _by_the_deadline(tool: Tool, wait: Wait) -> Repair | None:
    """A command in each lap of a wait, ended by what is left until the deadline of that."""
    around = next((one for one in tool.waits if one.kind == "loop" and one.place == wait.lap_of), None)
    called = wait.called
    if around is None or around.bound is not Bound.CLOCK or around.ending is not Ending.LAST_STATE:
        return None
    if called not in RUN_AND_WAIT or around.place.path != wait.place.path or around.callers != wait.callers:
        return None
    seconds = around.cap.value if around.cap.known else 0.0
    change = BoundByDeadline(wait.place.path, wait.place.span, called, around.place.span, seconds=seconds)
    return Repair("end the command with the deadline", Applicability.UNSAFE, (change,))


def _instead(wait: Wait, context: Context) -> str:
    """What to write, in the language and the names of the wait."""
    seconds = fitting(context.settings)
    if wait.kind == "call":
        called = wait.called
        if called in RUN_AND_WAIT:
            return (
                f"Give `{called}` a `timeout={seconds:.0f}`, below the shortest idle timeout, and return a result that "
                "says so on `subprocess.TimeoutExpired`."
            )
        named = f"`{called}`" if len(called) <= LONGEST_NAME else "the call"
        return f"Bound {named} by {seconds:.0f} s, below the shortest idle timeout, and return what is there by then."
    if is_python(wait.place.path):
        code = f"deadline = time.monotonic() + {seconds:.0f}"
    else:
        code = f"const deadline = Date.now() + {int(seconds * 1000):_}"
    return (
        f"Set `{code}` before it, which is below the shortest idle timeout, and return the last state when it passes."
    )


def _is_uncapped(tool: Tool, place: Place) -> bool:
    """Whether a wait has no cap of its own in a tool: one that bounds it from outside loses nothing if it gets one."""
    return any(wait.place == place and (wait.cap.absent or wait.bound is Bound.SCOPE) for wait in tool.waits)


def _reason(how: str) -> str:
    return f"there is {how}" if how.startswith("no ") else f"it has {how}"
