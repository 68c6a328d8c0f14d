"""How long a run lets each of its tools take: `generateText({ tools: { look }, timeout: { toolMs: 500 } })`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from waitlint.facts import Call, Expr, Map
from waitlint.finding import Place
from waitlint.interpret.alternatives import options
from waitlint.interpret.arithmetic import arithmetic
from waitlint.interpret.core import key_path
from waitlint.interpret.values import Constant, Instance, Record, Unknown, Value
from waitlint.project.found import Found
from waitlint.project.registrations import Registration
from waitlint.project.script_slots import entry_of
from waitlint.project.world import ProjectWorld

TOOLS = "tools"
TIMEOUT = "timeout"
Given = dict[Place, tuple[Found, Map]]


class RunLimits:
    """Finds what the call that is given a tool, written in place, says of the time that it may take."""

    def __init__(self, world: ProjectWorld) -> None:
        self.world = world
        self._given: dict[int, Given] = {}

    def _given_in(self, calls: tuple[Found, ...]) -> Given:
        """The calls of a file that are given tools and a limit, each by the place of what makes a tool, and the limit.

        They are looked for once, and only in a file in which somebody asks.
        """
        given = self._given.get(id(calls))
        if given is not None:
            return given
        given = self._given[id(calls)] = {}
        for found in calls:
            settings = [arg.value for arg in found.call.args if isinstance(arg.value, Map)]
            for one in settings:
                tools, limit = entry_of(one, TOOLS), entry_of(one, TIMEOUT)
                if tools is not None and limit is not None:
                    for place in self._made_at(tools, found):
                        given[place] = (found, one)
        return given

    def _made_at(self, tools: Expr, found: Found) -> Iterator[Place]:
        """Where the tools of a run are made: in place, or before it."""
        for entry in tools.entries if isinstance(tools, Map) else ():
            if isinstance(entry.value, Call):
                yield Place(found.path, entry.value.span)
        value = self.world.evaluate(tools, self.world.frame_for(found.path, found.function))
        for held in value.entries.values() if isinstance(value, Record) else ():
            for _, option in options(held):
                if isinstance(option, Instance) and option.made_at is not None:
                    yield option.made_at

    def limited(self, made: Registration, calls: tuple[Found, ...]) -> Registration:
        """A tool with the limit of the run among some calls that it is made for, where its framework knows one."""
        option, place = made.row.run_timeout, made.call_place
        if not option or place is None or made.timeout is not None:
            return made
        around = self._given_in(calls).get(place)
        if around is None:
            return made
        found, settings = around
        written = entry_of(settings, option)
        if written is None:
            return made
        value = self.world.evaluate(written, self.world.frame_for(found.path, found.function))
        limit = self._limit(value, made.name)
        return made if limit is None else replace(made, timeout=arithmetic("*", limit, Constant(0.001)))

    def _limit(self, value: Value, name: str) -> Value | None:
        """The milliseconds for one tool, or for any; None where there are none or they can't be told."""
        if not isinstance(value, Record):
            return None
        found = [key_path(value, path) for path in (f"{TOOLS}.{name}Ms", "toolMs")]
        return next((one for one in found if one is not None and not isinstance(one, Unknown)), None)
