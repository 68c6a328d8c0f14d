"""Frames of functions that were not called in a run: filled in as far as somebody asks for their names."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from waitlint.facts import (
    Assign,
    Define,
    DefineClass,
    Expr,
    FileFacts,
    Function,
    Handler,
    Import,
    Loop,
    Name,
    Seq,
    Spread,
    With,
)
from waitlint.interpret.frames import Frame
from waitlint.interpret.syntax import nodes
from waitlint.interpret.values import Value

Fill = Callable[["PendingFrame"], None]


class PendingFrame(Frame):
    """A frame whose arguments are looked up, and whose body is run, when one of its names is asked for.

    `given` binds the arguments as the function's callers in the project give them, `run` executes the body for the
    names that it binds.
    """

    __slots__ = ("_arguments", "_bound", "_facts", "_given", "_run")

    def __init__(
        self, path: str, function: Function, parent: Frame | None, facts: FileFacts, given: Fill, run: Fill
    ) -> None:
        super().__init__(path, function, parent)
        self._facts = facts
        self._given: Fill | None = given
        self._run: Fill | None = run
        self._arguments = frozenset((*(param.name for param in function.params), "this"))
        self._bound: frozenset[str] | None = None

    def find(self, name: str) -> Value | None:
        if self._given is not None and (name in self._arguments or name in self._names()):
            given, self._given = self._given, None
            given(self)
        if self._run is not None and name in self._names():
            run, self._run = self._run, None
            run(self)
        return super().find(name)

    def _names(self) -> frozenset[str]:
        """The names that the body binds."""
        if self._bound is None:
            assert self.function is not None
            self._bound = frozenset(_bound_in(self.function, self._facts))
        return self._bound


def _bound_in(function: Function, facts: FileFacts) -> Iterator[str]:
    for node in nodes(function.body):
        match node:
            case Assign(target=target):
                yield from _targets(target)
            case Loop(target=target) if target is not None:
                yield from _targets(target)
            case With(items=items):
                for _, target in items:
                    if target is not None:
                        yield from _targets(target)
            case Define(index=index):
                yield facts.functions[index].name
            case DefineClass(index=index):
                yield facts.classes[index].name
            case Import(local=local):
                yield local
            case Handler(name=str() as name):
                yield name
            case _:
                continue


def _targets(target: Expr) -> Iterator[str]:
    match target:
        case Name(name=name):
            yield name
        case Seq(items=items):
            for item in items:
                yield from _targets(item)
        case Spread(value=value):
            yield from _targets(value)
        case _:
            return
