"""Rows that count only where something opens them: an app whose functions are tools once it is served as a server."""

from __future__ import annotations

from collections.abc import Iterator

from waitlint.catalog import Framework, Frameworks
from waitlint.catalog.frameworks import Opening
from waitlint.facts import Const
from waitlint.interpret.values import Constant, Textual, pick
from waitlint.project.registrations.model import Args
from waitlint.project.world import ProjectWorld

MOST_HOPS = 3


class Openings:
    def __init__(self, world: ProjectWorld, frameworks: Frameworks) -> None:
        self.world = world
        self._openings = {row.opened_by for row in frameworks.rows if row.opened_by is not None}
        self._opened: dict[tuple[Opening, str], bool] = {}

    def any_in(self, path: str) -> bool:
        """Whether a file, or one that imports it, makes a call that opens rows."""
        return any(self._is_opened(opening, path) for opening in self._openings)

    def _is_opened(self, opening: Opening, path: str) -> bool:
        known = self._opened.get((opening, path))
        if known is None:
            known = self._opened[opening, path] = any(self._opens(opening, one) for one in self._around(path))
        return known

    def _around(self, path: str) -> Iterator[str]:
        """A file, those that import it, and those that import these."""
        seen, ahead = {path}, [path]
        for _ in range(MOST_HOPS):
            yield from ahead
            ahead = list(dict.fromkeys(one for path in ahead for one in self.world.files_importing(path)))
            ahead = [one for one in ahead if one not in seen]
            seen.update(ahead)

    def _opens(self, opening: Opening, path: str) -> bool:
        return any(
            arg.name == opening.option and isinstance(arg.value, Const) and arg.value.value is True
            for found in self.world.calls_named(path, frozenset(opening.methods))
            for arg in found.call.args
        )

    def is_open(self, row: Framework, args: Args, path: str) -> bool:
        """Whether a call in a file hands over a tool, by what opens its row and by its own options."""
        if row.opened_by is not None and not self._is_opened(row.opened_by, path):
            return False
        for option in row.unless:
            value = pick(tuple(args), option.name, None)
            given = (
                value.literal if isinstance(value, Textual) else value.value if isinstance(value, Constant) else None
            )
            if given is not None and given in option.values:
                return False
        return True
