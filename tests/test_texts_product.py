"""The table of surfaces through the whole product: `waitlint check` on a repository made from it.

Every place that a row says is read holds one polling sentence, each with a number of its own, and is found at its very
line and column; what is not read holds one as well, and is silent.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

from test_surfaces_rows import BASES, CASES, HEADS, ROWS, dumped, expanded, made, merged, steps
from waitlint.catalog.surfaces import Row, language_of
from waitlint.cli import run

SETTINGS = "root = true\n\n[surfaces]\nllms-txt = true\n"
ANCHORS = {
    "ext/gemini-extension.json": '{"name": "ext", "version": "1.0.0"}\n',
    "packs/ops/.claude-plugin/plugin.json": '{"name": "ops", "version": "1.0.0"}\n',
}
SENTENCE = re.compile(r"Keep calling (get_job_\d+|keep_out_\d+) until it resolves")


class Made(NamedTuple):
    """A file of the repository; sentences about `get_job_…` are to be found in it, those about `keep_out_…` not."""

    path: str
    text: str


class Counter:
    """Sentences, no two of them equal."""

    def __init__(self) -> None:
        self.number = 0

    def read(self) -> str:
        self.number += 1
        return f"Keep calling get_job_{self.number} until it resolves."

    def unread(self) -> str:
        self.number += 1
        return f"Keep calling keep_out_{self.number} until it resolves."


def data(row: Row, path: str, selector: str, count: Counter) -> Made:
    """A data document with a sentence in one of the places that its row reads, and one beside it."""
    leaf = made(steps(selector), f'So "far" – é😀\n{count.read()}\n')
    document = merged(merged(BASES.get(row.id, {}), leaf), _extra(leaf, count))
    language = row.language or language_of(path)
    is_json = path.endswith((".json", ".jsonc", ".af", ".snap", ".hook"))
    return Made(path, dumped(document, "json" if is_json else language))


def _extra(leaf: Any, count: Counter) -> dict[str, Any]:
    return {"unheard": count.unread()} if isinstance(leaf, dict) else {}


def document(row: Row, path: str, count: Counter) -> Made:
    """A document with sentences in its body and in the front matter that is read, and in what is not."""
    language = row.language or language_of(path)
    head = HEADS.get(row.id, "")
    if language == "markdown":
        fields: dict[str, Any] = {**_known_by(head), "unheard": count.unread(), "model": "sonnet"}
        for field in row.header:
            fields = merged(fields, made(steps(next(expanded(field.at))), count.read()))
        said_first = "" if head.startswith("---") else head
        head = "---\n" + dumped(fields, "yaml") + f"---\n{said_first}"
    said = count.unread if row.deliberate else count.read
    if row.deliberate:
        head = head.replace("get_job_", "keep_out_")
    comment = "" if language == "text" else f"<!--\n{count.unread() if row.hidden_comments else said()}\n-->\n"
    between = "\nA job is a thing.\n" * 3
    return Made(path, f"{head}# Jobs – é😀\n\n- {said()}\n{between}\n{comment}")


def _known_by(head: str) -> dict[str, Any]:
    """The front matter by which a document is known to be of its row."""
    return yaml.load(head.strip("-\n"), yaml.BaseLoader) if head.startswith("---") else {}


def special(row: Row, path: str, count: Counter) -> Made | None:
    """Files in a language of their own."""
    yes, no = count.read, count.unread
    name = path.rpartition("/")[2]
    if row.id == "baml":
        return Made(
            path,
            f'// {no()}\nfunction Watch(job: string) -> string {{\n  client GPT4\n  prompt #"\n    {yes()}\n  "#\n}}\n',
        )
    if row.id == "poml":
        return Made(path, f"<poml>\n  <!-- {no()} -->\n  <task>{yes()}</task>\n</poml>\n")
    if row.id == "skill-script":
        return Made(
            path, f'# {no()}\necho "{yes()}"\n' if name.endswith(".sh") else f'# {no()}\nWrite-Output "{yes()}"\n'
        )
    if row.id == "claude-workflows":
        return Made(path, f'// {no()}\nconsole.log("{no()}");\nawait agent("Look after the job of today. {yes()}");\n')
    if row.id == "code":
        return Made(path, _code(name, yes(), no()))
    if row.unread:
        return Made(path, HEADS.get(row.id, "") + dumped({"description": no()}, "json"))
    return None


def _code(name: str, said: str, unsaid: str) -> str:
    if name.endswith(".ipynb"):
        cells = [
            {"cell_type": "markdown", "metadata": {}, "source": [unsaid]},
            {"cell_type": "code", "metadata": {}, "outputs": [], "source": [f'PROMPT = "You watch jobs. {said}"\n']},
        ]
        return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, indent=1)
    if name.endswith(".py"):
        return f'# {unsaid}\nWATCH_PROMPT = """\nYou watch jobs.\n  {said}\n"""\n'
    return f"// {unsaid}\nexport const watchPrompt = `\nYou watch jobs.\n  {said}\n`;\n"


def tools(count: Counter) -> Iterator[Made]:
    """Definitions of tools, with sentences in their descriptions and in those of their arguments."""
    yes, no = count.read, count.unread

    def schema() -> dict[str, Any]:
        inner = {"type": "array", "items": {"anyOf": [{"type": "string", "description": yes()}]}}
        return {"type": "object", "properties": {"job": {"type": "string", "description": yes()}, "steps": inner}}

    def tool(name: str, key: str) -> dict[str, Any]:
        return {"name": name, "title": no(), "description": yes(), key: schema()}

    def operation(**more: Any) -> dict[str, Any]:
        return {"operationId": "x", "responses": {"200": {"description": no()}}, **more}

    shapes: dict[str, Any] = {
        "pkg/__toolsnaps__/take.snap": tool("take", "inputSchema"),
        "x/list.json": {"result": {"tools": [tool("list", "inputSchema")], "instructions": yes()}},
        "x/chat.json": [{"type": "function", "function": {**tool("chat", "parameters"), "strict": True}}],
        "x/responses.json": {"tools": [{"type": "function", **tool("respond", "parameters")}]},
        "x/messages.json": [tool("message", "input_schema")],
        "x/declared.json": [{"functionDeclarations": [tool("declare", "parameters")]}],
        "x/spec.json": [{"toolSpec": {"name": "spec", "description": yes(), "inputSchema": {"json": schema()}}}],
        "config/jobs.oas.json": {
            "openapi": "3.1.0",
            "paths": {
                "/a": {"post": operation(description=no(), **{"x-zuplo-route": {"mcp": {"description": yes()}}})},
                "/b": {"post": operation(summary=no(), description=yes(), **{"x-zuplo-mcp-tool": {"enabled": True}})},
                "/c": {"post": operation(description=no())},
                "/d": {
                    "post": operation(
                        summary=yes(),
                        parameters=[{"name": "job", "in": "query", "description": yes()}],
                        **{"x-zuplo-route": {"mcp": {"type": "tool"}}},
                    )
                },
            },
        },
    }  # fmt: skip
    for path, shape in shapes.items():
        yield Made(path, json.dumps(shape, indent="\t", ensure_ascii=False))


def silent(count: Counter) -> Iterator[Made]:
    """What nobody but people, tests and other programs reads."""
    no = count.unread
    prompt = 'SYSTEM_PROMPT = "{}"\n'
    for path in (
        "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "docs/guide.md", "docs/prompts/guide.md", "website/post.md",
        "notes.md", ".github/ISSUE_TEMPLATE/bug.md", ".github/PULL_REQUEST_TEMPLATE.md", "src/notes.txt",
    ):  # fmt: skip
        yield Made(path, f"# Jobs\n\n{no()}\n")
    for path in ("tests/test_app.py", "src/app_test.py", "evals/run.py", "vendor/lib/agent.py", "build/lib/agent.py"):
        yield Made(path, prompt.format(no()))
    for path in ("src/app.test.ts", "dist/app.js", "src/lib.min.js", "src/types.d.ts", "src/client.gen.ts"):
        yield Made(path, f'export const systemPrompt = "{no()}";\n')
    yield Made("tests/fixtures/skills/x/SKILL.md", f"---\nname: x\n---\n{no()}\n")
    yield Made("data/rows.json", json.dumps({"rows": [{"description": no()}]}))
    yield Made("settings.yaml", f"description: {no()}\n")
    yield Made("package-lock.json", json.dumps({"description": no()}))


def rounds() -> list[list[Made]]:
    """The files of each round: all places of one file can't be filled at the same time."""
    count = Counter()
    first: dict[str, Made] = {}
    further: list[dict[str, Made]] = []
    for surface, path in CASES:
        row = ROWS[surface]
        file = special(row, path, count)
        language = row.language or language_of(path)
        if file is None and language in ("markdown", "text"):
            file = document(row, path, count)
        if file is not None:
            first[path] = file
            continue
        selectors = [selector for field in row.fields for selector in expanded(field.at)]
        for number, selector in enumerate(selectors):
            while len(further) <= number:
                further.append({})
            further[number][path] = data(row, path, selector, count)
    first.update({file.path: file for file in silent(count) if file.path not in first})
    folders = {parent.as_posix() for path in first for parent in Path(path).parents}
    as_files = {path: first.pop(path) for path in sorted(folders & first.keys())}
    with_tools = {file.path: file for file in tools(count)}
    return [list(files.values()) for files in (first, as_files, with_tools, *further)]


