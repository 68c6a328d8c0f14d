"""One walk through a file finds what everybody after it looks for."""

from __future__ import annotations

from pathlib import Path

import pytest

from waitlint.facts import FileFacts
from waitlint.project.found import Walked
from waitlint.project.slices import Slices
from waitlint.project.walk import walk
from waitlint.reading import facts_of
from waitlint.source import Source
from waitlint.spelled import tail

FIXTURES = Path(__file__).parent.parent / "fixtures"
LANGUAGES = {".py": "python", ".ts": "typescript", ".tsx": "typescript", ".js": "typescript", ".mjs": "typescript"}


def facts(code: str, language: str = "python") -> FileFacts:
    return facts_of(Source("work.py" if language == "python" else "work.ts", code), language, "code")


def walked(code: str, language: str = "python") -> Walked:
    return walk("work", facts(code, language))


def test_calls_in_what_is_assigned_to_are_calls_too() -> None:
    found = walked("def work(pages):\n    counts[kind_of(pages)] += 1\n    made_by(pages).state = told(pages)\n")
    assert {tail(one.call.func) for one in found.calls} == {"kind_of", "made_by", "told"}


def test_loops_come_in_order_each_with_its_function() -> None:
    found = walked(
        "for one in all:\n    pass\ndef work():\n    while True:\n        for two in some:\n            pass\n"
    )
    assert [(one.loop.kind, one.function) for one in found.loops] == [("each", None), ("while", 0), ("each", 0)]


@pytest.mark.parametrize("family", sorted(one.name for one in FIXTURES.iterdir() if one.is_dir()))
def test_each_name_that_some_function_binds_is_among_those_that_the_walk_tells(family: str) -> None:
    for path in sorted((FIXTURES / family).rglob("*")):
        language = LANGUAGES.get(path.suffix)
        if language is None or not path.is_file():
            continue
        found = facts_of(Source(path.name, path.read_text(encoding="utf-8")), language, "code")
        bound = walk(path.name, found).bound
        for index, function in enumerate(found.functions):
            assert Slices(function, found).bound <= bound.get(index, frozenset()), path
