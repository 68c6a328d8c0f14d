"""The root of what is linked together."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Sequence
from pathlib import Path


def find_root(paths: Sequence[str | Path], *, root: str | Path | None = None) -> Path:
    """The folder that everything is relative to.

    The one that is given; else the nearest folder above all `paths` whose waitlint.toml or pyproject.toml says
    `root = true`; else the top of the git repository; else the folder that the paths have in common.
    """
    if root is not None:
        return Path(os.path.abspath(root))
    common = _common([Path(os.path.abspath(path)) for path in paths] or [Path.cwd()])
    above = [common, *common.parents]
    for folder in above:
        if _says_root(folder):
            return folder
    for folder in above:
        if (folder / ".git").exists():
            return folder
    return common


def _common(paths: Sequence[Path]) -> Path:
    folders = [path if path.is_dir() else path.parent for path in paths]
    try:
        return Path(os.path.commonpath(folders))
    except ValueError:
        return folders[0]


def _says_root(folder: Path) -> bool:
    for name, keys in (("waitlint.toml", ()), ("pyproject.toml", ("tool", "waitlint"))):
        path = folder / name
        try:
            if not path.is_file():
                continue
            table: object = tomllib.loads(path.read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError):
            continue
        for key in keys:
            table = table.get(key) if isinstance(table, dict) else None
        if isinstance(table, dict) and table.get("root") is True:
            return True
    return False
