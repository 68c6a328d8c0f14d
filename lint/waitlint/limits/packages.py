"""Which package of the repository a file belongs to: the nearest folder above it that has a manifest."""

from __future__ import annotations

import json
import posixpath
import tomllib
from collections.abc import Callable, Iterable
from functools import cached_property

from waitlint.source import Source

MANIFESTS = frozenset(("package.json", "pyproject.toml", "setup.py", "setup.cfg", "go.mod", "Cargo.toml", "deno.json"))
PLUGIN = "plugin.json"
PLUGIN_FOLDERS = (".claude-plugin", ".cursor-plugin", ".codex-plugin")
RUNNABLE = (".py", ".js", ".mjs", ".cjs", ".ts", ".mts")


class Packages:
    """The packages among some files, by their paths relative to the root; "" is the root itself."""

    def __init__(self, paths: Iterable[str], read_source: Callable[[str], Source]) -> None:
        self._files = frozenset(paths)
        self._read = read_source
        self._known: dict[str, str] = {"": ""}

    @cached_property
    def folders(self) -> frozenset[str]:
        """The folders that have a manifest."""
        found = set()
        for path in self._files:
            folder, _, name = path.rpartition("/")
            if name in MANIFESTS:
                found.add(folder)
            elif name == PLUGIN and posixpath.basename(folder) in PLUGIN_FOLDERS:
                found.add(posixpath.dirname(folder))
        return frozenset(found)

    @cached_property
    def _all_folders(self) -> frozenset[str]:
        found: set[str] = set()
        for path in self._files:
            folder = posixpath.dirname(path)
            while folder and folder not in found:
                found.add(folder)
                folder = posixpath.dirname(folder)
        return frozenset(found)

    def of_folder(self, folder: str) -> str:
        """The package that a folder belongs to."""
        if folder not in self._known:
            self._known[folder] = folder if folder in self.folders else self.of_folder(posixpath.dirname(folder))
        return self._known[folder]

    def of(self, path: str) -> str:
        """The package that a file belongs to."""
        return self.of_folder(posixpath.dirname(path))

    def run_by(self, path: str) -> str | None:
        """The package of a program by its path; what a build would put there belongs to the folder above that is."""
        if not path or path == ".":
            return None
        if path in self._files:
            return self.of(path)
        if path in self._all_folders:
            return self.of_folder(path)
        if path.endswith(RUNNABLE) and "/" in path:
            folder = posixpath.dirname(path)
            while folder and folder not in self._all_folders:
                folder = posixpath.dirname(folder)
            return self.of_folder(folder)
        return None

    def named(self, name: str) -> str | None:
        """The package with a name, as its manifest has it."""
        return self._by_name.get(name) if name else None

    @cached_property
    def _by_name(self) -> dict[str, str]:
        found: dict[str, str] = {}
        for folder in sorted(self.folders):
            for manifest, names in (("package.json", _npm_names), ("pyproject.toml", _python_names)):
                path = posixpath.join(folder, manifest)
                if path in self._files:
                    for name in names(self._read(path).text):
                        found.setdefault(name, folder)
        return found


def _npm_names(text: str) -> list[str]:
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        return []
    return _texts([content.get("name"), *_keys(content.get("bin"))]) if isinstance(content, dict) else []


def _python_names(text: str) -> list[str]:
    try:
        project = tomllib.loads(text).get("project")
    except (ValueError, RecursionError):
        return []
    return _texts([project.get("name"), *_keys(project.get("scripts"))]) if isinstance(project, dict) else []


def _keys(value: object) -> list[object]:
    return list(value) if isinstance(value, dict) else []


def _texts(values: list[object]) -> list[str]:
    return [value for value in values if isinstance(value, str) and value]
