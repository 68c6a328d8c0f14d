"""The stems by which patterns are looked for: no text that a pattern matches may be without them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from waitlint.prose import depths, stops, waits
from waitlint.prose.guarded import Guarded, has_any


def _guarded() -> Iterator[tuple[str, Guarded]]:
    for module in (depths, stops, waits):
        for name, value in vars(module).items():
            if isinstance(value, Guarded):
                yield f"{module.__name__.rpartition('.')[2]}.{name}", value


PATTERNS = dict(_guarded())


@pytest.mark.parametrize("name", sorted(PATTERNS))
def test_what_a_pattern_matches_holds_one_of_its_stems(name: str) -> None:
    guarded = PATTERNS[name]
    for alternative in _alternatives(guarded.pattern.pattern):

        @settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck))
        @given(st.from_regex(alternative, fullmatch=True))
        def holds(text: str) -> None:
            assert all(has_any(text, stems) for stems in guarded.stems)

        holds()


def _alternatives(pattern: str) -> list[str]:
    """The alternatives at the top of a pattern."""
    found, depth, start, escaped, in_set = [], 0, 0, False, False
    for index, char in enumerate(pattern):
        if escaped:
            escaped = False
        elif char == "\\":
            escaped = True
        elif in_set:
            in_set = char != "]"
        elif char == "[":
            in_set = True
        elif char in "()":
            depth += 1 if char == "(" else -1
        elif char == "|" and depth == 0:
            found.append(pattern[start:index])
            start = index + 1
    return [*found, pattern[start:]]
