"""What the README says is so."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
import yaml

import readme
from waitlint import cli, output
from waitlint.cli.init import hook_text
from waitlint.config import Configs
from waitlint.config.reading import KEYS

TEXT = readme.README.read_text(encoding="utf-8")
CONTRIBUTING = (readme.README.parent / "CONTRIBUTING.md").read_text(encoding="utf-8")


def fenced(text: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


def test_the_table_of_rules_and_the_finding_are_current() -> None:
    assert readme.renewed(TEXT) == TEXT, "run python -m tests.readme"


def test_the_configuration_is_read_and_has_every_key(tmp_path: Path) -> None:
    (example,) = fenced(TEXT, "toml")
    (tmp_path / "waitlint.toml").write_text(example)
    assert Configs().for_folder(tmp_path).origins.keys() == KEYS.keys()


def test_every_format_is_named() -> None:
    for name in output.FORMATS:
        assert f"`{name}`" in TEXT


@pytest.mark.parametrize(
    "line", [line for line in "".join(fenced(TEXT, "sh")).splitlines() if line.startswith("waitlint ")]
)
def test_every_command_has_its_options(line: str) -> None:
    command, *options = shlex.split(line.split("#")[0])[1:]
    found = cli.Commands().get_command(None, command)  # type: ignore[arg-type]
    assert found is not None
    known = {name for parameter in found.params for name in parameter.opts}
    assert {option for option in options if option.startswith("--")} <= known


SNIPPETS = [yaml.safe_load(text) for text in fenced(TEXT, "yaml")]


def test_the_snippets_for_pre_commit_name_its_hooks() -> None:
    offered = {hook["id"] for hook in yaml.safe_load((readme.README.parent / ".pre-commit-hooks.yaml").read_text())}
    hooks = [hook for snippet in SNIPPETS if "repos" in snippet for repo in snippet["repos"] for hook in repo["hooks"]]
    assert {hook["id"] for hook in hooks} <= offered
    assert yaml.safe_load(f"repos:\n{hook_text('waitlint==0.1.0')}") in SNIPPETS


def test_the_snippet_for_gitlab_writes_what_it_hands_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (job,) = [snippet["waitlint"] for snippet in SNIPPETS if "waitlint" in snippet]
    (tmp_path / "CLAUDE.md").write_text("Call `export_state` again every 5 seconds until it says done.\n")
    monkeypatch.chdir(tmp_path)
    *_, command = job["script"]
    assert cli.run(shlex.split(command)[1:]) == 1
    assert job["artifacts"]["when"] == "always"
    assert {path.name for path in tmp_path.iterdir()} >= set(job["artifacts"]["reports"].values())


def test_the_snippet_for_github_gives_the_action_what_it_takes() -> None:
    (step,) = [step for snippet in SNIPPETS if isinstance(snippet, list) for step in snippet]
    action = yaml.safe_load((readme.README.parent / "action.yml").read_text())
    assert step["with"].keys() <= action["inputs"].keys()


def test_the_two_commands_are_there_and_ci_runs_the_second() -> None:
    commands = [line for line in "".join(fenced(TEXT, "sh")).splitlines() if line.startswith("python3 -m venv")]
    assert len(commands) == 2
    assert "check fixtures/sample" in commands[0]
    run = (readme.README.parent / ".ci/run").read_text(encoding="utf-8")
    assert commands[1].endswith(".venv/bin/python -m pytest")
    assert ".venv/bin/python -m pytest" in run


def test_links_lead_somewhere() -> None:
    for text in (TEXT, CONTRIBUTING):
        for link in re.findall(r"\]\(([^)#:]+)\)", text):
            assert (readme.README.parent / link).exists()
