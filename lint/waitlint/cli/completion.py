"""`waitlint completion`."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from waitlint.cli.terminal import write

SHELLS = ("bash", "zsh", "fish")


@click.command(name="completion", epilog='In bash: eval "$(waitlint completion bash)"')
@click.argument("shell", type=click.Choice(SHELLS))
def command(shell: str) -> int:
    """Print the script by which SHELL completes waitlint's commands, options and rules."""
    from waitlint.cli import app

    found = get_completion_class(shell)
    assert found is not None
    write(found(app, {}, "waitlint", "_WAITLINT_COMPLETE").source())
    return 0
