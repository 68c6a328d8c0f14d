"""What rules have asked of the code, with the answers: the same holds as long as the code does."""

from __future__ import annotations

from collections.abc import Collection

from msgspec import Struct, field

from waitlint.finding import Evidence, Place
from waitlint.linked import StateSet


class Asked(Struct, array_like=True):
    """Answers of `waitlint.context.Project`, by what was asked for; each field is called as its method."""

    states_seen_from: dict[str, tuple[StateSet, ...]] = field(default_factory=dict)
    states_in: dict[str, frozenset[str]] = field(default_factory=dict)
    names_in: dict[str, frozenset[str]] = field(default_factory=dict)
    compared_in: dict[str, frozenset[str]] = field(default_factory=dict)
    counts_beside: dict[str, Evidence | None] = field(default_factory=dict)
    others_running: dict[str, Evidence | None] = field(default_factory=dict)


def key_of_paths(paths: Collection[str]) -> str:
    return "\0".join(paths)


def key_of_place(place: Place) -> str:
    return f"{place.path}\0{place.span.start}\0{place.span.end}"
