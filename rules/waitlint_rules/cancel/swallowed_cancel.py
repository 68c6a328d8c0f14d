"""`cancel/swallowed-cancel`."""

from __future__ import annotations

from collections.abc import Iterator

from waitlint.context import Context
from waitlint.facts import Span
from waitlint.finding import Confidence, Finding, Place, Quiet, Severity
from waitlint.fix import Applicability, RaiseAgain, Repair
from waitlint.linked import Swallow, Tool
from waitlint.rule import rule
from waitlint_rules.wording import is_python


@rule(subject="Tool", severity=Severity.ERROR, rules=("R3",), checklist=("C4",), fixes="unsafe")
def check(tool: Tool, context: Context) -> Iterator[Finding | Quiet]:
    """A handler catches the cancellation and carries on."""
    if not tool.swallows:
        yield Quiet(tool.name, "no handler in it is known to take a cancellation and to carry on")
    for swallow in tool.swallows:
        yield context.finding(
            _head(swallow, context),
            _message(swallow),
            help=_instead(swallow),
            scope=swallow.scope,
            tools=(tool.name,),
            confidence=Confidence.HIGH if tool.confidence == "high" and not swallow.of_task else Confidence.MEDIUM,
            repair=None if swallow.of_task else _repair(swallow),
        )


def _repair(swallow: Swallow) -> Repair:
    change = RaiseAgain(swallow.place.path, swallow.place.span)
    return Repair("let the cancellation through", Applicability.UNSAFE, (change,))


def _head(swallow: Swallow, context: Context) -> Place:
    """The first line of a handler: its body is not at fault."""
    first = context.project.excerpt(swallow.place).partition("\n")[0].rstrip()
    start = swallow.place.span.start
    return Place(swallow.place.path, Span(start, start + len(first)))


def _message(swallow: Swallow) -> str:
    if not is_python(swallow.place.path):
        return "what an aborted call throws is caught here and the loop goes on: a stop does not end this wait"
    caught = "everything, a cancellation too," if swallow.caught == "everything" else f"`{swallow.caught}`"
    return f"{caught} is caught here and not raised again: the tool carries on after it was cancelled"


def _instead(swallow: Swallow) -> str:
    if is_python(swallow.place.path):
        return "Catch `Exception`, which a cancellation is not; or clean up and end the handler with `raise`."
    return "Begin the handler with `if (signal.aborted) throw error;`, or look at the signal before the next lap."
