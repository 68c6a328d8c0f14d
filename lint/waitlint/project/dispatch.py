"""Tools that are listed in one place and called by name in another."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from waitlint.catalog import Framework, Frameworks
from waitlint.facts import Attr, Call
from waitlint.interpret.alternatives import inside, options
from waitlint.interpret.values import (
    External,
    FunctionRef,
    Instance,
    ModelArgument,
    Record,
    Textual,
    ToolContext,
    Value,
)
from waitlint.project.found import Found
from waitlint.project.named import NamedBodies, Plan
from waitlint.project.nearness import shared_folders
from waitlint.project.registrations import Registration, Registry
from waitlint.project.world import CODE, ProjectWorld
from waitlint.spelled import tail

Args = list[tuple[str | None, Value]]
SCHEMA_KEYS = ("inputSchema", "input_schema", "parameters", "parametersJsonSchema")


@dataclass(frozen=True, slots=True)
class Dispatcher:
    """A handler that runs a tool by its name."""

    row: Framework
    path: str
    handler: FunctionRef
    language: str

    def arguments(self, name: Textual, input_: ModelArgument) -> Args:
        """What the framework hands to the handler for a call of the tool with this name."""
        if self.language == "typescript":
            params = Record({"name": name, "arguments": input_}, open=True)
            path = self.row.signals[0].path if self.row.signals else ""
            return [(None, Record({"params": params}, open=True)), (None, ToolContext(tuple(path.split("."))))]
        return [(None, name), (None, input_)]

    def context_arguments(self, name: Textual, input_: ModelArgument) -> Args:
        """The same for handlers that take a context and the request's parameters."""
        return [(None, ToolContext(())), (None, Record({"name": name, "arguments": input_}, open=True))]


class Handlers:
    """The pairs of list and call handlers of a project."""

    def __init__(self, world: ProjectWorld, frameworks: Frameworks, registry: Registry) -> None:
        self.world = world
        self.rows = [row for row in frameworks.rows if row.form == "handlers"]
        # By language and the last name of what is called: what sets a handler, and what is made with some.
        self._by_tail: dict[str, dict[str, Framework]] = {}
        for row in self.rows:
            made = (owner.rpartition(".")[2] for owner in row.of) if row.lists else ()
            for name in (*row.methods, *made):
                self._by_tail.setdefault(row.language, {}).setdefault(name, row)
        self.registry = registry
        self.named = NamedBodies(world)
        self.dispatchers: list[tuple[Dispatcher, bool]] = []
        self.listers: list[tuple[Framework, str, FunctionRef]] = []
        for path, facts in world.files.items():
            if facts.language in CODE:
                world.faults.result(f"finding the servers of {path}", partial(self._scan, path), lambda: None)

    def _scan(self, path: str) -> None:
        facts = self.world.files[path]
        for index, function in enumerate(facts.functions):
            for decorator in function.decorators:
                callee = decorator.func if isinstance(decorator, Call) else decorator
                if isinstance(callee, Attr):
                    row = self._row(callee.name, facts.language)
                    if row is not None:
                        frame = self.world.parent_frame(path, function)
                        self._add(row, path, callee.name, FunctionRef(path, index, frame), False)
        rows = self._by_tail.get(facts.language, {})
        for found in self.world.calls_named(path, rows.keys()):
            self._scan_call(found, rows[tail(found.call.func)])

    def _scan_call(self, found: Found, row: Framework) -> None:
        path = found.path
        args = self.world.arguments(found.call, self.world.frame_for(path, found.function))
        if tail(found.call.func) not in row.methods:
            for key, value in args:
                if key is not None and isinstance(value, FunctionRef):
                    self._add(row, path, key, value, True)
        elif len(args) >= 2:
            asked = args[0][1]
            name = (
                asked.literal
                if isinstance(asked, Textual)
                else asked.name.rpartition(".")[2]
                if isinstance(asked, External)
                else ""
            )
            for _, option in options(args[-1][1]):
                if isinstance(option, FunctionRef):
                    self._add(row, path, name or "", option, False)

    def _row(self, name: str, language: str) -> Framework | None:
        return next((row for row in self.rows if row.language == language and name in row.lists + row.dispatches), None)

    def _add(self, row: Framework, path: str, name: str, handler: FunctionRef, takes_context: bool) -> None:
        if name in row.lists:
            self.listers.append((row, path, handler))
        elif name in row.dispatches:
            language = self.world.files[path].language
            self.dispatchers.append((Dispatcher(row, path, handler, language), takes_context))

    # ------------------------------------------------------------ what is listed

    def listed(self) -> Iterator[Registration]:
        """The tools that a list handler names."""
        for row, path, handler in self.listers:
            value = self.world.run(handler)
            for part in inside(value, depth=5):
                found = self._listed(part, row, path)
                if found is not None:
                    yield found

    def _listed(self, value: Value, row: Framework, path: str) -> Registration | None:
        name: Value | None
        if isinstance(value, Record):
            name, description = value.entries.get("name"), value.entries.get("description")
            schema = next((value.entries[key] for key in SCHEMA_KEYS if key in value.entries), None)
            place = value.place
        elif isinstance(value, Instance) and isinstance(value.type, External):
            name, description = value.argument("name"), value.argument("description")
            schema = next((found for key in SCHEMA_KEYS if (found := value.argument(key)) is not None), None)
            place = value.made_at
        else:
            return None
        if not isinstance(name, Textual) or not name.literal or schema is None or place is None:
            return None
        return Registration(
            row, name.literal, name.place or place, "high", description, schema, (), place, place, dispatch=name.literal
        )

    def plans(self, registration: Registration, named: Textual, input_: ModelArgument) -> list[Plan]:
        """What runs for the name of a tool, with its arguments: a dispatcher, or what the project runs for a schema."""
        if registration.row.form != "handlers":
            plans = self.named.plans(named, registration.place.path, input_)
            if plans:
                return plans
        found = self.dispatcher_for(registration.place.path)
        if found is None:
            return []
        dispatcher, takes_context = found
        arguments = dispatcher.context_arguments if takes_context else dispatcher.arguments
        return [(dispatcher.handler, arguments(named, input_))]

    def dispatcher_for(self, near: str) -> tuple[Dispatcher, bool] | None:
        """The dispatcher that serves a tool listed in the file `near`: in the same folder, or the only one around."""
        if len(self.dispatchers) == 1:
            return self.dispatchers[0]
        best = [(shared_folders(found[0].path, near), found) for found in self.dispatchers]
        best.sort(key=lambda pair: -pair[0])
        if len(best) > 1 and best[0][0] == best[1][0]:
            return None
        return best[0][1] if best else None
