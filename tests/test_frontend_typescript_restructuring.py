"""Changes of TypeScript code: each a few words in, a few words out, whatever stands around them."""

from __future__ import annotations

import json
import shutil
import subprocess
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from waitlint.facts import Span
from waitlint.fix import (
    AddSignal,
    BoundByDeadline,
    BoundCall,
    BoundLoop,
    Change,
    ClampArgument,
    HandOn,
    RaiseAgain,
    SetNumber,
    SetOption,
    TakeSignal,
)
from waitlint.fixing import applied
from waitlint.frontends import edits
from waitlint.source import Source

FETCH = "fetch"
SLEEP = "node:timers/promises.setTimeout"


class Case(NamedTuple):
    """A file before and after. The change is asked for at the place of `at`, which stands once in it."""

    name: str
    change: str
    at: str
    before: str
    after: str | None
    more: tuple[object, ...] = ()


def span(text: str, words: str) -> Span:
    assert text.count(words) == 1, words
    start = text.index(words)
    return Span(start, start + len(words))


def change_of(case: Case, text: str) -> Change:
    at = span(text, case.at)
    match case.change, case.more:
        case "number", (int() as before, int() as after):
            return SetNumber("a.ts", at, before, after)
        case "loop", (int() as laps,):
            return BoundLoop("a.ts", at, 50, laps)
        case "hand", (str() as signal, str() as api):
            return HandOn("a.ts", at, signal, api)
        case "argument", (str() as signal, int() as position):
            return HandOn("a.ts", at, signal, "", position)
        case "add", ():
            return AddSignal("a.ts", at)
        case "bound", (str() as api,):
            return BoundCall("a.ts", at, api, 30)
        case "catch", ():
            return RaiseAgain("a.ts", at)
        case "take", (int() as position, str() as keys, str() as call, str() as api):
            to = HandOn("a.ts", span(text, call), "", api, optional=False)
            return TakeSignal("a.ts", at, position, tuple(keys.split(".")), (to,))
        case "until", (str() as loop, str() as api, int() as position):
            return BoundByDeadline("a.ts", at, api, span(text, loop), position, seconds=30)
        case "clamp", (str() as name, int() as seconds, int() as by_default):
            return ClampArgument("a.ts", at, name, seconds, by_default)
        case "option", (int() as arg, str() as key, str() as value, str() as source):
            return SetOption("a.ts", at, value, arg, key=key, source=source, joins=bool(source), instead="forever")
    raise AssertionError(case)


def changed(case: Case, text: str) -> str | None:
    made = edits(Source("a.ts", text), "typescript", change_of(case, text))
    return None if made is None else applied(text, made)


