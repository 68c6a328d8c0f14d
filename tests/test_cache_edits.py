"""After any edits, renames, moves and deletions, a run with the cache says what a run without it says."""

from __future__ import annotations

import os
import random
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from waitlint.interpret.machine import Machine
from waitlint.interpret.runs import Run
from waitlint.interpret.values import FunctionRef
from waitlint.linter import Demand, lint
from waitlint.output import render
from waitlint.project.effects import Effects
from waitlint.project.wholes import Wholes
from waitlint.reporting import report
from waitlint.scanning import Request, scan

# More by hand: WAITLINT_EDITS=500 pytest tests/test_cache_edits.py
STEPS = int(os.environ.get("WAITLINT_EDITS", "24"))
FILES = {
    "waitlint.toml": "root = true\n",
    "pyproject.toml": '[project]\nname = "kilns"\nversion = "1.0.0"\ndependencies = ["openai>=1.2,<2"]\n',
    "package.json": '{"name": "kilns", "version": "2.1.0", "dependencies": {"@modelcontextprotocol/sdk": "^1.12.0"}}\n',
    "tsconfig.json": '{"compilerOptions": {"baseUrl": ".", "paths": {"@lib/*": ["lib/*"]}}}\n',
    "server.py": """
        import time
        from pathlib import Path

        import requests
        from mcp.server.fastmcp import FastMCP

        from waiting import until_hot

        WORDS = Path(__file__).parent / "prompts" / "heat.md"
        mcp = FastMCP("kilns", instructions=WORDS.read_text())

        @mcp.tool(description=(Path(__file__).parent / "prompts" / "cool.md").read_text())
        def cool(kiln: str) -> str:
            while True:
                if requests.get(f"https://kiln.test/{kiln}", timeout=5).json()["state"] == "cold":
                    return "cold"
                time.sleep(2)

        @mcp.tool()
        def heat(kiln: str, timeout: int = 300) -> str:
            \"\"\"Start to heat a kiln. Returns at once.\"\"\"
            return until_hot(kiln, timeout)
    """,
    "waiting.py": """
        import time
        import requests

        def until_hot(kiln, timeout):
            deadline = time.monotonic() + timeout
            while time.monotonic() < deadline:
                if requests.get(f"https://kiln.test/{kiln}").json()["state"] == "hot":
                    return "hot"
                time.sleep(5)
            raise TimeoutError(kiln)
    """,
    "agent.py": """
        from openai import OpenAI

        client = OpenAI()

        def answer(messages):
            while True:
                reply = client.chat.completions.create(model="m", messages=messages)
                if not reply.choices[0].message.tool_calls:
                    return reply
                messages.append(reply)
    """,
    "lib/wait.ts": """
        export async function untilFired(id: string, signal?: AbortSignal) {
          for (let lap = 0; lap < 90; lap++) {
            const state = await (await fetch(`https://kiln.test/${id}`)).json();
            if (state.done) return state;
            await new Promise((resolve) => setTimeout(resolve, 4000));
          }
          return null;
        }
    """,
    "tools.ts": """
        import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
        import { z } from "zod";
        import { untilFired } from "@lib/wait";

        const server = new McpServer({ name: "kilns", version: "1.0.0" });

        server.tool("fire", "Fires a kiln.", { id: z.string() }, async ({ id }, { signal }) => {
          const state = await untilFired(id, signal);
          return { content: [{ type: "text", text: JSON.stringify(state) }] };
        });
    """,
    "prompts/heat.md": "Keep calling `cool` until the kiln is cold.\n",
    "prompts/cool.md": "Cools a kiln. It starts the cooling and returns at once.\n",
    "skills/kilns/SKILL.md": "---\nname: kilns\n---\n\nCall `heat` again every 30 seconds until it is hot.\n",
    "CLAUDE.md": "Read @docs/kilns.md first. Poll `fire` until it is done.\n",
    "docs/kilns.md": "Keep calling `cool` until it says cold.\n",
    "data/tools.json": '{"tools": [{"name": "look", "description": "Call it again and again until ready.", '
    '"inputSchema": {"type": "object"}}]}\n',
}
CHANGES = (
    *(("300", "45"), ("45", "300"), ("sleep(5)", "sleep(50)"), ("sleep(50)", "sleep(5)"), ("4000", "400")),
    *(("hot", "warm"), ("warm", "hot"), ("cool", "chill"), ("chill", "cool"), ("until", "till"), ("till", "until")),
    *(("while True", "for _ in range(10)"), ("for _ in range(10)", "while True"), ("lap < 90", "lap < 9")),
    *(("lib/", "other/"), ("other/", "lib/"), ("kilns.md", "ovens.md"), ("heat.md", "cool.md")),
    *(("^1.12.0", "^0.6.0"), (">=1.2,<2", ">=0.9,<1"), ("from waiting", "from wait_for")),
    ("Returns at once", "Waits until the kiln is hot"),
)
FURTHER = {
    "waiting/__init__.py": "def until_hot(kiln, timeout):\n    return 'hot'\n",
    "other/wait.ts": "export async function untilFired(id: string) {\n  return fetch(`https://kiln.test/${id}`);\n}\n",
    "docs/ovens.md": "Sleep 60 seconds, then call `heat` again until it is hot.\n",
    "prompts/package.json": '{"name": "@lib/wait"}\n',
    "uv.lock": '[[package]]\nname = "openai"\nversion = "0.9.1"\n',
    "lib/waitlint.toml": "root = true\n",
    "mine/waitlint.toml": '[[reads]]\ncalls = ["requests.get"]\ndefault = 7\n',
    "skills/copy/SKILL.md": FILES["skills/kilns/SKILL.md"],
}


