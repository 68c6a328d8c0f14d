"""Where a cancellation can be swallowed, and where nothing is left to cancel."""

from __future__ import annotations

import pytest

from linking import only_tool

HEAD = """
import asyncio
import httpx
from fastmcp import FastMCP

mcp = FastMCP("bank")
bank = httpx.AsyncClient(timeout=5)


async def booked(entry: str) -> str:
    return (await bank.post("https://bank.example", json={"entry": entry})).text


@mcp.tool
async def settle(entry: str) -> str:
    'Book it.'
    task = asyncio.create_task(booked(entry))
"""
END = "    try:\n        await task\n    except asyncio.CancelledError:\n        pass\n    return 'booked'\n"
SWALLOWS = {
    "a task that was seen done": ("    while not task.done():\n        await asyncio.sleep(1)\n", False),
    "a task that may run on": ("", True),
    "a loop that is left before": (
        "    while not task.done():\n        if bank.is_closed:\n            break\n        await asyncio.sleep(1)\n",
        True,
    ),
    "another task that was seen done": (
        "    other = asyncio.create_task(booked('x'))\n    while not other.done():\n        await asyncio.sleep(1)\n",
        True,
    ),
}


@pytest.mark.parametrize("name", SWALLOWS)
def test_a_cancellation_is_swallowed_only_where_one_can_arrive(name: str) -> None:
    before, swallows = SWALLOWS[name]
    assert bool(only_tool({"bank.py": HEAD + before + END}).swallows) is swallows
