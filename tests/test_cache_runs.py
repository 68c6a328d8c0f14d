"""What a whole run said is said again only while all that it looked at is the same."""

from __future__ import annotations

import os
import random
import subprocess
from pathlib import Path

import pytest

from test_cache_edits import STEPS, edit, write
from waitlint.cli import run
from waitlint.linter import lint
from waitlint.looking import EXACTNESS_NS

HOUR_NS = 3_600_000_000_000


def told(capsys: pytest.CaptureFixture[str], folder: Path, cache: Path | None, *more: str) -> tuple[int, str]:
    kept = ("--no-cache",) if cache is None else ("--cache-dir", str(cache))
    code = run(["check", str(folder), "--pedantic", "--jobs", "1", "--output-format", "json", *kept, *more])
    return code, capsys.readouterr().out


def age(folder: Path) -> None:
    """Make all files old enough for their times to tell whether they change."""
    for path in folder.rglob("*"):
        status = path.lstat()
        os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns - HOUR_NS), follow_symlinks=False)


@pytest.fixture
def settled(monkeypatch: pytest.MonkeyPatch) -> None:
    """A clock that is an hour ahead, so that all files are old enough; a change of one shows by its size or times."""
    monkeypatch.setattr("waitlint.looking.EXACTNESS_NS", EXACTNESS_NS - HOUR_NS)


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How often rules were run."""
    runs: list[int] = []

    def counting(*given: object, **named: object) -> object:
        runs.append(1)
        return lint(*given, **named)  # type: ignore[arg-type]

    monkeypatch.setattr("waitlint.cli.telling.lint", counting)
    return runs


@pytest.mark.parametrize("seed", range(3))
def test_after_any_edits_a_run_says_what_one_without_the_cache_says(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], seed: int
) -> None:
    chance = random.Random(1000 + seed)
    folder, cache = tmp_path / "project", tmp_path / "cache"
    write(folder)
    if seed:
        subprocess.run(["git", "init", "-q", folder], check=True)
    done: list[str] = []
    for _ in range(STEPS):
        expected = told(capsys, folder, None)
        assert told(capsys, folder, cache) == expected, done
        assert told(capsys, folder, cache) == expected, ("a second time", done)
        done.append(edit(folder, chance))


def test_nothing_is_judged_again_while_nothing_changes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], judged: list[int]
) -> None:
    folder, cache = tmp_path / "project", tmp_path / "cache"
    write(folder)
    first = told(capsys, folder, cache)
    assert (told(capsys, folder, cache), len(judged)) == (first, 1)
    age(folder)
    assert (told(capsys, folder, cache), len(judged)) == (first, 2)
    assert (told(capsys, folder, cache), len(judged)) == (first, 2)


@pytest.mark.usefixtures("settled")
def test_times_alone_tell_a_change_of_the_same_size(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], judged: list[int]
) -> None:
    folder, cache = tmp_path / "project", tmp_path / "cache"
    write(folder)
    first = told(capsys, folder, cache)
    assert (told(capsys, folder, cache), len(judged)) == (first, 1)
    waiting = folder / "waiting.py"
    times = waiting.stat()
    waiting.write_text(waiting.read_text().replace("sleep(5)", "sleep(9)"))
    os.utime(waiting, ns=(times.st_atime_ns, times.st_mtime_ns))
    told(capsys, folder, cache)
    assert len(judged) == 2


def test_a_file_that_was_changed_just_before_the_run_is_told_by_its_content(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As if the clock of the file system stood still."""
    folder, cache = tmp_path / "project", tmp_path / "cache"
    write(folder)
    monkeypatch.setattr("waitlint.looking.sign_of", lambda status: b"the same")
    first = told(capsys, folder, cache)
    skill = folder / "skills/kilns/SKILL.md"
    skill.write_text(
        skill.read_text().replace("again every 30 seconds until it is hot", "once and then read what it says")
    )
    second = told(capsys, folder, cache)
    assert second != first
    assert second == told(capsys, folder, None)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("docs/kilns.md", "Nothing.\n"),
        ("lib/waitlint.toml", 'ignore = ["all"]\n'),
        ("waitlint.toml", 'root = true\nignore = ["loop"]\n'),
        ("uv.lock", '[[package]]\nname = "openai"\nversion = "0.9.1"\n'),
        (".gitignore", "skills/\n"),
        ("other/CLAUDE.md", "Keep calling `cool` until it says cold.\n"),
    ],
)
def test_each_kind_of_file_counts(tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, text: str) -> None:
    folder, cache = tmp_path / "project", tmp_path / "cache"
    write(folder)
    subprocess.run(["git", "init", "-q", folder], check=True)
    told(capsys, folder, cache)
    (folder / name).parent.mkdir(exist_ok=True)
    (folder / name).write_text(text)
    assert told(capsys, folder, cache) == told(capsys, folder, None)


def test_what_was_looked_for_in_vain_counts_where_git_ignores_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, cache = tmp_path / "project", tmp_path / "cache"
    write(folder)
    (folder / ".gitignore").write_text("docs/\n")
    (folder / "docs/kilns.md").unlink()
    subprocess.run(["git", "init", "-q", folder], check=True)
    before = told(capsys, folder, cache)
    (folder / "docs/kilns.md").write_text("Keep calling `cool` until it says cold.\n")
    after = told(capsys, folder, cache)
    assert after != before
    assert after == told(capsys, folder, None)


def test_what_is_asked_for_counts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder, cache = tmp_path / "project", tmp_path / "cache"
    write(folder)
    told(capsys, folder, cache)
    for more in (("--ignore", "loop"), ("--min-confidence", "high"), ("--isolated",), ("--fail-on", "error")):
        assert told(capsys, folder, cache, *more) == told(capsys, folder, None, *more)
    baseline = tmp_path / "baseline"
    run(["check", str(folder), "--pedantic", "--write-baseline", str(baseline), "--no-cache"])
    known = ("--baseline", str(baseline))
    assert told(capsys, folder, cache, *known) == told(capsys, folder, None, *known)
    baseline.write_text("\n".join(baseline.read_text().splitlines()[:-1]) + "\n")
    assert told(capsys, folder, cache, *known) == told(capsys, folder, None, *known)


def test_a_damaged_run_is_not_believed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    import sqlite3

    from waitlint.cache import FILE

    folder, cache = tmp_path / "project", tmp_path / "cache"
    write(folder)
    first = told(capsys, folder, cache)
    with sqlite3.connect(cache / FILE) as connection:
        connection.execute("UPDATE runs SET data = substr(data, 1, 100)")
    connection.close()
    assert told(capsys, folder, cache) == first


def test_code_that_is_read_as_a_document_is_known_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its facts are decoded only when they are asked for, and a digest of them asks for all."""
    folder, cache = tmp_path / "project", tmp_path / "cache"
    folder.mkdir()
    (folder / "waitlint.toml").write_text("root = true\n")
    (folder / "kiln.py").write_text("def fire(job):\n    return job\n")
    (folder / "server.py").write_text(
        "from pathlib import Path\n\nfrom mcp.server.fastmcp import FastMCP\n\nmcp = FastMCP('kiln')\n\n\n"
        "@mcp.tool(description=(Path(__file__).parent / 'kiln.py').read_text())\n"
        "def fire(job: str) -> str:\n    return job\n"
    )
    first = told(capsys, folder, cache)
    (folder / "more.md").write_text("# More\n")
    assert told(capsys, folder, cache) == first
    (folder / "notes.md").write_text("# Notes\n")
    assert told(capsys, folder, cache) == first
