"""Where new words make a line too long, the lines are broken as the code around is."""

from __future__ import annotations

from pathlib import Path

import pytest

from waitlint import frontends
from waitlint.facts import Span
from waitlint.fix import BoundCall, RewriteText
from waitlint.frontends.filling import filled
from waitlint.source import Source
from waitlint.widths import line_length

MORE = " Waits up to 40 s for the result, so call it once."
PYTHON = {
    "an argument of a call on one line": (
        "@mcp.tool(name='weigh', description='Weigh a sack of grain on the big scales.')\ndef weigh(): ...\n",
        "@mcp.tool(\n    name='weigh',\n    description=(\n        'Weigh a sack of grain on the big scales. '\n"
        "        'Waits up to 40 s for the result, so call it once.'\n    ),\n)\ndef weigh(): ...\n",
    ),
    "an argument on a line of its own": (
        "tool(\n    description='Weigh a sack of grain on the big scales.',  # scales\n)\n",
        "tool(\n    description=(\n        'Weigh a sack of grain on the big scales. '\n"
        "        'Waits up to 40 s for the result, so call it once.'\n    ),  # scales\n)\n",
    ),
    "the last of several literals": (
        "WORDS = (\n    'Weigh a sack of grain. '\n    'The big scales are used for all sacks.'\n)\n",
        "WORDS = (\n    'Weigh a sack of grain. '\n    'The big scales are used for all sacks. '\n"
        "    'Waits up to 40 s for the result, so call it once.'\n)\n",
    ),
    "an item of a list": (
        "WORDS = [\n    'Weigh a sack of grain on the big scales.',\n]\n",
        "WORDS = [\n    'Weigh a sack of grain on the big scales."
        " Waits up to 40 s for the result, so call it once.',\n]\n",
    ),
    "lines with returns": (
        "tool(\r\n    description='Weigh a sack of grain on the big scales.',\r\n)\r\n",
        "tool(\r\n    description=(\r\n        'Weigh a sack of grain on the big scales. '\r\n"
        "        'Waits up to 40 s for the result, so call it once.'\r\n    ),\r\n)\r\n",
    ),
    "short enough": ("d = 'Weigh it.'\n", f"d = 'Weigh it.{MORE}'\n"),
}
SCRIPT = {
    "the value of a key": (
        'tool({\n  description: "Weigh a sack of grain on the big scales of the mill.",\n});\n',
        'tool({\n  description:\n    "Weigh a sack of grain on the big scales of the mill.'
        ' Waits up to 40 s for the result, so call it once.",\n});\n',
    ),
    "one of several that are added": (
        'const words =\n  "Weigh a sack of grain. " +\n  "The big scales are used for all sacks.";\n',
        'const words =\n  "Weigh a sack of grain. " +\n  "The big scales are used for all sacks. " +\n'
        '  "Waits up to 40 s for the result, so call it once.";\n',
    ),
}


def changed(text: str, language: str, path: str, width: int = 80) -> str:
    """The code with `MORE` behind the words of the literals that stand in it, names aside."""
    quote = next(char for char in text if char in "\"'")
    words = [piece for piece in text.split(quote)[1::2] if piece != "weigh"]
    span = Span(text.index(words[0]) - 1, text.rindex(words[-1]) + len(words[-1]) + 1)
    change = RewriteText(path, span, "".join(words) + MORE)
    made = frontends.edits(Source(path, text), language, change, width)
    assert made is not None
    for edit in sorted(made, reverse=True):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text


@pytest.mark.parametrize(("before", "after"), PYTHON.values(), ids=PYTHON)
def test_python_lines_keep_their_width(before: str, after: str) -> None:
    assert changed(before, "python", "mill.py") == after


@pytest.mark.parametrize(("before", "after"), SCRIPT.values(), ids=SCRIPT)
def test_typescript_lines_are_broken_where_a_formatter_would(before: str, after: str) -> None:
    assert changed(before, "typescript", "mill.ts") == after


def test_a_call_that_an_argument_makes_too_long_has_its_arguments_below() -> None:
    code = "def look(url):\n    return requests.get(url, headers={'accept': 'text/plain'}, auth=('mill', 'grain'))\n"
    start = code.index("requests.get")
    change = BoundCall("mill.py", Span(start, code.index("\n", start)), "requests.get", 30)
    made = frontends.edits(Source("mill.py", code), "python", change, 90)
    assert made is not None
    for edit in sorted(made, reverse=True):
        code = code[: edit.start] + edit.text + code[edit.end :]
    assert code == (
        "def look(url):\n    return requests.get(\n"
        "        url, headers={'accept': 'text/plain'}, auth=('mill', 'grain'), timeout=30\n    )\n"
    )


