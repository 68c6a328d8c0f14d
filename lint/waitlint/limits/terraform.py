"""Terraform: what its resources state of proxies. A resource is found by its braces; nothing is evaluated."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from msgspec.structs import replace

from waitlint.limits.platforms import CLOUDFLARE, CLOUDFLARE_SECONDS
from waitlint.limits.proxies import without_comments
from waitlint.limits.statement import Hop, Statement, stated
from waitlint.limits.units import plain_seconds
from waitlint.source import Source

_RESOURCE = re.compile(r"^[ \t]*resource[ \t]+\"(?P<kind>\w+)\"[ \t]+\"[\w-]+\"[ \t]*\{", re.MULTILINE)
_BRACE = re.compile(r"[{}]")
_PROXIED = re.compile(r"\bproxied[ \t]*=[ \t]*true\b")


class Setting(NamedTuple):
    """An attribute of a resource; `only` is what the resource must hold besides."""

    name: str
    what: str
    only: str = ""


SETTINGS = {
    "cloudflare_zone_settings_override": Setting("proxy_read_timeout", CLOUDFLARE),
    "cloudflare_zone_setting": Setting("value", CLOUDFLARE, r"setting_id[ \t]*=[ \t]*\"proxy_read_timeout\""),
    "aws_lb": Setting("idle_timeout", "AWS load balancer idle timeout"),
    "aws_alb": Setting("idle_timeout", "AWS load balancer idle timeout"),
}
PROXIED = ("cloudflare_record", "cloudflare_dns_record")


def terraform(source: Source) -> Iterator[Statement]:
    """The proxies that a Terraform file sets up."""
    text = without_comments(source.text)
    for found in _RESOURCE.finditer(text):
        kind, start = found["kind"], found.end()
        setting = SETTINGS.get(kind)
        if setting is None and kind not in PROXIED:
            continue
        end = _end_of_block(text, start)
        if setting is None:
            if proxied := _PROXIED.search(text, start, end):
                found_there = stated(source, CLOUDFLARE_SECONDS, Hop.PROXY, CLOUDFLARE, *proxied.span())
                yield replace(found_there, default=True)
            continue
        if setting.only and not re.compile(setting.only).search(text, start, end):
            continue
        value = re.compile(rf"\b{setting.name}[ \t]*=[ \t]*\"?(\d+(?:\.\d+)?)\"?").search(text, start, end)
        seconds = plain_seconds(value.group(1)) if value else None
        if value and seconds is not None:
            yield stated(source, seconds, Hop.PROXY, setting.what, *value.span())


def _end_of_block(text: str, start: int) -> int:
    depth = 1
    for brace in _BRACE.finditer(text, start):
        depth += 1 if brace.group() == "{" else -1
        if not depth:
            return brace.start()
    return len(text)
