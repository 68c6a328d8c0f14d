"""Plain functions that become tools by standing in a list that an agent or a toolkit is given."""

from __future__ import annotations

from collections.abc import Iterator

from waitlint.catalog import Framework
from waitlint.finding import Place
from waitlint.interpret.alternatives import options
from waitlint.interpret.values import FunctionRef, Items, Record, Textual, Value
from waitlint.project.registrations.faces import face, face_name
from waitlint.project.registrations.matching import Matching, aliases, text_of
from waitlint.project.registrations.model import Registration
from waitlint.project.world import ProjectWorld

DEPTH = 4


class Lists:
    """Registrations by `tools=[f]`."""

    def __init__(self, world: ProjectWorld, matching: Matching) -> None:
        self.world = world
        self.matching = matching
        self.tails = frozenset(
            name.rpartition(".")[2]
            for row in matching.frameworks.rows
            if row.form == "list"
            for name in (*row.calls, *row.methods)
        )

    def in_file(self, path: str) -> Iterator[Registration]:
        facts = self.world.facts(path)
        also = aliases(facts, self.tails)
        for found in self.world.calls_named(path, self.tails.union(also) if also else self.tails):
            frame = self.world.frame_for(path, found.function)
            matched = self.matching.match(found.call.func, frame, facts.language, ("list",))
            if matched is None:
                continue
            row, confidence = matched
            args = self.world.arguments(found.call, frame)
            for slot in row.items:
                value = self.matching.slot((slot,), args)
                if value is not None:
                    for given, ref in _functions(value):
                        registration = self._registration(row, confidence, given, ref)
                        registration.timeout = self.matching.slot(row.timeout, args)
                        if registration.name:
                            yield registration

    def _registration(self, row: Framework, confidence: str, given: Textual | None, ref: FunctionRef) -> Registration:
        seen = face(self.world, ref)
        function = self.world.facts(seen.path).functions[seen.index]
        span = Place(seen.path, function.span)
        return Registration(
            row,
            text_of(given) or face_name(self.world, ref),
            Place(seen.path, function.at),
            confidence,
            self.matching.described(None, row, (ref,)),
            None,
            (ref,),
            span,
            span,
        )


def _functions(value: Value, depth: int = DEPTH) -> Iterator[tuple[Textual | None, FunctionRef]]:
    """The functions in a list or map of tools, each with the name that it is given there."""
    for _, option in options(value):
        match option:
            case FunctionRef():
                yield None, option
            case Items(items=(FunctionRef() as ref, Textual() as name)):
                yield name, ref
            case Items(items=items) if depth:
                for item in items:
                    yield from _functions(item, depth - 1)
            case Record(entries=entries) if depth:
                for entry in entries.values():
                    yield from _functions(entry, depth - 1)
            case _:
                continue
