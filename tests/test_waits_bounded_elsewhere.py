"""What looks like a wait without an end, and has one: in the command, in the class, or because the code itself ends it."""

from __future__ import annotations

import pytest

from linking import only_tool

HEAD = """
import asyncio
import os
import signal
import subprocess
import threading
import time

import docker
import requests
from mcp.server.fastmcp import FastMCP

import tide

mcp = FastMCP("harbour")
box = docker.from_env().containers.get("crane")
"""
COMMANDS = {
    "timeout of the coreutils": ("    subprocess.run(['timeout', '45', 'dredge', name])\n", 45),
    "its own unit": ("    subprocess.run(['timeout', '-k', '5', '2m', 'dredge', name])\n", 120),
    "options with their values joined": (
        "    subprocess.run(['timeout', '--kill-after=5', '2m', 'dredge', name])\n",
        120,
    ),
    "a line for a shell": ("    subprocess.run(f'timeout 30 dredge {name}', shell=True)\n", 30),
    "inside a container": ("    box.exec_run(['timeout', str(20), 'dredge', name])\n", 20),
    "the shorter of two": ("    subprocess.run(['timeout', '45', 'dredge', name], timeout=15)\n", 15),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_may_end_itself(name: str) -> None:
    code, seconds = COMMANDS[name]
    (wait,) = only_tool({"tide.py": HEAD + "@mcp.tool()\ndef dredge(name: str) -> str:\n    'Dredge.'\n" + code}).waits
    assert (wait.cap.value if wait.cap.known else None) == seconds


QUICK = {
    "what was killed": (
        "    one = subprocess.Popen(['dredge'])\n    try:\n        one.communicate(timeout=9)\n"
        "    except subprocess.TimeoutExpired:\n        one.kill()\n        one.wait()\n",
        [False],
    ),
    "what a signal killed": ("    os.kill(tide.pid, signal.SIGKILL)\n    os.waitpid(tide.pid, 0)\n", []),
    "a line that prints": (
        "    subprocess.check_output([tide.python, '-c', f'from importlib.metadata import version; print(version({name!r}))'])\n",
        [True],
    ),
    "a program": (
        "    subprocess.check_output([tide.python, '-c', 'import tide; tide.dredge(); print(1)'])\n",
        [False],
    ),
}


@pytest.mark.parametrize("name", QUICK)
def test_what_ends_at_once_is_known_to(name: str) -> None:
    code, quick = QUICK[name]
    tool = only_tool({"tide.py": HEAD + "@mcp.tool()\ndef dredge(name: str) -> str:\n    'Dredge.'\n" + code})
    assert [wait.of_quick_command for wait in tool.waits] == quick


NONE = {
    "an event that the tool has set": (
        "    over = threading.Event()\n    over.set()\n    over.wait()\n    return name\n",
        0,
    ),
    "an event that others set": (
        "    over = threading.Event()\n    tide.tell(over)\n    over.wait()\n    return name\n",
        1,
    ),
    "a condition that keeps others out": (
        "    with turn:\n        while tide.busy:\n            turn.wait()\n        turn.notify_all()\n    return name\n",
        0,
    ),
    "a condition that others fulfil": (
        "    with turn:\n        while tide.busy:\n            turn.wait()\n    return name\n",
        1,
    ),
    "pauses between parts of a list": (
        "    parts = tide.parts(name)\n    for at in range(0, len(parts), 10):\n        tide.send(parts[at : at + 10])\n"
        "        time.sleep(2)\n    return name\n",
        0,
    ),
    "steps of an agent": (
        "    def act(plan):\n        requests.post('https://tide.example', json=plan, timeout=5)\n        time.sleep(2)\n\n"
        "    for step in range(max_steps):\n        plan = tide.agent.step(name)\n        if 'stop' in plan:\n            break\n"
        "        act(plan)\n    return name\n",
        0,
    ),
    "looks for a state": (
        "    def look():\n        time.sleep(2)\n        return requests.get('https://tide.example', timeout=5).json()['state']\n\n"
        "    for attempt in range(max_steps):\n        if look() == 'done':\n            break\n    return name\n",
        1,
    ),
}


@pytest.mark.parametrize("name", NONE)
def test_waits_and_what_only_looks_like_one(name: str) -> None:
    code, count = NONE[name]
    code = f"turn = threading.Condition()\n@mcp.tool()\ndef dredge(name: str, max_steps: int = 9) -> str:\n    'Dredge.'\n{code}"
    waits = [wait for wait in only_tool({"tide.py": HEAD + code}).waits if wait.kind != "sleep"]
    assert len(waits) == count


WRAPPED = """
import subprocess
import threading

from camel.toolkits import FunctionTool


class Timed:
    def __init__(self, timeout=None):
        self.timeout = timeout

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        for name, method in list(cls.__dict__.items()):
            if callable(method):
                setattr(cls, name, timed(method))


def timed(method):
    def run(self, *args):
        thread = threading.Thread(target=method, args=(self, *args))
        thread.start()
        thread.join(self.timeout)

    return run


class Harbour(Timed):
    def __init__(self):
        super().__init__({})

    def dredge(self, name: str) -> str:
        "Dredge."
        return subprocess.run(["dredge", name]).stdout

    def get_tools(self):
        return [FunctionTool(self.dredge)]
"""


@pytest.mark.parametrize(("given", "seconds"), [("timeout=25", 25), ("timeout=None", None), ("", None)])
def test_a_class_that_wraps_the_methods_of_its_heirs_bounds_them(given: str, seconds: int | None) -> None:
    (wait,) = only_tool({"harbour.py": WRAPPED.replace("{}", given)}).waits
    assert (wait.cap.value if wait.cap.known else None) == seconds
    assert wait.cap.absent is (seconds is None)


SWALLOWS = {
    "closing": ("        await tide.__aexit__(None, None, None)\n    except BaseException:\n        pass\n", 0),
    "handing on": (
        "        await tide.turn()\n    except BaseException as error:\n        ready.set_exception(error)\n",
        0,
    ),
    "work": ("        await tide.turn()\n    except BaseException:\n        pass\n", 1),
}


@pytest.mark.parametrize("name", SWALLOWS)
def test_a_cancellation_that_is_swallowed(name: str) -> None:
    code, count = SWALLOWS[name]
    head = "@mcp.tool()\nasync def dredge(name: str) -> str:\n    'Dredge.'\n    ready = asyncio.Future()\n    try:\n"
    tool = only_tool({"tide.py": HEAD + head + code + "    return name\n"})
    assert len(tool.swallows) == count


def test_what_is_awaited_elsewhere_does_not_fail_where_it_is_handed_out() -> None:
    code = (
        "def again(work):\n    def run(*args):\n        for attempt in range(3):\n            try:\n"
        "                return work(*args)\n            except Exception:\n                time.sleep(3)\n\n    return run\n\n"
        "async def turn(name):\n    return await tide.turn(name)\n\n@again\ndef handed_out(name):\n    return turn(name)\n\n"
        "@again\ndef done(name):\n    return requests.get('https://tide.example', timeout=5).text\n\n"
        "@mcp.tool()\nasync def dredge(name: str) -> str:\n    'Dredge.'\n    {}\n    return name\n"
    )
    assert only_tool({"tide.py": HEAD + code.replace("{}", "await handed_out(name)")}).sleeps == ()
    assert len(only_tool({"tide.py": HEAD + code.replace("{}", "done(name)")}).sleeps) == 1
