"""The states that a file writes down: the texts that it puts under the key of a state."""

from __future__ import annotations

from collections.abc import Mapping

from waitlint.facts import Assign, Attr, Do, Entry, Expr, FileFacts, Index, Map, Name, Str
from waitlint.interpret.syntax import nodes

KEYS = frozenset({"status", "state", "phase", "stage", "jobstatus", "job_status", "runstatus", "taskstatus"})
LONGEST = 40


class States:
    """State names by file, found out when they are first asked for."""

    def __init__(self, files: Mapping[str, FileFacts]) -> None:
        self._files = files
        self._known: dict[str, frozenset[str]] = {}

    def of(self, path: str) -> frozenset[str]:
        known = self._known.get(path)
        if known is None:
            facts = self._files.get(path)
            known = self._known[path] = frozenset(_written(facts) if facts is not None else ())
        return known


def _written(facts: FileFacts) -> set[str]:
    bodies = (facts.body, *(function.body for function in facts.functions))
    fields = tuple(
        Do(member.span, Assign(member.span, Name(member.span, member.name), member.value))
        for definition in facts.classes
        for member in definition.members
        if member.value is not None
    )
    found: set[str] = set()
    for body in (*bodies, fields):
        for node in nodes(body):
            if isinstance(node, Assign) and _key(node.target) in KEYS:
                found |= _state(node.value)
            elif isinstance(node, Map):
                for entry in node.entries:
                    found |= _entry(entry)
    return found


def _entry(entry: Entry) -> set[str]:
    key = (entry.key.literal or "") if isinstance(entry.key, Str) else ""
    return _state(entry.value) if key.lower() in KEYS else set()


def _key(target: Expr) -> str:
    match target:
        case Attr(name=name) | Name(name=name):
            return name.lower()
        case Index(key=Str() as key):
            return (key.literal or "").lower()
        case _:
            return ""


def _state(value: Expr) -> set[str]:
    literal = value.literal if isinstance(value, Str) else None
    return {literal} if literal and len(literal) <= LONGEST else set()
