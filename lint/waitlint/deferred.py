"""Facts of code that are decoded when something asks for what the file defines.

Most files of a repository are never asked for anything once what their code means is known.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from msgspec import Struct

from waitlint.facts import Comment, FileFacts, Text

CODE = frozenset(("python", "typescript"))
AT_HAND = ("language", "surface", "texts", "comments", "links", "problems")
LATER = tuple(field for field in FileFacts.__struct_fields__ if field not in AT_HAND)


class Head(Struct, frozen=True, array_like=True):
    """What is asked of every file. `states` where its code may state how long a tool may be silent."""

    texts: tuple[Text, ...] = ()
    comments: tuple[Comment, ...] = ()
    links: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    states: bool = False


NO_HEAD = Head()


def head_of(facts: FileFacts, *, states: bool) -> Head:
    return Head(facts.texts, facts.comments, facts.links, facts.problems, states)


class _Deferred:
    """Stands for `FileFacts`; `body` and what belongs to it are there once one of them has been asked for."""

    __slots__ = ("_load", *AT_HAND, *LATER)

    def __init__(self, language: str, surface: str, head: Head, load: Callable[[], FileFacts]) -> None:
        self.language = language
        self.surface = surface
        self.texts, self.comments, self.links, self.problems = head.texts, head.comments, head.links, head.problems
        self._load = load

    def __getattr__(self, name: str) -> Any:
        if name not in LATER:
            raise AttributeError(name)
        facts = self._load()
        for field in LATER:
            setattr(self, field, getattr(facts, field))
        return getattr(self, name)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, FileFacts | _Deferred) and all(
            getattr(self, field) == getattr(other, field) for field in FileFacts.__struct_fields__
        )

    __hash__ = None  # type: ignore[assignment]


def deferred(language: str, surface: str, head: Head, load: Callable[[], FileFacts]) -> FileFacts:
    """Facts of which `load` gives those that are not in the head, once."""
    return cast(FileFacts, _Deferred(language, surface, head, load))


def whole(facts: FileFacts) -> FileFacts:
    """Facts as a `FileFacts`, decoded where they were not yet."""
    return FileFacts(**{field: getattr(facts, field) for field in FileFacts.__struct_fields__})
