"""Calls that change what is outside of the program: `writes.yaml`."""

from __future__ import annotations

from functools import cache

from msgspec import Struct

from waitlint.catalog.globs import alternatives
from waitlint.catalog.tables import mapping_of


class Writes(Struct, frozen=True):
    """The fields are explained at the head of `writes.yaml`."""

    calls: frozenset[str]
    methods: frozenset[str]
    modes: frozenset[str]
    commands: frozenset[str] = frozenset()
    tools: frozenset[str] = frozenset()

    def is_call(self, name: str) -> bool:
        """Whether a call writes, by its qualified name; a module's default export counts as the module."""
        return name in self.calls or name.replace(".default.", ".").replace(".promises.", "/promises.") in self.calls

    def is_command(self, name: str) -> bool:
        """Whether a call runs the command that it is given."""
        return name.replace(".default.", ".") in self.commands


@cache
def load_writes(language: str) -> Writes:
    """What writes in one language; nothing in languages that the table does not know."""
    rows = mapping_of("writes.yaml").get(language, {})
    return Writes(
        frozenset(plain for name in rows.get("calls", ()) for plain in alternatives(name)),
        frozenset(rows.get("methods", ())),
        frozenset(rows.get("modes", ())),
        frozenset(plain for name in rows.get("commands", ()) for plain in alternatives(name)),
        frozenset(plain for name in rows.get("tools", ()) for plain in alternatives(name)),
    )


@cache
def granted_writes() -> frozenset[str]:
    """The names by which an agent's definition grants tools that write or run commands."""
    return frozenset(mapping_of("writes.yaml").get("granted", ()))
