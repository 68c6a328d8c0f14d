"""Waits behind what only declares: interfaces, object types, and the types of the objects that hold handlers."""

from __future__ import annotations

from linking import linked
from waitlint.linked import Certainty, Tool

SERVER = """
    import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
    const server = new McpServer({ name: "press", version: "1.0.0" });
"""
SPOOLER = """
    import type { Spooler } from "./ports.js";

    export class NetworkSpooler implements Spooler {
      async drain(job: string): Promise<string> {
        while (true) {
          const found = await fetch(`https://press.example/jobs/${job}`);
          const state = await found.json();
          if (state.phase === "printed") return state.sheet;
          await new Promise((done) => setTimeout(done, 2000));
        }
      }
    }
"""
PORTS = "export interface Spooler { drain(job: string): Promise<string>; }"
WITH_DEPS = (
    SERVER
    + """
    import { container } from "./container.js";
    import type { Spooler } from "./ports.js";

    interface Deps { spooler: Spooler; log: unknown }

    async function print(job: string, { spooler }: Deps) {
      return spooler.drain(job);
    }
    server.tool("print", "Prints.", {}, async () => print("a", { spooler: container.resolve("spooler"), log: 1 }));
"""
)


def tool(files: dict[str, str], name: str = "print") -> Tool:
    return next(one for one in linked(files).tools if one.name == name)


def waits(found: Tool) -> list[tuple[str, Certainty, float]]:
    return [(wait.kind, wait.cap.certainty, wait.cap.value) for wait in found.waits]


def test_what_an_interface_declares_is_done_by_the_class_that_implements_it() -> None:
    found = tool({"a.ts": WITH_DEPS, "ports.ts": PORTS, "spooler.ts": SPOOLER})
    assert waits(found) == [("loop", Certainty.ABSENT, 0.0)]


def test_classes_that_stand_in_for_others_in_tests_are_left_out() -> None:
    fake = SPOOLER.replace("NetworkSpooler", "FakeSpooler").replace("while (true)", "while (false)")
    found = tool({"a.ts": WITH_DEPS, "ports.ts": PORTS, "spooler.ts": SPOOLER, "tests/fake.ts": fake})
    assert waits(found) == [("loop", Certainty.ABSENT, 0.0)]


def test_an_interface_with_many_classes_says_nothing() -> None:
    many = {f"s{n}.ts": SPOOLER.replace("NetworkSpooler", f"Spooler{n}") for n in range(7)}
    assert waits(tool({"a.ts": WITH_DEPS, "ports.ts": PORTS, **many})) == []


TYPES = """
    export type Desk = Readonly<{ seal(id: string): Promise<void>; }>;
    export interface Request { params: Record<string, number> }
    export interface ToolDefinition {
      name: string;
      handler: (request: Request, desk: Desk) => Promise<string>;
    }
    export function defineTool(definition: ToolDefinition) { return definition; }
"""
DESK = """
    import type { Desk } from "./types.js";
    export class FrontDesk implements Desk {
      async seal(id: string): Promise<void> {
        await Promise.race([
          this.office.stamp(id),
          new Promise<void>((_, late) => setTimeout(() => late(new Error("late")), 40_000)),
        ]);
      }
    }
"""
PARTS = """
      name: "seal",
      description: "Puts a seal on a letter.",
      inputSchema: { type: "object", properties: { pause: { type: "number" } } },
      handler: async (request, desk) => {
        await new Promise((done) => setTimeout(done, request.params.pause));
        await desk.seal("x");
        return "sealed";
      },
"""


def test_a_handler_is_handed_what_the_type_of_its_definition_says() -> None:
    given = f'import {{ defineTool }} from "./types.js"; export const seal = defineTool({{ {PARTS} }});'
    bound = f'import type {{ ToolDefinition }} from "./types.js"; export const seal: ToolDefinition = {{ {PARTS} }};'
    made = (
        f'import {{ defineTool }} from "./lazy.js"; '
        f"export const seal = defineTool((args) => {{ return {{ {PARTS} }}; }});"
    )
    lazy = """
    import type { ToolDefinition } from "./types.js";
    export function defineTool(make: ToolDefinition | ((args: number) => ToolDefinition)) { return make; }
    """
    for source in (given, bound, made):
        found = tool({"a.ts": source, "types.ts": TYPES, "lazy.ts": lazy, "desk.ts": DESK}, "seal")
        assert ("call", Certainty.KNOWN, 40.0) in waits(found), source
        chosen = [wait.chosen.name for wait in found.waits if wait.chosen is not None]
        assert chosen == ["pause"], source


def test_a_bound_that_may_be_missing_ends_a_wait_that_it_would_begin() -> None:
    source = (
        SERVER
        + """
    function bound(config: any): number | undefined { return config.given ? undefined : 8000; }
    server.tool("print", "Prints a job.", {}, async () => {
      const most = bound(globalThis.config);
      const began = Date.now();
      while (Date.now() - began < most) {
        const found = await (await fetch("https://press.example/jobs")).json();
        if (found.phase === "printed") break;
        await new Promise((done) => setTimeout(done, 500));
      }
      return { content: [] };
    });
    """
    )
    assert waits(tool({"a.ts": source})) == [("loop", Certainty.KNOWN, 8.0)]


def test_all_of_one_of_several_lists_are_awaited() -> None:
    source = (
        SERVER
        + """
    import { z } from "zod";
    server.tool("print", "Prints jobs.", { jobs: z.any() }, async ({ jobs }) => {
      const listed = Array.isArray(jobs) ? jobs : [jobs];
      await Promise.all(listed.map(async (job) => {
        await new Promise((done) => setTimeout(done, 3000));
      }));
      return { content: [] };
    });
    """
    )
    assert [sleep.seconds.value for sleep in tool({"a.ts": source}).sleeps] == [3.0]


def test_work_that_is_not_in_view_takes_as_long_as_the_timer_of_its_signal() -> None:
    source = (
        SERVER
        + """
    import { Loom } from "loom-kit";
    server.tool("print", "Prints a job.", {}, async () => {
      const controller = new AbortController();
      const timer = setTimeout(() => controller.abort(), 30_000);
      try {
        const loom = new Loom();
        loom.on("thread", () => 1, { signal: controller.signal });
        return await loom.weave("a", { signal: controller.signal, fine: true });
      } finally {
        clearTimeout(timer);
      }
    });
    """
    )
    found = tool({"a.ts": source})
    assert waits(found) == [("call", Certainty.KNOWN, 30.0)]
    assert found.waits[0].is_guard


def test_a_run_limits_the_tools_that_it_is_given_by_name() -> None:
    source = """
    import { streamText, tool } from "ai";
    const wind = tool({
      description: "Winds.",
      inputSchema: {},
      execute: async () => { await new Promise((done) => setTimeout(done, 10000)); },
    });
    const tools = { wind } as const;
    export async function POST(request: Request) {
      return streamText({ model, tools, timeout: { toolMs: 500 }, prompt: "x" });
    }
    """
    assert tool({"a.ts": source}, "wind").limit.value == 0.5
