"""Fixing a file with other line ends, a mark in front or other letters changes the same words and no more."""

from __future__ import annotations

import shutil
from functools import cache
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from goldens import fixed, scanned
from harness import FIXTURES, name_of, projects
from waitlint import frontends
from waitlint.changing import changes
from waitlint.facts import Span
from waitlint.fix import RewriteText
from waitlint.source import Source

BOM = b"\xef\xbb\xbf"
FORMATS = (
    "tell/prompt-contradicts-tool/bad/prompts-in-data",
    "tell/prompt-contradicts-tool/bad/text-prompt",
    "tell/silent-wait/bad/ts-lowlevel-manifest",
    "tell/silent-prompt/bad/ts-cursor-rule",
    "cancel/run-ignores-stop/bad/ts-remix-action",
    "story/python/first-repair",
    "story/typescript/first-repair",
)
FIXED = [project for project in projects() if (project / "fixed.diff").is_file()]
# A few more of all that can be fixed, others for each change of their number.
SOME = sorted({*FORMATS, *map(name_of, Random(len(FIXED)).sample(FIXED, 14))})


def with_returns(content: bytes) -> bytes:
    return content.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")


def marked(content: bytes) -> bytes:
    return content if content.startswith(BOM) else BOM + content


def both(content: bytes) -> bytes:
    return marked(with_returns(content))


# What these are read by is not code, and no editor of theirs writes a mark.
PLAIN = frozenset({"waitlint.toml", "package.json", "pyproject.toml", "tsconfig.json"})


@cache
def as_it_is(name: str) -> dict[str, bytes]:
    return after(FIXTURES / name)


def after(project: Path) -> dict[str, bytes]:
    """The files that fixing changes, as they are then."""
    scan = scanned(project)
    return {change.absolute.relative_to(project).as_posix(): change.after for change in changes(scan, fixed(scan).scan)}


@pytest.mark.parametrize("variant", [with_returns, marked, both], ids=["returns", "a mark", "both"])
@pytest.mark.parametrize("name", SOME)
def test_line_ends_and_marks_stay(name: str, variant, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    project = tmp_path / "project"
    shutil.copytree(FIXTURES / name, project)
    for path in project.rglob("*"):
        if path.is_file() and path.name not in PLAIN and path.suffix not in (".diff", ".expect"):
            path.write_bytes(variant(path.read_bytes()))
    assert after(project) == {path: variant(content) for path, content in as_it_is(name).items()}


WORDS = st.text(st.characters(codec="utf-8", exclude_characters="\ufffc\x00\r"), min_size=1, max_size=160)


@settings(max_examples=60, deadline=None)
@given(words=WORDS, width=st.integers(40, 120), newline=st.sampled_from(["\n", "\r\n"]))
@pytest.mark.parametrize(
    ("language", "before", "behind"),
    [
        ("python", "tool(name='a', description=", ")"),
        ("python", "tool(\n    description=", ",  # ü\n)"),
        ("python", "WORDS = (\n    'é 漢 '\n    ", "\n)"),
        ("typescript", "tool({\n  description: ", ", // ü\n});"),
        ("typescript", "const words =\n  'é 漢 ' +\n  ", ";"),
    ],
)
def test_any_words_are_said_whatever_the_width(
    language: str, before: str, behind: str, words: str, width: int, newline: str
) -> None:
    code = f"{before}'Weigh it.'{behind}\n".replace("\n", newline)
    at = code.index("'Weigh")
    start = code.index("'é") if "é" in before else at
    end = at + len("'Weigh it.'")
    lead = "é 漢 " if "é" in before else ""
    made = frontends.edits(
        Source("mill", code), language, RewriteText("mill", Span(start, end), f"{lead}Weigh it. {words}"), width
    )
    if made is None:
        return
    text = code
    for edit in sorted(made, reverse=True):
        text = text[: edit.start] + edit.text + text[edit.end :]
    assert ("\r" in text) is (newline == "\r\n")
    end += len(text) - len(code)
    again = frontends.edits(
        Source("mill", text), language, RewriteText("mill", Span(start, end), f"{lead}Weigh it. {words}"), width
    )
    assert again in ((), None)
