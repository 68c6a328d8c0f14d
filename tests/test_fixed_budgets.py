"""Fixed agents and clients run: they end by the budget that was added, where they went on for ever before."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from fakeagents import GoesOn, Spent, stand_ins
from fakeworld import HangsForEver, TimedOut, World, loaded
from goldens import copied
from harness import FIXTURES

RETRIES = "budget/unbounded-retry/bad/python"
REQUESTS = "budget/request-without-timeout/bad/loops"
TEAMS = "budget/cap-disabled/bad/python"
GRAPH = "budget/cap-disabled/bad/config-by-position"
AWS = "cancel/deadline-between-laps/bad/boto3-client"


NEVER = HangsForEver


class Case(NamedTuple):
    """A call of a fixed fixture: `ends` is what it raises then, `went_on` what it did before."""

    fixture: str
    module: str
    call: Callable[[Any], Any]
    ends: type[Exception]
    went_on: type[Exception] = GoesOn
    hangs: bool = False
    fails: bool = False


CASES = {
    "tenacity, bare": Case(RETRIES, "tries", lambda it: it.plainly("x"), Spent, fails=True),
    "tenacity, with a pause": Case(RETRIES, "tries", lambda it: it.slower("x"), Spent, fails=True),
    "backoff": Case(RETRIES, "tries", lambda it: it.price("rye"), Spent, hangs=True),
    "a client of Gemini": Case(
        REQUESTS, "requests_of", lambda it: it.by_gemini("x"), TimedOut, HangsForEver, hangs=True
    ),
    "a client of the hub": Case(REQUESTS, "requests_of", lambda it: it.by_hub("x"), TimedOut, NEVER, hangs=True),
    "turns": Case(TEAMS, "teams", lambda it: it.count("x"), Spent),
    "a team": Case(TEAMS, "teams", lambda it: it.discuss(None).run(), Spent),
    "a loop agent": Case(TEAMS, "teams", lambda it: it.polish(None, None).run(), Spent),
    "a query": Case(TEAMS, "teams", lambda it: it.repair("x"), Spent),
    "requests": Case(TEAMS, "teams", lambda it: it.survey("x"), Spent),
    "a graph": Case(GRAPH, "miller", lambda it: it.ask_aside("x"), Spent),
}


def it_of(case: Case, folder: Path, monkeypatch: pytest.MonkeyPatch, *, repaired: bool) -> tuple[Any, World]:
    copied(FIXTURES / case.fixture, folder, repaired=repaired)
    world = World("still asking")
    world.hangs, world.fails = case.hangs, case.fails
    return loaded(folder, case.module, world, monkeypatch, stand_ins(world)), world


def outcome(found: Any) -> Any:
    async def all_of(messages: Any) -> list[Any]:
        return [message async for message in messages]

    if inspect.isasyncgen(found):
        return asyncio.run(all_of(found))
    return asyncio.run(found) if inspect.iscoroutine(found) else found


@pytest.mark.parametrize("repaired", [True, False], ids=["fixed", "as it was"])
@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_a_budget_that_was_added_ends_it(
    case: Case, repaired: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    it, world = it_of(case, tmp_path, monkeypatch, repaired=repaired)
    begun = world.now
    with pytest.raises(case.ends if repaired else case.went_on):
        outcome(case.call(it))
    if repaired:
        assert world.now - begun < 10 * 60


@pytest.mark.parametrize("repaired", [True, False], ids=["fixed", "as it was"])
def test_a_client_with_a_timeout_ends_a_read_that_hangs(
    repaired: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The client tries five times, as that of AWS does."""
    case = Case(AWS, "granary.restores", lambda it: it.await_restore("7"), Spent, hangs=True)
    it, world = it_of(case, tmp_path, monkeypatch, repaired=repaired)
    begun = world.now
    with pytest.raises(Spent):
        case.call(it)
    assert (world.now - begun < 60) is repaired


def test_a_client_with_a_timeout_waits_as_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    case = Case(AWS, "granary.restores", lambda it: it.await_restore("7"), Spent)
    it, world = it_of(case, tmp_path, monkeypatch, repaired=True)
    world.state = {"Status": "RUNNING"}
    begun = world.now
    assert case.call(it) == "RUNNING"
    assert world.now - begun < 60
