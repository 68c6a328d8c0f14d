"""`loop/model-sleeps`."""

from __future__ import annotations

from collections.abc import Iterator

from waitlint.context import Context
from waitlint.finding import Confidence, Evidence, Finding, Quiet, Severity
from waitlint.linked import Mentioned
from waitlint.rule import rule
from waitlint_rules.rewrites import named
from waitlint_rules.waiters import code_for, waiter_for
from waitlint_rules.wording import loops_in_place_of_model


@rule(subject="Mentioned", severity=Severity.ERROR, rules=("R1",), checklist=("C1",), fixes="unsafe")
def check(mentioned: Mentioned, context: Context) -> Iterator[Finding | Quiet]:
    """A text tells the model to sleep or wait between two calls."""
    if mentioned.intent.kind != "model-sleeps":
        return
    subject = mentioned.text.owner or mentioned.text.path
    if mentioned.text.deliberate:
        yield Quiet(subject, "this file is a loop on purpose")
    elif any(loops_in_place_of_model(tool) for tool in mentioned.tools) and mentioned.intent.mentions:
        yield Quiet(subject, "the tool waits by itself: tell/prompt-contradicts-tool speaks of it")
    elif _is_part_of_a_poll(mentioned, context):
        yield Quiet(subject, "it is a part of an order to poll: loop/keep-calling speaks of it")
    else:
        waiter = waiter_for(mentioned.text, mentioned.tools, context) if _is_for_a_state(mentioned) else None
        yield context.finding(
            mentioned.place,
            f"{mentioned.intent.reason}: the model can't sleep, it can only spend a call on it",
            help=waiter.help if waiter is not None else _instead(mentioned, context),
            scope=mentioned.text.owner or mentioned.text.text.key,
            tools=[tool.name for tool in mentioned.tools],
            confidence=Confidence(mentioned.intent.confidence),
            evidence=[Evidence(tool.place, f"`{tool.name}` is defined here") for tool in mentioned.tools],
            repair=waiter.repair(mentioned.text, [mentioned.intent]) if waiter is not None else None,
        )


def _is_for_a_state(mentioned: Mentioned) -> bool:
    """Whether the pause is for work to go on, and not for a rate limit or for a change to show."""
    return not any(words in mentioned.intent.reason for words in ("rate limit", "to spread"))


def _is_part_of_a_poll(mentioned: Mentioned, context: Context) -> bool:
    span = mentioned.intent.span
    polls = (other.intent.span for other in context.project.mentions_in(mentioned.text) if other.intent.kind == "poll")
    return any(poll.start < span.end and span.start < poll.end for poll in polls)


def _instead(mentioned: Mentioned, context: Context) -> str:
    name = named(mentioned) or "the tool"
    if "rate limit" in mentioned.intent.reason:
        return f"Let {name} space its own requests. Then write: “Rate limits are handled: call {name} normally.”"
    if "to spread" in mentioned.intent.reason:
        return f"Let {name} try again until the change shows, up to a cap. Then write: “Call {name} once.”"
    if code := code_for(mentioned, context):
        return f"{code}\nThen write: “Call {name} once: it waits.”"
    return (
        f"Let {name} do the waiting: for a state it polls inside, up to a cap; for a rate limit it spaces its own "
        f"requests; for a change that takes time to show it tries again. Then write: “Call {name} once: it waits.”"
    )
