"""Clients in TypeScript that wait inside: what of each call is read as its cap, and where its signal goes."""

from __future__ import annotations

import pytest

from linking import only_tool, only_wait
from waitlint.linked import Wait
from waitlint.names import callee, said

HEAD = """
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod";
"""
TOOL = """
const server = new McpServer({ name: "mill", version: "1.0.0" });

server.registerTool("grind", { description: "Grind.", inputSchema: { grain: z.string() } }, async ({ grain }, { signal }) => {
  const got = await work(grain, signal);
  return { content: [{ type: "text", text: JSON.stringify(got) }] };
});
"""
FAL = 'import { fal } from "@fal-ai/client";'
REPLICATE = 'import Replicate from "replicate"; const client = new Replicate();'
RUNWAY = 'import RunwayML from "@runwayml/sdk"; const client = new RunwayML();'
OPENAI = 'import OpenAI from "openai"; const client = new OpenAI();'
APIFY = 'import { ApifyClient } from "apify-client"; const client = new ApifyClient({ token: "t" });'
ASSEMBLY = 'import { AssemblyAI } from "assemblyai"; const client = new AssemblyAI({ apiKey: "k" });'
EXA = 'import Exa from "exa-js"; const exa = new Exa("k");'
CODE = 'import { Sandbox } from "@e2b/code-interpreter";'
DAYTONA = 'import { Daytona } from "@daytonaio/sdk"; const daytona = new Daytona();'
BULL = 'import { Queue, QueueEvents } from "bullmq"; const queue = new Queue("q"); const events = new QueueEvents("q");'
TEMPORAL = 'import { Client } from "@temporalio/client"; const client = new Client();'
EC2 = (
    'import { EC2Client, EC2, waitUntilInstanceRunning } from "@aws-sdk/client-ec2"; const client = new EC2Client({});'
)
ARM = 'import { ComputeManagementClient } from "@azure/arm-compute"; const client = new ComputeManagementClient(c, s);'
GKE = 'import { ClusterManagerClient } from "@google-cloud/container"; const client = new ClusterManagerClient();'
BIGQUERY = 'import { BigQuery } from "@google-cloud/bigquery"; const client = new BigQuery();'
VIEM = 'import { createPublicClient, http } from "viem"; const client = createPublicClient({ transport: http() });'
ETHERS = 'import { ethers } from "ethers"; const wallet = new ethers.Wallet("0x1");'
TRIGGER = 'import { runs } from "@trigger.dev/sdk/v3";'
WAIT_ON = 'import waitOn from "wait-on";'
USE = 'import { BrowserUse } from "browser-use-sdk"; const client = new BrowserUse();'

ELEVEN = 'import { ElevenLabsClient } from "@elevenlabs/elevenlabs-js"; const client = new ElevenLabsClient();'
NOTTE = 'import { NotteClient } from "notte-sdk"; const notte = new NotteClient();'
STAGEHAND = 'import { Stagehand } from "@browserbasehq/stagehand"; const hand = new Stagehand({ env: "LOCAL" });'

