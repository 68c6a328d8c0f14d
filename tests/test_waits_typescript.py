"""The same in TypeScript, with signals as data flow."""

from __future__ import annotations

from textwrap import indent

import pytest

from linking import linked, only_tool, only_wait
from waitlint.linked import Bound, Certainty, Ending, Reach, Wait

HEAD = """
import { setTimeout as pause } from "node:timers/promises";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod";

const MOST = 2 * 10;
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const server = new McpServer({ name: "mill", version: "1.0.0" });

async function look(grain: string, signal?: AbortSignal) {
  return (await (await fetch(`https://mill.example/${grain}`, { signal })).json()).state;
}

server.registerTool("ground", { description: "Wait for the mill.", inputSchema: { grain: z.string() } }, async ({ grain }, { signal }) => {
"""


def wait_of(body: str) -> Wait:
    return only_wait({"mill.ts": HEAD + indent(body, "  ") + "\n});\n"})


CAPS = {
    "laps": (
        "let s; for (let i = 0; i < 12; i++) { s = await look(grain, signal); if (s === 'done') break; await sleep(5000); } return s;",
        60,
        Bound.LAPS,
    ),
    "laps to and with": (
        "let s; for (let i = 1; i <= 12; i++) { s = await look(grain, signal); if (s === 'done') break; await sleep(5_000); } return s;",
        60,
        Bound.LAPS,
    ),
    "a deadline in the head": (
        "const end = Date.now() + 45_000; let s; while (Date.now() < end) { s = await look(grain, signal); if (s === 'done') break; await sleep(1e3); } return s;",
        45,
        Bound.CLOCK,
    ),
    "the time since the start": (
        "const start = Date.now(); let s; while (Date.now() - start < MOST * 1000) { s = await look(grain, signal); if (s === 'done') break; await sleep(1000); } return s;",
        20,
        Bound.CLOCK,
    ),
    "a deadline in the body": (
        "const end = performance.now() + 30000; for (;;) { const s = await look(grain, signal); if (s === 'done' || performance.now() > end) return s; await sleep(2000); }",
        30,
        Bound.CLOCK,
    ),
    "do while": (
        "const end = Date.now() + 10000; let s; do { s = await look(grain, signal); await sleep(1000); } while (s !== 'done' && Date.now() < end); return s;",
        10,
        Bound.CLOCK,
    ),
    "the signal of a deadline": (
        "const both = AbortSignal.any([signal, AbortSignal.timeout(50_000)]); let s = 'grinding'; try { while (s === 'grinding') { s = await look(grain, both); await pause(5000, undefined, { signal: both }); } } catch (e) { if (signal.aborted) throw e; } return s;",
        50,
        Bound.SIGNAL,
    ),
    "a counter that falls": (
        "let left = 10; let s; while (left-- > 0) { s = await look(grain, signal); if (s === 'done') break; await sleep(3000); } return s;",
        30,
        Bound.LAPS,
    ),
    "pauses that are added up": (
        "let waited = 0; let s; while (waited < 20000) { s = await look(grain, signal); if (s === 'done') break; await sleep(2000); waited += 2000; } return s;",
        20,
        Bound.PAUSES,
    ),
}


@pytest.mark.parametrize("name", CAPS)
def test_a_cap_is_known(name: str) -> None:
    body, seconds, bound = CAPS[name]
    wait = wait_of(body)
    assert (wait.cap.certainty, wait.cap.value, wait.bound) == (Certainty.KNOWN, seconds, bound)


UNCAPPED = {
    "no condition": "while (true) { const s = await look(grain, signal); if (s === 'done') return s; await sleep(5000); }",
    "a state alone": "let s = await look(grain); while (s === 'grinding') { await sleep(5000); s = await look(grain); } return s;",
    "a counter of errors": "let bad = 0; while (bad < 5) { try { const s = await look(grain); if (s === 'done') return s; } catch { bad++; } await sleep(5000); }",
    "a timeout of each read": "while (true) { const s = await look(grain, AbortSignal.timeout(5000)); if (s === 'done') return s; await sleep(5000); }",
}


