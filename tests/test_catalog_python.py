"""Every form in which a Python framework takes a tool is found, with its words and body, and waits in other files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import pytest

from linking import linked
from waitlint.linked import Tool

MILL = """
import time


def grind(grain: str) -> str:
    time.sleep(7)
    return grain
"""


class Form(NamedTuple):
    """Source of a file, and what the tool in it is: name, description, arguments that the model chooses."""

    source: str
    name: str
    said: str
    arguments: tuple[str, ...] = ("grain",)


FORMS: dict[str, Form] = {}


def form(label: str, name: str, said: str, source: str, arguments: tuple[str, ...] = ("grain",)) -> None:
    FORMS[label] = Form("from mill import grind\n" + source, name, said, arguments)


# ---------------------------------------------------------------- MCP

form(
    "mcp 1, name and description in the decorator",
    "grind_rye",
    "Grind rye.",
    """
from mcp.server.fastmcp import FastMCP, Context
server = FastMCP("mill")

@server.tool("grind_rye", description="Grind rye.")
async def run(grain: str, ctx: Context) -> str:
    "Not read."
    return grind(grain)
""",
)
form(
    "mcp 1, imperative with a bound method",
    "rye",
    "The whole docstring.",
    """
from mcp.server.fastmcp import FastMCP

class Tools:
    def __init__(self, server: FastMCP) -> None:
        server.tool(name="rye")(self.run)

    async def run(self, grain: str) -> str:
        "The whole docstring."
        return grind(grain)

Tools(FastMCP("mill"))
""",
)
form(
    "mcp 2, add_tool",
    "run",
    "Grind.",
    """
from mcp.server.mcpserver import MCPServer
server = MCPServer("mill")

def run(grain: str) -> str:
    "Grind."
    return grind(grain)

server.add_tool(run)
""",
)
form(
    "mcp, from_function in a list",
    "rye",
    "Grind rye.",
    """
from mcp.server.fastmcp import FastMCP
from mcp.server.fastmcp.tools import Tool

def run(grain: str) -> str:
    return grind(grain)

server = FastMCP("mill", tools=[Tool.from_function(run, name="rye", description="Grind rye.")])
""",
)
form(
    "mcp, low level",
    "rye",
    "Grind rye.",
    """
import mcp.types as types
from mcp.server.lowlevel import Server
server = Server("mill")
SCHEMA = {"type": "object", "properties": {"grain": {"type": "string"}}}

@server.list_tools()
async def tools():
    return [types.Tool(name="rye", description="Grind rye.", inputSchema=SCHEMA)]

@server.call_tool()
async def call(name: str, arguments: dict):
    match name:
        case "rye":
            return [types.TextContent(type="text", text=grind(arguments["grain"]))]
        case _:
            raise ValueError(name)
""",
)
form(
    "mcp 2, low level by the constructor",
    "rye",
    "Grind rye.",
    """
import mcp_types as types
from mcp.server import Server

async def tools(ctx, params):
    schema = {"type": "object", "properties": {"grain": {}}}
    return [types.Tool(name="rye", description="Grind rye.", input_schema=schema)]

async def call(ctx, params):
    if params.name == "rye":
        return grind(params.arguments["grain"])
    raise ValueError(params.name)

server = Server("mill", on_list_tools=tools, on_call_tool=call)
""",
)
form(
    "fastmcp, bare",
    "run",
    "Grind.",
    """
from fastmcp import FastMCP, Context
mcp = FastMCP("mill")

@mcp.tool
def run(grain: str, ctx: Context | None = None) -> str:
    "Grind."
    return grind(grain)
""",
)
form(
    "fastmcp, the decorator called with the function",
    "rye",
    "Grind.",
    """
from fastmcp import FastMCP
mcp = FastMCP("mill")

def run(grain: str) -> str:
    "Grind."
    return grind(grain)

mcp.tool(run, name="rye")
""",
)
form(
    "fastmcp, of its own",
    "run",
    "Grind.",
    """
from fastmcp.tools import tool

@tool
def run(grain: str) -> str:
    "Grind."
    return grind(grain)
""",
)

# ---------------------------------------------------------------- LangChain

form(
    "langchain, the first text is the name",
    "rye",
    "Grind.",
    """
from langchain_core.tools import tool as a_tool
from langchain_core.runnables import RunnableConfig

@a_tool("rye")
def run(grain: str, config: RunnableConfig) -> str:
    "Grind."
    return grind(grain)
