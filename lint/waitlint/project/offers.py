"""What a TypeScript or JavaScript file offers to those that import it, by name."""

from __future__ import annotations

from collections.abc import Iterator

from waitlint.facts import Assign, Attr, Do, Export, Expr, FileFacts, Name
from waitlint.project.callers import top_level


class Offer:
    """The exports of a file.

    `named` are those that have a name, the first of each, `starred` the modules of which everything is handed on, and
    `assigned` what `exports.name = …` offers under its name; `module.exports = …` has none.
    """

    def __init__(self, facts: FileFacts) -> None:
        self.named: dict[str, Export] = {}
        for export in facts.exports:
            self.named.setdefault(export.name, export)
        self.starred = tuple(one.module for one in facts.exports if one.name == "*" and one.module is not None)
        self.assigned = tuple(_assigned(facts))


def _assigned(facts: FileFacts) -> Iterator[tuple[str, Expr]]:
    for stmt in top_level(facts.body):
        if not (isinstance(stmt, Do) and isinstance(stmt.value, Assign) and isinstance(stmt.value.target, Attr)):
            continue
        target = stmt.value.target
        owner = target.base
        if isinstance(owner, Name) and owner.name == "module" and target.name == "exports":
            yield "", stmt.value.value
        elif isinstance(owner, Name | Attr) and owner.name == "exports":
            yield target.name, stmt.value.value
