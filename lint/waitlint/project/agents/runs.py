"""What a run of code showed of models: requests, look-ups by their word, ways out of loops."""

from __future__ import annotations

from dataclasses import dataclass, field

from waitlint.catalog import AgentApi
from waitlint.finding import Place
from waitlint.interpret.events import Scope
from waitlint.interpret.frames import Frame
from waitlint.interpret.runs import Run
from waitlint.interpret.values import (
    Value,
)


@dataclass(slots=True)
class Asked:
    """A request to a model. `frames` are the calls that lead to it, `loops` the serials of the loops around it."""

    row: AgentApi
    place: Place
    args: tuple[tuple[str | None, Value], ...]
    func: Value
    frames: tuple[Frame, ...]
    loops: tuple[int, ...]
    scopes: tuple[Scope, ...]
    in_handler: bool


@dataclass(slots=True)
class Lookup:
    """Something that is looked up by the model's word. `by` is `index`, `get`, `getattr` or `namespace`."""

    by: str
    place: Place
    frames: tuple[Frame, ...]
    loops: tuple[int, ...]


@dataclass(slots=True)
class Way:
    """A way out of a loop: `tests` are the places of its conditions, `at_cap` where it leaves at a cap."""

    kind: str
    place: Place | None
    tests: tuple[Place, ...]
    at_cap: bool


@dataclass(slots=True)
class AgentRun:
    """A run, and what it showed of models. `people` and `serving` are the loops in which a person or a client is
    waited for, `asked_now_and_then` those in whose own code someone is asked on some laps; `ways` the ways out by
    the serial of their loop; `answers` the conditions of helpers that answer yes or no to it; `replies` the places
    where what the model said comes from; `settled` the tests that have one answer, `raised` those on which
    something that is named for a bound is raised, caught or not, in a lap, and `failing` those that only count
    failures, or up to infinity, with the answer that they have before. `entered` are the functions of the project
    that a loop runs, by path and index. `endless` are the comparisons that infinity decides, with where that is set.
    """

    run: Run
    asked: list[Asked] = field(default_factory=list)
    lookups: list[Lookup] = field(default_factory=list)
    ways: dict[int, list[Way]] = field(default_factory=dict)
    answers: dict[int, set[Place]] = field(default_factory=dict)
    people: set[int] = field(default_factory=set)
    asked_now_and_then: set[int] = field(default_factory=set)
    serving: set[int] = field(default_factory=set)
    replies: set[Place] = field(default_factory=set)
    settled: dict[Place, bool | None] = field(default_factory=dict)
    raised: dict[int, set[Place]] = field(default_factory=dict)
    entered: dict[int, set[tuple[str, int]]] = field(default_factory=dict)
    failing: dict[Place, bool] = field(default_factory=dict)
    called: dict[int, list[tuple[str, Place]]] = field(default_factory=dict)
    endless: dict[Place, Place | None] = field(default_factory=dict)