@pytest.mark.parametrize("name", UNCAPPED)
def test_a_wait_without_a_cap_is_known_to_have_none(name: str) -> None:
    wait = wait_of(UNCAPPED[name])
    assert (wait.cap.certainty, wait.ending) == (Certainty.ABSENT, Ending.NEVER)


UNKNOWN = {
    "a limit from elsewhere": "let s; for (let i = 0; i < Number(process.env.LAPS); i++) { s = await look(grain); if (s === 'done') break; await sleep(5000); } return s;",
    "a flag that a callback sets": "let over = false; bell.on('ring', () => { over = true; }); let s; while (!over) { s = await look(grain); if (s === 'done') break; await sleep(5000); } return s;",
    "a race against what is not in view": "while (true) { const s = await Promise.race([look(grain), whistle]); if (s === 'done') return s; await sleep(5000); }",
}


@pytest.mark.parametrize("name", UNKNOWN)
def test_what_is_not_in_view_is_unknown_and_not_missing(name: str) -> None:
    assert wait_of(UNKNOWN[name]).cap.certainty is Certainty.UNKNOWN


SIGNALS = {
    "by a parameter": ("look(grain, signal)", Reach.ARRIVES),
    "not at all": ("look(grain)", Reach.MISSES),
    "in a request": ("fetch(new Request('/' + grain, { signal })).then((r) => r.text())", Reach.ARRIVES),
    "under another name": ("(async (halt: AbortSignal) => look(grain, halt))(signal)", Reach.ARRIVES),
    "through options": ("look(grain, { signal }.signal)", Reach.ARRIVES),
    "as a controller's": ("look(grain, relay.signal)", Reach.ARRIVES),
}


@pytest.mark.parametrize("name", SIGNALS)
def test_a_signal_is_followed_by_its_binding(name: str) -> None:
    call, reach = SIGNALS[name]
    relay = "const relay = new AbortController(); signal.addEventListener('abort', () => relay.abort());"
    body = f"{relay} let s; for (let i = 0; i < 9; i++) {{ s = await {call}; if (s === 'done') break; await sleep(2000); }} return s;"
    assert [read.stop for read in wait_of(body).reads] == [reach]


def test_a_sleep_takes_its_signal_in_the_third_argument_and_ignores_it_in_the_second() -> None:
    body = "for (let i = 0; i < 9; i++) {{ if ((await look(grain, signal)) === 'done') break; await pause(2000, {}); }} return 'x';"
    assert [sleep.stop for sleep in wait_of(body.format("undefined, { signal }")).sleeps] == [Reach.ARRIVES]
    assert [sleep.stop for sleep in wait_of(body.format("{ signal }")).sleeps] == [Reach.MISSES]


def test_a_tool_without_a_schema_gets_the_signal_in_its_first_parameter() -> None:
    head = HEAD[: HEAD.index("server.registerTool")]
    body = "server.registerTool('ground', { description: 'Wait.' }, async (extra) => { for (let i = 0; i < 9; i++) { if ((await look('rye', extra.signal)) === 'done') break; await sleep(2000); } return 'x'; });"
    assert [read.stop for read in only_wait({"mill.ts": head + body}).reads] == [Reach.ARRIVES]


