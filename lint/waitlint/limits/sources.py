"""Which files state a timeout, and what reads them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from waitlint.catalog import globs
from waitlint.limits import clients, commands, platforms, proxies, terraform
from waitlint.limits.packages import Packages
from waitlint.limits.statement import Statement
from waitlint.source import Source

DATA = "**/*.{yaml,yml,json}"
STARTS = (
    "**/{Dockerfile,Containerfile,Procfile}{,.*}",
    "**/*.{dockerfile,Dockerfile,sh}",
    "**/*{compose,render,app}*.{yaml,yml}",
    "**/{fly,railway,nixpacks}.{toml,json}",
)


class _Reader(NamedTuple):
    """Files by globs; the bytes that one of them must hold; what reads it."""

    files: tuple[str, ...]
    holds: bytes
    read: Callable[[Source], Iterator[Statement]]


def _words(*words: str) -> bytes:
    return "|".join(map(re.escape, words)).encode()


READERS = (
    _Reader(
        ("**/*.{conf,nginx,vhost}{,.template,.tmpl,.j2,.example}", "**/{nginx,sites-available,sites-enabled}/**"),
        _words(*proxies.NGINX),
        proxies.nginx,
    ),
    _Reader(("**/Caddyfile{,.*}", "**/*.{caddyfile,Caddyfile}"), rb"timeout|write", proxies.caddy),
    _Reader((DATA, "**/*.{tf,hcl,tpl}"), _words(*proxies.ANNOTATIONS), proxies.ingress),
    _Reader(("**/*.tf",), rb"cloudflare_|aws_a?lb", terraform.terraform),
    _Reader(("**/vercel.json",), rb"maxDuration", platforms.vercel),
    _Reader(("**/serverless*.{yaml,yml,json}",), rb"provider", platforms.serverless),
    _Reader((DATA,), rb"AWS::(?:Serverless|Lambda|ApiGatewayV2|ElasticLoadBalancingV2)::", platforms.cloudformation),
    _Reader(("**/zuplo.{jsonc,json}",), rb"", platforms.zuplo),
    _Reader(("**/*.{yaml,yml}",), rb"cloudflared|tunnel:", platforms.cloudflare_tunnel),
    _Reader(STARTS, rb"gunicorn|GUNICORN_CMD_ARGS", commands.gunicorn),
    _Reader(("**/.claude/settings{,.local}.json",), rb"MCP_TOOL_TIMEOUT", clients.tool_timeout_variable),
)
CLIENT_FILES = tuple(glob for client in clients.CLIENTS for glob in client.files)
CLIENT_HOLDS = rb"timeout"


def _expression(files: tuple[str, ...]) -> re.Pattern[str]:
    found = globs.any_of(files)
    assert found is not None
    return found


_BY_NAME = tuple((_expression(reader.files), re.compile(reader.holds), reader.read) for reader in READERS)
_CLIENT_NAME = _expression(CLIENT_FILES)
_CLIENT_HOLDS = re.compile(CLIENT_HOLDS)
_ANY_NAME = _expression((*(glob for reader in READERS for glob in reader.files), *CLIENT_FILES))


def may_state(path: str) -> bool:
    """Whether a file may state a timeout, by its name."""
    return _ANY_NAME.match(path) is not None


def seems_to_state(path: str, content: bytes) -> bool:
    """Whether a file may state a timeout, by its name and by the words in it."""
    if not may_state(path):
        return False
    if _CLIENT_NAME.match(path) and _CLIENT_HOLDS.search(content):
        return True
    return any(name.match(path) and holds.search(content) for name, holds, _ in _BY_NAME)


def read(source: Source, packages: Packages) -> Iterator[Statement]:
    """What a file states, in the order of the readers."""
    content = source.data
    for name, holds, reader in _BY_NAME:
        if name.match(source.path) and holds.search(content):
            yield from reader(source)
    if _CLIENT_NAME.match(source.path) and _CLIENT_HOLDS.search(content):
        yield from clients.settings(source, packages)
