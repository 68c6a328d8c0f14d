"""Which waits a tool gets to: through annotations, heirs of abstract classes, and objects chosen in branches."""

from __future__ import annotations

import pytest

from linking import only_tool

HEAD = """
from __future__ import annotations

import time
from abc import ABC, abstractmethod
from typing import Optional, Union

import requests
from mcp.server.fastmcp import FastMCP

import shelf

mcp = FastMCP("kiln")
"""
KILN = """
class Firing:
    def __init__(self, number: str) -> None:
        self.number = number

    def settle(self, limit: int = 40) -> str:
        end = time.monotonic() + limit
        while True:
            state = requests.get("https://kiln.example/" + self.number, timeout=5).json()["state"]
            if state != "firing" or time.monotonic() > end:
                return state
            time.sleep(2)


class Kiln:
    def firing(self, number: str) -> Firing:
        return shelf.lookup(number)
"""
REACHED = {
    "a local with an annotation": (
        "def found(n):\n    return shelf.get(n)\n\n"
        "@mcp.tool()\ndef fired(n: str) -> str:\n    'Wait.'\n    one: Firing = found(n)\n    return one.settle()",
        40,
    ),
    "a helper that says what it gives": (
        "def found(n) -> Firing:\n    return shelf.get(n)\n\n"
        "@mcp.tool()\ndef fired(n: str) -> str:\n    'Wait.'\n    return found(n).settle(limit=20)",
        20,
    ),
    "a method that says what it gives": (
        "def kiln() -> Kiln:\n    return shelf.kiln()\n\n"
        "@mcp.tool()\ndef fired(n: str) -> str:\n    'Wait.'\n    one = kiln().firing(n)\n    return one.settle()",
        40,
    ),
    "an optional one": (
        "def found(n) -> Optional[Firing]:\n    return shelf.get(n)\n\n"
        "@mcp.tool()\ndef fired(n: str) -> str:\n    'Wait.'\n    one = found(n)\n"
        "    if one is None:\n        return 'unknown'\n    return one.settle()",
        40,
    ),
    "one of two": (
        "class Oven:\n    def settle(self) -> str:\n        return 'cold'\n\n"
        "def found(n) -> Union[Oven, Firing]:\n    return shelf.get(n)\n\n"
        "@mcp.tool()\ndef fired(n: str) -> str:\n    'Wait.'\n    return found(n).settle()",
        40,
    ),
    "the heir of an abstract class": (
        "class Heat(ABC):\n    @abstractmethod\n    def run(self, n: str) -> str: ...\n\n"
        "class Gas(Heat):\n    def run(self, n: str) -> str:\n        return Firing(n).settle(30)\n\n"
        "class Hall:\n    def __init__(self, heat: Heat) -> None:\n        self.heat = heat\n\n"
        "def hall() -> Hall:\n    return shelf.hall()\n\n"
        "@mcp.tool()\ndef fired(n: str) -> str:\n    'Wait.'\n    return hall().heat.run(n)",
        30,
    ),
    "an attribute that is set in branches": (
        "class Slow:\n    def run(self, n):\n        return Firing(n).settle(50)\n\n"
        "class Quick:\n    def run(self, n):\n        return 'done'\n\n"
        "class Hall:\n    def __init__(self, kind: str) -> None:\n        self.heat: Union[Slow, Quick]\n"
        "        if kind == 'slow':\n            self.heat = Slow()\n        elif kind == 'quick':\n            self.heat = Quick()\n\n"
        "hall = Hall(shelf.kind())\n\n"
        "@mcp.tool()\ndef fired(n: str) -> str:\n    'Wait.'\n    return hall.heat.run(n)",
        50,
    ),
    "a method of objects that are made in branches": (
        "class Hall:\n    def __init__(self, limit: int) -> None:\n        self.limit = limit\n\n"
        "    def run(self, n):\n        return Firing(n).settle(self.limit)\n\n"
        "@mcp.tool()\ndef fired(n: str, kind: str) -> str:\n    'Wait.'\n    hall: Hall\n"
        "    if kind == 'a':\n        hall = Hall(10)\n    elif kind == 'b':\n        hall = Hall(10)\n    else:\n        hall = Hall(10)\n"
        "    return hall.run(n)",
        10,
    ),
    "a guard that asks whether something is there": (
        "class Key:\n    pass\n\ndef key(name: str) -> Key | None:\n    return shelf.key(name)\n\n"
        "@mcp.tool()\ndef fired(n: str) -> str:\n    'Wait.'\n    own, shared = key('own'), key('shared')\n"
        "    if own is not None and shared is not None:\n        raise ValueError('one of them')\n    return Firing(n).settle()",
        40,
    ),
}


@pytest.mark.parametrize("name", REACHED)
def test_the_wait_is_reached(name: str) -> None:
    body, cap = REACHED[name]
    tool = only_tool({"kiln.py": HEAD + KILN + body})
    assert [wait.cap.value for wait in tool.waits] == [cap]


NOT_REACHED = {
    "many heirs": (
        "class Heat(ABC):\n    @abstractmethod\n    def run(self, n: str) -> str: ...\n\n"
        + "".join(
            f"class Heat{i}(Heat):\n    def run(self, n):\n        return Firing(n).settle()\n\n" for i in range(7)
        )
        + "def heat() -> Heat:\n    return shelf.heat()\n\n"
        "@mcp.tool()\ndef fired(n: str) -> str:\n    'Wait.'\n    return heat().run(n)"
    ),
    "a method that the class itself has": (
        "class Heat:\n    def run(self, n):\n        return 'done'\n\n"
        "class Gas(Heat):\n    def run(self, n):\n        return Firing(n).settle()\n\n"
        "def heat() -> Heat:\n    return shelf.heat()\n\n"
        "@mcp.tool()\ndef fired(n: str) -> str:\n    'Wait.'\n    return heat().run(n)"
    ),
    "a class of another library": (
        "def found(n) -> shelf.Firing:\n    return shelf.get(n)\n\n"
        "@mcp.tool()\ndef fired(n: str) -> str:\n    'Wait.'\n    return found(n).settle()"
    ),
}


