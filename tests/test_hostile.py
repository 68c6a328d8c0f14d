"""What somebody may put into a repository on purpose: each run ends soon, and nothing of it reaches the terminal."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from textwrap import dedent

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linking import linked
from waitlint.baseline import BadBaseline, read_baseline
from waitlint.cache import FILE
from waitlint.config import ConfigError
from waitlint.linter import Demand, lint
from waitlint.output import FORMATS, render
from waitlint.report import Report
from waitlint.reporting import report
from waitlint.scanning import Request, scan

MOST_SECONDS = 10.0
SKILL = "---\nname: x\n---\n\nKeep calling `get_state` until it is done.\n"
CONFIG = """root = true
select = ["all"]
ignore = ["tell/silent-prompt"]
pedantic = true
fail-on = "warning"
exclude = ["build/**"]
prompts = ["words/*.txt"]

[severity]
loop = "error"

[surfaces]
skill = true

[[reads]]
calls = ["acme.get"]
default = 5
"""
BASELINE = '{"version": 1, "findings": [\n["loop/keep-calling", "skills/x/SKILL.md", "0123456789abcdef", 1]\n]}\n'
LARGE: dict[str, Callable[[], str]] = {
    "brackets.py": lambda: "x = " + "(" * 100_000,
    "brackets.ts": lambda: "const x = " + "[" * 100_000,
    "closed.py": lambda: "x = " + "[" * 100_000 + "]" * 100_000,
    "closed.ts": lambda: "const x = " + "(" * 100_000 + ")" * 100_000,
    "braces.tsx": lambda: "<a>" + "{" * 100_000,
    "tools.json": lambda: '{"tools": ' + "[" * 100_000,
    "CLAUDE.md": lambda: "[" * 100_000 + "call it again until it is done",
    "AGENTS.md": lambda: "call `x` again until it is done. " * 20_000,
    "line.py": lambda: "x = '" + "wait until " * 180_000 + "'\n",
    "line.ts": lambda: "const x = `" + "wait ${until} " * 70_000 + "`;\n",
    "sum.py": lambda: "x = " + " + ".join(["y"] * 80_000) + "\n",
    "chain.ts": lambda: "x" + ".then(y)" * 50_000 + ";\n",
    "else.py": lambda: "if a:\n    b\n" + "elif a:\n    b\n" * 20_000,
}


def run(folder: Path, cache: Path | None = None) -> Report:
    request = Request(cwd=folder, paths=(folder,), use_cache=cache is not None, cache_folder=cache, jobs=1)
    scanned = scan(request)
    return report(scanned, lint(scanned, Demand(pedantic=True)))


def root(folder: Path) -> Path:
    (folder / "waitlint.toml").write_text("root = true\n")
    return folder


def skill(folder: Path, name: str) -> None:
    path = folder / "skills" / name / "SKILL.md"
    path.parent.mkdir(parents=True)
    path.write_text(SKILL)


@pytest.mark.parametrize("name", sorted(LARGE))
def test_what_is_large_or_nested_costs_a_bounded_time(tmp_path: Path, name: str) -> None:
    (root(tmp_path) / name).write_text(LARGE[name]())
    start = time.process_time()
    found = run(tmp_path)
    assert time.process_time() - start < MOST_SECONDS
    assert not found.errors


@pytest.mark.parametrize(
    "name", ["\x1b[31mred\x1b]0;title\x07", "two\nlines", "tab\tand\rreturn", "<b>&amp;'\"", "\u202egnp.md"]
)
def test_no_name_writes_to_the_terminal(tmp_path: Path, name: str) -> None:
    skill(root(tmp_path), name)
    found = run(tmp_path)
    assert [finding.rule for finding in found.findings] == ["loop/keep-calling"]
    for form in FORMATS:
        text = render(found, form)
        assert not {"\x1b", "\x07", "\r"} & set(text), form
        if form in ("full", "concise", "github"):
            assert "\u202e" not in text, form
            assert "two\nlines" not in text, form


def test_names_that_differ_in_case_alone_are_two_files(tmp_path: Path) -> None:
    skill(root(tmp_path), "kiln")
    if (tmp_path / "skills" / "KILN").exists():
        pytest.skip("here they are one")
    skill(tmp_path, "KILN")
    (tmp_path / "skills" / "KILN" / "SKILL.md").write_text(SKILL.replace("name: x", "name: y"))
    assert sorted(finding.spot.path for finding in run(tmp_path).findings) == [
        "skills/KILN/SKILL.md",
        "skills/kiln/SKILL.md",
    ]


def test_imports_in_a_circle_end() -> None:
    start = time.process_time()
    python = {
        f"m{n}.py": f"from m{(n + 1) % 30} import *\nfrom m{(n + 7) % 30} import f as g{n}\nx = g{n}(x)\n"
        f"def f(y):\n    return g{n}(y) or f(y)\n"
        for n in range(30)
    }
    scripts = {
        f"s{n}.ts": f'export * from "./s{(n + 1) % 30}";\nexport * from "./s{(n + 3) % 30}";\n'
        f'import {{ h }} from "./s{(n + 5) % 30}";\nexport const k{n} = h(k{n});\n'
        for n in range(30)
    }
    server = dedent("""
        from mcp.server.fastmcp import FastMCP
        from m0 import f, nowhere
        mcp = FastMCP("x")
        @mcp.tool()
        def look(y: str) -> str:
            \"\"\"Look.\"\"\"
            return f(nowhere(y))
    """)
    assert [tool.name for tool in linked({**python, **scripts, "server.py": server}).tools] == ["look"]
    assert time.process_time() - start < MOST_SECONDS


def test_classes_and_calls_in_a_circle_end() -> None:
    start = time.process_time()
    code = "\n".join(
        f"class C{n}(C{(n + 1) % 40}):\n    held = C{(n + 3) % 40}()\n    def run(self):\n"
        f"        return self.held.run() + super().run() + C{(n + 5) % 40}().run()\n"
        for n in range(40)
    )
    server = "from mcp.server.fastmcp import FastMCP\nmcp = FastMCP('x')\n" + code
    server += "\n@mcp.tool()\ndef go() -> str:\n    '''Go.'''\n    return C0().run()\n"
    assert [tool.name for tool in linked({"server.py": server}).tools] == ["go"]
    assert time.process_time() - start < MOST_SECONDS


def broken(text: str) -> st.SearchStrategy[str]:
    """A text with something cut out, doubled or put in."""
    places = st.integers(0, len(text))
    put_in = st.one_of(
        st.text(max_size=6), st.sampled_from(["[", "]", '"', "\n", "=", "[[", "{}", "null", "-1", "1e999"])
    )
    return st.builds(lambda a, b, more: text[: min(a, b)] + more + text[max(a, b) :], places, places, put_in)


@given(text=st.one_of(broken(CONFIG), st.text(max_size=60)))
@settings(max_examples=40, deadline=None)
def test_a_configuration_is_read_or_refused(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    folder = tmp_path_factory.mktemp("config")
    skill(folder, "x")
    (folder / "waitlint.toml").write_text(text, encoding="utf-8", errors="replace")
    with suppress(ConfigError):
        run(folder)


@given(text=st.one_of(broken(BASELINE), st.text(max_size=40)))
@settings(max_examples=100, deadline=None)
def test_a_baseline_is_read_or_refused(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    file = tmp_path_factory.mktemp("baseline") / "known.json"
    file.write_text(text, encoding="utf-8", errors="replace")
    with suppress(BadBaseline):
        read_baseline(file)


@given(words=st.text(max_size=40), mark=st.sampled_from(["#", "//", "<!--"]))
@settings(max_examples=40, deadline=None)
def test_a_comment_to_waitlint_may_say_anything(
    tmp_path_factory: pytest.TempPathFactory, words: str, mark: str
) -> None:
    folder = root(tmp_path_factory.mktemp("comments"))
    skill(folder, "x")
    for name in ("a.py", "b.ts", "CLAUDE.md"):
        text = f"{mark} waitlint: ignore[{words}]\nx = 1 {mark} waitlint: {words}\n"
        (folder / name).write_text(text, encoding="utf-8", errors="replace")
    assert not run(folder).errors


@pytest.mark.parametrize("seed", range(12))
def test_a_cache_that_somebody_wrote_into_changes_nothing(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    folder, cache = tmp_path / "project", tmp_path / "cache"
    folder.mkdir()
    skill(root(folder), "x")
    (folder / "server.py").write_text("import time\n\ndef f():\n    time.sleep(5)\n")
    expected = render(run(folder), "json")
    assert render(run(folder, cache), "json") == expected
    for path in sorted(cache.glob(f"{FILE}*")):
        data = bytearray(path.read_bytes())
        for _ in range(chance.choice([1, 20, 400]) if data else 0):
            data[chance.randrange(len(data))] = chance.randrange(256)
        path.write_bytes(bytes(data[: chance.choice([len(data), len(data) // 2])]))
    assert render(run(folder, cache), "json") == expected
    assert render(run(folder, cache), "json") == expected
