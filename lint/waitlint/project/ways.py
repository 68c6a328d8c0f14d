"""The way from a handler down to a call: its functions, and where they take a stop signal."""

from __future__ import annotations

from waitlint.facts import Attr, Name, Param, Span
from waitlint.interpret.frames import Frame
from waitlint.interpret.syntax import nodes
from waitlint.linked import Through


def ways_of(frames: tuple[Frame, ...]) -> tuple[Through, ...]:
    """The functions of the project that the calls below a handler run, outermost first."""
    return tuple(_way(frame) for frame in frames[1:] if frame.call is not None)


def _way(frame: Frame) -> Through:
    function = frame.function
    if function is None:
        return Through(frame.place(Span(0, 0)), 0)
    kind = "Event" if frame.path.endswith((".py", ".ipynb")) else "AbortSignal"
    taking = next((index for index, one in enumerate(function.params) if _takes_signal(one, kind)), -1)
    name = function.params[taking].name if taking >= 0 else ""
    return Through(frame.place(function.span), len(function.params), taking, name)


def _takes_signal(parameter: Param, kind: str) -> bool:
    """Whether a parameter is a signal, by its type or, where it has none, by its name."""
    annotation = parameter.annotation
    if annotation is None:
        return "signal" in parameter.name.lower()
    if isinstance(annotation, Name):
        return annotation.name == kind
    written = nodes((annotation,))
    return any(isinstance(node, Name | Attr) and node.name == kind for node in written)


def signal_name(frames: tuple[Frame, ...]) -> str:
    """What the stop signal that is at hand innermost is called."""
    return next((next(iter(frame.signals)) for frame in reversed(frames) if frame.signals), "")
