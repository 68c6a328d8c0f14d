"""What a tool hands back to the model, and what it says of its arguments at every level."""

from __future__ import annotations

from textwrap import dedent

import pytest

from linking import linked
from waitlint.linked import ToolText

SAID = "Keep calling get_job until it resolves."
PYTHON = """
    import json
    from mcp.server.fastmcp import FastMCP
    from mcp.types import CallToolResult, TextContent

    mcp = FastMCP("depot")

    class NotYet(Exception):
        pass

    def report(state):
        return {"state": state, "next": "%s"}

    @mcp.tool()
    async def start_job(name: str, fast: bool = False):
        job = client.start(name)
    """
TYPESCRIPT = """
    import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
    import { z } from "zod";
    const server = new McpServer({ name: "depot", version: "1" });
    const config = { description: "Starts a job.", inputSchema: { name: z.string() } };
    server.registerTool("start_job", config, async ({ name }) => {
      const job = await client.start(name);
    %s
    });
    """

ANSWERS = {
    "a string": f'return "{SAID}"',
    "a string with holes": f'return f"Job {{job.id}} runs. {SAID}"',
    "a string over a hole": 'return f"Job {job.id} runs. Keep calling {job.tool} until it resolves."',
    "a concatenation": f'return "Job " + job.id + " runs. " + "{SAID}"',
    "a text that grows": f'text = "Job runs. "\n    text += "{SAID}"\n    return text',
    "lines that are joined": f'lines = ["Job runs."]\n    lines.append("{SAID}")\n    return "\\n".join(lines)',
    "lines behind two branches": f'lines = []\n    if fast:\n        lines.append("Fast.")\n    else:\n'
    f'        lines.append("Slow.")\n    lines.append("{SAID}")\n    return "\\n".join(lines)',
    "lines behind many branches": "lines = []\n"
    + "".join(f"    lines.append('Line {n}.')\n" for n in range(30))
    + "".join(
        f"    if job.a{n}:\n        lines.append('A{n}.')\n    else:\n        lines.append('B{n}.')\n" for n in range(5)
    )
    + f'    lines.append("{SAID}")\n    return "\\n".join(lines)',
    "a field": f'return {{"id": job.id, "next_step": "{SAID}"}}',
    "a field of a field": f'return {{"data": {{"hints": ["{SAID}"]}}}}',
    "JSON": f'return json.dumps({{"id": job.id, "message": "{SAID}"}})',
    "a content block": f'return [TextContent(type="text", text=f"Job {{job.id}} runs. {SAID}")]',
    "a result": f'return CallToolResult(content=[TextContent(type="text", text="{SAID}")])',
    "an error": f'raise NotYet("{SAID}")',
    "a branch": f'if fast:\n        return "done"\n    return "{SAID}"',
    "a choice": f'return "done" if fast else "{SAID}"',
    "a format": f'return "Job {{}} runs. {SAID}".format(job.id)',
    "a dictionary that grows": f'found = {{"id": job.id}}\n    found["message"] = "{SAID}"\n    return found',
}


def results(code: str, path: str) -> list[ToolText]:
    (tool,) = linked({path: code}).tools
    return [text for text in tool.texts if text.text.role == "tool-result"]


@pytest.mark.parametrize("form", ANSWERS)
def test_what_a_tool_answers_is_read_where_it_stands(form: str) -> None:
    code = dedent(PYTHON % "x") + "    " + ANSWERS[form] + "\n"
    found = results(code, "server.py")
    words = "Keep calling"
    places = {text.place(at, at + 1).span.start for text in found if (at := text.text.value.find(words)) >= 0}
    assert places == {code.index(words)}
    assert all(text.owner == "start_job" and text.text.intents for text in found)


def test_a_helper_s_answer_stands_in_the_helper() -> None:
    code = dedent(PYTHON % SAID) + "    return report(job.state)\n"
    (text,) = results(code, "server.py")
    assert text.place(0, 1).span.start == code.index(SAID)


def test_what_is_only_logged_is_no_answer() -> None:
    code = dedent(PYTHON % "x") + f'    log.info("{SAID}")\n    return job\n'
    assert results(code, "server.py") == []


SCRIPT = {
    "a text": f'return {{ content: [{{ type: "text", text: `Job ${{job.id}} runs. {SAID}` }}] }};',
    "JSON": f'return {{ content: [{{ type: "text", text: JSON.stringify({{ id: job.id, nextStep: "{SAID}" }}) }}] }};',
    "structured": f'return {{ content: [], structuredContent: {{ nextStep: "{SAID}" }} }};',
    "an error": f'throw new Error("{SAID}");',
    "lines": f'const lines = ["Job runs."];\n  lines.push("{SAID}");\n'
    '  return { content: [{ type: "text", text: lines.join("\\n") }] };',
    "lines behind a branch": 'const lines = [];\n  if (job.ok) { lines.push("A."); } else { lines.push("B."); }\n'
    f'  lines.push("{SAID}");\n  return {{ content: [{{ type: "text", text: lines.join("\\n") }}] }};',
    "a concatenation": f'return {{ content: [{{ type: "text" as const, text: "Job runs. " + "{SAID}" }}] }};',
}


@pytest.mark.parametrize("form", SCRIPT)
def test_what_a_tool_in_typescript_answers_is_read_where_it_stands(form: str) -> None:
    code = dedent(TYPESCRIPT) % ("  " + SCRIPT[form])
    places = {
        text.place(at, at + 1).span.start
        for text in results(code, "server.ts")
        if (at := text.text.value.find(SAID)) >= 0
    }
    assert places == {code.index(SAID)}


