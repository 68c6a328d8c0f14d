"""Idle timeouts where a repository states them: the right number, unit and hop from each source."""

from __future__ import annotations

from itertools import pairwise

import pytest
from msgspec.structs import replace

from harness import FIXTURES, run_once
from linking import linked
from waitlint import frontends
from waitlint.catalog.surfaces import language_of
from waitlint.context import Context, IdleLimit, Settings
from waitlint.finding import Finding
from waitlint.limits.choosing import Limits, combined
from waitlint.limits.collecting import find
from waitlint.report import Reported
from waitlint.rule import load_rules
from waitlint.source import Source

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


def stated(files: dict[str, str]) -> Limits:
    """What some files state, by path."""
    sources = {path: Source(path, text) for path, text in files.items()}
    languages = {path: language_of(path) for path in files}
    facts = {
        path: frontends.read(sources[path], language, "code")
        for path, language in languages.items()
        if language in ("python", "typescript")
    }
    return find(files, facts, lambda path: sources[path])


def seconds(path: str, text: str) -> list[float]:
    return [one.seconds for one in stated({path: text}).statements]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("proxy_read_timeout 60;", [60]),
        ("proxy_read_timeout 1m 30s;", [90]),
        ("proxy_read_timeout 500ms;", [0.5]),
        ('proxy_read_timeout "2m";', [120]),
        ("fastcgi_read_timeout 1h;", [3600]),
        ("# proxy_read_timeout 60;", []),
        ("proxy_read_timeout $timeout;", []),
        ("set $proxy_read_timeout 60;", []),
        ("proxy_send_timeout 5s;", []),
    ],
)
def test_times_of_nginx(text: str, expected: list[float]) -> None:
    assert seconds("nginx.conf", f"server {{ {text}\n }}") == expected


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("Procfile", "web: gunicorn app:app --timeout=20", [20]),
        ("Procfile", "web: gunicorn -t20 app:app", [20]),
        ("Procfile", "web: gunicorn app:app --timeout 0", [float("inf")]),
        ("Procfile", "web: gunicorn app:app --threads 4 --timeout 20", [float("inf")]),
        ("Procfile", "web: gunicorn app:app --graceful-timeout 20", []),
        ("Procfile", "web: gunicorn app:app && sleep --timeout 20", []),
        ("Dockerfile", "RUN pip install gunicorn==23.0 --timeout 20", []),
        ("Dockerfile", "ENV GUNICORN_CMD_ARGS='--timeout 20 --workers 2'", [20]),
        ("Dockerfile", 'ENTRYPOINT ["/venv/bin/gunicorn", "-k", "gthread", "-t", "20", "app:app"]', [float("inf")]),
        ("start.sh", "exec gunicorn \\\n  --timeout 20 \\\n  app:app\nsleep 30", [20]),
        (
            "compose.yaml",
            "services:\n  web:\n    command: >\n      gunicorn\n      --timeout 20\n      app:app\n",
            [20],
        ),
        ("compose.yaml", 'services:\n  web:\n    command: ["gunicorn", "app:app", "--timeout", "20"]\n', [20]),
        ("gunicorn.conf.py", 'timeout = 20\nworker_class = "uvicorn.workers.UvicornWorker"\n', [float("inf")]),
        ("gunicorn.conf.py", "import os\ntimeout = int(os.getenv('T', 20))\n", [20]),
        ("gunicorn.conf.py", "timeout = read_it()\n", []),
    ],
)
def test_command_lines_of_gunicorn(path: str, text: str, expected: list[float]) -> None:
    assert seconds(path, text) == expected


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("x.yaml", "konghq.com/read-timeout: '90000'", [90]),
        ("x.yaml", "alb.ingress.kubernetes.io/load-balancer-attributes: a=b,idle_timeout.timeout_seconds=70", [70]),
        ("x.tf", '"haproxy.router.openshift.io/timeout" = "2m"', [120]),
        ("x.yaml", "nginx.ingress.kubernetes.io/proxy-read-timeout: {{ .Values.timeout }}", []),
        ("x.tf", 'resource "aws_lb" "main" {\n  idle_timeout = 70\n}\n', [70]),
        ("x.tf", 'resource "aws_sqs_queue" "main" {\n  idle_timeout = 70\n}\n', []),
        ("vercel.json", '{"functions": {"api/*.ts": {"maxDuration": "max"}}}', []),
        ("serverless.yml", "provider: {timeout: 12}\nfunctions: {a: {handler: a.b}}\n", [12]),
        ("serverless.yml", "provider: {timeout: 12}\nfunctions: {a: {timeout: '${param:t}'}}\n", []),
        (
            "stack.json",
            '{"Resources": {"I": {"Type": "AWS::ApiGatewayV2::Integration", "Properties": {"TimeoutInMillis": 9000}}}}',
            [9],
        ),
        ("Caddyfile", "x {\n reverse_proxy y {\n transport http {\n read_timeout {$T}\n }\n }\n}\n", []),
        ("Caddyfile", "x {\n reverse_proxy y {\n read_timeout 5s\n }\n}\n", []),
        ("app/route.ts", "export const maxDuration = 60;", [60]),
        ("app/route.ts", "const maxDuration = 60;", []),
        ("api/x.ts", "export const config = { maxDuration: 60 };", [60]),
        (".claude/settings.json", '{"env": {"MCP_TOOL_TIMEOUT": "30000"}}', [30]),
        ("manifest.json", '{"server": {"mcp_config": {"env": {"MCP_TOOL_TIMEOUT": "400000"}}}}', [400]),
        (
            "manifest.json",
            '{"server": {"mcp_config": {"env": {"MCP_TOOL_TIMEOUT": "${user_config.patience}"}}},'
            ' "user_config": {"patience": {"type": "number", "default": 600000}}}',
            [600],
        ),
        ("manifest.json", '{"server": {"mcp_config": {"env": {"MCP_TOOL_TIMEOUT": "${user_config.patience}"}}}}', []),
    ],
)
def test_settings_of_other_sources(path: str, text: str, expected: list[float]) -> None:
    assert seconds(path, text) == expected