""",
)
form(
    "langchain, structured",
    "rye",
    "Grind rye.",
    """
from langchain_core.tools import StructuredTool

def make():
    async def run(grain: str) -> str:
        return grind(grain)
    return StructuredTool.from_function(coroutine=run, name="rye", description="Grind rye.")
""",
)
form(
    "langchain, a class with a schema",
    "rye",
    "Grind rye.",
    """
from langchain_core.tools import BaseTool
from pydantic import BaseModel, Field

class Wanted(BaseModel):
    grain: str = Field(description="What to grind")

class Rye(BaseTool):
    "Not read."
    name: str = "rye"
    description: str = "Grind " "rye."
    args_schema: type[BaseModel] = Wanted

    def _run(self, grain: str, run_manager=None) -> str:
        return grind(grain)
""",
)
form(
    "langgraph, a plain function in a list",
    "run",
    "Grind.",
    """
from langgraph.prebuilt import ToolNode

def run(grain: str) -> str:
    "Grind."
    return grind(grain)

TOOLS = [run]
node = ToolNode(TOOLS)
""",
)

# ---------------------------------------------------------------- OpenAI Agents, Pydantic AI, smolagents

form(
    "openai agents, arguments cut off the docstring",
    "run",
    "Grind.\n\n",
    '''
from agents import RunContextWrapper, function_tool

@function_tool
async def run(ctx: RunContextWrapper[str], grain: str) -> str:
    """Grind.

    Args:
        grain: What to grind.
    """
    return grind(grain)
''',
)
form(
    "openai agents, called with the function",
    "rye",
    "Grind rye.",
    """
import agents

def run(grain: str) -> str:
    return grind(grain)

rye = agents.function_tool(run, name_override="rye", description_override="Grind rye.")
agent = agents.Agent(name="miller", tools=[rye])
""",
)
form(
    "openai agents, made by hand",
    "rye",
    "Grind rye.",
    """
import json
from agents import FunctionTool

async def invoke(ctx, args: str) -> str:
    return grind(json.loads(args)["grain"])

rye = FunctionTool(
    name="rye",
    description="Grind rye.",
    params_json_schema={"type": "object", "properties": {"grain": {"type": "string"}}},
    on_invoke_tool=invoke,
)
""",
)
form(
    "pydantic ai, with context",
    "run",
    "Grind.\n\n",
    '''
from pydantic_ai import Agent, RunContext
agent: Agent[str, str] = Agent("some:model", deps_type=str)

@agent.tool
async def run(ctx: RunContext[str], grain: str) -> str:
    """Grind.

    Args:
        grain: What to grind.
    """
    return grind(grain)
''',
)
form(
    "pydantic ai, a toolset",
    "rye",
    "Grind rye.",
    """
from pydantic_ai import FunctionToolset
mill = FunctionToolset()

def run(grain: str) -> str:
    return grind(grain)

mill.add_function(run, name="rye", description="Grind rye.")
""",
)
form(
    "pydantic ai, in the agent's list",
    "run",
    "Grind.",
    """
from pydantic_ai import Agent, Tool

def run(grain: str) -> str:
    "Grind."
    return grind(grain)

agent = Agent("some:model", tools=[Tool(run, takes_ctx=False)])
""",
)
form(
    "smolagents, a class",
    "rye",
    "Grind rye.",
    """
from smolagents import Tool

class Rye(Tool):
    name = "rye"
    description = "Grind rye."
    inputs = {"grain": {"type": "string", "description": "What to grind"}}
    output_type = "string"

    def forward(self, grain: str) -> str:
        return grind(grain)
""",
)

# ---------------------------------------------------------------- LlamaIndex, CrewAI

form(
    "llama-index, from_defaults",
    "rye",
    "Grind rye.",
    """
from llama_index.core.tools import FunctionTool

def run(grain: str) -> str:
    return grind(grain)

tool = FunctionTool.from_defaults(run, name="rye", description="Grind rye.")
""",
)
form(
    "llama-index, methods named in a list",
    "run",
    "Grind.",
    """
from llama_index.core.tools.tool_spec.base import BaseToolSpec

class Mill(BaseToolSpec):
    spec_functions = [("run", "arun")]

    def run(self, grain: str) -> str:
        "Grind."
        return grind(grain)

    async def arun(self, grain: str) -> str:
        "Grind."
        return grind(grain)
""",
)
form(
    "crewai, a name for people",
    "Rye grinder",
    "Grind rye.",
    """
