"""`waitlint config`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click
import msgspec

from waitlint.cli.options import Failure, absolute
from waitlint.cli.terminal import show, write
from waitlint.config import ConfigError, Configs
from waitlint.config.showing import Setting, settings, toml
from waitlint.limits.choosing import combined
from waitlint.output.styled import QUIET, STRONG, Line, Piece, visible
from waitlint.reporting import shown_path
from waitlint.scanning import limits_at


@click.command(name="config")
@click.argument("path", default=".", type=click.Path())
@click.option("--isolated", is_flag=True, help="Read no configuration.")
@click.option("--output-format", type=click.Choice(["text", "json"]), default="text", show_default=True)
def command(path: str, isolated: bool, output_format: str) -> int:
    """Show what holds for PATH (the working folder without any), and where each value comes from."""
    cwd = Path.cwd()
    place = absolute(path, cwd)
    if not place.exists():
        raise Failure(f"{path} does not exist")
    configs = Configs(isolated=isolated)
    try:
        config = configs.for_folder(place if place.is_dir() else place.parent)
        limits = combined(config.settings_for(place), limits_at(place, configs))
    except ConfigError as error:
        raise Failure(str(error)) from error
    held = list(settings(config, limits))
    origin = shown_path(config.origin, cwd) if config.origin else None
    if output_format == "json":
        plain = {s.key: {"value": s.value, "origin": _origin(s, cwd), "stated": s.stated} for s in held}
        document = {"version": 1, "path": shown_path(place, cwd), "file": origin, "settings": plain}
        write(msgspec.json.format(msgspec.json.encode(document), indent=2).decode() + "\n")
    else:
        show(_lines(held, origin, cwd))
    return 0


def _origin(setting: Setting, cwd: Path) -> str | None:
    return shown_path(setting.origin, cwd) if setting.origin else None


def _lines(held: list[Setting], origin: str | None, cwd: Path) -> Iterator[Line]:
    yield (Piece(f"# {visible(origin) if origin else 'no configuration: the defaults'}", QUIET),)
    for setting in held:
        source = _origin(setting, cwd)
        told = [*([source] if source else []), *setting.stated]
        if setting.value is None:  # TOML has no word for what is not set, and what is shown can be read again.
            yield (Piece(f"# {setting.key} is not set  # default", QUIET),)
            continue
        yield (
            Piece(f"{setting.key} = {visible(toml(setting.value))}", STRONG if told else ""),
            Piece(f"  # {visible('; '.join(told)) if told else 'default'}", QUIET),
        )