# The import, the call, and its cap in seconds; None is for ever and "?" unknown.
CALLS: dict[str, tuple[str, str, float | str | None]] = {
    "fal": (FAL, 'fal.subscribe("fal-ai/mill", { input: { grain } })', None),
    "fal with its time": (FAL, 'fal.subscribe("fal-ai/mill", { input: { grain }, timeout: 45_000 })', 45),
    "fal with none": (FAL, 'fal.subscribe("fal-ai/mill", { input: { grain }, timeout: 0 })', None),
    "fal, a request of its queue": (FAL, 'fal.queue.subscribeToStatus("fal-ai/mill", { requestId: grain })', None),
    "fal, a client of one's own": (
        'import { createFalClient } from "@fal-ai/client"; const fal = createFalClient({ credentials: "k" });',
        'fal.subscribe("fal-ai/mill", { input: { grain } })',
        None,
    ),
    "fal before": ('import * as fal from "@fal-ai/serverless-client";', 'fal.subscribe("fal-ai/mill", { input: { grain } })', None),
    "replicate": (REPLICATE, 'client.run("mill/stone", { input: { grain } })', None),
    "replicate, the time of its first request": (REPLICATE, 'client.run("mill/stone", { input: { grain }, wait: { mode: "block", timeout: 30 } })', None),
    "replicate waits": (REPLICATE, "client.wait({ id: grain }, { interval: 500 })", None),
    "replicate with a stop": (REPLICATE, "client.wait({ id: grain }, {}, async () => Date.now() > end)", "?"),
    "runway": (RUNWAY, "client.imageToVideo.create({ model: 'gen4', promptText: grain }).waitForTaskOutput()", 600),
    "runway with its time": (RUNWAY, "client.tasks.retrieve(grain).waitForTaskOutput({ timeout: 50 * 1000 })", 50),
    "runway without end": (RUNWAY, "client.tasks.retrieve(grain).waitForTaskOutput({ timeout: null })", None),
    "openai runs": (OPENAI, "client.beta.threads.runs.createAndPoll(grain, { assistant_id: 'a' })", None),
    "openai files": (OPENAI, "client.vectorStores.files.uploadAndPoll('v', grain)", None),
    "openai processing": (OPENAI, "client.files.waitForProcessing(grain)", 1800),
    "openai processing with its time": (OPENAI, "client.files.waitForProcessing(grain, { maxWait: 60_000 })", 60),
    "apify": (APIFY, "client.actor('mill/stone').call({ grain })", None),
    "apify with its time": (APIFY, "client.actor('mill/stone').call({ grain }, { waitSecs: 40 })", 40),
    "apify, the time of the run": (APIFY, "client.actor('mill/stone').call({ grain }, { timeout: 90 })", 90),
    "assemblyai": (ASSEMBLY, "client.transcripts.transcribe({ audio: grain })", None),
    "assemblyai with its time": (ASSEMBLY, "client.transcripts.transcribe({ audio: grain }, { pollingTimeout: 80_000 })", 80),
    "assemblyai without end": (ASSEMBLY, "client.transcripts.waitUntilReady(grain, { pollingTimeout: -1 })", None),
    "exa research": (EXA, "exa.research.pollUntilFinished(grain)", 600),
    "exa agents": (EXA, "exa.agent.runs.pollUntilFinished(grain)", 3600),
    "exa websets": (EXA, "exa.websets.waitUntilIdle(grain)", None),
    "exa websets with their time": (EXA, "exa.websets.waitUntilIdle(grain, { timeout: 60000 })", 60),
    "exa websets with a number": (EXA, "exa.websets.waitUntilIdle(grain, 60000)", 60),
    "browser-use": (USE, "client.run(grain)", 300),
    "browser-use with its time": (USE, "client.run(grain, { timeout: 20_000 })", 20),
    "daytona": (DAYTONA, "daytona.create({ language: grain })", 60),
    "bullmq": (BULL, "(await queue.add('grind', { grain })).waitUntilFinished(events)", None),
    "bullmq with its time": (BULL, "(await queue.add('grind', { grain })).waitUntilFinished(events, 30_000)", 30),
    "temporal": (TEMPORAL, "client.workflow.execute('grind', { workflowId: grain, taskQueue: 'q' })", None),
    "temporal's handle": (TEMPORAL, "client.workflow.getHandle(grain).result()", None),
    "a waiter of AWS": (EC2, "waitUntilInstanceRunning({ client, maxWaitTime: 300 }, { InstanceIds: [grain] })", 300),
    "a waiter of a client of AWS": (EC2, "new EC2({}).waitUntilInstanceRunning({ InstanceIds: [grain] }, 200)", 200),
    "a waiter of a client of AWS with options": (EC2, "new EC2({}).waitUntilInstanceRunning({ InstanceIds: [grain] }, { maxWaitTime: 20 })", 20),
    "azure": (ARM, "(await client.virtualMachines.beginStart('g', grain)).pollUntilDone()", None),
    "azure at once": (ARM, "client.virtualMachines.beginStartAndWait('g', grain)", None),
    "bigquery": (BIGQUERY, "client.query({ query: grain })", None),
    "bigquery with its time": (BIGQUERY, "client.query({ query: grain, jobTimeoutMs: 50_000 })", 50),
    "viem": (VIEM, "client.waitForTransactionReceipt({ hash: grain })", 180),
    "viem with its time": (VIEM, "client.waitForTransactionReceipt({ hash: grain, timeout: 45_000 })", 45),
    "ethers": (ETHERS, "(await wallet.sendTransaction({ to: grain })).wait()", None),
    "ethers with its time": (ETHERS, "(await wallet.sendTransaction({ to: grain })).wait(1, 60_000)", 60),
    "trigger.dev": (TRIGGER, "runs.poll(grain)", 500),
    "trigger.dev with its pause": (TRIGGER, "runs.poll(grain, { pollIntervalMs: 100 })", 50),
    "elevenlabs": (ELEVEN, "client.flows.image.createAndWait({ prompt: grain })", None),
    "elevenlabs with its time": (ELEVEN, "client.flows.templates.runs.createAndWait(grain, {}, { waitTimeoutInSeconds: 45 })", 45),
    "notte": (NOTTE, "notte.Agent({ max_steps: 5 }).run({ task: grain })", None),
    "stagehand": (STAGEHAND, "hand.agent().execute({ instruction: grain })", "?"),
    "wait-on": (WAIT_ON, "waitOn({ resources: [grain] })", None),
    "wait-on with its time": (WAIT_ON, "waitOn({ resources: [grain], timeout: 30_000 })", 30),
}  # fmt: skip


