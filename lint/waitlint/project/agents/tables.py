"""The tables in which a loop looks up what the model names, and the functions in them."""

from __future__ import annotations

from collections.abc import Iterator

from waitlint.facts import Attr, Call, Index
from waitlint.interpret.alternatives import inside
from waitlint.interpret.syntax import nodes
from waitlint.interpret.values import FunctionRef, Items, Record, Value
from waitlint.project.agents.runs import Lookup
from waitlint.project.world import ProjectWorld


def tables_of(world: ProjectWorld, lookup: Lookup) -> Iterator[Value]:
    """What stands before the key in a lookup."""
    path = lookup.place.path
    frame = lookup.frames[-1] if lookup.frames else None
    facts = world.files[path]
    for body in (facts.body, *(function.body for function in facts.functions)) if frame is not None else ():
        for node in nodes(body):
            if getattr(node, "span", None) != lookup.place.span or frame is None:
                continue
            match node:
                case Index(base=base) | Call(func=Attr(base=base)):
                    yield world.evaluate(base, frame)


def functions_in(world: ProjectWorld, lookup: Lookup) -> list[FunctionRef] | None:
    """The functions of the project that a lookup can find; None where not all of them are in view."""
    found: list[FunctionRef] = []
    for table in tables_of(world, lookup):
        for part in inside(table, 5):
            if isinstance(part, FunctionRef):
                found.append(part)
            elif isinstance(part, Record | Items) and part.open:
                return None
    return found
