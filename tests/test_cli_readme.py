"""What the README says is so."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
import readme
from waitlint import cli, output
from waitlint.config import Configs
from waitlint.config.reading import KEYS

TEXT = readme.README.read_text(encoding="utf-8")
CONTRIBUTING = (readme.README.parent / "CONTRIBUTING.md").read_text(encoding="utf-8")


def fenced(text: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


def test_the_table_of_rules_is_current() -> None:
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
