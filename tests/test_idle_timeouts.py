"""Idle timeouts where a repository states them: the right number, unit and hop from each source."""

from __future__ import annotations

from pathlib import Path

import pytest
from harness import FIXTURES, run_once
from waitlint.report import Reported

FOLDER = FIXTURES / "idle-timeouts"
RULE = "cap/over-idle-timeout"
STATED = {
    "nginx": "15 s: nginx proxy_read_timeout, deploy/nginx.conf:15",
    "vercel-json": "15 s: Vercel maxDuration, vercel.json:4",
    "vercel-route": "15 s: Vercel maxDuration, app/mcp/route.ts:5",
    "serverless": "15 s: AWS Lambda timeout, serverless.yml:12",
    "sam": "15 s: AWS Lambda timeout, template.yaml:5",
    "gunicorn-dockerfile": "15 s: gunicorn timeout, Dockerfile:5",
    "gunicorn-procfile": "15 s: gunicorn timeout, Procfile:1",
    "gunicorn-compose": "15 s: gunicorn timeout, compose.yaml:6",
    "gunicorn-config": "15 s: gunicorn timeout, gunicorn.conf.py:5",
    "caddy": "15 s: Caddy response_header_timeout, Caddyfile:14",
    "kubernetes": "15 s: nginx ingress proxy-read-timeout, chart/templates/ingress.yaml:9",
    "cloudflare-terraform": "15 s: Cloudflare proxy_read_timeout, infra/dns.tf:12",
    "cloudflare-tunnel": "100 s: the default of Cloudflare proxy_read_timeout, compose.yaml:5",
    "zuplo": "180 s: the default of Zuplo proxy read timeout, zuplo.jsonc:3",
    "mcp-client-typescript": "15 s: MCP client timeout, src/host.ts:6",
    "mcp-client-python": "15 s: MCP client read_timeout_seconds, vineyard/host.py:7",
    "mcp-json": "15 s: Claude Code timeout, .mcp.json:3",
    "nearest-package": "15 s: gunicorn timeout, services/dye/Procfile:1",
}


def over_idle(project: str) -> list[Reported]:
    return [finding for finding in run_once(FOLDER / project).findings if finding.rule == RULE]


@pytest.mark.parametrize(("project", "words"), STATED.items(), ids=STATED)
def test_the_shortest_hop_is_named_with_its_number_and_place(project: str, words: str) -> None:
    (finding,) = over_idle(project)
    assert f"; the limit is {words}" in finding.message
    path, _, line = words.rpartition(", ")[2].rpartition(":")
    assert (path, int(line)) in {(proof.spot.path, proof.spot.line) for proof in finding.evidence}