def client_seconds(settings: str, server: str) -> list[float]:
    return [
        one.seconds
        for one in stated(
            {
                settings: server,
                "server/package.json": '{"name": "@acme/quay", "bin": {"quay-mcp": "dist/cli.js"}}',
                "server/src/index.ts": "export {};",
            }
        ).statements
    ]


@pytest.mark.parametrize(
    ("path", "server", "expected"),
    [
        (".mcp.json", '"command": "node", "args": ["server/dist/index.js"], "timeout": 30000', [30]),
        (".mcp.json", '"command": "npx", "args": ["-y", "@acme/quay@latest"], "timeout": 30000', [30]),
        (".mcp.json", '"command": "quay-mcp", "timeout": 30000', [30]),
        (".mcp.json", '"command": "npx", "args": ["-y", "@acme/other"], "timeout": 30000', []),
        (".mcp.json", '"url": "https://acme.example/mcp", "timeout": 30000', []),
        ("cline_mcp_settings.json", '"command": "quay-mcp", "timeout": 30', [30]),
        (".gemini/settings.json", '"command": "quay-mcp", "timeout": 30000', [30]),
        ("tools/mcp.json", '"command": "quay-mcp", "timeout": 30000', [30]),
        ("tools/mcp.json", '"command": "quay-mcp", "timeout": 30', [30]),
        ("tools/mcp.json", '"command": "quay-mcp", "timeout": 2000', []),
    ],
)
def test_a_clients_timeout_counts_for_servers_of_the_repository(path: str, server: str, expected: list[float]) -> None:
    assert client_seconds(path, f'{{"mcpServers": {{"one": {{{server}}}}}}}') == expected


def test_the_unit_of_codex_is_seconds() -> None:
    assert client_seconds(".codex/config.toml", '[mcp_servers.one]\ncommand = "quay-mcp"\ntool_timeout_sec = 30\n') == [
        30
    ]


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("client.callTool({name: 'x'}, undefined, {timeout: 30 * 1000})", [(30, False)]),
        (
            "client.callTool({name: 'x'}, s, {timeout: 30e3, resetTimeoutOnProgress: true, maxTotalTimeout: 90e3})",
            [(30, True), (90, False)],
        ),
        ("client.callTool({name: 'x'}, {timeout: 30000, resetTimeoutOnProgress: again})", [(30, None)]),
        ("client.callTool({name: 'x', timeout: 30000})", []),
        ("client.listTools({timeout: 30000})", []),
    ],
)
def test_calls_of_typescript_clients(call: str, expected: list[tuple[float, bool | None]]) -> None:
    text = f'import {{ Client }} from "@modelcontextprotocol/sdk/client/index.js";\nawait {call};\n'
    found = stated({"host.ts": text}).statements
    assert [(one.seconds, one.renewed) for one in found] == expected
    assert {one.tools for one in found} <= {("x",)}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("from mcp import ClientSession\nClientSession(r, w, read_timeout_seconds=timedelta(minutes=1))", [60]),
        ("from mcp import ClientSession\nsession.call_tool('x', {}, read_timeout_seconds=30)", [30]),
        ("import fastmcp\nfastmcp.Client('x', timeout=30)", [30]),
        ("from fastmcp import Client\nclient.call_tool('x', {}, timeout=SOON)\nSOON = 5", [5]),
        ("from agents.mcp import MCPServerStdio\nMCPServerStdio(p, client_session_timeout_seconds=30)", [30]),
        ("import redis\nredis.Client('x', timeout=30)", []),
    ],
)
def test_calls_of_python_clients(text: str, expected: list[float]) -> None:
    assert seconds("host.py", text) == expected


NGINX = "server {{ proxy_read_timeout {}; }}"


def chosen(files: dict[str, str], path: str = "server.py", tool: str = "", is_mcp: bool = True) -> tuple[object, ...]:
    """The limit of the way to the code, that of the client, and whether something stands in front."""
    found = stated(files).of(path, tool, is_mcp=is_mcp)
    return (
        found.idle.seconds if found.idle else None,
        found.client.seconds if found.client else None,
        found.in_front,
    )


