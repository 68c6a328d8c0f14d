"""`waitlint init`."""

from __future__ import annotations

import json
from importlib import metadata
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
HOOK = """\
- repo: local
  hooks:
  - id: waitlint
    name: waitlint
    entry: waitlint hook
    language: python
    additional_dependencies: ["{requirement}"]
    always_run: true
    require_serial: true
"""


def hook_text(requirement: str) -> str:
    """The hook for pre-commit, as an entry of `repos`, with what pip is to install for it."""
    return HOOK.format(requirement=requirement)


def requirement() -> str:
    """What pip installs this very waitlint by: its version, or where it was installed from if that was no index."""
    exact = f"waitlint=={waitlint.__version__}"
    try:
        origin = json.loads(metadata.distribution("waitlint").read_text("direct_url.json") or "{}")
    except (metadata.PackageNotFoundError, ValueError):
        return exact
    url, commit = origin.get("url"), origin.get("vcs_info", {}).get("commit_id")
    if not url:
        return exact
    return f"waitlint @ {origin['vcs_info']['vcs']}+{url}@{commit}" if commit else f"waitlint @ {url}"


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
    hooks, hook = folder / HOOK_CONFIG, hook_text(requirement())
    if not hooks.exists():
        _write(hooks, f"repos:\n{hook}")
    elif "waitlint" in hooks.read_text(encoding="utf-8", errors="replace"):
        write(f"{HOOK_CONFIG} has the hook: left as it is.\n")
    else:
        write(f"{HOOK_CONFIG} is there: left as it is. Add this below `repos:`.\n\n{hook}")
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
