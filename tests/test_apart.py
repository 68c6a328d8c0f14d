"""What is found in another process is what this one would have found; where that fails, this one finds it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from linking import linked
from waitlint.apart import begun
from waitlint.cli import run
from waitlint.facts import Span
from waitlint.finding import Place
from waitlint.linked import Tool
from waitlint.project import ahead, shares

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
    monkeypatch.setattr(shares, "LONG", 0.0)
    monkeypatch.setattr(shares, "TOGETHER", 2)


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


NOTHING_LOOKED_UP = ahead.LookedUp((), (), ())


def unknown_tool(number: int) -> Tool:
    return Tool(f"sift_{number}", Place("server.py", Span(number, number + 1)), "mcp", "high")


def sieves(count: int) -> dict[str, str]:
    """A server with so many tools, each of which waits as long as its number says, in a helper of another file."""
    tools = "".join(
        f"""
@server.tool()
async def sift_{number}(sack: str) -> str:
    \"\"\"Sift a sack.\"\"\"
    return await settle(sack, {number + 1})
"""
        for number in range(count)
    )
    head = "from mcp.server.fastmcp import FastMCP\nfrom settling import settle\n\nserver = FastMCP('mill')\n"
    helper = """
import asyncio
import httpx

async def settle(sack, laps):
    async with httpx.AsyncClient() as client:
        for _ in range(laps):
            answer = await client.get(f"https://mill.example/{sack}")
            if answer.json()["state"] == "sifted":
                return "sifted"
            await asyncio.sleep(2)
    return "not yet sifted"
"""
    return {"server.py": head + tools, "settling.py": helper}


def test_tools_built_in_shares_are_those_built_here() -> None:
    files = sieves(60)
    here, shared = linked(files), linked(files, begun, processes=3)
    assert {wait.cap.value for tool in here.tools for wait in tool.waits} == {2.0 * laps for laps in range(1, 61)}
    assert shared.tools == here.tools
    assert shared.texts == here.texts


def test_a_share_is_built_elsewhere_and_the_rest_here(tmp_path: Path) -> None:
    log = tmp_path / "built"

    def build(number: int) -> Tool:
        with log.open("a") as file:
            file.write(f"{os.getpid()}\n")
        return unknown_tool(number)

    tools = shares.built(range(200), build, begun, 2, lambda: NOTHING_LOOKED_UP, lambda other: None)
    assert [tool.name for tool in tools] == [f"sift_{number}" for number in range(200)]
    counts = Counter(log.read_text().split())
    assert len(counts) == 2
    assert min(counts.values()) > 50


@pytest.mark.parametrize("answer", [None, b"\xc1", b""])
def test_a_share_that_does_not_come_back_is_built_here(answer: bytes | None) -> None:
    files = sieves(60)
    assert linked(files, lambda find: lambda: answer, processes=4).tools == linked(files).tools


def test_processes_share_what_a_cache_still_holds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def told(*options: str) -> str:
        run(["check", str(tmp_path), "--pedantic", "--output-format", "json", *options])
        return capsys.readouterr().out

    kept = ("--cache-dir", str(tmp_path / ".kept"), "--jobs", "3")
    for path, text in sieves(60).items():
        (tmp_path / path).write_text(text)
    told(*kept)
    server = tmp_path / "server.py"
    server.write_text(server.read_text().replace("sack, 60)", "sack, 600)"))
    found = told(*kept)
    assert "1200 s" in found
    assert found == told("--no-cache", "--jobs", "1")


def test_what_another_process_has_looked_up_counts_here() -> None:
    heard: list[ahead.LookedUp] = []
    told = ahead.LookedUp(("uv.lock",), ("prompt.md",), ("something failed",))
    shares.built(range(60), unknown_tool, begun, 2, lambda: told, heard.append)
    assert heard == [told]


def test_what_is_not_understood_is_found_here() -> None:
    assert linked(FILES, lambda find: lambda: b"\xc1").loops == linked(FILES).loops
