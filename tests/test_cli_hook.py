"""A commit is judged with the whole repository in view: what it left behind, and what it deleted."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from waitlint import cli
from waitlint.git import GitFailed, changes_since, staged_deletions

SKILL = """---
name: exports
description: Export a ledger.
---

{words}
"""
POLLING = "Call `export_state` again every 5 seconds until it says done."
WAITING = "Call `export_state` once: it waits for the end of the export."
READS_ONCE = '''
import httpx
from mcp.server.fastmcp import FastMCP

mcp = FastMCP("ledger")


@mcp.tool()
def export_state(export_id: str) -> str:
    """{words}"""
    return httpx.get(f"https://ledger.example/exports/{{export_id}}", timeout=5).json()["state"]
'''
WAITS = '''
import asyncio

import httpx
from mcp.server.fastmcp import FastMCP

mcp = FastMCP("ledger")
http = httpx.AsyncClient(base_url="https://ledger.example", timeout=1)


@mcp.tool()
async def export_state(export_id: str) -> str:
    """Waits up to 20 s for the end of an export. Returns its state, the last one when the time has run out."""
    state = "pending"
    for _ in range(10):
        state = (await http.get(f"/exports/{export_id}")).json()["state"]
        if state in ("done", "failed"):
            break
        await asyncio.sleep(2)
    return state
'''


class Repository:
    """A git repository in a folder, with the hook as pre-commit runs it."""

    def __init__(self, folder: Path, capture: pytest.CaptureFixture[bytes]) -> None:
        self.folder = folder
        self.capture = capture
        self.git("init", "-q", "-b", "main")

    def git(self, *arguments: str) -> str:
        settings = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"]
        done = subprocess.run(["git", *settings, *arguments], cwd=self.folder, check=True, capture_output=True)
        return done.stdout.decode()

    def write(self, path: str, text: str) -> None:
        (self.folder / path).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / path).write_text(text, encoding="utf-8")
        self.git("add", path)

    def commit(self) -> None:
        self.git("commit", "-qm", "x")

    def staged(self) -> list[str]:
        return self.git("diff", "--cached", "--name-only", "--diff-filter=d").split()

    def run(self, *arguments: str) -> tuple[int, set[tuple[str, str]]]:
        self.capture.readouterr()
        code = cli.run([*arguments, "--output-format", "json"])
        out = self.capture.readouterr().out
        findings = json.loads(out)["findings"] if out else []
        return code, {(f["path"], f["rule"]) for f in findings}

    def hook(self, *names: str) -> tuple[int, set[tuple[str, str]]]:
        return self.run("hook", *names)


@pytest.fixture
def repository(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> Repository:
    monkeypatch.chdir(tmp_path)
    for name in list(os.environ):
        if name.startswith(("GIT_", "PRE_COMMIT_")):
            monkeypatch.delenv(name)
    return Repository(tmp_path, capfdbinary)


def test_a_commit_that_makes_a_tool_wait_is_told_of_the_skill_it_left_behind(repository: Repository) -> None:
    repository.write("skills/exports/SKILL.md", SKILL.format(words="Export the ledger of a month."))
    repository.write("server.py", WAITS)
    repository.write("notes.txt", "nothing to see")
    repository.commit()
    repository.write("skills/exports/SKILL.md", SKILL.format(words=POLLING))
    repository.write("server.py", READS_ONCE.format(words="Get the state of an export."))
    repository.commit()
    repository.write("server.py", WAITS)
    left_behind = ("skills/exports/SKILL.md", "tell/prompt-contradicts-tool")
    assert repository.hook("server.py") == (1, {left_behind})
    assert repository.hook("notes.txt") == (0, set())
    repository.write("skills/exports/SKILL.md", SKILL.format(words=WAITING))
    assert repository.hook(*repository.staged()) == (0, set())


def test_split_calls_find_the_same_as_one(repository: Repository) -> None:
    repository.write("skills/exports/SKILL.md", SKILL.format(words=POLLING))
    repository.write("server.py", WAITS)
    for number in range(3):
        repository.write(f"skills/s{number}/SKILL.md", SKILL.format(words=POLLING + " And wait." * number))
    names = repository.staged()
    code, together = repository.hook(*names)
    assert code == 1
    assert together == {finding for name in names for finding in repository.hook(name)[1]}


def test_a_commit_that_only_deletes_is_judged(repository: Repository) -> None:
    """While a sibling waits for the same export, a status tool may read once."""
    repository.write("server.py", READS_ONCE.format(words="Check an export: 'pending', 'done' or 'failed'."))
    repository.write("waiting.py", WAITS.replace("def export_state", "def await_export"))
    repository.write("photo.txt", "nothing")
    repository.write("skills/other/SKILL.md", SKILL.format(words=POLLING.replace("export_state", "print_state")))
    repository.commit()
    repository.git("rm", "-q", "photo.txt")
    assert repository.hook() == (0, set())
    repository.git("rm", "-q", "waiting.py")
    assert repository.hook() == (1, {("server.py", "loop/single-read-status")})
    repository.commit()
    assert repository.hook() == (0, set())
    assert repository.run("check", "--since", "HEAD~1") == (1, {("server.py", "loop/single-read-status")})


def test_deletions_of_a_range(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    repository.write("a.md", "a")
    repository.write("b.md", "b")
    repository.commit()
    first = repository.git("rev-parse", "HEAD").strip()
    repository.git("rm", "-q", "a.md")
    repository.commit()
    monkeypatch.setenv("PRE_COMMIT_FROM_REF", first)
    monkeypatch.setenv("PRE_COMMIT_TO_REF", "HEAD")
    from waitlint.cli.hook import _deletions

    assert _deletions(repository.folder) == {repository.folder / "a.md": b"a"}
    monkeypatch.setenv("PRE_COMMIT_TO_REF", first)
    assert _deletions(repository.folder) == {}


def test_nothing_to_judge_is_fine(repository: Repository) -> None:
    assert repository.hook() == (0, set())


def test_what_no_model_reads_is_passed_over_though_it_is_named(repository: Repository) -> None:
    repository.write("tests/notes.md", POLLING)
    repository.write("README.md", POLLING)
    assert repository.hook(*repository.staged()) == (0, set())


def test_an_unrelated_commit_is_judged_by_the_cache_alone(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.write("CLAUDE.md", "@docs/last.md\n")
    repository.write("docs/last.md", POLLING)
    repository.write("photo.txt", "nothing")
    assert repository.hook("photo.txt") == (0, set())
    from waitlint import scanning

    real = vars(scanning)["read_files"]
    monkeypatch.setattr(scanning, "read_files", lambda *arguments, **options: pytest.fail("files are read"))
    assert repository.hook("photo.txt") == (0, set())
    monkeypatch.setattr(scanning, "read_files", real)
    assert repository.hook("docs/last.md") == (1, {("docs/last.md", "loop/keep-calling")})


def test_a_root_below_that_is_passed_over_is_passed_over_though_it_is_named(repository: Repository) -> None:
    repository.write("fixtures/one/waitlint.toml", "root = true\n")
    repository.write("fixtures/one/SKILL.md", SKILL.format(words=POLLING))
    repository.write("parts/two/waitlint.toml", "root = true\n")
    repository.write("parts/two/SKILL.md", SKILL.format(words=POLLING))
    assert repository.hook(*repository.staged()) == (1, {("parts/two/SKILL.md", "loop/keep-calling")})


def test_a_commit_of_a_shorter_timeout_is_told_of_the_wait_that_it_cuts(repository: Repository) -> None:
    repository.write("server.py", WAITS)
    repository.write("Procfile", "web: gunicorn --timeout 60 server:app\n")
    repository.commit()
    cut = (1, {("server.py", "cap/over-idle-timeout")})
    assert repository.hook("Procfile") == (0, set())
    repository.write("Procfile", "web: gunicorn --timeout 15 server:app\n")
    assert repository.hook("Procfile") == cut
    repository.git("rm", "-qf", "Procfile")
    assert repository.hook() == (0, set())
    repository.write("gunicorn.conf.py", "timeout = 10\n")
    assert repository.hook("gunicorn.conf.py") == cut


def test_a_commit_that_deletes_a_longer_timeout_is_told_of_the_wait_that_it_had_allowed(
    repository: Repository,
) -> None:
    repository.write("server.py", WAITS)
    repository.write("Procfile", "web: gunicorn --timeout 15 server:app\n")
    repository.write("service/Procfile", "web: gunicorn --timeout 60 server:app\n")
    repository.commit()
    assert repository.hook("service/Procfile") == (0, set())
    repository.git("rm", "-q", "service/Procfile")
    assert repository.hook() == (1, {("server.py", "cap/over-idle-timeout")})


def test_since_a_revision(repository: Repository) -> None:
    repository.write("skills/old/SKILL.md", SKILL.format(words=POLLING))
    repository.commit()
    repository.write("skills/staged/SKILL.md", SKILL.format(words=POLLING + " Then stop."))
    (repository.folder / "skills/new").mkdir()
    (repository.folder / "skills/new/SKILL.md").write_text(SKILL.format(words=POLLING + " Then go on."))
    paths = {path for path, _ in repository.run("check", "--since", "HEAD")[1]}
    assert paths == {"skills/staged/SKILL.md", "skills/new/SKILL.md"}
    assert {path for path, _ in repository.run("check", "--since", "HEAD", "skills/new")[1]} == {"skills/new/SKILL.md"}
    assert repository.run("check", "--since", "HEAD", "skills/old") == (0, set())
    for wrong in ("nonsense", "--help", "-x"):
        assert repository.run("check", f"--since={wrong}")[0] == 2


def test_what_git_knows_of_changes(repository: Repository) -> None:
    for name in ("kept", "changed", "gone", "moved name"):
        repository.write(name, name)
    repository.commit()
    base = repository.git("rev-parse", "HEAD").strip()
    repository.git("checkout", "-qb", "side")
    repository.write("changed", "x")
    repository.git("rm", "-q", "gone")
    repository.git("mv", "moved name", "ünicode")
    repository.commit()
    (repository.folder / "untracked").write_text("")
    folder = repository.folder
    found = changes_since(folder, base)
    assert set(found.changed) == {folder / name for name in ("changed", "ünicode", "untracked")}
    assert found.deleted == {folder / "gone": b"gone", folder / "moved name": b"moved name"}
    assert staged_deletions(folder) == {}
    repository.git("rm", "-q", "kept")
    assert staged_deletions(folder) == {folder / "kept": b"kept"}


def test_outside_of_a_repository_git_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    with pytest.raises(GitFailed):
        staged_deletions(tmp_path)


def test_pre_commit_runs_the_hook(repository: Repository) -> None:
    """The real pre-commit, with this very environment as the hook's."""
    pytest.importorskip("pre_commit")
    config = f"""
repos:
- repo: local
  hooks:
  - id: waitlint
    name: waitlint
    entry: {sys.executable} -m waitlint hook
    language: system
    always_run: true
    require_serial: true
"""
    repository.write(".pre-commit-config.yaml", config)
    repository.write("skills/exports/SKILL.md", SKILL.format(words="Export the ledger of a month."))
    repository.write("server.py", WAITS)
    command = [sys.executable, "-m", "pre_commit", "run"]
    environment = os.environ | {"PRE_COMMIT_HOME": str(repository.folder / ".git/pre-commit")}
    clean = subprocess.run(command, cwd=repository.folder, capture_output=True, text=True, env=environment, check=False)
    assert clean.returncode == 0, clean.stdout + clean.stderr
    repository.write("skills/exports/SKILL.md", SKILL.format(words=POLLING))
    bad = subprocess.run(command, cwd=repository.folder, capture_output=True, text=True, env=environment, check=False)
    assert bad.returncode == 1
    assert "tell/prompt-contradicts-tool" in bad.stdout
