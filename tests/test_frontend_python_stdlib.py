"""The Python front end held against Python's own parser, over code that nobody wrote for a test."""

from __future__ import annotations

import ast
import importlib.util
from collections.abc import Iterator

import pytest

from python_facts import nodes
from waitlint.facts import Call, Str
from waitlint.frontends import read
from waitlint.source import Source


@pytest.mark.parametrize(
    "module", ["subprocess", "typing", "argparse", "asyncio.tasks", "concurrent.futures._base", "inspect", "shutil"]
)
def test_every_call_and_string_of_real_code_is_there_and_in_its_place(module: str) -> None:
    spec = importlib.util.find_spec(module)
    assert spec is not None
    assert spec.origin is not None
    source = Source.read(spec.origin)
    facts = read(source, "python", "code")
    assert facts.problems == ()
    lines = [0]
    for line in source.text.split("\n"):
        lines.append(lines[-1] + len(line.encode()) + 1)
    found: dict[tuple[int, int], object] = {}
    for node in nodes((facts.body, facts.functions, facts.classes)):
        if isinstance(node, Call | Str):
            found[node.span.start, node.span.end] = node.literal if isinstance(node, Str) else "call"
    missing = []
    for expected in _outside_of_fstrings(ast.parse(source.text)):
        assert expected.end_lineno is not None
        assert expected.end_col_offset is not None
        start = source.char(lines[expected.lineno - 1] + expected.col_offset)
        end = source.char(lines[expected.end_lineno - 1] + expected.end_col_offset)
        said = expected.value if isinstance(expected, ast.Constant) else "call"
        if found.get((start, end)) != said:
            missing.append(source.text[start:end])
    assert missing == []


def _outside_of_fstrings(tree: ast.AST) -> Iterator[ast.expr]:
    """Calls and strings, but where no facts are wanted: f-strings have no exact places in every Python."""
    stack: list[ast.AST] = [tree]
    while stack:
        node = stack.pop()
        if isinstance(node, ast.JoinedStr | ast.Delete):
            continue
        if isinstance(node, ast.Call) or (isinstance(node, ast.Constant) and isinstance(node.value, str)):
            yield node
        stack.extend(ast.iter_child_nodes(node))
