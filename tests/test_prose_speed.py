"""Reading takes time in proportion to the text, whatever stands in it: held by ratios, never by a time."""

from __future__ import annotations

import time

import pytest

from waitlint.prose import has_cue, read

PARAGRAPH = (
    "Start the job with `start_job`. It returns a job ID immediately and may take several minutes. If the status is\n"
    '"running", wait 10 seconds and call `get_job` again until it is done. Do not poll faster than that, and never\n'
    "call the same tool more than twice. You will be notified when the export is ready.\n\n"
    "| State | Action |\n|---|---|\n| `queued` | Keep polling |\n\n- Read the report.\n"
    "- Check the status every 30 s.\n\n"
)


def seconds(text: str) -> float:
    best = float("inf")
    for _ in range(2):
        started = time.process_time()
        read(text, "document")
        best = min(best, time.process_time() - started)
    return best


def test_time_is_linear() -> None:
    small, large = PARAGRAPH * 50, PARAGRAPH * 200
    read(PARAGRAPH, "document")
    assert seconds(large) <= 4.6 * seconds(small) + 0.05


@pytest.mark.parametrize(
    "piece",
    [
        "poll ",
        "keep calling ",
        "until until ",
        "every 5 ",
        "do not ",
        "wait wait 5 ",
        "if it is running, ",
        "`a` ",
        "`",
        "``",
        "*",
        "**a",
        "_",
        "[a](",
        "[",
        "](",
        "<a ",
        "<",
        "((((",
        "'",
        '"',
        "“",
        "| a ",
        "> ",
        "- ",
        "1. ",
        "a-",
        "a.",
        "5-",
        "5,",
        "return ",
        "call again ",
        "stop when ",
        "at least 3 x ",
        "never loop call ",
        "check the x x x ",
        "轮询",
        "consulta ",
        "\ufffc ",
        "-->",
        "…",
    ],
)
@pytest.mark.parametrize("joint", ["", "\n"])
def test_no_pattern_backtracks(piece: str, joint: str) -> None:
    def of_length(length: int) -> str:
        return "Poll until done. " + (piece + joint) * (length // (len(piece) + len(joint)))

    # What backtracks takes at least sixteen times as long for four times the text.
    assert seconds(of_length(12_000)) <= 10 * seconds(of_length(3_000)) + 0.1


def test_texts_without_a_cue_cost_next_to_nothing() -> None:
    prose = PARAGRAPH * 400
    plain = ("Write plain words and name the colours of the flags. " * (len(prose) // 50))[: len(prose)]
    started = time.process_time()
    assert not has_cue(plain)
    looked = time.process_time() - started
    assert looked <= seconds(prose) / 10
