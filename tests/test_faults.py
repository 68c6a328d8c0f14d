"""A fault of waitlint in one tool or file is named, ends in exit code 2, and takes nothing else with it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest

from linking import linked
from waitlint import cli
from waitlint.interpret.machine import Machine
from waitlint.interpret.runs import Run
from waitlint.interpret.values import FunctionRef
from waitlint.project.agents.machine import AgentMachine
from waitlint.project.registrations.registry import Registry

SERVER = """
    import time
    import requests
    from mcp.server.fastmcp import FastMCP

    mcp = FastMCP("kiln")

    @mcp.tool()
    def heat(kiln: str) -> str:
        \"\"\"Heat a kiln.\"\"\"
        while True:
            if requests.get(f"https://kiln.test/{kiln}", timeout=5).json()["state"] == "hot":
                return "hot"
            time.sleep(2)

    @mcp.tool()
    def cool(kiln: str) -> str:
        \"\"\"Cool a kiln.\"\"\"
        while True:
            if requests.get(f"https://kiln.test/{kiln}", timeout=5).json()["state"] == "cold":
                return "cold"
            time.sleep(2)
"""
RunTool = Callable[..., Run]


def failing_in(name: str) -> RunTool:
    """The interpreter, with a fault that the function called `name` brings out."""
    run_tool = Machine.run_tool

    def run(machine: Machine, ref: FunctionRef, *args: object, **named: object) -> Run:
        if machine.world.facts(ref.path).functions[ref.index].name == name:
            raise ZeroDivisionError("boom")
        return run_tool(machine, ref, *args, **named)  # type: ignore[arg-type]

    return run


def test_a_tool_that_waitlint_fails_on_is_named_and_the_others_are_linked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Machine, "run_tool", failing_in("heat"))
    project = linked({"server.py": SERVER})
    tools = {tool.name: tool for tool in project.tools}
    assert tools["cool"].waits
    assert not tools["heat"].understood
    assert [fault.partition(" (")[0] for fault in project.faults.found] == [
        "linking the tool heat of server.py failed with ZeroDivisionError: boom"
    ]


def test_a_fault_is_told_at_the_end_and_the_findings_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "waitlint.toml").write_text("root = true\n")
    (tmp_path / "server.py").write_text(dedent(SERVER))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(Machine, "run_tool", failing_in("heat"))
    code = cli.run(["check", "--no-cache", "--select", "cap/uncapped-wait", "--output-format", "json"])
    out, err = capfd.readouterr()
    assert code == 2
    assert [finding["tools"] for finding in json.loads(out)["findings"]] == [["cool"]]
    assert "linking the tool heat of server.py failed with ZeroDivisionError: boom" in err


def test_a_file_whose_tools_cannot_be_found_takes_no_other_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    decorated = Registry._decorated

    def failing(registry: Registry, path: str, *args: object) -> object:
        if path == "broken.py":
            raise KeyError("lost")
        return decorated(registry, path, *args)  # type: ignore[arg-type]

    monkeypatch.setattr(Registry, "_decorated", failing)
    project = linked({"broken.py": SERVER, "server.py": SERVER})
    assert {tool.place.path for tool in project.tools} == {"server.py"}
    assert "finding the tools of broken.py failed with KeyError: 'lost'" in project.faults.found[0]


def test_an_agent_that_waitlint_fails_on_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(*args: object) -> None:
        raise ZeroDivisionError("boom")

    monkeypatch.setattr(AgentMachine, "run_agent", failing)
    project = linked(
        {
            "agent.py": """
                from openai import OpenAI

                client = OpenAI()

                def answer(messages):
                    while True:
                        reply = client.chat.completions.create(model="m", messages=messages)
                        if not reply.choices[0].message.tool_calls:
                            return reply
                        messages.append(reply)
            """
        }
    )
    assert not project.loops
    assert project.faults.found[0].startswith("running agent.py failed with ZeroDivisionError: boom")
