"""Settings that no parser comes to the end of: those of other tools say nothing, waitlint's own are refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from waitlint.config import ConfigError
from waitlint.config.reading import load_table
from waitlint.limits.packages import Packages
from waitlint.source import Source
from waitlint.widths import line_length

SETTINGS = {
    "pyproject.toml": "[project]\nname = 'x'\nversion = '1'\ndependencies = ",
    "ruff.toml": "lint = ",
    ".prettierrc": "",
    "package.json": "",
}
ENDLESS = {"open": "[" * 3_000, "closed": "[" * 3_000 + "]" * 3_000, "digits": "9" * 6_000}


@pytest.mark.parametrize("name", sorted(SETTINGS))
@pytest.mark.parametrize("value", sorted(ENDLESS))
def test_those_of_others_say_nothing(tmp_path: Path, name: str, value: str) -> None:
    (tmp_path / name).write_text(SETTINGS[name] + ENDLESS[value])
    language = "typescript" if name in (".prettierrc", "package.json") else "python"
    assert line_length(tmp_path / "code", tmp_path, language) == 0
    packages = Packages([name], lambda path: Source(path, (tmp_path / path).read_text()))
    assert packages.named("x") is None


@pytest.mark.parametrize("name", ["setup.cfg", ".prettierrc"])
def test_a_width_of_a_thousand_digits_is_none(tmp_path: Path, name: str) -> None:
    key = "max-line-length = " if name == "setup.cfg" else "printWidth: "
    (tmp_path / name).write_text(key + "9" * 6_000 + "\n")
    assert line_length(tmp_path / "code", tmp_path, "python" if name == "setup.cfg" else "typescript") == 0


@pytest.mark.parametrize("value", sorted(ENDLESS))
def test_waitlints_own_are_refused(tmp_path: Path, value: str) -> None:
    (tmp_path / "waitlint.toml").write_text(f"root = {ENDLESS[value]}\n")
    with pytest.raises(ConfigError):
        load_table(tmp_path / "waitlint.toml")
