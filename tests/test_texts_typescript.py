"""Where in TypeScript code a model reads: one sentence in each such place is found exactly there, and nowhere else."""

from __future__ import annotations

from textwrap import dedent

import pytest

from waitlint import frontends, prose
from waitlint.facts import FileFacts
from waitlint.project.link import LinkedProject, link
from waitlint.source import Source, Unreadable

SAID = "Keep calling get_job until it resolves."
LONG = (
    "You are an assistant of a depot. Use the tools that you are given, and answer in one sentence. "
    "Never make a number up. If the user asks for prices, say that you do not know them. "
)


def project(files: dict[str, str], surface: str = "code") -> LinkedProject:
    sources = {path: Source(path, dedent(text)) for path, text in files.items()}
    facts: dict[str, FileFacts] = {
        path: frontends.read(source, "typescript", surface) for path, source in sources.items()
    }

    def read(path: str) -> Source:
        if path not in sources:
            raise Unreadable("not in this project")
        return sources[path]

    return link(facts, read_source=read)


def places(code: str, path: str = "src/agent.ts", surface: str = "code") -> list[tuple[str, str, int]]:
    found = []
    for text in project({path: code}, surface).texts:
        start = text.text.value.find(SAID)
        if start >= 0:
            place = text.place(start, start + len(SAID))
            found.append((text.text.role, place.path, place.span.start))
    return sorted(set(found))


READ = {
    "a constant": f"export const SYSTEM_PROMPT = `{SAID} Do so at once, and tell the user what comes of it.`;",
    "a constant with a tag": f"""
        import dedent from "dedent";
        const prompt = dedent`
          You look after jobs of a depot.
          {SAID}
        `;
        """,
    "lines that are joined": f"""
        const instructions = [
          "You look after jobs of a depot.",
          "{SAID}",
        ].join("\\n");
        """,
    "a concatenation": f'const systemPrompt = "You look after jobs of a depot. " + "{SAID}";',
    "a table of prompts": f"export const PROMPTS = {{ watch: `You look after jobs. {SAID} Then stop.` }} as const;",
    "a field of a class": f'class Watcher {{ private readonly instructions = "You watch jobs. {SAID} Then stop."; }}',
    "a local prompt": f"""
        export async function run(model: Model, job: string) {{
          const prompt = `You watch ${{job}} of the depot. {SAID} Then stop.`;
          return model.complete(prompt);
        }}
        """,
    "the system of a request": f"""
        import {{ generateText }} from "ai";
        const answer = await generateText({{ model, system: "{SAID}", prompt: question }});
        """,
    "the prompt of a request": f"""
        import {{ generateText }} from "ai";
        const answer = await generateText({{ model, prompt: "Look after this job for me. {SAID} Then stop." }});
        """,
    "instructions of an agent": f"""
        import {{ Agent }} from "@mastra/core/agent";
        const agent = new Agent({{ name: "watcher", instructions: `{SAID}`, model }});
        """,
    "instructions by a function": f"""
        import {{ Agent }} from "@openai/agents";
        const agent = new Agent({{ name: "watcher", instructions: () => WATCH_PROMPT }});
        const WATCH_PROMPT = "You look after jobs of a depot. {SAID}";
        """,
    "the description of an agent": f"""
        const agents = {{ watcher: {{ description: "Looks after jobs. {SAID}", prompt: question, tools: [] }} }};
        """,
    "a system instruction": f"""
        const config = {{ systemInstruction: "{SAID}", tools: [] }};
        """,
    "a system message": f'const messages = [{{ role: "system", content: "{SAID}" }}];',
    "a developer message in parts": f"""
        const input = [{{ role: "developer", content: [{{ type: "input_text", text: "{SAID}" }}] }}];
        """,
    "a system part": f'const history = [{{ role: "system", parts: [{{ text: `{SAID}` }}] }}];',
    "a message object": f"""
        import {{ SystemMessage }} from "@langchain/core/messages";
        const first = new SystemMessage("{SAID}");
        """,
    "a pair": f"""
        import {{ ChatPromptTemplate }} from "@langchain/core/prompts";
        const chat = ChatPromptTemplate.fromMessages([["system", "{SAID}"], ["human", "{{question}}"]]);
        """,
    "a template": f"""
        import {{ SystemMessagePromptTemplate }} from "@langchain/core/prompts";
        const chat = SystemMessagePromptTemplate.fromTemplate(`{SAID}`);
        """,
    "a preset": f"""
        import {{ query }} from "@anthropic-ai/claude-agent-sdk";
        query({{ prompt, options: {{ systemPrompt: {{ type: "preset", preset: "claude_code", append: "{SAID}" }} }} }});
        """,
    "a key that names a model": f'const part = {{ llmContext: "If that worked, the job runs. {SAID}" }};',
    "a key that names a prompt": f'const part = {{ plannerPrompt: "If that worked, the job runs. {SAID}" }};',
    "a handoff": f'const helper = {{ name: "x", handoffDescription: "{SAID}" }};',
    "an offered prompt": f"""
        import {{ McpServer }} from "@modelcontextprotocol/sdk/server/mcp.js";
        const server = new McpServer({{ name: "depot", version: "1" }});
        server.registerPrompt("watch", {{ title: "Watch", argsSchema: {{}} }}, ({{ job }}) => ({{
          messages: [{{ role: "user", content: {{ type: "text", text: `Watch ${{job}} of the depot. {SAID}` }} }}],
        }}));
        """,
    "the description of an offered prompt": f"""
        import {{ McpServer }} from "@modelcontextprotocol/sdk/server/mcp.js";
        const server = new McpServer({{ name: "depot", version: "1" }});
        server.registerPrompt("watch", {{ description: "{SAID}" }}, () => make());
        """,
    "an offered resource": f"""
        import {{ McpServer }} from "@modelcontextprotocol/sdk/server/mcp.js";
        const server = new McpServer({{ name: "depot", version: "1" }});
        server.registerResource("rules", "depot://rules", {{ title: "Rules" }}, async (uri) => ({{
          contents: [{{ uri: uri.href, text: "These are the rules of the depot. {SAID}" }}],
        }}));
        """,
    "low-level prompts": f"""
        import {{ Server }} from "@modelcontextprotocol/sdk/server/index.js";
        import {{ GetPromptRequestSchema }} from "@modelcontextprotocol/sdk/types.js";
        const server = new Server({{ name: "depot", version: "1" }});
        server.setRequestHandler(GetPromptRequestSchema, async (request) => ({{
          messages: [{{ role: "user", content: {{ type: "text", text: "Look after my job. {SAID}" }} }}],
        }}));
        """,
    "a builder of prompts": f"""
        export function buildSystemPrompt(name: string): string {{
          const head = `You are ${{name}}, and you work for a depot. `;
          return head + "{SAID}";
        }}
        """,
    "an arrow that builds": f"export const getInstructions = (name: string) => `You, ${{name}}, watch jobs. {SAID}`;",
}

