"""What an audit says of tools, loops, texts and costs, and how audits become one."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest

import audits
from harness import FIXTURES
from waitlint import cli
from waitlint.audit import data, markdown
from waitlint.audit.building import audit
from waitlint.audit.counting import figures, headline
from waitlint.audit.model import BUDGETS, ITEMS, Answer, Assumptions, Polled, Repository
from waitlint.audit.polling import cost

NA = "not applicable"


@cache
def of(name: str) -> Repository:
    return audits.of(FIXTURES / name)


STORY = {
    "before": ["no", NA, NA, NA, "no", NA],
    "first-repair": ["yes", "unknown", "yes", "no", "no", NA],
    "after": ["yes", "yes", "yes", "yes", "yes", NA],
}


@pytest.mark.parametrize("chapter", STORY)
def test_the_story_of_one_tool(chapter: str) -> None:
    found = audits.answers(of(f"story/typescript/{chapter}"), "previewStatus")
    assert list(found.values()) == STORY[chapter]


SAMPLE = {
    "room_state": ["yes", "no", "yes", "no", "no", NA],
    "visa_request": ["unknown", "unknown", "unknown", "unknown", "no", "unknown"],
    "hold_seat": [NA] * 6,
    "booking_status": ["no", NA, NA, NA, "no", NA],
    "await_quote": ["yes", "no", NA, "no", "no", "unknown"],
}


@pytest.mark.parametrize("name", SAMPLE)
def test_the_tools_of_the_sample(name: str) -> None:
    assert audits.answers(of("sample"), name) == dict(zip(ITEMS, SAMPLE[name], strict=True))


def test_every_verdict_has_reason_and_place() -> None:
    for project in ("sample", "story/python/after", "story/typescript/before"):
        found = of(project)
        rows = [(tool.verdicts, ITEMS) for tool in found.tools] + [(loop.verdicts, BUDGETS) for loop in found.loops]
        for verdicts, columns in rows:
            assert verdicts.keys() == columns.keys()
            for verdict in verdicts.values():
                assert verdict.reason
                assert (FIXTURES / project / verdict.path).is_file()
                assert verdict.line > 0


def test_a_tool_says_how_it_waits() -> None:
    assert {tool.name: tool.waits for tool in of("sample").tools} == {
        "room_state": "waits up to 3 min, returns the last state at the cap",
        "visa_request": "its code is not in view",
        "hold_seat": "reads once",
        "booking_status": "reads once",
        "await_quote": "waits without a cap",
    }


NAMESAKE = """\
import asyncio
import httpx
from mcp.server.fastmcp import FastMCP

mcp = FastMCP("works")
http = httpx.AsyncClient()


@mcp.tool()
async def state() -> str:
    \"\"\"The state.\"\"\"
