"""Which of the timeouts that a repository states holds for a tool.

A tool is judged by what is stated for its own package: that is, by the nearest of several folders that state the same
setting. Where one setting is stated several times there, and nothing tells which of them is meant, it is the longest:
the wait may well go through that one. Of different settings, each is a hop on the way, and the shortest hop counts.

What stands in front of the code and states its own timeout takes the place of the guess that proxies close a silent
connection after 100 s, whether it is shorter or longer. What only bounds the code can make the limit shorter alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache

from msgspec import Struct
from msgspec.structs import replace

from waitlint.catalog import globs
from waitlint.context import IdleLimit, Settings
from waitlint.limits.packages import Packages
from waitlint.limits.statement import NEVER, Hop, Statement
from waitlint.linked import Tool

MCP = "mcp"


class Chosen(Struct, frozen=True):
    """What holds for one tool. None where nothing is stated; `in_front` where a proxy is."""

    idle: IdleLimit | None = None
    client: IdleLimit | None = None
    in_front: bool = False


class Limits:
    """All that a repository states, by the files under one link root."""

    def __init__(self, statements: Iterable[Statement], packages: Packages, where: Callable[[Statement], str]) -> None:
        self.statements = tuple(statements)
        self._packages = packages
        self._where = where
        self._by_setting: dict[tuple[Hop, str], list[Statement]] = {}
        for one in self.statements:
            self._by_setting.setdefault((one.hop, one.what), []).append(one)
        self._known: dict[tuple[str, str, bool], Chosen] = {}

    def applied(self, settings: Settings, tool: Tool) -> Settings:
        """The settings for a tool, of its configuration and of what is stated."""
        return combined(settings, self.of(tool.place.path, tool.name, is_mcp=MCP in tool.framework))

    def of(self, path: str, tool: str = "", *, is_mcp: bool = True) -> Chosen:
        """What is stated for a tool in a file; without its name, for any tool there."""
        key = (path, tool, is_mcp)
        if key not in self._known:
            chosen = [one for (hop, _), group in self._by_setting.items() if (one := self._of(group, hop, *key))]
            waits = [one for one in chosen if one.hop is not Hop.CLIENT and one.seconds < NEVER]
            calls = [one for one in chosen if one.hop is Hop.CLIENT and one.seconds < NEVER]
            self._known[key] = Chosen(
                self._shortest(waits), self._shortest(calls), any(one.hop is Hop.PROXY for one in chosen)
            )
        return self._known[key]

    def _of(self, group: Sequence[Statement], hop: Hop, path: str, tool: str, is_mcp: bool) -> Statement | None:
        """The one of several statements of a setting that holds for a tool."""
        exact = [one for one in group if tool in one.tools or _is_about(one, path)]
        if exact:
            return max(exact, key=lambda one: one.seconds)
        around = [one for one in group if one.loose and not one.tools and self._reaches(one, hop, path)]
        if not around or (hop is Hop.CLIENT and not is_mcp):
            return None
        nearest = max(len(self._package(one)) for one in around)
        near = [one for one in around if len(self._package(one)) == nearest]
        told = [one for one in near if not one.default] or near
        return max(told, key=lambda one: one.seconds)

    def _package(self, one: Statement) -> str:
        return self._packages.of(one.place.path) if one.package is None else one.package

    def _reaches(self, one: Statement, hop: Hop, path: str) -> bool:
        """A proxy stands in front of all packages below it; a server or client is that of its own package."""
        package, own = self._package(one), self._packages.of(path)
        return package == own or (hop is Hop.PROXY and (not package or own.startswith(f"{package}/")))

    def _shortest(self, found: Sequence[Statement]) -> IdleLimit | None:
        if not found:
            return None
        one = min(found, key=lambda one: one.seconds)
        what = f"the default of {one.what}" if one.default else one.what
        return IdleLimit(one.seconds, f"{what}, {self._where(one)}", stated=True, place=one.place, renewed=one.renewed)


def combined(settings: Settings, found: Chosen) -> Settings:
    """The settings of a configuration with what the repository states, where the configuration itself says nothing."""
    idle, client = settings.idle_limit, settings.client_limit
    if not idle.stated and found.in_front:
        idle = found.idle or IdleLimit(NEVER, "what stands in front sets no idle timeout", stated=True)
    elif not idle.stated and found.idle is not None and found.idle.seconds < idle.seconds:
        idle = found.idle
    if not client.stated and found.client is not None:
        client = found.client
    return replace(settings, idle_limit=idle, client_limit=client)


def _is_about(one: Statement, path: str) -> bool:
    expression = _expression(one.about)
    return expression is not None and expression.match(path) is not None


@cache
def _expression(about: tuple[str, ...]) -> re.Pattern[str] | None:
    return globs.any_of(about)
