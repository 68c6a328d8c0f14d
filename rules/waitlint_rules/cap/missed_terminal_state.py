"""`cap/missed-terminal-state`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from msgspec import Struct

from waitlint.context import Context
from waitlint.finding import Confidence, Evidence, Finding, Place, Quiet, Severity
from waitlint.linked import StateSet, Tool, Wait
from waitlint.rule import rule
from waitlint_rules.sketches import either
from waitlint_rules.wording import in_seconds

FINAL = frozenset(
    [
        "failed",
        "failure",
        "error",
        "errored",
        "errors",
        "cancelled",
        "canceled",
        "aborted",
        "expired",
        "timedout",
        "timeout",
        "rejected",
        "stopped",
        "terminated",
        "killed",
        "fault",
        "faulted",
        "completed",
        "complete",
        "succeeded",
        "success",
        "successful",
        "finished",
        "done",
        "denied",
        "declined",
        "crashed",
        "lost",
    ]
)
UNFINISHED = frozenset(
    [
        "pending",
        "running",
        "queued",
        "waiting",
        "processing",
        "started",
        "starting",
        "submitted",
        "scheduled",
        "progress",
        "active",
        "open",
        "created",
        "creating",
        "building",
        "provisioning",
        "preparing",
        "accepted",
        "initializing",
        "new",
        "uploading",
        "working",
        "ready",
    ]
)
OUT_OF_TIME = frozenset({"timedout", "timeout", "expired"})
NAMES_FINAL = re.compile(r"termin|final|finish|done|ended|complete|closed", re.IGNORECASE)
PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
VERBS = frozenset({"get", "post", "put", "patch", "delete", "head", "options", "request", "send", "fetch", "urlopen"})
LISTED = re.compile(
    r"[\"'`]?[A-Za-z][\w-]{2,}[\"'`]?(?:(?:\s*[,/|]\s*(?:or |and )?|\s+(?:or|and)\s+)[\"'`]?[A-Za-z][\w-]{2,}[\"'`]?)+"
)
WORD = re.compile(r"[A-Za-z][\w-]+")


class Known(Struct, frozen=True):
    """What shows that there are more final states."""

    states: tuple[str, ...]
    said: str
    place: Place | None
    confidence: Confidence


@rule(subject="Tool", severity=Severity.WARNING, rules=("R2",), checklist=("C3",), fixes="")
def check(tool: Tool, context: Context) -> Iterator[Finding | Quiet]:
    """A wait ends at some final states and not at others, so that work in one of those is waited for until the cap."""
    if not tool.waits:
        yield Quiet(tool.name, "it does not wait")
    for wait in tool.waits:
        where = context.project.where(wait.place)
        reason = _silent_because(wait)
        if reason:
            yield Quiet(tool.name, f"{where}: {reason}")
            continue
        found = _missed(wait, tool, context)
        if found is None:
            yield Quiet(tool.name, f"{where}: nothing in view knows of a final state that it misses")
            continue
        missed, known = found
        place = context.home(wait, partial(_waits_here, place=wait.place))
        yield context.finding(
            place,
            f"this wait does not end at {_listed(missed)}, {known.said}: such work is waited for {_until(wait)}",
            help=_help(wait, missed),
            scope=wait.scope,
            excerpt=wait.excerpt,
            tools=(tool.name,),
            confidence=known.confidence,
            evidence=[Evidence(known.place, "the other final states")] if known.place is not None else [],
        )


def _silent_because(wait: Wait) -> str:
    if wait.kind != "loop" or wait.within is not None:
        return "it is no loop of its own"
    if not wait.exit_states:
        return "it is not known at which states it ends"
    return "any other state ends it too" if wait.exits_otherwise else ""


def _missed(wait: Wait, tool: Tool, context: Context) -> tuple[list[str], Known] | None:
    compared = {_plain(state) for state in (*wait.states, *wait.exit_states)}
    for known in (*_declared(wait, context), *_siblings(wait, tool, context), *_in_words(wait, tool)):
        missed = [state for state in known.states if is_final(state) and _plain(state) not in compared]
        if wait.cap.known:
            missed = [state for state in missed if not OUT_OF_TIME & set(_parts(state))]
        if missed:
            return missed, known
    return None


def _declared(wait: Wait, context: Context) -> Iterator[Known]:
    """Enums, unions and tables of states in the files at hand."""
    paths = [wait.place.path, *(read.place.path for read in wait.reads), *(place.path for place in wait.callers)]
    for declared in context.project.states_seen_from(tuple(dict.fromkeys(paths))):
        if _is_about(declared, wait):
            where = context.project.where(declared.place)
            yield Known(declared.states, f"which `{declared.name}` ({where}) knows", declared.place, Confidence.HIGH)


def _is_about(declared: StateSet, wait: Wait) -> bool:
    """Whether a list holds all that the loop compares with, and is one of states that work goes through."""
    if not set(wait.states) | set(wait.exit_states) <= set(declared.states):
        return False
    unfinished = any(UNFINISHED & set(_parts(state)) for state in declared.states)
    return unfinished or bool(NAMES_FINAL.search(declared.name))


def _siblings(wait: Wait, tool: Tool, context: Context) -> Iterator[Known]:
    """Other loops that ask the same call of a library, and know more."""
    asked = {read.api for read in wait.reads if read.api.rpartition(".")[2].lower() not in VERBS}
    for other in context.project.tools:
        for sibling in other.waits:
            if sibling.place == wait.place or not asked & {read.api for read in sibling.reads}:
                continue
            if set(wait.exit_states) & set(sibling.exit_states):
                where = context.project.where(sibling.place)
                said = f"at which another wait for the same call ends ({where})"
                yield Known(sibling.exit_states, said, sibling.place, Confidence.MEDIUM)


def _in_words(wait: Wait, tool: Tool) -> Iterator[Known]:
    """Lists of states in the description of the tool and the docstring of the loop's function."""
    described = tool.description
    texts = [("the description", described.text.value if described is not None else ""), ("the docstring", wait.doc)]
    for what, text in texts:
        for match in LISTED.finditer(text):
            listed = tuple(WORD.findall(match[0]))
            if set(wait.exit_states) & set(listed):
                style = _style(next(iter(set(wait.exit_states) & set(listed))))
                same = tuple(state for state in listed if _style(state) == style)
                place = Place(described.path, described.text.span) if described and what == "the description" else None
                yield Known(same, f"which {what} lists", place, Confidence.MEDIUM)