"""
BODIES = {
    "mill": "    return (await http.get('/grain', timeout=5)).text\n",
    "kiln": (
        "    while True:\n"
        "        await asyncio.sleep(5)\n"
        "        brick = (await http.get('/brick', timeout=5)).json()\n"
        "        if brick['state'] == 'fired':\n"
        "            return 'fired'\n"
    ),
}


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("subprocess.run(['fire'], timeout=40)", "may block for up to 40 s in one call"),
        ("time.sleep(20)", "pauses for up to 20 s"),
        ("return 'fired'", "does not wait"),
    ],
)
def test_how_a_tool_waits_in_other_ways(body: str, words: str, tmp_path: Path) -> None:
    (tmp_path / "waitlint.toml").write_text("root = true\n")
    code = NAMESAKE.replace("import asyncio", "import subprocess\nimport time").replace("async def", "def")
    (tmp_path / "server.py").write_text(f"{code}    {body}\n")
    (tool,) = audits.of(tmp_path).tools
    assert tool.waits == words


def test_namesakes_are_judged_apart(tmp_path: Path) -> None:
    (tmp_path / "waitlint.toml").write_text("root = true\n")
    for name, body in BODIES.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "pyproject.toml").write_text(f"[project]\nname = '{name}'\n")
        (tmp_path / name / "server.py").write_text(NAMESAKE + body)
    rows = {tool.path.split("/")[0]: tool.verdicts["C2"].answer for tool in audits.of(tmp_path).tools}
    assert rows == {"mill": Answer.NOT_APPLICABLE, "kiln": Answer.NO}


def test_the_texts_that_tell_to_poll_name_their_tools() -> None:
    found = {(text.path, text.tools, text.every, text.waits) for text in of("sample").texts}
    assert found == {
        ("partner/tools.json", (), None, False),
        ("prompts/assistant.md", ("booking_status",), None, False),
        ("skills/group-trip/SKILL.md", ("await_quote",), 20.0, True),
    }


def test_what_a_poll_costs() -> None:
    polled = Polled("check_build", "tools.py", 1, "told to", every=5.0, cap=90.0, duration=180.0)
    found = cost(polled, Assumptions(steps=20, look=100, before=1000, window=36_000))
    assert (found.looks, found.calls, found.steps_over) == (36, 2, True)
    assert found.added == 3600
    assert found.window_share == pytest.approx(0.1)
    assert found.read_again == sum(1000 + 100 * before for before in range(36))


def test_assumptions_stand_in_for_what_is_not_known() -> None:
    found = cost(Polled("check_build", "tools.py", 1, "told to"), Assumptions(duration=60, every=10, cap=100, steps=6))
    assert (found.looks, found.calls, found.steps_over) == (6, 1, False)


def test_the_configured_duration_is_used(tmp_path: Path) -> None:
    (tmp_path / "waitlint.toml").write_text('root = true\n[typical-duration]\nrender_status = "10 min"\n')
    (tmp_path / "tools.json").write_text(
        '{"tools": [{"name": "render_status", "description": "x", "inputSchema": {}}]}'
    )
    (tmp_path / "CLAUDE.md").write_text("Call `render_status` again every 30 seconds until it says done.\n")
    (polled,) = audits.of(tmp_path).polled
    assert (polled.duration, polled.every) == (600.0, 30.0)
    assert cost(polled, Assumptions()).looks == 20


CAPPED = """\
from openai import OpenAI

client = OpenAI()


def mill(messages: list) -> str:
    for _ in range(8):
        reply = client.chat.completions.create(model="m", messages=messages, tools=TOOLS).choices[0].message
        if not reply.tool_calls:
            return reply.content
        messages += [grind(call) for call in reply.tool_calls]
    raise RuntimeError("eight steps and no flour")
"""
ONE_STEP = """\
import { generateText } from "ai";

