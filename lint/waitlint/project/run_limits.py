"""How long a run lets each of its tools take: `generateText({ tools: { look }, timeout: { toolMs: 500 } })`."""

from __future__ import annotations

from dataclasses import replace

from waitlint.facts import Call, Map, Span
from waitlint.interpret.arithmetic import arithmetic
from waitlint.interpret.core import key_path
from waitlint.interpret.values import Constant, Record, Unknown, Value
from waitlint.project.registrations import Registration
from waitlint.project.script_slots import entry_of
from waitlint.project.walk import Found
from waitlint.project.world import ProjectWorld

TOOLS = "tools"


class RunLimits:
    """Finds what the call that is given a tool, written in place, says of the time that it may take."""

    def __init__(self, world: ProjectWorld) -> None:
        self.world = world

    def given_in(self, calls: tuple[Found, ...]) -> dict[Span, tuple[Found, Map]]:
        """The calls that are given tools which are made in place, each by the span of what makes the tool."""
        given: dict[Span, tuple[Found, Map]] = {}
        for found in calls:
            for arg in found.call.args:
                settings = arg.value
                tools = entry_of(settings, TOOLS) if isinstance(settings, Map) else None
                if not isinstance(settings, Map) or not isinstance(tools, Map):
                    continue
                for entry in tools.entries:
                    if isinstance(entry.value, Call):
                        given[entry.value.span] = (found, settings)
        return given

    def limited(self, made: Registration, given: dict[Span, tuple[Found, Map]]) -> Registration:
        """A tool with the limit of the run that it is made for, where its framework knows one."""
        option, place = made.row.run_timeout, made.call_place
        around = given.get(place.span) if option and place is not None else None
        if around is None or made.timeout is not None:
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
