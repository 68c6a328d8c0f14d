"""A repair is not offered where the project's own tests, other callers or the age of a file speak against it."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness import run
from waitlint.report import Reported

SERVER = '''"""Weather for boats."""

import requests
from mcp.server.fastmcp import FastMCP

mcp = FastMCP("tideline")


@mcp.tool()
def forecast(harbour: str) -> str:
    """The forecast for a harbour."""
    return requests.get("https://tideline.test/forecast", params={"harbour": harbour}).text
'''
TEST = """from unittest.mock import patch

from tideline.server import forecast


def test_forecast():
    with patch("requests.{method}") as {mock}:
        forecast("Skagen")
    {asserted}
"""
SCRIPT = """import { tool } from "ai";
import axios from "axios";
import { z } from "zod";

export const forecast = tool({
  description: "The forecast for a harbour.",
  inputSchema: z.object({ harbour: z.string() }),
  execute: async ({ harbour }) => (await axios.get(`https://tideline.test/${harbour}`)).data,
});
"""


def project(folder: Path, **files: str) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "waitlint.toml").write_text("root = true\n")
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def unbounded(folder: Path) -> Reported:
    """The only finding of a read without a timeout."""
    (found,) = [one for one in run(folder).findings if one.rule == "cap/read-without-timeout"]
    return found


EXACT = 'mock_get.assert_called_once_with("https://tideline.test/forecast", params={"harbour": "Skagen"})'


def test_without_a_test_there_is_a_repair(tmp_path: Path) -> None:
    assert unbounded(project(tmp_path, **{"tideline/server.py": SERVER})).fix is not None


@pytest.mark.parametrize(
    ("test", "is_held"),
    [
        (TEST.format(method="get", mock="mock_get", asserted=EXACT), True),
        (TEST.format(method="get", mock="get", asserted="assert get.call_args == call('https://tideline.test')"), True),
        (TEST.format(method="get", mock="mock_get", asserted="mock_get.assert_called_once()"), False),
        (TEST.format(method="post", mock="mock_post", asserted=EXACT.replace("get", "post")), False),
        (TEST.format(method="get", mock="mock_get", asserted=EXACT).replace("server", "buoys"), False),
    ],
    ids=["exact arguments", "compared arguments", "no arguments", "another call", "another module"],
)
def test_a_test_that_fixes_the_arguments_of_a_call_holds_it(test: str, is_held: bool, tmp_path: Path) -> None:
    found = unbounded(project(tmp_path, **{"tideline/server.py": SERVER, "tests/test_forecast.py": test}))
    assert (found.fix is None) is is_held
    assert ("A test holds this call as it is" in found.help) is is_held
    assert any(proof.spot.path == "tests/test_forecast.py" for proof in found.evidence) is is_held


STAND_IN = """import requests
from tideline import server

def fake_get(url, params=None{rest}):
    return Page()

def test_forecast(monkeypatch):
    monkeypatch.setattr(requests, "get", fake_get)
    assert server.forecast("Skagen")
"""


@pytest.mark.parametrize(("rest", "is_held"), [("", True), (", **options", False)])
def test_a_stand_in_that_takes_no_more_arguments_holds_a_call(rest: str, is_held: bool, tmp_path: Path) -> None:
    test = STAND_IN.format(rest=rest)
    found = unbounded(project(tmp_path, **{"tideline/server.py": SERVER, "tests/test_server.py": test}))
    assert (found.fix is None) is is_held


@pytest.mark.parametrize(
    ("expected", "is_held"),
    [
        ('expect(axios.get).toHaveBeenCalledWith("https://tideline.test/Skagen");', True),
        ("expect(mockedGet.mock.calls[0]).toEqual(['https://tideline.test/Skagen']);", True),
        ("expect(axios.get).toHaveBeenCalledTimes(1);", False),
    ],
)
def test_a_test_in_typescript_does_the_same(expected: str, is_held: bool, tmp_path: Path) -> None:
    test = f'import {{ forecast }} from "../src/forecast";\ntest("asks", async () => {{\n  {expected}\n}});\n'
    found = unbounded(project(tmp_path, **{"src/forecast.ts": SCRIPT, "src/__tests__/forecast.test.ts": test}))
    assert (found.fix is None) is is_held


def test_a_file_that_is_called_old_and_run_by_nothing_is_not_repaired(tmp_path: Path) -> None:
    files = {"src/index-old.ts": SCRIPT, "package.json": '{"name": "tideline", "main": "dist/index.js"}'}
    found = unbounded(project(tmp_path, **files))
    assert found.fix is None
    assert "Nothing runs this file any more" in found.help


@pytest.mark.parametrize(
    "further",
    [
        {"package.json": '{"name": "tideline", "main": "dist/index-old.js"}'},
        {"src/main.ts": 'import { forecast } from "./index-old";\nexport const tools = { forecast };\n'},
    ],
    ids=["named by its package", "imported"],
)
def test_an_old_file_that_is_still_in_use_is_repaired(further: dict[str, str], tmp_path: Path) -> None:
    assert unbounded(project(tmp_path, **{"src/index-old.ts": SCRIPT, **further})).fix is not None


CLIENT = '''"""The service behind the boats."""

import requests


def send(path: str, body: dict) -> dict:
    return requests.post(f"https://tideline.test/{path}", json=body).json()
'''
SENDING = SERVER.replace("import requests\n", "").replace(
    'return requests.get("https://tideline.test/forecast", params={"harbour": harbour}).text',
    'return send("forecast", {"harbour": harbour})["words"]',
)
SENDING = SENDING.replace('mcp = FastMCP("tideline")', 'from .client import send\n\nmcp = FastMCP("tideline")')
SURVEY = """from .client import send