CASES = [
    Case(
        "a deadline between laps",
        "until",
        "fetch(u)",
        "async function f() {\n  let s = 'on';\n  const end = Date.now() + 30_000;\n  while (s === 'on' && Date.now() < end) {\n    s = await (await fetch(u)).text();\n  }\n  return s;\n}\n",
        "async function f() {\n  let s = 'on';\n  const end = Date.now() + 30_000;\n  const over = AbortSignal.timeout(30_000);\n  try {\n    while (s === 'on' && Date.now() < end) {\n      s = await (await fetch(u, { signal: over })).text();\n    }\n  } catch (error) {\n    if (!over.aborted) throw error;\n  }\n  return s;\n}\n",
        ("while (s === 'on' && Date.now() < end)", FETCH, -1),
    ),
    Case(
        "a deadline beside a stop that may be missing",
        "until",
        "look(stop)",
        "async function f(stop?: AbortSignal): Promise<Job> {\n  const start = performance.now();\n  while (true) {\n    const job = await look(stop);\n    if (job.done || performance.now() - start > MOST) return job;\n  }\n}\n",
        "async function f(stop?: AbortSignal): Promise<Job> {\n  const start = performance.now();\n  const over = AbortSignal.timeout(MOST);\n  const signal = stop ? AbortSignal.any([stop, over]) : over;\n  let job: Job | undefined;\n  try {\n    while (true) {\n      job = await look(signal);\n      if (job.done || performance.now() - start > MOST) return job;\n    }\n  } catch (error) {\n    if (!job || stop?.aborted || !over.aborted) throw error;\n    return job;\n  }\n}\n",
        ("while (true)", "", 0),
    ),
    Case(
        "a deadline that ends in another answer",
        "until",
        "fetch(u)",
        "async function f() {\n  let s = 'on';\n  const end = Date.now() + 9;\n  while (s === 'on') {\n    s = await (await fetch(u)).text();\n    if (Date.now() > end) return 'late';\n  }\n  return s;\n}\n",
        None,
        ("while (s === 'on')", FETCH, -1),
    ),
    Case(
        "a text in the loop that must not be moved",
        "until",
        "fetch(u)",
        "async function f() {\n  let s = 'on';\n  const end = Date.now() + 9;\n  while (s === 'on' && Date.now() < end) {\n    s = await (await fetch(u)).text() + `a\n  b`;\n  }\n  return s;\n}\n",
        None,
        ("while (s === 'on' && Date.now() < end)", FETCH, -1),
    ),
    Case(
        "one signal or the other",
        "until",
        "fetch(u, { signal })",
        "async function f(stop) {\n  const signal = stop ?? AbortSignal.timeout(9_000);\n  let s = 'on';\n  while (s === 'on') {\n    s = await (await fetch(u, { signal })).text();\n  }\n  return s;\n}\n",
        "async function f(stop) {\n  const signal = AbortSignal.any([stop, AbortSignal.timeout(9_000)].filter((each) => each !== undefined));\n  let s = 'on';\n  while (s === 'on') {\n    s = await (await fetch(u, { signal })).text();\n  }\n  return s;\n}\n",
        ("while (s === 'on')", FETCH, -1),
    ),
    Case(
        "a greatest value",
        "clamp",
        "laps: z.number().int().optional().default(5)",
        "const s = { laps: z.number().int().optional().default(5) };\n",
        "const s = { laps: z.number().int().max(10).optional().default(5) };\n",
        ("laps", 50, 25),
    ),
    Case(
        "a greatest value by the name's unit",
        "clamp",
        "waitMs: z.number()",
        "const s = { waitMs: z.number() };\n",
        "const s = { waitMs: z.number().max(50_000) };\n",
        ("waitMs", 50, 0),
    ),
    Case("a unit that is not known", "clamp", "n: z.number()", "const s = { n: z.number() };\n", None, ("n", 50, 0)),
    Case(
        "a greatest value in a schema",
        "clamp",
        'wait: { type: "number", minimum: 1, default: 20 }',
        'const s = { wait: { type: "number", minimum: 1, default: 20 } };\n',
        'const s = { wait: { type: "number", minimum: 1, maximum: 50, default: 20 } };\n',
        ("wait", 50, 20),
    ),
    Case(
        "a default above the greatest value",
        "clamp",
        "n: z.number().default(90)",
        "const s = { n: z.number().default(90) };\n",
        None,
        ("n", 50, 90),
    ),
    Case(
        "an option", "option", "run(a, q)", "run(a, q);\n", "run(a, q, { maxTurns: 25 });\n", (2, "maxTurns", "25", "")
    ),
    Case(
        "an option among others",
        "option",
        "query({ prompt, options: { cwd } })",
        "query({ prompt, options: { cwd } });\n",
        "query({ prompt, options: { cwd, maxTurns: 50 } });\n",
        (0, "options.maxTurns", "50", ""),
    ),
    Case(
        "options where there are none",
        "option",
        "query({ prompt })",
        "query({ prompt });\n",
        "query({ prompt, options: { maxTurns: 50 } });\n",
        (0, "options.maxTurns", "50", ""),
    ),
    Case(
        "an option that is off",
        "option",
        "retry(f, { forever: true })",
        "retry(f, { forever: true });\n",
        "retry(f, { retries: 5 });\n",
        (1, "retries", "5", ""),
    ),
    Case(
        "a condition beside another",
        "option",
        "generateText({ stopWhen: done() })",
        'import { generateText } from "ai";\ngenerateText({ stopWhen: done() });\n',
        'import { generateText, stepCountIs } from "ai";\ngenerateText({ stopWhen: [done(), stepCountIs(20)] });\n',
        (0, "stopWhen", "stepCountIs(20)", "ai"),
    ),
    Case(
        "a condition that can't be imported",
        "option",
        "generateText({ stopWhen: done() })",
        'import * as ai from "ai";\nai.generateText({ stopWhen: done() });\n',
        None,
        (0, "stopWhen", "stepCountIs(20)", "ai"),
    ),
    Case("options unseen there", "option", "run(a, q, o)", "run(a, q, o);\n", None, (2, "maxTurns", "25", "")),
    Case(
        "a timeout of its own",
        "bound",
        "axios.get(u)",
        "const f = () => axios.get(u);\n",
        "const f = () => axios.get(u, { timeout: 30_000 });\n",
        ("axios.default.get",),
    ),
    Case(
        "a number in the manner of the file",
        "bound",
        "axios.get(u)",
        "const most = 20000;\nconst f = () => axios.get(u);\n",
        "const most = 20000;\nconst f = () => axios.get(u, { timeout: 30000 });\n",
        ("axios.default.get",),
    ),
    Case(
        "a timeout among options",
        "bound",
        "axios.post(u, data, { headers })",
        "const f = () => axios.post(u, data, { headers });\n",
        "const f = () => axios.post(u, data, { headers, timeout: 30_000 });\n",
        ("axios.default.post",),
    ),
    Case(
        "a signal for a timeout",
        "bound",
        "fetch(u)",
        "const f = () => fetch(u);\n",
        "const f = () => fetch(u, { signal: AbortSignal.timeout(30_000) });\n",
        (FETCH,),
    ),
    Case(
        "a timeout there already",
        "bound",
        "axios.get(u, { timeout: 5 })",
        "const f = () => axios.get(u, { timeout: 5 });\n",
        None,
        ("axios.default.get",),
    ),
    Case(
        "an argument is missing",
        "bound",
        "axios.post(u)",
        "const f = () => axios.post(u);\n",
        None,
        ("axios.default.post",),
    ),
    Case("a number", "number", "120_000", "const LIMIT = 120_000;\n", "const LIMIT = 50_000;\n", (120, 50)),
    Case("a factor", "number", "2", "const LIMIT = 2 * 60 * 1000;\n", "const LIMIT = 50_000;\n", (120, 50)),
    Case("a factor that fits", "number", "5", "const LIMIT = 5 * 60_000;\n", "const LIMIT = 1 * 60_000;\n", (300, 60)),
    Case(
        "a constant",
        "number",
        "i <= TRIES",
        "const TRIES = 24;\nfor (let i = 1; i <= TRIES; i++) look();\n",
        "const TRIES = 10;\nfor (let i = 1; i <= TRIES; i++) look();\n",
        (24, 10),
    ),
    Case(
        "a local",
        "number",
        "i <= tries",
        "function f() { const tries = 24; for (let i = 1; i <= tries; i++) look(); }\n",
        None,
        (24, 10),
    ),
    Case(
        "a condition",
        "loop",
        'while (dish.status === "cooking")',
        'async function f(dish) {\n  while (dish.status === "cooking") {\n    dish = await look();\n  }\n  return dish;\n}\n',
        'async function f(dish) {\n  let laps = 0;\n  while (dish.status === "cooking" && laps++ < 16) {\n    dish = await look();\n  }\n  return dish;\n}\n',
        (16,),
    ),
    Case(
        "a deadline",
        "loop",
        "while (a || b)",
        "async function f(a, b) {\n  while (a || b) {\n    a = await look();\n  }\n  return a;\n}\n",
        "async function f(a, b) {\n  const deadline = Date.now() + 50_000;\n  while ((a || b) && Date.now() < deadline) {\n    a = await look();\n  }\n  return a;\n}\n",
        (0,),
    ),
    Case(
        "a look before the test",
        "loop",
        "do",
        "async function f() {\n  let s;\n  do {\n    s = await look();\n  } while (s === 1);\n  return s;\n}\n",
        "async function f() {\n  let s;\n  let laps = 0;\n  do {\n    s = await look();\n  } while (s === 1 && ++laps < 6);\n  return s;\n}\n",
        (6,),
    ),
    Case(
        "for ever",
        "loop",
        "while (true)",
        "async function f() {\n  while (true) {\n    const s = await look();\n    if (s.done) return s;\n    await pause();\n  }\n}\n",
        "async function f() {\n  for (let lap = 1; ; lap++) {\n    const s = await look();\n    if (s.done || lap === 6) return s;\n    await pause();\n  }\n}\n",
        (6,),
    ),
    Case(
        "two ways out",
        "loop",
        "while (true)",
        "async function f() {\n  while (true) {\n    if (a) return 1;\n    if (b) return 2;\n  }\n}\n",
        None,
        (6,),
    ),
    Case(
        "what follows needs the final state",
        "loop",
        "while (!s.done)",
        "async function f(s) {\n  while (!s.done) {\n    s = await look();\n  }\n  return s.url;\n}\n",
        None,
        (6,),
    ),
    Case(
        "no options",
        "hand",
        "fetch(u)",
        "const f = (signal) => fetch(u);\n",
        "const f = (signal) => fetch(u, { signal });\n",
        ("signal", FETCH),
    ),
    Case(
        "another name",
        "hand",
        "fetch(u, { method })",
        "const f = (stop) => fetch(u, { method });\n",
        "const f = (stop) => fetch(u, { method, signal: stop });\n",
        ("stop", FETCH),
    ),
    Case(
        "a line for each",
        "hand",
        "fetch(u, {\n    method,\n  })",
        "const f = (signal) =>\n  fetch(u, {\n    method,\n  });\n",
        "const f = (signal) =>\n  fetch(u, {\n    method,\n    signal,\n  });\n",
        ("signal", FETCH),
    ),
    Case(
        "in its place",
        "hand",
        "setTimeout(5)",
        "const f = (signal) => setTimeout(5);\n",
        "const f = (signal) => setTimeout(5, undefined, { signal });\n",
        ("signal", SLEEP),
    ),
    Case(
        "out of its place",
        "hand",
        "setTimeout(5, { signal })",
        "const f = (signal) => setTimeout(5, { signal });\n",
        "const f = (signal) => setTimeout(5, undefined, { signal });\n",
        ("signal", SLEEP),
    ),
    Case(
        "a promise around a timer",
        "hand",
        "new Promise((r) => setTimeout(r, 5))",
        "import fs from 'node:fs';\nasync function f(signal) {\n  await new Promise((r) => setTimeout(r, 5));\n}\n",
        "import fs from 'node:fs';\nimport { setTimeout as sleep } from 'node:timers/promises';\n"
        "async function f(signal) {\n  await sleep(5, undefined, { signal });\n}\n",
        ("signal", "setTimeout"),
    ),
    Case(
        "a promise around a timer, where that of Node is known",
        "hand",
        "new Promise(r => { setTimeout(r, 5); })",
        'import { setTimeout as nap } from "timers/promises";\nimport fs from "fs"\n'
        "async function f(stop) {\n  await new Promise(r => { setTimeout(r, 5); });\n}\n",
        'import { setTimeout as nap } from "timers/promises";\nimport fs from "fs"\n'
        "async function f(stop) {\n  await nap(5, undefined, { signal: stop });\n}\n",
        ("stop", "setTimeout"),
    ),
    Case(
        "a promise around a timer, perhaps in a browser",
        "hand",
        "new Promise((r) => setTimeout(r, 5))",
        "import { h } from 'preact';\nasync function f(signal) {\n  await new Promise((r) => setTimeout(r, 5));\n}\n",
        None,
        ("signal", "setTimeout"),
    ),
    Case(
        "a promise that does more than to wait",
        "hand",
        "new Promise((r) => setTimeout(() => r(look()), 5))",
        "import fs from 'node:fs';\nasync function f(signal) {\n"
        "  return await new Promise((r) => setTimeout(() => r(look()), 5));\n}\n",
        None,
        ("signal", "setTimeout"),
    ),
    Case(
        "both",
        "hand",
        "fetch(u, { signal: end })",
        "const f = (stop?: AbortSignal, end: AbortSignal) => fetch(u, { signal: end });\n",
        "const f = (stop?: AbortSignal, end: AbortSignal) => fetch(u, {\n"
        "  signal: stop ? AbortSignal.any([stop, end]) : end,\n});\n",
        ("stop", FETCH),
    ),
    Case(
        "options unseen",
        "hand",
        "fetch(u, init)",
        "const f = (signal, init) => fetch(u, init);\n",
        None,
        ("signal", FETCH),
    ),
    Case(
        "a spread",
        "hand",
        "fetch(u, { ...init })",
        "const f = (signal, init) => fetch(u, { ...init });\n",
        None,
        ("signal", FETCH),
    ),
    Case("out of sight", "hand", "fetch(u)", "const f = () => fetch(u);\n", None, ("signal", FETCH)),
    Case(
        "a field",
        "hand",
        "fetch(u)",
        "class A {\n  constructor(private readonly stop: AbortSignal) {}\n  f() {\n    return fetch(u);\n  }\n}\n",
        "class A {\n  constructor(private readonly stop: AbortSignal) {}\n  f() {\n    return fetch(u, { signal: this.stop });\n  }\n}\n",
        ("stop", FETCH),
    ),
    Case(
        "an argument",
        "argument",
        "settled(id)",
        "const f = (id, signal) => settled(id);\n",
        "const f = (id, signal) => settled(id, signal);\n",
        ("signal", 1),
    ),
    Case(
        "a later argument",
        "argument",
        "send(id)",
        "const f = (id, signal) => send(id);\n",
        "const f = (id, signal) => send(id, undefined, signal);\n",
        ("signal", 2),
    ),
    Case(
        "another argument there",
        "argument",
        "send(id, x)",
        "const f = (id, x, signal) => send(id, x);\n",
        None,
        ("signal", 1),
    ),
    Case(
        "a parameter",
        "add",
        "function f(id: string) {}",
        "function f(id: string) {}\n",
        "function f(id: string, signal?: AbortSignal) {}\n",
    ),
    Case("a rest parameter", "add", "function f(...ids: string[]) {}", "function f(...ids: string[]) {}\n", None),
    Case("a signal there already", "add", "function f(signal: Lamp) {}", "function f(signal: Lamp) {}\n", None),
    Case(
        "taken",
        "take",
        "async ({ id }) => fetch(id)",
        "tool(async ({ id }) => fetch(id));\n",
        "tool(async ({ id }, { signal }) => fetch(id, { signal }));\n",
        (1, "signal", "fetch(id)", FETCH),
    ),
    Case(
        "taken from what is there",
        "take",
        "async ({ id }, extra) => fetch(id)",
        "tool(async ({ id }, extra) => fetch(id));\n",
        "tool(async ({ id }, extra) => fetch(id, { signal: extra.signal }));\n",
        (1, "signal", "fetch(id)", FETCH),
    ),
    Case(
        "taken beside another",
        "take",
        "async ({ id }, { log }) => fetch(id)",
        "tool(async ({ id }, { log }) => fetch(id));\n",
        "tool(async ({ id }, { log, signal }) => fetch(id, { signal }));\n",
        (1, "signal", "fetch(id)", FETCH),
    ),
    Case(
        "taken from deep inside",
        "take",
        "async ({ id }) => fetch(id)",
        "tool(async ({ id }) => fetch(id));\n",
        "tool(async ({ id }, ctx) => fetch(id, { signal: ctx.mcpReq.signal }));\n",
        (1, "mcpReq.signal", "fetch(id)", FETCH),
    ),
    Case(
        "taken where nothing was",
        "take",
        "async () => fetch(u)",
        "tool(async () => fetch(u));\n",
        "tool(async (_input, { signal }) => fetch(u, { signal }));\n",
        (1, "signal", "fetch(u)", FETCH),
    ),
    Case(
        "taken by a function on its own",
        "take",
        "async function f(a: In) { return fetch(a.u); }",
        "async function f(a: In) { return fetch(a.u); }\n",
        "async function f(a: In, { signal }: { signal: AbortSignal }) { return fetch(a.u, { signal }); }\n",
        (1, "signal", "fetch(a.u)", FETCH),
    ),
    Case(
        "caught",
        "catch",
        "catch {\n    rest();\n  }",
        "async function f(signal?: AbortSignal) {\n  try {\n    await fetch(u, { signal });\n  } catch {\n    rest();\n  }\n}\n",
        "async function f(signal?: AbortSignal) {\n  try {\n    await fetch(u, { signal });\n  } catch (error) {\n    if (signal?.aborted) throw error;\n    rest();\n  }\n}\n",
    ),
    Case(
        "caught and dropped",
        "catch",
        "catch (e) {}",
        "async function f(stop: AbortSignal) {\n  try {\n    await fetch(u, { signal: stop });\n  } catch (e) {}\n}\n",
        "async function f(stop: AbortSignal) {\n  try {\n    await fetch(u, { signal: stop });\n  } catch (e) {\n    if (stop.aborted) throw e;\n  }\n}\n",
    ),
    Case("no signal in it", "catch", "catch {}", "try { await fetch(u); } catch {}\n", None),
]
GOOD = [case for case in CASES if case.after]


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_a_change_is_made_or_is_not_here(case: Case) -> None:
    assert changed(case, case.before) == case.after