ROUNDS = rounds()


def check(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    monkeypatch.chdir(folder)
    code = run(["check", "--select", "loop", "--pedantic", "--no-cache", "--jobs", "1", "--output-format", "json"])
    assert code in (0, 1)
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def place(text: str, offset: int) -> tuple[int, int]:
    before = text[:offset]
    return before.count("\n") + 1, offset - (before.rfind("\n") + 1) + 1


@pytest.mark.parametrize("number", range(len(ROUNDS)))
def test_every_place_that_a_model_reads_is_found_and_no_other(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "waitlint.toml").write_text(SETTINGS)
    files = [*ROUNDS[number], *(Made(path, text) for path, text in ANCHORS.items())]
    for file in files:
        path = tmp_path / file.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(file.text, encoding="utf-8")
    expected = {
        (file.path, *place(file.text, said.start()), said[1])
        for file in files
        for said in SENTENCE.finditer(file.text)
        if said[1].startswith("get_job_")
    }
    texts = {file.path: file.text.split("\n") for file in files}
    found = set()
    for finding in check(tmp_path, monkeypatch, capsys)["findings"]:
        assert finding["rule"] == "loop/keep-calling"
        line = texts[finding["path"]][finding["line"] - 1]
        said = SENTENCE.match(line, finding["column"] - 1)
        assert said, (finding["path"], finding["line"], finding["column"], line)
        found.add((finding["path"], finding["line"], finding["column"], said[1]))
        low = finding["confidence"] == "low"
        assert low or "README" not in finding["path"]
    assert [*sorted(expected - found)] == []
    assert sorted(found - expected) == []


def test_there_is_a_place_for_every_row() -> None:
    made = {file.path for files in ROUNDS for file in files}
    for surface in ROWS:
        paths = [path for row, path in CASES if row == surface]
        assert made.intersection(paths) or not ROWS[surface].fields, surface
