"""Looking into data documents (JSON, YAML, TOML), whose values keep their places."""

from __future__ import annotations

from collections.abc import Iterator

from waitlint import frontends
from waitlint.catalog.surfaces import language_of
from waitlint.facts import Const, Do, Expr, Map, Seq, Str
from waitlint.limits.units import plain_seconds
from waitlint.source import Source

LANGUAGES = ("json", "yaml", "toml")


def documents(source: Source) -> Iterator[Map]:
    """The documents of a file that are objects."""
    language = language_of(source.path)
    if language in LANGUAGES:
        for stmt in frontends.read(source, language, "").body:
            if isinstance(stmt, Do) and isinstance(stmt.value, Map):
                yield stmt.value


def at(value: Expr | None, *keys: str) -> Expr | None:
    """The value at a path of keys."""
    for key in keys:
        value = next((found for name, found in fields(value) if name == key), None)
    return value


def fields(value: Expr | None) -> Iterator[tuple[str, Expr]]:
    """The keys of an object with their values."""
    if isinstance(value, Map):
        for entry in value.entries:
            if isinstance(entry.key, Str) and (name := entry.key.literal) is not None:
                yield name, entry.value


def items(value: Expr | None) -> tuple[Expr, ...]:
    return value.items if isinstance(value, Seq) else ()


def text_of(value: Expr | None) -> str:
    """A string; "" for anything else."""
    return (value.literal or "") if isinstance(value, Str) else ""


def number_of(value: Expr | None) -> float | None:
    """A timeout: a number, or a text that is one. 0 is for ever."""
    if isinstance(value, Str):
        return plain_seconds(text_of(value))
    if isinstance(value, Const) and isinstance(value.value, int | float) and not isinstance(value.value, bool):
        return plain_seconds(str(value.value))
    return None
