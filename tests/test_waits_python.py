"""What is known of a wait in Python: its cap, what bounds it, what comes back, where the stop and the deadline arrive."""

from __future__ import annotations

from textwrap import indent

import pytest

from linking import linked, only_tool, only_wait
from waitlint.linked import Bound, Certainty, Ending, Reach, Wait

HEAD = """
import asyncio
import time
import threading
import httpx
import requests
from mcp.server.fastmcp import FastMCP

mcp = FastMCP("mill")
http = requests.Session()
PAUSE = 3
MOST = 20


def look(grain: str) -> str:
    return http.get("https://mill.example/" + grain, timeout=10).json()["state"]


@mcp.tool()
def ground(grain: str) -> str:
    '''Wait for the mill.'''
"""


def wait_of(body: str, before: str = "") -> Wait:
    return only_wait({"mill.py": HEAD.replace("@mcp.tool()", before + "\n@mcp.tool()") + indent(body, "    ")})


CAPS = {
    "laps of a range": (
        "for _ in range(12):\n    s = look(grain)\n    if s == 'done':\n        break\n    time.sleep(5)\nreturn s",
        60,
        Bound.LAPS,
    ),
    "laps by a constant": (
        "for _ in range(MOST):\n    s = look(grain)\n    if s == 'done':\n        break\n    time.sleep(PAUSE)\nreturn s",
        60,
        Bound.LAPS,
    ),
    "a deadline in the head": (
        "end = time.monotonic() + 45\nwhile time.monotonic() < end:\n    s = look(grain)\n    if s == 'done':\n        break\n    time.sleep(5)\nreturn s",
        45,
        Bound.CLOCK,
    ),
    "a deadline in the body": (
        "end = time.time() + MOST\nwhile True:\n    s = look(grain)\n    if s == 'done' or time.time() >= end:\n        return s\n    time.sleep(5)",
        20,
        Bound.CLOCK,
    ),
    "the time since the start": (
        "start = time.time()\nwhile time.time() - start <= 2 * MOST:\n    s = look(grain)\n    if s == 'done':\n        break\n    time.sleep(1)\nreturn s",
        40,
        Bound.CLOCK,
    ),
    "a counter in the head": (
        "n = 0\ns = ''\nwhile n < MOST and s != 'done':\n    s = look(grain)\n    n += 1\n    time.sleep(2)\nreturn s",
        40,
        Bound.LAPS,
    ),
    "a counter in the body": (
        "n = 0\nwhile True:\n    s = look(grain)\n    if s == 'done':\n        return s\n    n = n + 1\n    if n > 9:\n        return s\n    time.sleep(2)",
        20,
        Bound.LAPS,
    ),
    "a counter that falls": (
        "left = 10\ns = ''\nwhile left > 0:\n    s = look(grain)\n    if s == 'done':\n        break\n    left -= 1\n    time.sleep(4)\nreturn s",
        40,
        Bound.LAPS,
    ),
    "pauses that are added up": (
        "waited = 0\ns = ''\nwhile waited < 30:\n    s = look(grain)\n    if s == 'done':\n        break\n    time.sleep(5)\n    waited += 5\nreturn s",
        30,
        Bound.PAUSES,
    ),
    "what is left of the time": (
        "end = time.monotonic() + 25\nwhile (left := end - time.monotonic()) > 0:\n    s = look(grain)\n    if s == 'done':\n        break\n    time.sleep(min(5, left))\nreturn s",
        25,
        Bound.CLOCK,
    ),
}


@pytest.mark.parametrize("name", CAPS)
def test_a_cap_is_known(name: str) -> None:
    body, seconds, bound = CAPS[name]
    wait = wait_of(body)
    assert (wait.cap.certainty, wait.cap.value, wait.bound) == (Certainty.KNOWN, seconds, bound)


UNCAPPED = {
    "no condition": "while True:\n    s = look(grain)\n    if s == 'done':\n        return s\n    time.sleep(5)",
    "a state alone": "s = look(grain)\nwhile s == 'grinding':\n    time.sleep(5)\n    s = look(grain)\nreturn s",
    "a counter of errors": "bad = 0\nwhile bad < 5:\n    try:\n        s = look(grain)\n        if s == 'done':\n            return s\n    except requests.RequestException:\n        bad += 1\n    time.sleep(5)",
    "a clock that is only read": "start = time.time()\nwhile True:\n    s = look(grain)\n    spent = time.time() - start\n    if s == 'done':\n        return s + str(spent)\n    time.sleep(5)",
}


@pytest.mark.parametrize("name", UNCAPPED)
def test_a_wait_without_a_cap_is_known_to_have_none(name: str) -> None:
    wait = wait_of(UNCAPPED[name])
    assert (wait.cap.certainty, wait.ending) == (Certainty.ABSENT, Ending.NEVER)


UNKNOWN = {
    "a limit from elsewhere": "import settings\nfor _ in range(settings.LAPS):\n    s = look(grain)\n    if s == 'done':\n        break\n    time.sleep(5)\nreturn s",
    "a helper that decides": "from budget import is_spent\nwhile True:\n    s = look(grain)\n    if s == 'done' or is_spent:\n        return s\n    time.sleep(5)",
    "some laps counted": "n = 0\nwhile n < 10:\n    s = look(grain)\n    if s == 'done':\n        break\n    if len(grain) > 3:\n        n += 1\n    time.sleep(5)\nreturn s",
}


