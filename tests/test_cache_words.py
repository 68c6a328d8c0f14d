"""After a change of words only these are judged, and the report is that of a run over everything."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from textwrap import dedent

import pytest

from test_cache_edits import FILES, STEPS, edit, write
from waitlint.cache import FILE
from waitlint.cli import run
from waitlint.unchanged.renewing import Renewal, Renewed

MORE = {
    "skills/kilns/references/firing.md": "Poll `fire` every 30 seconds until it is done.\n",
    "skills/kilns/references/cooling.md": "Keep calling `cool` until the kiln is cold.\n",
    "skills/glazes/SKILL.md": "---\nname: glazes\ndescription: Choose a glaze.\n---\n\nAsk for the colour first.\n",
    ".claude/commands/report.md": "Search at least 3 times. Stop when you are sure.\n",
    ".claude/agents/looker.md": "---\nname: looker\ntools: Read, Write\n---\n\nYou only read, and never write.\n",
    "AGENTS.md": "Use `heat` to heat a kiln. Call `look` again and again until it is ready.\n",
    "export.py": '''
        import time

        import requests
        from mcp.server.fastmcp import FastMCP

        mcp = FastMCP("exports")

        @mcp.tool()  # waitlint: ignore[loop/keep-calling] the export has no end that can be waited for
        def export_state(export: str) -> str:
            """Looks at an export once."""
            return requests.get(f"https://kiln.test/exports/{export}", timeout=5).json()["state"]

        @mcp.tool()
        def start_glazing(pot: str) -> dict:
            """Start to glaze a pot."""
            return {"glazing_id": requests.post("https://kiln.test/glaze", json=pot, timeout=5).json()["glazing_id"]}

        @mcp.tool()
        def glazing_status(glazing_id: str) -> str:
            """Tell how far a glazing is."""
            return requests.get(f"https://kiln.test/glaze/{glazing_id}", timeout=5).json()["state"]

        @mcp.tool()
        def wait_for_export(export: str) -> str:
            """Waits for an export."""
            while True:
                state = requests.get(f"https://kiln.test/exports/{export}", timeout=5).json()["state"]
                if state in ("done", "failed"):
                    return state
                time.sleep(5)
    ''',
    "inner/waitlint.toml": 'root = true\nignore = ["stop"]\n',
    "inner/CLAUDE.md": "Poll `stoke` every 10 seconds until the fire burns.\n",
    "notes/plan.md": "Poll `fire` every 30 seconds until it is done.\n",
    "src/kiln.css": "a {}\n",
}
WORDS = (
    "Keep calling `{tool}` until it is done.",
    "Poll `{tool}` every 15 minutes until the state is `ready`.",
    "Call `{tool}` once: it waits for the result.",
    "Sleep 60 seconds, then call `{tool}` again.",
    "The export with `{tool}` takes 20 minutes.",
    "Use `{tool}` to see how far it is. It waits up to 10 seconds.",
    "Call `{slip}` to begin.",
    "Do exactly 5 searches.",
    "Search at least 4 times, then write DONE.",
    "Stop when you feel sure of it.",
    "Never repeat a call.",
    "<!-- waitlint: ignore[loop/keep-calling] it is meant -->",
    "<!-- waitlint: ignore-file[loop] it is meant -->",
    "<!-- waitlint: ignore[no/such-rule] it is meant -->",
    "Read @docs/more.md first.",
    "You only read, and never write.",
    "Nothing of interest.",
)
TOOLS = ("cool", "heat", "fire", "look", "export_state", "wait_for_export", "start_glazing", "glazing_status")
DOCUMENTS = (
    *("CLAUDE.md", "AGENTS.md", "docs/kilns.md", "prompts/heat.md", "skills/kilns/SKILL.md", "skills/glazes/SKILL.md"),
    *("skills/kilns/references/firing.md", "skills/kilns/references/cooling.md", ".claude/commands/report.md"),
    *(".claude/agents/looker.md", "inner/CLAUDE.md", "notes/plan.md", "docs/more.md", "skills/new/SKILL.md"),
)


class Repository:
    """A git repository in the working folder, and what is said of it with a cache and without one."""

    def __init__(self, folder: Path, capture: pytest.CaptureFixture[str]) -> None:
        self.folder, self.cache, self.capture = folder / "project", folder / "cache", capture
        write(self.folder)
        for name, text in MORE.items():
            self.write(name, dedent(text).lstrip("\n"))
        subprocess.run(["git", "init", "-q", self.folder], check=True)

    def write(self, name: str, text: str) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def add(self, name: str, words: str) -> None:
        path = self.folder / name
        before = path.read_text() if path.is_file() else ""
        self.write(name, f"{before}\n{words}\n")

    def told(self, *arguments: str, cache: bool = True) -> tuple[int, str, str]:
        kept = ("--cache-dir", str(self.cache)) if cache else ("--no-cache",)
        code = run([*arguments, "--pedantic", "--jobs", "1", "--output-format", "json", *kept])
        said = self.capture.readouterr()
        return code, said.out, said.err

    def same(self, *arguments: str) -> tuple[int, str, str]:
        expected = self.told(*arguments, cache=False)
        assert self.told(*arguments) == expected
        return expected


@pytest.fixture
def repository(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Repository:
    made = Repository(tmp_path, capsys)
    monkeypatch.chdir(made.folder)
    return made


@pytest.fixture
def renewals(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Of each attempt to take an earlier run up again, whether it came to anything."""
    found: list[bool] = []
    attempt = Renewal.run

    def noting(renewal: Renewal, **given: object) -> Renewed | None:
        renewed = attempt(renewal, **given)  # type: ignore[arg-type]
        found.append(renewed is not None)
        return renewed

    monkeypatch.setattr(Renewal, "run", noting)
    return found


