"""Which bounds and pauses are the model's to choose, and whether anything limits them."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from waitlint.finding import Place
from waitlint.interpret.alternatives import options
from waitlint.interpret.events import Event, LoopRun, Scope
from waitlint.interpret.values import Constant, ModelArgument, Value
from waitlint.linked import Chosen

Limited = Collection[tuple[str, Place | None]]


def chosen_in_loop(loop: LoopRun, waiting: Iterable[Event], limited: Limited) -> Chosen | None:
    """The bound of a loop that the model chooses, else its pause."""
    bounds = [found for found in loop.caps if found.how not in ("clock", "count") or loop.leaves_at_cap]
    fixed = any(_is_number(found.limit) for found in bounds) or _bounded_by(loop.scopes)
    for found in bounds:
        chosen = _chosen("laps" if found.how in ("count", "items") else "cap", found.limit, limited, fixed)
        if chosen is not None:
            return chosen
    for scope in loop.scopes:
        chosen = _chosen("cap", scope.seconds, limited, fixed)
        if chosen is not None:
            return chosen
    cut_short = _bounded_by(loop.scopes) or any(_is_number(b.limit) for b in bounds if b.how in ("signal", "timer"))
    for event in waiting:
        chosen = _chosen("pause", event.length, limited, cut_short)
        if chosen is not None:
            return chosen
    return None


def chosen_by_call(event: Event, limited: Limited) -> Chosen | None:
    """The bound of one call, or the length of one pause, that the model chooses."""
    around = [scope.seconds for scope in event.scopes if scope.seconds is not None]
    for value in (event.length, *around):
        chosen = _chosen("cap", value, limited, _bounded_by(event.scopes))
        if chosen is not None:
            return chosen
    return None


def _chosen(what: str, value: Value | None, limited: Limited, bounded: bool) -> Chosen | None:
    for _, option in options(value) if value is not None else ():
        if isinstance(option, ModelArgument) and option.place is not None:
            default = option.default
            return Chosen(
                what,
                option.name,
                option.place,
                default is not None,
                bounded or option.maximum is not None or (option.name, option.place) in limited,
                isinstance(default, Constant) and default.value is None,
            )
    return None


def _bounded_by(scopes: Iterable[Scope]) -> bool:
    return any(_is_number(scope.seconds) for scope in scopes if scope.seconds is not None)


def _is_number(value: Value) -> bool:
    return all(isinstance(option, Constant) and option.number is not None for _, option in options(value))
