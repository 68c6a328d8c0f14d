"""Fixed fixtures run: they end on a stop, hold their cap though reads hang, and come back with the last state.

Only the project's own fixtures are ever run, after their fixes were made in memory.
"""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from fakeworld import HangsForEver, TimedOut, World, loaded
from goldens import copied
from harness import FIXTURES

LIMIT = 60.0
PROMPT = 0.2


class Case(NamedTuple):
    """A fixed tool: its fixture, where its function is, what every read answers, and what comes back at the cap.

    `slack` is how long a read that was under way at the cap may take, in seconds.
    """

    fixture: str
    function: str
    state: Any
    last: Any
    slack: float = 0.0


WAITING = [
    Case(
        "cap/uncapped-wait/bad/mcp-while-true",
        "copperline.server:render",
        {"state": "rendering", "render_id": "1"},
        {"state": "rendering", "render_id": "1"},
    ),
    Case(
        "cap/uncapped-wait/bad/optional-limit-never-given",
        "orrery.server:simulate",
        {"state": "running", "simulation": "1"},
        {"state": "running", "simulation": "1"},
    ),
    Case(
        "cap/uncapped-wait/bad/base-class", "seedbank.server:germination", {"status": "pending"}, {"status": "pending"}
    ),
    Case("cap/uncapped-wait/bad/client-method", "granary.client:Granary.finish", {"state": "pending"}, "pending"),
    Case(
        "cap/uncapped-wait/bad/cap-commented-out",
        "tidewater.tools:survey",
        {"status": "scheduled", "survey_id": "1"},
        None,
    ),
    Case(
        "cap/over-idle-timeout/bad/laps-times-pause",
        "copperline.server:render",
        {"state": "rendering"},
        {"state": "rendering"},
    ),
    Case(
        "cap/over-idle-timeout/bad/sixty-to-hundred",
        "isobar.server:forecast",
        {"state": "computing"},
        {"state": "computing"},
    ),
    Case(
        "cancel/blocking-in-async/bad/sleep-in-the-loop",
        "granary.server:await_restore",
        {"state": "pending"},
        "pending",
    ),
    Case(
        "cancel/deadline-between-laps/bad/monotonic-head",
        "granary.server:await_restore",
        {"state": "pending"},
        "pending",
    ),
    Case(
        "cancel/one-signal-of-two/bad/py-shielded-deadline",
        "copperline.server:render",
        {"state": "rendering"},
        "rendering",
    ),
    Case("cancel/swallowed-cancel/bad/pass", "copperline.server:render", {"state": "rendering"}, "rendering"),
    Case("cancel/swallowed-cancel/bad/base-exception", "atelier.frames:Frame._arun", {"state": "glueing"}, "glueing"),
    Case("cancel/swallowed-cancel/bad/timeout-and-cancel", "kiln.server:firing", {"phase": "heating"}, "heating"),
    Case(
        "cancel/swallowed-cancel/bad/bare-except-in-helper",
        "granary.server:await_restore",
        {"state": "pending"},
        "pending",
    ),
    Case(
        "cancel/swallowed-cancel/bad/last-state-after-cancel",
        "foundry.castings:cooled",
        {"state": "pouring"},
        "pouring",
    ),
]
NAMES = [case.fixture for case in WAITING]


class Tool(NamedTuple):
    """A tool in its world, `call` with one made-up argument."""

    world: World
    call: Callable[[], Any]

    @property
    def is_async(self) -> bool:
        return inspect.iscoroutinefunction(self.call.func) if hasattr(self.call, "func") else False


def tool_of(case: Case, folder: Path, monkeypatch: pytest.MonkeyPatch, *, repaired: bool = True) -> Tool:
    copied(FIXTURES / case.fixture, folder, repaired=repaired)
    world = World(case.state)
    module, _, name = case.function.partition(":")
    found: Any = loaded(folder, module, world, monkeypatch)
    owner, _, method = name.rpartition(".")
    if owner:
        made = getattr(found, owner)
        found = made("http://x.example") if "url" in inspect.signature(made).parameters else made()
    function = getattr(found, method)
    return Tool(world, _Bound(function))


class _Bound:
    def __init__(self, function: Any) -> None:
        self.func = function

    def __call__(self) -> Any:
        return self.func("7")


