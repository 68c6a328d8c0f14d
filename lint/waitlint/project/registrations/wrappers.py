"""Functions and classes of a project that hand tools on to a framework: followed from where they are used.

`audited_tool(server, "start")(self.start)` is known as a tool by what `audited_tool` calls in the end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from waitlint.catalog import Framework
from waitlint.facts import Call, Expr, Name, Span
from waitlint.finding import Place
from waitlint.interpret.alternatives import options
from waitlint.interpret.core import OutOfBudget
from waitlint.interpret.frames import Frame
from waitlint.interpret.machine import Machine
from waitlint.interpret.syntax import nodes
from waitlint.interpret.values import (
    ClassRef,
    External,
    FunctionRef,
    Instance,
    MethodOf,
    Textual,
    Unknown,
    Value,
    pick,
)
from waitlint.project.found import Found
from waitlint.project.registrations.faces import face, face_name, face_place
from waitlint.project.registrations.matching import Matching, text_of
from waitlint.project.registrations.model import Args, Pending, Registration
from waitlint.project.registrations.unrolling import frames_at
from waitlint.project.world import CODE, ProjectWorld
from waitlint.spelled import tail

MOST = 60
# What hands a tool over does so near to where it is used: calls below that many others only take time, of which the
# constructors of large agents take a third.
DEEPEST = 6
MAKES_A_TOOL = External("a decorator that makes a tool")
IsIt = Callable[[Value], bool]


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A call that hands over a tool whose name or body its function is given by others.

    `fallback` is what is known of it without them.
    """

    fallback: Registration | None
    path: str
    function: int
    span: Span


@dataclass(frozen=True, slots=True)
class Use:
    """A place where a wrapper is called, or set above the function with the index `decorated`."""

    path: str
    function: int | None
    expr: Expr
    decorated: int | None = None


