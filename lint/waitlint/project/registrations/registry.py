"""Where a project hands a tool to a framework: decorators, calls, lists, classes, modules."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from waitlint.catalog import Framework, Frameworks
from waitlint.facts import Call, Expr, FileFacts, Function, Span
from waitlint.finding import Place
from waitlint.interpret.frames import Frame
from waitlint.interpret.values import FunctionRef, Record, Textual, Unknown, Value, pick
from waitlint.project.found import Found
from waitlint.project.registrations.classes import Classes
from waitlint.project.registrations.faces import face, face_name, face_place
from waitlint.project.registrations.lists import Lists
from waitlint.project.registrations.matching import Matching, aliases, text_of
from waitlint.project.registrations.model import Args, Registration
from waitlint.project.registrations.stores import Stores
from waitlint.project.registrations.unrolling import frames_around, frames_at
from waitlint.project.registrations.wrappers import Unfinished, Wrappers
from waitlint.project.world import ProjectWorld
from waitlint.spelled import tail

# The forms of rows that something which is called may be of: one that is called again with a function decorates it.
CALLS = ("call", "decorator")
DECORATORS = ("decorator",)


class Handed(Struct, frozen=True):
    """What stands in one call that hands a tool over. `named` where the name is written in it.

    `limit` is the framework's own bound around the tool, in seconds.
    """

    row: Framework
    confidence: str
    name: str
    named: Value | None
    handlers: tuple[FunctionRef, ...]
    args: Args
    limit: Value | None = None


class Registry:
    """Finds the registrations of a whole project."""

    def __init__(self, world: ProjectWorld, frameworks: Frameworks) -> None:
        self.world = world
        self.frameworks = frameworks
        self.matching = Matching(world, frameworks)
        self.classes = Classes(world, frameworks, self.matching)
        self.lists = Lists(world, self.matching)
        self.wrappers = Wrappers(world, self.matching)
        self.stores = Stores(world, self.matching)
        self._aliases: dict[str, dict[str, str]] = {}
        self._names: dict[tuple[str, tuple[str, ...]], frozenset[str]] = {}
        self._tails = frozenset(frameworks.by_tail)

    def all(self) -> Iterator[Registration]:
        """Every tool that code hands to a framework. One that a decorator makes is not made again by a list of it."""
        seen: set[tuple[str, int]] = set()
        unfinished: list[Unfinished] = []
        for path, facts in self.world.files.items():
            if facts.language == "python":
                for found in self.world.faults.each(f"finding the tools of {path}", self.in_file(path, facts)):
                    if isinstance(found, Unfinished):
                        unfinished.append(found)
                    else:
                        seen.update((ref.path, ref.index) for ref in found.handlers)
                        yield found
        for followed in self.world.faults.each("following what makes tools", self.wrappers.follow(unfinished)):
            seen.update((ref.path, ref.index) for ref in followed.handlers)
            seen.update((ref.path, ref.index) for ref in (face(self.world, ref) for ref in followed.handlers))
            yield followed
        for kept in self.world.faults.each("following what keeps tools", self.stores.all()):
            if not any((ref.path, ref.index) in seen for ref in kept.handlers):
                seen.update((ref.path, ref.index) for ref in kept.handlers)
                yield kept
        for path, facts in self.world.files.items():
            if facts.language == "python":
                for listed in self.world.faults.each(f"finding the tools of {path}", self.lists.in_file(path)):
                    if not any((ref.path, ref.index) in seen for ref in listed.handlers):
                        yield listed

    def in_file(self, path: str, facts: FileFacts) -> Iterator[Registration | Unfinished]:
        for index, function in enumerate(facts.functions):
            for decorator in function.decorators:
                found = list(self._decorated(path, index, function, decorator, facts.language))
                if found:
                    yield from found
                    break
        for call in self.world.calls(path):
            yield from self._called(call, facts.language)
        yield from self.classes.in_file(path, facts.language)

    def _may_match(self, path: str, callee: Expr, language: str, forms: tuple[str, ...]) -> bool:
        """Whether a callee is called as one of the rows of some forms, without looking into what it is."""
        key = path, forms
        names = self._names.get(key)
        if names is None:
            names = self._names[key] = self._matching_names(path, language, forms)
        return tail(callee) in names

    def _matching_names(self, path: str, language: str, forms: tuple[str, ...]) -> frozenset[str]:
        """The names by which a file calls the rows of some forms."""
        tails = self.frameworks.tails(language, forms)
        known = self._aliases.get(path)
        if known is None:
            known = self._aliases[path] = aliases(self.world.facts(path), self._tails)
        more = {own for own, real in known.items() if real in tails}
        opened = self.frameworks.tails(language, forms, opened=True)
        if opened and self.matching.openings.any_in(path):
            more |= opened
        return tails | more if more else tails

    # ------------------------------------------------------------ decorators

    def _decorated(
        self, path: str, index: int, function: Function, decorator: Expr, language: str
    ) -> Iterator[Registration | Unfinished]:
        call = decorator if isinstance(decorator, Call) else None
        callee = call.func if call is not None else decorator
        if not self._may_match(path, callee, language, DECORATORS):
            return
        outer = self.world.frame_for(path, function.parent)
        names: set[str] = set()
        for frame in frames_around(self.world, outer, function.parent, function.span):
            parent = frame if frame is not outer else self.world.parent_frame(path, function)
            receiver = self.world.frame_receiver(path, function) if function.owner is not None else None
            found = self._decorating(FunctionRef(path, index, parent, receiver), decorator, frame, language)
            name = found.name if isinstance(found, Registration) else ""
            if found is not None and name not in names:
                names.add(name)
                yield found

    def _decorating(
        self, ref: FunctionRef, decorator: Expr, frame: Frame, language: str
    ) -> Registration | Unfinished | None:
        """What a decorator makes of a function, where it is evaluated in `frame`."""
        path = ref.path
        function = self.world.facts(path).functions[ref.index]
        call = decorator if isinstance(decorator, Call) else None
        callee = call.func if call is not None else decorator
        matched = self.matching.match(callee, frame, language, DECORATORS, bare=call is None)
        if matched is None:
            return None
        row, confidence = matched
        args = self.world.arguments(call, frame) if call is not None else []
        if not self.matching.openings.is_open(row, args, path):
            return None
        named = self.matching.slot(row.name, args)
        given = text_of(named)
        at = self.matching.name_span(call, row) if call is not None and given else None
        registration = self._registration(
            Handed(
                row,
                confidence,
                given or face_name(self.world, ref),
                named,
                (ref,),
                args,
                self.matching.limit(row, args, callee, frame),
            ),
            Place(path, at or function.at),
            Place(path, function.span),
            Place(path, decorator.span),
        )
        found = self.wrappers.unfinished(registration, named, path, function.parent, decorator.span)
        return found if isinstance(found, Unfinished) or found.name else None

    # ------------------------------------------------------------ calls

    def _called(self, found: Found, language: str) -> Iterator[Registration | Unfinished]:
        call = found.call
        outer = call.func if isinstance(call.func, Call) else None
        callee = outer.func if outer is not None else call.func
        if not self._may_match(found.path, callee, language, DECORATORS if outer is not None else CALLS):
            return
        for frame in frames_at(self.world, found):
            handed = self._handed(found, frame, language)
            if handed is None:
                continue
            ref = handed.handlers[0] if handed.handlers else None
            if not handed.name or (handed.row.any_receiver and ref is None):
                if language == "python" and found.function is not None and (ref is None or not handed.row.bound):
                    yield Unfinished(None, found.path, found.function, call.span)
                continue
            registration = self._registration(
                handed,
                self._name_place(found, handed, ref),
                Place(found.path, self._definition(call, handed.row)),
                Place(found.path, call.span),
            )
            yield self.wrappers.unfinished(registration, handed.named, found.path, found.function, call.span)

    def _handed(self, found: Found, frame: Frame, language: str) -> Handed | None:
        """What a call hands over, if it is one that does."""
        call = found.call
        outer = call.func if isinstance(call.func, Call) else None
        callee = outer.func if outer is not None else call.func
        matched = self.matching.match(callee, frame, language, DECORATORS if outer is not None else CALLS)
        if matched is None:
            return None
        row, confidence = matched
        args = self.world.arguments(outer if outer is not None else call, frame)
        if not self.matching.openings.is_open(row, args, found.path):
            return None
        body: Value | None
        if outer is not None:
            body = pick(tuple(self.world.arguments(call, frame)), None, 0)
        elif row.form == "decorator":
            body = next((value for key, value in args[:2] if key is None and not isinstance(value, Textual)), None)
            if body is None:
                return None
        else:
            body = self.matching.slot(row.body, args)
        handlers = self.matching.handlers(body)
        if row.form == "decorator" and outer is None and not handlers and not isinstance(body, Unknown):
            return None
        named = self.matching.slot(row.name, args)
        name = found.bound if row.bound else text_of(named)
        if not name and handlers and not row.bound:
            name = face_name(self.world, handlers[0])
        return Handed(row, confidence, name, named, handlers, args, self.matching.limit(row, args, callee, frame))

    def _registration(self, handed: Handed, place: Place, definition: Place, call_place: Place) -> Registration:
        row = handed.row
        description = self.matching.slot(row.description, handed.args)
        if row.id.startswith(("mcp.tool", "tool-by-shape")) and not isinstance(description, Textual):
            description = None if isinstance(description, Record | FunctionRef) else description
        return Registration(
            row,
            handed.name,
            place,
            handed.confidence,
            self.matching.described(description, row, handed.handlers),
            self.matching.schema(row, handed.args),
            handed.handlers,
            definition,
            call_place,
            timeout=handed.limit,
        )

    def _name_place(self, found: Found, handed: Handed, ref: FunctionRef | None) -> Place:
        """Where the name of a tool is written: in the call, or at its function."""
        call = found.call
        outer = call.func if isinstance(call.func, Call) else call
        span = self.matching.name_span(outer, handed.row) if text_of(handed.named) else None
        if span is None and ref is not None and not handed.row.bound:
            return face_place(self.world, ref)
        return Place(found.path, span or call.func.span)

    def _definition(self, call: Call, row: Framework) -> Span:
        """Where a description would be added: the object that holds the tool's settings, else the call."""
        for slot in row.description:
            if slot.key is not None and slot.arg is not None and slot.arg < len(call.args):
                return call.args[slot.arg].value.span
        return call.span
