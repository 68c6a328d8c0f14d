"""Stopped at any time, waitlint leaves whole files behind, and the next run finds nothing amiss."""

from __future__ import annotations

import os
import random
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from waitlint.cache import FILE

# More by hand: WAITLINT_KILLS=200 pytest tests/test_interrupted.py
KILLS = int(os.environ.get("WAITLINT_KILLS", "3"))
SERVERS = 5
LONGEST = 120.0
SERVER = """import time

import requests
from mcp.server.fastmcp import FastMCP

mcp = FastMCP("jobs")


@mcp.tool()
def state_{number}(job: str) -> str:
    \"\"\"Give the state of a job. If it is still running when this comes back, tell the user so and end the turn.\"\"\"
    for _ in range(10):
        state = requests.get(f"https://jobs.test/{{job}}", timeout=5).json()["state"]
        if state == "done":
            return state
        time.sleep(5)
    return state
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Several servers, each with a finding that can be mended."""
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "waitlint.toml").write_text("root = true\n")
    for number in range(SERVERS):
        server(folder, number).write_text(content(number))
    return folder


def server(project: Path, number: int) -> Path:
    return project / f"server_{number}.py"


def content(number: int) -> str:
    return SERVER.format(number=number)


@contextmanager
def started(project: Path, arguments: Sequence[str]) -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-m", "waitlint", "check", *arguments]
    nowhere = subprocess.DEVNULL
    process = subprocess.Popen(command, cwd=project, stdout=nowhere, stderr=nowhere, preexec_fn=_heed_interrupts)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def _heed_interrupts() -> None:
    """What is started in the background of a shell ignores interrupts, and so would all that it starts."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def check(project: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "waitlint", "check", *arguments]
    return subprocess.run(command, cwd=project, capture_output=True, text=True, timeout=LONGEST)


def servers(project: Path) -> list[str]:
    return [server(project, number).read_text() for number in range(SERVERS)]


def length_of_a_run(project: Path, *arguments: str) -> float:
    start = time.monotonic()
    check(project, *arguments)
    return time.monotonic() - start


def test_a_run_that_is_killed_while_it_fixes_leaves_each_file_old_or_new(project: Path) -> None:
    arguments = ("--fix", "--no-cache")
    whole = length_of_a_run(project, *arguments)
    new = servers(project)
    assert all("Waits up to 50 s" in text for text in new)
    chance = random.Random(7)
    for _ in range(KILLS):
        for number in range(SERVERS):
            server(project, number).write_text(content(number))
        with started(project, arguments) as process:
            time.sleep(chance.uniform(0.5, 1.0) * whole)
            process.kill()
        for number, text in enumerate(servers(project)):
            assert text in (content(number), new[number])
    assert check(project, *arguments).returncode != 2
    assert servers(project) == new


def test_a_run_that_is_killed_while_it_keeps_facts_is_no_trouble_to_the_next(project: Path) -> None:
    expected = check(project, "--no-cache", "--output-format", "json").stdout
    whole = length_of_a_run(project, "--no-cache")
    chance = random.Random(8)
    for _ in range(KILLS):
        with started(project, ()) as process:
            time.sleep(chance.uniform(0.3, 1.0) * whole)
            process.kill()
        if chance.random() < 0.3:
            for path in project.glob(".waitlint_cache/*"):
                path.unlink()
    assert check(project, "--output-format", "json").stdout == expected
    assert check(project, "--output-format", "json").stdout == expected


def test_an_interrupt_ends_a_run_at_once_with_130(project: Path) -> None:
    codes = []
    for attempt in range(8):
        with started(project, ("--cache-dir", f"{project}-{attempt}")) as process:
            while not Path(f"{project}-{attempt}", FILE).exists() and process.poll() is None:
                time.sleep(0.005)
            process.send_signal(signal.SIGINT)
            sent = time.monotonic()
            codes.append(process.wait(LONGEST))
            assert time.monotonic() - sent < LONGEST / 2
        if 130 in codes:
            break
    assert 130 in codes
    assert servers(project) == [content(number) for number in range(SERVERS)]


def test_a_full_disk_while_fixing_loses_no_file(project: Path) -> None:
    """A limit on the size of files stands in for the disk: the system refuses to write beyond it."""
    long = server(project, 0)
    long.write_text(content(0) + "# All about kilns.\n" * 1200)
    before = servers(project)

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))

    command = [sys.executable, "-m", "waitlint", "check", "--fix", "--no-cache"]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True, timeout=LONGEST, preexec_fn=limited)
    assert done.returncode == 2
    assert "server_0.py" in done.stderr
    assert servers(project) == before
    names = {"waitlint.toml", *(server(project, number).name for number in range(SERVERS))}
    assert {path.name for path in project.iterdir()} == names


def test_a_cache_that_finds_no_room_is_none(project: Path) -> None:
    expected = check(project, "--no-cache", "--output-format", "json").stdout

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (6_000, 6_000))

    command = [sys.executable, "-m", "waitlint", "check", "--output-format", "json"]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True, timeout=LONGEST, preexec_fn=limited)
    assert done.stdout == expected
    assert done.returncode == 1