SPREAD = {
    "the last argument is an object": (
        'const x = await get(address, { kind: "text" });',
        'const x = await get(address, {\n  kind: "text",\n  timeout: 30_000,\n});',
    ),
    "without commas behind the last": (
        'const y = {\n  a: 1,\n  b: 2\n};\nconst x = await get(address, { kind: "text" });',
        'const y = {\n  a: 1,\n  b: 2\n};\nconst x = await get(address, {\n  kind: "text",\n  timeout: 30_000\n});',
    ),
    "objects side by side": (
        'const x = await get({ a: 1 }, { kind: "text" });',
        'const x = await get(\n  { a: 1 },\n  { kind: "text", timeout: 30_000 }\n);',
    ),
    "too long before": (
        'const x = await get(`${address}/harbours/skagen`, { kind: "text" });',
        'const x = await get(`${address}/harbours/skagen`, { kind: "text", timeout: 30_000 });',
    ),
    "a comment among the options": (
        'const x = await get(address, { /* plain */ kind: "text" });',
        'const x = await get(address, { /* plain */ kind: "text", timeout: 30_000 });',
    ),
    "short enough": ("x = get(a, { b: 1 });", "x = get(a, { b: 1, timeout: 30_000 });"),
}


@pytest.mark.parametrize("newline", ["\n", "\r\n"], ids=["LF", "CRLF"])
@pytest.mark.parametrize(("before", "after"), SPREAD.values(), ids=SPREAD)
def test_options_that_make_a_line_too_long_get_a_line_each(before: str, after: str, newline: str) -> None:
    imported = 'import { get } from "axios";\n'
    text = (imported + before + "\n").replace("\n", newline)
    start = text.index("get(", len(imported))
    change = BoundCall("mill.ts", Span(start, text.index(";", start)), "axios.default.get", 30)
    made = frontends.edits(Source("mill.ts", text), "typescript", change, 48)
    assert made is not None
    for edit in sorted(made, reverse=True):
        text = text[: edit.start] + edit.text + text[edit.end :]
    assert text == (imported + after + "\n").replace("\n", newline)


def test_an_argument_below_one_that_stood_alone_gets_the_comma_of_a_last_line() -> None:
    code = "def look(url):\n    return requests.get(\n        url\n    )\n"
    change = BoundCall("mill.py", Span(code.index("requests"), code.rindex("\n")), "requests.get", 30)
    made = frontends.edits(Source("mill.py", code), "python", change, 90)
    assert made is not None
    for edit in sorted(made, reverse=True):
        code = code[: edit.start] + edit.text + code[edit.end :]
    assert code == "def look(url):\n    return requests.get(\n        url,\n        timeout=30,\n    )\n"


def test_words_are_broken_at_sentences_that_end_late() -> None:
    assert filled("One two three. Four five six seven.", 24) == ["One two three. ", "Four five six seven."]
    assert filled("One. Two three four five six seven.", 24) == ["One. Two three four five ", "six seven."]
    assert filled("a" * 40, 24) == ["a" * 40]
    assert "".join(filled("x {a b c} y z and more words here", 8, [(2, 9)])) == "x {a b c} y z and more words here"


@pytest.mark.parametrize(
    ("name", "text", "language", "length"),
    [
        ("pyproject.toml", "[tool.ruff]\nline-length = 99\n", "python", 99),
        ("pyproject.toml", "[tool.black]\nline-length = 79\n", "python", 79),
        ("ruff.toml", "line-length = 101\n", "python", 101),
        ("setup.cfg", "[flake8]\nmax-line-length = 110\n", "python", 110),
        (".prettierrc", "printWidth: 90\n", "typescript", 90),
        (".prettierrc.json", '{"printWidth": 96}', "typescript", 96),
        ("package.json", '{"prettier": {"printWidth": 104}}', "typescript", 104),
        ("biome.json", '{"formatter": {"lineWidth": 94}}', "typescript", 94),
        ("pyproject.toml", "[tool.ruff]\nline-length = 'long'\n", "python", 0),
        ("package.json", "[1]", "typescript", 0),
    ],
)
def test_the_projects_settings_say_how_long_a_line_may_be(
    tmp_path: Path, name: str, text: str, language: str, length: int
) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / name).write_text(text)
    assert line_length(tmp_path / "src" / "mill.py", tmp_path, language) == length