REGISTERED = {
    "by its own name": "const add = server.registerTool;",
    "bound to the server": "const add = server.registerTool.bind(server);",
    "behind a switch": "const tool = server.registerTool.bind(server);\n"
    "const add = ((name, config, run) => { if (!on) return; return tool(name, config, run); }) as typeof tool;",
    "as a method": "const add = (name, config, run) => server.registerTool(name, config, run);",
}


@pytest.mark.parametrize("form", REGISTERED)
def test_a_tool_is_one_under_whatever_name_it_is_registered(form: str) -> None:
    code = dedent(TYPESCRIPT) % "  return;" + "\n".join(
        [
            REGISTERED[form],
            "class Depot {",
            "  constructor() { add('stop_job', { description: 'Stops a job.' }, this.stop.bind(this)); }",
            f"  async stop() {{ return {{ content: [{{ type: 'text', text: '{SAID}' }}] }}; }}",
            "}",
            "other('no_tool', { description: 'None.' }, async () => ({ content: [] }));",
        ]
    )
    tools = {tool.name: tool for tool in linked({"server.ts": code}).tools}
    assert set(tools) == {"start_job", "stop_job"}
    said = [text for text in tools["stop_job"].texts if text.text.role == "tool-result"]
    assert [text.place(0, 1).span.start for text in said] == [code.index(SAID)]


ORDERS = {
    "should_poll": 'return {"id": job.id, "should_poll": True}',
    "should_poll of what is known later": 'return {"id": job.id, "should_poll": job.state != "done"}',
    "an action": 'return {"id": job.id, "recommended_action": "poll"}',
    "an action with a choice": 'return {"next_action": "poll_again" if fast else "stop"}',
    "a pace": 'return {"id": job.id, "poll_after_seconds": 5}',
    "in JSON": 'return json.dumps({"keep_polling": True})',
}
NO_ORDERS = {
    "no": 'return {"id": job.id, "should_poll": False}',
    "another action": 'return {"id": job.id, "recommended_action": "review"}',
    "a check": 'return {"action": "check"}',
    "a retry": 'return {"retry_after": 30}',
    "a name that is close": 'return {"polling": True, "poll_id": job.id}',
}


@pytest.mark.parametrize("form", ORDERS)
def test_a_field_that_orders_to_poll_is_an_order(form: str) -> None:
    code = dedent(PYTHON % "x") + "    " + ORDERS[form] + "\n"
    (text,) = results(code, "server.py")
    (intent,) = text.text.intents
    assert intent.kind == "poll"
    assert text.text.span.start == code.rindex('"', 0, code.rindex(text.text.value.partition(":")[0]))


@pytest.mark.parametrize("form", NO_ORDERS)
def test_other_fields_are_none(form: str) -> None:
    code = dedent(PYTHON % "x") + "    " + NO_ORDERS[form] + "\n"
    assert results(code, "server.py") == []


NESTED = {
    "pydantic": (
        "server.py",
        f"""
        from pydantic import BaseModel, Field
        from mcp.server.fastmcp import FastMCP
        mcp = FastMCP("depot")

        class Step(BaseModel):
            name: str = Field(description="{SAID}")

        class Plan(BaseModel):
            step: Step

        @mcp.tool()
        def start_job(plan: Plan) -> str:
            return client.start(plan)
        """,
    ),
    "JSON Schema": (
        "server.py",
        f"""
        TOOLS = [{{
            "name": "start_job",
            "description": "Starts a job.",
            "input_schema": {{
                "type": "object",
                "properties": {{
                    "steps": {{"type": "array", "items": {{"anyOf": [{{"type": "string", "description": "{SAID}"}}]}}}},
                }},
            }},
        }}]
        """,
    ),
    "zod": (
        "server.ts",
        f"""
        import {{ McpServer }} from "@modelcontextprotocol/sdk/server/mcp.js";
        import {{ z }} from "zod";
        const server = new McpServer({{ name: "depot", version: "1" }});
        const step = z.object({{ name: z.string().describe("{SAID}") }});
        const inputSchema = {{ steps: z.array(step).optional() }};
        server.registerTool("start_job", {{ inputSchema }}, async (args) => run(args));
        """,
    ),
    "a union of zod": (
        "server.ts",
        f"""
        import {{ McpServer }} from "@modelcontextprotocol/sdk/server/mcp.js";
        import {{ z }} from "zod";
        const server = new McpServer({{ name: "depot", version: "1" }});
        server.registerTool(
          "start_job",
          {{ inputSchema: {{ step: z.union([z.string(), z.object({{ name: z.string().describe("{SAID}") }})]) }} }},
          async (args) => run(args),
        );
        """,
    ),
    "the shape of an answer": (
        "server.ts",
        f"""
        import {{ McpServer }} from "@modelcontextprotocol/sdk/server/mcp.js";
        import {{ z }} from "zod";
        const server = new McpServer({{ name: "depot", version: "1" }});
        server.registerTool(
          "start_job",
          {{ inputSchema: {{}}, outputSchema: {{ state: z.string().describe("{SAID}") }} }},
          async () => run(),
        );
        """,
    ),
}


@pytest.mark.parametrize("form", NESTED)
def test_what_is_said_of_the_inside_of_an_argument_is_read(form: str) -> None:
    path, code = NESTED[form]
    code = dedent(code)
    found = [text for text in linked({path: code}).texts if SAID in text.text.value]
    assert [text.text.role for text in found] == ["parameter-description"]
    at = found[0].text.value.index(SAID)
    assert found[0].place(at, at + 1).span.start == code.index(SAID)
