"""A world in which fixed fixtures run: a clock that only they move, and a web that never ends its work, or hangs.

The frameworks and clients are stand-ins that do what the fixtures need of them: decorators hand the function back,
requests cost a little time, and a read that hangs ends by its timeout alone.
"""

from __future__ import annotations

import asyncio
import importlib
import selectors
import sys
import types
from collections.abc import Coroutine, Mapping
from pathlib import Path
from typing import Any

import pytest

REQUEST = 0.05


class HangsForEver(AssertionError):
    """Nothing will ever happen again."""


class TimedOut(Exception):
    """What a client raises when a timeout of its own is over."""


class World:
    """`state` is what every read answers; `hangs` where reads give no answer at all, `fails` where they give an error.

    `now` is the time in seconds, `stop_at` when every stop event is set, None for never.
    """

    def __init__(self, state: Any) -> None:
        self.state = state
        self.hangs = False
        self.fails = False
        self.now = 1_000.0
        self.reads = 0
        self.stop_at: float | None = None

    # ------------------------------------------------------------ time

    def sleep(self, seconds: float) -> None:
        self.now += max(0.0, seconds)

    def run(self, work: Coroutine[Any, Any, Any], *, stop_after: float | None = None) -> Any:
        """What a coroutine gives on a loop whose time is the world's; it is cancelled after some seconds if asked."""
        loop = asyncio.SelectorEventLoop(_Selector(self))
        loop.time = lambda: self.now  # type: ignore[method-assign]
        task = loop.create_task(work)
        try:
            if stop_after is not None:
                loop.call_later(stop_after, task.cancel)
            return loop.run_until_complete(task)
        finally:
            task.cancel()
            loop.close()

    # ------------------------------------------------------------ the web

    def read(self, timeout: float | None, late: type[Exception]) -> Response:
        """A blocking read."""
        self.reads += 1
        if not self.hangs:
            self.sleep(REQUEST)
            return Response(self.state)
        if timeout is None:
            raise HangsForEver
        self.sleep(timeout)
        raise late("no answer in time")

    async def read_async(self, timeout: float | None, late: type[Exception]) -> Response:
        self.reads += 1
        if not self.hangs:
            await asyncio.sleep(REQUEST)
            return Response(self.state)
        await asyncio.wait_for(asyncio.Event().wait(), timeout) if timeout is None else await asyncio.sleep(timeout)
        raise late("no answer in time")


class Response:
    def __init__(self, value: Any) -> None:
        self.value = value
        self.text = str(value)

    def json(self) -> Any:
        return self.value

    def raise_for_status(self) -> None:
        pass


class _Selector(selectors.DefaultSelector):
    """Waiting for the next timer moves the clock; waiting for nothing is for ever."""

    def __init__(self, world: World) -> None:
        super().__init__()
        self.world = world

    def select(self, timeout: float | None = None) -> Any:
        if timeout is None:
            raise HangsForEver
        self.world.sleep(timeout)
        return super().select(0)


# ---------------------------------------------------------------- stand-ins


def module(name: str, **members: Any) -> types.ModuleType:
    module = types.ModuleType(name)
    module.__dict__.update(members)
    return module


class _Server:
    """A server whose decorators, called or bare, hand the function back."""

    def __init__(self, *args: Any, **options: Any) -> None:
        pass

    def tool(self, *args: Any, **options: Any) -> Any:
        return args[0] if len(args) == 1 and callable(args[0]) else lambda function: function


def _tool(*args: Any, **options: Any) -> Any:
    return args[0] if len(args) == 1 and callable(args[0]) else lambda function: function


class _Event:
    """A stop event that is set when the world says so."""

    def __init__(self, world: World) -> None:
        self.world = world

    def is_set(self) -> bool:
        return self.world.stop_at is not None and self.world.now >= self.world.stop_at

    def wait(self, seconds: float) -> bool:
        until = self.world.now + seconds
        self.world.now = until if self.world.stop_at is None else max(self.world.now, min(until, self.world.stop_at))
        return self.is_set()


def _httpx(world: World) -> types.ModuleType:
    class HTTPError(Exception):
        pass

    class TimeoutException(HTTPError, TimedOut):
        pass

    class AsyncClient:
        def __init__(self, *, timeout: float | None = 5.0, **options: Any) -> None:
            self.timeout = timeout

        async def get(self, url: str, *, timeout: Any = ..., **options: Any) -> Response:
            return await world.read_async(self.timeout if timeout is ... else timeout, TimeoutException)

        post = get

        async def __aenter__(self) -> AsyncClient:
            return self

        async def __aexit__(self, *error: object) -> None:
            pass

    def get(url: str, *, timeout: float | None = 5.0, **options: Any) -> Response:
        return world.read(timeout, TimeoutException)

    return module(
        "httpx",
        AsyncClient=AsyncClient,
        HTTPError=HTTPError,
        TransportError=HTTPError,
        TimeoutException=TimeoutException,
        get=get,
        post=get,
    )


def _requests(world: World) -> types.ModuleType:
    class Timeout(TimedOut):
        pass

    def get(url: str, *, timeout: float | None = None, **options: Any) -> Response:
        return world.read(timeout, Timeout)

    class Session:
        def get(self, url: str, **options: Any) -> Response:
            return get(url, **options)

        post = get

    return module("requests", Timeout=Timeout, get=get, post=get, Session=Session)


def _stand_ins(world: World) -> dict[str, types.ModuleType]:
    clock = module(
        "time", monotonic=lambda: world.now, time=lambda: world.now, perf_counter=lambda: world.now, sleep=world.sleep
    )
    return {
        "time": clock,
        "threading": module("threading", Event=lambda: _Event(world)),
        "httpx": _httpx(world),
        "requests": _requests(world),
        "fastmcp": module("fastmcp", FastMCP=_Server),
        "mcp": module("mcp"),
        "mcp.server": module("mcp.server"),
        "mcp.server.fastmcp": module("mcp.server.fastmcp", FastMCP=_Server),
        "mcp.server.mcpserver": module("mcp.server.mcpserver", MCPServer=_Server),
        "langchain": module("langchain"),
        "langchain.tools": module("langchain.tools", tool=_tool),
        "langchain_core": module("langchain_core"),
        "langchain_core.tools": module("langchain_core.tools", BaseTool=object),
    }


def loaded(
    folder: Path,
    name: str,
    world: World,
    monkeypatch: pytest.MonkeyPatch,
    further: Mapping[str, types.ModuleType] = {},
) -> types.ModuleType:
    """A module of a project of the tests' own, in which clock, clients and frameworks are those of the world.

    `further` are stand-ins besides.
    """
    top = name.partition(".")[0]
    for known in [one for one in sys.modules if one == top or one.startswith(f"{top}.")]:
        monkeypatch.delitem(sys.modules, known)
    with monkeypatch.context() as during:
        during.syspath_prepend(str(folder))
        for stand_in, made in {**_stand_ins(world), **further}.items():
            during.setitem(sys.modules, stand_in, made)
        found = importlib.import_module(name)
    for loaded_now in [one for one in sys.modules if one == top or one.startswith(f"{top}.")]:
        del sys.modules[loaded_now]
    return found
