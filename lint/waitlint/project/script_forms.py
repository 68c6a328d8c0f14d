"""Where TypeScript and JavaScript hand a tool to a framework: calls, constructions, chains, classes, plain objects."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from dataclasses import replace

from waitlint.catalog import Framework, Frameworks
from waitlint.facts import Attr, Call, Expr, Func, Map, Name, Return, Span
from waitlint.finding import Place
from waitlint.interpret.frames import Frame
from waitlint.interpret.values import (
    ClassRef,
    External,
    FunctionRef,
    Instance,
    MethodOf,
    Outside,
    Record,
    Textual,
    Unknown,
    Value,
    is_nothing,
)
from waitlint.project.found import Found
from waitlint.project.handed_types import given_in_calls
from waitlint.project.registrations import Registration
from waitlint.project.registrations.matching import renamed
from waitlint.project.registrations.unrolling import frames_at
from waitlint.project.run_limits import RunLimits
from waitlint.project.script_classes import ScriptClasses, inherits
from waitlint.project.script_documents import ScriptDocuments
from waitlint.project.script_shapes import ScriptShapes
from waitlint.project.script_slots import (
    NOT_IN_VIEW,
    UNNAMED,
    entry_of,
    flat,
    handlers_of,
    is_shaped,
    items_of,
    name_place,
    schema_in,
    slot,
    text_of,
)
from waitlint.project.world import ProjectWorld
from waitlint.spelled import within

Args = list[tuple[str | None, Value]]


class ScriptForms:
    """Finds the tools of all TypeScript and JavaScript files."""

    def __init__(self, world: ProjectWorld, frameworks: Frameworks) -> None:
        self.world = world
        self.documents = ScriptDocuments(world, frameworks)
        self.classes = ScriptClasses(world, frameworks)
        self.shapes = ScriptShapes(world, frameworks)
        self.limits = RunLimits(world)
        rows = [row for row in frameworks.rows if row.language == "typescript"]
        self.by_tail: dict[str, list[Framework]] = {}
        for row in rows:
            if row.form == "call":
                for name in (*row.calls, *row.methods):
                    self.by_tail.setdefault(name.rpartition(".")[2], []).append(row)

    def all(self) -> Iterator[Registration]:
        for path, facts in self.world.files.items():
            if facts.language == "typescript":
                yield from self.world.faults.each(f"finding the tools of {path}", self.in_file(path))
        yield from self.world.faults.each("finding tools in documents", self.documents.all())

    def in_file(self, path: str) -> Iterator[Registration]:
        facts = self.world.files[path]
        aliases = dict(renamed(facts.body, self.by_tail.keys()))
        claimed: set[Span] = set()
        calls = self.world.calls(path)
        names = self.by_tail.keys() | aliases.keys() if aliases else self.by_tail.keys()
        for found in self.world.calls_named(path, names):
            for registration in self._called(found, aliases):
                if registration.definition is not None:
                    claimed.add(registration.definition.span)
                yield self.limits.limited(registration, calls)
        for index, definition in enumerate(facts.classes):
            inherited = self.classes.tool(path, index, definition)
            if inherited is not None:
                yield inherited
        shaped = [held for held in self.world.maps(path) if self.shapes.may_be_one(held)]
        given_to = given_in_calls(calls) if shaped else {}
        for held in shaped:
            if held.map.span not in claimed:
                yield from self.shapes.tools(held, given_to)

    # ------------------------------------------------------------ calls

    def _called(self, found: Found, aliases: dict[str, str]) -> Iterator[Registration]:
        callee = found.call.func
        if not isinstance(callee, Name | Attr):
            return
        tail = aliases.get(callee.name, callee.name) if isinstance(callee, Name) else callee.name
        rows = self.by_tail.get(tail)
        if rows is None:
            return
        for frame in frames_at(self.world, found):
            made = list(self._handed(found, rows, callee, frame))
            yield from made or self._by_callers(found, rows, callee)

    def _by_callers(self, found: Found, rows: list[Framework], callee: Name | Attr) -> Iterator[Registration]:
        """The tools that a function of the project hands over, each of its calls naming one."""
        around = found.function
        while around is not None and not self._may_wrap(found, around):
            around = self.world.facts(found.path).functions[around].parent
        for use in self.world.calls_of(found.path, around) if around is not None else ():
            for caller in frames_at(self.world, use):
                outer = self.world.frame_at_call(found.path, around or 0, use, caller)
                for frame in frames_at(self.world, found, self._inner(found, around or 0, outer)):
                    for made in self._handed(found, rows, callee, frame):
                        place = Place(use.path, use.call.span)
                        named = made.place if made.place.path != found.path or _within(made.place, place) else place
                        yield replace(made, place=named, definition=place, call_place=place)

    def _may_wrap(self, found: Found, index: int) -> bool:
        """Whether the name of what is handed over may be an argument of a function around the call."""
        function = self.world.facts(found.path).functions[index]
        names = {param.name for param in function.params}
        return bool(function.name) and bool(names) and not names.isdisjoint(_named_in(found.call))

    def _inner(self, found: Found, index: int, outer: Frame) -> Frame:
        """The frame of the function that a call stands in, below that of one around it."""
        functions = self.world.facts(found.path).functions
        chain: list[int] = []
        inner = found.function
        while inner is not None and inner != index:
            chain.append(inner)
            inner = functions[inner].parent
        for one in reversed(chain):
            outer = Frame(found.path, functions[one], outer, outer.receiver)
        return outer

    def _handed(self, found: Found, rows: list[Framework], callee: Name | Attr, frame: Frame) -> Iterator[Registration]:
        """What a call hands over in one frame."""
        receiver = self._receiver(callee, frame)
        likely = self._likely(rows, callee, receiver, frame)
        args = self.world.arguments(found.call, frame) if likely else []
        matched = next((one for one in likely if not one[0].any_receiver or is_shaped(one[0], args)), None)
        if matched is None:
            return
        row, confidence = matched
        if row.settings == "receiver":
            settings = next((option for option in flat(receiver) if isinstance(option, Instance)), None)
            name_args = list(settings.args) if settings is not None else args
        else:
            name_args = args
        if row.items:
            for item in items_of(slot(row.items, args)):
                made = self._registered(found, row, confidence, [(None, item)], [(None, item)], frame)
                if made is not None:
                    yield made
            return
        made = self._registered(found, row, confidence, name_args, args, frame)
        if made is not None:
            yield made

    def _receiver(self, callee: Name | Attr, frame: Frame) -> Value | None:
        """Whose method is called: also where a name stands for it, as with `const add = server.registerTool`."""
        if isinstance(callee, Attr):
            return self.world.evaluate(callee.base, frame)
        owners = [option.owner for option in flat(self.world.evaluate(callee, frame)) if isinstance(option, MethodOf)]
        return owners[0] if len(owners) == 1 else None

    def _registered(
        self, found: Found, row: Framework, confidence: str, settings: Args, args: Args, frame: Frame
    ) -> Registration | None:
        """The tool that one call hands over. `settings` are where its words stand and `args` where its body does."""
        handlers = handlers_of(self.world, slot(row.body, args), row.bodies, frame) or self._wrapped(
            found.call, row, frame
        )
        named = slot(row.name, settings)
        name = self._bound_name(found) if row.bound else text_of(named)
        if not name and named is None and handlers and not row.bound:
            name = self.world.facts(handlers[0].path).functions[handlers[0].index].name
        if not name or (row.any_receiver and not handlers):
            return None
        description = slot(row.description, settings)
        if name != found.bound and row.bound and not isinstance(description, Textual):
            return None
        if (
            row.description
            and row.description[0].key is None
            and isinstance(description, Record | FunctionRef | Instance)
        ):
            description = None
        schema = schema_in(row, settings)
        item = settings[0][1] if row.items else None
        item_place = item.place if isinstance(item, Record) else None
        definition = item_place or Place(found.path, self._definition(found.call, row))
        by_provider = row.doc == "provider"
        if by_provider:
            description = Unknown("the provider of the model writes it")
        contributed = None if row.description or by_provider else self.documents.contributed(found.path, name)
        if contributed is not None:
            description, schema, definition = contributed
        return Registration(
            row,
            name,
            name_place(named) or item_place or Place(found.path, self._name_span(found.call, row)),
            confidence,
            None if description is None or is_nothing(description) else description,
            schema,
            handlers,
            definition,
            item_place or Place(found.path, found.call.span),
        )

    def _likely(
        self, rows: list[Framework], callee: Expr, receiver: Value | None, frame: Frame
    ) -> list[tuple[Framework, str]]:
        """The rows that a call may belong to by what it calls, the likeliest first, and how sure that is.

        A row for any receiver also asks for a shape of the arguments.
        """
        if isinstance(callee, Attr) and receiver is not None:
            whole = self.world.attribute(receiver, callee.name, frame)
        else:
            whole = self.world.evaluate(callee, frame)
        names = {option.name for option in flat(whole) if isinstance(option, External)}
        for row in (row for row in rows if not row.any_receiver):
            known = bool(names.intersection(row.calls)) or (receiver is not None and self._is_host(receiver, row.of))
            if known and self._is_version(row, frame.path):
                return [(row, "high")]
        return [(row, "medium") for row in rows if row.any_receiver and self._may_be(row, whole, receiver)]

    def _may_be(self, row: Framework, whole: Value, receiver: Value | None) -> bool:
        """Whether a callee of which nothing is known may be the one of the row."""
        if row.methods:
            return receiver is not None and any(isinstance(option, NOT_IN_VIEW) for option in flat(receiver))
        return receiver is None and any(
            isinstance(option, Unknown | Outside) or (isinstance(option, External) and "." in option.name)
            for option in flat(whole)
        )

    def _is_version(self, row: Framework, path: str) -> bool:
        if not row.package:
            return True
        version = self.world.packages.version(path, row.package)
        return version is not None and version[0] >= row.since

    def _is_host(self, value: Value, hosts: tuple[str, ...]) -> bool:
        for option in flat(value):
            kind = option.type if isinstance(option, Instance) else option
            if isinstance(kind, External) and kind.name in hosts:
                return True
            if isinstance(option, Instance) and isinstance(kind, ClassRef) and inherits(self.world, kind, hosts):
                return True
        return False

    def _wrapped(self, call: Call, row: Framework, frame: Frame) -> tuple[FunctionRef, ...]:
        """The function inside a wrapper that is not in view: `withMetrics(async (input) => …)`."""
        for one in row.body:
            position = (one.arg or 0) % len(call.args) if call.args else 0
            expr: Expr | None = call.args[position].value if position < len(call.args) else None
            if one.key is not None:
                expr = entry_of(expr, one.key) if isinstance(expr, Map) else None
            if isinstance(expr, Call):
                inner = [arg.value for arg in expr.args if isinstance(arg.value, Func)]
                if len(inner) == 1:
                    return (FunctionRef(frame.path, inner[0].index, frame),)
        return ()

    def _bound_name(self, found: Found) -> str:
        """The name under which a tool is kept: that of its key or constant, of what makes it, or of its file."""
        if found.bound not in UNNAMED:
            return found.bound
        if found.function is not None:
            function = self.world.facts(found.path).functions[found.function]
            if function.name not in UNNAMED and any(
                isinstance(stmt, Return) and stmt.value is found.call for stmt in function.body
            ):
                return function.name
            return ""
        if found.bound != "default":
            return ""
        stem = posixpath.basename(found.path).partition(".")[0]
        return stem if stem != "index" else posixpath.basename(posixpath.dirname(found.path))

    def _name_span(self, call: Call, row: Framework) -> Span:
        for one in row.name:
            if one.arg is not None and 0 <= one.arg < len(call.args) and one.key is None:
                return call.args[one.arg].value.span
        return call.func.span

    def _definition(self, call: Call, row: Framework) -> Span:
        """Where a description would be added: the object that holds the tool's settings, else the call."""
        for one in row.description:
            if one.key is not None and one.arg is not None and one.arg < len(call.args):
                return call.args[one.arg].value.span
        return call.span


def _within(inner: Place, outer: Place) -> bool:
    return inner.path == outer.path and within(inner.span, outer.span)


def _named_in(call: Call) -> set[str]:
    """The names that a call is given, also in an object."""
    found: set[str] = set()
    for arg in call.args:
        values = [entry.value for entry in arg.value.entries] if isinstance(arg.value, Map) else [arg.value]
        found.update(value.name for value in values if isinstance(value, Name))
        found.update(value.base.name for value in values if isinstance(value, Attr) and isinstance(value.base, Name))
    return found
