"""What is not needed at start-up is not imported there."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

import waitlint

GRAMMARS = {"tree_sitter", "tree_sitter_python", "tree_sitter_typescript"}
HEAVY = GRAMMARS | {"libcst", "rich", "yaml", "rapidfuzz", "pathspec"}
COMMAND = [sys.executable, "-X", "importtime", "-m", "waitlint"]


def imported(*arguments: str) -> tuple[set[str], subprocess.CompletedProcess[str]]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "COV_"))}
    run = subprocess.run([*COMMAND, *arguments], capture_output=True, text=True, env=environment, check=False)
    lines = [line for line in run.stderr.splitlines() if line.startswith("import time:")]
    return {line.rsplit("|", 1)[1].strip().split(".")[0] for line in lines}, run


@pytest.mark.parametrize("arguments", [["--version"], ["--help"], []])
def test_quick_commands_import_nothing_heavy(arguments: list[str]) -> None:
    modules, _ = imported(*arguments)
    assert "waitlint" in modules
    assert modules & (HEAVY | {"sqlite3", "multiprocessing", "waitlint_rules", "msgspec"}) == set()


def test_the_version_is_told() -> None:
    _, run = imported("--version")
    assert (run.returncode, run.stdout) == (0, f"waitlint {waitlint.__version__}\n")
