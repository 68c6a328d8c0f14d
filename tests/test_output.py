"""Outputs: the JSON schema to the letter, and the texts as a person reads them."""

from __future__ import annotations

import json

import msgspec
import pytest

from waitlint import output
from waitlint.finding import Confidence, Severity
from waitlint.fix import Applicability, Edit, Fix
from waitlint.output import closing, statistics
from waitlint.output.styled import coloured, plain, visible, width
from waitlint.report import Proof, References, Report, Reported, Skipped, Spot, Summary

FINDING = Reported(
    rule="loop/keep-calling",
    severity=Severity.ERROR,
    confidence=Confidence.HIGH,
    spot=Spot("prompts/system.md", 12, 3, 12, 26),
    message="The model is told to call `get_job` until it is done.",
    help="Let the tool wait, and say that one call is enough.",
    references=References(("R1", "R4"), ("C1", "C5"), (1,)),
    tools=("get_job",),
    fingerprint="0123456789abcdef0123",
    evidence=(Proof(Spot("src/tools.py", 4, 1, 4, 9), "`get_job` reads once"),),
    fix=Fix("say that it waits", Applicability.SAFE, (Edit("prompts/system.md", 100, 123, "Call it once"),)),
    excerpt=("- Keep calling `get_job` until done.",),
)
REPORT = Report(
    (FINDING,),
    Summary(
        files=3,
        in_view=5,
        by_surface={"prompt": 1, "code": 2},
        skipped=(Skipped("logo.png", "binary"), Skipped("more.png", "binary")),
        unknown={"caps": 2},
        hidden=1,
        suppressed=4,
    ),
)


def test_json_is_the_documented_schema() -> None:
    assert json.loads(output.render(REPORT, "json")) == {
        "version": 1,
        "findings": [
            {
                "rule": "loop/keep-calling",
                "severity": "error",
                "confidence": "high",
                "path": "prompts/system.md",
                "line": 12,
                "column": 3,
                "end_line": 12,
                "end_column": 26,
                "message": "The model is told to call `get_job` until it is done.",
                "help": "Let the tool wait, and say that one call is enough.",
                "references": {"rules": ["R1", "R4"], "checklist": ["C1", "C5"], "seeds": [1]},
                "tools": ["get_job"],
                "fingerprint": "0123456789abcdef0123",
                "evidence": [{"path": "src/tools.py", "line": 4, "message": "`get_job` reads once"}],
                "also_in": [],
                "vendored": False,
                "fix": {
                    "title": "say that it waits",
                    "applicability": "safe",
                    "edits": [{"path": "prompts/system.md", "start": 100, "end": 123, "text": "Call it once"}],
                },
            }
        ],
        "summary": {
            "files": 3,
            "by_surface": {"code": 2, "prompt": 1},
            "skipped": [{"path": "logo.png", "reason": "binary"}, {"path": "more.png", "reason": "binary"}],
            "unknown": {"caps": 2},
            "findings": {"error": 1, "warning": 0, "advice": 0},
            "hidden": 1,
            "suppressed": 4,
            "known": 0,
            "gone": 0,
        },
    }


def test_a_finding_without_a_fix_has_null_in_json() -> None:
    bare = Report((msgspec.structs.replace(FINDING, fix=None),), Summary())
    assert json.loads(output.render(bare, "json"))["findings"][0]["fix"] is None


def test_full_shows_place_line_fault_reason_help_and_references() -> None:
    assert output.render(REPORT, "full") == (
        "loop/keep-calling error: The model is told to call `get_job` until it is done.\n"
        "  --> prompts/system.md:12:3\n"
        "   |\n"
        "12 | - Keep calling `get_job` until done.\n"
        "   |   ^^^^^^^^^^^^^^^^^^^^^^^\n"
        "   |\n"
        "   = known from: src/tools.py:4: `get_job` reads once\n"
        "   = tools: get_job\n"
        "   = help: Let the tool wait, and say that one call is enough.\n"
        "   = fixable: say that it waits (--fix)\n"
        "   = see: waitlint rule loop/keep-calling · rules R1, R4 · checklist C1, C5\n"
        "\n"
    )


def test_concise_is_one_line_a_finding() -> None:
    assert output.render(REPORT, "concise") == (
        "prompts/system.md:12:3: error loop/keep-calling "
        "The model is told to call `get_job` until it is done. [fixable]\n"
    )


def shown(spot: Spot, *excerpt: str) -> list[str]:
    finding = msgspec.structs.replace(FINDING, spot=spot, excerpt=excerpt, evidence=(), fix=None)
    text = output.render(Report((finding,), Summary()), "full")
    return text[text.index(" |\n") + 3 : text.rindex(" = tools")].splitlines()[:-2]


