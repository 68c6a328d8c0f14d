"""For every row of the table: one sentence in each place that is read is found, at its very place, and nowhere else.

The paths are examples written by hand, so that they check the globs; the documents are made from the selectors.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
import yaml

from waitlint import frontends
from waitlint.catalog.matching import Matcher, anchors_among
from waitlint.catalog.surfaces import At, Match, Row, Skip, language_of, load_surfaces
from waitlint.facts import Do, Expr, FileFacts, Map, Piece, Seq, Str, Text
from waitlint.source import Source

TABLE = load_surfaces()
ROWS = {row.id: row for row in TABLE.surfaces}
ANCHOR_FILES = (
    "skills/deploy/SKILL.md",
    "packs/ops/.claude-plugin/plugin.json",
    "ext/gemini-extension.json",
    "powers/x/POWER.md",
)
MATCHER = Matcher(anchors=anchors_among(ANCHOR_FILES), enabled=("llms-txt",))

PATHS = {
    "agents-md": ["AGENTS.md", "packages/api/AGENTS.md", "docs/AGENTS.md", "x/AGENTS.override.md", "agents.md"],
    "claude-md": ["CLAUDE.md", ".claude/CLAUDE.md", "tests/CLAUDE.md", "a/CLAUDE.local.md"],
    "gemini": ["GEMINI.md", "a/b/GEMINI.md", ".gemini/system.md", ".gemini/settings.json"],
    "skill": ["skills/deploy/SKILL.md", ".claude/skills/x/SKILL.md", "a/skill.md"],
    "skill-readme": ["skills/deploy/README.md"],
    "skill-ref": ["skills/deploy/references/jobs.md", "skills/deploy/notes.txt", "skills/deploy/docs/deep/a.mdx"],
    "skill-part": ["skills/deploy/workflows/watch.md", "skills/deploy/a/steps/1.mdx", "skills/deploy/agent-watch.md"],
    "skill-common": [".claude/skills/shared/STEPS.md", "home/.agents/skills/core/deep/procedures.md"],
    "skill-script": ["skills/deploy/scripts/run.sh", "skills/deploy/scripts/lib/run.ps1"],
    "skill-openai-yaml": ["skills/deploy/agents/openai.yaml"],
    "claude-loop": [".claude/loop.md", "packs/ops/commands/ralph-loop.md"],
    "claude-rules": [".claude/rules/api/jobs.md"],
    "claude-references": [".claude/reference/jobs.md", ".github/references/jobs.md", ".claude/context/api/a.md"],
    "claude-agents": [".claude/agents/watcher.md", "packs/ops/agents/watcher.md"],
    "claude-commands": [".claude/commands/ops/wait.md", "packs/ops/commands/wait.md"],
    "claude-output-styles": [".claude/output-styles/terse.md", "packs/ops/output-styles/terse.md"],
    "claude-workflows": [".claude/workflows/build.js"],
    "claude-settings": [".claude/settings.json", ".claude/settings.local.json", "packs/ops/hooks/hooks.json"],
    "claude-plugin": ["packs/ops/.claude-plugin/plugin.json", ".claude-plugin/marketplace.json"],
    "claude-monitors": ["packs/ops/monitors/monitors.json"],
    "cursor-cmd": [".cursor/commands/wait.md", ".cursor/BUGBOT.md"],
    "cursor-mdc": [".cursor/rules/jobs.mdc", "rules/nextjs.mdc", ".cursor/rules/a/b.md"],
    "cursor-legacy": [".cursorrules", "templates/x/.cursorrules"],
    "copilot-instr": [".github/copilot-instructions.md", "examples/x/copilot-instructions.md"],
    "copilot-scoped": [".github/instructions/py.instructions.md", "instructions/x.instructions.md"],
    "copilot-prompt": [".github/prompts/wait.prompt.md"],
    "copilot-agent": ["agents/x.agent.md", ".github/agents/x.md", "x.chatmode.md"],
    "gh-aw": [".github/workflows/triage.md"],
    "gha-prompt": [".github/workflows/review.yml", ".github/actions/review/action.yaml"],
    "cline": [".clinerules", ".clinerules/jobs.md", ".clinerules-code", ".clinerules/workflows/a.md"],
    "roo": [".roo/rules/1_jobs.xml", ".roo/rules-code/a.md", ".roorules", ".roorules-code", ".roo/commands/a.md"],
    "roomodes": [".roomodes"],
    "windsurf": [".windsurfrules", ".windsurf/rules/a.md", ".windsurf/workflows/a.md", ".devin/rules/a.md"],
    "gemini-cmd": [".gemini/commands/wait.toml", "ext/commands/git/wait.toml", ".gemini/agents/a.md"],
    "continue": [".continue/rules/a.md", ".continue/prompts/a.md", ".continue/assistants/a.yaml"],
    "continue-rules": ["src/rules.md"],
    "openhands": [".openhands/microagents/a.md", "microagents/knowledge/a.md"],
    "openhands-skills": ["skills/flat.md"],
    "kiro": [".kiro/steering/a.md", ".kiro/agents/a.json", ".kiro/hooks/a.kiro.hook", "powers/x/POWER.md",
             "powers/x/steering/a.md"],
    "junie": [".junie/guidelines.md", ".junie/commands/a.md"],
    "amazonq": [".amazonq/rules/a.md", ".amazonq/prompts/a.md"],
    "trae-warp-zed-augment": [
        ".trae/rules/a.md", "WARP.md", ".rules", ".augment-guidelines", ".augment/rules/a.md", "QWEN.md", "replit.md",
        "REASONIX.md", ".hermes.md", ".factory/droids/a.md", ".kilo/rules/a.md", ".grok/rules/a.md",
        ".aiassistant/rules/a.md",
    ],
    "goose": [".goosehints", "a/.goosehints"],
    "goose-recipe": ["recipes/watch.yaml"],
    "aider": ["CONVENTIONS.md", ".aider.conf.yml"],
    "codex": [".codex/prompts/a.md", ".codex/agents/a.toml", ".codex/config.toml"],
    "opencode": [".opencode/agent/a.md", ".opencode/commands/a.md", "opencode.json", "opencode.jsonc"],
    "opencode-context": ["CONTEXT.md"],
    "review-bots": [".coderabbit.yaml", "code_review_guidelines.yaml", ".review-agent.md", ".agents/checks/a.md"],
    "llms-txt": ["llms.txt", "public/llms-full.txt"],
    "prompty": ["prompts/chat.prompty"],
    "gh-models": ["x/triage.prompt.yml", "triage.prompt.yaml"],
    "dotprompt": ["prompts/menu.prompt"],
    "sk": ["plugins/Jobs/Wait/skprompt.txt"],
    "sk-config": ["plugins/Jobs/Wait/config.json"],
    "sk-yaml": ["resources/wait.yaml"],
    "langchain-json": ["chains/wait.json", "chains/wait.yaml"],
    "promptfoo": ["promptfooconfig.yaml", "evals/promptfooconfig.ci.json"],
    "baml": ["baml_src/jobs.baml"],
    "poml": ["x/watch.poml"],
    "jinja": ["app/prompts/watch.j2", "agents/watch.jinja2", "src/system_message.jinja"],
    "jinja-roles": ["x/watch.j2"],
    "handlebars": ["prompts/watch.hbs", "x/watch-prompt.mustache"],
    "crewai": ["src/crew/config/agents.yaml", "config/tasks.yaml"],
    "adk-yaml": ["agents_x/root_agent.yaml"],
    "autogen-json": ["gallery/team.json"],
    "smol-swe-yaml": ["src/watch/planner.yaml"],
    "swe-tool-yaml": ["tools/registry/config.yaml"],
    "dify": ["flows/watch.yml"],
    "n8n": ["flows/watch.json"],
    "flowise": ["flows/chat.json"],
    "langflow/langsmith/letta/openai exports": ["x/assistant.json", "x/agent.af"],
    "copilot-studio": ["bot/agent.mcs.yml", "bot/topics/wait.mcs.yml"],
    "m365-declarative": ["appPackage/declarativeAgent.json", "appPackage/instruction.txt"],
    "m365-plugin": ["appPackage/jobs-plugin.json", "ai-plugin.json"],
    "openapi-tool": ["config/routes.oas.json", "openapi.yaml"],
    "vscode-lmtools": ["package.json", "extensions/x/package.json"],
    "mcpb": ["manifest.json"],
    "server-json": ["server.json"],
    "mcp-config": [".mcp.json", ".vscode/mcp.json", "mcp_config.json"],
    "mcp-live": ["harbour.mcp-server.json"],
    "mcp-dump": ["pkg/__toolsnaps__/get_job.snap", "toolDefinitions.json", "x/tools.json"],
    "tool-json": ["x/functions.json", "x/functions.yaml"],
    "agent-prompts": ["agent-prompts/a.md", "docs/subagent_prompts/x/a.txt"],
    "role-prompts": ["docs/prompts/a.md", "templates/agents/a.md", "team/worker-instructions/a.md"],
    "prompt-files": [
        "prompts/watch.txt",
        "app/prompt/a.md",
        "x/a_system_prompt.md",
        "watch_prompt.txt",
        "config/fabric/patterns/watch/system.md",
        "prompts/a.yaml",
    ],
    "client-orders": [".agents/commands/a.md", ".pi/agent/agents/a.md", ".config/opencode/command/a.md",
                      "claude/commands/a.md", "dot_omp/private_agent/agents/a.md.tmpl"],
    "kit-commands": ["commands/fire.md", "command/deep/fire.md"],
    "slash-commands": ["kits/x/commands/fire.md"],
    "client-folders": [".agents/goals/x/GOAL.md", ".pi/prompts/a.md", ".kimi/x/rules/a.md", "codex/prompts/a.md"],
    "agent-definition": ["roles/watcher.md", "kits/agents/looker.md"],
    "definition-of-orders": ["kits/x/commands/a.md", "orders/watch.md"],
    "definition-of-orders-in-folder": ["kits/x/commands/b.md", "kits/agents/watcher.md"],
    "skill-page": ["wiki/skills/fire.md"],
    "definition-in-folder": ["kits/rules/b.md", "kits/skills/flat.md"],
    "definition": ["drills/kilns/fire.md", "fundamentals/a.mdx"],
    "code": ["src/app.py", "src/app.ts", "src/app.tsx", "index.mjs", "notebooks/a.ipynb"],
    "src-go": ["cmd/main.go"],
    "src-cs": ["src/Tool.cs"],
    "src-java": ["src/Tool.java"],
    "src-rs": ["src/tool.rs"],
}  # fmt: skip

# What makes a file one of the row, beside the places that are read.
BASES: dict[str, dict[str, Any]] = {
    "goose-recipe": {"version": "1.0.0", "title": "Watch", "prompt": "x"},
    "sk-config": {"schema": 1, "execution_settings": {}, "description": "x"},
    "sk-yaml": {"template": "x", "template_format": "handlebars"},
    "langchain-json": {"_type": "prompt"},
    "adk-yaml": {"agent_class": "LlmAgent"},
    "autogen-json": {"provider": "autogen_agentchat.teams.RoundRobinGroupChat", "component_type": "team", "config": {}},
    "smol-swe-yaml": {"system_prompt": "x"},
    "swe-tool-yaml": {"tools": {"x": {"docstring": "x"}}},
    "dify": {"kind": "app", "workflow": {}, "model_config": {}},
    "n8n": {"nodes": [{"type": "n8n-nodes-base.start"}], "connections": {}},
    "flowise": {"nodes": [{"data": {"inputs": {}, "inputParams": []}}]},
    "langflow/langsmith/letta/openai exports": {"instructions": "x", "tools": []},
    "m365-plugin": {"schema_version": "v2.1", "functions": [{"name": "x"}]},
    "openapi-tool": {"openapi": "3.1.0", "paths": {"/x": {"get": {"x-zuplo-route": {"mcp": {}}}}}},
    "vscode-lmtools": {"contributes": {"languageModelTools": []}},
    "mcpb": {"manifest_version": "0.3", "server": {"type": "node"}},
    "server-json": {"$schema": "https://static.modelcontextprotocol.io/schemas/server.schema.json"},
    "mcp-dump": {"tools": [{"name": "x", "description": "x", "inputSchema": {"type": "object"}}]},
    "tool-json": {"tools": [{"type": "function", "function": {"name": "x", "description": "x", "parameters": {}}}]},
    "gha-prompt": {"on": "push", "jobs": {"x": {"steps": [{"uses": "x", "with": {"prompt": "x"}}]}}},
}
HEADS = {
    "gh-aw": "---\non: issues\n---\n",
    "openhands-skills": "---\ntriggers: [x]\n---\n",
    "jinja-roles": "system:\n",
    "agent-definition": "---\nname: watcher\ndescription: Watches kilns.\nmodel: small\n---\n",
    "definition-of-orders": "---\ndescription: Watches kilns.\nallowed-tools: Bash\n---\n",
    "definition-of-orders-in-folder": "---\ndescription: Watches kilns.\n---\n",
    "slash-commands": "# /fire the kiln\n\n",
    "skill-page": "---\ntype: skill\n---\n",
    "definition-in-folder": "---\ndescription: Watches kilns.\n---\n",
    "definition": "---\nname: fire\ndescription: Watches kilns.\n---\n",
    "role-prompts": "You are the watcher of kilns.\n",
    "src-go": 'import "github.com/mark3labs/mcp-go/mcp"\n',
    "src-cs": "[McpServerTool]\n",
    "src-java": "@Tool\n",
    "src-rs": "use rmcp::tool;\n",
}  # fmt: skip


def sentence(number: int) -> str:
    return f"Keep calling get_job_{number} until it resolves."


def expanded(selector: str) -> Iterator[str]:
    found = re.search(r"\{([^{}]*)\}", selector)
    if not found:
        yield selector
        return
    for choice in found.group(1).split(","):
        yield from expanded(selector[: found.start()] + choice + selector[found.end() :])


def steps(selector: str) -> list[str]:
    return re.findall(r'\*\*|\[[^\]]*\]|"[^"]*"|[^.\[\]"]+', selector)


def made(parts: list[str], leaf: Any) -> Any:
    """The smallest document in which a selector names `leaf`."""
    if not parts:
        return leaf
    step, rest = parts[0], parts[1:]
    if step == "**":
        return made(rest, leaf) if rest else {"deep": {"er": leaf}}
    if step == "[*]":
        return [made(rest, leaf)]
    if step.startswith("["):
        field, _, value = step[1:-1].replace("!=", "=not-").partition("=")
        inner = made(rest, leaf)
        return [{field: value.replace("*", "x"), **(inner if isinstance(inner, dict) else {})}]
    return {step.strip('"').replace("*", "x"): made(rest, leaf)}


def merged(one: Any, other: Any) -> Any:
    if isinstance(one, dict) and isinstance(other, dict):
        both = {key: merged(value, other[key]) if key in other else value for key, value in one.items()}
        return {**other, **both}
    if isinstance(one, list) and isinstance(other, list):
        return [*one, *other]
    return one if other in ("x", {}) else other


def dumped(document: Any, language: str) -> str:
    if language == "json":
        return json.dumps(document, indent="\t")
    if language == "yaml":
        return yaml.safe_dump(document, allow_unicode=True, width=10_000, sort_keys=False)
    assert isinstance(document, dict)
    lines = [
        f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in document.items() if isinstance(value, str)
    ]
    for key, value in document.items():
        if isinstance(value, dict):
            for name, inner in value.items():
                lines.append(f"[{key}.{name}]")
                lines.extend(f"{field} = {json.dumps(word, ensure_ascii=False)}" for field, word in inner.items())
    return "\n".join(lines) + "\n"


def placed(facts: FileFacts) -> Iterator[tuple[str, int, str]]:
    """Every sentence in a text, with where its text says it stands."""
    for text in facts.texts:
        for found in re.finditer(r"Keep calling get_job_(\d+) until it resolves\.", text.value):
            yield found.group(), offset(text, found.start()), text.role


def offset(text: Text, at: int) -> int:
    pairs = [pair for pair in text.places if pair[0] <= at]
    return pairs[-1][1] + at - pairs[-1][0]


def strings(value: Expr) -> Iterator[Str]:
    if isinstance(value, Str):
        yield value
    elif isinstance(value, Map):
        for entry in value.entries:
            yield from strings(entry.value)
    elif isinstance(value, Seq):
        for item in value.items:
            yield from strings(item)


CASES = [(row.id, path) for row in TABLE.surfaces for path in PATHS.get(row.id, ())]


def test_every_row_has_an_example() -> None:
    assert set(PATHS) == set(ROWS)


@pytest.mark.parametrize(("surface", "path"), CASES)
def test_paths_belong_to_their_row(surface: str, path: str) -> None:
    content = HEADS.get(surface, "")
    if surface in BASES:
        content += dumped(BASES[surface], "yaml" if path.endswith((".yaml", ".yml")) else "json")
    decided = MATCHER.surface_of(path, content.encode)
    row = ROWS[surface]
    if row.unread:
        assert decided == Skip(row.unread)
    else:
        assert isinstance(decided, Match)
        assert decided.surface == surface


DATA = [
    (row.id, path, number)
    for row in TABLE.surfaces
    for path in PATHS.get(row.id, ())
    if row.fields and (row.language or language_of(path)) in ("json", "yaml", "toml")
    for number in range(len(row.fields))
]


@pytest.mark.parametrize(("surface", "path", "number"), DATA)
def test_each_selected_place_of_a_data_file_is_read_where_it_stands(surface: str, path: str, number: int) -> None:
    row = ROWS[surface]
    field = row.fields[number]
    for selector in expanded(field.at):
        wanted = sentence(number)
        document = merged(BASES.get(surface, {}), made(steps(selector), f'So "far" – é😀\n{wanted}\n'))
        language = row.language or language_of(path)
        text = dumped(document, "json" if path.endswith((".json", ".jsonc", ".af", ".snap", ".hook")) else language)
        facts = frontends.read(Source(path, text), language, surface)
        assert facts.problems == ()
        if row.template == "n8n":
            assert all(role == field.role for _, _, role in placed(facts))
        assert [(found, at) for found, at, _ in placed(facts)] == [(wanted, text.index(wanted))], (selector, text)


UNREAD = [(surface, path) for surface, path, number in DATA if number == 0]


@pytest.mark.parametrize(("surface", "path"), UNREAD)
def test_other_places_of_a_data_file_are_not_read(surface: str, path: str) -> None:
    row = ROWS[surface]
    document = merged(BASES.get(surface, {}), {"unheard": sentence(1), "more": [{"unheard": sentence(2)}]})
    language = row.language or language_of(path)
    text = json.dumps(document) if language == "json" else dumped({"unheard": sentence(1)}, language)
    facts = frontends.read(Source(path, text), language, surface)
    assert list(placed(facts)) == []


DOCUMENTS = [
    (row.id, path)
    for row in TABLE.surfaces
    for path in PATHS.get(row.id, ())
    if not row.unread
    and (row.language or language_of(path)) in ("markdown", "text")
    and row.template not in ("baml", "shell")
]


@pytest.mark.parametrize(("surface", "path"), DOCUMENTS)
def test_documents_are_read_as_a_whole_with_the_right_front_matter(surface: str, path: str) -> None:
    row = ROWS[surface]
    language = row.language or language_of(path)
    head = "" if language == "text" else "---\n" + header(row) + "---\n"
    body = f"# Jobs – é😀\n\n- {sentence(90)}\n"
    facts = frontends.read(Source(path, head + body), language, surface)
    text = head + body
    found = {(words, at): role for words, at, role in placed(facts)}
    expected = {(sentence(90), text.index(sentence(90))): row.body}
    for number, at in enumerate(row.header if language == "markdown" else ()):
        place = text.index(sentence(number))
        expected[sentence(number), place] = at.role
    assert found == expected
    assert sentence(80) not in " ".join(one.value for one in facts.texts)


def header(row: Row) -> str:
    document: dict[str, Any] = {"unheard": sentence(80), "model": "sonnet"}
    for number, field in enumerate(row.header):
        document = merged(document, made(steps(next(expanded(field.at))), sentence(number)))
    return yaml.safe_dump(document, width=10_000, sort_keys=False)


TOOLS = {
    "mcp-dump": {"tools": [{"name": "get_job", "description": sentence(1), "inputSchema": {"type": "object"}}]},
    "tool-json": [
        {"type": "function", "function": {"name": "get_job", "description": sentence(1), "parameters": {}}},
        {"name": "b", "description": sentence(2), "input_schema": {}},
        {"functionDeclarations": [{"name": "c", "description": sentence(3), "parameters": {}}]},
        {"toolSpec": {"name": "d", "description": sentence(4), "inputSchema": {"json": {}}}},
    ],
}  # fmt: skip


@pytest.mark.parametrize(("surface", "path"), [case for case in CASES if case[0] in TOOLS])
def test_definitions_of_tools_are_in_the_document_for_linking(surface: str, path: str) -> None:
    language = language_of(path)
    text = dumped(TOOLS[surface], language)
    assert MATCHER.surface_of(path, text.encode) == Match(surface, language)
    facts = frontends.read(Source(path, text), language, surface)
    (statement,) = facts.body
    assert isinstance(statement, Do)
    found = [string for string in strings(statement.value) if "Keep calling" in (string.literal or "")]
    assert len(found) == text.count("Keep calling")
    for string in found:
        (piece,) = string.pieces
        assert isinstance(piece, Piece)
        assert text.startswith(piece.text, piece.places[0][1])
    assert list(placed(facts)) == []


def test_baml_prompts_and_descriptions_are_read_and_comments_are_not() -> None:
    text = f'''// {sentence(1)}
class Job {{
  state string @description("{sentence(2)}")
}}
function Watch(job: string) -> Job {{
  client GPT4
  prompt #"
    {{{{ _.role("system") }}}}
    {sentence(3)} {{# {sentence(4)} #}}
  "#
}}
test Watch {{ args {{ job "{sentence(5)}" }} }}
template_string Note(x: string) #"{sentence(6)}"#
'''
    facts = frontends.read(Source("baml_src/a.baml", text), "text", "baml")
    assert [(words, at) for words, at, _ in placed(facts)] == [
        (sentence(number), text.index(sentence(number))) for number in (2, 3, 6)
    ]


def test_what_a_script_prints_is_read_and_its_comments_and_loops_are_not() -> None:
    text = f'''#!/bin/sh
# {sentence(1)}
while ! curl -s "$url/{sentence(2)}"; do sleep 5; done
echo "{sentence(3)}"
echo 'running' && echo "state: $state. {sentence(4)}"
cat <<EOF
{sentence(5)}
EOF
'''
    facts = frontends.read(Source("skills/a/scripts/run.sh", text), "text", "skill-script")
    assert {(words, at) for words, at, _ in placed(facts)} == {
        (sentence(number), text.index(sentence(number))) for number in (3, 4, 5)
    }


def test_an_operation_falls_back_from_its_mark_to_its_description_and_then_to_its_summary() -> None:
    def operation(**fields: Any) -> dict[str, Any]:
        return {"operationId": "x", "responses": {"200": {"description": sentence(70)}}, **fields}

    marked = {"mcp": {"type": "tool"}}
    document = {
        "openapi": "3.1.0",
        "paths": {
            "/a": {"post": operation(summary="s", description=sentence(1), **{"x-zuplo-route": marked})},
            "/b": {"get": operation(summary=sentence(2), description="", **{"x-zuplo-route": marked})},
            "/c": {
                "get": operation(
                    description=sentence(71), **{"x-zuplo-route": {"mcp": {"type": "tool", "description": sentence(3)}}}
                )
            },
            "/d": {"get": operation(description=sentence(72))},
            "/e": {"get": operation(description=sentence(73), **{"x-zuplo-route": {"mcp": {"enabled": False}}})},
            "/f": {
                "post": operation(
                    summary="s",
                    **{"x-zuplo-route": marked},
                    parameters=[{"name": "id", "in": "query", "description": sentence(4)}],
                    requestBody={
                        "content": {
                            "application/json": {
                                "schema": {"properties": {"a": {"items": {"anyOf": [{"description": sentence(5)}]}}}}
                            }
                        }
                    },
                )
            },
        },
    }
    text = json.dumps(document, indent=2)
    facts = frontends.read(Source("config/routes.oas.json", text), "json", "openapi-tool")
    assert [(words, at) for words, at, _ in placed(facts)] == [
        (sentence(number), text.index(sentence(number))) for number in (1, 2, 3, 4, 5)
    ]


def test_selectors_of_the_table_can_all_be_understood() -> None:
    from waitlint.frontends.documents.selectors import compiled

    for row in TABLE.surfaces:
        for selector in (
            *(at.at for at in (*row.fields, *row.header)),
            *row.never,
            *row.shape,
            *row.follow,
            *row.plugins,
            *row.tools,
        ):
            assert compiled(selector)
        assert set(row.grants.values()) <= ROWS.keys()
        assert all(isinstance(at, At) and at.role for at in row.fields)
        assert all(re.compile(one.encode()) for group in row.sniff for one in group)
