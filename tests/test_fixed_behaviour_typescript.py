"""Fixed TypeScript runs in Node, where there is one: it ends on a stop, holds its cap and returns the last state.

The clock is the world's, and each kind of repair runs at least once.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from harness import FIXTURES
from nodeworld import Ended, Scene, run

pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="there is no Node here")

LIMIT_MS = 60_000
STOP_MS = 900
PROMPT_MS = 200
AI = "await it.{tool}.execute({arguments}, {{ abortSignal: signal }})"
MCP = "(await world.tools.{tool}({arguments}, {{ signal }})).content[0].text"
NEW_MCP = "(await world.tools.{tool}({arguments}, {{ mcpReq: {{ signal }} }})).content[0].text"
LOW = (
    '(await world.handlers.call({{ params: {{ name: "{tool}", arguments: {arguments} }} }}, {{ signal }}))'
    ".content[0].text"
)


class Case(NamedTuple):
    """A fixed tool: its fixture and module, how it is called, what each read answers, what comes back at the cap.

    `hangs` where the repair is to end a read that hangs, too.
    """

    fixture: str
    module: str
    call: str
    state: Any
    last: Any
    hangs: bool = True

    def ended(self, folder: Path, *, repaired: bool = True, **scene: Any) -> Ended:
        return run(
            folder, FIXTURES / self.fixture, self.module, self.call, Scene(self.state, **scene), repaired=repaired
        )


def case(fixture: str, module: str, call: str, state: Any, *, last: Any = None, hangs: bool = True) -> Case:
    how, tool, arguments = call.split(" ", 2)
    made = {"ai": AI, "mcp": MCP, "new": NEW_MCP, "low": LOW}[how].format(tool=tool, arguments=arguments)
    return Case(fixture, module, made, state, state if last is None else last, hangs)


COOKING = {"ticket": "7", "status": "cooking"}
CAPPED = [
    case(
        "cap/over-idle-timeout/bad/ts-attempts",
        "src/server.ts",
        "mcp measured_plot { id: '7' }",
        "measuring",
        hangs=False,
    ),
    case("cap/over-idle-timeout/bad/ts-deadline-signal", "lib/tools.ts", "ai dishReady { ticket: '7' }", COOKING),
    case(
        "cap/uncapped-wait/bad/ts-while-true",
        "src/server.ts",
        "mcp measure_plot { plot: '7' }",
        {"id": "7", "status": "busy"},
        last='{"id":"7","status":"busy"}',
        hangs=False,
    ),
    case(
        "cap/uncapped-wait/bad/ts-do-while-helper",
        "lib/tools/cook.ts",
        "ai cookDish { dish: 'soup' }",
        COOKING,
        hangs=False,
    ),
    case(
        "cap/unclamped-argument/bad/ts-deadline-in-ms",
        "src/server.ts",
        "mcp await_gate { gate: '7', timeoutMs: world.most.await_gate.timeoutMs.greatest ?? 600_000 }",
        {"state": "moving"},
        last="moving",
    ),
    case("cancel/handler-ignores-signal/bad/ts-no-options", "tools.ts", "ai dishReady { ticket: '7' }", COOKING),
    case("cancel/one-signal-of-two/bad/ts-ternary", "moons.ts", "ai awaitMoon { name: 'Io' }", "not in sight"),
    case("cancel/one-signal-of-two/bad/ts-or-in-helper", "src/weir.ts", "new settle_gate { gate: '7' }", "moving"),
    case(
        "cancel/one-signal-of-two/bad/ts-lowlevel-axios",
        "src/index.ts",
        "low await_inspection { number: '7' }",
        {"state": "open"},
        last="open",
    ),
    case(
        "cancel/deadline-between-laps/bad/ts-elapsed-counter",
        "src/weir.ts",
        "new settle_gate { gate: '7' }",
        "moving",
    ),
]
STOPPED = [
    *CAPPED,
    case(
        "cancel/sleep-ignores-signal/bad/ts-second-argument",
        "lib/tools.ts",
        "ai dishReady { ticket: '7' }",
        "cooking",
    ),
    case(
        "cancel/sleep-ignores-signal/bad/ts-promise-of-a-timer",
        "src/tools.ts",
        "ai ferryState { ferry: '7' }",
        "at sea",
    ),
    case(
        "cancel/sleep-ignores-signal/bad/ts-promise-of-a-timer",
        "src/tools.ts",
        "ai moored { boat: '7' }",
        "adrift",
    ),
    case(
        "cancel/sleep-ignores-signal/bad/ts-lowlevel-combined",
        "src/index.ts",
        "low await_inspection { number: '7' }",
        {"state": "open"},
    ),
    case(
        "cancel/read-ignores-signal/bad/signal-in-field",
        "src/index.ts",
        "mcp await_delivery { campaign: '7' }",
        {"open": 3},
    ),
    case("cancel/swallowed-cancel/bad/ts-everything-inside", "tools.ts", "ai dishReady { ticket: '7' }", "cooking"),
    Case(
        "cancel/run-ignores-stop/bad/ts-next-route",
        "app/api/brief/route.js",
        "await it.POST({ json: async () => ({ question: 'How much?' }), signal })",
        "",
        None,
    ),
]
ABORTED = {"AbortError", "CanceledError"}


def named(cases: list[Case]) -> list[str]:
    return [f"{one.fixture}-{one.call.split('(')[0]}" for one in cases]


@pytest.mark.parametrize("one", CAPPED, ids=named(CAPPED))
def test_a_fixed_wait_ends_below_the_limit_with_its_last_state(one: Case, tmp_path: Path) -> None:
    ended = one.ended(tmp_path)
    assert (ended.how, ended.value) == ("returned", one.last)
    assert ended.ms < LIMIT_MS
    assert ended.reads > 1


@pytest.mark.parametrize("one", [c for c in CAPPED if c.hangs], ids=named([c for c in CAPPED if c.hangs]))
def test_a_fixed_wait_ends_though_its_reads_hang(one: Case, tmp_path: Path) -> None:
    ended = one.ended(tmp_path, hangs=True)
    assert ended.how == "returned"
    assert ended.ms < LIMIT_MS


@pytest.mark.parametrize("hangs", [False, True], ids=["between reads", "in a read that hangs"])
@pytest.mark.parametrize("one", STOPPED, ids=named(STOPPED))
def test_a_stop_ends_a_fixed_wait_at_once(one: Case, hangs: bool, tmp_path: Path) -> None:
    if "run-ignores-stop" in one.fixture and not hangs:
        pytest.skip("a run that answers is over before the stop")
    ended = one.ended(tmp_path, hangs=hangs, stop_ms=STOP_MS)
    assert ended.how in ABORTED
    assert ended.ms < STOP_MS + PROMPT_MS


DEAF = (
    "handler-ignores",
    "second-argument",
    "promise-of-a-timer",
    "lowlevel-combined",
    "signal-in-field",
    "everything-inside",
    "run-ignores",
)
WAS_DEAF = [one for one in STOPPED if any(word in one.fixture for word in DEAF)]


@pytest.mark.parametrize("one", WAS_DEAF, ids=named(WAS_DEAF))
def test_before_the_fix_a_stop_did_not_end_it(one: Case, tmp_path: Path) -> None:
    ended = [one.ended(tmp_path / str(hangs), repaired=False, hangs=hangs, stop_ms=STOP_MS) for hangs in (False, True)]
    assert any(each.how not in ABORTED or each.ms > STOP_MS + PROMPT_MS for each in ended)


ENDLESS = ("uncapped", "over-idle", "unclamped")
WAS_ENDLESS = [one for one in CAPPED if any(word in one.fixture for word in ENDLESS)]


@pytest.mark.parametrize("one", WAS_ENDLESS, ids=named(WAS_ENDLESS))
def test_before_the_fix_it_outlasted_the_limit(one: Case, tmp_path: Path) -> None:
    assert one.ended(tmp_path, repaired=False).ms > LIMIT_MS


def test_without_a_stop_signal_a_fixed_wait_does_what_it_did(tmp_path: Path) -> None:
    """A framework may hand no signal to the handler, and a helper has other callers."""
    one = next(one for one in CAPPED if "ts-no-options" in one.fixture)
    call = one.call.replace("abortSignal: signal", "abortSignal: undefined")
    ended = one._replace(call=call).ended(tmp_path)
    assert (ended.how, ended.value) == ("returned", COOKING)


class Bound(NamedTuple):
    """A call that a budget or a timeout ends: how it ends then."""

    fixture: str
    module: str
    call: str
    scene: Scene
    ends: str


BOUNDS = [
    Bound(
        "cap/read-without-timeout/bad/ts-axios",
        "src/tools.ts",
        "await it.pressure.execute({ place: 'Skagen' })",
        Scene(hangs=True),
        "AxiosError",
    ),
    Bound(
        "budget/unbounded-retry/bad/typescript", "tries.ts", "await it.byPolicy('x')", Scene(fails=True), "ServerError"
    ),
    Bound(
        "budget/unbounded-retry/bad/typescript", "tries.ts", "await it.forever('x')", Scene(fails=True), "ServerError"
    ),
    Bound("budget/cap-disabled/bad/typescript", "runs.ts", "(await it.survey('x')).steps", Scene(), "returned"),
]


@pytest.mark.parametrize("repaired", [True, False], ids=["fixed", "as it was"])
@pytest.mark.parametrize("one", BOUNDS, ids=[f"{one.fixture}-{one.call}" for one in BOUNDS])
def test_a_bound_that_was_added_ends_the_call(one: Bound, repaired: bool, tmp_path: Path) -> None:
    ended = run(tmp_path, FIXTURES / one.fixture, one.module, one.call, one.scene, repaired=repaired)
    assert (ended.how == one.ends) is repaired
    assert (ended.how in ("goes on", "hangs for ever")) is not repaired
