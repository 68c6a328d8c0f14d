"""Files that code takes words for a model from: they are read as what they are used for, and found where they stand."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from harness import run
from waitlint.report import Report
from waitlint.scanning import Request, scan

SAID = "Keep calling get_job until it resolves."
WORDS = f"# Jobs\n\nLooks a job up. {SAID}\n"
SERVER = """
    from mcp.server.fastmcp import FastMCP

    mcp = FastMCP("depot")
    """


def made(folder: Path, files: dict[str, str]) -> Report:
    (folder / "waitlint.toml").write_text("root = true\n")
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(text))
    return run(folder)


def polls(report: Report) -> list[str]:
    assert report.errors == ()
    return [f"{f.spot.path}:{f.spot.line}:{f.spot.column}" for f in report.findings if f.rule == "loop/keep-calling"]


PYTHON = {
    "a path beside the code": 'INSTRUCTIONS = (Path(__file__).parent / "texts" / "jobs.md").read_text()',
    "a path of two parents": """
        HERE = Path(__file__).resolve().parents[0]
        INSTRUCTIONS = HERE.joinpath("texts", "jobs.md").read_text()
        """,
    "os.path": """
        HERE = os.path.dirname(os.path.abspath(__file__))
        with open(os.path.join(HERE, "texts", "jobs.md"), encoding="utf-8") as file:
            INSTRUCTIONS = file.read()
        """,
    "open from the root": 'INSTRUCTIONS = open("app/texts/jobs.md").read().strip()',
    "open from the folder of the code": 'INSTRUCTIONS = open("texts/jobs.md").read()',
    "resources": 'INSTRUCTIONS = importlib.resources.files("app.texts").joinpath("jobs.md").read_text("utf-8")',
    "resources by name": 'INSTRUCTIONS = importlib.resources.read_text("app.texts", "jobs.md")',
    "a template": """
        env = jinja2.Environment(loader=jinja2.FileSystemLoader(Path(__file__).parent / "texts"))
        INSTRUCTIONS = env.get_template("jobs.md").render(name="x")
        """,
    "a function": """
        def words(name: str) -> str:
            path = Path(__file__).parent / "texts" / f"{name}.md"
            if not path.exists():
                raise ValueError(name)
            return path.read_text().format(name="x")

        INSTRUCTIONS = words("jobs")
        """,
}
IMPORTS = "import importlib.resources\nimport os\nfrom pathlib import Path\n\nimport jinja2\n\n"


@pytest.mark.parametrize("form", PYTHON)
def test_a_prompt_that_python_reads_is_found_in_its_file(form: str, tmp_path: Path) -> None:
    report = made(tmp_path, {"app/agent.py": IMPORTS + dedent(PYTHON[form]), "app/texts/jobs.md": WORDS})
    assert polls(report) == ["app/texts/jobs.md:3:17"]
    assert report.summary.by_surface == {"code": 1, "linked": 1}


SCRIPT = {
    "an import": 'import words from "./texts/jobs.md" with { type: "text" };',
    "an import by a bundler": 'import words from "./texts/jobs.md?raw";',
    "a file by name": 'import fs from "node:fs";\nconst words = fs.readFileSync("src/texts/jobs.md", "utf8");',
    "a path": """
        import { readFileSync } from "fs";
        import path from "path";
        const words = readFileSync(path.join(__dirname, "texts", "jobs.md"), "utf-8").trim();
        """,
    "an address": """
        import { readFile } from "node:fs/promises";
        const words = await readFile(new URL("./texts/jobs.md", import.meta.url), "utf8");
        """,
    "the folder of a module": """
        import * as fs from "fs";
        import { dirname, resolve } from "node:path";
        import { fileURLToPath } from "node:url";
        const here = dirname(fileURLToPath(import.meta.url));
        const words = fs.readFileSync(resolve(here, "texts/jobs.md")).toString();
        """,
    "Bun": 'const words = await Bun.file("src/texts/jobs.md").text();',
}


@pytest.mark.parametrize("form", SCRIPT)
def test_a_prompt_that_typescript_reads_is_found_in_its_file(form: str, tmp_path: Path) -> None:
    code = dedent(SCRIPT[form]) + '\nexport const agent = new Agent({ name: "x", instructions: words });\n'
    report = made(tmp_path, {"src/agent.ts": code, "src/texts/jobs.md": WORDS})
    assert polls(report) == ["src/texts/jobs.md:3:17"]


def test_a_description_that_is_read_is_the_tool_s(tmp_path: Path) -> None:
    server = """
        from pathlib import Path

        from mcp.server.fastmcp import FastMCP

        mcp = FastMCP("depot")


        def get_prompt(name: str) -> str:
            return (Path(__file__).parent / "prompts" / f"{name}.md").read_text()


        @mcp.tool(description=get_prompt("jobs/get"))
        def get_job(id: str) -> dict:
            return client.get(id)
        """
    report = made(tmp_path, {"server.py": server, "prompts/jobs/get.md": WORDS})
    (finding,) = [f for f in report.findings if f.rule == "loop/keep-calling"]
    assert (finding.spot.path, finding.spot.line, finding.tools) == ("prompts/jobs/get.md", 3, ("get_job",))
    scanned = scan(Request(cwd=tmp_path, paths=(tmp_path,), use_cache=False, jobs=1))
    (tool,) = scanned.groups[0].project.tools
    assert tool.description is not None
    assert (tool.description.text.value, tool.description_unknown) == (WORDS, "")


def test_a_readme_is_read_once_a_prompt_takes_its_words(tmp_path: Path) -> None:
    code = (
        'from pathlib import Path\nSYSTEM_PROMPT = "Be brief.\\n" + (Path(__file__).parent / "README.md").read_text()\n'
    )
    assert polls(made(tmp_path, {"README.md": WORDS, "agent.py": "x = 1\n"})) == []
    assert polls(made(tmp_path, {"README.md": WORDS, "agent.py": code})) == ["README.md:3:17"]


def test_what_code_reads_for_other_purposes_is_not_read(tmp_path: Path) -> None:
    code = """
        from pathlib import Path
        from setuptools import setup

        setup(name="depot", long_description=Path("README.md").read_text())
        PAGE = open("notes.md").read()
        """
    report = made(tmp_path, {"setup.py": code, "README.md": WORDS, "notes.md": WORDS})
    assert polls(report) == []
    assert report.summary.by_surface == {"code": 1}


def test_a_file_that_is_not_there_leaves_the_description_unknown_with_a_reason(tmp_path: Path) -> None:
    server = """
        from pathlib import Path
        from mcp.server.fastmcp import FastMCP
        mcp = FastMCP("depot")

        @mcp.tool(description=Path("words/job.md").read_text())
        def get_job(id: str) -> dict:
            return client.get(id)
        """
    made(tmp_path, {"server.py": server})
    scanned = scan(Request(cwd=tmp_path, paths=(tmp_path,), use_cache=False, jobs=1))
    (tool,) = scanned.groups[0].project.tools
    assert tool.description is None
    assert tool.description_unknown == "`words/job.md` is not in view"


def test_a_file_that_is_excluded_is_not_read_for_code_either(tmp_path: Path) -> None:
    code = 'SYSTEM_PROMPT = open("words/jobs.md").read()\n'
    made(tmp_path, {"agent.py": code, "words/jobs.md": WORDS})
    (tmp_path / "waitlint.toml").write_text('root = true\nexclude = ["words"]\n')
    assert polls(run(tmp_path)) == []


def test_no_file_outside_of_the_root_is_read(tmp_path: Path) -> None:
    (tmp_path / "secret.md").write_text(WORDS)
    inside = tmp_path / "inside"
    inside.mkdir()
    (inside / "link.md").symlink_to(tmp_path / "secret.md")
    code = 'SYSTEM_PROMPT = open("../secret.md").read()\nTASK_PROMPT = open("link.md").read()\n'
    assert polls(made(inside, {"agent.py": code})) == []


def test_a_comment_in_the_file_silences_it(tmp_path: Path) -> None:
    words = f"# Jobs\n\n<!-- waitlint: ignore[loop/keep-calling] the queue is gone next week -->\n{SAID}\n"
    report = made(tmp_path, {"agent.py": 'SYSTEM_PROMPT = open("words.md").read()\n', "words.md": words})
    assert polls(report) == []
    assert report.summary.suppressed == 1


def test_a_prompt_file_that_code_reads_is_one_text(tmp_path: Path) -> None:
    code = (
        'SYSTEM_PROMPT = open("prompts/jobs.md").read()\nOTHER_PROMPT = open("prompts/jobs.md").read() + "Be brief."\n'
    )
    report = made(tmp_path, {"agent.py": code, "prompts/jobs.md": WORDS})
    assert polls(report) == ["prompts/jobs.md:3:17"]
    scanned = scan(Request(cwd=tmp_path, paths=(tmp_path,), use_cache=False, jobs=1))
    texts = [text for text in scanned.groups[0].project.texts if SAID in text.text.value]
    assert len(texts) == 1


def test_front_matter_is_no_part_of_the_words_that_are_taken(tmp_path: Path) -> None:
    words = f"---\ntitle: {SAID}\n---\nBe brief.\n"
    report = made(tmp_path, {"agent.py": 'SYSTEM_PROMPT = open("words.md").read()\n', "words.md": words})
    assert polls(report) == []


def test_equal_files_in_two_link_roots_are_both_read(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        made(tmp_path / name, {"AGENTS.md": WORDS})
    report = run(tmp_path)
    assert polls(report) == ["one/AGENTS.md:3:17", "two/AGENTS.md:3:17"]


def test_a_commit_of_words_that_code_takes_is_judged(tmp_path: Path) -> None:
    made(tmp_path, {"agent.py": 'SYSTEM_PROMPT = open("words.md").read()\n', "words.md": WORDS, "other.md": WORDS})
    for name, expected in (("words.md", True), ("other.md", False)):
        request = Request(cwd=tmp_path, paths=(tmp_path / name,), root=tmp_path, by_hand=False, jobs=1)
        for _ in range(2):
            scanned = scan(request)
            texts = [text for group in scanned.groups for text in group.project.texts if text.path == name]
            assert bool(texts) is expected
