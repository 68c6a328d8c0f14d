"""At which states a loop is left, by the tests on the way out."""

from __future__ import annotations

from collections.abc import Iterable

from waitlint.interpret.values import Both, Choice, Either, StateTest, Value

Exits = tuple[frozenset[str], bool]
NEITHER: Exits = (frozenset(), False)


def exits_of(tests: Iterable[Value]) -> Exits:
    """The states at which tests that hold together lead out, and whether other states do so as well."""
    found = NEITHER
    for test in tests:
        found = _together(found, _exits(test))
    return found


def _exits(test: Value) -> Exits:
    match test:
        case Both(left=left, right=right):
            return _together(_exits(left), _exits(right))
        case Either(left=left, right=right):
            return _one_of(_exits(left), _exits(right))
        case Choice(options=alternatives):
            found = NEITHER
            for _, option in alternatives:
                found = _one_of(found, _exits(option))
            return found
        case StateTest(outside=True, states=states, excluded=excluded):
            return (frozenset(), True) if excluded or not states else (frozenset(states), False)
        case _:
            return NEITHER


def _together(left: Exits, right: Exits) -> Exits:
    """Of two tests that both hold, the one that names states says more than one that rules some out."""
    named = [side for side in (left, right) if side[0] and not side[1]]
    if named:
        return frozenset().union(*(side[0] for side in named)), False
    return left[0] | right[0], left[1] or right[1]


def _one_of(left: Exits, right: Exits) -> Exits:
    return left[0] | right[0], left[1] or right[1]
