"""Which modules the optional step of the build compiles."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

REPOSITORY = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def step() -> ModuleType:
    pytest.importorskip("hatchling")
    spec = importlib.util.spec_from_file_location("hatch_build", REPOSITORY / "hatch_build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def chosen(step: ModuleType, package: Path) -> set[str]:
    return {path.relative_to(package).as_posix() for path in step.compilable(package)}


def test_modules_that_the_compiler_would_change_are_left_as_they_are(step: ModuleType, tmp_path: Path) -> None:
    package = tmp_path / "waitlint"
    for name, text in {
        "__init__.py": '"""Kilns."""\n',
        "__main__.py": "import waitlint.pots\n\nprint(waitlint.pots)\n",
        "cli/fire.py": "import sys\n\nsys.exit(0)\n",
        "facts.py": "from msgspec import Struct\n\n\nclass Kiln(Struct, frozen=True):\n    heat: int\n",
        "heirs.py": "from waitlint.facts import Kiln\n\n\nclass Oven(Kiln):\n    pass\n",
        "grandheirs.py": "from waitlint.heirs import Oven\n\n\nclass Stove(Oven):\n    pass\n",
        "caching.py": "from functools import cached_property\n\n\nclass Kiln:\n    @cached_property\n"
        "    def heat(self) -> int:\n        return 7\n",
        "users.py": "from waitlint.facts import Kiln\n\n\ndef lit(kiln: Kiln) -> bool:\n    return kiln.heat > 0\n",
        "pots.py": "class Pot:\n    pass\n\n\nclass Jug(Pot):\n    pass\n",
    }.items():
        path = package / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    assert chosen(step, package) == {"pots.py", "users.py"}


@pytest.mark.parametrize(
    "name",
    [
        *("interpret/core.py", "interpret/expressions.py", "interpret/statements.py", "interpret/calls.py"),
        *("interpret/loops.py", "interpret/paths.py", "interpret/frames.py", "project/walk.py", "project/world.py"),
        *("frontends/python/reader.py", "frontends/typescript/reader.py", "prose/loops.py", "prose/tokens.py"),
    ],
)
def test_where_most_of_the_time_goes_is_compiled(step: ModuleType, name: str) -> None:
    assert name in chosen(step, REPOSITORY / "lint" / "waitlint")
