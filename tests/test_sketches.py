"""The lines of code that helps show are in the unit and the manner of what they stand beside."""

from __future__ import annotations

import pytest

from waitlint_rules.sketches import least


@pytest.mark.parametrize(
    ("path", "name", "shown"),
    [
        ("tools.py", "timeout", "min(timeout, 50)"),
        ("tools.py", "timeout_ms", "min(timeout_ms, 50000)"),
        ("tools.ts", "timeoutMs", "Math.min(timeoutMs, 50000)"),
        ("tools.ts", "waitSeconds", "Math.min(waitSeconds, 50)"),
        ("tools.ts", "patience", ""),
        ("tools.py", "minutes", ""),
        ("tools.py", "min_wait", "min(min_wait, 50)"),
    ],
)
def test_a_limit_is_in_the_unit_that_the_argument_s_name_tells(path: str, name: str, shown: str) -> None:
    assert least(path, name, 50) == shown
