"""Whether a call leads to a model: not by the name of what it calls alone, but by what that name means where it stands.

Running a function to see whether one of its loops asks a model is dear, and most functions that only share a name with
one that does never get there.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from msgspec import Struct

from waitlint.facts import Call, Stmt
from waitlint.finding import Place
from waitlint.interpret.alternatives import options
from waitlint.interpret.syntax import calls_in, says_nothing
from waitlint.interpret.values import (
    ClassRef,
    FunctionRef,
    Value,
)
from waitlint.project.agents.names import Names
from waitlint.project.world import ProjectWorld
from waitlint.spelled import tail

Key = tuple[str, int]
CONSTRUCTORS = ("__init__", "constructor")


class _Step(Struct, frozen=True):
    """What a function gets to by itself: a model, for all that is in view, and further functions."""

    arrives: bool
    further: tuple[Key, ...]


class Leading:
    """Follows calls to those that ask.

    `asking` are the spans of the calls that ask a model, by file; `named` the functions that may get there, by name.
    """

    def __init__(
        self,
        world: ProjectWorld,
        names: Names,
        asking: Mapping[str, Collection[tuple[int, int]]],
        named: Mapping[str, Collection[Key]],
    ) -> None:
        self.world = world
        self.names = names
        self.asking = asking
        self.named = named
        self._steps: dict[Key, _Step] = {}
        self._known: dict[Key, bool] = {}
        # A call is asked about for its function, and for each loop around it.
        self._means: dict[Place, Value] = {}

    def of(self, path: str, index: int | None, body: tuple[Stmt, ...]) -> bool:
        """Whether some call in a block of a function, which is looked at by itself, gets to a model."""
        step = self._step(path, index, body, given=False)
        return step.arrives or any(map(self._arrives, step.further))

    def _arrives(self, key: Key) -> bool:
        """Whether a function gets to a model, however far away that is."""
        known = self._known.get(key)
        if known is not None:
            return known
        seen, edge = {key}, [key]
        while edge:
            at = edge.pop()
            step = self._steps.get(at)
            if step is None:
                body = self.world.files[at[0]].functions[at[1]].body
                step = self._steps[at] = self._step(*at, body, given=True)
            if step.arrives or any(self._known.get(one) for one in step.further):
                self._known[key] = True
                return True
            fresh = [one for one in step.further if one not in seen and self._known.get(one) is None]
            seen.update(fresh)
            edge += fresh
        self._known.update(dict.fromkeys(seen, False))
        return False

    def _step(self, path: str, index: int | None, body: tuple[Stmt, ...], *, given: bool) -> _Step:
        """Where the calls in a block lead.

        What is called may not be in view. Where the function is `given` things by others it may be any of that name.
        """
        asking = self.asking.get(path, ())
        calls = list(calls_in(body, self.world.files[path]))
        if any((call.span.start, call.span.end) in asking for call in calls):
            return _Step(arrives=True, further=())
        further: dict[Key, None] = {}
        if given and index is not None and says_nothing(body):
            further.update(dict.fromkeys(self.named.get(self.world.files[path].functions[index].name, ())))
        for call in calls:
            if tail(call.func) not in self.named:
                continue
            for _, option in options(self._meant(path, index, call)):
                match option:
                    case FunctionRef(path=inner, index=at):
                        further[inner, at] = None
                    case ClassRef(path=inner, index=at):
                        further.update(((inner, one), None) for one in self._constructors(inner, at))
        return _Step(arrives=False, further=tuple(further))

    def _meant(self, path: str, index: int | None, call: Call) -> Value:
        place = Place(path, call.span)
        known = self._means.get(place)
        if known is None:
            found = self.names.call_at(place)
            frame = self.world.frame_for(path, found.function if found is not None else index)
            known = self._means[place] = self.world.evaluate(call.func, frame)
        return known

    def _constructors(self, path: str, index: int) -> Iterator[int]:
        functions = self.world.files[path].functions
        return (one for one, made in enumerate(functions) if made.owner == index and made.name in CONSTRUCTORS)
