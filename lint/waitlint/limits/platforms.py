"""Platforms that run the code: Vercel, Serverless Framework, AWS SAM and CloudFormation, and what stands before it.

A function's own time is up whatever it sends. Vercel's edge belongs to its functions, so that their duration is what
its proxy holds; in front of a Lambda function there may be anything.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from msgspec.structs import replace

from waitlint.facts import Expr
from waitlint.limits.data import at, documents, fields, items, number_of, text_of
from waitlint.limits.statement import Hop, Statement, stated
from waitlint.source import Source

VERCEL = "Vercel maxDuration"
LAMBDA = "AWS Lambda timeout"
CLOUDFLARE = "Cloudflare proxy_read_timeout"
ZUPLO = "Zuplo proxy read timeout"
FUNCTIONS = ("AWS::Serverless::Function", "AWS::Lambda::Function")
CLOUDFLARE_SECONDS = 100.0
ZUPLO_SECONDS = 180.0


def vercel(source: Source) -> Iterator[Statement]:
    """`functions` of a vercel.json: globs of files, each with how long their function may run."""
    folder = posixpath.dirname(source.path)
    for document in documents(source):
        for glob, function in fields(at(document, "functions")):
            yield from _timed(
                source, at(function, "maxDuration"), VERCEL, hop=Hop.PROXY, about=(_from_root(folder, glob),)
            )


def serverless(source: Source) -> Iterator[Statement]:
    """The functions of a serverless.yml, with the provider's timeout for those that have none of their own."""
    folder = posixpath.dirname(source.path)
    for document in documents(source):
        provider = at(document, "provider")
        if provider is None:
            continue
        groups = at(document, "functions")
        functions = [function for group in (groups, *items(groups)) for _, function in fields(group)]
        common = at(provider, "timeout")
        for function in functions:
            handler = _module(folder, text_of(at(function, "handler")))
            own = at(function, "timeout")
            yield from _timed(source, own or common, LAMBDA, about=(handler,) if handler else ())
        if not functions:
            yield from _timed(source, common, LAMBDA)


def cloudformation(source: Source) -> Iterator[Statement]:
    """The functions of a SAM or CloudFormation template, and the load balancers and gateways before them."""
    folder = posixpath.dirname(source.path)
    for document in documents(source):
        common = at(document, "Globals", "Function", "Timeout")
        for _, resource in fields(at(document, "Resources")):
            kind, properties = text_of(at(resource, "Type")), at(resource, "Properties")
            if kind in FUNCTIONS:
                code = text_of(at(properties, "CodeUri"))
                about = (_from_root(folder, f"{code.strip('/')}/**"),) if code.strip("./") and "://" not in code else ()
                for one in _timed(source, at(properties, "Timeout") or common, LAMBDA, about=about):
                    yield replace(one, loose=not about)
            elif kind == "AWS::ApiGatewayV2::Integration":
                yield from _timed(
                    source,
                    at(properties, "TimeoutInMillis"),
                    "API Gateway TimeoutInMillis",
                    hop=Hop.PROXY,
                    scale=0.001,
                )
            elif kind == "AWS::ElasticLoadBalancingV2::LoadBalancer":
                for attribute in items(at(properties, "LoadBalancerAttributes")):
                    if text_of(at(attribute, "Key")) == "idle_timeout.timeout_seconds":
                        yield from _timed(
                            source, at(attribute, "Value"), "AWS load balancer idle timeout", hop=Hop.PROXY
                        )


def zuplo(source: Source) -> Iterator[Statement]:
    """A Zuplo project: its gateway gives the origin 180 s to answer (docs/articles/limits in zuplo/docs)."""
    for document in documents(source):
        first = document.entries[0].span if document.entries else document.span
        yield replace(stated(source, ZUPLO_SECONDS, Hop.PROXY, ZUPLO, first.start, first.end), default=True)


def cloudflare_tunnel(source: Source) -> Iterator[Statement]:
    """A tunnel of cloudflared, by its own configuration or as a service of a compose file.

    Cloudflare gives an origin 100 s to answer (error 524) where nothing else is set.
    """
    for document in documents(source):
        tunnel = at(document, "tunnel")
        found = [tunnel] if tunnel is not None and at(document, "ingress") is not None else []
        for _, service in fields(at(document, "services")):
            image = at(service, "image")
            if image is not None and text_of(image).split(":")[0].endswith("cloudflare/cloudflared"):
                found.append(image)
        for one in found:
            start, end = one.span.start, one.span.end
            yield replace(stated(source, CLOUDFLARE_SECONDS, Hop.PROXY, CLOUDFLARE, start, end), default=True)


def _timed(
    source: Source,
    value: Expr | None,
    what: str,
    *,
    hop: Hop = Hop.SERVER,
    scale: float = 1.0,
    about: tuple[str, ...] = (),
) -> Iterator[Statement]:
    seconds = number_of(value)
    if value is not None and seconds is not None:
        found = stated(source, seconds * scale, hop, what, value.span.start, value.span.end)
        yield replace(found, about=about, renewed=False if what in (VERCEL, LAMBDA) else found.renewed)


def _from_root(folder: str, glob: str) -> str:
    return f"/{posixpath.normpath(posixpath.join(folder, glob.removeprefix('/')))}"


def _module(folder: str, handler: str) -> str:
    """The glob of the file that a handler such as `src/tools.handler` names."""
    path, dot, _ = handler.rpartition(".")
    return _from_root(folder, f"{path}.*") if dot and "${" not in handler else ""
