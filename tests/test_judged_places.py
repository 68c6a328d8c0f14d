"""The table of judged places: whole, sorted, each place once."""

from __future__ import annotations

import re
import sys
from pathlib import Path

BENCHMARKS = Path(__file__).parent.parent / "benchmarks"
sys.path.insert(0, str(BENCHMARKS))

from judged_places import Loop, Place, places, said_of  # noqa: E402


def test_each_place_is_whole_and_stands_once_in_order() -> None:
    judged = places()
    assert len(judged) > 300
    for place in judged:
        assert re.fullmatch(r"[\w.-]+/[\w.-]+", place.repository), place
        assert re.fullmatch(r"[0-9a-f]{12}", place.commit), place
        assert place.line > 0, place
        assert not place.path.startswith("/"), place
        assert place.verdict in ("right", "wrong", "doubtful"), place
        assert place.drawn in ("shown", "low", "read"), place
    keys = [(one.repository, one.path, one.line) for one in judged]
    assert keys == sorted(set(keys))
    commits = {(one.repository, one.commit) for one in judged}
    assert len(commits) == len({one.repository for one in judged})


def test_a_finding_near_a_place_speaks_of_it_and_the_surest_counts() -> None:
    place = Place("glaze/kilns", "0" * 12, "skills/fire/SKILL.md", 10, "right", "read")
    near = Loop("loop/keep-calling", place.path, 11, 12, "low")
    sure = Loop("loop/model-sleeps", place.path, 9, 9, "high")
    elsewhere = Loop("loop/keep-calling", "other.md", 9, 9, "high")
    below = Loop("loop/keep-calling", place.path, 13, 14, "high")
    assert said_of(place, []) == "nothing"
    assert said_of(place, [near]) == "low"
    assert said_of(place, [near, sure]) == "shown"
    assert said_of(place, [elsewhere, below]) == "nothing"
