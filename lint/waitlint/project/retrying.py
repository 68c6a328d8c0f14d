"""Loops whose next lap follows a failure alone: they try a request again, and wait for no state."""

from __future__ import annotations

import re
from collections.abc import Sequence

from waitlint.facts import If, Jump, Loop, Raise, Return, Stmt, Try, With
from waitlint.finding import Place
from waitlint.interpret.events import Event, LoopRun
from waitlint.interpret.syntax import nodes
from waitlint.project.busy import STATE
from waitlint.project.sources import Sources

ATTEMPTS = re.compile(r"attempt|retr(?:y|ies)|(?<![a-z])tr(?:y|ies)(?![a-z])", re.IGNORECASE)
PAUSED_FOR_A_RETRY = re.compile(r"retr(?:y|ies)|back_?off", re.IGNORECASE)


def tries_again(loop: Loop) -> bool:
    """Whether a lap goes through a `try` that always leaves the loop unless something fails in it."""
    for position, stmt in enumerate(loop.body):
        if isinstance(stmt, Try) and stmt.handlers and not stmt.orelse and _always_leaves(stmt.body):
            before = nodes((*loop.body[:position], *stmt.body))
            return not any(isinstance(node, Jump) and node.kind == "continue" for node in before)
    return False


def _always_leaves(body: tuple[Stmt, ...]) -> bool:
    if not body:
        return False
    match body[-1]:
        case Return() | Raise():
            return True
        case Jump(kind=kind):
            return kind == "break"
        case With(body=inner):
            return _always_leaves(inner)
        case If(body=then, orelse=orelse):
            return _always_leaves(then) and _always_leaves(orelse)
        case _:
            return False


def pauses_to_retry(loop: LoopRun, waiting: Sequence[Event], head: Place, sources: Sources) -> bool:
    """Whether a loop counts its attempts, says of its pauses that they come before a retry, and asks for no state."""
    if not waiting or any(map(STATE.search, (*loop.states, *loop.exit_states))):
        return False
    if not ATTEMPTS.search(sources.excerpt(head)):
        return False
    return all(PAUSED_FOR_A_RETRY.search(sources.excerpt(event.place)) for event in waiting)
