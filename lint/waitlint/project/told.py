"""What the models of agents' loops are told."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from waitlint.linked import AgentLoop, ToolText


class Told:
    """The texts of loops by file: where each stands, and the loop."""

    def __init__(self, loops: Iterable[AgentLoop]) -> None:
        self._known: dict[str, list[tuple[int, int, AgentLoop]]] = {}
        for loop in loops:
            for text in loop.texts:
                for path, start, end in _stands(text):
                    self._known.setdefault(path, []).append((start, end, loop))

    def of(self, text: ToolText) -> Sequence[AgentLoop]:
        """The loops in which the model is told a text, or one that has it as a part."""
        return [loop for start, end, loop in self._known.get(text.path, ()) if _overlap(text, start, end)]


def _stands(text: ToolText) -> Iterator[tuple[str, int, int]]:
    """The stretches of files that a text is written in."""
    places = text.text.places
    paths = text.paths or ((0, text.path),)
    for position, (offset, path) in enumerate(paths):
        end = paths[position + 1][0] if position + 1 < len(paths) else len(text.text.value)
        spans = [source for at, source in places if offset <= at <= end] or [text.text.span.start]
        if end > offset:
            place = text.place(offset, end)
            yield path, min(place.span.start, *spans), max(place.span.end, *spans)


def _overlap(text: ToolText, start: int, end: int) -> bool:
    return any(path == text.path and first < end and start < last for path, first, last in _stands(text))
