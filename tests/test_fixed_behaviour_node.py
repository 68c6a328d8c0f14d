"""Fixed JavaScript runs in Node, where there is one: a stop ends the wait, between reads and in one that hangs."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from goldens import fixed_once
from harness import FIXTURES
from waitlint.changing import changes

PROJECT = FIXTURES / "cancel/handler-ignores-signal/bad/js-through-a-helper"
PROMPT_MS = 1_500
RUNNER = """
const [hangs, patience] = [process.argv[2] === "hangs", Number(process.argv[3])];
globalThis.fetch = (url, { signal } = {}) =>
  hangs
    ? new Promise((resolve, reject) => signal?.addEventListener("abort", () => reject(signal.reason)))
    : Promise.resolve({ text: () => Promise.resolve("moving") });
const { server } = await import("./src/server.mjs");
const stop = new AbortController();
setTimeout(() => stop.abort(), 50);
const begun = Date.now();
const tell = (how) => {
  console.log(JSON.stringify({ how, ms: Date.now() - begun }));
  process.exit(0);
};
setTimeout(() => tell("goes on"), patience);
server.tools.await_barrier({ barrier: "7" }, { signal: stop.signal }).then(
  () => tell("returned"),
  (error) => tell(error.name),
);
"""
SDK = """
export class McpServer {
  tools = {};
  registerTool(name, definition, handler) {
    this.tools[name] = handler;
  }
}
"""
ZOD = "export const z = { string: () => ({}), object: () => ({}) };\n"

AI = "export const tool = (definition) => definition;\n"
DEADLINES = {
    "cancel/deadline-between-laps/bad/ts-date-now": ("src/server.ts", "45_000", "measuring"),
    "cancel/one-signal-of-two/bad/ts-tested-at-the-head": ("lib/tools.ts", "24_000", "cooking"),
}
CAP_MS = 300
ENDS_AT_ITS_CAP = """
globalThis.fetch = (url, { signal } = {}) =>
  new Promise((resolve, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
const { server, dishReady } = await import("./tool.mjs");
const stop = new AbortController();
setTimeout(() => (console.log(JSON.stringify("goes on")), process.exit(0)), 1_500);
const waiting = server
  ? server.tools.measured_plot({ id: "7" }, { signal: stop.signal })
  : dishReady.execute({ ticket: "7" }, { abortSignal: stop.signal });
console.log(JSON.stringify(await waiting));
process.exit(0);
"""

pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="there is no Node here")


def packages(folder: Path) -> None:
    """Stand-ins for what the fixtures import."""
    sdk, zod = folder / "node_modules/@modelcontextprotocol/sdk", folder / "node_modules/zod"
    (sdk / "server").mkdir(parents=True)
    zod.mkdir()
    (sdk / "package.json").write_text('{"type": "module", "exports": {"./*": "./*"}}')
    (sdk / "server/mcp.js").write_text(SDK)
    (zod / "package.json").write_text('{"type": "module", "exports": "./index.js"}')
    (zod / "index.js").write_text(ZOD)
    ai = folder / "node_modules/ai"
    ai.mkdir()
    (ai / "package.json").write_text('{"type": "module", "exports": "./index.js"}')
    (ai / "index.js").write_text(AI)


def run(folder: Path, *, repaired: bool, hangs: bool) -> tuple[str, int]:
    """How the tool's wait ended after a stop, and after how many milliseconds."""
    shutil.copytree(PROJECT, folder, dirs_exist_ok=True)
    if repaired:
        before, after = fixed_once(PROJECT)
        for change in changes(before, after.scan):
            (folder / change.absolute.relative_to(PROJECT)).write_bytes(change.after)
    packages(folder)
    (folder / "run.mjs").write_text(RUNNER)
    command = ["node", "run.mjs", "hangs" if hangs else "answers", str(PROMPT_MS)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    return told["how"], told["ms"]


@pytest.mark.parametrize("hangs", [False, True], ids=["between reads", "in a read that hangs"])
def test_a_stop_ends_the_fixed_wait(hangs: bool, tmp_path: Path) -> None:
    how, elapsed = run(tmp_path, repaired=True, hangs=hangs)
    assert how == "AbortError"
    assert elapsed < PROMPT_MS


@pytest.mark.parametrize("hangs", [False, True], ids=["between reads", "in a read that hangs"])
def test_before_the_fix_it_went_on(hangs: bool, tmp_path: Path) -> None:
    assert run(tmp_path, repaired=False, hangs=hangs)[0] == "goes on"


@pytest.mark.parametrize("repaired", [True, False], ids=["fixed", "as it was"])
@pytest.mark.parametrize("fixture", sorted(DEADLINES))
def test_a_read_that_hangs_ends_with_the_deadline(fixture: str, repaired: bool, tmp_path: Path) -> None:
    """The last state comes back; the file is plain JavaScript, and its cap is made short."""
    project, (path, cap, state) = FIXTURES / fixture, DEADLINES[fixture]
    text = (project / path).read_bytes()
    if repaired:
        before, after = fixed_once(project)
        fixed = {change.absolute: change.after for change in changes(before, after.scan)}
        text = fixed[project / path]
    assert cap in text.decode()
    packages(tmp_path)
    (tmp_path / "tool.mjs").write_text(text.decode().replace(cap, str(CAP_MS)))
    (tmp_path / "run.mjs").write_text(ENDS_AT_ITS_CAP)
    done = subprocess.run(["node", "run.mjs"], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert (state in done.stdout) is repaired
    assert ("goes on" in done.stdout) is not repaired