def waited(head: str, body: str) -> Wait:
    return only_wait({"mill.ts": f"{HEAD}{head}\nasync function work(grain, signal) {{ {body} }}\n{TOOL}"})


@pytest.mark.parametrize(("head", "call", "seconds"), CALLS.values(), ids=CALLS.keys())
def test_the_cap_of_a_client_that_waits(head: str, call: str, seconds: float | str | None) -> None:
    cap = waited(head, f"return {call};").cap
    assert ("?" if not cap.known and not cap.absent else cap.value if cap.known else None) == seconds


def test_an_operation_out_of_a_list_waits() -> None:
    assert waited(GKE, "const [op] = await client.createCluster({ parent: grain }); return op.promise();").cap.absent


def test_what_a_sandbox_runs_waits_as_long_as_its_library_lets_it() -> None:
    assert waited(CODE, "const box = await Sandbox.create(); return box.runCode(grain);").cap.value == 60
    assert waited(CODE, "const box = await Sandbox.create(); return box.commands.run(grain);").cap.value == 60
    assert waited(CODE, "const box = await Sandbox.create(); return box.runCode(grain, { timeoutMs: 0 });").cap.absent


ONCE = {
    "a request that is put in line": (FAL, 'fal.queue.submit("fal-ai/mill", { input: { grain } })'),
    "a request that is looked at": (FAL, 'fal.queue.status("fal-ai/mill", { requestId: grain })'),
    "a prediction that is made": (REPLICATE, 'client.predictions.create({ model: "mill/stone", input: { grain } })'),
    "a task that is looked at": (RUNWAY, "client.tasks.retrieve(grain)"),
    "a run that is started": (APIFY, "client.actor('mill/stone').start({ grain })"),
    "a run that is looked at": (APIFY, "client.run(grain).get()"),
    "a transcript that is handed in": (ASSEMBLY, "client.transcripts.submit({ audio: grain })"),
    "a job that is added": (BULL, "queue.add('grind', { grain })"),
    "a workflow that is started": (TEMPORAL, "client.workflow.start('grind', { workflowId: grain, taskQueue: 'q' })"),
    "an operation that is begun": (ARM, "client.virtualMachines.beginStart('g', grain)"),
    "a transaction that is sent": (ETHERS, "wallet.sendTransaction({ to: grain })"),
    "a command in the background": (CODE, "(await Sandbox.create()).commands.run(grain, { background: true })"),
}


@pytest.mark.parametrize(("head", "call"), ONCE.values(), ids=ONCE.keys())
def test_what_only_starts_or_looks_waits_for_nothing(head: str, call: str) -> None:
    tool = only_tool({"mill.ts": f"{HEAD}{head}\nasync function work(grain, signal) {{ return {call}; }}\n{TOOL}"})
    assert not tool.waits


