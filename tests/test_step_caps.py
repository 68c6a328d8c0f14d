"""How many steps a framework's loop may take: by default, by option, by version, by a number from another file."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from linking import linked
from waitlint.catalog import load_agents
from waitlint.linked import AgentLoop, Certainty, Limit


class Form(NamedTuple):
    """A framework's run: `code` with `CAP` where the option stands and `{cap}` written as `option`, and its default.

    `default` is None where it is unlimited, "?" where nothing is known without a version; `off` is what switches the
    cap off, "" where nothing does.
    """

    name: str
    language: str
    code: str
    option: str
    default: float | str | None
    off: str = ""
    before: str = ""


TOOL_PY = "def weigh(sack: str) -> str:\n    return sack\n\n\n"

FORMS = [
    Form(
        "openai-agents",
        "py",
        "from agents import Agent, Runner\n"
        'miller = Agent(name="miller", tools=[weigh])\nRunner.run_sync(miller, "go"CAP)\n',
        ", max_turns={cap}",
        10,
        "None",
    ),
    Form(
        "langchain-agent-executor",
        "py",
        "from langchain.agents import AgentExecutor\nAgentExecutor(agent=planner, tools=[weigh]CAP)\n",
        ", max_iterations={cap}",
        15,
        "None",
    ),
    Form(
        "pydantic-ai",
        "py",
        'from pydantic_ai import Agent, UsageLimits\nmiller = Agent("m", tools=[weigh])\nmiller.run_sync("go"CAP)\n',
        ", usage_limits=UsageLimits(request_limit={cap})",
        50,
        "None",
    ),
    Form(
        "smolagents",
        "py",
        'from smolagents import CodeAgent\nmiller = CodeAgent(tools=[weigh], model=m)\nmiller.run("go"CAP)\n',
        ", max_steps={cap}",
        "?",
    ),
    Form("crewai", "py", 'from crewai import Agent\nAgent(role="miller", tools=[weigh]CAP)\n', ", max_iter={cap}", "?"),
    Form(
        "llama-index",
        "py",
        "from llama_index.core.agent.workflow import FunctionAgent\n"
        'miller = FunctionAgent(tools=[weigh], llm=m)\nmiller.run("go"CAP)\n',
        ", max_iterations={cap}",
        "?",
    ),
    Form(
        "autogen-team",
        "py",
        "from autogen_agentchat.teams import RoundRobinGroupChat\nRoundRobinGroupChat([miller]CAP)\n",
        ", max_turns={cap}",
        None,
        "None",
    ),
    Form(
        "autogen-assistant",
        "py",
        "from autogen_agentchat.agents import AssistantAgent\n"
        'AssistantAgent("miller", model_client=m, tools=[weigh]CAP)\n',
        ", max_tool_iterations={cap}",
        1,
    ),
    Form(
        "google-adk",
        "py",
        "from google.adk.agents.run_config import RunConfig\nRunConfig(CAP)\n",
        "max_llm_calls={cap}",
        500,
        "0",
    ),
    Form(
        "adk-loop",
        "py",
        'from google.adk.agents import LoopAgent\nLoopAgent(name="m"CAP)\n',
        ", max_iterations={cap}",
        None,
        "None",
    ),
    Form(
        "agno", "py", "from agno.agent import Agent\nAgent(tools=[weigh]CAP)\n", ", tool_call_limit={cap}", None, "None"
    ),
    Form(
        "haystack",
        "py",
        "from haystack.components.agents import Agent\nAgent(tools=[weigh]CAP)\n",
        ", max_agent_steps={cap}",
        100,
    ),
    Form(
        "claude-agent-sdk",
        "py",
        'from claude_agent_sdk import ClaudeAgentOptions, query\nquery(prompt="go", options=ClaudeAgentOptions(CAP))\n',
        "max_turns={cap}",
        None,
        "None",
    ),
    Form(
        "anthropic-tool-runner",
        "py",
        "from anthropic import Anthropic\n"
        "client = Anthropic()\nclient.beta.messages.tool_runner(model=m, tools=[weigh], messages=[]CAP)\n",
        ", max_iterations={cap}",
        None,
        "None",
    ),
    Form(
        "strands",
        "py",
        'from strands import Agent\nmiller = Agent(tools=[weigh])\nmiller("go"CAP)\n',
        ', limits={{"turns": {cap}}}',
        None,
    ),
    Form("dspy", "py", 'import dspy\ndspy.ReAct("q -> a", tools=[weigh]CAP)\n', ", max_iters={cap}", "?"),
    Form(
        "camel",
        "py",
        "from camel.agents import ChatAgent\nChatAgent(tools=[weigh]CAP)\n",
        ", max_iteration={cap}",
        None,
        "None",
    ),
    Form(
        "openai-agents-tool",
        "py",
        'from agents import Agent\nAgent(name="miller", tools=[weigh]).as_tool("m", "d"CAP)\n',
        ", max_turns={cap}",
        10,
    ),
    Form(
        "langchain-agent",
        "py",
        "from langchain.agents import create_agent\n"
        'miller = create_agent("m", tools=[weigh])\nmiller.invoke({"messages": []}CAP)\n',
        ', config={{"recursion_limit": {cap}}}',
        "?",
    ),
    Form(
        "langgraph",
        "py",
        "from langgraph.graph import StateGraph\n"
        'miller = StateGraph(dict).compile()\nmiller.invoke({"messages": []}CAP)\n',
        ', {{"recursion_limit": {cap}}}',
        "?",
    ),
    Form(
        "langgraph-react-agent",
        "py",
        "from langgraph.prebuilt import create_react_agent\n"
        'miller = create_react_agent(m, tools=[weigh])\nmiller.invoke({"messages": []}CAP)\n',
        ', {{"recursion_limit": {cap}}}',
        "?",
    ),
    Form(
        "deepagents",
        "py",
        "from deepagents import create_deep_agent\n"
        'miller = create_deep_agent(tools=[weigh])\nmiller.invoke({"messages": []}CAP)\n',
        ', config={{"recursion_limit": {cap}}}',
        9_999,
    ),
    Form(
        "crewai-lite-agent",
        "py",
        'from crewai.lite_agent import LiteAgent\nLiteAgent(role="miller", tools=[weigh]CAP)\n',
        ", max_iterations={cap}",
        15,
    ),
    Form(
        "magentic-one",
        "py",
        "from autogen_agentchat.teams import MagenticOneGroupChat\nMagenticOneGroupChat([miller], model_client=mCAP)\n",
        ", max_turns={cap}",
        20,
        "None",
    ),
    Form(
        "ag2-agent",
        "py",
        'from autogen import ConversableAgent\nConversableAgent("miller"CAP)\n',
        ", max_consecutive_auto_reply={cap}",
        100,
    ),
    Form(
        "ag2-group-chat", "py", "from autogen import GroupChat\nGroupChat(agents=[a, b]CAP)\n", ", max_round={cap}", 10
    ),
    Form(
        "google-genai-functions",
        "py",
        "from google.genai import types\ntypes.AutomaticFunctionCallingConfig(CAP)\n",
        "maximum_remote_calls={cap}",
        10,
    ),
    Form(
        "semantic-kernel",
        "py",
        "from semantic_kernel.connectors.ai import FunctionChoiceBehavior\nFunctionChoiceBehavior.Auto(CAP)\n",
        "maximum_auto_invoke_attempts={cap}",
        5,
    ),
    Form(
        "agent-framework",
        "py",
        "from agent_framework import ChatAgent\nChatAgent(chat_client=m, tools=[weigh]CAP)\n",
        ', function_invocation_configuration={{"max_iterations": {cap}}}',
        40,
    ),
    Form(
        "claude-agent-sdk-client",
        "py",
        "from claude_agent_sdk import ClaudeAgentOptions, ClaudeSDKClient\n"
        "ClaudeSDKClient(options=ClaudeAgentOptions(CAP))\n",
        "max_turns={cap}",
        None,
        "None",
    ),
    Form(
        "agno-team",
        "py",
        "from agno.team import Team\nTeam(members=[a], tools=[weigh]CAP)\n",
        ", tool_call_limit={cap}",
        None,
        "None",
    ),
    Form(
        "browser-use",
        "py",
        'from browser_use import Agent\nmiller = Agent(task="go", llm=m)\nmiller.run(CAP)\n',
        "max_steps={cap}",
        "?",
    ),
    Form(
        "swarm",
        "py",
        "from swarm import Agent, Swarm\n"
        'miller = Agent(name="miller", functions=[weigh])\nSwarm().run(agent=miller, messages=[]CAP)\n',
        ", max_turns={cap}",
        None,
        'float("inf")',
    ),
    Form(
        "ai-sdk",
        "ts",
        'import { generateText, stepCountIs } from "ai";\nconst tools = { weigh };\n'
        'await generateText({ model, tools, prompt: "go"CAP });\n',
        ", stopWhen: stepCountIs({cap})",
        1,
    ),
    Form(
        "ai-sdk-agent",
        "ts",
        'import { ToolLoopAgent, stepCountIs } from "ai";\nnew ToolLoopAgent({ model, tools: { weigh }CAP });\n',
        ", stopWhen: stepCountIs({cap})",
        20,
    ),
    Form(
        "openai-agents-ts",
        "ts",
        'import { Agent, run } from "@openai/agents";\n'
        'const miller = new Agent({ name: "miller", tools: [weigh] });\nawait run(miller, "go", {CAP });\n',
        " maxTurns: {cap}",
        10,
        "null",
    ),
    Form(
        "mastra",
        "ts",
        'import { Agent } from "@mastra/core/agent";\n'
        'const miller = new Agent({ name: "miller", tools: { weigh } });\nawait miller.generate("go", {CAP });\n',
        " maxSteps: {cap}",
        5,
    ),
    Form(
        "langgraph-ts",
        "ts",
        'import { createReactAgent } from "@langchain/langgraph/prebuilt";\n'
        "const miller = createReactAgent({ llm, tools: [weigh] });\nawait miller.invoke({ messages: [] }, {CAP });\n",
        " recursionLimit: {cap}",
        25,
        "Infinity",
    ),
    Form(
        "claude-agent-sdk-ts",
        "ts",
        'import { query } from "@anthropic-ai/claude-agent-sdk";\nquery({ prompt: "go", options: {CAP } });\n',
        " maxTurns: {cap}",
        None,
        "Infinity",
    ),
    Form(
        "agent-kit",
        "ts",
        'import { createNetwork } from "@inngest/agent-kit";\ncreateNetwork({ name: "mill", agents: [miller]CAP });\n',
        ", maxIter: {cap}",
        None,
        "0",
    ),
    Form(
        "genkit",
        "ts",
        'import { genkit } from "genkit";\nconst ai = genkit({});\n'
        'await ai.generate({ prompt: "go", tools: [weigh]CAP });\n',
        ", maxTurns: {cap}",
        "?",
        "Infinity",
    ),
    Form(
        "openai-run-tools",
        "ts",
        'import OpenAI from "openai";\nconst client = new OpenAI();\n'
        "client.chat.completions.runTools({ model, messages: [], tools: [weigh] }, {CAP });\n",
        " maxChatCompletions: {cap}",
        10,
        "Infinity",
    ),
    Form(
        "langchain-agent-ts",
        "ts",
        'import { createAgent } from "langchain";\n'
        "const miller = createAgent({ model, tools: [weigh] });\nawait miller.invoke({ messages: [] }, {CAP });\n",
        " recursionLimit: {cap}",
        25,
        "Infinity",
    ),
    Form(
        "langgraph-graph-ts",
        "ts",
        'import { StateGraph } from "@langchain/langgraph";\n'
        "const miller = new StateGraph(state).compile();\nawait miller.invoke({ messages: [] }, {CAP });\n",
        " recursionLimit: {cap}",
        25,
        "Infinity",
    ),
    Form(
        "langchain-agent-executor-ts",
        "ts",
        'import { AgentExecutor } from "langchain/agents";\nnew AgentExecutor({ agent, tools: [weigh]CAP });\n',
        ", maxIterations: {cap}",
        15,
        "Infinity",
    ),
    Form(
        "openai-agents-runner-ts",
        "ts",
        'import { Agent, Runner } from "@openai/agents";\n'
        'const miller = new Agent({ name: "miller", tools: [weigh] });\nnew Runner().run(miller, "go", {CAP });\n',
        " maxTurns: {cap}",
        10,
        "null",
    ),
    Form(
        "anthropic-tool-runner-ts",
        "ts",
        'import Anthropic from "@anthropic-ai/sdk";\nconst client = new Anthropic();\n'
        "client.beta.messages.toolRunner({ model, messages: [], tools: [weigh]CAP });\n",
        ", max_iterations: {cap}",
        None,
        "null",
    ),
    Form(
        "google-adk-ts",
        "ts",
        'import { InMemoryRunner } from "@google/adk";\n'
        "const runner = new InMemoryRunner({ agent });\nrunner.runAsync({ userId, runConfig: {CAP } });\n",
        " maxLlmCalls: {cap}",
        500,
        "0",
    ),
    Form(
        "adk-loop-ts",
        "ts",
        'import { LoopAgent } from "@google/adk";\nnew LoopAgent({ name: "m"CAP });\n',
        ", maxIterations: {cap}",
        None,
        "Infinity",
    ),
    Form(
        "beeai",
        "ts",
        'import { RequirementAgent } from "beeai-framework/agents/requirement/agent";\n'
        "new RequirementAgent({ llm, tools: [weigh]CAP });\n",
        ", execution: {{ maxIterations: {cap} }}",
        20,
        "Infinity",
    ),
    Form(
        "beeai-react",
        "ts",
        'import { ReActAgent } from "beeai-framework/agents/react/agent";\n'
        "new ReActAgent({ llm, tools: [weigh]CAP });\n",
        ", execution: {{ maxIterations: {cap} }}",
        10,
        "Infinity",
    ),
    Form(
        "beeai-tool-calling",
        "ts",
        'import { ToolCallingAgent } from "beeai-framework/agents/toolCalling/agent";\n'
        "new ToolCallingAgent({ llm, tools: [weigh]CAP });\n",
        ", execution: {{ totalMaxRetries: {cap} }}",
        20,
        "Infinity",
    ),
    Form(
        "voltagent",
        "ts",
        'import { Agent } from "@voltagent/core";\nnew Agent({ name: "miller", tools: [weigh]CAP });\n',
        ", maxSteps: {cap}",
        "?",
        "Infinity",
    ),
    Form(
        "strands-ts",
        "ts",
        'import { Agent } from "@strands-agents/sdk";\n'
        'const miller = new Agent({ tools: [weigh] });\nawait miller.invoke("go", {CAP });\n',
        " limits: {{ turns: {cap} }}",
        None,
        "Infinity",
    ),
    Form(
        "tanstack-ai",
        "ts",
        'import { chat, maxIterations } from "@tanstack/ai";\nchat({ messages: [], tools: [weigh]CAP });\n',
        ", agentLoopStrategy: maxIterations({cap})",
        5,
        "Infinity",
    ),
]
IDS = [form.name for form in FORMS]


def loops_of(form: Form, option: str = "", **others: str) -> list[AgentLoop]:
    before = TOOL_PY if form.language == "py" else ""
    path = f"mill.{form.language}"
    head, tail = form.code.split("CAP")
    files = {path: f"{others.pop('head', '')}{before}{head}{option}{tail}"}
    files |= {name.replace("__", "."): text for name, text in others.items()}
    return [loop for loop in linked(files).loops if loop.kind == "run"]


def steps_of(form: Form, option: str = "", **others: str) -> Limit:
    loops = loops_of(form, option, **others)
    assert len(loops) == 1, [(loop.framework, loop.excerpt) for loop in loops]
    return loops[0].steps


@pytest.mark.parametrize("form", FORMS, ids=IDS)
def test_the_default_holds_where_no_option_is_given(form: Form) -> None:
    steps = steps_of(form)
    if form.default is None:
        assert steps.absent
    elif form.default == "?":
        assert steps.certainty is Certainty.UNKNOWN
    else:
        assert steps.known
        assert steps.value == form.default


@pytest.mark.parametrize("form", FORMS, ids=IDS)
def test_an_option_is_the_cap(form: Form) -> None:
    steps = steps_of(form, form.option.format(cap="7"))
    assert steps.known
    assert steps.value == 7


@pytest.mark.parametrize("form", FORMS, ids=IDS)
def test_an_absurd_number_is_seen_as_it_is(form: Form) -> None:
    steps = steps_of(form, form.option.format(cap="1000000"))
    assert steps.known
    assert steps.value == 1_000_000


@pytest.mark.parametrize("form", [form for form in FORMS if form.off], ids=[form.name for form in FORMS if form.off])
def test_a_cap_can_be_switched_off(form: Form) -> None:
    assert steps_of(form, form.option.format(cap=form.off)).absent


@pytest.mark.parametrize("form", FORMS, ids=IDS)
def test_a_cap_may_come_from_another_file(form: Form) -> None:
    if form.language == "py":
        steps = steps_of(
            form, form.option.format(cap="MOST"), head="from limits import MOST\n", limits__py="MOST = 9\n"
        )
    else:
        steps = steps_of(
            form,
            form.option.format(cap="MOST"),
            head='import { MOST } from "./limits";\n',
            limits__ts="export const MOST = 9;\n",
        )
    assert steps.known
    assert steps.value == 9


@pytest.mark.parametrize("form", FORMS, ids=IDS)
def test_a_cap_that_is_not_in_view_is_unknown(form: Form) -> None:
    elsewhere = "load_limit()" if form.language == "py" else "loadLimit()"
    assert steps_of(form, form.option.format(cap=elsewhere)).certainty is Certainty.UNKNOWN


def test_what_is_imported_by_another_name_is_known_all_the_same() -> None:
    python = "from crewai import Agent as Worker\nWorker(role='miller', tools=[weigh], max_iter=7)\n"
    typescript = (
        'import { LoopAgent as Mill, LoopAgent } from "@google/adk";\nnew Mill({ name: "m", maxIterations: 7 });\n'
    )
    for path, code in (("mill.py", TOOL_PY + python), ("mill.ts", typescript)):
        loops = linked({path: code}).loops
        assert [loop.steps.value for loop in loops] == [7]


BY_VERSION = [
    ("langchain-agent", "langchain==1.0.4", 25),
    ("langchain-agent", "langchain==1.0.5", 10_000),
    ("deepagents", "deepagents==0.1.0", 1_000),
    ("deepagents", "deepagents==0.7.32", 9_999),
    ("browser-use", "browser-use==0.5.0", 100),
    ("browser-use", "browser-use==0.12.0", 500),
    ("smolagents", "smolagents==1.9.2", 6),
    ("smolagents", "smolagents==1.26.0", 20),
    ("dspy", "dspy==2.6.20", 5),
    ("dspy", "dspy>=3.2", 20),
    ("crewai", "crewai==0.55.2", 25),
    ("crewai", "crewai==0.60.0", 15),
    ("crewai", "crewai==0.63.6", 15),
    ("crewai", "crewai==0.64.0", 20),
    ("crewai", "crewai==0.100.1", 20),
    ("crewai", "crewai==0.102.0", 25),
    ("crewai", "crewai==1.15.30", 25),
    ("llama-index", "llama-index-core==0.12.46", None),
    ("llama-index", "llama-index-core==0.12.47", 20),
    ("genkit", "genkit 0.9.12", None),
    ("genkit", "genkit 1.0.4", 5),
    ("voltagent", "@voltagent/core 0.1.86", 10),
    ("voltagent", "@voltagent/core 1.1.16", 5),
]


def test_every_framework_with_a_step_cap_is_tried() -> None:
    """Each row of the catalog is run by a form, with its default, a cap, none, an absurd one and one from elsewhere."""
    rows = {row.id for row in load_agents().rows if row.kind in ("run", "make") and row.option}
    ran = {loop.framework for form in FORMS for loop in loops_of(form)}
    own_way = {"swarm-demo", "ai-sdk-agent"}  # a chat, and the one of which the versions are tried below
    assert rows - ran <= own_way


# The versions between which the catalog knows no change: the oldest and the newest that were read.
SAME = [
    ("langchain-agent-executor", "langchain", "0.3.0", "1.0.8"),
    ("camel", "camel-ai", "0.2.60", "0.2.90"),
    ("openai-agents", "openai-agents", "0.2.11", "0.24.0"),
    ("strands", "strands-agents", "1.9.0", "1.62.0"),
    ("ai-sdk", "ai", "5.0.277", "7.0.173"),
    ("mastra", "@mastra/core", "0.24.9", "1.71.0"),
    ("openai-run-tools", "openai", "6.49.0", "7.59.0"),
    ("pydantic-ai", "pydantic-ai", "0.1.0", "2.68.0"),
    ("autogen-assistant", "autogen-agentchat", "0.4.2", "0.7.5"),
    ("autogen-team", "autogen-agentchat", "0.4.2", "0.7.5"),
    ("magentic-one", "autogen-agentchat", "0.4.2", "0.7.5"),
    ("ag2-agent", "ag2", "0.3.2", "0.14.0"),
    ("ag2-group-chat", "ag2", "0.3.2", "0.14.0"),
    ("google-adk", "google-adk", "0.1.0", "2.13.0"),
    ("adk-loop", "google-adk", "0.1.0", "2.13.0"),
    ("google-genai-functions", "google-genai", "0.7.0", "3.6.1"),
    ("semantic-kernel", "semantic-kernel", "1.20.0", "1.45.0"),
    ("agent-framework", "agent-framework-core", "1.0.0", "1.23.0"),
    ("haystack", "haystack-ai", "2.12.0", "3.4.1"),
    ("anthropic-tool-runner", "anthropic", "0.70.0", "2.14.0"),
    ("claude-agent-sdk", "claude-agent-sdk", "0.1.0", "0.2.189"),
    ("claude-agent-sdk-client", "claude-agent-sdk", "0.1.0", "0.2.189"),
    ("openai-agents-tool", "openai-agents", "0.2.11", "0.24.0"),
    ("agno", "agno", "1.0.0", "3.1.10"),
    ("agno-team", "agno", "2.0.0", "3.1.10"),
    ("crewai-lite-agent", "crewai", "0.121.0", "1.15.30"),
    ("langgraph-ts", "@langchain/langgraph", "0.2.0", "1.7.3"),
    ("langchain-agent-ts", "langchain", "1.0.1", "1.5.14"),
    ("langchain-agent-executor-ts", "langchain", "0.1.37", "1.0.50"),
    ("openai-agents-ts", "@openai/agents", "0.0.1", "0.20.0"),
    ("openai-agents-runner-ts", "@openai/agents", "0.0.1", "0.20.0"),
    ("claude-agent-sdk-ts", "@anthropic-ai/claude-agent-sdk", "0.1.0", "0.3.332"),
    ("anthropic-tool-runner-ts", "@anthropic-ai/sdk", "0.70.1", "1.14.0"),
    ("google-adk-ts", "@google/adk", "0.1.2", "2.0.0"),
    ("adk-loop-ts", "@google/adk", "0.1.2", "2.0.0"),
    ("agent-kit", "@inngest/agent-kit", "0.5.1", "0.13.2"),
    ("beeai", "beeai-framework", "0.1.30", "0.1.30"),  # the first version that has this agent
    ("beeai-react", "beeai-framework", "0.1.10", "0.1.30"),
    ("beeai-tool-calling", "beeai-framework", "0.1.10", "0.1.30"),
    ("strands-ts", "@strands-agents/sdk", "0.1.0", "1.19.0"),
    ("tanstack-ai", "@tanstack/ai", "0.0.1", "0.58.0"),
]


@pytest.mark.parametrize(("name", "package", "older", "newer"), SAME, ids=[row[0] for row in SAME])
def test_a_default_that_stayed_is_the_same_in_both(name: str, package: str, older: str, newer: str) -> None:
    form = next(form for form in FORMS if form.name == name)
    for version in (older, newer):
        files = {"requirements__txt": f"{package}=={version}\n"}
        if form.language == "ts":
            files = {"package__json": f'{{"name": "mill", "dependencies": {{"{package}": "{version}"}}}}'}
        steps = steps_of(form, **files)
        assert steps.absent if form.default is None else steps.value == form.default


@pytest.mark.parametrize(("version", "seconds"), [("0.2.75", None), ("0.2.86", 180), ("0.2.90", None)])
def test_the_time_that_camel_gives_a_step_by_version(version: str, seconds: float | None) -> None:
    form = next(form for form in FORMS if form.name == "camel")
    time = loops_of(form, requirements__txt=f"camel-ai=={version}\n")[0].time
    assert time.absent if seconds is None else time.value == seconds


@pytest.mark.parametrize(("name", "requirement", "default"), BY_VERSION)
def test_the_default_is_that_of_the_version(name: str, requirement: str, default: float | None) -> None:
    form = next(form for form in FORMS if form.name == name)
    files = {"requirements__txt": f"{requirement}\n"}
    if form.language == "ts":
        package, _, version = requirement.partition(" ")
        files = {"package__json": f'{{"name": "mill", "dependencies": {{"{package}": "{version}"}}}}'}
    steps = steps_of(form, **files)
    assert steps.absent if default is None else steps.value == default


def test_every_framework_with_a_step_cap_is_tried_in_an_older_and_a_newer_version() -> None:
    own_way = {"ai-sdk-agent", "langgraph", "langgraph-react-agent", "swarm", "langgraph-graph-ts"}
    tried = {name for name, *_ in (*BY_VERSION, *SAME)}
    assert {form.name for form in FORMS} - tried <= own_way


@pytest.mark.parametrize(("version", "seconds"), [("1.0.3", 60), ("1.0.4", None), ("1.1.25", None)])
def test_the_time_that_llamaindex_gives_an_agent_by_version(version: str, seconds: float | None) -> None:
    code = 'import { agent } from "@llamaindex/workflow";\nagent({ tools: [weigh]CAP });\n'
    package = f'{{"name": "mill", "dependencies": {{"@llamaindex/workflow": "{version}"}}}}'
    time = loops_of(Form("llamaindex", "ts", code, "", None), package__json=package)[0].time
    assert time.absent if seconds is None else time.value == seconds


LANGGRAPH = (
    "from langgraph.prebuilt import create_react_agent\n"
    'miller = create_react_agent(model, tools=[weigh])\nmiller.invoke({"messages": []}CAP)\n'
)


@pytest.mark.parametrize(("version", "default"), [("0.6.11", 25), ("1.0.5", 25), ("1.0.6", 10_000), ("1.2.24", 10_000)])
def test_langgraph_grew_from_a_cap_to_none(version: str, default: float) -> None:
    form = Form("langgraph", "py", LANGGRAPH, "", default)
    lock = f'[[package]]\nname = "langgraph"\nversion = "{version}"\n'
    steps = steps_of(form, pyproject__toml='[project]\nname = "mill"\ndependencies = ["langgraph"]\n', uv__lock=lock)
    assert steps.known
    assert steps.value == default


def test_langgraph_of_an_unknown_version_is_unknown() -> None:
    assert steps_of(Form("langgraph", "py", LANGGRAPH, "", "?")).certainty is Certainty.UNKNOWN


@pytest.mark.parametrize(("version", "default"), [("5.0.277", 1), ("6.0.326", 20), ("7.0.173", 20)])
def test_the_agent_of_the_ai_sdk_by_version(version: str, default: float) -> None:
    code = 'import { Experimental_Agent } from "ai";\nnew Experimental_Agent({ model, tools: { weigh }CAP });\n'
    package = f'{{"name": "mill", "dependencies": {{"ai": "{version}"}}}}'
    steps = steps_of(Form("ai", "ts", code, "", default), package__json=package)
    assert steps.known
    assert steps.value == default


ENDLESS = ["isLoopFinished()", "() => false", '[hasToolCall("finish")]', "stepCountIs(Infinity)"]


@pytest.mark.parametrize("condition", ENDLESS)
def test_conditions_that_bound_nothing(condition: str) -> None:
    form = next(form for form in FORMS if form.name == "ai-sdk")
    head = 'import { hasToolCall, isLoopFinished } from "ai";\n'
    assert steps_of(form, f", stopWhen: {condition}", head=head).absent


def test_one_bounding_condition_among_several_is_a_cap() -> None:
    form = next(form for form in FORMS if form.name == "ai-sdk")
    head = 'import { hasToolCall } from "ai";\n'
    steps = steps_of(form, ', stopWhen: [hasToolCall("finish"), stepCountIs(30)]', head=head)
    assert steps.known
    assert steps.value == 30


CONFIGURED = [
    ("py", LANGGRAPH.replace("weigh])", 'weigh]).with_config({"recursion_limit": 12})')),
    ("py", LANGGRAPH.replace("weigh])", "weigh]).with_config(recursion_limit=12)")),
    (
        "ts",
        'import { createReactAgent } from "@langchain/langgraph/prebuilt";\n'
        "const miller = createReactAgent({ llm, tools: [weigh] }).withConfig({ recursionLimit: 12 });\n"
        "await miller.invoke({ messages: [] }CAP);\n",
    ),
]


@pytest.mark.parametrize(("language", "code"), CONFIGURED)
def test_a_cap_may_be_set_on_what_was_made(language: str, code: str) -> None:
    steps = steps_of(Form("langgraph", language, code, "", "?"))
    assert steps.known
    assert steps.value == 12
