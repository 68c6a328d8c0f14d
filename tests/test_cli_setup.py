"""Setting a repository up: what holds where, the first files, completion, and the action."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from waitlint import cli

REPOSITORY = Path(__file__).parent.parent


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)


def out(capture: pytest.CaptureFixture[bytes], *arguments: str, code: int = 0) -> str:
    capture.readouterr()
    assert cli.run(arguments) == code
    return capture.readouterr().out.decode()


def test_config_shows_what_holds_and_where_it_comes_from(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    (tmp_path / "base.toml").write_text('pedantic = true\nignore = ["cap"]\n')
    (tmp_path / "waitlint.toml").write_text(
        'root = true\nextend = "base.toml"\nignore = ["tell"]\n'
        '[idle-timeouts]\nclient = 30\n[idle-timeouts.paths]\n"slow/**" = "5 min"\n'
    )
    (tmp_path / "slow").mkdir()
    lines = out(capfdbinary, "config", "slow/x.py", code=2).splitlines()
    assert lines == []
    (tmp_path / "slow/x.py").write_text("")
    lines = out(capfdbinary, "config", "slow/x.py").splitlines()
    assert lines[0] == "# waitlint.toml"
    assert "pedantic = true  # base.toml" in lines
    assert 'ignore = ["tell"]  # waitlint.toml' in lines
    assert 'select = ["all"]  # default' in lines
    assert "idle-timeouts = { proxy = 300, client = 30 }  # waitlint.toml" in lines
    shown = json.loads(out(capfdbinary, "config", "--output-format", "json"))
    assert shown["settings"]["idle-timeouts"]["value"] == {"proxy": 100.0, "client": 30.0}
    assert shown["settings"]["pedantic"] == {"value": True, "origin": "base.toml", "stated": []}
    assert "no configuration" in out(capfdbinary, "config", "--isolated")


def test_what_config_shows_can_be_read_again(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    (tmp_path / "waitlint.toml").write_text(
        'root = true\nprompts = ["a b/*.txt", "ü"]\n[per-file-ignores]\n"x/**" = ["loop"]\n[severity]\ncap = "error"\n'
    )
    first = out(capfdbinary, "config")
    (tmp_path / "waitlint.toml").write_text(first)
    assert [line.split("  #")[0] for line in out(capfdbinary, "config").splitlines()] == [
        line.split("  #")[0] for line in first.splitlines()
    ]


def test_init_writes_and_never_over_what_is_there(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert out(capfdbinary, "init") == "Wrote waitlint.toml.\nWrote .pre-commit-config.yaml.\n"
    assert out(capfdbinary, "check").startswith("Nothing was scanned")
    hooks = yaml.safe_load((tmp_path / ".pre-commit-config.yaml").read_text())
    assert hooks["repos"][0]["hooks"][0]["entry"] == "waitlint hook"
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()}
    assert out(capfdbinary, "init").count("left as it is") == 2
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()} == before


def test_init_heeds_other_files(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.waitlint]\npedantic = true\n")
    (tmp_path / ".pre-commit-config.yaml").write_text("repos: []\n")
    text = out(capfdbinary, "init")
    assert "pyproject.toml has a configuration" in text
    assert "Add this below `repos:`" in text
    assert not (tmp_path / "waitlint.toml").exists()
    assert (tmp_path / ".pre-commit-config.yaml").read_text() == "repos: []\n"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts(capfdbinary: pytest.CaptureFixture[bytes], shell: str) -> None:
    assert "_WAITLINT_COMPLETE" in out(capfdbinary, "completion", shell)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("waitlint ch", "check"),
        ("waitlint check --select loop/keep", "loop/keep-calling"),
        ("waitlint check --select cap,loop/keep", "cap,loop/keep-calling"),
        ("waitlint rule loop/keep", "loop/keep-calling"),
        ("waitlint check --output-format js", "json"),
    ],
)
def test_completion_offers_what_fits(words: str, expected: str) -> None:
    number = str(len(words.split()) - 1)
    environment = os.environ | {"COMP_WORDS": words, "COMP_CWORD": number, "_WAITLINT_COMPLETE": "bash_complete"}
    code = "from waitlint.cli import main; main()"
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert f"plain,{expected}" in done.stdout.splitlines()


def test_the_hooks_that_are_offered() -> None:
    hooks: list[dict[str, Any]] = yaml.safe_load((REPOSITORY / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert [(hook["id"], hook["entry"]) for hook in hooks] == [
        ("waitlint", "waitlint hook"),
        ("waitlint-fix", "waitlint hook --fix"),
    ]
    for hook in hooks:
        assert (hook["always_run"], hook["require_serial"], hook["language"]) == (True, True, "python")


def test_the_action_hands_inputs_over_by_environment_only() -> None:
    """An expression inside a script would be a way in for whoever writes the input."""
    action = yaml.safe_load((REPOSITORY / "action.yml").read_text(encoding="utf-8"))
    steps = action["runs"]["steps"]
    assert action["runs"]["using"] == "composite"
    for step in steps:
        assert "${{" not in step.get("run", "")
    used = {name for step in steps for name in step.get("env", {}).values()}
    assert used == {f"${{{{ inputs.{name} }}}}" for name in action["inputs"] if name != "python-version"}