def reword(repository: Repository, chance: random.Random) -> str:
    """Change the words of one document, and say how."""
    name, tool = chance.choice(DOCUMENTS), chance.choice(TOOLS)
    words = chance.choice(WORDS).format(tool=tool, slip=tool.replace("_", "_the_") + "s")
    path = repository.folder / name
    text = path.read_text() if path.is_file() else ""
    lines = text.split("\n")
    ways: dict[str, Callable[[], object]] = {
        "add": lambda: repository.add(name, words),
        "put in": lambda: repository.write(name, "\n".join([*lines[:at], words, *lines[at:]])),
        "leave out": lambda: repository.write(name, "\n".join([*lines[:at], *lines[at + 1 :]])),
        "empty": lambda: repository.write(name, ""),
        "delete": lambda: path.unlink(missing_ok=True),
        "copy": lambda: repository.write(chance.choice(DOCUMENTS), text),
        "rename": lambda: path.rename(path.with_name("OTHER.md")) if path.is_file() else None,
        "restore": lambda: write(repository.folder),
    }
    at = chance.randrange(len(lines) + 1)
    chosen = chance.choice(["add"] * 6 + ["put in"] * 6 + ["leave out"] * 4 + list(ways))
    ways[chosen]()
    return f"{chosen} {name}: {words}"


@pytest.mark.parametrize("seed", range(4))
def test_after_any_words_a_run_says_what_one_without_the_cache_says(
    repository: Repository, renewals: list[bool], seed: int
) -> None:
    chance = random.Random(2000 + seed)
    done: list[str] = []
    for _ in range(2 * STEPS):
        names = sorted(path for path in (*DOCUMENTS, *FILES, *MORE) if (repository.folder / path).is_file())
        arguments: tuple[str, ...] = ("check", ".")
        if chance.random() < 0.6:
            arguments = ("hook", *chance.sample(names, chance.choice((1, 1, 2, 4))))
        if chance.random() < 0.2:
            arguments = (*arguments, "--ignore", "stop")
        expected = repository.told(*arguments, cache=False)
        assert repository.told(*arguments) == expected, (arguments, done)
        done.extend(reword(repository, chance) for _ in range(chance.choice((1, 1, 1, 2, 3))))
        if not chance.randrange(12):
            done.append(edit(repository.folder, chance))
    assert any(renewals)


