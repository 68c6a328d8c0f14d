"""Conditions at which a framework's loop ends: which of them bound its steps, its time or what it spends."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from waitlint.catalog import AgentApi
from waitlint.finding import Evidence
from waitlint.interpret.alternatives import options
from waitlint.interpret.values import (
    Constant,
    External,
    FunctionRef,
    Instance,
    Items,
    Record,
    Textual,
    Value,
    is_nothing,
    pick,
)
from waitlint.linked import Certainty, Limit, Seconds
from waitlint.project.agents.names import Args, Link, Names, items_of, slot_values
from waitlint.project.agents.sites import Site
from waitlint.project.durations import seconds_of
from waitlint.project.world import ProjectWorld

INFINITE = ("Infinity", "inf", "POSITIVE_INFINITY", "maxsize")
NUMBERS = ("max_messages", "max_turns", "run_limit", "thread_limit", "runLimit", "threadLimit")
SECONDS = ("timeout_seconds", "max_delay")
# What limits a condition to some of the tools.
ONE_TOOL = ("tool_name", "toolName")


def conditions_of(site: Site, links: Sequence[Link]) -> Value | None:
    """The conditions that a call is given, or what it is called on; None where there are none."""
    for args in (site.args, *(link.args for link in links)):
        value = slot_values(site.row.conditions, args)
        if value is not None and not is_nothing(value):
            return value
    return None


class Conditions:
    """Reads conditions by the names that the catalog knows."""

    def __init__(self, world: ProjectWorld, names: Names) -> None:
        self.world = world
        self.names = names

    def limit(self, row: AgentApi, conditions: Value, limit: Limit, every: Sequence[Args]) -> Limit:
        """The cap of a loop that also ends at conditions. `limit` is what holds beside them; `every` are the
        arguments of the call, and of what made what it is called on."""
        each = items_of(conditions)
        if each is None:
            return Limit(Certainty.UNKNOWN, how="what ends it is not in view")
        bounds = [self._condition(row, condition) for condition in each]
        known = [bound for bound in bounds if bound.known]
        if known:
            best = min(known, key=lambda bound: bound.value)
            return (
                min(best, limit, key=lambda one: one.value) if limit.known and slot_values(row.cap, every[0]) else best
            )
        if any(not bound.absent for bound in bounds):
            return next(bound for bound in bounds if not bound.absent)
        if self._ends_at_any_tool(row, each, every):
            return Limit(Certainty.KNOWN, 1.0, "it ends at the first call of any of its tools")
        if row.replaces and bounds:
            given = slot_values(row.cap, every[0])
            return limit if given is not None and limit.known else bounds[0]
        return limit

    def time(self, row: AgentApi, conditions: Value | None) -> Seconds | None:
        """The bound in time that one of the conditions sets."""
        for condition in (items_of(conditions) or ()) if conditions is not None else ():
            name, links = self._named(condition)
            if name in row.timing and links:
                value = _first_of(links[0].args, SECONDS)
                if value is not None:
                    return seconds_of(value, 1.0)
        return None

    def spends(self, row: AgentApi, conditions: Value | None) -> bool:
        """Whether one of the conditions is a bound in tokens or money."""
        each = items_of(conditions) if conditions is not None else None
        return any(self._named(condition)[0] in row.spending for condition in each or ())

    def _named(self, condition: Value) -> tuple[str, list[Link]]:
        """The name of a condition without its package, and the calls that made it."""
        links = self.names.made(condition)
        name = links[0].name if links else self.names.name_of(condition)
        return name.rpartition(".")[2], links

    def _condition(self, row: AgentApi, condition: Value) -> Limit:
        """Whether a condition bounds the number of steps."""
        tail, links = self._named(condition)
        if tail in row.timing or tail in row.spending:
            return Limit(Certainty.UNKNOWN, how=f"bounded by `{tail}`")
        if tail in row.bounding:
            return _number_of(tail, links)
        if isinstance(condition, FunctionRef):
            answer = self.world.run(condition)
            if isinstance(answer, Constant) and not answer.value:
                return Limit(Certainty.ABSENT, 0.0, "its condition to stop is never true")
            return Limit(Certainty.UNKNOWN, how="a function of the project decides when it ends")
        if isinstance(condition, Constant) and not condition.value:
            return Limit(Certainty.ABSENT, 0.0, "there is no condition to stop")
        if tail in row.deciding:
            return Limit(Certainty.UNKNOWN, how=f"`{tail}` may end it soon")
        name = links[0].name if links else self.names.name_of(condition)
        if tail in row.unbounding or (name and name.partition(".")[0] == row.calls[0].partition(".")[0]):
            return Limit(Certainty.ABSENT, 0.0, f"`{tail}` is no limit: the model may never come to it")
        return Limit(Certainty.UNKNOWN, how="what ends it is not in view")

    # ------------------------------------------------------------ every tool ends it

    def _ends_at_any_tool(self, row: AgentApi, each: Sequence[Value], every: Sequence[Args]) -> bool:
        """Whether the conditions name all tools that there are: then the loop goes on after none of them."""
        named: set[str] = set()
        for condition in each:
            tail, links = self._named(condition)
            if tail in row.naming and links:
                named.update(_literals(value for _, value in links[0].args))
        tools = next((value for args in every if (value := slot_values(row.tools, args)) is not None), None)
        own = _names_of_tools(tools) if tools is not None and named else None
        return bool(own) and own is not None and own <= named


def _number_of(tail: str, links: Sequence[Link]) -> Limit:
    args = links[0].args if links else ()
    value = _first_of(args, NUMBERS)
    if _first_named(args, ONE_TOOL) is not None:
        return Limit(Certainty.UNKNOWN, how=f"`{tail}` limits one tool")
    number = value.number if isinstance(value, Constant) else None
    if isinstance(value, External) and value.name.rpartition(".")[2] in INFINITE:
        number = math.inf
    if number is not None and math.isinf(number):
        return Limit(Certainty.ABSENT, 0.0, f"`{tail}` of infinity is no limit")
    if number is None:
        return Limit(Certainty.UNKNOWN, how=f"bounded by `{tail}`")
    place = links[0].place if links else None
    shown = (Evidence(place, f"`{tail}`"),) if place is not None else ()
    return Limit(Certainty.KNOWN, number, f"`{tail}({number:g})`", shown)


def _first_of(args: Args, names: tuple[str, ...]) -> Value | None:
    """The value of the first argument, or of that with one of the names; inside a record of options, too."""
    value = pick(args, None, 0)
    if value is None or isinstance(value, Record):
        value = _first_named(args, names)
    return value


def _first_named(args: Args, names: tuple[str, ...]) -> Value | None:
    """The value of an argument with one of the names, or of such an entry of a record of options."""
    first = pick(args, None, 0)
    entries = first.entries if isinstance(first, Record) else {}
    for name in names:
        value = pick(args, name, None) or entries.get(name)
        if value is not None:
            return value
    return None


def _literals(values: Iterator[Value]) -> Iterator[str]:
    """The texts among values, and in lists of them."""
    for value in values:
        for _, option in options(value):
            if isinstance(option, Textual) and option.literal is not None:
                yield option.literal
            elif isinstance(option, Items):
                yield from _literals(iter(option.items))


def _names_of_tools(tools: Value) -> set[str] | None:
    """The names of all tools in an object that is in view to its end, or in a list of tools by name; else None."""
    found: set[str] = set()
    for _, option in options(tools):
        match option:
            case Record(entries=entries, open=False):
                found.update(entries)
            case Items(items=items, open=False):
                names = [_name_of_tool(item) for item in items]
                if None in names:
                    return None
                found.update(name for name in names if name is not None)
            case _:
                return None
    return found


def _name_of_tool(tool: Value) -> str | None:
    name = tool.argument("name") if isinstance(tool, Instance) else None
    return name.literal if isinstance(name, Textual) else None


__all__ = ["INFINITE", "Conditions", "conditions_of"]
