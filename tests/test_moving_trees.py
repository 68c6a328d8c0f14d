"""A tree that changes while it is read, one that nothing can be written to, and two runs in the same tree at once."""

from __future__ import annotations

import errno
import os
import random
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from waitlint.cli import run

RUNS = 3
LONGEST = 120.0
SKILL = "---\nname: kiln\n---\n\nKeep calling `get_state` until the kiln is hot.\n"
SERVER = '''import time

from mcp.server.fastmcp import FastMCP

mcp = FastMCP("kilns")


@mcp.tool()
def heat_{number}(kiln: str) -> str:
    """Heat a kiln. If it is still cold when this comes back, tell the user so."""
    for _ in range(10):
        state = open(kiln).read()
        if state == "hot":
            return state
        time.sleep(5)
    return state
'''


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "waitlint.toml").write_text("root = true\n")
    for number in range(6):
        (folder / f"server_{number}.py").write_text(SERVER.format(number=number))
        skill = folder / "skills" / f"kiln-{number}" / "SKILL.md"
        skill.parent.mkdir(parents=True)
        skill.write_text(SKILL)
    return folder


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "waitlint", "check", "--output-format", "concise", *arguments]


@contextmanager
def always_moving(folder: Path) -> Iterator[None]:
    """Files are rewritten, cut short, renamed and deleted, and come back, for as long as this lasts."""
    chance, over = random.Random(3), threading.Event()
    contents = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file() and path.suffix != ".toml"}

    def move() -> None:
        while not over.is_set():
            path = chance.choice(list(contents))
            data = contents[path]
            with suppress(OSError):
                match chance.randrange(5):
                    case 0:
                        path.unlink()
                    case 1:
                        path.rename(path.with_name(f"other_{path.name}"))
                    case 2:
                        path.write_bytes(data[: chance.randrange(len(data))])
                    case 3:
                        path.unlink()
                        path.mkdir()
                        path.rmdir()
                    case _:
                        path.write_bytes(data)

    thread = threading.Thread(target=move)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def test_files_that_change_or_vanish_while_they_are_read_end_no_run(project: Path) -> None:
    with always_moving(project):
        for _ in range(RUNS):
            done = subprocess.run(command(), cwd=project, capture_output=True, text=True, timeout=LONGEST)
            assert done.returncode in (0, 1), done.stderr
            assert "internal error" not in done.stderr
            assert "Traceback" not in done.stderr


def test_fixing_what_changes_meanwhile_writes_all_or_nothing(project: Path) -> None:
    known = {path.name: path.read_text() for path in project.glob("server_*.py")}
    subprocess.run(command("--fix", "--no-cache"), cwd=project, capture_output=True, check=False, timeout=LONGEST)
    fixed = {path.name: path.read_text() for path in project.glob("server_*.py")}
    assert fixed != known
    with always_moving(project):
        for _ in range(RUNS):
            done = subprocess.run(command("--fix"), cwd=project, capture_output=True, text=True, timeout=LONGEST)
            assert "Traceback" not in done.stderr
            assert done.returncode in (0, 1) or "nothing was written" in done.stderr, done.stderr
    leftover = [path.name for path in project.rglob(".*") if path.is_file() and path.parent.name != ".waitlint_cache"]
    assert leftover == []


def test_a_tree_that_is_read_only_is_read_and_nothing_in_it_changes(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What a mount without the right to write answers, whoever asks: permissions would not stop the superuser."""

    def refused(*arguments: Any, **options: Any) -> Any:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    before = {path: path.read_bytes() for path in project.rglob("*") if path.is_file()}
    monkeypatch.chdir(project)
    monkeypatch.setattr(tempfile, "mkstemp", refused)
    monkeypatch.setattr(Path, "mkdir", refused)
    monkeypatch.setattr(os, "makedirs", refused)
    assert run(["check", "--output-format", "concise", "--jobs", "1"]) == 1
    assert "tell/silent-wait" in capsys.readouterr().out
    assert run(["check", "--fix", "--unsafe-fixes", "--jobs", "1"]) == 2
    said = capsys.readouterr().err
    assert "Read-only file system" in said
    assert "nothing was written" in said
    assert {path: path.read_bytes() for path in project.rglob("*") if path.is_file()} == before


def test_two_runs_at_once_say_what_one_says(project: Path) -> None:
    expected = subprocess.run(command("--no-cache"), cwd=project, capture_output=True, check=False, timeout=LONGEST)
    for _ in range(2):
        started = [subprocess.Popen(command(), cwd=project, stdout=subprocess.PIPE) for _ in range(3)]
        assert [process.communicate(timeout=LONGEST)[0] for process in started] == [expected.stdout] * 3
