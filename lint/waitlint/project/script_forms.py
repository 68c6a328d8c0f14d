"""Where TypeScript and JavaScript hand a tool to a framework: calls, constructions, chains, classes, plain objects."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from dataclasses import replace

from waitlint.catalog import Framework, Frameworks, Slot
from waitlint.facts import Attr, Call, Class, Expr, Func, Import, Map, Name, Return, Span, Str
from waitlint.finding import Place
from waitlint.interpret.core import key_path
from waitlint.interpret.frames import Frame
from waitlint.interpret.schemas import SCHEMA, arguments_of_schema
from waitlint.interpret.values import (
    ClassRef,
    Constant,
    External,
    FunctionRef,
    Instance,
    MethodOf,
    ModelArgument,
    Outside,
    Record,
    Textual,
    Unknown,
    Value,
    is_nothing,
)
from waitlint.project.handed_types import HandedTypes, given_in_calls
from waitlint.project.registrations import Registration
from waitlint.project.registrations.unrolling import frames_at
from waitlint.project.run_limits import RunLimits
from waitlint.project.script_documents import ScriptDocuments
from waitlint.project.script_slots import (
    entry_of,
    flat,
    has_one,
    is_shaped,
    items_of,
    name_place,
    schema_in,
    slot,
    text_of,
)
from waitlint.project.walk import Found, FoundMap
from waitlint.project.world import ProjectWorld

Args = list[tuple[str | None, Value]]
NOT_IN_VIEW = (Unknown, MethodOf, Outside, ModelArgument)
WRAPPED = 3
UNNAMED = frozenset({"", "default", "exports", "index"})
COLLECTING = ("tool", "register", "push", "add", "set", "define", "append")
# Functions that give back the object that they are given.
KEEPS = frozenset({("Object", "freeze"), ("Object", "seal"), ("Object", "assign")})


class ScriptForms:
    """Finds the tools of all TypeScript and JavaScript files."""

    def __init__(self, world: ProjectWorld, frameworks: Frameworks) -> None:
        self.world = world
        self.documents = ScriptDocuments(world, frameworks)
        self.handed = HandedTypes(world)
        self.limits = RunLimits(world)
        rows = [row for row in frameworks.rows if row.language == "typescript"]
        self.by_tail: dict[str, list[Framework]] = {}
        self.class_rows = [row for row in rows if row.form == "class"]
        self.shape = next(row for row in rows if row.form == "shape")
        self.class_shapes = [row for row in rows if row.form == "class-shape"]
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
        aliases = _aliases(facts.body, self.by_tail)
        claimed: set[Span] = set()
        calls = self.world.calls(path)
        given_to = given_in_calls(calls)
        for found in calls:
            for registration in self._called(found, aliases):
                if registration.definition is not None:
                    claimed.add(registration.definition.span)
                yield self.limits.limited(registration, calls)
        for index, definition in enumerate(facts.classes):
            inherited = self._subclass(path, index, definition)
            if inherited is not None:
                yield inherited
        for held in self.world.maps(path):
            if held.map.span not in claimed:
                yield from self._shaped(held, given_to)

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
        receiver = self.world.evaluate(callee.base, frame) if isinstance(callee, Attr) else None
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

    def _registered(
        self, found: Found, row: Framework, confidence: str, settings: Args, args: Args, frame: Frame
    ) -> Registration | None:
        """The tool that one call hands over. `settings` are where its words stand and `args` where its body does."""
        handlers = self._handlers(slot(row.body, args), row.bodies, frame) or self._wrapped(found.call, row, frame)
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
            if isinstance(option, Instance) and isinstance(kind, ClassRef) and self._inherits(kind, hosts):
                return True
        return False

    def _handlers(self, body: Value | None, methods: tuple[str, ...], frame: Frame) -> tuple[FunctionRef, ...]:
        """The functions that do the work, also where a wrapper that is not in view was put around one."""
        if body is None:
            return ()
        for option in flat(body):
            if isinstance(option, FunctionRef):
                return (option,)
            if methods and isinstance(option, Instance | Record):
                found = [self.world.attribute(option, method, frame) for method in methods]
                refs = tuple(one for one in found if isinstance(one, FunctionRef))
                if refs:
                    return refs
        return ()

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

    # ------------------------------------------------------------ classes

    def _subclass(self, path: str, index: int, definition: Class) -> Registration | None:
        frame = self.world.frame_for(path, definition.parent)
        ref = ClassRef(path, index, frame if frame.function is not None else None)
        row = next((row for row in self.class_rows if definition.bases and self._inherits(ref, row.bases)), None)
        confidence = "high"
        if row is None:
            row = next((row for row in self.class_shapes if _looks_like_a_tool(definition, row)), None)
            confidence = "medium"
        if row is None:
            return None
        instance = self.world.instance(ref)
        name = next((text for one in row.name if (text := self._own_text(instance, one, frame))), "")
        schema = self._own(instance, row.schema, frame)
        found = [self._body(instance, body, schema, frame) for body in row.bodies] if name else []
        handlers = tuple(handler for handler in found if isinstance(handler, FunctionRef))[:1]
        if not name or not handlers:
            return None
        description = self._own(instance, row.description, frame)
        return Registration(
            row,
            name,
            Place(path, definition.at),
            confidence,
            description,
            self.world.run(schema) if isinstance(schema, FunctionRef) else schema,
            handlers,
            Place(path, definition.span),
            Place(path, definition.span),
        )

    def _body(self, instance: Value, name: str, schema: Value | None, frame: Frame) -> Value:
        """The method that does the work: of the object, or of one that a method of it makes for each call."""
        maker, _, method = name.rpartition(".")
        if not maker:
            return self.world.attribute(instance, method, frame)
        making = self.world.attribute(instance, maker, frame)
        if not isinstance(making, FunctionRef):
            return making
        fields = arguments_of_schema(schema) if schema is not None else None
        made = self.world.call(making, [(None, ModelArgument("", fields=fields or {}))])
        return self.world.attribute(made, method, frame) if isinstance(made, Instance) else made

    def _own(self, instance: Value, slots: tuple[Slot, ...], frame: Frame) -> Value | None:
        for one in slots:
            value = self.world.attribute(instance, one.key or "", frame)
            if not isinstance(value, MethodOf | Constant):
                return value
        return None

    def _own_text(self, instance: Value, one: Slot, frame: Frame) -> str:
        return text_of(self.world.attribute(instance, one.key or "", frame))

    def _inherits(self, base: Value, wanted: tuple[str, ...], depth: int = 5) -> bool:
        if isinstance(base, External):
            return base.name in wanted
        if isinstance(base, ClassRef) and depth:
            definition = self.world.facts(base.path).classes[base.index]
            frame = self.world.frame_for(base.path, definition.parent)
            return any(self._inherits(self.world.evaluate(b, frame), wanted, depth - 1) for b in definition.bases)
        return False

    # ------------------------------------------------------------ objects by shape

    def _shaped(self, held: FoundMap, given_to: dict[Span, Found]) -> Iterator[Registration]:
        """An object that has the parts of a tool: a name, words or a schema, and a function that does it."""
        row = self.shape
        keys = {entry.key.literal for entry in held.map.entries if isinstance(entry.key, Str)}
        bodies = [one for one in row.body if one.key in keys]
        taker = given_to.get(held.map.span)
        if not bodies or (taker is not None and not self._takes_tools(taker)):
            return
        nested = next((key for key in row.nested if key in keys), "") if not has_one(keys, row.schema) else ""
        if not nested and not (has_one(keys, row.schema) and "description" in keys):
            return
        for frame in frames_at(self.world, held):
            made = self._shaped_in(held, nested, bodies, frame)
            if made is not None:
                yield replace(made, handed=self.handed.of(held, bodies[0].key or "", given_to))

    def _shaped_in(self, held: FoundMap, nested: str, bodies: list[Slot], frame: Frame) -> Registration | None:
        row = self.shape
        whole = self.world.evaluate(held.map, frame)
        settings = key_path(whole, nested) if nested else whole
        if not isinstance(whole, Record) or not isinstance(settings, Record):
            return None
        handlers = self._handlers(slot(tuple(bodies), [(None, whole)]), (), frame)
        schema = slot(row.schema, [(None, settings)])
        if isinstance(schema, NOT_IN_VIEW) or (isinstance(schema, Record) and schema.open and not schema.entries):
            schema = self._schema_inside(held.map, row.schema, frame) or schema
        named = slot(row.name, [(None, settings)])
        name = text_of(named) or (held.bound if named is None and held.bound not in UNNAMED else "")
        described = settings.entries.get("description")
        if not name or not handlers or schema is None or isinstance(schema, FunctionRef | Textual):
            return None
        return Registration(
            row,
            name,
            name_place(named) or Place(held.path, held.map.span),
            "medium",
            None if described is None or is_nothing(described) else described,
            schema,
            handlers,
            settings.place or Place(held.path, held.map.span),
            Place(held.path, held.map.span),
        )

    def _schema_inside(self, literal: Map, slots: tuple[Slot, ...], frame: Frame) -> Value | None:
        """The schema that is given to helpers which make something unknown of it."""
        expr = next((found for one in slots if one.key and (found := entry_of(literal, one.key)) is not None), None)
        for _ in range(WRAPPED):
            if not isinstance(expr, Call) or not expr.args:
                return None
            expr = expr.args[0].value
            value = self.world.evaluate(expr, frame)
            if isinstance(value, Instance) and value.type == SCHEMA:
                return value
        return None

    def _takes_tools(self, found: Found) -> bool:
        """Whether a call that is given an object may take it as a tool: one of another library means something else."""
        callee = found.call.func
        name = callee.name.lower() if isinstance(callee, Name | Attr) else ""
        if any(word in name for word in COLLECTING):
            return True
        if isinstance(callee, Attr):
            return isinstance(callee.base, Name) and (callee.base.name, callee.name) in KEEPS
        value = self.world.evaluate(callee, self.world.frame_for(found.path, found.function))
        return isinstance(value, FunctionRef | ClassRef)


def _aliases(body: tuple[object, ...], known: dict[str, list[Framework]]) -> dict[str, str]:
    """Names by which a file calls what it imports under another name."""
    return {
        stmt.local: stmt.name
        for stmt in body
        if isinstance(stmt, Import) and stmt.name in known and stmt.local != stmt.name and stmt.name is not None
    }


def _within(inner: Place, outer: Place) -> bool:
    return inner.path == outer.path and outer.span.start <= inner.span.start and inner.span.end <= outer.span.end


def _named_in(call: Call) -> set[str]:
    """The names that a call is given, also in an object."""
    found: set[str] = set()
    for arg in call.args:
        values = [entry.value for entry in arg.value.entries] if isinstance(arg.value, Map) else [arg.value]
        found.update(value.name for value in values if isinstance(value, Name))
        found.update(value.base.name for value in values if isinstance(value, Attr) and isinstance(value.base, Name))
    return found


def _looks_like_a_tool(definition: Class, row: Framework) -> bool:
    """Whether a class of the project has the parts of a tool by its members' names."""
    members = {member.name for member in definition.members}
    methods = {member.name for member in definition.members if isinstance(member.value, Func)}
    is_tool = any("Tool" in _written(base) for base in definition.bases)
    makers = {body.rpartition(".")[0] for body in row.bodies} - {""}
    if makers:
        return is_tool and bool(makers & methods)
    if not has_one(members, row.name) or not has_one(members, row.description):
        return False
    return bool(methods.intersection(row.bodies)) and (is_tool or has_one(members, row.schema))


def _written(base: Expr) -> str:
    while not isinstance(base, Name | Attr) and hasattr(base, "base"):
        base = base.base
    return base.name if isinstance(base, Name | Attr) else ""