def write(folder: Path) -> None:
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(dedent(text))


def files_of(folder: Path) -> list[Path]:
    kept = {"waitlint.toml"}
    return sorted(path for path in folder.rglob("*") if path.is_file() and path.name not in kept)


def edit(folder: Path, chance: random.Random) -> str:
    """Do one thing to the files, and say what."""
    path = chance.choice(files_of(folder))
    other = path.with_name(chance.choice(["one", "two"]) + path.suffix)
    what: dict[str, Callable[[], object]] = {
        "delete": path.unlink,
        "rename": lambda: path.rename(other),
        "copy": lambda: other.write_bytes(path.read_bytes()),
        "move": lambda: path.rename(folder / path.name),
        "break": lambda: path.write_bytes(path.read_bytes()[: chance.randrange(1 + path.stat().st_size)]),
        "add": lambda: add(folder, chance.choice(sorted(FURTHER))),
        "restore": lambda: write(folder),
    }
    chosen = chance.choice(["change"] * 8 + ["rename", "delete", "copy", "move", "break", "add", "add", "restore"])
    if chosen == "change":
        text = path.read_text(errors="replace")
        fitting = [pair for pair in CHANGES if pair[0] in text]
        if fitting:
            path.write_text(text.replace(*chance.choice(fitting)))
    else:
        what[chosen]()
    return f"{chosen} {path.relative_to(folder)}"


def add(folder: Path, name: str) -> None:
    path = folder / name
    if path.parent.is_file() or path.is_dir():
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(FURTHER[name])


def said(folder: Path, cache: Path | None) -> str:
    request = Request(cwd=folder, paths=(folder,), use_cache=cache is not None, cache_folder=cache, jobs=1)
    scanned = scan(request)
    return render(report(scanned, lint(scanned, Demand(pedantic=True))), "json")


