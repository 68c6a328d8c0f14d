"""`waitlint diff`: what it says of a range of commits, and that it says nothing else."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from harness import FIXTURES
from waitlint import cli

STORY = FIXTURES / "story" / "typescript"
Diff = Callable[..., str]


def git(folder: Path, *arguments: str) -> str:
    settings = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main"]
    done = subprocess.run(["git", *settings, *arguments], cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def commit(folder: Path, message: str = "A change") -> str:
    git(folder, "add", "--all", "--force")
    git(folder, "commit", "--quiet", "--allow-empty", "--message", message)
    return git(folder, "rev-parse", "HEAD")


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository at the first chapter of the story, in which a status tool reads once."""
    folder = tmp_path / "portal"
    shutil.copytree(STORY / "before", folder)
    git(folder, "init", "--quiet")
    commit(folder)
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def diff(repository: Path, capfd: pytest.CaptureFixture[str]) -> Diff:
    def run(*arguments: str) -> str:
        capfd.readouterr()
        code = cli.run(["diff", *arguments])
        out, err = capfd.readouterr()
        assert code == 0, err
        return out

    return run


def turn_to(chapter: str, folder: Path) -> None:
    """The files of a later chapter in place of those that are there."""
    shutil.copytree(STORY / chapter, folder, dirs_exist_ok=True, copy_function=shutil.copy)


def test_nothing_changed_is_said(diff: Diff) -> None:
    assert diff("HEAD") == "No tool waits in another way; 2 tools wait as before.\n"


def test_a_tool_that_began_to_wait_is_all_that_is_told(repository: Path, diff: Diff) -> None:
    turn_to("first-repair", repository)
    found = json.loads(diff("HEAD", "--output-format", "json"))
    (tool,) = found["tools"]
    assert (tool["name"], tool["was"], found["unchanged"]) == ("previewStatus", "", 1)
    assert tool["before"]["waits"] == "reads once"
    assert tool["after"]["waits"] == "waits up to 90 s, returns the last state at the cap"
    assert diff("HEAD").splitlines()[1:] == [
        "  reads once → waits up to 90 s, returns the last state at the cap",
        "  no stop reaches a wait → a stop does not reach all of it",
        "  its description says nothing of a wait",
        "  one text still says to poll it",
        "  ID unchanged",
        f"    {tool['after']['polled_by'][0]}",
        "",
        "1 tool changed; 1 tool waits as before.",
    ]


def test_a_text_that_no_longer_says_to_poll_is_told(repository: Path, diff: Diff) -> None:
    turn_to("first-repair", repository)
    first = commit(repository)
    turn_to("after", repository)
    second = commit(repository)
    text = diff(first, second, "--output-format", "markdown")
    assert "- `previewStatus`" in text
    assert "no text says to poll it any more" in text
    assert "waits up to 90 s, returns the last state at the cap → waits up to 50 s" in text


def test_moved_lines_and_other_words_change_nothing(repository: Path, diff: Diff) -> None:
    tools = repository / "lib" / "preview-tools.ts"
    tools.write_text(f"// A comment.\n\n\n{tools.read_text()}")
    assert diff("HEAD") == "No tool waits in another way; 2 tools wait as before.\n"


def test_how_a_tool_reads_that_does_not_wait_makes_no_difference(repository: Path, diff: Diff) -> None:
    tools = repository / "lib" / "preview-tools.ts"
    tools.write_text(tools.read_text().replace("client.getPreview(", "elsewhere.look("))
    assert diff("HEAD") == "No tool waits in another way; 2 tools wait as before.\n"


def test_a_new_name_is_told_with_the_old(repository: Path, diff: Diff) -> None:
    for path in (repository / "lib" / "preview-tools.ts", repository / "app/api/chat/route.ts"):
        path.write_text(path.read_text().replace("previewStatus", "checkPreview"))
    for path in repository.rglob("*.md"):
        path.write_text(path.read_text().replace("previewStatus", "checkPreview"))
    assert "  its ID was `previewStatus`" in diff("HEAD").splitlines()


def test_new_and_removed_tools_are_told(repository: Path, diff: Diff) -> None:
    schema = {"type": "object"}
    tools = [{"name": "export_site", "description": "Exports the site.", "inputSchema": schema}]
    (repository / "tools.json").write_text(json.dumps({"tools": tools}))
    assert "  new: its code is not in view" in diff("HEAD").splitlines()
    added = commit(repository)
    (repository / "tools.json").unlink()
    assert "  gone; it was: its code is not in view" in diff(added).splitlines()


def test_files_that_git_ignores_and_holds_are_read_in_both_states(repository: Path, diff: Diff) -> None:
    (repository / ".gitignore").write_text("lib/\n")
    commit(repository)
    assert diff("HEAD~1") == "No tool waits in another way; 2 tools wait as before.\n"


def test_a_folder_below_the_top_is_compared_with_itself(
    repository: Path, diff: Diff, monkeypatch: pytest.MonkeyPatch
) -> None:
    turn_to("first-repair", repository)
    monkeypatch.chdir(repository / "lib")
    assert diff("HEAD").splitlines()[0] == "previewStatus  preview-tools.ts:26"


def test_nothing_is_left_behind(repository: Path, diff: Diff, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    diff("HEAD")
    assert list(temporary.iterdir()) == []
    assert git(repository, "worktree", "list").count("\n") == 0


def test_filters_of_the_repository_are_not_run(repository: Path, diff: Diff, tmp_path: Path) -> None:
    git(repository, "config", "filter.trap.smudge", f"touch {tmp_path / 'sprung'}; cat")
    (repository / ".gitattributes").write_text("* filter=trap\n")
    commit(repository)
    diff("HEAD")
    assert not (tmp_path / "sprung").exists()


@pytest.mark.parametrize("revision", ["no-such-thing", "--output=x", "HEAD:lib"])
def test_what_is_no_commit_is_exit_2(repository: Path, revision: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["diff", "--", revision]) == 2
    assert "no commit" in capfd.readouterr().err or revision.startswith("-")


def test_outside_of_a_repository_git_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert cli.run(["diff", "HEAD"]) == 2
    assert "not a git repository" in capfd.readouterr().err