from crewai.tools import tool

@tool("Rye grinder")
def run(grain: str) -> str:
    "Grind rye."
    return grind(grain)
""",
)
form(
    "crewai, a class with its own constructor",
    "rye",
    "Grind rye.",
    """
from crewai.tools import BaseTool

class Mill(BaseTool):
    name: str = "rye"
    description: str = ""

    def __init__(self, **kwargs):
        super().__init__(description="Grind rye.", **kwargs)

    def _run(self, grain: str) -> str:
        return grind(grain)
""",
)

# ---------------------------------------------------------------- AutoGen, AG2

form(
    "autogen, the second argument is the description",
    "run",
    "Grind rye.",
    """
from autogen_core import CancellationToken
from autogen_core.tools import FunctionTool

async def run(grain: str, cancellation_token: CancellationToken) -> str:
    return grind(grain)

rye = FunctionTool(run, "Grind rye.")
""",
)
form(
    "autogen, a class that tells its base",
    "rye",
    "Grind rye.",
    """
from autogen_core import CancellationToken
from autogen_core.tools import BaseTool
from pydantic import BaseModel

class Wanted(BaseModel):
    grain: str

class Rye(BaseTool[Wanted, str]):
    def __init__(self) -> None:
        super().__init__(Wanted, str, "rye", "Grind rye.")

    async def run(self, args: Wanted, cancellation_token: CancellationToken) -> str:
        return grind(args.grain)
""",
)
form(
    "autogen, a plain function",
    "run",
    "Grind.",
    """
from autogen_agentchat.agents import AssistantAgent

async def run(grain: str) -> str:
    "Grind."
    return grind(grain)

agent = AssistantAgent("miller", model_client=None, tools=[run])
""",
)
form(
    "ag2 0, register_function",
    "rye",
    "Grind rye.",
    """
from autogen import AssistantAgent, UserProxyAgent, register_function

def run(grain: str) -> str:
    return grind(grain)

register_function(run, caller=AssistantAgent("a"), executor=UserProxyAgent("b"), name="rye", description="Grind rye.")
""",
)
form(
    "ag2 0, stacked decorators",
    "run",
    "Grind rye.",
    """
import autogen
a = autogen.AssistantAgent("a")
b = autogen.UserProxyAgent("b")

@b.register_for_execution()
@a.register_for_llm(description="Grind rye.")
def run(grain: str) -> str:
    return grind(grain)
""",
)
form(
    "ag2 1",
    "run",
    "Grind.",
    """
from ag2 import Agent, tool

@tool
async def run(grain: str) -> str:
    "Grind."
    return grind(grain)

agent = Agent("miller", prompt="Mill.", tools=[run])
""",
)

# ---------------------------------------------------------------- Google, Microsoft, Haystack

form(
    "adk, a plain function",
    "run",
    "Grind.",
    """
from google.adk.agents import LlmAgent
from google.adk.tools import ToolContext

def run(grain: str, tool_context: ToolContext) -> str:
    "Grind."
    return grind(grain)

agent = LlmAgent(name="miller", tools=[run])
""",
)
form(
    "adk, long running",
    "run",
    "Grind.",
    """
from google.adk.tools import LongRunningFunctionTool

def run(grain: str) -> str:
    "Grind."
    return grind(grain)

rye = LongRunningFunctionTool(func=run)
""",
)
form(
    "adk, a class",
    "rye",
    "Grind rye.",
    """
from google.adk.tools import BaseTool

class Rye(BaseTool):
    def __init__(self) -> None:
        super().__init__(name="rye", description="Grind rye.")

    async def run_async(self, *, args, tool_context):
        return grind(args["grain"])
""",
    ("args",),
)
form(
    "google-genai",
    "run",
    "Grind.",
    """
from google.genai import types

def run(grain: str) -> str:
    "Grind."
    return grind(grain)

config = types.GenerateContentConfig(tools=[run])
""",
)
form(
    "semantic kernel, a method of a plain class",
    "rye",
    "Grind rye.",
    """
from semantic_kernel.functions import kernel_function

class Mill:
    @kernel_function(name="rye", description="Grind rye.")
    def run(self, grain: str) -> str:
        return grind(grain)
""",
)
form(
    "agent framework",
    "run",
    "Grind.",
    """
from agent_framework import tool

@tool
def run(grain: str) -> str:
    "Grind."
    return grind(grain)
""",
)
form(
    "haystack, made by hand",
    "rye",
    "Grind rye.",
    """
