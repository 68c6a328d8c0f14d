"""Comments that silence findings, and those that silence nothing."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from waitlint import suppression
from waitlint.facts import Comment, FileFacts, Span
from waitlint.finding import Confidence, Finding, Place, Severity
from waitlint.linked import Tool
from waitlint.source import Source

NAMES = ("cap/busy-poll", "cap/uncapped-wait", "loop/keep-calling", "waitlint/unused-suppression")


@pytest.fixture(autouse=True)
def _rules(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(suppression, "rule_names", lambda: NAMES)


def finding_at(text: str, words: str, rule: str = "cap/uncapped-wait", tools: tuple[str, ...] = ()) -> Finding:
    start = text.index(words)
    return Finding(
        rule=rule,
        severity=Severity.ERROR,
        confidence=Confidence.HIGH,
        place=Place("a.py", Span(start, start + len(words))),
        message="m",
        help="h",
        scope="s",
        excerpt=words,
        tools=tools,
    )


def applied(
    text: str,
    *findings: Finding,
    tools: tuple[Tool, ...] = (),
    ran: Callable[[str, str], bool] = lambda rule, path: True,
) -> suppression.Silenced:
    """As a front end hands comments over: each `#` to its line's end."""
    comments, position = [], 0
    for line in text.splitlines(keepends=True):
        if "#" in line:
            at = line.index("#")
            comments.append(Comment(line[at + 1 :].strip(), Span(position + at, position + len(line.rstrip("\n")))))
        position += len(line)
    files = {"a.py": FileFacts("python", "code", comments=tuple(comments))}
    return suppression.apply(findings, files, tools, lambda path: Source(path, text), ran)


def test_a_comment_silences_its_own_line() -> None:
    text = "while True:  # waitlint: ignore[cap/uncapped-wait] the server ends it\n    read()\n"
    result = applied(text, finding_at(text, "while True:"))
    assert (result.findings, result.silenced, result.unused) == ((), 1, ())


def test_a_comment_on_a_line_of_its_own_speaks_of_the_next_line() -> None:
    text = "# waitlint: ignore[cap/uncapped-wait] why\n\n# waitlint: ignore[cap/busy-poll]\nwhile True:\n    read()\n"
    result = applied(text, finding_at(text, "while True:"), finding_at(text, "while True:", "cap/busy-poll"))
    assert (result.findings, result.silenced, result.unused) == ((), 2, ())


def test_a_comment_behind_code_says_nothing_of_the_next_line() -> None:
    text = "x = 1  # waitlint: ignore[cap/uncapped-wait]\nwhile True:\n    read()\n"
    result = applied(text, finding_at(text, "while True:"))
    assert len(result.findings) == 1
    assert len(result.unused) == 1


def test_the_last_line_of_a_text_carries_its_comment() -> None:
    text = 'T = """Keep\ncalling."""  # waitlint: ignore[loop]\n'
    result = applied(text, finding_at(text, 'Keep\ncalling."""', "loop/keep-calling"))
    assert (result.findings, result.unused) == ((), ())


def test_a_family_or_all_rules_of_a_whole_file() -> None:
    text = "a = 1\nwhile True: pass\n# waitlint: ignore-file[cap] generated\n"
    assert applied(text, finding_at(text, "while True")).findings == ()
    assert applied(text.replace("cap", "all"), finding_at(text, "while True", "loop/keep-calling")).findings == ()
    assert len(applied(text, finding_at(text, "while True", "loop/keep-calling")).findings) == 1


def test_another_rule_is_not_silenced() -> None:
    text = "while True:  # waitlint: ignore[cap/busy-poll]\n    read()\n"
    result = applied(text, finding_at(text, "while True:"))
    assert len(result.findings) == 1
    assert [(f.rule, f.severity) for f in result.unused] == [("waitlint/unused-suppression", Severity.WARNING)]
    assert "cap/busy-poll" in result.unused[0].message


def test_of_two_rules_only_the_idle_one_is_called_unused() -> None:
    text = "while True:  # waitlint: ignore[cap/busy-poll, cap/uncapped-wait]\n    read()\n"
    result = applied(text, finding_at(text, "while True:"))
    assert result.findings == ()
    assert [f.scope for f in result.unused] == ["cap/busy-poll"]


def test_a_comment_for_a_rule_that_did_not_run_is_not_judged() -> None:
    text = "x = 1  # waitlint: ignore[cap/busy-poll]\ny = 1  # waitlint: ignore[cap]\n"
    assert applied(text, ran=lambda rule, path: rule != "cap/busy-poll").unused == ()


def test_a_wrong_name_is_told_with_the_nearest_right_one() -> None:
    result = applied("x = 1  # waitlint: ignore[cap/uncaped-wait]\n")
    assert "no rule is called `cap/uncaped-wait`" in result.unused[0].message
    assert "'cap/uncapped-wait'" in result.unused[0].help


def test_a_comment_without_a_rule_silences_nothing_and_is_told() -> None:
    text = "while True:  # waitlint: ignore\n    read()\n"
    result = applied(text, finding_at(text, "while True:"))
    assert len(result.findings) == 1
    assert "names no rule" in result.unused[0].message


def tool_at(text: str, words: str, name: str) -> Tool:
    return Tool(name, Place("a.py", Span(text.index(words), text.index(words) + len(words))), "mcp", "high")


def test_at_a_tools_definition_it_must_hold_for_every_tool_that_is_named() -> None:
    text = "def one(): # waitlint: ignore[cap]\n    wait()\ndef two():\n    wait()\ndef wait():\n    while True: pass\n"
    tools = (tool_at(text, "def one()", "one"), tool_at(text, "def two()", "two"))
    both = finding_at(text, "while True", tools=("one", "two"))
    alone = finding_at(text, "while True", tools=("one",))
    assert len(applied(text, both, tools=tools).findings) == 1
    assert applied(text, alone, tools=tools).findings == ()


def test_other_comments_to_us_are_no_directives() -> None:
    assert applied("x = 1  # expect: cap/busy-poll\ny = 2  # waitlint: hello\n").unused == ()