class Wrappers:
    def __init__(self, world: ProjectWorld, matching: Matching) -> None:
        self.world = world
        self.matching = matching
        self._uses: dict[str, list[Use]] | None = None

    # ------------------------------------------------------------ what has to be followed

    def unfinished(
        self, registration: Registration, named: Value | None, path: str, function: int | None, span: Span
    ) -> Registration | Unfinished:
        """The registration itself, unless it depends on what its function is called with."""
        if function is None or registration.row.language != "python":
            return registration
        if (named is not None and not text_of(named)) or any(self._wraps(ref) for ref in registration.handlers):
            return Unfinished(registration, path, function, span)
        return registration

    def _wraps(self, ref: FunctionRef) -> bool:
        """Whether a function calls another that the function around it was given."""
        functions = self.world.facts(ref.path).functions
        own = functions[ref.index]
        given: set[str] = set()
        outer = own.parent
        while outer is not None:
            given.update(param.name for param in functions[outer].params)
            outer = functions[outer].parent
        if not given:
            return False
        return any(
            isinstance(node, Call) and isinstance(node.func, Name) and node.func.name in given
            for node in nodes(own.body)
        )

    # ------------------------------------------------------------ following

    def follow(self, found: Iterable[Unfinished]) -> Iterator[Registration]:
        """The tools that are made where wrappers are used; else what is known of them without that."""
        recorder = Recorder(self.world, self.matching)
        for unfinished in found:
            made = list(self._from(recorder, unfinished, 3))
            if made:
                yield from made
            elif unfinished.fallback is not None and unfinished.fallback.name:
                yield unfinished.fallback

    def _from(self, recorder: Recorder, unfinished: Unfinished, depth: int) -> Iterator[Registration]:
        path, root = unfinished.path, self._outermost(unfinished.path, unfinished.function)
        if depth <= 0 or (path, root) in recorder.followed:
            return
        recorder.followed.add((path, root))
        function = self.world.facts(path).functions[root]
        for use in self._uses_of(path, root, function.name):
            yield from self._recorded(recorder, use, (path, root), depth)
        if function.owner is not None:
            owner = ClassRef(path, function.owner)
            name = self.world.facts(path).classes[function.owner].name
            with recorder.eager(owner, root):
                for use in self._uses_named(name):
                    if self._means(use, lambda value: value == owner):
                        yield from self._recorded(recorder, use, (path, root), depth)

    def _recorded(self, recorder: Recorder, use: Use, origin: tuple[str, int], depth: int) -> Iterator[Registration]:
        for registration in recorder.run(use):
            if registration.name and registration.handlers and not self._still_open(registration):
                yield registration
            elif use.function is not None and (use.path, self._outermost(use.path, use.function)) != origin:
                outer = Unfinished(None, use.path, use.function, use.expr.span)
                yield from self._from(recorder, outer, depth - 1)
                return

    def _still_open(self, registration: Registration) -> bool:
        """Whether the function that was wrapped is still not known."""
        return any(face(self.world, ref) == ref and self._wraps_unknown(ref) for ref in registration.handlers)

    def _wraps_unknown(self, ref: FunctionRef) -> bool:
        if not self._wraps(ref) or ref.frame is None:
            return False
        body = self.world.facts(ref.path).functions[ref.index].body
        called = {node.func.name for node in nodes(body) if isinstance(node, Call) and isinstance(node.func, Name)}
        values = [ref.frame.find(name) for name in called]
        return any(isinstance(value, Unknown) for value in values if value is not None)

    def _outermost(self, path: str, index: int) -> int:
        functions = self.world.facts(path).functions
        while (parent := functions[index].parent) is not None:
            index = parent
        return index

    # ------------------------------------------------------------ uses

    def _uses_of(self, path: str, index: int, name: str) -> Iterator[Use]:
        def is_it(value: Value) -> bool:
            return isinstance(value, FunctionRef) and (value.path, value.index) == (path, index)

        for use in self._uses_named(name):
            if self._means(use, is_it):
                yield use

    def _means(self, use: Use, is_it: IsIt) -> bool:
        """Whether what is called is the wrapper, and not something else of the same name."""
        frame = self.world.frame_for(use.path, use.function)
        return any(is_it(option) for _, option in options(self.world.evaluate(_callee(use.expr), frame)))

    def _uses_named(self, name: str) -> list[Use]:
        if self._uses is None:
            self._uses = {}
            for path, facts in self.world.files.items():
                if facts.language in CODE:
                    for own, use in self._uses_in(path):
                        self._uses.setdefault(own, []).append(use)
        return self._uses.get(name, [])[:MOST]

    def _uses_in(self, path: str) -> Iterator[tuple[str, Use]]:
        facts = self.world.facts(path)
        skipped = {id(found.call.func) for found in self.world.calls(path) if isinstance(found.call.func, Call)}
        for index, function in enumerate(facts.functions):
            for decorator in function.decorators:
                skipped.add(id(decorator))
                yield tail(_callee(decorator)), Use(path, function.parent, decorator, index)
        for found in self.world.calls(path):
            if id(found.call) not in skipped:
                yield tail(_callee(found.call)), Use(path, found.function, found.call)


def _callee(expr: Expr) -> Expr:
    while isinstance(expr, Call):
        expr = expr.func
    return expr


