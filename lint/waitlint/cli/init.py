"""`waitlint init`."""

from __future__ import annotations

from pathlib import Path

import click

import waitlint
from waitlint.atomic import write_file
from waitlint.cli.options import Failure
from waitlint.cli.terminal import write
from waitlint.config import ConfigError
from waitlint.config.reading import FILES, load_table

CONFIG = """\
# The top of what is linked together: tools, their helpers, and the words about them.
root = true

# Rules or families to leave out, everywhere and in some files.
ignore = []

[per-file-ignores]
# "legacy/**" = ["cap"]

# What a model reads and waitlint would not know: globs of prompts.
# prompts = ["texts/*.txt"]

# How long a silent connection lives between agent and user, in seconds.
[idle-timeouts]
# proxy = 100
# client = 60
"""
HOOK_CONFIG = ".pre-commit-config.yaml"
HOOK = f"""\
- repo: local
  hooks:
  - id: waitlint
    name: waitlint
    entry: waitlint hook
    language: python
    additional_dependencies: ["waitlint=={waitlint.__version__}"]
    always_run: true
    require_serial: true
"""


@click.command(name="init")
@click.option("--no-hook", is_flag=True, help="Leave pre-commit alone.")
def command(no_hook: bool) -> int:
    """Write a configuration and a pre-commit hook into the working folder. What is there stays as it is."""
    folder = Path.cwd()
    existing = _existing(folder)
    if existing:
        write(f"{existing} has a configuration: left as it is.\n")
    else:
        _write(folder / FILES[0], CONFIG)
    if no_hook:
        return 0
    hooks = folder / HOOK_CONFIG
    if not hooks.exists():
        _write(hooks, f"repos:\n{HOOK}")
    elif "waitlint" in hooks.read_text(encoding="utf-8", errors="replace"):
        write(f"{HOOK_CONFIG} has the hook: left as it is.\n")
    else:
        write(f"{HOOK_CONFIG} is there: left as it is. Add this below `repos:`.\n\n{HOOK}")
    return 0


def _existing(folder: Path) -> str:
    """The file that has a configuration already."""
    for name in FILES:
        try:
            if load_table(folder / name) is not None:
                return name
        except ConfigError as error:
            raise Failure(str(error)) from error
    return ""


def _write(path: Path, text: str) -> None:
    try:
        write_file(path, text.encode("utf-8"))
    except OSError as error:
        raise Failure(f"{path.name}: {error.strerror or error}") from error
    write(f"Wrote {path.name}.\n")
