"""Clients of MCP servers: how long their settings let a tool call last, and which server of the repository that is.

A server that is started from a path of the repository, or by the name of one of its packages, is one of its own; what
is set for any other says nothing of the code here.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from typing import NamedTuple

from msgspec.structs import replace

from waitlint.catalog import globs
from waitlint.facts import Expr
from waitlint.limits.data import at, documents, fields, items, number_of, text_of
from waitlint.limits.packages import Packages
from waitlint.limits.statement import Hop, Statement, stated
from waitlint.limits.units import plain_milliseconds
from waitlint.source import Source

LEAST_MILLISECONDS = 5_000
MOST_SECONDS = 600
USER_SETTING = re.compile(r"\$\{user_config\.([\w-]+)\}")
PLACEHOLDERS = ("${workspaceFolder}", "${CLAUDE_PLUGIN_ROOT}", "${PWD}", "$PWD")


class Client(NamedTuple):
    """Where one client keeps its servers. `scale` turns its unit into seconds, None where the number has to tell it."""

    name: str
    files: tuple[str, ...]
    servers: tuple[str, ...]
    key: str
    scale: float | None


# Sources: the documentation of each client.
CLIENTS = (
    Client("Codex tool_timeout_sec", ("**/.codex/config.toml",), ("mcp_servers",), "tool_timeout_sec", 1.0),
    Client("Gemini CLI timeout", ("**/.gemini/settings.json",), ("mcpServers",), "timeout", 0.001),
    Client("Gemini CLI timeout", ("**/gemini-extension.json",), ("mcpServers",), "timeout", 0.001),
    Client("Cline timeout", ("**/cline_mcp_settings.json",), ("mcpServers",), "timeout", 1.0),
    Client("Roo Code timeout", ("**/.roo/mcp.json", "**/mcp_settings.json"), ("mcpServers",), "timeout", 1.0),
    Client("Amazon Q timeout", ("**/.amazonq/mcp.json",), ("mcpServers",), "timeout", 0.001),
    Client("Claude Code timeout", ("**/.mcp.json",), ("mcpServers",), "timeout", 0.001),
    Client("MCP client timeout", ("**/mcp.json", "**/*mcp*settings.json"), ("mcpServers",), "timeout", None),
    Client("MCP client timeout", ("**/mcp.json",), ("servers",), "timeout", None),
)


def settings(source: Source, packages: Packages) -> Iterator[Statement]:
    """What a client's settings file states for servers of this repository."""
    clients = [client for client in CLIENTS if (fits := globs.any_of(client.files)) and fits.match(source.path)]
    for document in documents(source) if clients else ():
        for client in clients[:1] if clients[0].scale else clients:
            for _, server in fields(at(document, *client.servers)):
                value = at(server, client.key)
                seconds = _seconds(value, client)
                package = _package(server, posixpath.dirname(source.path), packages) if seconds else None
                if value is not None and seconds is not None and package is not None:
                    found = stated(source, seconds, Hop.CLIENT, client.name, value.span.start, value.span.end)
                    yield replace(found, package=package, renewed=None)


def tool_timeout_variable(source: Source) -> Iterator[Statement]:
    """`MCP_TOOL_TIMEOUT`, in milliseconds, in the settings of Claude Code."""
    for document in documents(source):
        value = at(document, "env", "MCP_TOOL_TIMEOUT")
        seconds = number_of(value)
        if value is not None and seconds is not None:
            yield stated(
                source, seconds / 1000, Hop.CLIENT, "Claude Code MCP_TOOL_TIMEOUT", value.span.start, value.span.end
            )


def bundle_timeout(source: Source) -> Iterator[Statement]:
    """`MCP_TOOL_TIMEOUT`, in milliseconds, with which a bundle has its server started.

    It is written there, or the default of what the user may set. Source: @anthropic-ai/mcpb 2.1.2.
    """
    for document in documents(source):
        value = at(document, "server", "mcp_config", "env", "MCP_TOOL_TIMEOUT")
        asked = USER_SETTING.fullmatch(text_of(value))
        if asked is not None:
            value = at(document, "user_config", asked[1], "default")
        seconds = number_of(value)
        if value is not None and seconds is not None:
            yield stated(source, seconds / 1000, Hop.CLIENT, "MCP_TOOL_TIMEOUT", value.span.start, value.span.end)


def _seconds(value: Expr | None, client: Client) -> float | None:
    number = number_of(value)
    if number is None:
        return None
    if client.scale is not None:
        return number * client.scale
    if number >= LEAST_MILLISECONDS:
        return plain_milliseconds(str(number))
    return number if number <= MOST_SECONDS else None


def _package(server: Expr, folder: str, packages: Packages) -> str | None:
    """The package of the repository that a server runs."""
    words = [text_of(at(server, "command")), *map(text_of, items(at(server, "args")))]
    base = _inside(folder, text_of(at(server, "cwd"))) or ""
    for word in words:
        for start in dict.fromkeys((base, folder, "")):
            if (found := packages.run_by(_inside(start, word) or "")) is not None:
                return found
    for word in words:
        name = word.rpartition("@")[0] if "@" in word[1:] else word
        if (named := packages.named(name)) is not None:
            return named
    return None


def _inside(folder: str, word: str) -> str | None:
    """A path as a settings file writes it, relative to the root; None where it is none, or leads out."""
    for placeholder in PLACEHOLDERS:
        word = word.replace(placeholder, ".")
    if not word or word.startswith(("/", "-", "~", "$", "@")) or "://" in word:
        return None
    path = posixpath.normpath(posixpath.join(folder, word))
    return None if path.startswith("..") else path
