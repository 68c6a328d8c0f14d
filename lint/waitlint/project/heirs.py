"""Which classes of a project inherit from which."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from waitlint.facts import Expr, FileFacts, Index
from waitlint.interpret.values import ClassRef
from waitlint.project.callers import CODE
from waitlint.spelled import tail

DEEP = 5
# Where classes stand in for others while something is tried out.
STANDS_IN = re.compile(
    r"(?:^|/)(?:tests?|__tests__|__mocks__|mocks?|fakes?|stubs?|testing)/|(?:^|/)test_|[._-](?:test|spec|mock|fake)\.",
    re.IGNORECASE,
)


class Heirs:
    """Finds the heirs of a class by the names of the bases, as they are written.

    Those that stand in for others in tests are left out where there are others.
    """

    def __init__(self, files: Mapping[str, FileFacts]) -> None:
        self._files = files
        self._below: dict[str, list[ClassRef]] | None = None
        self._known: dict[str, list[ClassRef]] = {}

    def of(self, ref: ClassRef) -> Sequence[ClassRef]:
        """The classes of the project that inherit from one, the nearest first."""
        return self.named(self._files[ref.path].classes[ref.index].name)

    def named(self, name: str) -> Sequence[ClassRef]:
        """The same, for a class or an object type of this name."""
        known = self._known.get(name)
        if known is None:
            known = self._known[name] = self._find(name)
        return known

    def _find(self, name: str) -> list[ClassRef]:
        below = self._all()
        found: list[ClassRef] = []
        edge = [name]
        for _ in range(DEEP):
            further = [heir for one in edge for heir in below.get(one, ()) if heir not in found]
            found.extend(further)
            edge = [self._files[heir.path].classes[heir.index].name for heir in further]
        real = [heir for heir in found if not STANDS_IN.search(heir.path)]
        return real or found

    def _all(self) -> dict[str, list[ClassRef]]:
        if self._below is None:
            self._below = {}
            for path, facts in self._files.items():
                for index, definition in enumerate(facts.classes):
                    for base in definition.bases if facts.language in CODE else ():
                        named = _named(base)
                        if named:
                            self._below.setdefault(named, []).append(ClassRef(path, index))
        return self._below


def _named(base: Expr) -> str:
    """The name of a base, also of one with type arguments."""
    base = base.base if isinstance(base, Index) else base
    return tail(base)