from haystack.tools import Tool

def run(grain: str) -> str:
    return grind(grain)

SCHEMA = {"type": "object", "properties": {"grain": {}}}
rye = Tool(name="rye", description="Grind rye.", parameters=SCHEMA, function=run)
""",
)

# ---------------------------------------------------------------- Anthropic, raw schemas

form(
    "anthropic, beta_tool",
    "run",
    "Grind.\n\n",
    '''
from anthropic import beta_tool

@beta_tool
def run(grain: str) -> str:
    """Grind.

    Args:
        grain: What to grind.
    """
    return grind(grain)
''',
)
form(
    "claude agent sdk, name, description and schema by position",
    "rye",
    "Grind rye.",
    """
from claude_agent_sdk import tool

@tool("rye", "Grind rye.", {"grain": str})
async def run(args):
    "Not read."
    return {"content": [{"type": "text", "text": grind(args["grain"])}]}
""",
)
form(
    "anthropic, a schema and a chain of names",
    "rye",
    "Grind rye.",
    """
import anthropic
TOOLS = [{"name": "rye", "description": "Grind rye.", "input_schema": {"type": "object", "properties": {"grain": {}}}}]

def run(name, arguments):
    if name == "rye":
        return grind(arguments["grain"])
    return "no such tool"

def loop(client):
    answer = client.messages.create(model="m", tools=TOOLS, messages=[])
    for block in answer.content:
        if block.type == "tool_use":
            run(block.name, block.input)
""",
)
form(
    "openai, a schema and a map of handlers",
    "rye",
    "Grind rye.",
    """
import json

def run(grain):
    return grind(grain)

HANDLERS = {"rye": run}
TOOLS = [{"type": "function", "function": {
    "name": "rye", "description": "Grind rye.", "parameters": {"type": "object", "properties": {"grain": {}}},
}}]

def answer(call):
    return HANDLERS[call.function.name](**json.loads(call.function.arguments))
""",
)
form(
    "openai, a branch inside the loop",
    "rye",
    "Grind rye.",
    """
import json

def run(grain):
    return grind(grain)

TOOLS = [{"type": "function", "name": "rye", "description": "Grind rye.",
          "parameters": {"type": "object", "properties": {"grain": {}}}}]

def loop(client):
    answer = client.responses.create(model="m", tools=TOOLS, input=[])
    for item in answer.output:
        if item.type == "function_call":
            if item.name == "rye":
                print(run(**json.loads(item.arguments)))
""",
)
form(
    "bedrock, a function of the same name",
    "rye",
    "Grind rye.",
    """
CONFIG = {"tools": [{"toolSpec": {
    "name": "rye", "description": "Grind rye.",
    "inputSchema": {"json": {"type": "object", "properties": {"grain": {}}}},
}}]}

def rye(grain):
    return grind(grain)

def answer(use):
    return globals()[use["name"]](**use["input"])
""",
)

# ---------------------------------------------------------------- Strands, Agno, CAMEL, DSPy, mirascope, browser-use

form(
    "strands, a module",
    "rye",
    "Grind rye.",
    """
TOOL_SPEC = {
    "name": "rye",
    "description": "Grind rye.",
    "inputSchema": {"json": {"type": "object", "properties": {"grain": {"type": "string"}}}},
}

def rye(tool, **kwargs):
    return {"toolUseId": tool["toolUseId"], "content": [{"text": grind(tool["input"]["grain"])}]}
""",
)
form(
    "strands, a decorator with context",
    "rye",
    "Grind.",
    """
from strands import ToolContext, tool

@tool(name="rye", context=True)
def run(grain: str, tool_context: ToolContext) -> str:
    "Grind."
    return grind(grain)
""",
)
form(
    "agno, a toolkit that collects",
    "run",
    "Grind.",
    """
from agno.tools import Toolkit

class Mill(Toolkit):
    def __init__(self, rye: bool = True, **kwargs):
        tools = []
        if rye:
            tools.append(self.run)
        super().__init__(name="mill", tools=tools, **kwargs)

    def run(self, grain: str) -> str:
        "Grind."
        return grind(grain)
""",
)
form(
    "agno, a toolkit that registers",
    "run",
    "Grind.",
    """
from agno.agent import Agent
from agno.tools import Toolkit

class Mill(Toolkit):
    def __init__(self):
        super().__init__(name="mill")
        self.register(self.run)

    def run(self, agent: Agent, grain: str) -> str:
        "Grind."
        return grind(grain)
