"""Who calls a function in the project, and the frames of functions that were not called in a run."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import suppress

from waitlint.catalog import Apis
from waitlint.facts import Attr, Call, Expr, FileFacts, Function, If, Import, Name, Stmt, Try, With
from waitlint.finding import Place
from waitlint.interpret.core import OutOfBudget
from waitlint.interpret.frames import Frame
from waitlint.interpret.machine import Machine
from waitlint.interpret.values import ClassRef, FunctionRef, Instance, Unknown, Value
from waitlint.project.faults import Faults
from waitlint.project.found import Found, FoundMap, Named, Walked
from waitlint.project.modules import Modules
from waitlint.project.pending import PendingFrame
from waitlint.project.slices import Slices
from waitlint.project.walk import walk
from waitlint.spelled import tail

CODE = ("python", "typescript")
CONSTRUCTORS = ("__init__", "constructor")
Args = list[tuple[str | None, Value]]
NOT_IN_VIEW: Args = [("**", Unknown("an argument not in view"))]
MAX_DEPTH = 12
TWICE = 2


class Callers:
    """The calls of all files, by what they call, and what they give to it."""

    modules: Modules
    _running: set[tuple[str, str]]

    def __init__(self, files: Mapping[str, FileFacts], apis: Apis, faults: Faults) -> None:
        self.files = files
        self.apis = apis
        self.faults = faults
        self._frames: dict[tuple[str, int], Frame] = {}
        self._receivers: dict[tuple[str, int], Value] = {}
        self._slices: dict[int, Slices] = {}
        self._walked: dict[str, Walked] = {}
        self._called: dict[str, dict[str, list[Found]]] = {}
        self._named: dict[str, dict[str, list[Named]]] = {}
        self._methods_called: frozenset[str] | None = None
        self._importers: dict[str, dict[str, None]] | None = None

    # ------------------------------------------------------------ what the world around it provides

    def evaluate(self, expr: Expr, frame: Frame) -> Value:
        raise NotImplementedError

    def instance(self, ref: ClassRef) -> Value:
        raise NotImplementedError

    def aside(self) -> Machine:
        """A machine that notes nothing, for what has to be known in the middle of a run."""
        raise NotImplementedError

    def resolve(self, path: str, module: str) -> str | None:
        raise NotImplementedError

    # ------------------------------------------------------------ frames

    def parent_frame(self, path: str, function: Function) -> Frame | None:
        return self.frame_of(path, function.parent) if function.parent is not None else None

    def frame_of(self, path: str, index: int) -> Frame:
        """The frame of a function as its callers in the project would make it, its body run for its names."""
        key = (path, index)
        known = self._frames.get(key)
        if known is None:
            function = self.files[path].functions[index]
            known = self._frames[key] = self._pending(path, index, lambda: self._arguments(path, index, function))
        return known

    def _pending(self, path: str, index: int, arguments: Callable[[], Args]) -> PendingFrame:
        function = self.files[path].functions[index]
        parent = self.parent_frame(path, function)

        def given(frame: PendingFrame) -> None:
            frame.receiver = self.frame_receiver(path, function)
            with suppress(OutOfBudget, RecursionError):
                self.aside().bind_arguments(frame, function, arguments(), frame.receiver)

        def run(frame: PendingFrame, body: tuple[Stmt, ...]) -> None:
            with suppress(OutOfBudget, RecursionError):
                self.aside().run_definitions(body, frame)

        bound = self._bound_in(path, index)
        return PendingFrame(path, function, parent, bound, lambda: self._slices_of(path, function), given, run)

    def is_bound_in(self, path: str, index: int, name: str) -> bool:
        """Whether the body of a function binds a name, its arguments left out."""
        function = self.files[path].functions[index]
        return name in self._bound_in(path, index) and name in self._slices_of(path, function).bound

    def _bound_in(self, path: str, index: int) -> Set[str]:
        return self.walked(path).bound.get(index, frozenset())

    def _slices_of(self, path: str, function: Function) -> Slices:
        known = self._slices.get(id(function))
        if known is None:
            known = self._slices[id(function)] = Slices(function, self.files[path])
        return known

    def calls_of(self, path: str, index: int) -> Iterator[Found]:
        """The calls of a function in the project."""
        function = self.files[path].functions[index]
        for found in self._calls_to(path, self._called_as(path, function)) if function.name else ():
            if self._is_called(self.evaluate(found.call.func, self._frame_at(found)), path, index, function):
                yield found

    def frame_at_call(self, path: str, index: int, found: Found, caller: Frame) -> Frame:
        """The frame of a function as one of its calls makes it, in the frame of that."""
        return self._pending(path, index, lambda: self.aside().arguments(found.call, caller))

    def frame_receiver(self, path: str, function: Function) -> Value | None:
        """The object that a method is called on."""
        if function.owner is None:
            return None
        key = (path, function.owner)
        known = self._receivers.get(key)
        if known is None:
            self._receivers[key] = Instance(ClassRef(path, function.owner))
            known = self._receivers[key] = self._made(path, function.owner)
        if not isinstance(known, Instance):
            return known
        return Instance(known.type, known.args, dict(known.fields), known.made_at, known.serial)

    def _made(self, path: str, owner: int) -> Value:
        """An object of a class as the project makes it, if it makes it in one place only."""
        definition = self.files[path].classes[owner]
        ref = ClassRef(path, owner)
        calls = list(self._calls_to(path, definition.name))
        if self._is_made_again(ref, calls):
            return self.instance(ref)
        constructed: Value | None = None
        for found in calls:
            value = self.evaluate(found.call, self._frame_at(found))
            if isinstance(value, Instance) and value.type == ref:
                constructed = value if constructed is None else None
                if constructed is None:
                    break
        return constructed or self.instance(ref)

    def _is_made_again(self, ref: ClassRef, calls: Sequence[Found]) -> bool:
        """Whether two of some calls are of a class by its own name. To run its constructor takes longer than to ask."""
        if len(calls) < TWICE:
            return False
        made = 0
        for found in calls:
            made += self.evaluate(found.call.func, self._frame_at(found)) == ref
            if made == TWICE:
                return True
        return False

    def _arguments(self, path: str, index: int, function: Function) -> list[tuple[str | None, Value]]:
        """The arguments at the only call of a function; none where there are several or none."""
        if not function.name or len(self._running) > MAX_DEPTH:
            return NOT_IN_VIEW
        mark = (path, f"()#{index}")
        if mark in self._running:
            return NOT_IN_VIEW
        self._running.add(mark)
        try:
            only: Found | None = None
            for found in self._calls_to(path, self._called_as(path, function)):
                if not self._is_called(self.evaluate(found.call.func, self._frame_at(found)), path, index, function):
                    continue
                if only is not None:
                    return NOT_IN_VIEW
                only = found
            return NOT_IN_VIEW if only is None else self.aside().arguments(only.call, self._frame_at(only))
        except (OutOfBudget, RecursionError):
            return NOT_IN_VIEW
        finally:
            self._running.discard(mark)

    def _called_as(self, path: str, function: Function) -> str:
        return called_as(self.files[path], function)

    def _is_called(self, target: Value, path: str, index: int, function: Function) -> bool:
        if isinstance(target, ClassRef):
            return function.name in CONSTRUCTORS and (target.path, target.index) == (path, function.owner)
        return isinstance(target, FunctionRef) and (target.path, target.index) == (path, index)

    def frame_for(self, path: str, function: int | None) -> Frame:
        """The frame of a function, or of the top of a file."""
        return self.frame_of(path, function) if function is not None else Frame(path, None)

    def _frame_at(self, found: Found) -> Frame:
        return self.frame_for(found.path, found.function)

    def _calls_to(self, path: str, name: str) -> Iterator[Found]:
        """Calls of something with this name, in its own file and in those that import it."""
        for caller in (path, *self.files_importing(path)):
            yield from self.calls_by_name(caller).get(name, ())

    def calls_by_name(self, path: str) -> Mapping[str, list[Found]]:
        """The calls in a file by the last name of what they call."""
        known = self._called.get(path)
        if known is None:
            known = self._called[path] = by_last_name(self.calls(path))
        return known

    def calls(self, path: str) -> tuple[Found, ...]:
        """Every call in a file."""
        return self.walked(path).calls

    def calls_named(self, path: str, names: Set[str]) -> Sequence[Found]:
        """The calls in a file of something with one of some names, in order."""
        by_name = self.calls_by_name(path)
        present = [name for name in names if name in by_name]
        among = by_name[present[0]] if len(present) == 1 else self.calls(path) if present else ()
        return [found for found in among if tail(found.call.func) in names]

    def called_in(self, path: str, name: str) -> Sequence[tuple[Call, int | None]]:
        """The calls in a file of what is called `name` there, each with the function that it stands in."""
        return [(found.call, found.function) for found in self.calls_by_name(path).get(name, ())]

    def calls_method(self, name: str) -> bool:
        """Whether code anywhere in the project calls a method of this name."""
        if self._methods_called is None:
            code = [path for path, facts in self.files.items() if facts.language in CODE]
            called = (found.call.func for path in code for found in self.calls(path))
            self._methods_called = frozenset(func.name for func in called if isinstance(func, Attr))
        return name in self._methods_called

    def named_as(self, path: str, name: str) -> Sequence[Named]:
        """The values in a file that are given this name, in order."""
        known = self._named.get(path)
        if known is None:
            known = self._named[path] = {}
            for one in self.walked(path).named:
                known.setdefault(one.name, []).append(one)
        return known.get(name, ())

    def function_at(self, place: Place) -> int | None:
        """The index of the function that stands at a place, as a tool's handler does; None if none does."""
        facts = self.files.get(place.path)
        functions = facts.functions if facts is not None else ()
        return next((index for index, function in enumerate(functions) if function.span == place.span), None)

    def maps(self, path: str) -> tuple[FoundMap, ...]:
        """Every object literal in a file."""
        return self.walked(path).maps

    def walked(self, path: str) -> Walked:
        """What is looked for in a file."""
        known = self._walked.get(path)
        if known is None:
            known = self._walked[path] = walk(path, self.files[path])
        return known

    def files_importing(self, path: str) -> Collection[str]:
        """The files that import a file, or something from it, at their heads, in order."""
        if self._importers is None:
            self._importers = {}
            for importer, facts in self.files.items():
                if facts.language not in CODE:
                    continue
                for stmt in top_level(facts.body):
                    if isinstance(stmt, Import):
                        for target in self._targets(importer, stmt):
                            self._importers.setdefault(target, {})[importer] = None
        return self._importers.get(path, {})

    def _targets(self, importer: str, stmt: Import) -> Iterator[str]:
        target = self.resolve(importer, stmt.module)
        if target is None:
            return
        yield target
        if stmt.name not in (None, "*") and self.files[importer].language == "python":
            inner = self.modules.submodule(target, stmt.name or "")
            if inner is not None:
                yield inner


def called_as(facts: FileFacts, function: Function) -> str:
    """The name by which a function is called: a constructor by that of its class."""
    if function.name in CONSTRUCTORS and function.owner is not None:
        return facts.classes[function.owner].name
    return function.name


def by_last_name(calls: Iterable[Found]) -> dict[str, list[Found]]:
    """Calls by the last name of what they call."""
    found: dict[str, list[Found]] = {}
    for one in calls:
        if isinstance(one.call.func, Name | Attr):
            found.setdefault(one.call.func.name, []).append(one)
    return found


def top_level(body: tuple[Stmt, ...], depth: int = 6) -> Iterator[Stmt]:
    """The statements that run when a file is loaded."""
    for stmt in body:
        match stmt:
            case If(body=then, orelse=orelse) if depth:
                yield from top_level(then, depth - 1)
                yield from top_level(orelse, depth - 1)
            case Try(body=tried, handlers=handlers, orelse=orelse, final=final) if depth:
                yield from top_level((*tried, *orelse, *final), depth - 1)
                for handler in handlers:
                    yield from top_level(handler.body, depth - 1)
            case With(body=inner) if depth:
                yield stmt
                yield from top_level(inner, depth - 1)
            case _:
                yield stmt