def test_the_wait_is_followed_through_a_barrel_a_class_and_a_default_argument() -> None:
    tool = only_tool(
        {
            "src/tools.ts": """
            import { tool } from "ai";
            import { z } from "zod";
            import { Mill } from "./lib";
            const mill = new Mill("https://mill.example");
            export const ground = tool({
              description: "Wait for the mill.",
              inputSchema: z.object({ grain: z.string() }),
              execute: ({ grain }, { abortSignal }) => mill.settled(grain, abortSignal),
            });
            """,
            "src/lib/index.ts": 'export * from "./mill";\n',
            "src/lib/mill.ts": """
            import { LAPS } from "../limits.js";
            const sleep = (ms: number) => new Promise((r) => setTimeout(r, ms));
            export class Mill {
              constructor(private base: string) {}
              async settled(grain: string, signal?: AbortSignal, laps = LAPS) {
                let s = "";
                for (let i = 0; i < laps && s !== "done"; i++) {
                  s = await this.look(grain);
                  await sleep(4000);
                }
                return s;
              }
              private async look(grain: string) { return (await fetch(this.base + grain)).text(); }
            }
            """,
            "src/limits.ts": "export const LAPS = 5 * 3;\n",
        }
    )
    wait = tool.waits[0]
    assert (wait.cap.value, wait.place.path, [read.stop for read in wait.reads]) == (
        60,
        "src/lib/mill.ts",
        [Reach.MISSES],
    )


def test_a_tool_in_a_map_takes_the_name_of_its_key() -> None:
    project = linked(
        {
            "a.ts": """
            import { tool, generateText } from "ai";
            const status = tool({ description: "Check.", inputSchema: {}, execute: async () => "x" });
            export const run = () => generateText({ tools: { mill_status: status } });
            """
        }
    )
    assert [tool.name for tool in project.tools] == ["mill_status"]


COMMANDS = {
    "a callback": (
        "await new Promise<void>((ok) => { exec(`grind ${grain}`, () => ok()); });",
        None,
    ),
    "its own timeout": ("await promisify(execFile)('grind', [grain], { timeout: 12_000 });", 12.0),
    "a timeout of nothing": ("await promisify(exec)('grind', { timeout: 0 });", None),
    "the signal of a deadline": (
        "await promisify(exec)('grind', { signal: AbortSignal.timeout(9000) });",
        9.0,
    ),
    "a timer that settles the promise": (
        "await new Promise<void>((ok, no) => { const p = spawn('grind'); p.on('close', () => ok()); setTimeout(() => { p.kill(); no(new Error('late')); }, 8000); });",
        8.0,
    ),
    "a timer that only kills": (
        "await new Promise<void>((ok) => { const p = spawn('grind', [grain]); const t = setTimeout(() => p.kill(), 7000); p.on('exit', () => { clearTimeout(t); ok(); }); });",
        7.0,
    ),
    "a race": (
        "await Promise.race([promisify(exec)('grind'), new Promise((_, no) => setTimeout(() => no(new Error('late')), 6000))]);",
        6.0,
    ),
    "the event loop held": ("execFileSync('grind', [grain], { timeout: 5000 });", 5.0),
    "the end of its output": (
        "const p = spawn('grind', [grain]); await new Promise((ok) => p.stdout.on('end', ok));",
        None,
    ),
}
PROCESSES = 'import { exec, execFile, execFileSync, spawn } from "child_process";\nimport { promisify } from "util";\n'


@pytest.mark.parametrize(("body", "seconds"), COMMANDS.values(), ids=COMMANDS)
def test_the_end_of_a_command(body: str, seconds: float | None) -> None:
    wait = only_wait({"mill.ts": PROCESSES + HEAD + indent(body, "  ") + "\n  return 'ground';\n});\n"})
    assert (wait.kind, wait.of_command) == ("call", True)
    assert wait.cap.value == seconds if seconds else wait.cap.absent


def test_a_timer_that_every_output_starts_anew_is_no_cap() -> None:
    body = (
        "await new Promise<void>((ok) => { const p = spawn('grind', [grain]); let t = setTimeout(() => p.kill(), 5000);"
        " p.stdout.on('data', () => { clearTimeout(t); t = setTimeout(() => p.kill(), 5000); }); p.on('close', () => ok()); });"
    )
    wait = only_wait({"mill.ts": PROCESSES + HEAD + indent(body, "  ") + "\n});\n"})
    assert wait.cap.certainty is Certainty.UNKNOWN


