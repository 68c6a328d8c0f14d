"""What is found in another process is what this one would have found; where that fails, this one finds it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable

import pytest

from linking import linked
from waitlint.apart import begun
from waitlint.project import ahead

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are not copied elsewhere")

FILES = {
    "mill.py": """
        from agents import Agent, Runner

        def weigh(sack: str) -> str:
            return sack

        miller = Agent(name="miller", tools=[weigh])

        def grind():
            return Runner.run_sync(miller, "grind", max_turns=None)
    """,
    "shop.ts": """
        import { generateText, tool, stepCountIs } from "ai";
        export const serve = () =>
          generateText({ model, tools: { look: tool({ execute: look }) }, prompt: "serve", stopWhen: stepCountIs(7) });
    """,
}


@pytest.fixture(autouse=True)
def _little_is_much(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ahead, "MANY", 1)


def test_an_answer_comes_back_whole() -> None:
    answer = begun(lambda: b"x" * 1_000_000)
    assert answer is not None
    assert answer() == b"x" * 1_000_000


def test_nothing_comes_back_of_what_fails() -> None:
    answer = begun(lambda: bytes(1 // 0))
    assert answer is not None
    assert answer() is None


def test_nothing_comes_back_of_a_process_that_is_killed() -> None:
    def die() -> bytes:
        os.kill(os.getpid(), signal.SIGKILL)
        return b""

    answer = begun(die)
    assert answer is not None
    assert answer() is None


def test_the_other_process_ends_with_this_one() -> None:
    code = "import sys, time; from waitlint.apart import begun\nbegun(lambda: time.sleep(60) or b'')\nprint('begun')"
    start = time.monotonic()
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=30, check=True)
    assert told.stdout == "begun\n"
    assert time.monotonic() - start < 20


def test_loops_found_apart_are_those_found_here() -> None:
    here, apart = linked(FILES), linked(FILES, begun)
    assert len(here.loops) == 2
    assert apart.loops == here.loops
    assert (apart.retries, apart.starts) == (here.retries, here.starts)


def test_loops_are_found_here_where_the_other_process_fails() -> None:
    def failing(find: Callable[[], bytes]) -> Callable[[], bytes | None]:
        return lambda: None

    assert linked(FILES, failing).loops == linked(FILES).loops


def test_what_is_not_understood_is_found_here() -> None:
    assert linked(FILES, lambda find: lambda: b"\xc1").loops == linked(FILES).loops
