"""What names say: their words, and units of time."""

from __future__ import annotations

import pytest

from waitlint.facts import Span
from waitlint.fix import ClampArgument, greatest
from waitlint.names import unit_told, words_of


@pytest.mark.parametrize("name", ["check_build_status", "checkBuildStatus", "check-build-status", "Check build status"])
def test_words_are_the_same_however_a_name_joins_them(name: str) -> None:
    assert words_of(name) == ("check", "build", "status")


@pytest.mark.parametrize(
    ("name", "unit"),
    [("timeoutMs", 0.001), ("wait_seconds", 1.0), ("maxWaitMinutes", 60.0), ("min_delay", None), ("timeout", None)],
)
def test_a_name_tells_its_unit_in_words_that_mean_nothing_else(name: str, unit: float | None) -> None:
    assert unit_told(name) == unit


@pytest.mark.parametrize(
    ("name", "most"),
    [("timeout_ms", 90_000), ("timeout", 90), ("timeout_minutes", 1), ("timeout_hours", None), ("patience", None)],
)
def test_an_argument_is_clamped_in_the_unit_that_its_name_tells(name: str, most: int | None) -> None:
    assert greatest(ClampArgument("kiln.py", Span(0, 1), name, 90.0, 0.0), None) == most