ELEMENTS = f"""
    import {{ PromptElement, SystemMessage }} from "@vscode/prompt-tsx";
    export class WatchPrompt extends PromptElement {{
      render() {{
        return (
          <>
            <SystemMessage>
              You look after jobs of a <b>depot</b>.<br />
              {SAID}
            </SystemMessage>
            {{/* {SAID} */}}
          </>
        );
      }}
    }}
    """

SERVERS = {
    "server instructions": f"""
        import {{ McpServer }} from "@modelcontextprotocol/sdk/server/mcp.js";
        export const server = new McpServer({{ name: "depot", version: "1" }}, {{ instructions: "{SAID}" }});
        """,
    "low-level server instructions": f"""
        import {{ Server }} from "@modelcontextprotocol/sdk/server/index.js";
        const options = {{ capabilities: {{}}, instructions: `{SAID}` }};
        export const server = new Server({{ name: "depot", version: "1" }}, options);
        """,
    "instructions of FastMCP": f"""
        import {{ FastMCP }} from "fastmcp";
        export const server = new FastMCP({{ name: "depot", version: "1.0.0", instructions: "{SAID}" }});
        """,
}

UNREAD = {
    "a comment": f"// {SAID}\nexport const x = 1;",
    "a log": f'console.log("{SAID}");',
    "a short message": f'const message = "{SAID}";',
    "an error": f'throw new Error("{SAID}");',
    "an element of a page": f"export const Page = () => <p>{LONG}{SAID}</p>;",
    "a label": f'export const props = {{ label: "{SAID}", placeholder: "{SAID}", title: "{SAID}" }};',
    "a question to a person": f"""
        import inquirer from "inquirer";
        inquirer.prompt([{{ type: "input", name: "job", message: "{SAID}" }}]);
        """,
    "a question by name": f'const confirmPrompt = "{SAID} Will you do that, please, for the sake of it?";',
    "a description of something else": f'const route = {{ path: "/", description: "{SAID}" }};',
    "a path": f'const promptPath = "{SAID} Will you do that, please, for the sake of it?";',
    "a plain value": f'const jobs = ["{SAID}"];',
    "what a person said": f'const messages = [{{ role: "assistant", content: "{SAID}" }}];',
}