""",
)
form(
    "camel, get_tools",
    "run",
    "Grind.\n\n",
    '''
from camel.toolkits import BaseToolkit, FunctionTool

class Mill(BaseToolkit):
    def run(self, grain: str) -> str:
        r"""Grind.

        Args:
            grain (str): What to grind.
        """
        return grind(grain)

    def get_tools(self):
        return [FunctionTool(self.run)]
''',
)
form(
    "dspy",
    "rye",
    "Grind rye.",
    """
import dspy

def run(grain: str) -> str:
    return grind(grain)

agent = dspy.ReAct("q -> a", tools=[dspy.Tool(run, name="rye", desc="Grind rye.")])
""",
)
form(
    "mirascope",
    "run",
    "Grind.",
    """
from mirascope import llm

@llm.tool
def run(grain: str) -> str:
    "Grind."
    return grind(grain)
""",
)
form(
    "browser-use, the text is the description",
    "run",
    "Grind rye.",
    """
from browser_use import Tools
tools = Tools()

@tools.action("Grind rye.")
async def run(grain: str, browser_session=None) -> str:
    return grind(grain)
""",
)

# ---------------------------------------------------------------- Gradio

form(
    "gradio, an interface that is served as a server",
    "rye",
    "Grind rye.\n\n",
    """
import gradio as gr

def rye(grain: str, asker: gr.Request, progress=gr.Progress()) -> str:
    '''Grind rye.

    Args:
        grain: What to grind.
    '''
    return grind(grain)

gr.Interface(rye, "text", "text").launch(mcp_server=True)
""",
)
form(
    "gradio, a listener with words of its own",
    "rye",
    "Grind rye.",
    """
import gradio as gr

with gr.Blocks() as demo:
    grain, start = gr.Textbox(), gr.Button()

    @start.click(inputs=grain, outputs=grain, api_description="Grind rye.")
    def rye(grain):
        "Not read."
        return grind(grain)

    @start.click(api_visibility="private")
    def oats(grain):
        return grind(grain)

demo.launch(mcp_server=True)
""",
)
form(
    "gradio, a function without components",
    "rye",
    "Grind rye.",
    """
import gradio as gr

def rye(grain: str) -> str:
    "Grind rye."
    return grind(grain)

with gr.Blocks() as demo:
    gr.api(rye, api_name="ground")
demo.launch(mcp_server=True)
""",
)

# ---------------------------------------------------------------- wrappers and tables of the project's own

form(
    "a wrapper that registers",
    "rye",
    "Grind.",
    """
import functools
from mcp.server.fastmcp import FastMCP

def audited(server, name, **more):
    def decorate(func):
        @functools.wraps(func)
        async def inner(*args, **kwargs):
            print("called", name)
            return await func(*args, **kwargs)
        server.tool(name=name, **more)(inner)
        return inner
    return decorate

class Tools:
    def __init__(self, server: FastMCP) -> None:
        audited(server, "rye", title="Rye")(self.run)

    async def run(self, grain: str) -> str:
        "Grind."
        return grind(grain)
""",
)
form(
    "a decorator that registers",
    "run",
    "Grind rye.",
    """
from fastmcp import FastMCP
mcp = FastMCP("mill")

def mill_tool(description):
    def decorate(func):
        return mcp.tool(description=description)(func)
    return decorate

@mill_tool("Grind rye.")
def run(grain: str) -> str:
    return grind(grain)
""",
)
form(
    "an object that is made a tool later",
    "run",
    "Grind rye.",
    """
from dataclasses import dataclass
from typing import Callable
from mcp.server.fastmcp import FastMCP
from mcp.server.fastmcp.tools import Tool

@dataclass
class Definition:
    fn: Callable
    description: str

    def made(self) -> Tool:
        return Tool.from_function(fn=self.fn, description=self.description)

def defined(description):
    def decorate(fn):
        return Definition(fn=fn, description=description)
    return decorate

@defined("Grind rye.")
def run(grain: str) -> str:
    return grind(grain)
""",
)
form(
    "tools of a table",
    "run",
    "Grind.",
    """
from mcp.server.fastmcp import FastMCP
server = FastMCP("mill")

def run(grain: str) -> str:
    "Grind."
    return grind(grain)

for function in (run,):
    server.add_tool(function)
""",
)
form(
    "by shape",
    "run",
    "Grind.",
    """
from somewhere_else import app

@app.tool()
def run(grain: str) -> str:
    "Grind."
    return grind(grain)
