"""`check A` reports exactly the findings of `check .` whose place or evidence lies in A."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import pytest

from harness import FIXTURES, projects
from waitlint.linter import Demand, lint
from waitlint.report import Reported
from waitlint.reporting import report
from waitlint.scanning import Request, scan

PROJECTS = 24
TRIES = 12


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Fixture projects side by side: most under one root, some a root of their own."""
    chance = random.Random(7)
    folder = tmp_path_factory.mktemp("repository")
    (folder / "waitlint.toml").write_text("root = true\n")
    for number, project in enumerate(chance.sample(projects(FIXTURES), PROJECTS)):
        target = folder / f"package{number}"
        shutil.copytree(project, target, ignore=shutil.ignore_patterns("*.expect", ".waitlint_cache"))
        if number % 4:
            (target / "waitlint.toml").unlink()
    return folder


def findings(folder: Path, *paths: Path) -> set[Reported]:
    request = Request(cwd=folder, paths=paths, cache_folder=folder / ".waitlint_cache", jobs=1)
    scanned = scan(request)
    found = report(scanned, lint(scanned, Demand(pedantic=True)))
    assert found.errors == ()
    return set(found.findings)


def lies_in(finding: Reported, folder: Path, paths: list[Path]) -> bool:
    spots = [finding.spot, *(proof.spot for proof in finding.evidence)]
    return any((folder / spot.path).is_relative_to(path) for spot in spots for path in paths)


@pytest.mark.parametrize("seed", range(TRIES))
def test_a_part_is_the_whole_filtered(repository: Path, seed: int) -> None:
    chance = random.Random(seed)
    whole = findings(repository, repository)
    assert whole
    entries = [path for path in repository.rglob("*") if ".waitlint_cache" not in path.parts]
    read = {repository / spot.path for f in whole for spot in (f.spot, *(proof.spot for proof in f.evidence))}
    files = sorted(path for path in entries if path in read)
    folders = sorted(path for path in entries if path.is_dir())
    chosen = chance.sample(files, chance.randint(0, 3)) + chance.sample(folders, chance.randint(1, 3))
    assert findings(repository, *chosen) == {f for f in whole if lies_in(f, repository, chosen)}
