"""Where an agent's run is started, whether it is handed a stop signal, and which signal is at hand there."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec.structs import replace

from waitlint.facts import Assign, Attr, Binary, Call, Expr, FileFacts, Function, Import, Loop, Name, Span, Stmt
from waitlint.finding import Evidence, Place
from waitlint.interpret.syntax import nodes
from waitlint.interpret.values import is_nothing
from waitlint.linked import AgentStart, Answer, Known
from waitlint.project.agents.frameworks import Frameworks
from waitlint.project.agents.names import NOT_TOLD, slot_values
from waitlint.project.agents.reach import deep_nodes
from waitlint.project.agents.sites import Site, Sites
from waitlint.project.sources import Sources
from waitlint.project.world import ProjectWorld

REQUESTS = frozenset({"Request", "NextRequest", "ZuploRequest"})
REQUEST_MODULES = ("next", "@zuplo", "undici")
"""Where types of these names come from that have a signal; `Request` is also what the language itself calls them."""
ROUTE_ARGUMENTS = frozenset({"ActionFunctionArgs", "LoaderFunctionArgs", "ActionArgs", "LoaderArgs", "APIContext"})
ROUTE_FILE = re.compile(r"(?:^|/)route\.[cm]?[jt]sx?$")
VERBS = frozenset({"GET", "POST", "PUT", "PATCH", "DELETE"})
SIGNALS = frozenset({"signal", "abortSignal"})
SIGNAL_TYPES = frozenset({"AbortSignal", "CancellationToken"})
CONTROLLER = "AbortController"
ASKS = frozenset({"aborted", "throwIfAborted"})
OUTLIVES = frozenset(
    {
        "consumeStream",
        "consumeSseStream",
        "createResumableStreamContext",
        "resumableStream",
        "resumeExistingStream",
        "waitUntil",
        "unstable_after",
        "after",
        "onDisconnect",
    }
)
"""What lets a run go on after its reader has left, so that a reload finds it again (ai 5.0, resumable-stream 2.2)."""


class Starts:
    """The calls that start the run of an agent which can be stopped by a signal."""

    def __init__(self, world: ProjectWorld, sites: Sites, frameworks: Frameworks, sources: Sources) -> None:
        self.world = world
        self.sites = sites
        self.frameworks = frameworks
        self.sources = sources

    def all(self) -> Iterator[AgentStart]:
        for site in self.sites.all:
            if site.row.signals and (site.row.kind == "run" or site.row.starts):
                yield self._start(site)

    def _start(self, site: Site) -> AgentStart:
        found = site.found
        facts = self.world.files[found.path]
        place = Place(found.path, Span(found.call.span.start, found.call.func.span.end))
        start = AgentStart(
            place=place,
            call=site.place,
            scope=facts.functions[found.function].name if found.function is not None else "",
            excerpt=self.sources.code(place),
            framework=site.row.id,
            api=self.frameworks.names.name_of(site.func),
        )
        for signal, shown in self._at_hand(site):
            # What else is to be known takes a walk through all of the code around the call.
            return replace(
                start,
                signal=signal,
                at_hand=shown,
                goes_on=self._goes_on(site),
                takes_stop=self._takes_stop(site),
                outlives=self._outlives(site),
            )
        return start

    def _goes_on(self, site: Site) -> Answer:
        """Whether the model is asked more than once: where there are tools, and more than one step."""
        if site.row.kind != "run":
            return Answer(Known.YES, "it is an agent")
        steps = self.frameworks.steps_of(site)
        if steps.known and steps.value <= 1:
            return Answer(Known.NO, "it is one step")
        return self.frameworks.uses_tools(site)

    def _takes_stop(self, site: Site) -> Answer:
        value = slot_values(site.row.signals, site.args)
        if value == NOT_TOLD:
            return Answer(Known.UNKNOWN, "its options are not all in view")
        if value is not None and not is_nothing(value):
            return Answer(Known.YES, "it is handed a stop signal")
        facts = self.world.files[site.found.path]
        for function in _around(facts, site.found.function):
            for node in deep_nodes(function.body, facts):
                if isinstance(node, Loop) and node.is_async and _asks_for_stop(node, facts):
                    return Answer(Known.UNKNOWN, "the loop over what it gives looks at the signal")
        return Answer(Known.NO, "it is started without one")

    def _outlives(self, site: Site) -> Answer:
        """Whether the run is meant to go on when nobody listens any more."""
        facts = self.world.files[site.found.path]
        for function in _around(facts, site.found.function):
            for node in deep_nodes(function.body, facts):
                name = getattr(node, "name", None)
                if name in OUTLIVES:
                    return Answer(Known.YES, f"`{name}` lets it go on after its reader has left")
        return Answer(Known.NO, "nothing here lets it go on without a reader")

    def _at_hand(self, site: Site) -> Iterator[tuple[str, Evidence]]:
        """The stop signals that the functions around a call are given or make, as written, the nearest first."""
        path = site.found.path
        facts = self.world.files[path]
        for function in _around(facts, site.found.function):
            yield from self._given(function, path, facts)
            yield from self._controllers(function, site, facts)

    def _given(self, function: Function, path: str, facts: FileFacts) -> Iterator[tuple[str, Evidence]]:
        for position, param in enumerate(function.params):
            kind = _type(param.annotation, facts)
            place = Place(path, param.span)
            if param.name.startswith("$"):
                yield from _taken_apart(function.body, param.name, kind, path)
            elif param.name in SIGNALS or kind in SIGNAL_TYPES:
                yield param.name, Evidence(place, f"the stop signal is at hand here: `{param.name}`")
            elif kind in REQUESTS or (position == 0 and not kind and _is_route(function, path)):
                words = f"`{param.name}.signal` fires when the client goes away"
                yield f"{param.name}.signal", Evidence(place, words)

    def _controllers(self, function: Function, site: Site, facts: FileFacts) -> Iterator[tuple[str, Evidence]]:
        """Controllers that a function makes before the call and aborts, whose signal goes nowhere else."""
        path = site.found.path
        if CONTROLLER not in self.world.calls_by_name(path):
            return
        # Many calls stand in the same function, such as all of a file of tests.
        aborted = self.world.once("aborted controllers", function, lambda: tuple(_aborted_in(function, facts)))
        for name, span in aborted:
            if span.end <= site.found.call.span.start:
                words = f"`{name}.abort()` is meant to stop it"
                yield f"{name}.signal", Evidence(Place(path, span), words)


def _aborted_in(function: Function, facts: FileFacts) -> Iterator[tuple[str, Span]]:
    """The names of the controllers that a function makes and aborts, whose signal is not taken, and where it does."""
    made = [
        (node.target.name, node.span)
        for node in nodes(function.body)
        if isinstance(node, Assign) and isinstance(node.target, Name) and _makes_controller(node.value)
    ]
    if not made:
        return
    members = [node for node in deep_nodes(function.body, facts) if isinstance(node, Attr)]
    used = [(node.base.name, node.name) for node in members if isinstance(node.base, Name)]
    aborted = {name for name, member in used if member == "abort"} - {n for n, member in used if member == "signal"}
    yield from ((name, span) for name, span in made if name in aborted)


def _makes_controller(value: Expr) -> bool:
    return isinstance(value, Call) and isinstance(value.func, Name) and value.func.name == CONTROLLER


def _asks_for_stop(loop: Loop, facts: FileFacts) -> bool:
    return any(isinstance(node, Attr) and node.name in ASKS for node in deep_nodes(loop.body, facts))


def _around(facts: FileFacts, index: int | None) -> Iterator[Function]:
    """A function and those that it stands in, the nearest first."""
    while index is not None:
        function = facts.functions[index]
        yield function
        index = function.parent


def _is_route(function: Function, path: str) -> bool:
    return function.name in VERBS and function.parent is None and ROUTE_FILE.search(path) is not None


def _type(annotation: Expr | None, facts: FileFacts) -> str:
    """The name of a type that tells of a signal: `AbortSignal` of `AbortSignal | undefined`; "" where there is none."""
    if annotation is None:
        return ""
    known = REQUESTS | ROUTE_ARGUMENTS | SIGNAL_TYPES
    found = next((name for name in _names(annotation) if name in known), "other")
    if found not in REQUESTS:
        return found
    modules = [stmt.module for stmt in facts.body if isinstance(stmt, Import) and stmt.local == found]
    return found if all(module.startswith(REQUEST_MODULES) for module in modules[-1:]) else "other"


def _names(annotation: Expr) -> Iterator[str]:
    """The names of a type and of those that it is a union of."""
    match annotation:
        case Name(name=name) | Attr(name=name):
            yield name
        case Binary(op="|", left=left, right=right):
            yield from _names(left)
            yield from _names(right)
        case _:
            return


def _taken_apart(body: tuple[Stmt, ...], name: str, kind: str, path: str) -> Iterator[tuple[str, Evidence]]:
    """The signals among the names that a destructured parameter binds."""
    for node in nodes(body):
        if not isinstance(node, Assign) or not isinstance(node.target, Name) or not isinstance(node.value, Attr):
            continue
        if not isinstance(node.value.base, Name) or node.value.base.name != name:
            continue
        bound, place = node.target.name, Place(path, node.target.span)
        if node.value.name in SIGNALS:
            yield bound, Evidence(place, f"the stop signal is at hand here: `{bound}`")
        elif node.value.name == "request" and kind in ROUTE_ARGUMENTS:
            yield f"{bound}.signal", Evidence(place, f"`{bound}.signal` fires when the client goes away")
