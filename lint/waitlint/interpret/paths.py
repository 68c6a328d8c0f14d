"""The paths through a function: what is known on each, and how each leaves."""

from __future__ import annotations

from waitlint.facts import Expr, Name, Yield
from waitlint.interpret.alternatives import join
from waitlint.interpret.values import External, Instance, StateTest, Value
from waitlint.interpret.ways import State, Way

MAX_STATES = 4
FEW_EXITS = 12
MAX_EXITS = 32


def is_unknown_test(leaf: Value) -> bool:
    """Whether a test may be a bound that is not in view."""
    return isinstance(leaf, StateTest) and not (leaf.outside or leaf.invariant)


def exception_names(value: Value) -> set[str]:
    """The class names that an exception, or a class of exceptions, is known by."""
    match value:
        case External(name=name):
            return {name.rpartition(".")[2]}
        case Instance(type=External(name=name)):
            return {name.rpartition(".")[2]}
        case _:
            return set()


def asked_names(test: Expr) -> list[str]:
    """The local names that a test asks about directly."""
    found: list[str] = []
    pending: list[object] = [test]
    while pending and len(found) < 4:
        node = pending.pop(0)
        if isinstance(node, Name):
            found.append(node.name)
        elif isinstance(node, Yield):
            continue
        else:
            for field_name in ("left", "right", "value", "base", "test"):
                child = getattr(node, field_name, None)
                if child is not None and hasattr(child, "span"):
                    pending.append(child)
    return found


def merged(states: list[State]) -> list[State]:
    """Few paths: those that passed the same cap become one where they meet."""
    if len(states) < 2:
        return states
    by_tag: dict[int | None, State] = {}
    for state in states:
        known = by_tag.get(state.tag)
        if known is None:
            by_tag[state.tag] = state.copy()
            continue
        known.failed = known.failed and state.failed
        names = known.locals
        for name, value in state.locals.items():
            before = names.get(name)
            if before is not value:
                names[name] = value if before is None else join(before, value)
    return list(by_tag.values())[:MAX_STATES]


def together(ways: list[Way]) -> list[list[Way]]:
    """The ways that one run of what follows serves: those that passed the same cap and where as much has failed."""
    found: dict[tuple[int | None, bool], list[Way]] = {}
    for way in ways:
        found.setdefault((way.branch.tag, way.branch.failed), []).append(way)
    return list(found.values())
