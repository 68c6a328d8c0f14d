"""Notebooks: code cells are Python, and every place leads back into the JSON."""

from __future__ import annotations

import json
from typing import Any

import pytest
from msgspec import Struct

from waitlint import frontends
from waitlint.facts import FileFacts, Function, Piece, Span, Str
from waitlint.finding import Place
from waitlint.project.sources import Sources
from waitlint.source import Source

CELLS: list[dict[str, Any]] = [
    {"cell_type": "markdown", "source": ["# Jobs\n", "Keep calling get_job until it is done."]},
    {"cell_type": "code", "source": ["%pip install mcp\n", "import time\n", "!ls\n"]},
    {"cell_type": "code", "source": ["%%bash\n", "while true; do sleep 1; done\n"]},
    {
        "cell_type": "code",
        "source": [
            "# waitlint: ignore[cap] 💤\n",
            "@tool\n",
            'def get_job(job: str) -> str:  # é "x"\n',
            '    """Get a job.\\n\n',
            "\n",
            '    Poll it.\t"""\n',
            "    time.sleep(5)",
        ],
    },
    {"cell_type": "code", "source": "value = 1\nother = 'a\\tb'\n"},
]


def notebook(cells: list[dict[str, Any]], language: str = "python", **dump: Any) -> str:
    return json.dumps({"cells": cells, "metadata": {"language_info": {"name": language}}, "nbformat": 4}, **dump)


def read(text: str) -> FileFacts:
    return frontends.read(Source("a.ipynb", text), "notebook", "code")


def function(facts: FileFacts, name: str) -> Function:
    return next(one for one in facts.functions if one.name == name)


@pytest.mark.parametrize("dump", [{}, {"indent": 1}, {"indent": "\t", "ensure_ascii": False}])
def test_code_cells_are_one_python_source(dump: dict[str, Any]) -> None:
    text = notebook(CELLS, **dump)
    facts = read(text)
    assert facts.problems == ()
    assert facts.language == "notebook"
    get_job = function(facts, "get_job")
    assert text[get_job.at.start : get_job.at.end] == "get_job"
    assert text[get_job.span.start :].startswith("def get_job")
    assert text[: get_job.span.end].endswith("time.sleep(5)")
    assert [comment.text for comment in facts.comments] == ["waitlint: ignore[cap] 💤"]
    assert text[facts.comments[0].span.start :].startswith("# waitlint")


def test_every_character_of_a_docstring_has_its_place_in_the_json() -> None:
    text = notebook(CELLS, indent=1, ensure_ascii=False)
    doc = function(read(text), "get_job").doc
    assert isinstance(doc, Str)
    (piece,) = doc.pieces
    assert isinstance(piece, Piece)
    assert "Get a job.\n\n\n    Poll it.\t" in piece.text
    for word in ("Get a job", "Poll it"):
        at = piece.text.index(word)
        start, place = max(pair for pair in piece.places if pair[0] <= at)
        assert text.startswith(word, place + at - start)


def test_markdown_cells_magics_and_shell_cells_say_nothing() -> None:
    text = notebook(CELLS)
    facts = read(text)
    assert facts.texts == ()
    assert "sleep 1" in text
    spans = list(all_spans(facts))
    assert spans
    for start, end in spans:
        assert 0 <= start <= end <= len(text)
        assert "sleep 1" not in text[start:end] or "value = 1" in text[start:end] or start < text.index("%pip")


def all_spans(value: Any) -> Any:
    if isinstance(value, Span):
        yield value.start, value.end
    elif isinstance(value, Struct):
        for name in value.__struct_fields__:
            yield from all_spans(getattr(value, name))
    elif isinstance(value, tuple):
        for item in value:
            yield from all_spans(item)


def test_other_languages_are_said_to_be_unread() -> None:
    assert read(notebook(CELLS, "R")).problems == ("notebooks in r are not read",)
    assert read(notebook(CELLS, "coconut")).body == read(notebook(CELLS)).body


def test_a_syntax_error_names_its_cell() -> None:
    cells = [*CELLS, {"cell_type": "code", "source": ["ok = 1\n", "def (:\n"]}]
    (problem,) = read(notebook(cells)).problems
    assert "cell 6, line 2" in problem


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"cells": 3}', '{"cells": [1, {"cell_type": "code"}]}', '{"cells": [', "[" * 100_000]
)
def test_what_is_no_notebook_costs_a_word_at_most(text: str) -> None:
    facts = read(text)
    assert facts.functions == ()


def test_code_of_a_notebook_is_shown_as_it_is_in_a_cell() -> None:
    cell = {"cell_type": "code", "source": ['while answer != "yes\\n":\n', "    pass\n"]}
    text = notebook([cell])
    sources = Sources(lambda path: Source(path, text))
    assert sources.code(Place("n.ipynb", Span(text.index("while"), text.index("pass")))) == 'while answer != "yes\\n":'