export const ask = (prompt: string) => generateText({ model, prompt });
"""


def test_a_single_step_needs_no_floor(tmp_path: Path) -> None:
    (tmp_path / "waitlint.toml").write_text("root = true\n")
    (tmp_path / "package.json").write_text('{"dependencies": {"ai": "5.0.0"}}')
    (tmp_path / "ask.ts").write_text(ONE_STEP)
    (loop,) = audits.of(tmp_path).loops
    assert loop.verdicts["steps"].reason.startswith("1 step (")
    for key in ("time", "floor", "signal"):
        assert loop.verdicts[key].answer is Answer.NOT_APPLICABLE


def budgets(name: str, loop: str) -> dict[str, str]:
    (found,) = [one for one in of(name).loops if one.name == loop]
    return {key: str(verdict.answer) for key, verdict in found.verdicts.items()}


def test_the_budgets_and_the_stop_rule_of_loops() -> None:
    uncapped = budgets("budget/uncapped-loop/bad/raw-clients", "extract")
    assert (uncapped["steps"], uncapped["time"], uncapped["floor"]) == ("no", "no", "no")
    late = budgets("budget/uncapped-loop/good/look-alikes", "until_late")
    assert (late["steps"], late["time"]) == ("unknown", "yes")
    held = budgets("stop/unenforced-floor/good/held", "withheld")
    assert (held["steps"], held["floor"], held["signal"]) == ("yes", "yes", "yes")


def test_a_loop_with_a_cap_on_its_steps_needs_no_floor(tmp_path: Path) -> None:
    (tmp_path / "waitlint.toml").write_text("root = true\n")
    (tmp_path / "agent.py").write_text(CAPPED)
    (loop,) = audits.of(tmp_path).loops
    assert loop.verdicts["steps"].answer is Answer.YES
    assert loop.verdicts["floor"].answer is Answer.NOT_APPLICABLE
    assert loop.verdicts["floor"].reason.endswith("the cap on its steps ends it")


def test_a_silenced_finding_is_still_a_no(tmp_path: Path) -> None:
    (tmp_path / "waitlint.toml").write_text('root = true\nignore = ["tell"]\n')
    code = NAMESAKE.replace("The state.", "Whether the kiln is done.") + BODIES["kiln"]
    (tmp_path / "server.py").write_text(code)
    (tool,) = audits.of(tmp_path).tools
    assert tool.verdicts["C5"].answer is Answer.NO
    assert tool.verdicts["C5"].reason.endswith("which is silenced")


def test_a_page_of_nothing_says_so(tmp_path: Path) -> None:
    (tmp_path / "waitlint.toml").write_text("root = true\n")
    assert headline(figures([audits.of(tmp_path)])).startswith("Nothing was scanned")


def test_the_share_of_unknowns_leaves_out_what_does_not_apply() -> None:
    found = figures([of("sample")])
    assert (found.unknown, found.verdicts) == (6, 18)
    assert headline(found) == (
        "4 of 5 tools break the checklist; 3 sentences tell a model to poll. "
        "33% of the verdicts that apply could not be told."
    )


def test_json_goes_there_and_back() -> None:
    found = audits.made_up(7)
    assert data.parse(data.render(found).encode()) == found


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"version": 1}', '{"version": 2, "repositories": []}', "\xff"])
def test_what_is_no_audit_is_refused(text: str) -> None:
    with pytest.raises(data.BadAudit):
        data.parse(text.encode("latin-1"))


def test_markdown_holds_what_a_comment_needs() -> None:
    text = markdown.render(audit([of("sample")]))
    assert "| `await_quote` `server/wayfarer/server.py:22` | waits without a cap | ✅ yes | ❌ no | n/a |" in text
    assert "36 polls, cap 20: spent" in text
    assert "6 of 18 verdicts that apply could not be told (33%)." in text


# ---------------------------------------------------------------- the command


def test_audit_writes_files_and_says_the_headline(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    arguments = ["audit", str(FIXTURES / "sample"), "--no-cache"]
    code = cli.run([*arguments, "--output", "json=a.json", "--output", "markdown=a.md", "--output", "html=a.html"])
    assert code == 0
    assert capsys.readouterr().out.startswith("4 of 5 tools break the checklist")
    (repository,) = json.loads((tmp_path / "a.json").read_text())["repositories"]
    assert repository["name"] == "sample"
    assert {tool["path"] for tool in repository["tools"]} >= {"chat/tools.ts", "partner/tools.json"}
    assert (tmp_path / "a.html").read_text().startswith("<!DOCTYPE html>")
    assert (tmp_path / "a.md").read_text().startswith("# waitlint audit")


def test_many_repositories_and_merged_audits_are_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    folders = [str(FIXTURES / name) for name in ("sample", "story/python/before", "story/typescript/before")]
    assert cli.run(["audit", *folders, "--no-cache", "--output", "json=all.json"]) == 0
    names = [one["name"] for one in json.loads(Path("all.json").read_text())["repositories"]]
    assert names == ["python/before", "sample", "typescript/before"]
    for name, folder in zip(("sample", "python/before", "typescript/before"), folders, strict=True):
        file = f"{name.replace('/', '-')}.json"
        assert cli.run(["audit", folder, "--no-cache", "--name", name, "--output", f"json={file}"]) == 0
    parts = ["sample.json", "python-before.json", "typescript-before.json"]
    assert cli.run(["audit", "--merge", *parts, "--output", "json=merged.json", "--output", "html=merged.html"]) == 0
    assert Path("merged.json").read_bytes() == Path("all.json").read_bytes()
    assert "Repositories" in Path("merged.html").read_text()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--merge", "missing.json"], "missing.json"),
        (["--merge", "broken.json"], "it is no audit"),
        (["--output", "pdf=x"], "FORMAT=FILE"),
        (["nowhere"], "does not exist"),
        (["--merge"], "--merge takes the JSON of audits"),
        (["--merge", "broken.json", "--name", "x"], "--merge takes the JSON of audits"),
        ([".", "..", "--name", "x"], "--name goes with one path"),
        (["--output", "json=no/such/folder.json"], "no/such/folder.json"),
    ],
)
def test_what_can_not_be_done_is_exit_2(
    arguments: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "waitlint.toml").write_text("root = true\n")
    (tmp_path / "broken.json").write_text("{")
    assert cli.run(["audit", "--no-cache", *arguments]) == 2
    assert message in capsys.readouterr().err
