"""Toolkits that pick their tools out of a table, or out of a list that they fill: all that may be picked are tools."""

from __future__ import annotations

from linking import linked

CAMEL = """
import asyncio
from typing import Any, Callable, List, Optional, cast

from camel.toolkits import BaseToolkit, FunctionTool


class Greenhouse(BaseToolkit):
    def __init__(self, enabled: Optional[List[str]] = None) -> None:
        self.enabled = enabled or ["water"]

    async def water(self, bed: str) -> str:
        "Water a bed."
        await asyncio.sleep(5)
        return bed

    async def shade(self, bed: str) -> str:
        "Shade a bed."
        return bed

    def get_tools(self) -> List[FunctionTool]:
        table = {"water": self.water, "shade": self.shade}
        tools = []
        for name in self.enabled:
            if name not in table:
                continue
            method = table[name]
            tools.append(FunctionTool(cast(Callable[..., Any], method)))
        return tools
"""
AGNO = """
import subprocess
from typing import Dict, List, Optional

from agno.tools import Toolkit


class Bench(Toolkit):
    LOOKS: List[str] = ["read"]
    CHANGES: List[str] = ["write", "shell"]
    NAMES: Dict[str, str] = {"read": "read_plan", "write": "write_plan", "shell": "run_tool"}

    def __init__(self, allowed: Optional[List[str]] = None, enable_saw: bool = False, **kwargs):
        looks, changes = self._parts(allowed)
        names = [self.NAMES[one] for one in looks] + [self.NAMES[one] for one in changes]
        tools = [getattr(self, name) for name in names]
        more = []
        if enable_saw:
            more.append(("saw", self.saw))
        super().__init__(name="bench", tools=tools + [function for _, function in more], **kwargs)

    @classmethod
    def _parts(cls, allowed):
        if allowed is None:
            return list(cls.LOOKS), list(cls.CHANGES)
        return list(allowed), []

    def read_plan(self, name: str) -> str:
        "Read a plan."
        return name

    def write_plan(self, name: str) -> str:
        "Write a plan."
        return name

    def run_tool(self, name: str, timeout: int = 120) -> str:
        "Run a tool."
        return subprocess.run([name], timeout=timeout).stdout

    def saw(self, wood: str) -> str:
        "Saw wood."
        return wood
"""


def test_what_a_table_holds_is_a_tool_by_each_of_its_keys() -> None:
    tools = {tool.name: tool for tool in linked({"greenhouse.py": CAMEL}).tools}
    assert set(tools) == {"water", "shade"}
    assert [wait.cap.value for wait in tools["water"].waits] == [5]


def test_lists_that_are_put_together_are_seen_item_by_item() -> None:
    tools = {tool.name: tool for tool in linked({"bench.py": AGNO}).tools}
    assert set(tools) == {"read_plan", "write_plan", "run_tool", "saw"}
    assert [wait.cap.value for wait in tools["run_tool"].waits] == [120]


DISPATCHER = """
import json
import time

from openai import OpenAI

LIFT = {
    "type": "function",
    "function": {
        "name": "lift",
        "description": "Lift the crane.",
        "parameters": {"type": "object", "properties": {"metres": {"type": "number"}}},
    },
}
TURN = {
    "type": "function",
    "function": {
        "name": "turn",
        "description": "Turn the crane.",
        "parameters": {"type": "object", "properties": {"degrees": {"type": "number"}}},
    },
}


class Crane:
    def __init__(self) -> None:
        self.model = OpenAI()

    def ask(self, history: list) -> str:
        answer = self.model.chat.completions.create(model="gpt-5", messages=history, tools=[LIFT, TURN])
        return self._run(answer.choices[0].message.tool_calls)

    def _run(self, calls: list) -> str:
        name = calls[0].function.name
        args = json.loads(calls[0].function.arguments)
        if name == "lift":
            self._motor(9)
        elif name == "turn":
            self._motor(4)
        else:
            raise ValueError(name)
        time.sleep(6)
        return "done"

    def _motor(self, seconds: float) -> None:
        time.sleep(seconds)
"""


def test_what_follows_the_branches_runs_for_each_name() -> None:
    tools = {tool.name: tool for tool in linked({"crane.py": DISPATCHER}).tools}
    assert sorted(wait.cap.value for wait in tools["lift"].waits) == [6, 9]
    assert sorted(wait.cap.value for wait in tools["turn"].waits) == [4, 6]


def test_in_a_loop_over_the_calls_only_the_branch_runs() -> None:
    start = DISPATCHER.index("        name = calls[0]")
    looped = DISPATCHER[:start] + (
        "        for call in calls:\n            name = call.function.name\n            if name == 'lift':\n"
        "                self._motor(9)\n            elif name == 'turn':\n                self._motor(4)\n"
        "        time.sleep(6)\n\n    def _motor(self, seconds: float) -> None:\n        time.sleep(seconds)\n"
    )
    tools = {tool.name: tool for tool in linked({"crane.py": looped}).tools}
    assert [wait.cap.value for wait in tools["lift"].waits] == []