""",
)
form(
    "a decorator that keeps functions in a list, with their words",
    "rye",
    "Grind rye.",
    """
KEPT = []

def mill_tool(name=None, description=None, **more):
    def decorate(func):
        KEPT.append({"func": func, "name": name or func.__name__, "description": description, "more": more})
        return func
    return decorate

@mill_tool(name="rye", description="Grind rye.")
def run(grain: str) -> str:
    return grind(grain)
""",
)
form(
    "a decorator that keeps functions in a map, with their docstrings",
    "run",
    "Grind.",
    """
TOOLS = {}

def offered(func):
    TOOLS[func.__name__] = (func, func.__doc__)
    return func

@offered
def run(grain: str) -> str:
    "Grind."
    return grind(grain)
""",
)
form(
    "a method of a registry that keeps functions",
    "rye",
    "Grind rye.",
    """
import functools

class ToolRegistry:
    def __init__(self) -> None:
        self._entries = {}

    def register(self, name: str, description: str = ""):
        def decorate(fn):
            @functools.wraps(fn)
            def timed(*args, **kwargs):
                return fn(*args, **kwargs)
            self._entries[name] = Entry(name=name, description=description, fn=fn)
            return timed
        return decorate

registry = ToolRegistry()

@registry.register("rye", "Grind rye.")
def run(grain: str) -> str:
    return grind(grain)
""",
)


def tools_of(source: str) -> list[Tool]:
    return list(linked({"mill.py": MILL, "server.py": source}).tools)


@pytest.mark.parametrize("label", FORMS)
def test_the_tool_is_found_with_its_words_and_its_body(label: str) -> None:
    expected = FORMS[label]
    tools = tools_of(expected.source)
    assert [tool.name for tool in tools] == [expected.name]
    tool = tools[0]
    assert tool.description is not None, tool.description_unknown
    assert tool.description.text.value == expected.said
    assert tuple(parameter.name for parameter in tool.parameters) == expected.arguments
    assert [sleep.seconds.value for sleep in tool.sleeps[:1]] == [7]


NO_TOOLS = {
    "an app for people": """
import gradio as gr

def rye(grain: str) -> str:
    "Grind rye."
    return grind(grain)

gr.Interface(rye, "text", "text").launch()
""",
    "functions kept for people": """
COMMANDS = {}

def command(description):
    def decorate(fn):
        COMMANDS[fn.__name__] = (fn, description)
        return fn
    return decorate

@command("Grind rye.")
def run(grain): ...
""",
    "what a tool of an editor is called for, without words": """
HANDLERS = []

def on_tool_change(fn):
    HANDLERS.append(fn)
    return fn

@on_tool_change
def run(grain): ...
""",
    "a decorator that wraps and keeps nothing": """
def timed_tool(description):
    def decorate(fn):
        calls = []
        def inner(*args):
            calls.append(fn.__name__)
            return fn(*args)
        return inner
    return decorate

@timed_tool("Grind rye.")
def run(grain): ...
""",
}


@pytest.mark.parametrize("label", NO_TOOLS)
def test_what_is_kept_otherwise_is_no_tool(label: str) -> None:
    assert [tool.name for tool in tools_of(NO_TOOLS[label])] == []


def test_a_package_beside_the_script_that_is_started_is_imported_by_its_own_name() -> None:
    files = {
        "Server/src/__init__.py": "",
        "Server/src/main.py": "from services.grinding import tool_of\n",
        "Server/src/services/__init__.py": "",
        "Server/src/services/kept.py": """
            TOOLS = []

            def mill_tool(description=None):
                def decorate(func):
                    TOOLS.append((func, description))
                    return func
                return decorate
            """,
        "Server/src/services/grinding.py": """
            from services.kept import mill_tool

            @mill_tool(description="Grind rye.")
            def grind_rye(grain): ...
            """,
    }
    assert [tool.name for tool in linked(files).tools] == ["grind_rye"]


def test_a_module_with_the_name_of_a_library_is_not_that_library_inside_its_own_package() -> None:
    files = {
        "mill/__init__.py": "",
        "mill/app.py": "",
        "mill/fastmcp/__init__.py": "class FastMCP: ...\n",
        "mill/tools.py": """
            from fastmcp import FastMCP

            server = FastMCP("mill")

            @server.tool
            def grind_rye(grain): ...
            """,
    }
    assert [tool.name for tool in linked(files).tools] == ["grind_rye"]


# ---------------------------------------------------------------- where a number stands

SERVER = """
import time
from fastmcp import FastMCP
import httpx
{head}
mcp = FastMCP("mill")


