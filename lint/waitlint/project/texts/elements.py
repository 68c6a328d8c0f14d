"""Prompts that are written as elements of JSX: the words between their tags."""

from __future__ import annotations

from collections.abc import Iterator

from waitlint.catalog import TextNames
from waitlint.facts import FileFacts, Hole, Import, Name, Opaque, Piece, Str
from waitlint.interpret.frames import Frame
from waitlint.interpret.values import TextPart, Textual
from waitlint.project.world import ProjectWorld

ENDINGS = (".tsx", ".jsx")
LIBRARY = "prompt-tsx"


def element_texts(world: ProjectWorld, names: TextNames, path: str, facts: FileFacts) -> Iterator[Textual]:
    """Each outermost element of a file that makes a prompt, as one text with the elements inside it."""
    if not path.endswith(ENDINGS):
        return
    everything = any(isinstance(stmt, Import) and LIBRARY in stmt.module for stmt in facts.body)
    taken: list[tuple[int, int]] = []
    for tagged in sorted(world.walked(path).tagged, key=lambda one: (one.node.span.start, -one.node.span.end)):
        span = tagged.node.span
        if any(start <= span.start and span.end <= end for start, end in taken):
            continue
        if not everything and tag(tagged.node) not in names.tags:
            continue
        taken.append((span.start, span.end))
        parts = list(_parts(world, tagged.node, world.frame_for(path, tagged.function), path))
        if any(part is not None for part in parts):
            yield Textual(tuple(parts), world.frame_for(path, tagged.function).place(span))


def tag(node: Opaque) -> str:
    """The name of an element; "" for other syntax."""
    first = node.parts[0] if node.parts else None
    return first.name if isinstance(first, Name) else ""


def _parts(world: ProjectWorld, node: Opaque, frame: Frame, path: str) -> Iterator[TextPart | None]:
    """The words of an element in order, None for what is put in at run time."""
    for part in node.parts:
        if isinstance(part, Str):
            yield from _of_string(world, part, frame, path)
        elif isinstance(part, Opaque):
            yield from _parts(world, part, frame, path)


def _of_string(world: ProjectWorld, string: Str, frame: Frame, path: str) -> Iterator[TextPart | None]:
    for piece in string.pieces:
        if isinstance(piece, Piece):
            yield TextPart(path, piece)
        elif isinstance(piece, Hole) and isinstance(piece.value, Opaque):
            yield from _parts(world, piece.value, frame, path)
        else:
            value = world.evaluate(piece.value, frame)
            yield from value.parts if isinstance(value, Textual) else (None,)