@pytest.mark.parametrize("case", GOOD, ids=[case.name for case in GOOD])
def test_the_newlines_of_the_file_are_kept(case: Case) -> None:
    assert case.after is not None
    crlf = case._replace(at=case.at.replace("\n", "\r\n"), before="// first\r\n" + case.before.replace("\n", "\r\n"))
    assert changed(crlf, crlf.before) == "// first\r\n" + case.after.replace("\n", "\r\n")


WORDS = st.text(alphabet="aé✓日😀 \t'\"`{}", max_size=12)


@given(st.sampled_from(GOOD), WORDS, WORDS)
@settings(max_examples=80, deadline=None)
def test_what_stands_around_does_not_matter(case: Case, first: str, last: str) -> None:
    """Comments of any characters before and behind: the edits are the same, at other places."""
    head, tail = f"// {first}\n", f"\n// {last}\n"
    text = head + case.before + tail
    if text.count(case.at) == 1:
        assert changed(case, text) == f"{head}{case.after}{tail}"


@pytest.mark.skipif(shutil.which("node") is None, reason="there is no Node here")
def test_plain_javascript_still_parses_for_node() -> None:
    plain = [case.after for case in GOOD if case.after and ": " not in case.after.partition("=>")[0].partition("{")[0]]
    plain = [text for text in plain if "AbortSignal)" not in text and "private" not in text and "?: " not in text]
    plain = [text for text in plain if not text.startswith("import ") and "Promise<" not in text]
    script = "const vm = require('vm'); for (const t of JSON.parse(process.argv[1])) new vm.Script(t);"
    done = subprocess.run(["node", "-e", script, json.dumps(plain)], capture_output=True, text=True, timeout=30)
    assert (done.returncode, done.stderr) == (0, "")
    assert len(plain) > 10
