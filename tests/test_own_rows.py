"""Rows of a configuration: frameworks, waits, reads and sleeps that no table of waitlint's own knows."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from waitlint.config import ConfigError, Configs
from waitlint.linked import Tool
from waitlint.scanning import Request, scan

PYTHON = """
    [[frameworks]]
    id = "deskhand"
    language = "python"
    form = "decorator"
    calls = ["deskhand.task"]
    bare = true
    name = { name = "title" }
    description = { name = "summary" }
    doc = "whole"

    [[sleeps]]
    calls = ["deskhand.timing.nap"]
    seconds = { arg = 0 }
    scale = 0.001

    [[reads]]
    methods = ["fetch"]
    of = ["deskhand.http.Client"]
    timeout = { name = "limit" }
    own = "limit"
    default = "never"

    [[waits]]
    calls = ["deskhand.jobs.wait_for"]
    timeout = { name = "patience", arg = 1 }
    default = 30
"""
SERVER = '''
    from deskhand import task
    from deskhand.http import Client
    from deskhand.jobs import wait_for
    from deskhand.timing import nap

    client = Client(limit=4)


    @task(title="bake", summary="Waits up to 20 s for a loaf.")
    async def bread(loaf: str) -> str:
        for _ in range(10):
            state = await client.fetch(f"/loaves/{loaf}")
            if state == "done":
                break
            await nap(2_000)
        return state


    @task
    def roll(dough: str) -> str:
        """Waits up to 90 s for a roll."""
        return wait_for(dough, patience=90)
'''


def tools(folder: Path, files: dict[str, str]) -> dict[str, Tool]:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(dedent(text), encoding="utf-8")
    scanned = scan(Request(cwd=folder, paths=(folder,), use_cache=False, jobs=1))
    (group,) = scanned.groups
    return {tool.name: tool for tool in group.project.tools}


def test_rows_are_known_like_those_of_the_catalog(tmp_path: Path) -> None:
    found = tools(tmp_path, {"waitlint.toml": f"root = true\n{dedent(PYTHON)}", "server.py": SERVER})
    assert set(found) == {"bake", "roll"}
    (wait,) = found["bake"].waits
    assert (wait.cap.value, wait.pause.value) == (20, 2)
    (read,) = wait.reads
    assert read.timeout.value == 4
    (blocked,) = found["roll"].waits
    assert (blocked.kind, blocked.cap.value) == ("call", 90)


def test_without_them_nothing_is_known(tmp_path: Path) -> None:
    found = tools(tmp_path, {"waitlint.toml": "root = true\n", "server.py": SERVER})
    assert all(not tool.waits for tool in found.values())


def test_what_the_project_defines_itself_is_what_its_row_says(tmp_path: Path) -> None:
    inside = {
        "deskhand/__init__.py": "from .tasks import task\n",
        "deskhand/tasks.py": "def task(f=None, **more):\n    return registry.put(f, more)\n",
        "deskhand/timing.py": "async def nap(ms):\n    await _native.block(ms)\n",
        "deskhand/http.py": "class Client:\n    async def fetch(self, path):\n        return await _native.get(path)\n",
        "deskhand/jobs.py": "def wait_for(job, patience=30):\n    return _native.join(job)\n",
    }
    found = tools(tmp_path, {"waitlint.toml": f"root = true\n{dedent(PYTHON)}", "server.py": SERVER, **inside})
    assert set(found) == {"bake", "roll"}
    assert found["bake"].waits[0].cap.value == 20
    assert found["bake"].waits[0].reads[0].timeout.value == 4
    assert found["roll"].waits[0].cap.value == 90


def test_rows_for_typescript_and_its_own_files(tmp_path: Path) -> None:
    found = tools(
        tmp_path,
        {
            "waitlint.toml": """
                root = true
                [[frameworks]]
                language = "typescript"
                form = "call"
                calls = ["@acme/desk.defineTask"]
                name = { arg = 0, key = "title" }
                description = { arg = 0, key = "summary" }
                body = { arg = 0, key = "work" }
                signals = [{ param = 1, path = "stop" }]

                [[sleeps]]
                calls = ["src/timing.nap"]
                seconds = { arg = 0 }
                signals = { arg = 1 }
            """,
            "src/timing.ts": "export const nap = (s: number, stop: AbortSignal) => native.block(s, stop);\n",
            "src/index.ts": 'export * from "./timing";\n',
            "src/tools.ts": """
                import { defineTask } from "@acme/desk";
                import { nap } from "./index";

                export const bake = defineTask({
                  title: "bake",
                  summary: "Waits up to 20 s for a loaf.",
                  work: async ({ loaf }, { stop }) => {
                    let state = "baking";
                    for (let lap = 0; lap < 10 && state !== "done"; lap++) {
                      state = await (await fetch(`https://acme.example/${loaf}`, { signal: stop })).text();
                      await nap(2, stop);
                    }
                    return state;
                  },
                });
            """,
        },
    )
    (wait,) = found["bake"].waits
    assert (wait.cap.value, found["bake"].offers_stop) == (20, True)
    assert [sleep.stop for sleep in wait.sleeps] == ["arrives"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('[[reads]]\ncall = ["acme.get"]', ["reads: row 1", "'call'", "'calls'"]),
        ('[[reads]]\ncalls = "acme.get"', ["reads: row 1", "`calls`"]),
        ('[[reads]]\nkind = "sleep"\ncalls = ["acme.get"]', ["reads: row 1", "kind is one of read"]),
        ('[[reads]]\nmethods = ["get"]', ["reads: row 1", "`of`"]),
        ('[[reads]]\ncalls = ["acme.get"]\ndefault = "soon"', ["reads: row 1", "default", "'soon'"]),
        ('[[sleeps]]\ncalls = ["acme.nap"]', ["sleeps: row 1", "seconds"]),
        (
            '[[sleeps]]\ncalls = ["acme.nap"]\nseconds = { argument = 0 }',
            ["sleeps: row 1", "seconds", "'argument'", "known are arg, name, key"],
        ),
        ('[[waits]]\nkind = "blok"\ncalls = ["acme.join"]', ["waits: row 1", "'blok'", "'block'"]),
        ("[[frameworks]]\nlanguage = 'python'", ["frameworks: row 1", "form", "decorator"]),
        ('[[frameworks]]\nlanguage = "pyton"\nform = "call"', ["frameworks: row 1", "'pyton'", "'python'"]),
        (
            '[[frameworks]]\nlanguage = "python"\nform = "decorator"\nmethods = ["tool"]',
            ["frameworks: row 1", "`of`", "any-receiver"],
        ),
        (
            '[[frameworks]]\nlanguage = "python"\nform = "call"\ncalls = ["a.b"]\nsignals = [{ parm = 1 }]',
            ["frameworks: row 1", "signals", "'parm'", "'param'"],
        ),
        ("reads = 1", ["reads", "[[reads]]"]),
        ("[floors]\nbasics = 2", ["floors", "'basics'", "'basic'"]),
        ("[floors]\nbasic = 0", ["floors", "'basic'", "1 or more"]),
        ("[floors]\nbasic = true", ["floors", "'basic'"]),
    ],
)
def test_a_wrong_row_names_its_table_its_key_and_the_nearest_right_one(
    tmp_path: Path, text: str, words: list[str]
) -> None:
    (tmp_path / "waitlint.toml").write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        Configs().for_folder(tmp_path)
    for word in (str(tmp_path / "waitlint.toml"), *words):
        assert word in str(caught.value)


def test_floors_that_are_not_named_keep_their_default(tmp_path: Path) -> None:
    (tmp_path / "waitlint.toml").write_text("[floors]\ndeep = 12\n", encoding="utf-8")
    assert Configs().for_folder(tmp_path).settings.floors == {"basic": 3, "standard": 6, "deep": 12}
