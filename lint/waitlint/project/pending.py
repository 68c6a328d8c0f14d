"""Frames of functions that were not called in a run: filled in as far as somebody asks for their names."""

from __future__ import annotations

from collections.abc import Callable, Collection

from waitlint.facts import Function, Stmt
from waitlint.interpret.frames import Frame
from waitlint.interpret.values import Value
from waitlint.project.slices import Slices

Fill = Callable[["PendingFrame"], None]
Execute = Callable[["PendingFrame", tuple[Stmt, ...]], None]


class PendingFrame(Frame):
    """A frame whose arguments are looked up, and whose body is run, when one of its names is asked for.

    `given` binds the arguments as the function's callers in the project give them. `run` executes statements of the
    body: those that a name depends on, and no others, as `slices` tells them. `bound` are the names that
    something in it binds: for another one, there is no need to take it apart.
    """

    __slots__ = ("_arguments", "_bound", "_found", "_given", "_run", "_seen", "_slices")

    def __init__(
        self,
        path: str,
        function: Function,
        parent: Frame | None,
        bound: Collection[str],
        slices: Callable[[], Slices],
        given: Fill,
        run: Execute,
    ) -> None:
        super().__init__(path, function, parent)
        self._bound = bound
        self._slices = slices
        self._given: Fill | None = given
        self._run = run
        self._arguments = frozenset((*(param.name for param in function.params), "this"))
        self._seen: set[str] = set()
        self._found: dict[str, Value] = {}

    def find(self, name: str) -> Value | None:
        if name not in self._seen:
            if name in self._arguments:
                self._give()
            if name in self._bound and name in (slices := self._slices()).bound:
                self._execute(*slices.needed_for(name, self._found, self.locals))
            self._seen.add(name)
        found = self.locals.get(name)
        if found is None:
            found = self._found.get(name)
        if found is not None or self.parent is None:
            return found
        return self.parent.find(name)

    def _give(self) -> None:
        if self._given is not None:
            given, self._given = self._given, None
            outer, self.locals = self.locals, {}
            given(self)
            self._found.update(self.locals)
            outer.update(self.locals)
            self.locals = outer

    def _execute(self, body: tuple[Stmt, ...], names: Collection[str]) -> None:
        """Execute statements, and keep what they make of those names that were not known before."""
        if not self._arguments.isdisjoint(names):
            self._give()
        fresh = set(names) - self._seen
        self._seen |= fresh
        outer, self.locals = self.locals, {**self._found, **self.locals}
        self._run(self, body)
        made, self.locals = self.locals, outer
        self._found.update((name, made[name]) for name in fresh if name in made)
        self.locals.update(self._found)
