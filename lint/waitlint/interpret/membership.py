"""Methods that ask what something holds, or how a text begins and ends."""

from __future__ import annotations

from waitlint.interpret.alternatives import comes_from_outside
from waitlint.interpret.arithmetic import member, state_test
from waitlint.interpret.values import Items, Outside, StateTest, Textual, Value

HOLDS = frozenset({"includes", "has"})
ANY_OF_THEM = frozenset({"some", "every", "find"})
BEGINS_OR_ENDS = frozenset({"startswith", "endswith", "startsWith", "endsWith"})


def asked_by(name: str, owner: Value, asked: Value) -> Value | None:
    """What `owner.name(asked)` tests; None where it is no such test, or of something that is not in view."""
    if name in ANY_OF_THEM:
        return StateTest(outside=comes_from_outside(owner)) if isinstance(owner, Items) else None
    if name not in HOLDS and name not in BEGINS_OR_ENDS:
        return None
    if isinstance(owner, Outside):
        is_written = isinstance(asked, Textual) and asked.literal
        return state_test(owner, asked) if is_written else None
    return member(asked, owner) if name in HOLDS and isinstance(owner, Items | Textual) else None