@mcp.tool
def ground(grain: str) -> str:
    "Wait for the mill."
    {before}
    for _ in range({laps}):
        if httpx.get(grain, timeout=2).json()["state"] == "done":
            break
        time.sleep(2)
    return grain
"""


def capped(head: str, laps: str, before: str = "pass", more: Mapping[str, str] | None = None, **files: str) -> float:
    """The cap of a wait whose count of laps is written in some way, with a pause of 2 s."""
    others = {**(more or {}), **{f"{name}.py": text for name, text in files.items()}}
    tools = linked({"server.py": SERVER.format(head=head, laps=laps, before=before), **others}).tools
    (wait,) = tools[0].waits
    assert wait.cap.known, wait.cap.how
    return wait.cap.value


SETTINGS = """
from pydantic import Field
from pydantic_settings import BaseSettings

class Settings(BaseSettings):
    laps: int = Field(default=30, description="How often")
    other: int = 4

settings = Settings()
"""
DATA = """
from dataclasses import dataclass, field

@dataclass
class Limits:
    name: str
    laps: int = 12
    deep: int = field(default=14)
"""


def test_a_number_of_a_settings_class_is_known() -> None:
    assert capped("from settings import settings", "settings.laps", settings=SETTINGS) == 60
    assert capped("from settings import settings", "settings.other", settings=SETTINGS) == 8


def test_a_number_of_a_dataclass_is_known() -> None:
    assert capped("from limits import Limits", "Limits('x').laps", limits=DATA) == 24
    assert capped("from limits import Limits", "Limits('x', 5).laps", limits=DATA) == 10
    assert capped("from limits import Limits", "Limits('x').deep", limits=DATA) == 28


def test_a_member_of_an_enum_is_known() -> None:
    head = "import enum\nclass Laps(enum.IntEnum):\n    FEW = 6\n"
    assert capped(head, "Laps.FEW.value") == 12


def test_an_environment_variable_counts_by_its_default() -> None:
    assert capped("import os\nLAPS = int(os.environ.get('LAPS', '15'))", "LAPS") == 30
    assert capped("import os\nLAPS = int(os.getenv('LAPS') or 15)", "LAPS") == 30


def test_a_re_exported_number_is_known() -> None:
    files = {"rye/__init__.py": "from .limits import LAPS\n", "rye/limits.py": "LAPS = 9\n"}
    assert capped("from rye import LAPS", "LAPS", more=files) == 18


def test_a_field_that_a_base_class_sets_is_known() -> None:
    base = "class Base:\n    def __init__(self, laps=11):\n        self.laps = laps\n"
    heir = "from base import Base\nclass Heir(Base):\n    def __init__(self):\n        super().__init__(laps=7)\n"
    assert capped("from heir import Heir", "heir.laps", "heir = Heir()", base=base, heir=heir) == 14


def test_packages_of_one_repository_do_not_meet() -> None:
    """Two servers with modules of the same name: each takes its own."""
    server = SERVER.format(head="from limits import LAPS", laps="LAPS", before="pass")
    files = {"one/src/server.py": server, "one/src/limits.py": "LAPS = 3\n"}
    files |= {"two/src/server.py": server, "two/src/limits.py": "LAPS = 5\n"}
    assert sorted(tool.waits[0].cap.value for tool in linked(files).tools) == [6, 10]


GRINDS = """
    "Grind."
    process = await asyncio.create_subprocess_exec("mill", grain)
    await process.wait()
    return grain
