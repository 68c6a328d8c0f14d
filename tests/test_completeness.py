"""Each rule has its page, its bad and its good fixtures, and examples that are what they are called."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import pytest

from harness import FIXTURES, marks, projects, run
from waitlint.rule import Rule, load_rules

RULES = load_rules()
NAMES = [rule.name for rule in RULES]
PAGES = Path(__file__).parent.parent / "rules" / "waitlint_rules"
HEADINGS = [
    "What it finds",
    "Why",
    "Example: bad",
    "Example: good",
    "What to do",
    "When it stays silent",
    "How to switch it off",
    "References",
]
FENCE = re.compile(r"^```(?P<language>\w+) (?P<path>\S+)\n(?P<code>.*?)^```$", re.MULTILINE | re.DOTALL)


class Example(NamedTuple):
    """The files under one heading of a page, which stand together."""

    rule: str
    kind: str
    title: str
    files: dict[str, str]


def sections(text: str, level: int) -> dict[str, str]:
    """The texts under the headings of a level, outside of fences."""
    found: dict[str, str] = {}
    title, fenced = "", False
    for line in text.splitlines(keepends=True):
        fenced ^= line.startswith("```")
        if not fenced and line.startswith("#" * level + " "):
            title = line[level + 1 :].strip()
        found[title] = found.get(title, "") + line
    return found


def examples(rule: Rule) -> list[Example]:
    found = []
    for kind in ("bad", "good"):
        for title, text in sections(sections(rule.page, 2).get(f"Example: {kind}", ""), 3).items():
            files = {match["path"]: match["code"] for match in FENCE.finditer(text)}
            if files:
                found.append(Example(rule.name, kind, title, files))
    return found


EXAMPLES = [example for rule in RULES for example in examples(rule)]


@pytest.mark.parametrize("rule", RULES, ids=NAMES)
def test_the_page_has_its_headings(rule: Rule) -> None:
    titles = [title for title in sections(rule.page, 2) if not title.startswith("#") and title]
    assert titles == HEADINGS
    assert rule.page.startswith(f"# {rule.name}\n")


@pytest.mark.parametrize("rule", RULES, ids=NAMES)
def test_the_page_names_what_the_rule_refers_to(rule: Rule) -> None:
    references = sections(rule.page, 2)["References"]
    assert set(re.findall(r"\bR\d\b", references)) == set(rule.rules)
    assert set(re.findall(r"\bC\d\b", references)) == set(rule.checklist)
    assert f"ignore[{rule.name}]" in sections(rule.page, 2)["How to switch it off"]


@pytest.mark.parametrize("rule", RULES, ids=NAMES)
def test_there_are_examples_in_both_languages(rule: Rule) -> None:
    for kind in ("bad", "good"):
        assert {"Python", "TypeScript"} <= {example.title for example in examples(rule) if example.kind == kind}


@pytest.mark.parametrize("example", EXAMPLES, ids=[f"{e.rule} {e.kind} {e.title}" for e in EXAMPLES])
def test_an_example_is_what_it_is_called(example: Example, tmp_path: Path) -> None:
    (tmp_path / "waitlint.toml").write_text("root = true\n")
    for path, code in example.files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(code)
    report = run(tmp_path)
    assert not report.errors
    found = [finding.rule for finding in report.findings]
    assert found == ([example.rule] if example.kind == "bad" else [])


@pytest.mark.parametrize("rule", RULES, ids=NAMES)
def test_there_are_bad_and_good_fixtures(rule: Rule) -> None:
    bad = projects(FIXTURES / rule.name / "bad")
    good = projects(FIXTURES / rule.name / "good")
    assert any(hit.rule == rule.name for project in bad for hit in marks(project).expected)
    assert good


def test_every_page_belongs_to_a_rule() -> None:
    pages = {path.relative_to(PAGES).with_suffix("").as_posix().replace("_", "-") for path in PAGES.rglob("*.md")}
    assert pages == set(NAMES)