@pytest.mark.parametrize("before", [("check", "."), ("hook", "AGENTS.md")])
def test_nothing_but_what_has_changed_is_read_and_judged(
    repository: Repository, renewals: list[bool], monkeypatch: pytest.MonkeyPatch, before: tuple[str, ...]
) -> None:
    repository.told(*before)
    repository.add("skills/glazes/SKILL.md", "Keep calling `fire` until it is done.")
    expected = repository.told("hook", "skills/glazes/SKILL.md", cache=False)

    def never(*_: object, **__: object) -> None:
        raise AssertionError("everything was read again")

    for name in ("waitlint.cli.telling.run_scan", "waitlint.project.link.link"):
        monkeypatch.setattr(name, never)
    assert repository.told("hook", "skills/glazes/SKILL.md") == expected
    assert "tell/prompt-contradicts-tool" in expected[1]
    assert renewals == [True]


@pytest.mark.parametrize(
    ("name", "words", "is_renewed"),
    [
        pytest.param("AGENTS.md", "Search at least 3 times.", True, id="a document that nothing hangs on"),
        pytest.param("AGENTS.md", "Read @notes/plan.md first.", False, id="a document that leads to another"),
        pytest.param("AGENTS.md", "Read @docs/kilns.md first.", False, id="one that leads to what is read for a link"),
        pytest.param("AGENTS.md", "Read @CLAUDE.md first.", True, id="a document that leads to what is read anyway"),
        pytest.param("AGENTS.md", "Read @docs/none.md first.", True, id="a document that leads nowhere"),
        pytest.param("prompts/cool.md", "It waits until the kiln is cold.", False, id="the words of a tool"),
        pytest.param(
            "AGENTS.md",
            "A glazing takes 20 minutes: poll `glazing_status`.",
            False,
            id="words by which a tool is judged",
        ),
        pytest.param("skills/kilns/SKILL.md", "Nothing more.", True, id="a skill that lends them as much as before"),
        pytest.param("docs/kilns.md", "Call `cool` once.", True, id="a document that is linked to"),
        pytest.param("src/kiln.css", "b {}", True, id="a file that nobody looks into"),
        pytest.param("notes/plan.md", "Nothing more.", True, id="a document that no model reads"),
        pytest.param("export.py", "# Nothing more.", False, id="code"),
        pytest.param("waitlint.toml", 'ignore = ["stop"]', False, id="a configuration"),
        pytest.param("skills/new/SKILL.md", "Nothing.", False, id="a new document"),
        pytest.param("uv.lock", "", False, id="a new file that linking looks for"),
        pytest.param(".gitignore", "AGENTS.md", False, id="what git ignores"),
    ],
)
def test_what_hangs_on_a_change_decides_what_is_read(
    repository: Repository, renewals: list[bool], name: str, words: str, is_renewed: bool
) -> None:
    repository.same("check", ".")
    repository.add(name, words)
    repository.same("check", ".")
    assert renewals == [is_renewed]
    repository.same("hook", "AGENTS.md")


def test_a_document_that_says_what_it_is_from_now_on_is_read(repository: Repository) -> None:
    repository.same("check", ".")
    header = "---\nname: cooling\ndescription: Cool a kiln.\n---\n"
    repository.write("notes/plan.md", f"{header}\nKeep calling `fire` until it is done.\n")
    repository.same("hook", "notes/plan.md")
    assert "notes/plan.md" in repository.told("check", ".")[1]
    repository.write("notes/plan.md", "Keep calling `fire` until it is done.\n")
    assert "notes/plan.md" not in repository.told("check", ".")[1]
    repository.same("hook", "notes/plan.md")