SIGNALS = {
    "fal": (FAL, 'fal.subscribe("fal-ai/mill", { input: { grain }, abortSignal: signal })'),
    "replicate": (REPLICATE, 'client.run("mill/stone", { input: { grain }, signal })'),
    "runway": (RUNWAY, "client.tasks.retrieve(grain).waitForTaskOutput({ abortSignal: signal })"),
    "openai": (OPENAI, "client.beta.threads.runs.createAndPoll(grain, { assistant_id: 'a' }, { signal })"),
    "aws": (
        EC2,
        "waitUntilInstanceRunning({ client, maxWaitTime: 90, abortSignal: signal }, { InstanceIds: [grain] })",
    ),
    "azure": (ARM, "(await client.virtualMachines.beginStart('g', grain)).pollUntilDone({ abortSignal: signal })"),
}


@pytest.mark.parametrize(("head", "call"), SIGNALS.values(), ids=SIGNALS.keys())
def test_the_deadline_of_a_signal_that_it_takes_is_its_cap(head: str, call: str) -> None:
    bounded = f"signal = AbortSignal.any([signal, AbortSignal.timeout(50_000)]); return {call};"
    cap = waited(head, bounded).cap
    assert cap.value == 50


def test_a_name_is_said_without_what_stands_for_the_default_of_a_module() -> None:
    assert said("node-fetch.default", "fetch(url, { signal })") == "fetch"
    assert said("node-fetch.default", "await load<Mill>(url)") == "load"
    assert said("axios.default.get", "axios.get(url)") == "axios.get"
    assert said("p-wait-for.default", "") == "p-wait-for"
    assert said("httpx.get", "httpx.get(url)") == "httpx.get"


def test_a_call_is_named_without_what_it_is_called_with() -> None:
    assert callee("subprocess.run(['grind', grain])") == "subprocess.run"
    assert callee("aai.Transcriber().transcribe(url)") == "aai.Transcriber().transcribe"
    assert (
        callee('await client.video\n  .create({ text: ")" })\n  .waitForTaskOutput()')
        == "client.video.create().waitForTaskOutput"
    )
    assert callee("(await queue.add('grind', { grain })).waitUntilFinished(events)") == "waitUntilFinished"
    assert callee("fal.subscribe(endpoint, { input: { prom…") == "fal.subscribe"


BOTH = """
from firecrawl import Firecrawl
from mcp.server.fastmcp import FastMCP

mcp = FastMCP("mill")
firecrawl = Firecrawl(api_key="k")


@mcp.tool()
def grind(url: str) -> str:
    \"\"\"Grind.\"\"\"
    return str(firecrawl.crawl(url, timeout=45))
"""


def test_a_row_holds_in_its_language_alone() -> None:
    assert only_wait({"mill.py": BOTH}).cap.value == 45


RETRIED = """
import pRetry from "p-retry";
const look = async (grain: string) => (await (await fetch(`https://mill.example/${grain}`)).json()).state;
"""
UNTIL_OVER = {
    "what differs from a state": "const state = await look(grain); if (state !== 'ground') throw new Error(state); return state;",
    "what is not over yet": "const state = await look(grain); if (state === 'running') throw new Error(state); return state;",
    "what is given back once it is over": "const state = await look(grain); if (state === 'ground') return state; throw new Error(state);",
    "what is not done": "const job = await look(grain); if (!job.done) throw new Error('not yet'); return job;",
}


@pytest.mark.parametrize("body", UNTIL_OVER.values(), ids=UNTIL_OVER.keys())
def test_a_helper_that_calls_again_what_raises_until_it_is_over_waits(body: str) -> None:
    call = f"return pRetry(async () => {{ {body} }}, {{ retries: 10, maxTimeout: 5000 }});"
    assert waited(RETRIED, call).cap.value == 50


ANSWERS = {
    "an answer that failed": "const answer = await fetch(grain); if (!answer.ok) throw new Error('no'); return answer.json();",
    "an answer that says so": "const answer = await look(grain); if (answer.status !== 'ok') throw new Error('no'); return answer;",
    "whatever comes": "return look(grain);",
}


@pytest.mark.parametrize("body", ANSWERS.values(), ids=ANSWERS.keys())
def test_a_helper_that_calls_again_what_failed_waits_for_nothing(body: str) -> None:
    call = f"return pRetry(async () => {{ {body} }}, {{ retries: 10, maxTimeout: 5000 }});"
    tool = only_tool({"mill.ts": f"{HEAD}{RETRIED}\nasync function work(grain, signal) {{ {call} }}\n{TOOL}"})
    assert not tool.waits
    assert tool.reads