@pytest.mark.parametrize("seed", range(3))
def test_a_run_with_the_cache_says_what_one_without_it_says(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    folder, cache = tmp_path / "project", tmp_path / "cache"
    write(folder)
    done: list[str] = []
    for _ in range(STEPS):
        expected = said(folder, None)
        assert said(folder, cache) == expected, done
        assert said(folder, cache) == expected, ("a second time", done)
        done.append(edit(folder, chance))


SOURCES = frozenset({".py", ".ts", ".js", ".md", ".json", ".toml", ".yaml", ".yml"})
NUMBER = re.compile(r"(?<![\w.])\d+(?![\w.])")
NAME = re.compile(r"(?<![\w.])[a-z]\w{4,}(?= ?\()")


def edit_real(folder: Path, chance: random.Random) -> str:
    """Do one thing to the files of a repository, and say what."""
    paths = sorted(path for path in folder.rglob("*") if path.suffix in SOURCES and ".git" not in path.parts)
    path = chance.choice(paths)
    other = path.with_name(f"{chance.choice(['one', 'two'])}{path.suffix}")
    chosen = chance.choice(
        ["number"] * 4 + ["name"] * 3 + ["cut", "rename", "copy", "move", "delete", "restore", "restore"]
    )
    text = path.read_bytes().decode(errors="replace")
    found = list({"number": NUMBER, "name": NAME}.get(chosen, NUMBER).finditer(text))
    if chosen in ("number", "name") and found:
        at = chance.choice(found)
        new = str(chance.choice([1, 45, 300, 4000])) if chosen == "number" else chance.choice(found).group(0)
        path.write_text(text[: at.start()] + new + text[at.end() :])
    elif chosen == "cut":
        path.write_text(text[: chance.randrange(1 + len(text))])
    elif chosen == "copy":
        other.write_text(text)
    elif chosen in ("rename", "move"):
        path.rename(other if chosen == "rename" else folder / path.name)
    elif chosen == "delete":
        path.unlink()
    elif chosen == "restore":
        subprocess.run(["git", "checkout", "-q", "--", "."], cwd=folder, check=True)
    return f"{chosen} {path.relative_to(folder)}"


@pytest.mark.skipif("WAITLINT_REPOSITORY" not in os.environ, reason="by hand: the folder of a git repository")
def test_a_real_repository_says_with_the_cache_what_it_says_without(tmp_path: Path) -> None:
    chance = random.Random(5)
    folder, cache = tmp_path / "project", tmp_path / "cache"
    subprocess.run(["git", "clone", "-q", os.environ["WAITLINT_REPOSITORY"], folder], check=True)
    done: list[str] = []
    for _ in range(STEPS):
        assert said(folder, cache) == said(folder, None), done
        done.append(edit_real(folder, chance))


def test_a_change_of_words_alone_links_no_code_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, cache = tmp_path / "project", tmp_path / "cache"
    write(folder)
    said(folder, cache)
    runs: list[str] = []
    run_tool = Machine.run_tool

    def run(machine: Machine, ref: FunctionRef, *given: Any, **named: Any) -> Run:
        runs.append(ref.path)
        return run_tool(machine, ref, *given, **named)

    monkeypatch.setattr(Machine, "run_tool", run)
    skill = folder / "skills/kilns/SKILL.md"
    skill.write_text(skill.read_text().replace("30 seconds", "90 seconds"))
    assert "loop/keep-calling" in said(folder, cache)
    assert not runs
    (folder / "prompts/cool.md").write_text("Cools a kiln and waits until it is cold.\n")
    said(folder, cache)
    assert runs


READER = '''
from pathlib import Path

import httpx
from fastmcp import FastMCP

mcp = FastMCP("pages")


@mcp.tool(annotations={"readOnlyHint": True})
def note_state(note: str) -> str:
    """The state of a note."""
    return httpx.put(f"https://notes.test/{note}/seen", timeout=10).text


@mcp.tool()
def show_page(name: str) -> str:
    """A page of the handbook."""
    return (Path("/srv/handbook") / name).read_text(encoding="utf-8")
'''


def test_what_rules_ask_of_tools_is_kept_with_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, cache = tmp_path / "project", tmp_path / "cache"
    write(folder)
    (folder / "reader.py").write_text(READER)
    before = said(folder, cache)
    assert "budget/not-read-only" in before
    assert "budget/unbounded-output" in before

    def never(*_: object) -> None:
        raise AssertionError("the code was looked at again")

    for name in ("said_to_read", "writes"):
        monkeypatch.setattr(Effects, name, never)
    monkeypatch.setattr(Wholes, "of", never)
    skill = folder / "skills/kilns/SKILL.md"
    skill.write_text(skill.read_text() + "\nAsk a colleague where in doubt.\n")
    assert said(folder, cache) == before