def test_a_document_that_a_skill_names_is_judged_when_it_alone_has_changed(repository: Repository) -> None:
    repository.write("shared/cooling.md", "Cool slowly.\n")
    repository.add("skills/kilns/SKILL.md", "Read `../../shared/cooling.md` first.")
    repository.same("check", ".")
    repository.write("shared/cooling.md", "Keep calling `fire` until it is done.\n")
    repository.same("hook", "shared/cooling.md")
    assert "shared/cooling.md" in repository.told("hook", "shared/cooling.md")[1]
    repository.write("skills/kilns/SKILL.md", "---\nname: kilns\n---\nCool slowly.\n")
    repository.same("hook", "shared/cooling.md")
    assert "shared/cooling.md" not in repository.told("check", ".")[1]


def test_what_was_only_touched_is_the_same(repository: Repository, renewals: list[bool]) -> None:
    expected = repository.same("check", ".")
    for name in ("export.py", "AGENTS.md", "data/tools.json"):
        path = repository.folder / name
        text = path.read_text()
        path.unlink()
        path.write_text(text)
    assert repository.same("check", ".") == expected
    assert renewals == [True]
    (repository.folder / "export.py").write_text("")
    repository.same("check", ".")
    repository.same("hook", "AGENTS.md", "export.py")
    (repository.folder / "AGENTS.md").unlink()
    (repository.folder / "AGENTS.md").symlink_to("CLAUDE.md")
    repository.same("check", ".")


def test_a_document_is_one_under_each_of_its_names(repository: Repository, renewals: list[bool]) -> None:
    (repository.folder / "skills/ovens").symlink_to("kilns")
    repository.same("check", ".")
    repository.add("skills/kilns/references/firing.md", "Keep calling `cool` until it is cold.")
    repository.same("check", ".")
    assert renewals == [True]
    (repository.folder / "skills/ovens").unlink()
    (repository.folder / "skills/ovens").symlink_to("glazes")
    repository.add("skills/glazes/SKILL.md", "Poll `fire` until it is done.")
    repository.same("check", ".")
    link = repository.folder / "inner/AGENTS.md"
    link.symlink_to("../AGENTS.md")
    repository.same("check", ".")
    link.unlink()
    link.symlink_to("../CLAUDE.md")
    for name in ("CLAUDE.md", "AGENTS.md"):
        repository.add(name, "Poll `look` until it is done.")
    repository.same("check", ".")


def test_a_skill_lends_its_references_what_it_says_now(repository: Repository) -> None:
    repository.same("check", ".")
    repository.write("skills/kilns/SKILL.md", "---\nname: kilns\ndescription: A history of kilns.\n---\n\n# History\n")
    repository.same("check", ".")


def test_a_copy_is_told_with_its_original(repository: Repository) -> None:
    repository.same("check", ".")
    repository.write("skills/glazes/SKILL.md", (repository.folder / "skills/kilns/SKILL.md").read_text())
    repository.same("check", ".")
    repository.add("skills/kilns/SKILL.md", "Nothing more.")
    repository.same("check", ".")


def test_a_renamed_tool_is_looked_for_in_words_that_are_the_same(repository: Repository) -> None:
    repository.same("check", ".")
    code = repository.folder / "export.py"
    code.write_text(code.read_text().replace("wait_for_export", "await_export"))
    repository.add("AGENTS.md", "Keep calling `wait_for_export` until it is done.")
    repository.same("check", ".")
    code.write_text(code.read_text().replace("await_export", "wait_for_export"))
    repository.same("check", ".")


def test_comments_come_and_go_with_what_they_silence(repository: Repository, renewals: list[bool]) -> None:
    repository.same("check", ".")
    silence = "<!-- waitlint: ignore-file[loop] it is meant -->"
    said = {repository.same("check", ".")}
    for words in ("Keep calling `export_state` until it is done.", silence, "<!-- waitlint: ignore[cap] so -->"):
        repository.add("AGENTS.md", words)
        said.add(repository.same("check", "."))
        repository.same("hook", "AGENTS.md", "CLAUDE.md")
    repository.write("AGENTS.md", "Nothing.\n")
    said.add(repository.same("check", "."))
    assert len(said) == 5
    assert all(renewals[1:]), "the first time, nobody had asked the code for what the words about its tool hang on"


