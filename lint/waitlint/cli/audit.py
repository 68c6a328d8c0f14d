"""`waitlint audit`: a page for the team."""

from __future__ import annotations

import importlib
import os
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import click
import msgspec

from waitlint.atomic import write_file
from waitlint.audit.building import audit, repository
from waitlint.audit.counting import figures, headline
from waitlint.audit.data import BadAudit, parse
from waitlint.audit.html import NoJinja
from waitlint.audit.live import SECONDS, Live, NoServer, from_command, from_url
from waitlint.audit.model import Audit, Repository
from waitlint.cli.options import CHOOSING, SCANNING, Failure, demand_of, named_paths, run_scan, sources_of, with_options
from waitlint.cli.terminal import note, write

FORMATS = {"html": "html", "markdown": "markdown", "json": "data"}


def _files(ctx: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> tuple[tuple[str, Path], ...]:
    """`FORMAT=FILE` pairs."""
    found = []
    for value in values:
        name, _, file = value.partition("=")
        if name not in FORMATS or not file:
            raise click.BadParameter(f"{value!r} is not FORMAT=FILE with {', '.join(FORMATS)}.", ctx, parameter)
        found.append((name, Path(file)))
    return tuple(found)


def _headers(ctx: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """`NAME: VALUE` pairs."""
    found = []
    for value in values:
        name, colon, rest = value.partition(":")
        if not colon or not name.strip():
            raise click.BadParameter("a header is 'NAME: VALUE'.", ctx, parameter)
        found.append((name.strip(), rest.strip()))
    return tuple(found)


@click.command(name="audit", epilog="Exit code: 0 done, 2 the run itself failed.")
@with_options(
    click.argument("paths", nargs=-1, type=click.Path()),
    click.option("--merge", is_flag=True, help="PATHS are audits as JSON: make one of them."),
    click.option("--mcp", multiple=True, metavar="COMMAND", help="Start an MCP server and audit its words."),
    click.option("--mcp-url", multiple=True, metavar="URL", help="Ask a running MCP server over HTTP."),
    click.option(
        "--mcp-header", multiple=True, callback=_headers, metavar="'NAME: VALUE'", help="Goes with --mcp-url."
    ),
    click.option(
        "--mcp-timeout",
        type=click.FloatRange(min=0, min_open=True),
        default=SECONDS,
        show_default=True,
        metavar="SECONDS",
        help="How long a server may take.",
    ),
    click.option("--name", metavar="NAME", help="What the repository is called; its folder's name if not given."),
    click.option("--output-format", type=click.Choice(list(FORMATS)), help="What goes to standard output; html."),
    click.option("--output", multiple=True, callback=_files, metavar="FORMAT=FILE", help="Write a file instead."),
    *CHOOSING,
    *SCANNING,
)
def command(
    paths: tuple[str, ...],
    merge: bool,
    mcp: tuple[str, ...],
    mcp_url: tuple[str, ...],
    mcp_header: tuple[tuple[str, str], ...],
    mcp_timeout: float,
    name: str | None,
    output_format: str | None,
    output: tuple[tuple[str, Path], ...],
    **given: Any,
) -> int:
    """Judge every tool and every agent loop under PATHS (the working folder without any), each path a repository.

    The page names for each tool which items of the checklist hold, with reasons and places; advice is always shown. Of
    a live MCP server the words are judged: none of its tools is ever called.
    """
    if merge and (not paths or mcp or mcp_url or name):
        raise click.UsageError("--merge takes the JSON of audits, and nothing else to look at.")
    if merge:
        found = audit(one for path in paths for one in _read(path).repositories)
    else:
        over_http = partial(from_url, headers=dict(mcp_header))
        asked: list[tuple[Callable[[str, float], Live], str]] = [
            *((from_command, command) for command in mcp),
            *((over_http, url) for url in mcp_url),
        ]
        servers = [_server(ask, of, mcp_timeout, given) for ask, of in asked]
        found = audit([*servers, *(_repositories(paths, name, given) if paths or not servers else ())])
    for format_, file in output:
        try:
            write_file(file, _rendered(found, format_).encode("utf-8"))
        except OSError as error:
            raise Failure(f"--output: {file}: {error.strerror or error}") from error
    if output_format or not output:
        write(_rendered(found, output_format or "html"))
    else:
        write(f"{headline(figures(found.repositories))}\n")
    faults = [f"{one.name}: {fault}" for one in found.repositories for fault in one.errors]
    for fault in faults:
        note(f"waitlint: internal error: {fault}")
    return 2 if faults and not merge else 0


def _rendered(found: Audit, format_: str) -> str:
    module = importlib.import_module(f"waitlint.audit.{FORMATS[format_]}")
    try:
        text = module.render(found)
    except NoJinja as error:
        raise Failure(str(error)) from error
    assert isinstance(text, str)
    return text


def _read(path: str) -> Audit:
    try:
        return parse(Path(path).read_bytes())
    except OSError as error:
        raise Failure(f"--merge: {path}: {error.strerror or error}") from error
    except BadAudit as error:
        raise Failure(f"--merge: {path}: {error}") from error


def _server(ask: Callable[[str, float], Live], of: str, seconds: float, given: dict[str, Any]) -> Repository:
    """The audit of what a live server says of itself."""
    try:
        live = ask(of, seconds)
    except NoServer as error:
        raise Failure(str(error)) from error
    with tempfile.TemporaryDirectory(prefix="waitlint-") as made:
        folder = Path(made).resolve()
        file = folder / live.file_name
        file.write_bytes(live.document)
        sources = msgspec.structs.replace(sources_of(given), root=str(folder), no_cache=True, jobs=1)
        return repository(run_scan(sources.request((file,), cwd=folder)), live.name, demand_of(given, pedantic=True))


def _repositories(paths: tuple[str, ...], name: str | None, given: dict[str, Any]) -> Iterator[Repository]:
    folders = named_paths(paths)
    if name is not None and len(folders) > 1:
        raise click.UsageError("--name goes with one path.")
    names = _names(folders)
    for path in dict.fromkeys(folders):
        if not path.exists():
            raise Failure(f"{os.path.relpath(path)} does not exist")
        cwd = path if path.is_dir() else path.parent
        request = sources_of(given).request((path,), cwd=cwd)
        yield repository(run_scan(request), name or names[path], demand_of(given, pedantic=True))


def _names(folders: tuple[Path, ...]) -> dict[Path, str]:
    """The last part of each path, and as many more as tell it from the others."""
    names = {}
    for path in folders:
        others = [other for other in folders if other != path]
        length = 1
        while length < len(path.parts) and any(other.parts[-length:] == path.parts[-length:] for other in others):
            length += 1
        names[path] = "/".join(path.parts[-length:])
    return names
