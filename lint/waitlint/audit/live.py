"""What a live MCP server says of itself, as a document that is judged like any other. No tool is ever called.

The official SDK, an extra, does the talking.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import re
import shlex
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from msgspec import Struct

if TYPE_CHECKING:
    from mcp import Client

SECONDS = 30.0
MOST_PAGES = 100
NO_HEADERS: Mapping[str, str] = MappingProxyType({})
PARTS = {
    "tools": ("tools", "list_tools", "tools"),
    "prompts": ("prompts", "list_prompts", "prompts"),
    "resources": ("resources", "list_resources", "resources"),
    "resourceTemplates": ("resources", "list_resource_templates", "resource_templates"),
}


class NoServer(Exception):
    """The server could not be asked; the message says why."""


class Live(Struct, frozen=True):
    """What a server says of itself.

    `document` is indented JSON with `server`, `instructions`, `tools`, `prompts`, `resources` and `resourceTemplates`,
    each as the protocol has it; a prompt that takes no arguments has its `messages`.
    """

    name: str
    document: bytes

    @property
    def file_name(self) -> str:
        """A name for a file with the document, by which it is known what it is to a model."""
        plain = re.sub(r"[^A-Za-z0-9._-]+", "-", self.name).strip("-.")[:80]
        return f"{plain or 'server'}.mcp-server.json"


def from_command(command: str, seconds: float = SECONDS) -> Live:
    """Start a server, list what it offers, and end it with all that it has started. Raises NoServer."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise NoServer(f"{command!r} is no command: {error}") from error
    if not words:
        raise NoServer("the command is empty")
    _needed()
    from mcp import StdioServerParameters
    from mcp.client.stdio import stdio_client

    with open(os.devnull, "w", encoding="utf-8") as nowhere:
        parameters = StdioServerParameters(command=words[0], args=words[1:], env=dict(os.environ))
        return _told(lambda: stdio_client(parameters, errlog=nowhere), command, seconds)


def from_url(url: str, seconds: float = SECONDS, headers: Mapping[str, str] = NO_HEADERS) -> Live:
    """List what a server offers over HTTP; `headers` go with each request. Raises NoServer."""
    _needed()
    import httpx2
    from mcp.client.streamable_http import streamable_http_client

    @asynccontextmanager
    async def connected() -> AsyncIterator[Any]:
        async with (
            httpx2.AsyncClient(headers=dict(headers), timeout=seconds) as client,
            streamable_http_client(url, http_client=client) as streams,
        ):
            yield streams

    return _told(connected, url, seconds)


def _needed() -> None:
    try:
        import mcp  # noqa: F401
    except ImportError as error:
        raise NoServer("a live server is asked with the MCP SDK: pip install 'waitlint[mcp]'") from error


def _told(server: Callable[[], Any], called: str, seconds: float) -> Live:
    garbage: list[str] = []
    with _unheard(garbage):
        try:
            return asyncio.run(_within(server, called, seconds))
        except Exception as error:
            cause = _innermost(error)
            if isinstance(cause, TimeoutError):
                why = f"{called} did not answer within {seconds:g} s"
                raise NoServer(f"{why}, and wrote what is no message" if garbage else why) from error
            raise NoServer(f"{called}: {f'{cause}' or type(cause).__name__}") from error


async def _within(server: Callable[[], Any], called: str, seconds: float) -> Live:
    from mcp import Client

    async with asyncio.timeout(seconds), Client(server()) as client:
        return await _listed(client, called)


async def _listed(client: Client, called: str) -> Live:
    offered = client.server_capabilities
    info = client.server_info
    found: dict[str, Any] = {
        "server": _plain(info) if info is not None else {},
        "instructions": client.instructions or "",
    }
    for key, (capability, method, field) in PARTS.items():
        found[key] = []
        if getattr(offered, capability) is not None:
            found[key] = [_plain(item) async for item in _pages(getattr(client, method), field)]
    for prompt in found["prompts"]:
        if not prompt.get("arguments"):
            prompt["messages"] = [_plain(one) for one in (await client.get_prompt(prompt["name"])).messages]
    text = json.dumps(found, indent=2, ensure_ascii=False) + "\n"
    return Live(info.name if info is not None else called, text.encode("utf-8", "replace"))


async def _pages(method: Callable[..., Awaitable[Any]], field: str) -> Any:
    """What a list holds, page after page, up to a limit: a server may have no end."""
    cursor: str | None = None
    for _ in range(MOST_PAGES):
        page = await method(cursor=cursor)
        for item in getattr(page, field):
            yield item
        cursor = page.next_cursor
        if not cursor:
            return


def _plain(model: Any) -> dict[str, Any]:
    plain: dict[str, Any] = model.model_dump(mode="json", by_alias=True, exclude_none=True)
    return plain


def _innermost(error: BaseException) -> BaseException:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


class _Keeping(logging.Handler):
    """Keeps what is logged, and shows nothing."""

    def __init__(self, kept: list[str]) -> None:
        super().__init__()
        self.kept = kept

    def emit(self, record: logging.LogRecord) -> None:
        if "parse" in record.getMessage().lower():
            self.kept.append(record.getMessage())


@contextmanager
def _unheard(kept: list[str]) -> Iterator[None]:
    """The SDK logs tracebacks of a server's faults; they are kept from the terminal."""
    logger, handler = logging.getLogger("mcp"), _Keeping(kept)
    propagates = logger.propagate
    logger.addHandler(handler)
    logger.propagate = False
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.propagate = propagates
