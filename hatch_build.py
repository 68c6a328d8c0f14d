"""A step of the build that is left out unless it is asked for: modules of `lint/waitlint` compiled with mypyc.

    HATCH_BUILD_HOOKS_ENABLE=1 pip install .

It needs a C compiler and takes some minutes. What is compiled follows from what mypyc can compile as it is, so that no
list has to be kept: not the modules that define structs of msgspec or cached properties, nor those whose classes have
a base in such a module, nor the packages that only start a run or tell of it.
"""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PACKAGE = "waitlint"
SOURCE = Path("lint", PACKAGE)
# These take no part in the work on files; they are in a hurry only to be imported.
AT_THE_EDGE = frozenset(["audit", "catalog", "cli", "config", "editor", "output", "unchanged"])
# Its class is known by weak references, which are not made to compiled ones.
WEAKLY_KNOWN = Path("project", "link.py")
ENDINGS = (".so", ".pyd")
MYPY = ("--config-file=", "--python-version", f"3.{sys.version_info.minor}", "--explicit-package-bases")


class CompiledBuild(BuildHookInterface[Any]):
    """Adds what was compiled to the wheel, beside the sources."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile in a folder apart, so that no build leaves anything in the checkout."""
        if self.target_name != "wheel" or version == "editable":
            return
        self.folder = Path(tempfile.mkdtemp(prefix="waitlint-build-"))
        shutil.copytree(Path(self.root, SOURCE), self.folder / PACKAGE, ignore=shutil.ignore_patterns("__pycache__"))
        subprocess.run([sys.executable, os.path.abspath(__file__)], cwd=self.folder, check=True)
        for built in sorted(self.folder.rglob("*")):
            inside = built.relative_to(self.folder)
            if built.suffix in ENDINGS and inside.parts[0] != "build":
                build_data["force_include"][str(built)] = inside.as_posix()
        build_data["pure_python"] = False
        build_data["infer_tag"] = True

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the folder."""
        if self.target_name == "wheel" and version != "editable":
            shutil.rmtree(self.folder, ignore_errors=True)


def compilable(package: Path) -> list[Path]:
    """The modules below the folder of a package that mypyc can compile, and that are worth it."""
    trees = {
        path: ast.parse(path.read_text(encoding="utf-8"))
        for path in sorted(package.rglob("*.py"))
        if path.relative_to(package).parts[0] not in AT_THE_EDGE
        and path.name != "__main__.py"
        and path.relative_to(package) != WEAKLY_KNOWN
    }
    names = {path: _module(path, package) for path in trees}
    # An `__init__` that holds a docstring alone has nothing to compile.
    left = {path for path, tree in trees.items() if len(tree.body) > 1}
    while True:
        compiled = {names[path] for path in left}
        interpreted = {path for path in left if _has_to_stay(trees[path], compiled)}
        if not interpreted:
            return sorted(left)
        left -= interpreted


def _module(path: Path, package: Path) -> str:
    parts = path.relative_to(package.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _has_to_stay(tree: ast.Module, compiled: set[str]) -> bool:
    """Whether a class of a module is none that mypyc compiles: it would lose what a metaclass or a cache does."""
    origins = dict(_imported(tree))
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            if any(isinstance(one, ast.Name) and one.id == "cached_property" for one in node.decorator_list):
                return True
        elif isinstance(node, ast.ClassDef):
            bases = [origins.get(base.id, "") for base in node.bases if isinstance(base, ast.Name)]
            foreign = (base == "msgspec" or (base.startswith(PACKAGE) and base not in compiled) for base in bases)
            if node.keywords or any(foreign):
                return True
    return False


def _imported(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """The names that a module imports, each with the module that it comes from."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            for one in node.names:
                yield one.asname or one.name, node.module


def compile_here() -> None:
    """Compile the package in the working directory, in place."""
    from mypyc.build import mypycify
    from pybind11.setup_helpers import ParallelCompile
    from setuptools import setup

    modules = [str(path) for path in compilable(Path(PACKAGE))]
    print(f"{len(modules)} modules are compiled: {' '.join(modules)}")
    ParallelCompile(default=os.cpu_count() or 1).install()
    extensions = mypycify([*MYPY, *modules], opt_level="2", debug_level="0", multi_file=True, target_dir="build")
    setup(name=PACKAGE, packages=[], ext_modules=extensions, script_args=["-q", "build_ext", "--inplace"])


if __name__ == "__main__":
    compile_here()