@pytest.mark.parametrize("form", READ)
def test_a_text_for_a_model_is_read_where_it_stands(form: str) -> None:
    code = dedent(READ[form])
    assert places(READ[form]) == [("prompt", "src/agent.ts", code.index(SAID))]


@pytest.mark.parametrize("form", SERVERS)
def test_instructions_of_a_server_are_those(form: str) -> None:
    code = dedent(SERVERS[form])
    assert places(SERVERS[form]) == [("server-instructions", "src/agent.ts", code.index(SAID))]


def test_a_tool_that_nobody_is_seen_to_offer_is_read() -> None:
    code = dedent(
        f"""
        import {{ z }} from "zod";
        export function watcher(client: Client) {{
          return homeMade({{
            description: "Looks at a job. {SAID}",
            parameters: z.object({{ job: z.string().describe("The job. {SAID}") }}),
            execute: async ({{ job }}) => client.look(job),
          }});
        }}
        """
    )
    first, second = code.index(SAID), code.rindex(SAID)
    assert places(code) == [
        ("parameter-description", "src/agent.ts", second),
        ("tool-description", "src/agent.ts", first),
    ]


@pytest.mark.parametrize("form", UNREAD)
def test_a_text_for_people_or_programs_is_not_read(form: str) -> None:
    path = "src/page.tsx" if "element" in form else "src/agent.ts"
    assert places(UNREAD[form], path) == []


def test_words_between_the_tags_of_a_prompt_are_one_text() -> None:
    code = dedent(ELEMENTS)
    assert places(ELEMENTS, "src/prompts/watch.tsx") == [("prompt", "src/prompts/watch.tsx", code.index(SAID))]
    (text,) = [text for text in project({"src/watch.tsx": ELEMENTS}).texts if SAID in text.text.value]
    assert "jobs of a depot." in text.text.value
    at = text.text.value.index("depot")
    assert text.place(at, at + 5).span.start == code.index("depot")


def test_strings_that_a_workflow_hands_to_agents_are_read() -> None:
    code = f'await agent("Look after the job of today, please. {SAID}");\nconsole.log("{SAID}");\n'
    path = ".claude/workflows/watch.js"
    assert places(code, path, "claude-workflows") == [("prompt", path, code.index(SAID))]


def test_an_escape_does_not_shift_the_place() -> None:
    code = 'const systemPrompt = "You say \\"yes\\".\\n\\u00e9\\tKeep calling get_job until it resolves.";\n'
    assert places(code) == [("prompt", "src/agent.ts", code.index("Keep"))]
    (text,) = [text for text in project({"a.ts": code}).texts if SAID in text.text.value]
    assert prose.has_cue(text.text.value)


WRAPPED = {
    "options": f"""
        const config = {{ description: "Starts a job. {SAID}", inputSchema: shape }};
        context.accountTool("start_job", config, async () => run());
        """,
    "a description by position": f"""
        context.accountTool("start_job", "Starts a job of the depot. {SAID}", shape, async () => run());
        """,
    "an answer": f"""
        context.accountTool("start_job", options, async () => ({{
          content: [{{ type: "text", text: JSON.stringify({{ message: "The job runs. {SAID}" }}) }}],
        }}));
        """,
}


@pytest.mark.parametrize("form", WRAPPED)
def test_a_tool_behind_a_wrapper_that_is_not_in_view_is_read(form: str) -> None:
    code = dedent(WRAPPED[form])
    role = "tool-result" if form == "an answer" else "tool-description"
    assert places(WRAPPED[form]) == [(role, "src/agent.ts", code.index(SAID))]


def test_a_command_line_s_help_is_no_description() -> None:
    assert places(f'yargs.command("start", "Starts a job of the depot. {SAID}", (y) => y, async () => run());') == []


@pytest.mark.parametrize(
    ("returns", "given", "read"),
    [
        ("Promise<string>", "text", True),
        ("string", "text", True),
        ("Promise<Prompt>", "text", True),
        ("Promise<Message[]>", "[{ role, text }]", False),
        ("Promise<Message>", "{ role, text }", False),
    ],
)
def test_a_function_that_says_to_give_an_object_or_a_list_gives_no_prompt(returns: str, given: str, read: bool) -> None:
    code = f"""
        type Prompt = string;
        interface Message {{ role: string; text: string }}
        async function ready(role: string): {returns} {{
          const text = `{LONG}` + `{SAID}`;
          return {given};
        }}
        export async function main() {{
          const systemPrompt = await ready("system");
          await ask(systemPrompt);
        }}
    """
    assert bool(places(code)) is read