"""
LIMITED = {
    "of a decorator": f"from agents import function_tool\n@function_tool(timeout=20)\nasync def run(grain: str) -> str:{GRINDS}",
    "of a server's decorator": f"from fastmcp import FastMCP\nmcp = FastMCP('m')\n@mcp.tool(timeout=20)\nasync def run(grain: str) -> str:{GRINDS}",
    "of a constructor": f"from agents import FunctionTool\nasync def run(context, grain: str) -> str:{GRINDS}\ntool = FunctionTool(name='run', description='Grind.', params_json_schema={{}}, on_invoke_tool=run, timeout_seconds=20)",
    "of an agent": f"from pydantic_ai import Agent\nagent = Agent('m', tool_timeout=20)\n@agent.tool_plain\nasync def run(grain: str) -> str:{GRINDS}",
    "of an agent, less than the tool's": f"from pydantic_ai import Agent\nagent = Agent('m', tool_timeout=90)\n@agent.tool_plain(timeout=20)\nasync def run(grain: str) -> str:{GRINDS}",
    "of a set of tools": f"from pydantic_ai import FunctionToolset\nmill = FunctionToolset(timeout=20)\n@mill.tool_plain\nasync def run(grain: str) -> str:{GRINDS}",
    "of a list of tools": f"from pydantic_ai import Agent\nasync def run(grain: str) -> str:{GRINDS}\nagent = Agent('m', tools=[run], tool_timeout=20)",
}


@pytest.mark.parametrize("source", LIMITED.values(), ids=LIMITED)
def test_a_frameworks_own_timeout_bounds_a_wait(source: str) -> None:
    (tool,) = linked({"server.py": f"import asyncio\n{source}"}).tools
    (wait,) = tool.waits
    assert wait.cap.known
    assert wait.cap.value == 20
    assert tool.limit.value == 20


def test_a_timeout_that_cannot_end_a_plain_function_is_known_all_the_same() -> None:
    """FastMCP awaits the thread of a plain function to its end, whatever its timeout is."""
    source = """
import subprocess
from fastmcp import FastMCP

mcp = FastMCP("m")

@mcp.tool(timeout=20)
def run(grain: str) -> str:
    "Grind."
    return subprocess.run(["mill", grain], timeout=120, capture_output=True, text=True).stdout
"""
    (tool,) = linked({"server.py": source}).tools
    assert tool.waits[0].cap.value == 120
    assert tool.limit.value == 20


CALLS = {
    "a waiter by its table": ("import boto3", "boto3.client('ecs').get_waiter('services_stable').wait()", 600),
    "a waiter with its own numbers": (
        "import boto3",
        "boto3.client('acm').get_waiter('certificate_validated').wait(WaiterConfig={'Delay': 30, 'MaxAttempts': 30})",
        900,
    ),
    "a waiter with one of them": (
        "import boto3",
        "boto3.client('lambda').get_waiter('function_active').wait(WaiterConfig={'MaxAttempts': 6})",
        30,
    ),
    "databricks": (
        "from databricks.sdk import WorkspaceClient",
        "WorkspaceClient().clusters.start('c').result()",
        1200,
    ),
    "a cloud operation": (
        "from google.cloud import dataproc_v1",
        "dataproc_v1.ClusterControllerClient().create_cluster(grain).result()",
        900,
    ),
    "a cloud operation for ever": (
        "from google.cloud import dataproc_v1",
        "dataproc_v1.ClusterControllerClient().create_cluster(grain).result(timeout=None)",
        None,
    ),
    "an azure poller": (
        "from azure.mgmt.compute import ComputeManagementClient",
        "ComputeManagementClient().virtual_machines.begin_start('g', grain).result()",
        None,
    ),
    "a container": ("import docker", "docker.from_env().containers.get(grain).wait()", None),
    "a browser": (
        "from selenium.webdriver.support.ui import WebDriverWait",
        "WebDriverWait(None, 45).until(lambda driver: driver.title)",
        45,
    ),
    "a poll helper": ("import polling2", "polling2.poll(lambda: httpx.get(grain).ok, step=5, timeout=50)", 50),
    "a poll helper for ever": (
        "import polling2",
        "polling2.poll(lambda: httpx.get(grain).ok, step=5, timeout=0)",
        None,
    ),
    "a predicate": ("from waiting import wait", "wait(lambda: httpx.get(grain).ok)", None),
    "a hosted model": ("import replicate", "replicate.run('a/b', input={})", None),
    "a hosted browser": ("from hyperbrowser import Hyperbrowser", "Hyperbrowser().crawl.start_and_wait(grain)", None),
    "a queue": ("import redis", "redis.Redis().blpop('q', timeout=40)", 40),
}


@pytest.mark.parametrize("label", CALLS)
def test_a_call_that_blocks_is_capped_as_its_library_does(label: str) -> None:
    head, call, seconds = CALLS[label]
    source = f"""
from fastmcp import FastMCP
import httpx
{head}
mcp = FastMCP("mill")

@mcp.tool
def run(grain: str) -> str:
    "Grind."
    {call}
    return grain
"""
    (wait,) = linked({"server.py": source}).tools[0].waits
    assert (wait.cap.value if wait.cap.known else None) == seconds
    assert wait.cap.known or wait.cap.absent
