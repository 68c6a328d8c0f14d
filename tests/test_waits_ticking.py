"""Calls that wait a while and come back are the pause of the loop around them; what a block waits for at its end."""

from __future__ import annotations

import pytest

from linking import only_tool

HEAD = """
import asyncio
import os
import queue
import select
import subprocess
import threading
import time
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait

import zmq.asyncio
from mcp.server.fastmcp import FastMCP

import mill

mcp = FastMCP("mill")
"""
LOOPS = {
    "select with a deadline": (
        "    end = time.monotonic() + 40\n    while True:\n        if time.monotonic() > end:\n            return 'late'\n"
        "        ready, _, _ = select.select([fd], [], [], 0.1)\n        if fd in ready:\n"
        "            if not os.read(fd, 100):\n                return 'over'\n",
        40,
    ),
    "a queue whose emptiness is caught": (
        "    found = queue.Queue()\n    mill.start(found)\n    end = time.monotonic() + 20\n"
        "    while time.monotonic() < end:\n        try:\n            if found.get(timeout=0.5) == 'done':\n"
        "                return 'over'\n        except queue.Empty:\n            continue\n    return 'late'\n",
        20,
    ),
    "a condition": (
        "    turn = threading.Condition()\n    end = time.monotonic() + 5\n    with turn:\n"
        "        while mill.state(fd) == 'running' and time.monotonic() < end:\n            turn.wait(timeout=0.5)\n"
        "    return 'over'\n",
        5,
    ),
    "a thread that is joined for a while": (
        "    one = threading.Thread(target=mill.grind)\n    one.start()\n    end = time.monotonic() + 30\n"
        "    while time.monotonic() < end:\n        one.join(timeout=1)\n"
        "        if mill.state(fd) == 'done':\n            return 'over'\n    return 'late'\n",
        30,
    ),
}


@pytest.mark.parametrize("name", LOOPS)
def test_a_loop_of_short_waits_is_a_wait(name: str) -> None:
    code, seconds = LOOPS[name]
    tool = only_tool({"mill.py": HEAD + "@mcp.tool()\ndef grind(fd: int) -> str:\n    'Grind.'\n" + code})
    loops = [wait.cap.value for wait in tool.waits if wait.kind == "loop"]
    assert loops == [seconds]


def test_a_poller_counts_in_milliseconds() -> None:
    code = (
        "@mcp.tool()\nasync def grind(fd: int) -> str:\n    'Grind.'\n    poller = zmq.asyncio.Poller()\n"
        "    clock = asyncio.get_running_loop()\n    end = clock.time() + 30\n    while True:\n"
        "        left = end - clock.time()\n        if left <= 0:\n            return 'late'\n"
        "        events = dict(await poller.poll(int(left * 1000)))\n        if 'done' in events:\n            return 'over'\n"
    )
    caps = {wait.kind: wait.cap.value for wait in only_tool({"mill.py": HEAD + code}).waits}
    assert caps == {"loop": 30, "call": 30}


