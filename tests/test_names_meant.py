"""An index of names answers as asking for each of them does."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from waitlint.prose import NamesMeant, same_name

WORDS = ("get", "job", "jobs", "the", "tool", "function", "status", "build")
JOINED = st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).flatmap(
    lambda words: st.sampled_from(["_", "-", "", " ", ".", "__", ":", "/"]).map(lambda mark: mark.join(words))
)


@given(st.lists(JOINED, max_size=8), st.lists(JOINED, max_size=8))
def test_the_index_answers_as_each_comparison_does(names: list[str], written: list[str]) -> None:
    index = NamesMeant(names)
    for one in written:
        assert index.of(one) == {name for name in names if same_name(one, name)}


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("check build status", {"check_build_status"}),
        ("checkBuildStatus", {"check_build_status"}),
        ("`check-build-status`", {"check_build_status"}),
        ("the get_job", {"get_job"}),
        ("server:get_job", {"get_job"}),
        ("job", set()),
    ],
)
def test_names_are_found_as_people_write_them(written: str, meant: set[str]) -> None:
    assert NamesMeant(["check_build_status", "get_job"]).of(written) == meant
