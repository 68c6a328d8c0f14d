"""All that the files of a repository state."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from waitlint.facts import FileFacts
from waitlint.limits import clients, code, commands, platforms, proxies, terraform
from waitlint.limits.choosing import Limits
from waitlint.limits.naming import kinds_of, may_state
from waitlint.limits.packages import Packages
from waitlint.limits.statement import Statement
from waitlint.source import Source

READERS: Mapping[str, Callable[[Source], Iterator[Statement]]] = {
    "nginx": proxies.nginx,
    "caddy": proxies.caddy,
    "ingress": proxies.ingress,
    "terraform": terraform.terraform,
    "vercel": platforms.vercel,
    "serverless": platforms.serverless,
    "cloudformation": platforms.cloudformation,
    "zuplo": platforms.zuplo,
    "cloudflare": platforms.cloudflare_tunnel,
    "gunicorn": commands.gunicorn,
    "claude-code": clients.tool_timeout_variable,
    "bundle": clients.bundle_timeout,
}


def find(paths: Iterable[str], facts: Mapping[str, FileFacts], read_source: Callable[[str], Source]) -> Limits:
    """What the files under a root state.

    `paths` are all files that are there, relative to the root, `facts` those of the code among them.
    """
    listed = sorted({*paths, *facts})
    packages = Packages(listed, read_source)
    found = [one for path in listed if may_state(path) for one in _read(read_source(path), packages)]
    for path, one in facts.items():
        found.extend(code.statements(path, one))

    def where(statement: Statement) -> str:
        place = statement.place
        return f"{place.path}:{read_source(place.path).position(place.span.start)[0]}"

    return Limits(found, packages, where)


def _read(source: Source, packages: Packages) -> Iterator[Statement]:
    for kind in kinds_of(source.path, source.data):
        if kind == "clients":
            yield from clients.settings(source, packages)
        else:
            yield from READERS[kind](source)
