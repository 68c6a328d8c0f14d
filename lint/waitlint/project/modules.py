"""Which file an import means."""

from __future__ import annotations

import posixpath
import sys
from collections.abc import Iterable

SCRIPT_ENDINGS = (".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs")
SCRIPT_TWINS = {
    ".js": (".ts", ".tsx", ".js"),
    ".jsx": (".tsx", ".jsx"),
    ".mjs": (".mts", ".mjs"),
    ".cjs": (".cts", ".cjs"),
}


class Modules:
    """The files of a project by the names that imports give them. A folder is known by its path with a slash."""

    def __init__(self, paths: Iterable[str]) -> None:
        self.paths = frozenset(paths)
        self.folders: set[str] = set()
        self._tops: dict[str, list[str]] = {}
        for path in self.paths:
            folder = posixpath.dirname(path)
            while folder and folder not in self.folders:
                self.folders.add(folder)
                folder = posixpath.dirname(folder)
        for path in self.paths:
            if path.endswith("/__init__.py"):
                package = posixpath.dirname(path)
                parent = posixpath.dirname(package)
                if posixpath.join(parent, "__init__.py") not in self.paths:
                    self._tops.setdefault(posixpath.basename(package), []).append(parent)

    # ------------------------------------------------------------ Python

    def python(self, importer: str, module: str) -> str | None:
        """The file or folder of a Python module; None if it is not, or not certainly, in the project."""
        dots = len(module) - len(module.lstrip("."))
        parts = [part for part in module[dots:].split(".") if part]
        if dots:
            base = posixpath.dirname(importer)
            for _ in range(dots - 1):
                if not base:
                    return None
                base = posixpath.dirname(base)
            return self._python_at(base, parts)
        if not parts or parts[0] in sys.stdlib_module_names:
            return None
        folder = posixpath.dirname(importer)
        while True:
            for base in (folder, posixpath.join(folder, "src")):
                if posixpath.join(base, "__init__.py") not in self.paths:
                    found = self._python_at(base, parts)
                    if found is not None:
                        return found
            if not folder:
                break
            folder = posixpath.dirname(folder)
        bases = self._tops.get(parts[0], [])
        return self._python_at(bases[0], parts) if len(bases) == 1 else None

    def _python_at(self, base: str, parts: list[str]) -> str | None:
        target = posixpath.join(base, *parts) if parts else base
        for candidate in (f"{target}.py", posixpath.join(target, "__init__.py")):
            if candidate in self.paths:
                return candidate
        return f"{target}/" if target in self.folders and self._has_python(target) else None

    def _has_python(self, folder: str) -> bool:
        prefix = f"{folder}/"
        return any(path.endswith(".py") and path.startswith(prefix) for path in self.paths)

    def submodule(self, path: str, name: str) -> str | None:
        """The file of a module inside a package."""
        if path.endswith("/__init__.py") or path == "__init__.py":
            return self._python_at(posixpath.dirname(path), [name])
        return self._python_at(path.rstrip("/"), [name]) if path.endswith("/") else None

    # ------------------------------------------------------------ TypeScript and JavaScript

    def script(self, importer: str, module: str) -> str | None:
        """The file of a relative import in TypeScript or JavaScript."""
        if not module.startswith("."):
            return None
        target = posixpath.normpath(posixpath.join(posixpath.dirname(importer), module))
        if target.startswith(".."):
            return None
        root, ending = posixpath.splitext(target)
        for twin in SCRIPT_TWINS.get(ending, ()):
            if root + twin in self.paths:
                return root + twin
        if target in self.paths:
            return target
        for extra in SCRIPT_ENDINGS:
            if target + extra in self.paths:
                return target + extra
        for extra in SCRIPT_ENDINGS:
            index = posixpath.join(target, "index" + extra)
            if index in self.paths:
                return index
        return None
