"""What waiting for a promise is whose end is decided elsewhere: in a race, by a callback, by who finds its resolver."""

from __future__ import annotations

import pytest

from linking import only_tool
from waitlint.linked import Certainty

HEAD = """
import fs from "node:fs";
import net from "node:net";
import { readFile } from "node:fs/promises";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";

const server = new McpServer({ name: "post", version: "1.0.0" });
const waiting = new Map<string, any>();

function guarded(work: any, ms: number) {
  return new Promise((done, fail) => {
    const timer = setTimeout(() => fail(new Error("late")), ms);
    work.then((letter: any) => { clearTimeout(timer); done(letter); }, fail);
  });
}

function limited<T>(work: Promise<T>, ms: number) {
  let timer: any;
  const late = new Promise<never>((_, fail) => { timer = setTimeout(() => fail(new Error("late")), ms); });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

async function local(path: string) {
  return JSON.parse(await readFile(path, "utf8"));
}

class Counter {
  queue: any[] = [];
  ask(letter: string) {
    const answer = new Promise<string>((done, fail) => this.queue.push({ letter, done, fail }));
    this.line.write(letter);
    return answer;
  }
}
const counter = new Counter();

function answered(id: string) {
  return new Promise((done, fail) => {
    const timer = setTimeout(() => { waiting.delete(id); fail(new Error("late")); }, 20000);
    waiting.set(id, { done: (letter: any) => { clearTimeout(timer); done(letter); } });
  });
}
"""
TOOL = 'server.tool("letter", "Fetches a letter.", {}, async () => {\n  return %s;\n});\n'
KNOWN = {
    "a race of what is not in view": (
        "await Promise.race([office.fetch(), new Promise((_, fail) => setTimeout(() => fail(Error('late')), 30000))])",
        30.0,
    ),
    "a race of one of several": (
        "await Promise.race([ready ? office.a() : b.fetch(), new Promise((_, fail) => setTimeout(fail, 25000))])",
        25.0,
    ),
    "a helper with a race": ("await limited(office.fetch(), 15_000)", 15.0),
    "a helper that clears its timer": ("await guarded(office.fetch(), 10_000)", 10.0),
    "a map of resolvers with a timer": ("await answered('a')", 20.0),
}
NOT_KNOWN = {
    "a queue of resolvers": "await counter.ask('a')",
    "an event of a socket": "await new Promise((done) => net.connect(1).on('close', () => done(1)))",
    "an event whose timer starts anew": (
        "await new Promise((done) => { const line = net.connect(1); let t = setTimeout(done, 5000);"
        " line.on('data', () => { clearTimeout(t); t = setTimeout(done, 5000); }); line.on('end', () => done(1)); })"
    ),
}
NO_WAIT = {
    "a race of a local file": "await limited(readFile('a'), 15_000)",
    "a race of a function that reads a local file": "await limited(local('a'), 15_000)",
    "a guard around a local file": "await guarded(fs.promises.realpath('a'), 10_000)",
    "a callback of a local file": "await new Promise((done) => fs.stat('a', (error, found) => done(found)))",
    "the end of a local file": "await new Promise((done) => fs.createReadStream('a').on('close', () => done(1)))",
    "a callback of what is not in view": "await new Promise((done) => office.look('a', (error, found) => done(found)))",
}


@pytest.mark.parametrize(("body", "seconds"), KNOWN.values(), ids=KNOWN)
def test_a_timer_beside_it_is_its_cap(body: str, seconds: float) -> None:
    tool = only_tool({"post.ts": HEAD + TOOL % body})
    assert [(wait.kind, wait.cap.value) for wait in tool.waits] == [("call", seconds)]


@pytest.mark.parametrize("body", NOT_KNOWN.values(), ids=NOT_KNOWN)
def test_without_one_its_cap_is_not_known(body: str) -> None:
    tool = only_tool({"post.ts": HEAD + TOOL % body})
    assert [(wait.kind, wait.cap.certainty) for wait in tool.waits] == [("call", Certainty.UNKNOWN)]


@pytest.mark.parametrize("body", NO_WAIT.values(), ids=NO_WAIT)
def test_what_is_done_at_once_or_only_calls_back_is_no_wait(body: str) -> None:
    tool = only_tool({"post.ts": HEAD + TOOL % body})
    assert not tool.waits


SEVERAL = 'const page: any = ready ? await a.open() : await b.open(); await page.waitForSelector("#a"); return ""'


def test_a_method_of_one_of_several_answers_is_known_by_its_name() -> None:
    body = f'declare const ready: boolean;\nserver.tool("a", "Opens it.", {{}}, async () => {{ {SEVERAL}; }});\n'
    assert [wait.cap.value for wait in only_tool({"post.ts": HEAD + body}).waits] == [30.0]


def test_a_project_that_sets_another_default_is_taken_at_its_word() -> None:
    body = 'const page: any = await a.open(); page.setDefaultTimeout(5000); await page.waitForSelector("#a");'
    waits = only_tool({"post.ts": HEAD + f'server.tool("a", "Opens it.", {{}}, async () => {{ {body} }});\n'}).waits
    assert [wait.cap.certainty for wait in waits] == [Certainty.UNKNOWN]


UNSEEN = {
    "a page with a limit": ("await (await a.open()).goto('b', { timeout: 12_000 })", 12.0),
    "a page without one": ("await (await a.open()).goto('b')", None),
    "something on it": ("await (await a.open()).locator('b').waitFor({ timeout: 7000 })", 7.0),
}


@pytest.mark.parametrize(("body", "seconds"), UNSEEN.values(), ids=UNSEEN)
def test_a_page_that_is_not_known_to_be_one_is_waited_for_by_its_method(body: str, seconds: float | None) -> None:
    waits = only_tool({"post.ts": HEAD + TOOL % body}).waits
    assert [wait.cap.value if wait.cap.known else None for wait in waits] == [seconds]
