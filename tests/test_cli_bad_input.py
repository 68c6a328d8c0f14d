"""Whatever lies in a repository, a run ends, and says of each file that it was read or why it was not."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from waitlint.linter import Demand, lint
from waitlint.report import Report
from waitlint.reporting import report
from waitlint.scanning import Request, scan

DEEP = 20_000
NESTED: dict[str, Callable[[int], str]] = {
    "a.py": lambda depth: "x = " + "(" * depth + "1" + ")" * depth,
    "b.py": lambda depth: "".join(f"{' ' * level}if x:\n" for level in range(min(depth, 1500))) + " " * 1500 + "pass\n",
    "c.py": lambda depth: "x = " + "not " * depth + "1\n",
    "d.py": lambda depth: "x = 1" + " + 1" * depth + "\n",
    "e.py": lambda depth: "f" + "()" * depth + "\n",
    "f.ts": lambda depth: "const x = " + "[" * depth + "]" * depth,
    "g.ts": lambda depth: "if (x) {" * depth + "}" * depth,
    "h.tsx": lambda depth: "const x = " + "<a>" * depth + "</a>" * depth,
    "i.ts": lambda depth: "f" + "(x => x" * depth + ")" * depth,
    "tools.json": lambda depth: '{"tools": ' + "[" * depth + "]" * depth + "}",
    "j.yaml": lambda depth: "name: x\ntools: " + "[" * depth + "]" * depth + "\n",
    "k.yaml": lambda depth: "tools:\n" + "".join(f"{'  ' * level}- a:\n" for level in range(1, 1000)),
    "l.toml": lambda depth: "tools = " + "[" * depth + "]" * depth + "\n",
    "AGENTS.md": lambda depth: "> " * depth + "call get_status again until it is done\n",
    "CLAUDE.md": lambda depth: "*" * depth + "call it" + "*" * depth + "[" * depth + "\n",
}
BROKEN = {
    "a.py": "def f(:\n    return (\n",
    "b.ts": "export const t = tool({ description: `${`, execute: async (",
    "tools.json": '{"tools": [{"name": "x", "description": "Keep calling',
    "c.yaml": "tools:\n  - name: [x\n\t- b: : :\n",
    "d.toml": "[tools\nname = ",
    "SKILL.md": "---\nname: x\n description: [\n",
    "e.ipynb": '{"cells": [{"cell_type": "code", "source": [1, null]}]}',
    "f.yaml": "a: &a [*a, *b]\nb: !!python/object/apply:os.system ['true']\n",
    "bomb.yaml": "a: &a [x, x, x, x, x, x, x, x, x]\n"
    + "".join(f"{chr(98 + n)}: &{chr(98 + n)} [{', '.join([f'*{chr(97 + n)}'] * 9)}]\n" for n in range(9)),
    "empty.py": "",
    "space.ts": "\n\n\t\n",
    "null.json": "null",
}


def run(folder: Path) -> Report:
    scanned = scan(Request(cwd=folder, paths=(folder,), use_cache=False, jobs=1))
    return report(scanned, lint(scanned, Demand(pedantic=True)))


def root(folder: Path) -> Path:
    (folder / "waitlint.toml").write_text("root = true\n")
    return folder


def named(folder: Path, *files: Path) -> Report:
    """A run on files by name, so that each of them is read or skipped with a reason."""
    scanned = scan(Request(cwd=folder, paths=files, use_cache=False, jobs=1))
    return report(scanned, lint(scanned, Demand(pedantic=True)))


@pytest.mark.parametrize("name", NESTED)
def test_deep_nesting_is_read_or_skipped(tmp_path: Path, name: str) -> None:
    path = root(tmp_path) / name
    path.write_text(NESTED[name](DEEP))
    found = named(tmp_path, path)
    assert found.errors == ()
    assert found.summary.files + len(found.summary.skipped) == 1


@pytest.mark.parametrize("name", BROKEN)
def test_broken_files_are_read_or_skipped(tmp_path: Path, name: str) -> None:
    path = root(tmp_path) / name
    path.write_text(BROKEN[name])
    found = named(tmp_path, path)
    assert found.errors == ()
    assert found.summary.files + len(found.summary.skipped) == 1


def test_links_in_a_circle_end(tmp_path: Path) -> None:
    folder = root(tmp_path) / "skills/one"
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text("Call `get_status` again until it is done.\n")
    (folder / "again").symlink_to(folder)
    (folder / "top").symlink_to(tmp_path)
    (folder / "self").symlink_to(folder / "self")
    (folder / "lost.md").symlink_to(folder / "nowhere.md")
    (tmp_path / "CLAUDE.md").symlink_to(tmp_path / "AGENTS.md")
    (tmp_path / "AGENTS.md").symlink_to(tmp_path / "CLAUDE.md")
    found = run(tmp_path)
    assert found.errors == ()
    assert found.summary.files == 1


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(root(tmp_path) / "AGENTS.md")
    found = named(tmp_path, tmp_path / "AGENTS.md")
    assert [skipped.path for skipped in found.summary.skipped] == ["AGENTS.md"]


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_newlines_and_byte_order_marks_move_nothing(tmp_path: Path, newline: str, mark: str) -> None:
    lines = ["# Job", "", "\tSome words.", "", "Call `get_status` again every 5 seconds until it says done."]
    (root(tmp_path) / "AGENTS.md").write_bytes((mark + newline.join(lines)).encode())
    found = run(tmp_path)
    assert [(f.rule, f.spot.line, f.spot.column) for f in found.findings] == [("loop/keep-calling", 5, 1)]


def test_names_that_are_no_utf8_are_shown(tmp_path: Path) -> None:
    folder = os.fsencode(root(tmp_path)) + b"/skills/caf\xe9"
    os.makedirs(folder)
    with open(folder + b"/SKILL.md", "w") as file:
        file.write("Call `get_status` again every 5 seconds until it says done.\n")
    found = run(tmp_path)
    from waitlint import output

    assert found.summary.files == 1
    for name in output.FORMATS:
        output.render(found, name).encode()
    assert json.loads(output.render(found, "json"))["findings"][0]["path"] == "skills/caf\ufffd/SKILL.md"


@pytest.mark.parametrize("seed", range(20))
def test_rubbish_made_of_real_files_ends(tmp_path: Path, seed: int) -> None:
    """Pieces of the fixtures, cut and joined at random."""
    chance = random.Random(seed)
    fixtures = Path(__file__).parent.parent / "fixtures"
    suffixes = (".py", ".ts", ".md", ".json", ".yaml")
    sources = sorted(path for path in fixtures.rglob("*") if path.suffix in suffixes)
    root(tmp_path)
    for number in range(8):
        first, second = chance.choice(sources), chance.choice(sources)
        text = first.read_text(encoding="utf-8"), second.read_text(encoding="utf-8")
        cut = chance.randrange(len(text[0]) + 1), chance.randrange(len(text[1]) + 1)
        (tmp_path / f"tools{number}{first.suffix}").write_text(text[0][: cut[0]] + text[1][cut[1] :], encoding="utf-8")
    assert run(tmp_path).errors == ()
