"""How long the lines of a file may be, as the project's own formatters and linters are told."""

from __future__ import annotations

import json
import re
import tomllib
from functools import lru_cache
from pathlib import Path
from typing import Any

from waitlint.looking import note

LANGUAGES = {"python": ("pyproject.toml", "ruff.toml", ".ruff.toml", "setup.cfg", "tox.ini", ".flake8")}
SCRIPTS = (".prettierrc", ".prettierrc.json", "package.json", "biome.json", "biome.jsonc", "deno.json")
_INI = re.compile(r"^\s*max[-_]line[-_]length\s*=\s*(\d{1,9})", re.MULTILINE)
_YAML = re.compile(r"^\s*printWidth\s*:\s*(\d{1,9})", re.MULTILINE)
_MOST = 400


def line_length(path: Path, root: Path, language: str) -> int:
    """The length in characters that the nearest settings name for a file, up to `root`; 0 where none does."""
    names = LANGUAGES.get(language) or (SCRIPTS if language == "typescript" else ())
    for folder in (path.parent, *path.parent.parents):
        for name in names:
            note(folder / name)
        if names and (found := _stated(folder, names)):
            return found
        if folder == root or not folder.is_relative_to(root):
            break
    return 0


@lru_cache(256)
def _stated(folder: Path, names: tuple[str, ...]) -> int:
    for name in names:
        try:
            text = (folder / name).read_text(encoding="utf-8")
        except (OSError, ValueError):
            continue
        found = _in_toml(text, name) if name.endswith(".toml") else _elsewhere(text, name)
        if 0 < found <= _MOST:
            return found
    return 0


def _in_toml(text: str, name: str) -> int:
    try:
        data: dict[str, Any] = tomllib.loads(text)
    except (ValueError, RecursionError):
        return 0
    tools = data.get("tool", {}) if name == "pyproject.toml" else {"ruff": data}
    for tool, key in (("ruff", "line-length"), ("black", "line-length"), ("flake8", "max-line-length")):
        settings = tools.get(tool) if isinstance(tools, dict) else None
        found = settings.get(key) if isinstance(settings, dict) else None
        if isinstance(found, int):
            return found
    return 0


def _elsewhere(text: str, name: str) -> int:
    if name.endswith((".cfg", ".ini", ".flake8")):
        stated = _INI.search(text)
        return int(stated[1]) if stated else 0
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        stated = _YAML.search(text)
        return int(stated[1]) if stated else 0
    if not isinstance(data, dict):
        return 0
    settings = {
        "package.json": ("prettier", "printWidth"),
        "biome.json": ("formatter", "lineWidth"),
        "biome.jsonc": ("formatter", "lineWidth"),
        "deno.json": ("fmt", "lineWidth"),
    }
    if name in settings:
        section, key = settings[name]
        data = data.get(section)
        return int(data[key]) if isinstance(data, dict) and isinstance(data.get(key), int) else 0
    return int(data["printWidth"]) if isinstance(data.get("printWidth"), int) else 0
