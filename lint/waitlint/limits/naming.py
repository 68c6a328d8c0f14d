"""Which files may state a timeout: by their names, and by the words that they must hold.

Nothing here needs what reads them, so that a commit of other files costs nothing.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from waitlint.catalog import globs

DATA = "**/*.{yaml,yml,json}"


class Named(NamedTuple):
    """Files by globs, and an expression for the bytes that one of them must hold."""

    files: tuple[str, ...]
    holds: bytes


NAMED = {
    "nginx": Named(
        ("**/*.{conf,nginx,vhost}{,.template,.tmpl,.j2,.example}", "**/{nginx,sites-available,sites-enabled}/**"),
        rb"(?:proxy|fastcgi|uwsgi|grpc)_read_timeout",
    ),
    "caddy": Named(("**/Caddyfile{,.*}", "**/*.{caddyfile,Caddyfile}"), rb"timeout|write"),
    "ingress": Named(
        (DATA, "**/*.{tf,hcl,tpl}"),
        rb"proxy-read-timeout|timeout-server|openshift\.io/timeout|konghq\.com/read-timeout"
        rb"|load-balancer-attributes|connection-idle-timeout",
    ),
    "terraform": Named(("**/*.tf",), rb"cloudflare_|aws_a?lb"),
    "vercel": Named(("**/vercel.json",), rb"maxDuration"),
    "serverless": Named(("**/serverless*.{yaml,yml,json}",), rb"provider"),
    "cloudformation": Named((DATA,), rb"AWS::(?:Serverless|Lambda|ApiGatewayV2|ElasticLoadBalancingV2)::"),
    "zuplo": Named(("**/zuplo.{jsonc,json}",), rb""),
    "cloudflare": Named(("**/*.{yaml,yml}",), rb"cloudflared|tunnel:"),
    "gunicorn": Named(
        (
            "**/{Dockerfile,Containerfile,Procfile}{,.*}",
            "**/*.{dockerfile,Dockerfile,sh}",
            "**/*{compose,render,app}*.{yaml,yml}",
            "**/{fly,railway,nixpacks}.{toml,json}",
        ),
        rb"gunicorn|GUNICORN_CMD_ARGS",
    ),
    "claude-code": Named(("**/.claude/settings{,.local}.json",), rb"MCP_TOOL_TIMEOUT"),
    "bundle": Named(("**/manifest.json",), rb"MCP_TOOL_TIMEOUT"),
    "clients": Named(
        (
            "**/{mcp,.mcp,mcp_settings,gemini-extension}.json",
            "**/*mcp*settings.json",
            "**/.gemini/settings.json",
            "**/.codex/config.toml",
        ),
        rb"timeout",
    ),
}
GUNICORN = re.compile(r"(?:^|/)gunicorn[\w.-]*\.py$")
CODE = (b"maxDuration", b"callTool", b"call_tool", b"ClientSession", b"timeout_seconds", b"fastmcp")
# What a client of FastMCP takes is called by a name that much else has, too.
FASTMCP = (rb"fastmcp", rb"timeout", rb"Client\b|\bcall_tool\b")


def may_state(path: str) -> bool:
    """Whether a file that is no code may state a timeout, by its name."""
    return _any_name().match(path) is not None


def kinds_of(path: str, content: bytes) -> tuple[str, ...]:
    """What a file may state a timeout as, by its name and by the words in it."""
    if not may_state(path):
        return ()
    return tuple(kind for kind, name, holds in _by_kind() if name.match(path) and holds.search(content))


def code_may_state(path: str, content: bytes) -> bool:
    """Whether code may state a timeout, by its name and by the words in it."""
    if GUNICORN.search(path) is not None:
        return True
    if not path.endswith((".py", ".pyi")):
        # A loop: nearly all files hold none of them, and a generator takes longer to say so.
        for word in CODE:  # noqa: SIM110
            if word in content:
                return True
        return False
    return b"timeout_seconds" in content or all(re.search(words, content) for words in FASTMCP)


@cache
def _any_name() -> re.Pattern[str]:
    return _expression(tuple(glob for named in NAMED.values() for glob in named.files))


@cache
def _by_kind() -> tuple[tuple[str, re.Pattern[str], re.Pattern[bytes]], ...]:
    return tuple((kind, _expression(named.files), re.compile(named.holds)) for kind, named in NAMED.items())


def _expression(files: tuple[str, ...]) -> re.Pattern[str]:
    found = globs.any_of(files)
    assert found is not None
    return found