@pytest.mark.parametrize("name", NOT_REACHED)
def test_nothing_is_made_up_where_it_is_not_known_what_runs(name: str) -> None:
    assert only_tool({"kiln.py": HEAD + KILN + NOT_REACHED[name]}).waits == ()


def test_a_test_may_hold_what_cannot_be_hashed() -> None:
    body = (
        "@mcp.tool()\ndef fired(n: str, kinds: list) -> str:\n    'Wait.'\n    made = {'kind': kinds} if n else {'kind': 'a'}\n"
        "    if made in ({'kind': n}, {'kind': kinds}):\n        return Firing(n).settle()\n    return ''"
    )
    assert len(only_tool({"kiln.py": HEAD + KILN + body}).waits) == 1


SUBMITTED = (
    "def one(n: str) -> str:\n    return Firing(n).settle(60)\n\n"
    "@mcp.tool()\ndef fired(ns: list[str]) -> list[str]:\n    'Wait.'\n    found = []\n"
    "    with ThreadPoolExecutor() as pool:\n        jobs = {pool.submit(one, n): n for n in ns}\n"
    "        for job in as_completed(jobs):\n            found.append(job.result())\n    return found"
)


def test_what_is_submitted_to_a_pool_is_waited_for_as_it_completes() -> None:
    imported = "from concurrent.futures import ThreadPoolExecutor, as_completed\n"
    tool = only_tool({"kiln.py": HEAD + imported + KILN + SUBMITTED})
    assert [wait.cap.value for wait in tool.waits] == [60]


def test_a_client_that_is_set_later_is_known_by_its_annotation() -> None:
    body = (
        "import docker\n\nclass Hall:\n    def __init__(self) -> None:\n        self.client: Optional[docker.DockerClient] = None\n\n"
        "    def stop(self, n: str) -> None:\n        if self.client is None:\n            self.client = shelf.client()\n"
        "        self.client.containers.get(n).stop(timeout=20)\n\nhall = Hall()\n\n"
        "@mcp.tool()\ndef stopped(n: str) -> str:\n    'Wait.'\n    hall.stop(n)\n    return n"
    )
    assert [wait.cap.value for wait in only_tool({"kiln.py": HEAD + body}).waits] == [20]


def test_a_field_that_is_nothing_at_first_may_be_set_later() -> None:
    body = (
        "class Settings:\n    kiln: Optional[str] = None\n\n\ndef settings() -> Settings:\n    return shelf.settings()\n\n"
        "@mcp.tool()\ndef fired(n: str) -> str:\n    'Wait.'\n    if not settings().kiln:\n        raise ValueError('no kiln')\n"
        "    return Firing(n).settle()"
    )
    assert [wait.cap.value for wait in only_tool({"kiln.py": HEAD + KILN + body}).waits] == [40]


PAGES = """
import asyncio

from playwright.async_api import Page, async_playwright


class Session:
    def __init__(self) -> None:
        self.page = None

    async def opened(self):
        self.page = await shelf.page()

    def active(self) -> Optional[Page]:
        return self.page


class Window:
    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self.sessions: dict[str, Session] = {}

    def page_of(self, name: str) -> Optional[Page]:
        session = self.sessions.get(name)
        if session:
            return session.active()
        return None

    def run(self, coroutine):
        return self.loop.run_until_complete(coroutine)

    def shown(self, name: str) -> str:
        return self.run(self._shown(name))

    async def _shown(self, name: str) -> str:
        page = self.page_of(name)
        if not page:
            return "no page"
        await page.goto("https://kiln.example/" + name)
        await page.wait_for_load_state("networkidle")
        return await page.title()


window = Window()


@mcp.tool()
def shown(name: str) -> str:
    'Show a page.'
    return window.shown(name)
"""


def test_a_page_is_found_in_a_session_that_is_kept_on_an_object() -> None:
    assert [wait.cap.value for wait in only_tool({"kiln.py": HEAD + PAGES}).waits] == [30]


def test_a_client_that_another_method_sets_is_not_known_to_be_missing() -> None:
    body = (
        "class Hall:\n    def __init__(self) -> None:\n        self._client = None\n\n"
        "    def open(self) -> None:\n        self._client = shelf.client()\n\n"
        "    def fired(self, n: str) -> str:\n        if self._client is None:\n            raise RuntimeError('closed')\n"
        "        return Firing(n).settle()\n\nhall = Hall()\n\n"
        "@mcp.tool()\ndef fired(n: str) -> str:\n    'Wait.'\n    return hall.fired(n)"
    )
    assert [wait.cap.value for wait in only_tool({"kiln.py": HEAD + KILN + body}).waits] == [40]


def test_a_client_that_nobody_sets_is_missing() -> None:
    body = (
        "class Hall:\n    def __init__(self) -> None:\n        self._client = None\n\n"
        "    def fired(self, n: str) -> str:\n        if self._client is None:\n            raise RuntimeError('closed')\n"
        "        return Firing(n).settle()\n\nhall = Hall()\n\n"
        "@mcp.tool()\ndef fired(n: str) -> str:\n    'Wait.'\n    return hall.fired(n)"
    )
    assert only_tool({"kiln.py": HEAD + KILN + body}).waits == ()
