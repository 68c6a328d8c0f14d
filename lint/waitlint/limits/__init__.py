"""Idle timeouts where a repository states them: who gives up on a silent tool, after how long, and where it says so."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from waitlint.facts import FileFacts
from waitlint.limits import code, sources
from waitlint.limits.choosing import Chosen, Limits, combined
from waitlint.limits.code import may_state as code_may_state
from waitlint.limits.packages import Packages
from waitlint.limits.sources import may_state, seems_to_state
from waitlint.limits.statement import Hop, Statement
from waitlint.source import Source

__all__ = ["Chosen", "Hop", "Limits", "Statement", "code_may_state", "combined", "find", "may_state", "seems_to_state"]


def find(paths: Iterable[str], facts: Mapping[str, FileFacts], read_source: Callable[[str], Source]) -> Limits:
    """What the files under a root state.

    `paths` are all files that are there, relative to the root, `facts` those of the code among them.
    """
    listed = sorted({*paths, *facts})
    packages = Packages(listed, read_source)
    found: list[Statement] = []
    for path in listed:
        if may_state(path):
            found.extend(sources.read(read_source(path), packages))
    for path, one in facts.items():
        found.extend(code.statements(path, one))

    def where(statement: Statement) -> str:
        place = statement.place
        return f"{place.path}:{read_source(place.path).position(place.span.start)[0]}"

    return Limits(found, packages, where)
