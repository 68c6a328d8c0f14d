"""Each command of the README does what it says: they are run, in their order, on a small repository."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import readme
from harness import FIXTURES
from serving import SERVERS, serving
from waitlint import cli

TEXT = readme.README.read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```sh\n(.*?)^```", TEXT, re.DOTALL | re.MULTILINE)
LINES = [line for block in BLOCKS for line in block.splitlines() if line.startswith("waitlint ")]
# What a command leaves behind, by the README.
MADE = re.compile(r"(?:html|json|markdown)=(\S+)")


def git(folder: Path, *arguments: str) -> None:
    name = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main"]
    subprocess.run(["git", *name, *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A git repository on a branch beside `main`, with the neighbours that the README speaks of."""
    above = tmp_path_factory.mktemp("work")
    for name in ("desk", "booking", "billing"):
        shutil.copytree(FIXTURES / "sample", above / name)
    desk = above / "desk"
    (desk / "path" / "to").mkdir(parents=True)
    (desk / "path" / "to" / "file").write_text("")
    (desk / "audits").mkdir()
    git(desk, "init")
    git(desk, "add", "--all")
    git(desk, "commit", "--message", "The desk as it is")
    git(desk, "checkout", "-b", "change")
    shutil.copy(SERVERS, desk / "server.py")
    return desk


def words(line: str, folder: Path) -> Iterator[str]:
    """The words of a command line, as a shell hands them on."""
    for word in shlex.split(line, comments=True):
        matches = sorted(path.relative_to(folder).as_posix() for path in folder.glob(word)) if "*" in word else []
        yield from matches or [word]


def test_there_are_commands() -> None:
    assert len(LINES) > 10


def test_every_command_runs(desk: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("mcp")
    monkeypatch.chdir(desk)
    with serving() as url:
        for line in LINES:
            _, *arguments = words(line.replace("http://localhost:8000/mcp", url), desk)
            stand_in = shlex.join([sys.executable, "server.py", "harbour"])
            code = cli.run([stand_in if argument == "python server.py" else argument for argument in arguments])
            out, err = capfd.readouterr()
            assert code in (0, 1), f"{line}\n{out}{err}"
            assert "Traceback" not in err, line
            for file in MADE.findall(line.split("#")[0]):
                assert (desk / file).stat().st_size > 500, line
