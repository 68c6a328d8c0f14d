"""Faults of waitlint itself while it links: what failed is named and left out, the rest goes on."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")


class Faults:
    """What failed, in words, each once."""

    def __init__(self) -> None:
        self.found: list[str] = []

    def note(self, what: str, error: Exception) -> None:
        """Name a failure: `what` was being done, why it failed, and where in waitlint."""
        frames = traceback.extract_tb(error.__traceback__)
        where = f" ({Path(frames[-1].filename).name}:{frames[-1].lineno})" if frames else ""
        words = f"{what} failed with {type(error).__name__}: {error}{where}"
        if words not in self.found:
            self.found.append(words)

    def each(self, what: str, found: Iterable[T]) -> Iterator[T]:
        """What comes out of an iterable up to a failure in it, which is named."""
        try:
            yield from found
        except Exception as error:
            self.note(what, error)

    def result(self, what: str, find: Callable[[], T], otherwise: Callable[[], T]) -> T:
        """What a function gives; where it fails, that is named, and `otherwise` says what goes in its place."""
        try:
            return find()
        except Exception as error:
            self.note(what, error)
            return otherwise()
