"""The command line: arguments in, exit code out. 0 nothing found, 1 findings, 2 the run itself failed, 130 interrupted.

A command's module is imported when the command runs, so that `--version` and `--help` stay quick.
"""

from __future__ import annotations

import gc
import importlib
import sys
from collections.abc import Sequence
from typing import NoReturn

import click

import waitlint
from waitlint.cli.room import with_room

COMMANDS = {
    "check": ("check", "Report where a model is made to poll, waits have no bound, or words and code disagree."),
    "audit": ("audit", "Make a page for the team: a row per tool, a column per checklist item."),
    "diff": ("diff", "Show what has changed in each tool's way of waiting since a commit."),
    "lsp": ("lsp", "Speak with an editor, as one types."),
    "rule": ("rules", "Explain a rule, or list them all."),
    "hook": ("hook", "Judge a commit: what pre-commit calls."),
    "config": ("configs", "Show what holds for a path, and where it comes from."),
    "init": ("init", "Write a configuration and a pre-commit hook."),
    "completion": ("completion", "Print the script for a shell's completion."),
    "facts": ("facts", "Show what was understood: tools, waits, texts, and how it is known."),
}
FAILED = 2
INTERRUPTED = 130


class Commands(click.Group):
    """The group of commands, each of them imported on demand."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"{__name__}.{COMMANDS[cmd_name][0]}")
        command = module.command
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            from waitlint.config import nearest

            raise click.UsageError(f"No such command {args[0]!r}.{nearest(args[0], COMMANDS)}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])


@click.command(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(waitlint.__version__, prog_name="waitlint", message="%(prog)s %(version)s")
def app() -> None:
    """A static linter for the tools, prompts and skills of AI agents."""


def run(arguments: Sequence[str] | None = None) -> int:
    """Run a command line and return its exit code."""
    try:
        result = app.main(None if arguments is None else list(arguments), prog_name="waitlint", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        return FAILED
    except (click.Abort, KeyboardInterrupt):
        click.echo("Interrupted.", err=True)
        return INTERRUPTED
    except Exception as error:
        import traceback

        traceback.print_exc()
        click.echo(f"waitlint: internal error: {type(error).__name__}: {error}", err=True)
        return FAILED
    return result if isinstance(result, int) else 0


def main() -> NoReturn:
    """The console script.

    The collector of cycles is off: facts are millions of objects without a cycle, and looking through them again and
    again takes several times as long as reading them. Nor does it look through them once more when the process ends.
    """
    gc.disable()
    code = with_room(run)
    gc.freeze()
    sys.exit(code)
