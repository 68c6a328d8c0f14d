"""`waitlint lsp`."""

from __future__ import annotations

import click

from waitlint.cli.options import Failure


@click.command(name="lsp")
@click.option("--stdio", is_flag=True, help="What it does in any case; many editors say so.")
def command(stdio: bool) -> int:
    """Speak the language server protocol over standard input and output, for an editor."""
    try:
        from waitlint.editor.server import serve
    except ImportError as error:
        raise Failure("the language server needs pygls: pip install 'waitlint[lsp]'") from error
    serve()
    return 0
