"""Calls do not go to the operating system for the room of their frames."""

from __future__ import annotations

import resource
import sys

import pytest

from waitlint.cli.room import with_room

LAPS = 300
DEEP = 150


def _leaf() -> None:
    return None


def _calls_at_each_depth(depth: int) -> None:
    for _ in range(LAPS):
        _leaf()
    if depth:
        _calls_at_each_depth(depth - 1)


def _faults() -> int:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    _calls_at_each_depth(DEEP)
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before


def test_work_is_done_and_its_result_comes_back() -> None:
    assert with_room(lambda: 7) == 7


def test_what_work_raises_comes_out() -> None:
    with pytest.raises(ZeroDivisionError):
        with_room(lambda: 1 // 0)


@pytest.mark.skipif(sys.platform != "linux", reason="counts the page faults of Linux")
def test_no_call_of_a_loop_has_a_page_made_for_its_frame() -> None:
    assert with_room(_faults) < LAPS
    assert with_room(lambda: with_room(_faults)) < LAPS