@pytest.mark.parametrize("name", UNKNOWN)
def test_what_is_not_in_view_is_unknown_and_not_missing(name: str) -> None:
    assert wait_of(UNKNOWN[name]).cap.certainty is Certainty.UNKNOWN


ENDINGS = {
    "the last state": ("return s", Ending.LAST_STATE),
    "the last state in a record": ("return {'state': s, 'grain': grain}", Ending.LAST_STATE),
    "an exception": ("raise TimeoutError('too slow')", Ending.RAISES),
    "nothing": ("return None", Ending.NOTHING),
    "a word for unfinished": ("return 'still grinding'", Ending.LAST_STATE),
    "an error": ("return {'error': 'gave up'}", Ending.ERROR),
    "what looks done": ("return True", Ending.LOOKS_DONE),
}


@pytest.mark.parametrize("name", ENDINGS)
def test_what_comes_back_at_the_cap(name: str) -> None:
    after, ending = ENDINGS[name]
    wait = wait_of(
        f"for _ in range(9):\n    s = look(grain)\n    if s == 'done':\n        return s\n    time.sleep(5)\n{after}"
    )
    assert wait.ending is ending


def test_what_a_helper_gives_back_at_the_cap_is_followed_to_the_handlers_own_end() -> None:
    helper = """
def settled(grain):
    for _ in range(9):
        s = look(grain)
        if s == 'done':
            return s
        time.sleep(5)
    return None
"""
    wait = wait_of("s = settled(grain)\nif s is None:\n    raise RuntimeError('no flour')\nreturn s", helper)
    assert wait.ending is Ending.RAISES


def test_an_outer_bound_overrides_an_inner_one() -> None:
    tool = only_tool(
        {
            "mill.py": """
            import asyncio, httpx
            from mcp.server.fastmcp import FastMCP
            mcp = FastMCP("mill")
            async def forever(grain):
                async with httpx.AsyncClient() as http:
                    while True:
                        if (await http.get("/" + grain)).json()["state"] == "done":
                            return "done"
                        await asyncio.sleep(2)
            @mcp.tool()
            async def ground(grain: str) -> str:
                return await asyncio.wait_for(forever(grain), timeout=30)
            """
        }
    )
    assert [(wait.cap.value, wait.bound) for wait in tool.waits] == [(30, Bound.SCOPE)]


LOOK_ALIKES = {
    "pages": "token = None\nout = []\nwhile True:\n    page = http.get('/grains', params={'t': token}, timeout=5).json()\n    out += page['items']\n    token = page.get('next')\n    if not token:\n        return out",
    "a rate limit": "for n in range(5):\n    r = http.get('/' + grain, timeout=5)\n    if r.status_code != 429:\n        return r.text\n    time.sleep(2 ** n)\nraise RuntimeError('busy')",
    "tries after an error": "for n in range(3):\n    try:\n        return look(grain)\n    except requests.RequestException:\n        time.sleep(3)\nraise RuntimeError('down')",
    "items": "for g in grain.split():\n    look(g)\nreturn 'ok'",
}


@pytest.mark.parametrize("name", LOOK_ALIKES)
def test_a_loop_that_does_not_wait_is_no_wait(name: str) -> None:
    assert only_tool({"mill.py": HEAD + indent(LOOK_ALIKES[name], "    ")}).waits == ()


def test_one_helper_is_judged_by_what_each_tool_hands_to_it() -> None:
    project = linked(
        {
            "mill.py": """
            import time, requests
            from mcp.server.fastmcp import FastMCP
            mcp = FastMCP("mill")
            def settled(grain, seconds):
                end = time.monotonic() + seconds
                while time.monotonic() < end:
                    s = requests.get("/" + grain, timeout=5).json()["state"]
                    if s == "done":
                        break
                    time.sleep(5)
                return s
            @mcp.tool()
            def rye(grain: str): return settled(grain, 90)
            @mcp.tool()
            def oats(grain: str): return settled(grain, seconds=9 * 60)
            """
        }
    )
    assert {tool.name: tool.waits[0].cap.value for tool in project.tools} == {"rye": 90, "oats": 540}


def test_a_stop_event_reaches_the_pause_and_not_the_read() -> None:
    wait = wait_of(
        "for _ in range(9):\n    s = look(grain)\n    if s == 'done' or STOP.wait(5):\n        break\nreturn s",
        "STOP = threading.Event()",
    )
    assert [sleep.stop for sleep in wait.sleeps] == [Reach.ARRIVES]
    assert [read.stop for read in wait.reads] == [Reach.MISSES]
    assert wait.reads[0].missed_at is not None


def test_a_read_that_is_bounded_by_what_is_left_knows_the_deadline() -> None:
    body = "end = time.monotonic() + 30\nwhile time.monotonic() < end:\n    s = http.get('/', timeout=end - time.monotonic()).text\n    if s == 'done':\n        break\n    time.sleep(5)\nreturn s"
    wait = wait_of(body)
    assert ([read.deadline for read in wait.reads], wait.between_laps) == ([Reach.ARRIVES], False)