def test_of_alternatives_the_longest_counts_and_of_hops_the_shortest() -> None:
    both = {"a.conf": NGINX.format("30s"), "b.conf": NGINX.format("2m")}
    assert chosen(both) == (120, None, True)
    assert chosen({**both, "Procfile": "web: gunicorn --timeout 45 app"}) == (45, None, True)


def test_a_proxy_stands_in_front_of_all_packages_below_and_a_server_of_its_own_alone() -> None:
    files = {
        "pyproject.toml": "",
        "nginx.conf": NGINX.format("30s"),
        "Procfile": "web: gunicorn --timeout 10 app",
        "service/pyproject.toml": "",
    }
    assert chosen(files) == (10, None, True)
    assert chosen(files, "service/tools.py") == (30, None, True)


def test_a_function_that_is_named_goes_before_the_others_of_its_package() -> None:
    files = {"vercel.json": '{"functions": {"api/a.ts": {"maxDuration": 10}, "api/b.ts": {"maxDuration": 60}}}'}
    assert chosen(files, "api/a.ts") == (10, None, True)
    assert chosen(files, "lib/tools.ts") == (60, None, True)


def test_a_call_that_names_its_tool_speaks_of_no_other() -> None:
    text = "from fastmcp import Client\nclient.call_tool('build', {}, timeout=30)\n"
    assert chosen({"host.py": text}, tool="build") == (None, 30, False)
    assert chosen({"host.py": text}, tool="deploy") == (None, None, False)


def test_a_client_calls_tools_of_mcp_servers_alone() -> None:
    text = "from fastmcp import Client\nClient('server.py', timeout=30)\n"
    assert chosen({"host.py": text}, is_mcp=True) == (None, 30, False)
    assert chosen({"host.py": text}, is_mcp=False) == (None, None, False)


def test_what_stands_in_front_replaces_the_guess_and_what_bounds_the_code_can_only_shorten() -> None:
    default = Settings()

    def held(files: dict[str, str], settings: Settings = default) -> tuple[float, bool]:
        limit = combined(settings, stated(files).of("server.py")).idle_limit
        return limit.seconds, limit.stated

    assert held({}) == (100, False)
    assert held({"nginx.conf": NGINX.format("5m")}) == (300, True)
    assert held({"Procfile": "web: gunicorn --timeout 300 app"}) == (100, False)
    assert held({"Procfile": "web: gunicorn --timeout 30 app"}) == (30, True)
    by_config = Settings(idle_limit=IdleLimit(50, "by hand", stated=True))
    assert held({"nginx.conf": NGINX.format("5s")}, by_config) == (50, True)


def test_the_default_of_what_is_there_gives_way_to_what_is_set() -> None:
    proxied = 'resource "cloudflare_record" "a" {\n  proxied = true\n}\n'
    setting = (
        'resource "cloudflare_zone_settings_override" "a" {\n  settings {\n    proxy_read_timeout = "30"\n  }\n}\n'
    )
    assert chosen({"dns.tf": proxied}) == (100, None, True)
    assert chosen({"dns.tf": proxied + setting}) == (30, None, True)


def test_a_hostile_file_costs_little() -> None:
    bomb = "a: &a [x, x]\n" + "".join(f"{k}: &{k} [{', '.join(['*' + p] * 9)}]\n" for p, k in pairwise("abcdefghi"))
    assert seconds("serverless.yml", bomb + "provider: {timeout: 1}\n") == [1]
    assert seconds("Procfile", "web: gunicorn " + "[" * 50_000 + " --timeout 5") == [5]
    assert seconds("nginx.conf", "proxy_read_timeout " + "1" * 100_000) == []


PATIENT = '''
    import asyncio

    import httpx
    from mcp.server.fastmcp import FastMCP

    mcp = FastMCP("ropewalk")
    http = httpx.AsyncClient(base_url="http://ropewalk.local", timeout=1)


    @mcp.tool()
    async def rope_ready(rope: str) -> str:
        """Waits up to 20 s for a rope."""
        for _ in range(10):
            state = (await http.get(f"/ropes/{rope}")).json()["state"]
            if state == "ready":
                break
            await asyncio.sleep(2)
        return state
'''


@pytest.mark.parametrize(
    ("progress", "renewed", "expected"),
    [
        (False, True, [("warning", "high")]),
        (True, True, []),
        (True, None, [("warning", "medium")]),
        (True, False, [("warning", "high")]),
    ],
)
def test_progress_quiets_a_client_that_is_known_to_heed_it(
    progress: bool, renewed: bool | None, expected: list[tuple[str, str]]
) -> None:
    project = linked({"server.py": PATIENT})
    (tool,) = project.tools
    waits = tuple(replace(wait, reports_progress=progress) for wait in tool.waits)
    limit = IdleLimit(15, "the client", stated=True, renewed=renewed)
    (rule,) = (rule for rule in load_rules() if rule.name == RULE)
    said = rule.check(replace(tool, waits=waits), Context(rule, project, Settings(client_limit=limit)))
    assert [(one.severity, one.confidence) for one in said if isinstance(one, Finding)] == expected
