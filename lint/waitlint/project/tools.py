"""From registrations to tools: their handlers are run, and what they do, say, take and give is put together."""

from __future__ import annotations

import re

from waitlint.catalog import Apis
from waitlint.facts import Piece, Span
from waitlint.finding import Place
from waitlint.interpret.alternatives import inside, options
from waitlint.interpret.events import Outcome
from waitlint.interpret.machine import Machine
from waitlint.interpret.runs import Run
from waitlint.interpret.values import FunctionRef, Outside, Record, TextPart, Textual, Unknown, Value
from waitlint.linked import Read, Sleep, Swallow, Tool, ToolText, Wait
from waitlint.project.channels import takes_channel
from waitlint.project.dispatch import Handlers
from waitlint.project.durations import seconds_of
from waitlint.project.named import Plan
from waitlint.project.parameters import Parameters
from waitlint.project.registrations import Registration
from waitlint.project.script_arguments import offers_stop, stop_at
from waitlint.project.sources import Sources
from waitlint.project.texts import said_by, told_by, tool_text
from waitlint.project.waits import Summary
from waitlint.project.world import ProjectWorld
from waitlint.project.wrapping import bound_by_class

STATE_KEYS = frozenset({"status", "state", "phase", "stage", "result"})
MAY_WAIT = re.compile(
    r"^\?$|wait|poll|until|watch|follow|subscri|listen|block|join|sleep|result|complet|finish|done|settle|ready|monitor|"
    r"track|run|exec|invoke|call|send|request|process|sync|message|receiv|recv|read|next|consum|stream|session|"
    r"page|browser|query|fetch|get|task|job|start",
    re.IGNORECASE,
)
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
        plans = self._plans(registration)
        runs = self._runs(plans, registration)
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
        texts = told_by(outcomes, surface, name, texts)
        texts.extend(self.parameters.further(registration))
        description, reason, others = self._description(registration)
        texts.extend(others)
        parameters = self.parameters.of(registration)
        return Tool(
            name=name,
            place=registration.place,
            framework=registration.row.id,
            confidence=registration.confidence,
            description=description,
            description_unknown=reason,
            definition=registration.definition,
            handler=self._handler_place(plans),
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
            stop_at=stop_at(registration),
            takes_stop=any(run.took_stop for run in runs),
            offers_progress=registration.row.progress,
            takes_channel=any(takes_channel(self.world, ref, args) for ref, args in plans),
            swallows=tuple(swallows),
            is_async=self._is_async(plans),
            sync_runs=registration.row.sync,
            understood=not any(run.cut_short for run in runs),
            unknown=tuple(
                dict.fromkeys(name for run in runs for name in run.unseen if MAY_WAIT.search(name.rpartition(".")[2]))
            ),
            limit=seconds_of(registration.timeout, 1.0),
        )

    # ------------------------------------------------------------ running

    def _runs(self, plans: list[Plan], registration: Registration) -> list[Run]:
        runs: list[Run] = []
        for handler, args in plans:
            machine = Machine(self.world, self.apis)
            limit = self._limit(registration, handler)
            runs.append(machine.run_tool(handler, args, on_loop=_on_loop(registration), limit=limit))
        return runs

    def _limit(self, registration: Registration, handler: FunctionRef) -> Value | None:
        """The framework's own bound around a handler, if it ends that kind; else that of its class."""
        if registration.timeout is None:
            return bound_by_class(self.world, handler)
        if registration.row.bounds == "all":
            return registration.timeout
        function = self.world.facts(handler.path).functions[handler.index]
        return registration.timeout if function.is_async else None

    def _plans(self, registration: Registration) -> list[Plan]:
        """The functions that a call of the tool runs, with their arguments: its own, or what is run for its name."""
        if registration.handlers or not registration.dispatch:
            return [(ref, self.parameters.arguments(registration, ref)) for ref in registration.handlers]
        named = self._named(registration)
        return self.handlers.plans(registration, named, self.parameters.input_of(registration))

    def _named(self, registration: Registration) -> Textual:
        name, start = registration.name, registration.place.span.start
        piece = Piece(name, ((0, start), (len(name), start + len(name))))
        return Textual((TextPart(registration.place.path, piece),), registration.place)

    def _is_async(self, plans: list[Plan]) -> bool:
        return any(self.world.facts(ref.path).functions[ref.index].is_async for ref, _ in plans)

    def _handler_place(self, plans: list[Plan]) -> Place | None:
        return Place(plans[0][0].path, self._span(plans[0][0])) if plans else None

    def _span(self, ref: FunctionRef) -> Span:
        return self.world.facts(ref.path).functions[ref.index].span

    # ------------------------------------------------------------ words

    def _description(self, registration: Registration) -> tuple[ToolText | None, str, list[ToolText]]:
        """The description, why it is not wholly known, and what else it can be."""
        value = registration.description
        if value is None:
            return None, "", []
        if isinstance(value, FunctionRef):
            value = self.world.run(value)
        found = [
            text
            for _, option in options(value)
            if isinstance(option, Textual)
            and (text := tool_text(option, "tool-description", registration.row.id, registration.name)) is not None
        ]
        if not found:
            reason = value.reason if isinstance(value, Unknown) else ""
            return None, reason or "it is made at run time", []
        if len(found) > 1 or not isinstance(value, Textual):
            return found[0], "it is one of several", found[1:]
        return found[0], "" if found[0].text.complete else "a part of it is put in at run time", []

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


def unread(registration: Registration) -> Tool:
    """A tool of which no more is known than that it is there."""
    return Tool(
        name=registration.name,
        place=registration.place,
        framework=registration.row.id,
        confidence=registration.confidence,
        description_unknown="waitlint failed on it",
        definition=registration.definition,
        understood=False,
    )


def _on_loop(registration: Registration) -> bool:
    """Whether the framework runs even a synchronous body on its event loop."""
    return registration.row.sync == "inline" or registration.row.language == "typescript"


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