class Recorder(Machine):
    """Runs code that hands tools over, and notes what it hands over."""

    def __init__(self, world: ProjectWorld, matching: Matching) -> None:
        super().__init__(world, world.apis)
        self.project = world
        self.matching = matching
        self.recorded: list[Registration] = []
        self.followed: set[tuple[str, int]] = set()
        self._eager: dict[tuple[str, int], int] = {}
        self._use: Use | None = None
        self.muted = 1
        self.started = 1
        self.deepest = DEEPEST

    @contextmanager
    def eager(self, owner: ClassRef, method: int) -> Iterator[None]:
        """While this holds, every new object of a class has one of its methods called."""
        key = (owner.path, owner.index)
        before = dict(self._eager)
        self._eager[key] = method
        try:
            yield
        finally:
            self._eager = before

    def run(self, use: Use) -> list[Registration]:
        self.recorded, self._use = [], use
        found = Found(use.path, use.expr, use.function) if isinstance(use.expr, Call) else None
        frames = frames_at(self.project, found) if found is not None and use.decorated is None else None
        for frame in frames or [self.project.frame_for(use.path, use.function)]:
            self.steps = 0
            self.pending.clear()
            try:
                value = self.settle(self.evaluate(use.expr, frame))
                if use.decorated is not None:
                    self._decorate(value, use, frame)
            except (OutOfBudget, RecursionError):
                continue
        unique: dict[tuple[str, Place], Registration] = {}
        for registration in self.recorded:
            unique.setdefault((registration.name, registration.place), registration)
        return list(unique.values())

    def _decorate(self, decorator: Value, use: Use, frame: Frame) -> None:
        function = self.project.facts(use.path).functions[use.decorated or 0]
        receiver = self.project.frame_receiver(use.path, function) if function.owner is not None else None
        ref = FunctionRef(use.path, use.decorated or 0, self.project.parent_frame(use.path, function), receiver)
        self.settle(self.call_value(decorator, [(None, ref)], frame.place(use.expr.span), frame))

    # ------------------------------------------------------------ what is noted

    def construct(self, ref: ClassRef, args: Args, place: Place | None) -> Value:
        made = super().construct(ref, args, place)
        method = self._eager.get((ref.path, ref.index))
        if method is not None and isinstance(made, Instance):
            name = self.project.facts(ref.path).functions[method].name
            body = self.class_member(ref, name, made)
            if isinstance(body, FunctionRef):
                self.settle(self.call_function(body, [], place or Place(ref.path, Span(0, 0))))
        return made

    def call_value(self, func: Value, args: Args, place: Place, frame: Frame, *, new: bool = False) -> Value:
        if isinstance(func, Pending) and func.row is not None:
            body = pick(tuple(args), None, 0)
            self._note(func.row, list(func.args), body)
            return body if body is not None else Unknown("a tool")
        if isinstance(func, External | MethodOf):
            matched = self.matching.match_value(func, None, "", "python", ("decorator", "call"))
            if matched is not None:
                row, _ = matched
                return self._handed(row, args, place)
        return super().call_value(func, args, place, frame, new=new)

    def _handed(self, row: Framework, args: Args, place: Place) -> Value:
        if row.form == "decorator":
            given = next((value for key, value in args[:2] if key is None and isinstance(value, FunctionRef)), None)
            if given is None:
                return Pending(MAKES_A_TOOL, tuple(args), {}, place, row=row)
            self._note(row, args, given)
            return given
        body = self.matching.slot(row.body, args)
        self._note(row, args, body)
        return Instance(External(row.id), tuple(args), {}, place)

    def _note(self, row: Framework, args: Args, body: Value | None) -> None:
        use = self._use
        if use is None or not self.matching.openings.is_open(row, args, use.path):
            return
        handlers = self.matching.handlers(body)
        named = self.matching.slot(row.name, args)
        given = text_of(named)
        name = given or (face_name(self.project, handlers[0]) if handlers else "")
        call = Place(use.path, use.expr.span)
        place = call
        if given and isinstance(named, Textual) and named.place is not None:
            place = named.place
        elif handlers:
            place = face_place(self.project, handlers[0])
        description = self.matching.slot(row.description, args)
        definition = call
        if handlers:
            seen = face(self.project, handlers[0])
            definition = Place(seen.path, self.project.facts(seen.path).functions[seen.index].span)
        self.recorded.append(
            Registration(
                row,
                name,
                place,
                "medium" if row.any_receiver else "high",
                self.matching.described(description, row, handlers),
                self.matching.schema(row, args),
                handlers,
                definition,
                call,
                timeout=self.matching.slot(row.timeout, args),
            )
        )
