"""What rules about texts have asked of the code, with the answers: the same holds as long as the code does."""

from __future__ import annotations

from msgspec import Struct, field

from waitlint.finding import Evidence
from waitlint.linked import StateSet


class Asked(Struct, array_like=True):
    """Answers of `waitlint.context.Project`, by what was asked for; each field is called as its method."""

    states_seen_from: dict[tuple[str, ...], tuple[StateSet, ...]] = field(default_factory=dict)
    states_in: dict[str, frozenset[str]] = field(default_factory=dict)
    names_in: dict[str, frozenset[str]] = field(default_factory=dict)
    compared_in: dict[str, frozenset[str]] = field(default_factory=dict)
    counts_beside: dict[str, Evidence | None] = field(default_factory=dict)