def test_several_lines_are_each_underlined_and_long_ones_cut() -> None:
    lines = shown(Spot("a.py", 9, 5, 12, 6), "    while True:", "        read()", "", "    x()", "    y()")
    assert lines == [
        " 9 |     while True:",
        "   |     ^^^^^^^^^^^",
        "10 |         read()",
        "   |         ^^^^^^",
        "11 |",
        ".. | … 1 more line",
    ]


def test_tabs_and_wide_characters_keep_the_marks_in_place() -> None:
    lines = shown(Spot("a.py", 1, 4, 1, 6), "\t日本go")
    assert lines == ["1 |     日本go", "  |         ^^"]


def test_a_long_line_is_shown_around_its_fault() -> None:
    lines = shown(Spot("a.md", 1, 501, 1, 511), "x" * 500 + "y" * 10 + "z" * 500)
    assert len(lines[0]) < 200
    assert lines[0].startswith("1 | …x")
    assert lines[0].endswith("z…")
    marked = lines[0][lines[1].index("^") : lines[1].rindex("^") + 1]
    assert marked == "y" * 10


def test_a_place_without_width_has_one_mark() -> None:
    assert shown(Spot("a.md", 1, 1, 1, 1), "") == ["1 |", "  | ^"]


def test_source_can_not_act_in_the_terminal() -> None:
    finding = msgspec.structs.replace(FINDING, excerpt=("\x1b[2J\u202eevil\x07",), message="\x1b]0;title\x07")
    for name in output.TEXT_FORMATS:
        text = output.render(Report((finding,), Summary()), name)
        assert not {"\x1b", "\u202e", "\x07"} & set(text)


def test_widths() -> None:
    assert [width(text) for text in ("", "abc", "日本", "e\u0301")] == [0, 3, 4, 1]
    assert visible("a\tb\x00") == "a    b\ufffd"


def test_colour_changes_no_words() -> None:
    import re

    for name in output.TEXT_FORMATS:
        lines = list(output.lines(REPORT, name))
        assert "\x1b[" in coloured(lines)
        assert re.sub(r"\x1b\[[0-9;]*m", "", coloured(lines)) == plain(lines) == output.render(REPORT, name)


def closed(report: Report, *, verbose: bool = False) -> list[str]:
    return plain(closing.lines(report, verbose=verbose)).splitlines()


def test_the_closing_lines_tell_what_was_and_was_not_seen() -> None:
    assert closed(REPORT) == [
        "Found 1 finding: 1 error.",
        "1 finding of advice or low confidence not shown (--pedantic).",
        "4 silenced by a comment.",
        "1 fixable with --fix.",
        "Read 3 files: 2 code, 1 prompt.",
        "Skipped 2 files: 2 binary.",
        "Could not be told: 2 caps.",
    ]
    assert closed(REPORT, verbose=True)[-2:] == ["  skipped: logo.png: binary", "  skipped: more.png: binary"]


def test_clean_and_not_scanned_are_told_apart() -> None:
    assert closed(Report((), Summary(files=2, by_surface={"code": 2})))[0] == "No findings."
    assert closed(Report((), Summary()))[0].startswith("Nothing was scanned")


@pytest.mark.parametrize(
    ("applicabilities", "words"),
    [
        ([Applicability.SAFE, Applicability.UNSAFE], "1 fixable with --fix, 1 more with --unsafe-fixes."),
        ([Applicability.UNSAFE], "1 fixable with --fix --unsafe-fixes."),
        ([Applicability.DISPLAY], None),
    ],
)
def test_only_what_can_be_applied_is_called_fixable(applicabilities: list[Applicability], words: str | None) -> None:
    findings = tuple(
        msgspec.structs.replace(FINDING, fix=msgspec.structs.replace(FINDING.fix, applicability=applicability))
        for applicability in applicabilities
        if FINDING.fix
    )
    lines = closed(Report(findings, Summary(files=1)))
    assert (words in lines) if words else not any("fixable" in line for line in lines)


def test_statistics_count_each_rule() -> None:
    other = msgspec.structs.replace(FINDING, rule="cap/uncapped-wait", severity=Severity.WARNING, fix=None)
    report = Report((FINDING, other, other), Summary())
    assert plain(statistics.lines(report)).splitlines() == [
        "2  warning  cap/uncapped-wait",
        "1  error    loop/keep-calling  (1 fixable)",
    ]
