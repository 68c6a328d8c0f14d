"""From registrations to tools: their handlers are run, and what they do, say, take and give is put together."""

from __future__ import annotations

import re

from waitlint.catalog import Apis
from waitlint.facts import Piece, Span
from waitlint.finding import Place
from waitlint.interpret.alternatives import inside
from waitlint.interpret.events import Outcome
from waitlint.interpret.machine import Machine, Run
from waitlint.interpret.values import FunctionRef, Outside, Record, TextPart, Textual, Unknown
from waitlint.linked import Read, Sleep, Swallow, Tool, ToolText, Wait
from waitlint.project.dispatch import Args, Handlers
from waitlint.project.parameters import Parameters
from waitlint.project.registrations import Registration
from waitlint.project.script_arguments import offers_stop
from waitlint.project.sources import Sources
from waitlint.project.texts import said_by, tool_text
from waitlint.project.waits import Summary
from waitlint.project.world import ProjectWorld

STATE_KEYS = frozenset({"status", "state", "phase", "stage", "result"})
IDENTIFIER = re.compile(r"(?:^|[a-z0-9_])(?:id|_id|Id|ID|uuid|Uuid|token|handle)$")


class Tools:
    """Builds the tools of a project."""

    def __init__(self, world: ProjectWorld, apis: Apis, handlers: Handlers, sources: Sources) -> None:
        self.world = world
        self.apis = apis
        self.handlers = handlers
        self.parameters = Parameters(world)
        self.sources = sources

    def tool(self, registration: Registration) -> Tool:
        runs = self._runs(registration)
        surface = registration.row.id
        name = registration.name
        waits: list[Wait] = []
        reads: list[Read] = []
        sleeps: list[Sleep] = []
        texts: list[ToolText] = []
        swallows: list[Swallow] = []
        outcomes: list[Outcome] = []
        for run in runs:
            summary = Summary(run, self.sources)
            waits.extend(wait for wait in summary.waits() if wait not in waits)
            reads.extend(read for read in summary.reads.values() if read not in reads)
            sleeps.extend(sleep for sleep in summary.sleeps.values() if sleep not in sleeps)
            swallows.extend(swallow for swallow in summary.swallows() if swallow not in swallows)
            texts.extend(said_by(run.said, surface, name))
            outcomes.extend(run.outcomes)
        description, reason = self._description(registration)
        parameters = self.parameters.of(registration)
        return Tool(
            name=name,
            place=registration.place,
            framework=registration.row.id,
            confidence=registration.confidence,
            description=description,
            description_unknown=reason,
            definition=registration.definition,
            handler=self._handler_place(registration),
            body=bool(runs),
            parameters=parameters,
            waits=tuple(waits),
            reads=tuple(reads),
            sleeps=tuple(sleeps),
            texts=tuple(texts),
            returns_states=self._states(runs, outcomes),
            takes=tuple(p.name for p in parameters if IDENTIFIER.search(p.name)),
            gives=_ids(outcomes),
            answers=tuple(dict.fromkeys(said.known_text[:200] for run in runs for said in run.said)),
            offers_stop=offers_stop(registration),
            takes_stop=any(run.took_stop for run in runs),
            offers_progress=registration.row.progress,
            swallows=tuple(swallows),
            is_async=self._is_async(registration),
            sync_runs=registration.row.sync,
            understood=not any(run.cut_short for run in runs),
        )

    # ------------------------------------------------------------ running

    def _runs(self, registration: Registration) -> list[Run]:
        if registration.dispatch:
            return self._dispatched(registration)
        runs = []
        for handler in registration.handlers:
            args = self.parameters.arguments(registration, handler)
            runs.append(Machine(self.world, self.apis).run_tool(handler, args))
        return runs

    def _dispatched(self, registration: Registration) -> list[Run]:
        found = self.handlers.dispatcher_for(registration.place.path)
        if found is None:
            return []
        dispatcher, takes_context = found
        named = self._named(registration)
        if named is None:
            return []
        input_ = self.parameters.input_of(registration)
        args: Args = (
            dispatcher.context_arguments(named, input_) if takes_context else dispatcher.arguments(named, input_)
        )
        return [Machine(self.world, self.apis).run_tool(dispatcher.handler, args)]

    def _named(self, registration: Registration) -> Textual | None:

        name, start = registration.name, registration.place.span.start
        piece = Piece(name, ((0, start), (len(name), start + len(name))))
        return Textual((TextPart(registration.place.path, piece),), registration.place)

    def _is_async(self, registration: Registration) -> bool:
        refs = self._bodies(registration)
        return any(self.world.facts(ref.path).functions[ref.index].is_async for ref in refs)

    def _bodies(self, registration: Registration) -> tuple[FunctionRef, ...]:
        """The functions that a call of the tool runs: its own, or the one that dispatches by name."""
        if not registration.dispatch:
            return registration.handlers
        found = self.handlers.dispatcher_for(registration.place.path)
        return (found[0].handler,) if found is not None else ()

    def _handler_place(self, registration: Registration) -> Place | None:
        bodies = self._bodies(registration)
        return Place(bodies[0].path, self._span(bodies[0])) if bodies else None

    def _span(self, ref: FunctionRef) -> Span:
        return self.world.facts(ref.path).functions[ref.index].span

    # ------------------------------------------------------------ words

    def _description(self, registration: Registration) -> tuple[ToolText | None, str]:
        value = registration.description
        if value is None:
            return None, ""
        if isinstance(value, Textual):
            text = tool_text(value, "tool-description", registration.row.id, registration.name)
            if text is not None:
                return text, "" if text.text.complete else "a part of it is put in at run time"
        reason = value.reason if isinstance(value, Unknown) else ""
        return None, reason or "it is made at run time"

    # ------------------------------------------------------------ states and IDs

    def _states(self, runs: list[Run], outcomes: list[Outcome]) -> tuple[str, ...]:
        """State names that the handler compares with or hands back."""
        states: set[str] = set()
        for run in runs:
            states |= run.asked_states
        for outcome in outcomes:
            for part in inside(outcome.value):
                if isinstance(part, Record):
                    for key, value in part.entries.items():
                        if key.lower() in STATE_KEYS and isinstance(value, Textual) and value.literal:
                            states.add(value.literal)
        return tuple(sorted(state for state in states if len(state) <= 40))


def _ids(outcomes: list[Outcome]) -> tuple[str, ...]:
    """The keys of IDs in what a tool hands back."""
    found: set[str] = set()
    for outcome in outcomes:
        if outcome.kind != "return":
            continue
        for part in inside(outcome.value):
            if isinstance(part, Record):
                found.update(key for key in part.entries if IDENTIFIER.search(key))
            elif isinstance(part, Outside) and part.path and IDENTIFIER.search(part.path[-1]):
                found.add(part.path[-1])
    return tuple(sorted(found))
