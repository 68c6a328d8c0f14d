"""Waits that a name or a written timeout tells, on SDKs that the catalog lacks, and those of futures."""

from __future__ import annotations

import pytest

from linking import only_tool
from waitlint.linked import Certainty, Seconds

HEAD = """
import asyncio
from concurrent.futures import ThreadPoolExecutor

import docker
import mill_sdk
from mcp.server.fastmcp import FastMCP

mcp = FastMCP("mill")
mill = mill_sdk.connect()
pool = ThreadPoolExecutor()
"""


def caps(body: str, *, is_async: bool = False) -> list[Seconds]:
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    head = f"{HEAD}\n@mcp.tool()\n{'async ' if is_async else ''}def grind(sack: str) -> str:\n    'Grind.'\n"
    return [wait.cap for wait in only_tool({"mill.py": head + lines}).waits]


KNOWN = {
    "a result with a timeout": ("return mill.start(sack).result(timeout=45)", 45),
    "a future of what is not in view": ("return pool.submit(mill.grind, sack).result(timeout=30)", 30),
    "in the pool's own block": (
        "with ThreadPoolExecutor(max_workers=1) as one:\n    job = one.submit(mill.grind, sack)\n    return job.result(timeout=12)",
        12,
    ),
    "a process that is kept elsewhere": ("mill.processes.get(sack).wait(timeout=5)\nreturn sack", 5),
    "a positional timeout": ("mill.gate.wait(7)\nreturn sack", 7),
    "a thread that is kept elsewhere": ("mill.threads[sack].join(timeout=9)\nreturn sack", 9),
    "a queue that is kept elsewhere": ("return mill.sacks.get(timeout=20)", 20),
    "a timeout in milliseconds by its name": ("return mill.wait_for_flour(sack, timeout_ms=30_000)", 30),
    "a page of a browser": ("mill.page.wait_for_load_state('networkidle')\nreturn sack", 30),
    "a page with a timeout": ("mill.page.wait_for_selector('#done', timeout=5000)\nreturn sack", 5),
    "a container that is stopped": ("docker.from_env().containers.get(sack).stop(timeout=15)\nreturn sack", 15),
}


@pytest.mark.parametrize("name", KNOWN)
def test_the_written_timeout_is_the_cap(name: str) -> None:
    body, seconds = KNOWN[name]
    assert [(cap.certainty, cap.value) for cap in caps(body)] == [(Certainty.KNOWN, seconds)]


AWAITED = {
    "a shielded task": (
        "task = asyncio.ensure_future(mill.grind(sack))\nreturn await asyncio.wait_for(asyncio.shield(task), 8)",
        8,
    ),
    "a future of the loop": (
        "done = asyncio.get_running_loop().create_future()\nmill.on_end(done)\nreturn await asyncio.wait_for(done, timeout=10)",
        10,
    ),
    "a page": ("page = await mill.page()\nawait page.wait_for_load_state()\nreturn sack", 30),
}


@pytest.mark.parametrize("name", AWAITED)
def test_what_is_awaited_with_a_bound_is_a_wait(name: str) -> None:
    body, seconds = AWAITED[name]
    assert [(cap.certainty, cap.value) for cap in caps(body, is_async=True)] == [(Certainty.KNOWN, seconds)]


UNKNOWN = {
    "a method that waits by its name": "return mill.wait_for_flour(sack)",
    "until something": "return mill.wait_until_ground(sack)",
    "and wait": "return mill.create_and_wait(sack)",
    "a bare wait": "mill.start(sack).wait()\nreturn sack",
    "a timeout in a unit that is not said": "return mill.wait_for_flour(sack, timeout=30_000)",
}


@pytest.mark.parametrize("name", UNKNOWN)
def test_without_a_written_timeout_the_cap_is_unknown(name: str) -> None:
    assert [cap.certainty for cap in caps(UNKNOWN[name])] == [Certainty.UNKNOWN]


NO_WAIT = {
    "a request with a timeout": "return mill.get('/sacks', timeout=5)",
    "words that are joined": "return ', '.join([sack, mill.name])",
    "a result of no known wait": "return mill.start(sack).result()",
    "a page that is only named": "return mill.waiter(sack)",
    "a pause of a retry": "return mill.retry(wait=mill.wait_fixed(3))",
    "a container in the background": "return docker.from_env().containers.run(sack, detach=True).id",
    "an entry with a default": "return mill.sacks.get('timeout', 5)",
}


@pytest.mark.parametrize("name", NO_WAIT)
def test_look_alikes_are_no_waits(name: str) -> None:
    assert caps(NO_WAIT[name]) == []


def test_a_page_is_waited_for_in_a_coroutine_that_a_loop_runs() -> None:
    body = (
        "async def look():\n    page = await mill.page()\n    await page.wait_for_url('**/done')\n    return page.url\n"
        "return mill.loop.run_until_complete(look())"
    )
    assert [cap.value for cap in caps(body)] == [30]


def test_what_runs_in_a_bound_is_told_once() -> None:
    body = "async def look():\n    await asyncio.sleep(4)\nawait asyncio.wait_for(look(), 60)\nreturn sack"
    assert [cap.value for cap in caps(body, is_async=True)] == [4]