def survey(coast: str) -> dict:
    return send("survey", {"coast": coast})
"""


@pytest.mark.parametrize("others", [False, True], ids=["of its own", "shared"])
def test_a_helper_that_others_call_is_not_bounded_for_them(others: bool, tmp_path: Path) -> None:
    files = {"tideline/server.py": SENDING, "tideline/client.py": CLIENT, "tideline/__init__.py": ""}
    found = unbounded(project(tmp_path, **(files | ({"tideline/survey.py": SURVEY} if others else {}))))
    assert (found.fix is None) is others
    assert ("let its function take a `timeout`" in found.help) is others
    assert any("`survey` calls it, too" in proof.message for proof in found.evidence) is others


GRAPH = """{imported}

MANY = 5_000


def book(grain: str) -> str:
    return f"booked: {{grain}}"


agent = {made}


def ask(question: str):
    return agent.invoke({{"messages": [("user", question)]}}{given})
"""
LANGCHAIN = "from langchain.agents import create_agent"
DEEP = "from deepagents import create_deep_agent"
MIDDLE = "create_agent('openai:gpt-5-mini', tools=[book], middleware=[SummarizationMiddleware('openai:gpt-5-mini')])"


@pytest.mark.parametrize(
    ("imported", "made", "given", "is_offered"),
    [
        (LANGCHAIN, "create_agent('openai:gpt-5-mini', tools=[book])", "", True),
        (LANGCHAIN, "create_agent('openai:gpt-5-mini', tools=[book])", ", {'recursion_limit': MANY}", False),
        (f"{LANGCHAIN}\nfrom langchain.agents.middleware import SummarizationMiddleware", MIDDLE, "", False),
        (DEEP, "create_deep_agent(tools=[book])", "", False),
    ],
    ids=["nothing was said", "a great number", "steps that middleware adds", "long work by its nature"],
)
def test_a_step_cap_is_set_where_nobody_wants_many_steps(
    imported: str, made: str, given: str, is_offered: bool, tmp_path: Path
) -> None:
    pinned = '[project]\nname = "mill"\ndependencies = ["langchain==1.5.2", "langgraph==1.2.0", "deepagents==0.7.0"]\n'
    code = GRAPH.format(imported=imported, made=made, given=given)
    folder = project(tmp_path, **{"mill/agent.py": code, "mill/__init__.py": "", "pyproject.toml": pinned})
    (found,) = [one for one in run(folder).findings if one.rule == "budget/cap-disabled"]
    assert (found.fix is not None) is is_offered
    assert "recursion_limit" in found.help


@pytest.mark.parametrize(
    ("other", "setting"),
    [
        ("requests.get(URL, timeout=TIMEOUT)", "TIMEOUT"),
        ("requests.get(URL, timeout=settings.HTTP_TIMEOUT)", "settings.HTTP_TIMEOUT"),
        ("requests.get(URL, timeout=30)", ""),
        ("requests.get(URL, timeout=timeout)", ""),
    ],
)
def test_a_file_with_a_timeout_setting_of_its_own_gets_no_other_number(
    tmp_path: Path, other: str, setting: str
) -> None:
    text = f"{SERVER}\n\ndef ping(timeout: float) -> None:\n    {other}\n"
    found = unbounded(project(tmp_path, **{"tideline/server.py": text}))
    assert (found.fix is None) is bool(setting)
    assert (f"`{setting}`" in found.help) is bool(setting)


def test_a_script_with_a_timeout_setting_of_its_own_gets_no_other_number(tmp_path: Path) -> None:
    settled = f"{SCRIPT}\nexport const ping = () => axios({{ url, timeout: base_timeout }});\n"
    package = '{"name": "tideline", "version": "1.0.0", "dependencies": {"ai": "^5.0.0", "axios": "^1.7.0"}}'
    assert unbounded(project(tmp_path / "a", **{"src/tools.ts": SCRIPT, "package.json": package})).fix is not None
    found = unbounded(project(tmp_path / "b", **{"src/tools.ts": settled, "package.json": package}))
    assert found.fix is None
    assert "`base_timeout`" in found.help


def test_a_test_of_another_function_holds_nothing(tmp_path: Path) -> None:
    other = TEST.replace("forecast", "harbour_master").format(
        method="get", mock="mock_get", asserted=EXACT.replace("forecast", "masters")
    )
    files = {"tideline/server.py": SERVER, "tests/test_server.py": other}
    assert unbounded(project(tmp_path, **files)).fix is not None
