"""What is said of files rather than of words: copies, loops that are meant, files from elsewhere, the list of files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from waitlint.cli import run

SAID = "Keep calling get_job until it resolves.\n"


@pytest.fixture
def product(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    def check(files: dict[str, str], *arguments: str) -> str:
        for name, text in {"waitlint.toml": "root = true\n", **files}.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        monkeypatch.chdir(tmp_path)
        assert run(["check", "--no-cache", "--jobs", "1", *arguments]) in (0, 1)
        out: str = capsys.readouterr().out
        return out

    return check


def findings(out: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(out)["findings"]
    return found


COPIES = {"AGENTS.md": SAID, "a/AGENTS.md": SAID, "a/CLAUDE.md": SAID, "b/.cursorrules": SAID, "c/AGENTS.md": SAID}


def test_identical_copies_are_reported_once_and_counted(product: Any) -> None:
    (found,) = findings(product(COPIES, "--output-format", "json"))
    assert found["path"] == "AGENTS.md"
    assert found["also_in"] == ["a/AGENTS.md", "a/CLAUDE.md", "b/.cursorrules", "c/AGENTS.md"]
    assert found["evidence"] == []


def test_the_texts_say_in_how_many_files(product: Any) -> None:
    assert "(also in 4 files)" in product(COPIES, "--output-format", "concise")
    full = product({}, "--output-format", "full")
    assert "also in: 4 files with the same content: a/AGENTS.md, a/CLAUDE.md, b/.cursorrules and 1 more" in full


def test_copies_are_related_places_in_sarif(product: Any) -> None:
    document = json.loads(product(COPIES, "--output-format", "sarif"))
    (result,) = document["runs"][0]["results"]
    places = [place["physicalLocation"]["artifactLocation"]["uri"] for place in result["relatedLocations"]]
    assert places == ["a/AGENTS.md", "a/CLAUDE.md", "b/.cursorrules", "c/AGENTS.md"]


def test_asking_for_a_copy_reports_it(product: Any) -> None:
    product(COPIES)
    (found,) = findings(product({}, "c", "--output-format", "json"))
    assert "c/AGENTS.md" in {found["path"], *found["also_in"]}


def test_a_loop_that_is_meant_to_be_one_is_none(product: Any) -> None:
    assert findings(product({".claude/loop.md": SAID}, "--pedantic", "--output-format", "json")) == []


def test_the_readme_of_a_skill_is_of_low_confidence(product: Any) -> None:
    skill = {"skills/x/SKILL.md": "---\nname: x\ndescription: y\n---\nBe brief.\n", "skills/x/README.md": SAID}
    assert findings(product(skill, "--output-format", "json")) == []
    (found,) = findings(product({}, "--pedantic", "--output-format", "json"))
    assert (found["path"], found["confidence"]) == ("skills/x/README.md", "low")


def test_what_came_from_elsewhere_is_told_apart(product: Any) -> None:
    path = ".claude/plugins/marketplaces/depot/skills/x/SKILL.md"
    skill = {path: f"---\nname: x\ndescription: y\n---\n{SAID}"}
    assert findings(product(skill, "--output-format", "json")) == []
    (found,) = findings(product({}, "--pedantic", "--output-format", "json"))
    assert (found["path"], found["severity"], found["vendored"]) == (path, "advice", True)
    assert "1 of them in files that came from elsewhere." in product({}, "--pedantic")


def test_each_file_is_listed_with_what_it_is_or_why_it_is_not_read(product: Any) -> None:
    files = {
        "AGENTS.md": SAID,
        "a/CLAUDE.md": SAID,
        "README.md": "x\n",
        "data.csv": "x\n",
        "src/server.py": 'PROMPT = open("words.md").read()\n',
        "src/words.md": "Be brief, and never make a number up.\nSay so where you do not know.\n",
        "src/main.go": 'package main\nimport "github.com/mark3labs/mcp-go/mcp"\n',
        "src/Tool.cs": "[McpServerTool]\n",
        "src/Tool.java": "@Tool class X {}\n",
        "src/tool.rs": "use rmcp::tool;\n",
    }
    listed = {
        file["path"]: file for file in json.loads(product(files, "--show-files", "--output-format", "json"))["files"]
    }
    assert listed == {
        "AGENTS.md": {"path": "AGENTS.md", "surface": "agents-md"},
        "README.md": {"path": "README.md", "reason": "for people"},
        "a/CLAUDE.md": {"path": "a/CLAUDE.md", "surface": "claude-md", "same_as": "AGENTS.md"},
        "data.csv": {"path": "data.csv", "reason": "no place where a model reads"},
        "src/Tool.cs": {"path": "src/Tool.cs", "reason": "C# is not read"},
        "src/Tool.java": {"path": "src/Tool.java", "reason": "Java is not read"},
        "src/main.go": {"path": "src/main.go", "reason": "Go is not read"},
        "src/server.py": {"path": "src/server.py", "surface": "code"},
        "src/tool.rs": {"path": "src/tool.rs", "reason": "Rust is not read"},
        "src/words.md": {"path": "src/words.md", "surface": "linked"},
        "waitlint.toml": {"path": "waitlint.toml", "reason": "no place where a model reads"},
    }
    text = product({}, "--show-files")
    assert "a/CLAUDE.md  claude-md, the same as AGENTS.md\n" in text
    assert "src/main.go  not read: Go is not read\n" in text


def test_tools_in_languages_that_are_not_read_are_said_to_be_unread(product: Any) -> None:
    out = product({"AGENTS.md": "Be brief.\n", "main.go": 'import "github.com/mark3labs/mcp-go/mcp"\n'})
    assert "Skipped 1 file: 1 Go is not read." in out
