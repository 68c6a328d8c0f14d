"""Which ways through a tool lead past its wait, and how often one call may wait there."""

from __future__ import annotations

from textwrap import indent

import pytest

from linking import linked, only_wait
from waitlint.linked import Passing, Wait

HEAD = """
import asyncio
import threading
import time
import requests
from mcp.server.fastmcp import FastMCP

mcp = FastMCP("mill")
http = requests.Session()


def look(grain: str) -> str:
    return http.get("https://mill.example/" + grain, timeout=10).json()["state"]


def start(grain: str) -> dict:
    return http.post("https://mill.example/" + grain, timeout=10).json()


def ground_fine(grain: str, wait: bool = True) -> str:
    if not wait:
        return start(grain)["id"]
    s = "queued"
    for _ in range(12):
        s = look(grain)
        if s != "queued":
            return s
        time.sleep(5)
    return s


@mcp.tool()
def ground(grain: str, grains: list[str], wait: bool = False) -> str:
    '''Grind grain.'''
"""


def wait_of(body: str) -> Wait:
    return only_wait({"mill.py": HEAD + indent(body, "    ")})


PASSING = {
    "straight on": ("start(grain)\nreturn ground_fine(grain)", Passing.ALWAYS),
    "its number of laps bound": ("return ground_fine(grain, wait=True)", Passing.ALWAYS),
    "an option that is given": ("return ground_fine(grain, wait)", Passing.SOMETIMES),
    "an early end by an option": ("if not wait:\n    return 'started'\nreturn ground_fine(grain)", Passing.SOMETIMES),
    "an option around it": ("s = start(grain)\nif wait:\n    s = ground_fine(grain)\nreturn s", Passing.SOMETIMES),
    "one arm of an expression": ("return ground_fine(grain) if wait else 'started'", Passing.SOMETIMES),
    "behind an and": ("wait and ground_fine(grain)\nreturn 'ok'", Passing.SOMETIMES),
    "a refusal before it": ("if not grain:\n    return 'Error: no grain'\nreturn ground_fine(grain)", Passing.ALWAYS),
    "a refusal in words": (
        "if not grain:\n    return {'message': 'grain is required'}\nreturn ground_fine(grain)",
        Passing.ALWAYS,
    ),
    "a raise before it": ("if not grain:\n    raise ValueError(grain)\nreturn ground_fine(grain)", Passing.ALWAYS),
    "it was over already": ("if look(grain) == 'done':\n    return 'done'\nreturn ground_fine(grain)", Passing.ALWAYS),
    "it is not over yet": ("s = look(grain)\nif s == 'queued':\n    s = ground_fine(grain)\nreturn s", Passing.ALWAYS),
    "a kind that the answer names": (
        "s = look(grain)\nif s == 'coarse':\n    s = ground_fine(grain)\nreturn s",
        Passing.SOMETIMES,
    ),
    "one of two functions": (
        "grind = {'fine': ground_fine, 'coarse': look}.get(grain, look)\nreturn grind(grain)",
        Passing.SOMETIMES,
    ),
    "one of two values": (
        "kind = 'fine' if wait else 'coarse'\nif kind == 'fine':\n    return ground_fine(grain)\nreturn 'started'",
        Passing.SOMETIMES,
    ),
    "a failure is told": (
        "try:\n    return ground_fine(grain)\nexcept Exception as e:\n    return f'Could not: {e}'",
        Passing.ALWAYS,
    ),
    "a thread of its own, unless asked": (
        "if wait:\n    return ground_fine(grain)\nthreading.Thread(target=start, args=(grain,)).start()\nreturn 'on its way'",
        Passing.SOMETIMES,
    ),
}


@pytest.mark.parametrize(("body", "passing"), PASSING.values(), ids=PASSING)
def test_it_is_known_whether_every_way_leads_past_a_wait(body: str, passing: Passing) -> None:
    assert wait_of(body).passing is passing


ONCE = {
    "called once": ("return ground_fine(grain)", True),
    "for each item": ("for g in grains:\n    ground_fine(g)\nreturn 'ok'", False),
    "for each attempt": (
        "for _ in range(3):\n    if ground_fine(grain) == 'done':\n        break\nreturn 'ok'",
        False,
    ),
    "called twice": ("ground_fine(grain)\nreturn ground_fine(grains[0])", False),
    "all at once": ("asyncio.run(asyncio.to_thread(ground_fine, grain))\nreturn 'ok'", True),
}


@pytest.mark.parametrize(("body", "once"), ONCE.values(), ids=ONCE)
def test_it_is_known_whether_a_call_waits_once(body: str, once: bool) -> None:
    assert wait_of(body).once is once


def test_a_call_within_the_laps_of_a_wait_is_a_part_of_it() -> None:
    code = """
import subprocess
import time
from mcp.server.fastmcp import FastMCP

mcp = FastMCP("mill")


@mcp.tool()
def ground(grain: str) -> str:
    for _ in range(20):
        out = subprocess.run(["mill", "state", grain], capture_output=True, text=True, timeout=30).stdout
        if "queued" not in out:
            return out
        time.sleep(5)
    return out
"""
    (tool,) = linked({"mill.py": code}).tools
    loop = next(wait for wait in tool.waits if wait.kind == "loop")
    assert {wait.lap_of for wait in tool.waits if wait.kind == "call"} == {loop.place}


def test_a_call_that_only_follows_a_failure_says_so() -> None:
    body = """
try:
    return start(grain)["id"]
except requests.ConnectionError:
    subprocess.run(["mill", "start"], timeout=300)
    return start(grain)["id"]
"""
    assert wait_of(f"import subprocess\n{body}").passing is Passing.ON_FAILURE


OPTIONS = """
import time

import requests
from agno.tools import Toolkit


class Mill(Toolkit):
    def __init__(self, patient: bool = False, prompt: bool = True, **kwargs):
        self.patient = patient
        self.prompt = prompt
        super().__init__(name="mill", tools=[self.grind], **kwargs)

    def grind(self, grain: str) -> str:
        "Grind grain."
        job = requests.post("https://mill.example", json={"grain": grain}, timeout=5).json()
        if OPTION:
            for _ in range(10):
                if requests.get(job["url"], timeout=5).json()["state"] == "done":
                    break
                time.sleep(5)
        return job["url"]
"""


@pytest.mark.parametrize(
    ("option", "passing"),
    [
        ("self.patient", Passing.IF_ASKED),
        ("self.patient and job['eta']", Passing.IF_ASKED),
        ("not self.patient", Passing.SOMETIMES),
        ("self.patient or job['eta']", Passing.SOMETIMES),
        ("self.prompt", Passing.SOMETIMES),
    ],
)
def test_an_option_that_is_off_by_default_is_switched_on_by_whoever_sets_a_tool_up(
    option: str, passing: Passing
) -> None:
    assert only_wait({"mill.py": OPTIONS.replace("OPTION", option)}).passing is passing
