"""Functions of Node's own modules that change how something is called or waited for."""

from __future__ import annotations

from collections.abc import Callable

from waitlint.finding import Place
from waitlint.interpret.frames import Frame
from waitlint.interpret.processes import ENDS, Processes, child_of
from waitlint.interpret.values import NOTHING, External, Outside, Textual, Value, pick

Args = list[tuple[str | None, Value]]
PROMISIFIED = "__promisify__"


def _promisify(machine: Processes, args: Args, place: Place, frame: Frame) -> Value:
    """`promisify(f)` as the type declarations of Node name it, where the catalog knows that."""
    func = pick(tuple(args), None, 0) or NOTHING
    if isinstance(func, External) and machine.apis.named(f"{func.name}.{PROMISIFIED}") is not None:
        return External(f"{func.name}.{PROMISIFIED}")
    return Outside(place)


def _once(machine: Processes, args: Args, place: Place, frame: Frame) -> Value:
    """`once(child, "close")`."""
    emitter, event = pick(tuple(args), None, 0) or NOTHING, pick(tuple(args), None, 1)
    child = child_of(emitter)
    if child is not None and isinstance(event, Textual) and event.literal in ENDS:
        return machine.child_ended(child, place)
    return Outside(place)


_BY_MODULE: dict[str, dict[str, Callable[[Processes, Args, Place, Frame], Value]]] = {
    "util": {"promisify": _promisify},
    "events": {"once": _once},
}
NODE: dict[str, Callable[[Processes, Args, Place, Frame], Value]] = {
    f"{scheme}{module}{default}.{name}": function
    for module, functions in _BY_MODULE.items()
    for name, function in functions.items()
    for scheme in ("", "node:")
    for default in ("", ".default")
}
__all__ = ["NODE"]
