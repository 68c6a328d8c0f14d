"""`tell/wrong-states`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from waitlint.context import Context
from waitlint.finding import Confidence, Evidence, Finding, Quiet, Severity
from waitlint.fix import Applicability, Repair
from waitlint.linked import Mentioned, Tool
from waitlint.rule import rule
from waitlint_rules.telling import can_be_rewritten, replacing_all

SPEAKS_OF_STATES = frozenset({"poll", "waits", "call-again-if-unfinished", "model-sleeps"})
KINDS = (
    frozenset(["completed", "complete", "succeeded", "success", "successful", "done", "finished"]),
    frozenset(["ready", "available", "active"]),
    frozenset(["failed", "failure", "error", "errored"]),
    frozenset(["running", "inprogress", "working", "executing", "processing"]),
    frozenset(["cancelled", "canceled", "aborted", "stopped"]),
)


@rule(subject="Mentioned", severity=Severity.WARNING, rules=("R4",), checklist=("C5",), fixes="unsafe")
def check(mentioned: Mentioned, context: Context) -> Iterator[Finding | Quiet]:
    """Words wait for a state that the code never returns."""
    intent = mentioned.intent
    if intent.kind not in SPEAKS_OF_STATES or not intent.states or not mentioned.tools:
        return
    tool = max(mentioned.tools, key=lambda tool: (tool.body, len(tool.returns_states)))
    known = states_of(tool, context)
    if not known:
        yield Quiet(tool.name, "the states that it can return are not in view")
        return
    wrong = {said: meant for said in intent.states if (meant := _meant(said, known))}
    if not wrong:
        yield Quiet(tool.name, "the words name states that the code knows, or none like them")
        return
    said, meant = next(iter(wrong.items()))
    yield context.finding(
        mentioned.place,
        f"the words wait for “{said}”, which `{tool.name}` never returns: in the code it is “{meant}”",
        help=f"Write “{meant}”: as the words stand, what they wait for never comes.",
        scope=mentioned.text.owner or mentioned.text.text.key,
        tools=(tool.name,),
        confidence=Confidence.HIGH if tool.confidence == "high" and intent.confidence == "high" else Confidence.MEDIUM,
        evidence=[Evidence(tool.place, f"`{tool.name}` knows: {', '.join(sorted(known)[:8])}")],
        repair=_repair(mentioned, said, meant),
    )


def states_of(tool: Tool, context: Context) -> frozenset[str]:
    """The states that a tool is known to hand back; empty where they may come from outside unseen.

    What a waiting tool compares the outside state with are names of that state. What it writes into its own answer may
    be about the answer ("success") and not about the work, unless nothing is read from outside at all.
    """
    if not tool.body or not tool.understood:
        return frozenset()
    compared = {state for wait in tool.waits for state in (*wait.states, *wait.exit_states)}
    if compared or tool.reads or tool.unknown or tool.handler is None:
        return frozenset(compared)
    return frozenset({*tool.returns_states, *context.project.states_in(tool.handler.path)})


def _meant(said: str, known: frozenset[str]) -> str:
    """The known state that a state in words means; "" where it is known itself, or nothing is like it."""
    plain = {_plain(state): state for state in sorted(known)}
    word = _plain(said)
    if not word or word in plain:
        return ""
    for kind in KINDS:
        if word in kind:
            like = [state for name, state in plain.items() if name in kind]
            return like[0] if len(like) == 1 else ""
    return ""


def _plain(state: str) -> str:
    return re.sub(r"[^a-z0-9]", "", state.lower())


def _repair(mentioned: Mentioned, said: str, meant: str) -> Repair | None:
    """The name of the state as the code writes it, in the words that wait for it."""
    text, span = mentioned.text, mentioned.intent.span
    word = re.compile(rf"(?<![\w-]){re.escape(said)}(?![\w-])")
    found = [match.span() for match in word.finditer(text.text.value, span.start, span.end)]
    if not found or not can_be_rewritten(text):
        return None
    return Repair("name the state of the code", Applicability.UNSAFE, replacing_all(text, found, meant))
