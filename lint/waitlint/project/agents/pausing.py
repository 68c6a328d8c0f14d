"""Agents whose run stops at each call of a tool: someone outside approves or runs it, or its result is the answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from waitlint.catalog import AgentApi
from waitlint.facts import Call, Const, Expr
from waitlint.interpret.alternatives import options
from waitlint.interpret.syntax import calls_in
from waitlint.interpret.values import (
    ClassRef,
    Constant,
    External,
    FunctionRef,
    Instance,
    Items,
    Outside,
    Record,
    Textual,
    Value,
)
from waitlint.linked import Known
from waitlint.project.agents.names import Args, Names, slot_values
from waitlint.project.agents.speakers import is_person

FUNCTIONS = frozenset({"function", "custom"})


def pauses_at_each_tool(names: Names, row: AgentApi, every: Sequence[Args]) -> Known:
    """Whether each tool that a framework's loop is given makes it stop, or is run by the model's provider.

    Unknown where that may hold for some of the tools of a kit, and for all others.
    """
    tools = [value for args in every for slot in row.tools if (value := slot_values((slot,), args)) is not None]
    found: list[Value] = []
    for value in tools:
        for _, option in options(value):
            match option:
                case Items(items=items, open=False):
                    found.extend(items)
                case Record(entries=entries, open=False):
                    found.extend(entries.values())
                case _:
                    return Known.NO
    pausing = Pausing(names, row)
    answers = {pausing.at(tool) for tool in found}
    if not answers or Known.NO in answers:
        return Known.NO
    return Known.UNKNOWN if Known.UNKNOWN in answers else Known.YES


class Pausing:
    """Reads off one tool whether a call of it leads to another request to the model."""

    def __init__(self, names: Names, row: AgentApi) -> None:
        self.names = names
        self.world = names.world
        self.row = row

    def at(self, tool: Value) -> Known:
        """Whether the run stops at a call of a tool, or of some tools of a kit."""
        match tool:
            case FunctionRef(path=path, index=index):
                function = self.world.files[path].functions[index]
                stops = any(self._stops(decorator, path) for decorator in function.decorators)
                return _known(stops or self._asks_someone(path, index))
            case Record(entries=entries):
                return _known(_is_the_providers(entries.get("type")))
            case Instance(type=ClassRef() as kind, args=args):
                return Known.UNKNOWN if self._lists(args) or self._lists_inside(kind) else Known.NO
            case Instance(type=External(name=name)) if name in self.row.pausing:
                return Known.YES
            case Instance(args=args):
                return self._made(args)
            case Outside() if any(self._lists(link.args) for link in self.names.made(tool)):
                return Known.UNKNOWN
            case _:
                return Known.NO

    def _stops(self, decorator: Expr, path: str) -> bool:
        if isinstance(decorator, Call) and any(_is_set(arg.name, arg.value, self.row) for arg in decorator.args):
            return True
        func = decorator.func if isinstance(decorator, Call) else decorator
        frame = self.world.frame_for(path, None)
        value = self.world.evaluate(func, frame)
        if isinstance(value, External) and value.name in self.row.pausing:
            return True
        hooks = [self.world.evaluate(arg.value, frame) for arg in getattr(decorator, "args", ()) if arg.name]
        return any(isinstance(hook, FunctionRef) and self._asks_someone(hook.path, hook.index) for hook in hooks)

    def _asks_someone(self, path: str, index: int) -> bool:
        """Whether a function waits for the answer of whoever sits before it."""
        facts = self.world.files[path]
        return any(is_person(getattr(call.func, "name", "")) for call in calls_in(facts.functions[index].body, facts))

    def _made(self, args: Args) -> Known:
        """A tool that is made by a call: its options are in a record, or it is a kit that names some of its tools."""
        if self._lists(args):
            return Known.UNKNOWN
        given = next((value for _, value in args if isinstance(value, Record)), None)
        if given is None or given.open:
            return Known.NO
        approved = [given.entries[name] for name in self.row.pausing if name in given.entries]
        if any(isinstance(one, Constant) and one.value is True for one in approved):
            return Known.YES
        return _known(bool(self.row.runs) and self.row.runs not in given.entries)

    def _lists(self, args: Args) -> bool:
        """Whether a kit is told at which of its tools to stop."""
        return any(
            name in self.row.pausing and not (isinstance(value, Items) and not value.items and not value.open)
            for name, value in args
        )

    def _lists_inside(self, kind: ClassRef) -> bool:
        """Whether the class of a kit, in the project, says of some of its tools that they stop the run."""
        facts = self.world.files[kind.path]
        return any(
            any(arg.name in self.row.pausing for arg in call.args) for call in _calls_of_class(self.names, kind)
        ) or any(
            self._stops(decorator, kind.path)
            for function in facts.functions
            if function.owner == kind.index
            for decorator in function.decorators
        )


def _calls_of_class(names: Names, kind: ClassRef) -> Iterator[Call]:
    facts = names.world.files[kind.path]
    for function in facts.functions:
        if function.owner == kind.index:
            yield from calls_in(function.body, facts)


def _is_set(name: str | None, value: Expr, row: AgentApi) -> bool:
    return name in row.pausing and isinstance(value, Const) and value.value is True


def _is_the_providers(kind: Value | None) -> bool:
    """Whether a tool that is told as data is one which the model's provider runs: it is called in the same reply."""
    return isinstance(kind, Textual) and kind.literal is not None and kind.literal not in FUNCTIONS


def _known(answer: bool) -> Known:
    return Known.YES if answer else Known.NO


__all__ = ["pauses_at_each_tool"]
