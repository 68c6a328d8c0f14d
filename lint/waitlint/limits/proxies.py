"""Proxies that are configured by text: nginx, Caddy, and the annotations of Kubernetes ingresses."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from waitlint.limits.statement import Hop, Statement, stated
from waitlint.limits.units import go_duration, nginx_time, plain_milliseconds, plain_seconds
from waitlint.source import Source

NGINX = ("proxy_read_timeout", "fastcgi_read_timeout", "uwsgi_read_timeout", "grpc_read_timeout")
_NGINX = re.compile(rf"(?<![^\s;{{}}])({'|'.join(NGINX)})\s+([\"']?)([^;\"'{{}}]+)\2\s*;")
_COMMENT = re.compile(r"(?<![^\s;{}])#[^\n]*")
_WORD = re.compile(r"\S+")

CADDY = {
    ("transport", "read_timeout"): "Caddy read_timeout",
    ("transport", "response_header_timeout"): "Caddy response_header_timeout",
    ("timeouts", "write"): "Caddy write timeout",
}

Unit = Callable[[str], "float | None"]


def _idle_attribute(text: str) -> float | None:
    """The idle timeout among the attributes of a load balancer."""
    found = re.search(r"idle_timeout\.timeout_seconds=(\d+)", text)
    return plain_seconds(found.group(1)) if found else None


# Sources: the documentation of each controller.
ANNOTATIONS: dict[str, tuple[str, Unit]] = {
    "nginx.ingress.kubernetes.io/proxy-read-timeout": ("nginx ingress proxy-read-timeout", plain_seconds),
    "nginx.org/proxy-read-timeout": ("nginx ingress proxy-read-timeout", nginx_time),
    "haproxy.org/timeout-server": ("HAProxy ingress timeout-server", go_duration),
    "haproxy-ingress.github.io/timeout-server": ("HAProxy ingress timeout-server", go_duration),
    "haproxy.router.openshift.io/timeout": ("OpenShift route timeout", go_duration),
    "konghq.com/read-timeout": ("Kong read-timeout", plain_milliseconds),
    "alb.ingress.kubernetes.io/load-balancer-attributes": ("AWS load balancer idle timeout", _idle_attribute),
    "service.beta.kubernetes.io/aws-load-balancer-connection-idle-timeout": (
        "AWS load balancer idle timeout",
        plain_seconds,
    ),
}
_ANNOTATION = re.compile(
    rf"(?P<quote>[\"']?)(?P<key>{'|'.join(map(re.escape, ANNOTATIONS))})(?P=quote)[ \t]*[:=][ \t]*"
    r"(?:\"(?P<double>[^\"\n]*)\"|'(?P<single>[^'\n]*)'|(?P<bare>[^\s#}\"']+))"
)


def nginx(source: Source) -> Iterator[Statement]:
    """How long nginx waits for the next byte of what it passes a request to."""
    text = without_comments(source.text)
    for found in _NGINX.finditer(text):
        seconds = nginx_time(found.group(3))
        if seconds is not None:
            yield stated(source, seconds, Hop.PROXY, f"nginx {found.group(1)}", found.start(1), found.end(3))


def caddy(source: Source) -> Iterator[Statement]:
    """How long a Caddyfile lets Caddy wait for what it passes a request to."""
    blocks: list[str] = []
    offset = 0
    for line in without_comments(source.text).splitlines(keepends=True):
        words = [(word.group(), offset + word.start()) for word in _WORD.finditer(line)]
        offset += len(line)
        if not words:
            continue
        first, start = words[0]
        what = CADDY.get((blocks[-1], first)) if blocks else None
        if what and len(words) > 1:
            written, at = words[1]
            seconds = go_duration(written)
            if seconds is not None:
                yield stated(source, seconds, Hop.PROXY, what, start, at + len(written))
        if first == "}":
            blocks[-1:] = []
        elif words[-1][0] == "{":
            blocks.append(first)


def ingress(source: Source) -> Iterator[Statement]:
    """The annotations that set a proxy's timeout, in manifests, values, templates and Terraform alike."""
    for found in _ANNOTATION.finditer(source.text):
        line = source.line_text(source.position(found.start())[0])
        if line.lstrip().startswith(("#", "//")):
            continue
        what, unit = ANNOTATIONS[found["key"]]
        seconds = unit(found["double"] or found["single"] or (found["bare"] or "").rstrip(","))
        if seconds is not None:
            yield stated(source, seconds, Hop.PROXY, what, found.start(), found.end())


def without_comments(text: str) -> str:
    """The text with its `#` comments blanked, so that offsets stay."""
    return _COMMENT.sub(lambda found: " " * len(found.group()), text)