def test_of_two_equal_comments_the_same_is_known(repository: Repository, tmp_path: Path) -> None:
    for name in ("AGENTS.md", "CLAUDE.md"):
        repository.add(name, "<!-- waitlint: ignore[cap] so -->")
    baseline = tmp_path / "baseline"
    run(["check", ".", "--pedantic", "--write-baseline", str(baseline), "--no-cache"])
    baseline.write_text(baseline.read_text().replace(" 2 ", " 1 "))
    repository.capture.readouterr()
    repository.same("check", ".", "--baseline", str(baseline))
    for name in ("AGENTS.md", "CLAUDE.md"):
        repository.add(name, "Nothing.")
        repository.same("check", ".", "--baseline", str(baseline))


def test_what_is_looked_into_later_is_not_inert_any_more(repository: Repository) -> None:
    """The documents that a link leads to may be told from others by what was not looked into before."""
    repository.same("check", ".")
    repository.add("AGENTS.md", "Read @src/kiln.css and @notes/ first.")
    repository.same("check", ".")
    repository.add("src/kiln.css", "b {}")
    repository.same("check", ".")
    repository.add("notes/plan.md", "Poll `fire` until it is done.")
    repository.same("check", ".")


@pytest.mark.parametrize("more", [(), ("--unsafe-fixes",), ("--fix-only",), ("--quiet", "--fix-only")])
def test_fixing_finds_nothing_to_fix_in_what_stands(
    repository: Repository, renewals: list[bool], more: tuple[str, ...]
) -> None:
    repository.told("hook", "AGENTS.md", "--fix")
    repository.add("AGENTS.md", "Search at least 3 times. Stop when you are sure.")
    repository.same("hook", "AGENTS.md", "--fix", *more)
    repository.same("hook", "AGENTS.md", "--fix", *more)
    assert renewals[:1] == [True]


def test_what_can_be_fixed_is_fixed(repository: Repository) -> None:
    words = "Keep calling `fire` until it is done."
    for cache in (False, True, True):
        repository.told("check", ".")
        repository.write("AGENTS.md", f"# Kilns\n\n{words}\n")
        code, said, _ = repository.told("hook", "AGENTS.md", "--fix", cache=cache)
        assert (code, words in (repository.folder / "AGENTS.md").read_text()) == (0, False), said
        repository.same("hook", "AGENTS.md", "--fix")
        repository.same("check", ".")


def test_what_a_baseline_knows_is_fixed_all_the_same(repository: Repository, tmp_path: Path) -> None:
    words = "Keep calling `fire` until it is done."
    baseline = tmp_path / "baseline"
    repository.write("AGENTS.md", f"# Kilns\n\n{words}\n")
    run(["check", ".", "--pedantic", "--write-baseline", str(baseline), "--no-cache"])
    repository.capture.readouterr()
    repository.told("hook", "AGENTS.md", "--baseline", str(baseline))
    repository.told("hook", "AGENTS.md", "--baseline", str(baseline), "--fix")
    assert words not in (repository.folder / "AGENTS.md").read_text()


def test_a_fingerprint_is_accepted_as_long_as_its_finding_is_there(repository: Repository) -> None:
    from json import loads

    repository.add("AGENTS.md", "Keep calling `fire` until it is done.")
    found = loads(repository.same("check", ".")[1])["findings"]
    one = next(f for f in found if f["path"] == "AGENTS.md" and "`fire`" in f["message"])
    entry = f'[[suppress]]\nrule = "{one["rule"]}"\nfingerprint = "{one["fingerprint"]}"\nreason = "so"\n'
    repository.write("waitlint.toml", f"root = true\n\n{entry}")
    accepted = repository.same("check", ".")
    repository.write("AGENTS.md", "Nothing.\n")
    assert "no finding of" in repository.same("check", ".")[1]
    assert "no finding of" not in accepted[1]


