"""A default that only says that none was given is no bound: what the code makes of it is."""

from __future__ import annotations

import pytest

from linking import only_tool, only_wait

HEAD = """
import subprocess

import httpx
from mcp.server.fastmcp import FastMCP

mcp = FastMCP("loom")
client = httpx.Client(timeout=60)
MOST = 45


@mcp.tool()
def weave(pattern: str, limit: float | None = None, laps: int = 0, most: int = 33) -> str:
    "Weave a pattern."
"""
BECOMES = {
    "is None": ("    if limit is None:\n        limit = 30\n", 30),
    "not": ("    if not limit:\n        limit = 20\n", 20),
    "nothing or too much": ("    if not limit or limit > MOST:\n        limit = MOST\n", 45),
    "a conditional expression": ("    limit = limit if limit is not None else 25\n", 25),
    "the other way round": ("    limit = 25 if limit is None else limit\n", 25),
    "or": ("    limit = limit or 15\n", 15),
    "zero as the sentinel": ("    limit = 12 if laps == 0 else laps\n", 12),
    "zero by its order": ("    if laps <= 0:\n        laps = 14\n    limit = laps\n", 14),
    "a sentinel that is not the default": ("    limit = 90 if most == 0 else min(most, 300)\n", 33),
    "in other units": ("    limit = limit / 1000 if limit else 10\n", 10),
}


@pytest.mark.parametrize("name", BECOMES)
def test_the_default_is_what_the_code_makes_of_it(name: str) -> None:
    code, seconds = BECOMES[name]
    wait = only_wait({"loom.py": HEAD + code + "    return subprocess.run(['weave', pattern], timeout=limit).stdout\n"})
    assert (wait.cap.certainty, wait.cap.value) == ("known", seconds)
    assert wait.chosen is not None
    assert wait.chosen.has_default
    assert not wait.chosen.endless


def test_a_call_on_the_way_where_it_was_given_has_its_timeout() -> None:
    code = (
        "    if limit is not None:\n        return client.get('https://loom.example', timeout=limit).text\n"
        "    return client.get('https://loom.example').text\n"
    )
    given, not_given = only_tool({"loom.py": HEAD + code}).reads
    assert given.timeout.certainty == "unknown"
    assert (not_given.timeout.certainty, not_given.timeout.value) == ("known", 60)


def test_behind_the_test_the_default_is_what_it_was() -> None:
    code = "    if limit is not None:\n        print(limit)\n"
    wait = only_wait({"loom.py": HEAD + code + "    return subprocess.run(['weave'], timeout=limit).stdout\n"})
    assert wait.cap.absent
    assert wait.chosen is not None
    assert wait.chosen.endless


def test_a_refusal_leaves_only_what_was_given() -> None:
    code = "    if limit is None:\n        raise ValueError('how long?')\n"
    wait = only_wait({"loom.py": HEAD + code + "    return subprocess.run(['weave'], timeout=limit).stdout\n"})
    assert wait.cap.certainty == "unknown"