def is_final(state: str) -> bool:
    """Whether a state, by its name, is one that nothing follows."""
    parts = _parts(state)
    return bool(FINAL & {*parts, "".join(parts[-2:])}) and not {"not", "un", "no"} & set(parts)


def _parts(state: str) -> list[str]:
    found = [part.lower() for part in PARTS.findall(state)]
    return [*found, "timedout"] if found[-2:] == ["timed", "out"] else found


def _plain(state: str) -> str:
    return re.sub(r"[^a-z0-9]", "", state.lower()).replace("canceled", "cancelled")


def _style(state: str) -> str:
    if state.isupper():
        return "upper"
    return "lower" if state.islower() else "title"


def _waits_here(tool: Tool, place: Place) -> bool:
    return any(wait.place == place for wait in tool.waits)


def _listed(states: list[str]) -> str:
    return " or ".join(f"“{state}”" for state in states[:3])


def _until(wait: Wait) -> str:
    if wait.cap.absent:
        return "without end"
    return f"until the {in_seconds(wait.cap.value)} are over" if wait.cap.known else "until the cap"


def _help(wait: Wait, missed: list[str]) -> str:
    states = list(dict.fromkeys([*sorted(wait.exit_states), *missed]))
    return f"End the wait at each of them, `{either(wait.place.path, states)}`, and tell the model which one it was."