def test_a_baseline_is_compared_with_what_is_said_now(repository: Repository, tmp_path: Path) -> None:
    baseline = tmp_path / "baseline"
    run(["check", ".", "--pedantic", "--write-baseline", str(baseline), "--no-cache"])
    repository.capture.readouterr()
    known = ("--baseline", str(baseline))
    repository.same("check", ".", *known)
    repository.add("AGENTS.md", "Keep calling `fire` until it is done.")
    assert '"fire"' in repository.same("check", ".", *known)[1]
    baseline.write_text("\n".join(baseline.read_text().splitlines()[:-2]) + "\n")
    repository.same("check", ".", *known)
    repository.same("hook", "AGENTS.md", *known)
    repository.same("hook", "AGENTS.md")


@pytest.mark.parametrize("damage", ["substr(data, 1, 1000)", "x'90'", "NULL"])
def test_a_damaged_entry_is_not_believed(repository: Repository, damage: str) -> None:
    repository.told("check", ".")
    with closing(sqlite3.connect(repository.cache / FILE)) as connection, connection:
        connection.execute("DELETE FROM runs")
        connection.execute(f"UPDATE standing SET data = {damage}")
    repository.add("AGENTS.md", "Keep calling `fire` until it is done.")
    repository.same("check", ".")


def test_tools_that_were_not_kept_are_found_anew(repository: Repository) -> None:
    repository.told("check", ".")
    with closing(sqlite3.connect(repository.cache / FILE)) as connection, connection:
        connection.execute("DELETE FROM linked")
    repository.add("AGENTS.md", "Keep calling `fire` until it is done.")
    assert '"fire"' in repository.same("check", ".")[1]


def test_another_waitlint_takes_nothing_up(
    repository: Repository, renewals: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.told("check", ".")
    monkeypatch.setattr("waitlint.unchanged.last.installed", lambda: b"another one")
    repository.add("AGENTS.md", "Nothing.")
    repository.same("check", ".")
    assert renewals == []


def test_a_file_that_is_changed_while_it_is_judged_is_judged_again(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.told("check", ".")
    repository.add("AGENTS.md", "Nothing.")
    attempt = Renewal.run

    def interrupted(renewal: Renewal, **given: object) -> Renewed | None:
        renewed = attempt(renewal, **given)  # type: ignore[arg-type]
        repository.add("AGENTS.md", "Keep calling `fire` until it is done.")
        return renewed

    monkeypatch.setattr(Renewal, "run", interrupted)
    repository.told("check", ".")
    monkeypatch.setattr(Renewal, "run", attempt)
    assert '"fire"' in repository.same("check", ".")[1]


def test_several_runs_at_once_take_the_same_up(repository: Repository) -> None:
    repository.told("check", ".")
    for words in ("Keep calling `fire` until it is done.", "Search at least 3 times."):
        repository.add("AGENTS.md", words)
        expected = repository.told("hook", "AGENTS.md", cache=False)
        command = [sys.executable, "-m", "waitlint", "hook", "AGENTS.md", "--pedantic", "--output-format", "json"]
        command += ["--cache-dir", str(repository.cache)]
        running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(4)]
        assert [(one.communicate()[0], one.returncode) for one in running] == [(expected[1], expected[0])] * 4
    repository.same("check", ".")


@pytest.mark.skipif("WAITLINT_REPOSITORY" not in os.environ, reason="by hand: the folder of a git repository")
def test_a_real_repository_is_judged_as_without_the_cache(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, renewals: list[bool]
) -> None:
    repository = Repository(tmp_path, capsys)
    shutil.rmtree(repository.folder)
    subprocess.run(["git", "clone", "-q", os.environ["WAITLINT_REPOSITORY"], repository.folder], check=True)
    monkeypatch.chdir(repository.folder)
    documents = sorted(str(path.relative_to(repository.folder)) for path in repository.folder.rglob("*.md"))
    chance = random.Random(1)
    for _ in range(STEPS):
        repository.same("check", ".")
        names = chance.sample(documents, 2)
        for name in names:
            repository.add(name, chance.choice(WORDS).format(tool=chance.choice(TOOLS), slip="look_up_state"))
        repository.same("hook", *names)
    assert any(renewals)
