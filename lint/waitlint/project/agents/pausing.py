"""Agents that stop at each call of a tool: someone outside approves or runs it, and starts them anew."""

from __future__ import annotations

from collections.abc import Sequence

from waitlint.catalog import AgentApi
from waitlint.facts import Call, Const
from waitlint.interpret.alternatives import options
from waitlint.interpret.values import Constant, FunctionRef, Instance, Items, Record, Value
from waitlint.project.agents.names import Args, slot_values
from waitlint.project.world import ProjectWorld


def pauses_at_each_tool(world: ProjectWorld, row: AgentApi, every: Sequence[Args]) -> bool:
    """Whether all tools that a framework's loop is given are in view, and each of them makes it stop."""
    if not row.pausing and not row.runs:
        return False
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
                    return False
    return bool(found) and all(_pauses(world, row, tool) for tool in found)


def _pauses(world: ProjectWorld, row: AgentApi, tool: Value) -> bool:
    match tool:
        case FunctionRef(path=path, index=index):
            return any(
                isinstance(decorator, Call)
                and any(
                    arg.name in row.pausing and isinstance(arg.value, Const) and arg.value.value is True
                    for arg in decorator.args
                )
                for decorator in world.files[path].functions[index].decorators
            )
        case Instance(args=args):
            given = next((value for _, value in args if isinstance(value, Record)), None)
            if given is None or given.open:
                return False
            approved = [given.entries[name] for name in row.pausing if name in given.entries]
            if any(isinstance(one, Constant) and one.value is True for one in approved):
                return True
            return bool(row.runs) and row.runs not in given.entries
        case _:
            return False
