"""Minimal pairs: one word, one subject, one column head decides whether a sentence makes a model poll.

`tests/prose_pairs/*.yaml` hold groups of cases `[expectation, text]`. The expectation is

* `poll`, `sleeps`: an order to look again, or to sleep, of medium or high confidence;
* `quiet`: neither; `low`: a loop of low confidence alone;
* the name of another kind: an intent of that kind and no loop; `!kind`: no intent of that kind.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from waitlint.facts import Intent
from waitlint.prose import KINDS, read

PAIRS = Path(__file__).parent / "prose_pairs"
LOOPS = {"poll", "model-sleeps"}


def cases() -> Iterator[tuple[str, str, str, str]]:
    for path in sorted(PAIRS.glob("*.yaml")):
        for group in yaml.safe_load(path.read_text(encoding="utf-8")):
            for expectation, text in group["cases"]:
                yield f"{path.stem}: {group['group']}", group["role"], expectation, text


def loops(intents: tuple[Intent, ...]) -> list[Intent]:
    return [intent for intent in intents if intent.kind in LOOPS and intent.confidence != "low" and intent.backing >= 0]


def holds(expectation: str, intents: tuple[Intent, ...]) -> bool:
    strong = loops(intents)
    kinds = {intent.kind for intent in intents}
    if expectation == "poll":
        return any(intent.kind == "poll" for intent in strong)
    if expectation == "sleeps":
        return bool(strong) and all(intent.kind == "model-sleeps" for intent in strong)
    if expectation.startswith("!"):
        return expectation[1:] not in kinds
    if strong:
        return False
    if expectation == "low":
        return bool(kinds & LOOPS)
    return expectation == "quiet" or expectation in kinds


ALL = list(cases())


@pytest.mark.parametrize(("group", "role", "expectation", "text"), ALL)
def test_each_sentence_is_read_as_marked(group: str, role: str, expectation: str, text: str) -> None:
    intents = read(text, role)
    assert holds(expectation, intents), (
        f"{group}: expected {expectation}, read {[(i.kind, i.confidence) for i in intents]}"
    )


def test_precision_and_recall_of_loops(capsys: pytest.CaptureFixture[str]) -> None:
    right = wrong = missed = 0
    for _, role, expectation, text in ALL:
        if expectation.startswith("!"):
            continue
        found = bool(loops(read(text, role)))
        ordered = expectation in ("poll", "sleeps")
        right += found and ordered
        wrong += found and not ordered
        missed += ordered and not found
    precision, recall = right / (right + wrong), right / (right + missed)
    with capsys.disabled():
        print(f"\nprose: {len(ALL)} sentences, precision {precision:.3f}, recall {recall:.3f}")
    assert len(ALL) >= 250
    assert precision >= 0.97
    assert recall >= 0.95


def test_every_expectation_is_a_kind() -> None:
    names = {expectation.lstrip("!") for _, _, expectation, _ in ALL}
    assert names <= set(KINDS) | {"poll", "sleeps", "quiet", "low"}
