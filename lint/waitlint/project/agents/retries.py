"""What tries a request again after it failed: helpers of libraries, loops, and functions that call themselves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from waitlint.catalog import AgentApi, Apis
from waitlint.facts import Attr, Call, Expr, Loop, Name, Span, Stmt, Try
from waitlint.finding import Evidence, Place
from waitlint.interpret.events import LoopRun
from waitlint.interpret.frames import Frame
from waitlint.interpret.syntax import calls_in, nodes, statements_in
from waitlint.interpret.values import Constant, FunctionRef, Value, is_nothing
from waitlint.linked import Limit, Retry, Seconds
from waitlint.project.agents.conditions import conditions_of
from waitlint.project.agents.exits import leads_on_without_failure
from waitlint.project.agents.frameworks import Frameworks
from waitlint.project.agents.loops import HandWritten
from waitlint.project.agents.names import slot_values
from waitlint.project.agents.roots import Root
from waitlint.project.agents.runs import AgentRun
from waitlint.project.agents.sites import Site, cap_option
from waitlint.project.agents.speakers import is_person
from waitlint.project.durations import absent, seconds_of
from waitlint.project.found import Found
from waitlint.project.sources import Sources
from waitlint.project.world import ProjectWorld

RUNS = frozenset({"execute", "call"})
REQUESTS = frozenset(
    {"get", "post", "put", "patch", "delete", "request", "send", "fetch", "urlopen", "create", "invoke"}
)
MODEL = "the model is asked here"


class Retries:
    """Finds what tries again, and whether anything stops it."""

    def __init__(
        self,
        world: ProjectWorld,
        apis: Apis,
        by_hand: HandWritten,
        frameworks: Frameworks,
        sources: Sources,
        wanted: Iterable[str],
    ) -> None:
        self.world = world
        self.apis = apis
        self.by_hand = by_hand
        self.frameworks = frameworks
        self.sources = sources
        self.wanted = sorted(wanted)

    def all(self) -> Iterator[Retry]:
        for site in self.frameworks.sites.all:
            if site.row.kind == "retry":
                yield from self._by_library(site)
        yield from self._bare_decorators()
        for path in self.wanted:
            yield from self._loops(path)

    # ------------------------------------------------------------ helpers of libraries

    def _by_library(self, site: Site) -> Iterator[Retry]:
        asked = self._request_within(site)
        if asked is None:
            return
        row = site.row
        time = slot_values(row.time, site.args)
        forever = slot_values(row.forever, site.args)
        attempts = self.frameworks.steps(site, [])
        if isinstance(forever, Constant) and forever.value is True:
            shown = (Evidence(forever.origin, "`forever`"),) if forever.origin is not None else ()
            attempts = Limit(absent("").certainty, 0.0, "`forever` is set", shown)
        place = Place(site.found.path, Span(site.found.call.span.start, site.found.call.func.span.end))
        bounded = time is not None and not is_nothing(time)
        ended = self.frameworks.conditions.time(row, conditions_of(site, []))
        yield Retry(
            place=place,
            scope=self._scope(site.found),
            excerpt=self.sources.code(place),
            by=row.id,
            attempts=attempts,
            time=seconds_of(time, row.scale) if bounded else ended or absent("no deadline"),
            asks=asked,
            of_model=asked.message == MODEL,
            option=cap_option(row, site.place),
        )

    def _bare_decorators(self) -> Iterator[Retry]:
        """`@retry` without a call: all that a library has for a default."""
        for path in self.wanted:
            facts = self.world.files[path]
            for function in facts.functions:
                for decorator in function.decorators:
                    if not isinstance(decorator, Name | Attr) or decorator.name not in ("retry", "on_exception"):
                        continue
                    frame = self.world.frame_for(path, function.parent)
                    value = self.world.evaluate(decorator, frame)
                    row = self.frameworks.names.row_of(value, tuple, None, path)
                    asked = self._request_in(path, function.body) if row is not None and row.kind == "retry" else None
                    if row is not None and asked is not None:
                        yield self._bare(row, path, decorator, function.name, value, asked)

    def _bare(self, row: AgentApi, path: str, decorator: Expr, scope: str, value: Value, asked: Evidence) -> Retry:
        call = Call(decorator.span, decorator, ())
        site = Site(row, Found(path, call, None), value, self.world)
        place = Place(path, decorator.span)
        attempts = self.frameworks.steps(site, [])
        return Retry(
            place,
            scope,
            self.sources.code(place),
            row.id,
            attempts,
            absent("no deadline"),
            asked,
            asked.message == MODEL,
            option=cap_option(row, place),
        )

    def _scope(self, found: Found) -> str:
        return self.world.files[found.path].functions[found.function].name if found.function is not None else ""

    def _request_within(self, site: Site) -> Evidence | None:
        """The request in what a helper is put around: a function below it, one that it is given, or a loop's body."""
        path, span = site.found.path, site.found.call.span
        facts = self.world.files[path]
        for function in facts.functions:
            if any(decorator.span == span for decorator in function.decorators):
                return self._request_in(path, function.body)
        for _, value in site.args:
            if isinstance(value, FunctionRef):
                body = self.world.facts(value.path).functions[value.index].body
                return self._request_in(value.path, body)
        bodies: list[tuple[Stmt, ...]] = [facts.body, *(function.body for function in facts.functions)]
        for body in bodies:
            for node in nodes(body):
                if isinstance(node, Loop) and node.iterable is not None and node.iterable.span == span:
                    return self._request_in(path, node.body)
        return self._request_of_policy(site.found) if site.found.bound else None

    def _request_of_policy(self, made: Found) -> Evidence | None:
        """The request in a function that is handed to what a helper has made, by the name that it is bound to."""
        for found in self.world.calls(made.path):
            func = found.call.func
            base = func.base if isinstance(func, Attr) and func.name in RUNS else func
            if not isinstance(base, Name) or base.name != made.bound:
                continue
            for value in (value for _, value in self.world.arguments(found.call, self._frame(found))):
                if isinstance(value, FunctionRef):
                    asked = self._request_in(value.path, self.world.facts(value.path).functions[value.index].body)
                    if asked is not None:
                        return asked
        return None

    def _frame(self, found: Found) -> Frame:
        return self.world.frame_for(found.path, found.function)

    def _request_in(self, path: str, body: tuple[Stmt, ...]) -> Evidence | None:
        """A request to a model, or over the network, that a block makes."""
        roots = self.by_hand.roots
        asking = roots.asking.get(path, set())
        for call in calls_in(body, self.world.files[path]):
            place = Place(path, call.span)
            if (call.span.start, call.span.end) in asking:
                return Evidence(place, MODEL)
            name = call.func.name if isinstance(call.func, Attr | Name) else ""
            if name in roots.names:
                return Evidence(place, MODEL)
            if name in REQUESTS and self._is_read(path, call):
                return Evidence(place, "the request")
        return None

    def _is_read(self, path: str, call: Call) -> bool:
        found = self.by_hand.names.call_at(Place(path, call.span))
        frame = self.world.frame_for(path, found.function if found is not None else None)
        func = self.world.evaluate(call.func, frame)
        name = self.by_hand.names.name_of(func)
        row = self.apis.named(name)
        if row is None and isinstance(call.func, Attr):
            owner, _, method = name.rpartition(".")
            row = self.apis.method(owner, method)
        return row is not None and row.kind == "read"

    # ------------------------------------------------------------ loops

    def _loops(self, path: str) -> Iterator[Retry]:
        for found in self.world.walked(path).loops:
            if _only_retries(found.loop):
                asked = self._request_in(path, found.loop.body)
                if asked is not None:
                    yield from self._loop(Root(path, found.function), found.loop, asked)

    def _loop(self, root: Root, loop: Loop, asked: Evidence) -> Iterator[Retry]:
        run = self.by_hand.run(root)
        seen = next((one for one in run.run.loops if one.loop.span == loop.span and one.place.path == root.path), None)
        if seen is None or not seen.laps_again or _asks_someone(run, seen):
            return
        place = self.by_hand.head(seen)
        yield Retry(
            place=place,
            scope=seen.frames[-1].scope if seen.frames else "",
            excerpt=self.sources.code(place),
            by="loop",
            attempts=self._attempts(seen, run),
            time=self._time(seen, run),
            asks=asked,
            of_model=asked.message == MODEL,
        )

    def _attempts(self, loop: LoopRun, run: AgentRun) -> Limit:
        return self.by_hand.limits.steps(loop, run, self.world.files[loop.place.path], counts_failures=True)

    def _time(self, loop: LoopRun, run: AgentRun) -> Seconds:
        return self.by_hand.limits.time(loop, run)


def _only_retries(loop: Loop) -> bool:
    """Whether a loop has further laps after failures alone."""
    if loop.kind == "each" or not any(isinstance(stmt, Try) and stmt.handlers for stmt in statements_in(loop.body)):
        return False
    return not leads_on_without_failure(loop)


def _asks_someone(run: AgentRun, loop: LoopRun) -> bool:
    """Whether a person is asked in the laps, and may end them."""
    names = (name for name, _ in run.called.get(loop.serial, ()))
    return any(map(is_person, names))
