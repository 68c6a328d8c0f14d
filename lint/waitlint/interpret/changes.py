"""What changes from lap to lap."""

from __future__ import annotations

from msgspec import Struct

from waitlint.facts import Assign, Expr


class Change(Struct, frozen=True):
    """One assignment inside a loop. `counts` as in `Counter`; `step` where it adds to what was there."""

    name: str
    counts: str
    step: Expr | None
    sign: str
    value: Expr
    place: Assign
