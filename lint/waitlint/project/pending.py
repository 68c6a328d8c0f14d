"""Frames of functions that were not called in a run: filled in as far as somebody asks for their names."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec import Struct

from waitlint.facts import (
    Assign,
    Attr,
    Await,
    Call,
    Define,
    DefineClass,
    Do,
    Expr,
    FileFacts,
    Function,
    Handler,
    Import,
    Index,
    Loop,
    Name,
    Seq,
    Spread,
    Stmt,
    With,
)
from waitlint.interpret.calls import GROWING
from waitlint.interpret.frames import Frame
from waitlint.interpret.syntax import nodes
from waitlint.interpret.values import Value
from waitlint.spelled import root

Fill = Callable[["PendingFrame"], None]
Execute = Callable[["PendingFrame", tuple[Stmt, ...]], None]


class PendingFrame(Frame):
    """A frame whose arguments are looked up, and whose body is run, when one of its names is asked for.

    `given` binds the arguments as the function's callers in the project give them. `run` executes statements of the
    body: those that a name depends on, and no others.
    """

    __slots__ = ("_arguments", "_facts", "_found", "_given", "_parts", "_run", "_seen")

    def __init__(
        self, path: str, function: Function, parent: Frame | None, facts: FileFacts, given: Fill, run: Execute
    ) -> None:
        super().__init__(path, function, parent)
        self._facts = facts
        self._given: Fill | None = given
        self._run = run
        self._arguments = frozenset((*(param.name for param in function.params), "this"))
        self._seen: set[str] = set()
        self._found: dict[str, Value] = {}
        self._parts: _Parts | None = None

    def find(self, name: str) -> Value | None:
        if name not in self._seen:
            if name in self._arguments:
                self._give()
            if self._parts is None:
                assert self.function is not None
                self._parts = _Parts(self.function, self._facts, self._arguments)
            if name in self._parts.bound:
                self._execute(*self._parts.needed_for(name))
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

    def _execute(self, body: tuple[Stmt, ...], names: set[str]) -> None:
        """Execute statements, and keep what they make of those names that were not known before."""
        if not names.isdisjoint(self._arguments):
            self._give()
        fresh = names - self._seen
        self._seen |= fresh
        outer, self.locals = self.locals, {**self._found, **self.locals}
        self._run(self, body)
        made, self.locals = self.locals, outer
        self._found.update((name, made[name]) for name in fresh if name in made)
        self.locals.update(self._found)


class _Part(Struct, frozen=True):
    """A statement of a body. `sets` are the names that it binds or may change, `reads` those that it mentions."""

    stmt: Stmt
    binds: frozenset[str]
    sets: frozenset[str]
    reads: frozenset[str]


class _Parts:
    """The statements of a body, with the names that each of them sets and reads."""

    def __init__(self, function: Function, facts: FileFacts, arguments: frozenset[str]) -> None:
        self.parts = [_part(stmt, facts) for stmt in function.body]
        self.bound = frozenset(name for part in self.parts for name in part.binds)
        self.own = self.bound | arguments

    def needed_for(self, name: str) -> tuple[tuple[Stmt, ...], set[str]]:
        """What has to run for a name to have its value, in order, and all names that have theirs then."""
        needed, taken = {name}, [False] * len(self.parts)
        grows = True
        while grows:
            grows = False
            for position in range(len(self.parts) - 1, -1, -1):
                part = self.parts[position]
                if not taken[position] and not needed.isdisjoint(part.sets):
                    taken[position] = grows = True
                    needed |= part.reads & self.own
        body = tuple(part.stmt for part, is_taken in zip(self.parts, taken, strict=True) if is_taken)
        return body, needed


def _part(stmt: Stmt, facts: FileFacts) -> _Part:
    binds: set[str] = set()
    changes: set[str] = set()
    reads: set[str] = set()
    for node in nodes((stmt,)):
        kind = type(node)
        if kind is Name:
            reads.add(node.name)  # type: ignore[attr-defined]
        elif kind in _BINDING:
            binds.update(_bound_by(node, facts))
            changes.update(_changed_by(node))
    return _Part(stmt, frozenset(binds), frozenset(binds | changes), frozenset(reads))


_BINDING = frozenset({Assign, Loop, With, Define, DefineClass, Import, Handler, Call, Do})


def _bound_by(node: object, facts: FileFacts) -> Iterator[str]:
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
        case Call(func=Attr(base=Name(name=name), name=grows)) if grows in GROWING:
            yield name
        case _:
            return


def _changed_by(node: object) -> Iterator[str]:
    """The names of what may be altered in place."""
    match node:
        case Assign(target=Attr() | Index() as target):
            yield root(target)
        case Do(value=Call() as call) | Do(value=Await(value=Call() as call)):
            if isinstance(call.func, Attr):
                yield root(call.func)
            yield from (arg.value.name for arg in call.args if isinstance(arg.value, Name))
        case _:
            return


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
