"""What is built and installed: the two packages, with their data, and nothing else."""

from __future__ import annotations

import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest

import waitlint

REPOSITORY = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel and the sdist, built by the backend that is installed here."""
    pytest.importorskip("hatchling")
    folder = tmp_path_factory.mktemp("dist")
    for kind in ("build_wheel", "build_sdist"):
        code = f"import sys; from hatchling.build import {kind}; {kind}(sys.argv[1])"
        subprocess.run([sys.executable, "-c", code, str(folder)], cwd=REPOSITORY, check=True, capture_output=True)
    return folder


def names_in_wheel(folder: Path) -> set[str]:
    with zipfile.ZipFile(next(folder.glob("*.whl"))) as wheel:
        return set(wheel.namelist())


def test_the_wheels_top_level_is_two_packages_and_its_own_record(built: Path) -> None:
    dist_info = f"waitlint-{waitlint.__version__}.dist-info"
    assert {name.split("/")[0] for name in names_in_wheel(built)} == {"waitlint", "waitlint_rules", dist_info}


def test_every_module_page_and_table_is_in_the_wheel(built: Path) -> None:
    inside = names_in_wheel(built)
    for root in ("lint", "rules"):
        for path in (REPOSITORY / root).rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts:
                assert path.relative_to(REPOSITORY / root).as_posix() in inside


def test_the_sdist_can_be_tested(built: Path) -> None:
    with tarfile.open(next(built.glob("*.tar.gz"))) as sdist:
        inside = {name.split("/", 1)[1] for name in sdist.getnames()}
    wanted = {"pyproject.toml", "README.md", "LICENSE", ".pre-commit-hooks.yaml", "tests/test_packaging.py"}
    assert wanted <= inside
    assert any(name.startswith("fixtures/") for name in inside)


def test_the_version_is_the_same_in_both_places() -> None:
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["version"] == waitlint.__version__