COMMANDS = {
    "the end of its block": (
        "    with subprocess.Popen(['mill'], stdin=subprocess.PIPE) as mill_:\n        mill_.stdin.write(b'corn')\n",
        [None],
    ),
    "what is waited for in its block": (
        "    with subprocess.Popen(['mill']) as mill_:\n        mill_.communicate(b'corn', timeout=5)\n",
        [5],
    ),
    "waitpid": ("    os.waitpid(fd, 0)\n", [None]),
    "a busy look": (
        "    while True:\n        pid, _ = os.waitpid(fd, os.WNOHANG)\n        if pid:\n            break\n",
        [None],
    ),
    "a look with a pause": (
        "    one = subprocess.Popen(['mill'])\n    for _ in range(10):\n        if one.poll() is not None:\n"
        "            break\n        time.sleep(2)\n",
        [20],
    ),
    "one look": ("    os.waitpid(fd, os.WNOHANG)\n", []),
    "a look while it writes": (
        "    one = subprocess.Popen(['mill'], stdout=subprocess.PIPE)\n    while one.poll() is None:\n"
        "        print(one.stdout.readline())\n",
        [],
    ),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_is_waited_for(name: str) -> None:
    code, seconds = COMMANDS[name]
    tool = only_tool({"mill.py": HEAD + "@mcp.tool()\ndef grind(fd: int) -> str:\n    'Grind.'\n" + code})
    assert [wait.cap.value if wait.cap.known else None for wait in tool.waits] == seconds


POOLS = {
    "all of them": "    with ThreadPoolExecutor() as pool:\n        jobs = [pool.submit(mill.grind, fd)]\n        wait(jobs, timeout=60)\n",
    "the first": (
        "    with ThreadPoolExecutor() as pool:\n        jobs = [pool.submit(mill.grind, fd)]\n"
        "        wait(jobs, timeout=60, return_when=FIRST_COMPLETED)\n"
    ),
}


@pytest.mark.parametrize("name", POOLS)
def test_futures_are_waited_for_as_long_as_is_said(name: str) -> None:
    tool = only_tool({"mill.py": HEAD + "@mcp.tool()\ndef grind(fd: int) -> str:\n    'Grind.'\n" + POOLS[name]})
    assert [wait.cap.value for wait in tool.waits] == [60]


def test_a_pool_that_is_shut_down_may_be_waited_for() -> None:
    code = "pool = ThreadPoolExecutor(4)\n\n@mcp.tool()\ndef stop() -> str:\n    'Stop.'\n    pool.shutdown({})\n"
    (waits,) = only_tool({"mill.py": HEAD + code.format("wait=True")}).waits
    assert waits.cap.certainty == "unknown"
    assert only_tool({"mill.py": HEAD + code.format("wait=False")}).waits == ()


def test_a_clock_that_starts_anew_is_no_deadline() -> None:
    code = (
        "@mcp.tool()\ndef grind(fd: int) -> str:\n    'Grind.'\n    last = time.time()\n    start = last\n    while True:\n"
        "        if time.time() - start >= 15:\n            return 'late'\n        state = mill.state(fd)\n"
        "        if state == 'done':\n            return state\n        if state != 'idle':\n            last = time.time()\n"
        "        elif time.time() - last >= 4:\n            return state\n        time.sleep(0.5)\n"
    )
    (wait_,) = only_tool({"mill.py": HEAD + code}).waits
    assert wait_.cap.value == 15


def test_a_helper_that_asks_how_something_is_is_waited_for() -> None:
    code = (
        "import socket\n\ndef in_use(port):\n    try:\n        with socket.socket() as one:\n"
        "            one.bind(('127.0.0.1', port))\n        return False\n    except OSError:\n        return True\n\n"
        "@mcp.tool()\ndef grind(port: int) -> str:\n    'Grind.'\n    start = time.time()\n"
        "    while time.time() - start < 7:\n        if in_use(port):\n            break\n        time.sleep(0.1)\n"
        "    else:\n        return 'late'\n    return 'up'\n"
    )
    (wait_,) = only_tool({"mill.py": HEAD + code}).waits
    assert wait_.cap.value == 7


def test_each_of_many_that_may_do_the_work_is_followed() -> None:
    names = [f"Mill{number}" for number in range(7)]
    classes = "".join(
        f"class {name}:\n    def run(self, corn):\n        return subprocess.run([corn], timeout={20 + number})\n\n"
        for number, name in enumerate(names)
    )
    branches = "".join(
        f"        {'el' if number else ''}if kind == '{name}':\n            self.mill = {name}()\n"
        for number, name in enumerate(names)
    )
    code = (
        f"{classes}class Hall:\n    def __init__(self, kind: str) -> None:\n{branches}\nhall = Hall(mill.kind())\n\n"
        "@mcp.tool()\ndef grind(corn: str) -> str:\n    'Grind.'\n    return hall.mill.run(corn)\n"
    )
    waits = only_tool({"mill.py": HEAD + code}).waits
    assert sorted(one.cap.value for one in waits) == [20, 21, 22, 23, 24, 25, 26]
