"""Which file an import means."""

from __future__ import annotations

import posixpath
import sys
from collections.abc import Iterable, Iterator

from waitlint.project.packages import Package, Packages

BUILT = frozenset({"dist", "build", "lib", "out", "esm", "cjs", "es", "mjs", "types", "dist-esm", "dist-cjs"})
STARTED = ("main.py", "server.py", "app.py", "run.py", "__main__.py")
SCRIPT_ENDINGS = (".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs")
SCRIPT_TWINS = {
    ".js": (".ts", ".tsx", ".js"),
    ".jsx": (".tsx", ".jsx"),
    ".mjs": (".mts", ".mjs"),
    ".cjs": (".cts", ".cjs"),
}


class Modules:
    """The files of a project by the names that imports give them. A folder is known by its path with a slash.

    `packages` are the `package.json` and `tsconfig.json` files that give names to files; None where there are none.
    """

    def __init__(self, paths: Iterable[str], packages: Packages | None = None) -> None:
        self.paths = frozenset(paths)
        self._packages = packages
        self._outside: frozenset[str] = frozenset()
        self._libraries: frozenset[str] = frozenset()
        self._scripts: dict[tuple[str, str], str | None] = {}
        self._modules: dict[tuple[str, str], str | None] = {}
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
        key = (importer.rpartition("/")[0], module)
        if key not in self._modules:
            self._modules[key] = self._module(*key)
        return self._modules[key]

    def _module(self, folder: str, module: str) -> str | None:
        dots = len(module) - len(module.lstrip("."))
        parts = [part for part in module[dots:].split(".") if part]
        if dots:
            base = folder
            for _ in range(dots - 1):
                if not base:
                    return None
                base = posixpath.dirname(base)
            return self._python_at(base, parts)
        if not parts or parts[0] in sys.stdlib_module_names:
            return None
        around = folder
        while True:
            for base in (around, posixpath.join(around, "src")):
                if posixpath.join(base, "__init__.py") not in self.paths:
                    found = self._python_at(base, parts)
                    if found is not None and not self._is_mere_folder(found, parts[0]):
                        return found
            if not around:
                break
            around = posixpath.dirname(around)
        bases = self._tops.get(parts[0], [])
        if bases:
            return self._python_at(bases[0], parts) if len(bases) == 1 else None
        return self._beside_script(folder, parts)

    def _is_mere_folder(self, found: str, name: str) -> bool:
        """Whether a folder is no package and is called like a library, which Python then imports in its place."""
        return found.endswith("/") and name in self._libraries

    def _beside_script(self, folder: str, parts: list[str]) -> str | None:
        """A module of a package in which a script is started: its folder is then where imports begin."""
        while folder:
            starts = parts[0] not in self._libraries and any(
                posixpath.join(folder, name) in self.paths for name in STARTED
            )
            if starts and posixpath.join(folder, parts[0]) in self.folders:
                return self._python_at(folder, parts)
            folder = posixpath.dirname(folder)
        return None

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

    def keep_outside(self, packages: frozenset[str], libraries: frozenset[str] = frozenset()) -> None:
        """Take npm packages for what the catalog says of them, also in the repository that they are made in.

        `libraries` are what Python's libraries are imported by: a folder of a package that is called so is not theirs.
        """
        self._outside = packages
        self._libraries = libraries
        self._scripts.clear()
        self._modules.clear()

    def script(self, importer: str, module: str) -> str | None:
        """The file of a TypeScript or JavaScript import; None if it is not, or not certainly, in the project."""
        key = (importer.rpartition("/")[0], module)
        if key not in self._scripts:
            self._scripts[key] = self._script(importer, module)
        return self._scripts[key]

    def _script(self, importer: str, module: str) -> str | None:
        module = module.partition("?")[0]
        if module.startswith("."):
            return self._script_at(posixpath.join(posixpath.dirname(importer), module))
        if self._packages is None or not module or module.startswith(("/", "node:")):
            return None
        parts = module.split("/")
        length = 2 if module.startswith("@") else 1
        name = "/".join(parts[:length])
        if name in self._outside:
            return None
        aliases = self._packages.aliases(importer)
        for target in aliases.targets(module) if aliases is not None else ():
            found = self._script_at(target)
            if found is not None:
                return found
        if module.startswith("#"):
            inner = next(self._packages.around(importer), None)
            return self._first_of(inner, inner.own(module)) if inner is not None else None
        package = self._packages.named(name)
        return self._first_of(package, package.targets("/".join(parts[length:]))) if package is not None else None

    def _first_of(self, package: Package, targets: Iterable[str]) -> str | None:
        """The source behind the first of some files of a package that has one: entry points name what is built."""
        for target in targets:
            for candidate in _sources_of(posixpath.normpath(target)):
                found = self._script_at(posixpath.join(package.folder, candidate))
                if found is not None:
                    return found
        return None

    def _script_at(self, target: str) -> str | None:
        target = posixpath.normpath(target)
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


def _sources_of(target: str) -> Iterator[str]:
    """Where the source of a built file may stand, beginning with the file itself."""
    for declared in (".d.ts", ".d.mts", ".d.cts"):
        target = target.removesuffix(declared)
    yield target
    parts = target.split("/")
    built = [position for position, part in enumerate(parts[:-1]) if part in BUILT]
    if built:
        below = parts[built[-1] + 1 :]
        before = parts[: built[0]]
        while below[:-1] and below[0] in BUILT | {"src"}:
            below = below[1:]
        yield "/".join((*before, "src", *below))
        yield "/".join((*before, *below))