def outcome(tool: Tool, *, stop_after: float | None = None) -> Any:
    return tool.world.run(tool.call(), stop_after=stop_after) if tool.is_async else tool.call()


@pytest.mark.parametrize("case", WAITING, ids=NAMES)
def test_a_fixed_wait_ends_below_the_limit_with_its_last_state(
    case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tool = tool_of(case, tmp_path, monkeypatch)
    begun = tool.world.now
    result = outcome(tool)
    assert tool.world.now - begun < LIMIT
    assert tool.world.reads > 1
    if case.last is not None:
        assert result == case.last
    else:
        assert result["status"] == case.state["status"]


@pytest.mark.parametrize("case", WAITING, ids=NAMES)
def test_a_fixed_wait_ends_though_its_reads_hang(case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tool = tool_of(case, tmp_path, monkeypatch)
    tool.world.hangs = True
    begun = tool.world.now
    with suppress(TimedOut):
        outcome(tool)
    assert tool.world.now - begun < LIMIT


ASYNC = [
    case
    for case in WAITING
    if "client-method" not in case.fixture and "commented" not in case.fixture and "monotonic" not in case.fixture
]


@pytest.mark.parametrize("hangs", [False, True], ids=["between reads", "in a read that hangs"])
@pytest.mark.parametrize("case", ASYNC, ids=[case.fixture for case in ASYNC])
def test_a_stop_ends_a_fixed_wait_at_once(
    case: Case, hangs: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tool = tool_of(case, tmp_path, monkeypatch)
    tool.world.hangs = hangs
    begun = tool.world.now
    with pytest.raises(asyncio.CancelledError):
        outcome(tool, stop_after=0.9)
    assert tool.world.now - begun < 0.9 + PROMPT


BROKEN = {
    "cancel/blocking-in-async/bad/sleep-in-the-loop",
    "cancel/swallowed-cancel/bad/pass",
    "cancel/swallowed-cancel/bad/base-exception",
    "cancel/swallowed-cancel/bad/timeout-and-cancel",
    "cancel/swallowed-cancel/bad/last-state-after-cancel",
}


@pytest.mark.parametrize("case", [c for c in ASYNC if c.fixture in BROKEN], ids=lambda case: case.fixture)
def test_before_the_fix_the_stop_did_not_end_it(case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tool = tool_of(case, tmp_path, monkeypatch, repaired=False)
    begun = tool.world.now
    try:
        outcome(tool, stop_after=0.9)
    except asyncio.CancelledError:
        assert tool.world.now - begun > 0.9 + PROMPT


def test_before_the_fix_a_read_that_hangs_was_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    case = next(case for case in WAITING if "monotonic-head" in case.fixture)
    tool = tool_of(case, tmp_path, monkeypatch, repaired=False)
    tool.world.hangs = True
    with pytest.raises(HangsForEver):
        outcome(tool)


CLAMPED = [
    ("copperline.server:render", {"state": "rendering"}),
    ("copperline.server:proof", {"state": "printing"}),
]


@pytest.mark.parametrize("repaired", [True, False], ids=["fixed", "as it was"])
@pytest.mark.parametrize(("function", "state"), CLAMPED, ids=[function for function, _ in CLAMPED])
def test_a_model_can_not_ask_for_more_than_the_limit(
    function: str, state: Any, repaired: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = Case("cap/unclamped-argument/bad/seconds-of-the-model", function, state, state)
    tool = tool_of(case, tmp_path, monkeypatch, repaired=repaired)
    begun = tool.world.now
    assert tool.world.run(tool.call.func("7", 600)) == state  # type: ignore[attr-defined]
    assert (tool.world.now - begun < LIMIT) is repaired


STOPPED = [
    Case(
        "cancel/sleep-ignores-signal/bad/py-module-event", "tidewater.tools:survey_done", {"status": "scheduled"}, None
    ),
]


@pytest.mark.parametrize("repaired", [True, False], ids=["fixed", "as it was"])
@pytest.mark.parametrize("case", STOPPED, ids=[case.fixture for case in STOPPED])
def test_the_authors_own_event_ends_a_pause(
    case: Case, repaired: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tool = tool_of(case, tmp_path, monkeypatch, repaired=repaired)
    begun = tool.world.now
    tool.world.stop_at = begun + 1.5
    assert tool.call()["status"] == "scheduled"
    assert (tool.world.now - begun < 1.5 + PROMPT) is repaired