@pytest.mark.parametrize(
    ("command", "is_quick"),
    [
        ("promisify(exec)('git rev-parse HEAD')", True),
        ("promisify(execFile)('grind', ['--version'])", True),
        ("promisify(execFile)('/usr/bin/git', ['status', grain])", True),
        ("promisify(exec)('git init && git add .')", True),
        ("promisify(exec)('git status && git push')", False),
        ("promisify(exec)('tail -f mill.log')", False),
        ("promisify(execFile)(grain, ['--all'])", False),
        ("promisify(execFile)(grain, ['--version'])", True),
        ("promisify(exec)(`cat ${grain} | head -3`)", True),
        ("promisify(exec)('echo $(grind)')", False),
        ("promisify(exec)(grain ? 'where mill' : 'which mill')", True),
    ],
)
def test_commands_that_end_at_once(command: str, is_quick: bool) -> None:
    wait = only_wait({"mill.ts": PROCESSES + HEAD + f"  await {command};\n" + "});\n"})
    assert wait.of_quick_command is is_quick


def test_a_command_that_nobody_awaits_is_no_wait() -> None:
    body = "  const p = spawn('grind', [grain], { detached: true }); p.on('error', () => {}); p.unref(); return p.pid;\n});\n"
    assert not only_tool({"mill.ts": PROCESSES + HEAD + body}).waits


RUNNERS = {
    "a span of OpenTelemetry, below a helper": (
        'import { trace } from "@opentelemetry/api";\nconst tracer = trace.getTracer("mill");\n'
        "async function run(work: () => Promise<string>) {\n"
        '  return await tracer.startActiveSpan("work", { attributes: {} }, async (span) => {\n'
        "    try { return await work(); } finally { span.end(); }\n  });\n}\n"
    ),
    "a span of Sentry": (
        'import * as Sentry from "@sentry/node";\n'
        'const run = (work: () => Promise<string>) => Sentry.startSpan({ name: "work" }, () => work());\n'
    ),
    "a mutex": 'import { Mutex } from "async-mutex";\nconst mutex = new Mutex();\nconst run = (work) => mutex.runExclusive(work);\n',
    "a limiter": 'import pLimit from "p-limit";\nconst limit = pLimit(2);\nconst run = (work) => limit(() => work());\n',
    "a queue": 'import PQueue from "p-queue";\nconst queue = new PQueue();\nconst run = (work) => queue.add(work);\n',
    "a store of one request": (
        'import { AsyncLocalStorage } from "node:async_hooks";\nconst store = new AsyncLocalStorage();\n'
        'const run = (work) => store.run("mill", work);\n'
    ),
}
RUN = (
    "return await run(async () => { let s; for (let i = 0; i < 12; i++) { s = await look(grain, signal);"
    " if (s === 'done') break; await sleep(5000); } return s; });"
)


@pytest.mark.parametrize("runner", RUNNERS.values(), ids=RUNNERS)
def test_what_a_library_runs_in_the_tools_place_is_the_tools_wait(runner: str) -> None:
    assert only_wait({"mill.ts": runner + HEAD + indent(RUN, "  ") + "\n});\n"}).cap.value == 60


def test_a_callback_of_an_event_is_no_wait() -> None:
    listens = 'import { bus } from "bus";\nconst run = (work) => { bus.on("grain", work); };\n'
    project = linked({"mill.ts": listens + HEAD + indent(RUN, "  ") + "\n});\n"})
    assert [wait for tool in project.tools for wait in tool.waits] == []


def test_a_client_that_starts_work_and_waits_for_its_end_has_no_cap() -> None:
    head = 'import { Hyperbrowser } from "@hyperbrowser/sdk";\nconst client = async () => new Hyperbrowser({ apiKey: "k" });\n'
    body = "return await (await client()).crawl.startAndWait({ url: grain });"
    assert only_wait({"mill.ts": head + HEAD + indent(body, "  ") + "\n});\n"}).cap.absent
