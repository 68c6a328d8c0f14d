"""Calls that ask a model, and frameworks that run an agent's loop: the tables in `agents/` as typed rows."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

import msgspec
from msgspec import Struct

from waitlint.catalog.apis import Slot
from waitlint.catalog.globs import alternatives
from waitlint.catalog.tables import rows_of

UNSEEN = "?"
CALLED = "__call__"
RUNS = (
    "run",
    "arun",
    "run_sync",
    "run_stream",
    "run_async",
    "step",
    "astep",
    "invoke",
    "ainvoke",
    "stream",
    "generate",
    "print_response",
    "aprint_response",
    "kickoff",
    "execute",
    "query",
    CALLED,
)
PASSED_OVER = frozenset(
    {
        "aio",
        "beta",
        "with_options",
        "withOptions",
        "with_raw_response",
        "with_streaming_response",
        "with_config",
        "withConfig",
        "with_retry",
        "withRetry",
        "with_fallbacks",
        "withFallbacks",
        "with_structured_output",
        "withStructuredOutput",
        "bind",
        "bind_tools",
        "bindTools",
        "asProvider",
    }
)


class Default(Struct, frozen=True):
    """The step cap without an option, in versions of the row's package from `since` on and below `below`.

    `steps` is None where there is none, and `unknown` where what is run may end by itself.
    """

    steps: float | str | None
    since: str = ""
    below: str = ""


class Advised(Struct, frozen=True, rename="kebab"):
    """The option by which a cap is set, as it is written: where it stands in the call, and a value that suits most.

    `value` is code. `source` is the module that a name in it is imported from, `joins` where it stands in a list with
    what is there already, `instead` an option that it takes the place of, `plain` where an object may be made for it.
    `shown` where what is run takes many steps by its nature: how many fit is then for its author to say.
    """

    value: str
    arg: int | None = None
    name: str | None = None
    key: str | None = None
    source: str = ""
    joins: bool = False
    instead: str = ""
    plain: bool = False
    shown: bool = False


class AgentApi(Struct, frozen=True, rename="kebab"):
    """One call that asks a model, once or in a loop of its own.

    `kind`: `model` is one request; `run` is a framework's loop, whose cap is in the call or in what it is called
    on; `make` makes an agent or team whose loop is capped there; `retry` is a helper that tries again what it is
    put around, with the slots of a `run` for its attempts, and `forever` for the option to have no end; `around` takes
    an agent, in the slots of `agent`, and bounds each of its runs in `time`, which is set in the call or in what it is
    called on.

    `calls` are symbolic names, as `library.Class().method`, with `{a,b}` for alternatives; a leading `?` stands for
    a receiver that is not in view. `package` is the distribution that decides the version.

    A row with `receivers` and `methods`, or with `functions`, knows a model by its name alone, where nothing else
    is known of it.

    For `model`: `timeout` are the slots of its own bound, `own` those in the construction of its client, in units
    of `scale` seconds, and `default` the seconds without either, None for ever, `unknown` unknown. `texts` are the
    slots of what the model is told, `tools` of the tools it is given.

    For `run` and `make`: `cap` are the slots of the step cap in the call itself, `made` in the construction of what
    it is called on, `configured` in what is set on that afterwards, `agent` that of the agent that is run.
    `unlimited` are the values that switch the cap off, `defaults` what holds without one, `unit` what is counted.
    `conditions` are the slots of conditions to end, each an object: `bounding` names those that bound the loop by
    themselves, `unbounding` those that don't; of what the package itself offers, the rest does not. `deciding` are
    those of which that depends on more than is in view, `timing` those that bound the time, `spending` those that
    bound tokens or money, and `naming` those that name tools whose call ends the loop. `pausing` are
    the options of a tool that make the loop stop at its call, or of a kit for some of its tools, and the qualified
    names of decorators and kits that do; `runs` is that without which nothing runs the tool and the loop stops as
    well. `replaces`
    where giving any switches the default off. `ending` says what happens at the cap (`raises`, `says`, `silent`,
    `goes on`); `time` and `spend` are the slots of bounds in seconds and in tokens or money, `times` the bound in
    seconds without an option, by version as in `defaults`, `outer` the requests to a model after which the run that
    it can only be a part of ends. `tools` are the slots
    of tools in call, construction or agent: without any there is no loop, unless `toolless`, nor
    where the option `running` is off. `signals` are the slots
    of the stop signal; `starts` marks a `model` row that starts the loop of an agent made elsewhere. `people` names
    what waits for a person each turn. `tracing` where the framework
    keeps a trail itself, `option` the words for the cap in a message, `advised` how it is set.
    """

    id: str
    kind: str
    language: str
    calls: tuple[str, ...] = ()
    receivers: tuple[str, ...] = ()
    methods: tuple[str, ...] = ()
    functions: tuple[str, ...] = ()
    package: str = ""
    timeout: tuple[Slot, ...] = ()
    own: tuple[Slot, ...] = ()
    scale: float = 1.0
    default: float | str | None = "unknown"
    signals: tuple[Slot, ...] = ()
    texts: tuple[Slot, ...] = ()
    tools: tuple[Slot, ...] = ()
    cap: tuple[Slot, ...] = ()
    made: tuple[Slot, ...] = ()
    configured: tuple[Slot, ...] = ()
    agent: tuple[Slot, ...] = ()
    unlimited: tuple[float | str | bool | None, ...] = (None,)
    defaults: tuple[Default, ...] = ()
    unit: str = "turns"
    conditions: tuple[Slot, ...] = ()
    bounding: tuple[str, ...] = ()
    unbounding: tuple[str, ...] = ()
    deciding: tuple[str, ...] = ()
    timing: tuple[str, ...] = ()
    spending: tuple[str, ...] = ()
    naming: tuple[str, ...] = ()
    pausing: tuple[str, ...] = ()
    runs: str = ""
    replaces: bool = False
    people: tuple[str, ...] = ()
    ending: str = "unknown"
    time: tuple[Slot, ...] = ()
    times: tuple[Default, ...] = ()
    outer: float | None = None
    forever: tuple[Slot, ...] = ()
    spend: tuple[Slot, ...] = ()
    toolless: bool = False
    running: tuple[Slot, ...] = ()
    starts: bool = False
    tracing: bool = False
    option: str = ""
    advised: Advised | None = None
    source: str = ""


ASKING = frozenset({"model", "run", "make"})
"""The kinds that ask a model, or make what does."""

ASKED = AgentApi("an-agent", "model", "", default="unknown")
"""A run of an agent whose cap stands where it is made: one long request, for what is around it."""


class Agents:
    """Rows by language and qualified name, by the end of a name, and by the names of receivers; names by package."""

    def __init__(self, rows: Iterable[AgentApi]) -> None:
        self.rows = tuple(rows)
        self.tails: set[str] = set()
        self.packages = frozenset(row.package for row in self.rows if row.package)
        self._by_name: dict[tuple[str, str], AgentApi] = {}
        self._by_end: dict[tuple[str, str], list[tuple[str, AgentApi]]] = {}
        self._heads: dict[tuple[str, str], str] = {}
        self._by_receiver: dict[tuple[str, str, str], AgentApi] = {}
        self._by_function: dict[tuple[str, str], AgentApi] = {}
        for row in self.rows:
            for name in row.calls:
                self._add(name, row)
            self._by_function.update({(row.language, name): row for name in row.functions})
            pairs = ((one, method) for one in row.receivers for method in row.methods)
            self._by_receiver.update({(row.language, *pair): row for pair in pairs})
            self.tails.update(row.methods, row.functions)

    def _add(self, name: str, row: AgentApi) -> None:
        head = name.partition("(")[0].split(".")
        name = plain_name(name.replace("()()", f"().{CALLED}").replace("()", ""))
        tail = name.rpartition(".")[2]
        if name.startswith(f"{UNSEEN}."):
            self.tails.add(tail)
            self._by_end.setdefault((row.language, tail), []).append((name[1:], row))
            return
        self._by_name[row.language, name] = row
        if tail != CALLED:
            self.tails.add(tail)
        for position in range(1, len(head)):
            if row.package:
                self._heads.setdefault((row.package, head[position]), ".".join(head[: position + 1]))
        for condition in (*row.bounding, *row.timing, *row.spending, *row.deciding, *row.unbounding, *row.naming):
            if row.package:
                self._heads.setdefault((row.package, condition), f"{head[0]}.{condition}")
        if row.kind == "make":
            self._by_name.update({(row.language, f"{name}.{method}"): ASKED for method in RUNS})

    def find(self, language: str, name: str) -> AgentApi | None:
        """The row of a call by its qualified name; `?` stands for a receiver that is not in view."""
        name = plain_name(name)
        found = self._by_name.get((language, name))
        if found is None and name.startswith(UNSEEN):
            ends = self._by_end.get((language, name.rpartition(".")[2]), ())
            found = next((row for end, row in ends if name.endswith(end)), None)
        return found

    def by_receiver(self, language: str, receiver: str, method: str) -> AgentApi | None:
        """The row of a method on what is called `receiver`, of which nothing else is known."""
        return self._by_receiver.get((language, receiver, method))

    def by_function(self, language: str, name: str) -> AgentApi | None:
        """The row of a function of which the name alone is known."""
        return self._by_function.get((language, name))

    def canonical(self, package: str, name: str) -> str | None:
        """The qualified name of a class or function that a package of the catalog defines."""
        return self._heads.get((package, name))


def plain_name(name: str) -> str:
    """A qualified name without what only wraps or configures."""
    if not any(f".{part}" in name for part in PASSED_OVER):
        return name
    return ".".join(part for part in name.split(".") if part not in PASSED_OVER)


SLOTS = (
    "running",
    "timeout",
    "own",
    "signals",
    "texts",
    "tools",
    "cap",
    "made",
    "configured",
    "agent",
    "conditions",
    "time",
    "spend",
    "forever",
)


def parse_agent(raw: dict[str, Any]) -> AgentApi:
    """One row of YAML. Raises msgspec.ValidationError, naming the key, for what is wrong in it."""
    row = dict(raw)
    for key in SLOTS:
        if key in row and not isinstance(row[key], list):
            row[key] = [row[key]]
    row["calls"] = [plain for name in row.get("calls", ()) for plain in alternatives(name)]
    return msgspec.convert(row, AgentApi)


@cache
def load_agents() -> Agents:
    return Agents(parse_agent(row) for row in rows_of("agents"))
