"""Which classes of a project inherit from which."""

from __future__ import annotations

from collections.abc import Mapping

from waitlint.facts import Attr, FileFacts, Name
from waitlint.interpret.values import ClassRef
from waitlint.project.callers import CODE

DEEP = 5


class Heirs:
    """Finds the heirs of a class by the names of the bases, as they are written."""

    def __init__(self, files: Mapping[str, FileFacts]) -> None:
        self._files = files
        self._below: dict[str, list[ClassRef]] | None = None

    def of(self, ref: ClassRef) -> list[ClassRef]:
        """The classes of the project that inherit from one, the nearest first."""
        if self._below is None:
            self._below = {}
            for path, facts in self._files.items():
                for index, definition in enumerate(facts.classes):
                    for base in definition.bases if facts.language in CODE else ():
                        if isinstance(base, Name | Attr):
                            self._below.setdefault(base.name, []).append(ClassRef(path, index))
        found: list[ClassRef] = []
        edge = [self._files[ref.path].classes[ref.index].name]
        for _ in range(DEEP):
            below = [heir for one in edge for heir in self._below.get(one, ()) if heir not in found]
            found.extend(below)
            edge = [self._files[heir.path].classes[heir.index].name for heir in below]
        return found
