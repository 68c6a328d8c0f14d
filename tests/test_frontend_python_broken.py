"""Broken and hostile Python: as much as can be read is read, in bounded time and depth."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import msgpack

from python_facts import facts_of, function, lines_of, nodes
from waitlint.facts import Call, FileFacts, Str
from waitlint.frontends.python.native import native_tree

GOOD = "def good():\n    while True:\n        sleep(5)\n"


@pytest.mark.parametrize(
    "bad",
    [
        "def bad(:\n    pass\n",
        "def bad():\n    x = (1,\n",
        "def bad():\n    return [1, {2: 3}\n",
        "def bad():\n    x = 'never closed\n",
        'def bad():\n    """never closed\n    return 1\n',
        "if x\n    y()\n",
        "class Bad(:\n    def f(self): pass\n",
        "<<<<<<< ours\nx = 1\n=======\nx = 2\n>>>>>>> theirs\n",
        "x = {{ template }}\ny = {% if z %}\n",
        "raise A from\n",
        "for in x: y()\n",
    ],
)
@pytest.mark.parametrize("first", [True, False])
def test_a_broken_definition_costs_no_other(bad: str, first: bool) -> None:
    facts = facts_of(bad + "\n" + GOOD if first else GOOD + "\n" + bad)
    assert list(lines_of(function(facts, "good").body)) == ["while True", " sleep(5)"]
    assert len(facts.problems) == 1
    assert "syntax error at line" in facts.problems[0]


def test_a_broken_method_costs_no_other_method() -> None:
    code = (
        "class Tools:\n    limit = 5\n    def a(self):\n        x = [1, 2\n"
        "    @tool\n    def b(self):\n        return 1\n\ndef c(): pass\n"
    )
    facts = facts_of(code)
    (found,) = facts.classes
    assert [member.name for member in found.members] == ["limit", "b"]
    assert len(function(facts, "b").decorators) == 1
    assert function(facts, "c").owner is None


def test_a_broken_inner_function_costs_no_other() -> None:
    code = (
        "def make():\n    app = Server()\n    @app.tool()\n    def a(x):\n        wait(\n"
        "    @app.tool()\n    def b(\n        x,\n    ):\n        return 1\n    return app\n"
    )
    facts = facts_of(code)
    assert (function(facts, "b").parent, len(function(facts, "b").decorators)) == (0, 1)
    assert len(function(facts, "a").decorators) == 1
    assert list(lines_of(function(facts, "make").body))[-1] == "return app"


def test_statements_inside_what_is_broken_are_read() -> None:
    facts = facts_of("x = 5 +\nclient.poll('a')\n)\nwhile True:\n    client.get('b')\n")
    assert {node.literal for node in nodes(facts.body) if isinstance(node, Str)} == {"a", "b"}


def test_a_syntax_error_is_told_with_its_line() -> None:
    assert facts_of("x = 1\ny = = 2\n").problems == ("syntax error at line 2: the file was read in part",)


def test_code_without_errors_has_no_problems() -> None:
    assert facts_of(GOOD).problems == ()


@pytest.mark.parametrize(
    "code",
    [
        "x = " + "[" * 100_000 + "]" * 100_000,
        "x = " + "[" * 100_000,
        "x = " + "(" * 50_000 + "1" + ")" * 50_000,
        "x = " + "f(" * 50_000 + ")" * 50_000,
        "x = " + "{'a': " * 20_000 + "1" + "}" * 20_000,
        "x" + ".a(b)" * 20_000,
        "x = " + "not " * 50_000 + "a",
        "x = " + "-" * 50_000 + "a",
        "x = " + "lambda: " * 20_000 + "a",
        "x = " + "a if b else " * 20_000 + "c",
        "x = " + "a ** " * 20_000 + "a",
        "(" * 20_000 + "a" + ",)" * 20_000 + " = b",
        "(" * 2_000 + "a" + ",)" * 2_000 + " = " + "(" * 2_000 + "1" + ",)" * 2_000,
        "x: " + "list[" * 20_000 + "int" + "]" * 20_000 + " = 1",
        "[" + "x for x in [" * 20_000 + "]" * 20_000 + "]",
        "x = " + "f'{" * 300 + "a" + "}'" * 300,
        "x = " + "f\"{f'{" * 150 + "a" + "}'}\"" * 150,
        "match x:\n case " + "[" * 5_000 + "]" * 5_000 + ": y()",
        "match x:\n case " + "C(" * 5_000 + ")" * 5_000 + ": y()",
        "".join(" " * i + "if a:\n" for i in range(1_000)) + " " * 1_000 + "b()",
        "".join(" " * i + "def f():\n" for i in range(600)) + " " * 600 + "b()",
        "".join(" " * i + "class C:\n" for i in range(600)) + " " * 600 + "b()",
        "@" + "a(" * 20_000 + ")" * 20_000 + "\ndef f(): pass",
        "def f(a=" + "(" * 20_000 + "1" + ")" * 20_000 + "): pass",
    ],
    ids=lambda code: f"{code[:16]!r}…",
)
def test_deep_nesting_ends_soon_and_is_told(code: str) -> None:
    started = time.process_time()
    facts = facts_of(code)
    assert time.process_time() - started < 10
    assert facts.problems
    assert msgpack.decode(msgpack.encode(facts), type=FileFacts) == facts


def test_deep_nesting_does_no_harm_far_down_the_stack() -> None:
    def deeper(frames: int) -> FileFacts:
        return deeper(frames - 1) if frames else facts_of("x = " + "{'a': [f(" * 500 + ")]}" * 500)

    (problem,) = deeper(150).problems
    assert problem.startswith("nested too deeply at line 1")


@pytest.mark.parametrize(
    ("code", "calls"),
    [
        ("x = " + "a() + " * 20_000 + "1", 20_000),
        ("x = " + "a() and " * 20_000 + "1", 20_000),
        ("x = " + "a() < " * 10_000 + "1", 10_000),
        ("x = " + "'a' " * 20_000, 0),
        ("x = " * 20_000 + "a()", 1),
        ("if a: b()\n" + "elif a: b()\n" * 20_000, 20_001),
        ("match x:\n" + " case 1: b()\n" * 20_000, 20_000),
        ("[x " + "for x in a() " * 5_000 + "]", 5_000),
        ("@a()\n" * 20_000 + "def f(): pass", 20_000),
        ("a()\n" * 20_000, 20_000),
    ],
    ids=lambda value: f"{str(value)[:16]!r}…",
)
def test_long_code_is_read_whole_and_soon(code: str, calls: int) -> None:
    started = time.process_time()
    facts = facts_of(code)
    assert time.process_time() - started < 10
    assert facts.problems == ()
    found = {node.span for node in nodes((facts.body, facts.functions)) if isinstance(node, Call)}
    assert len(found) == calls
    msgpack.encode(facts)


def test_many_broken_definitions_are_read_in_bounded_time() -> None:
    started = time.process_time()
    facts = facts_of("class A:\n" + " def f(self:\n  x = (\n" * 5_000)
    assert time.process_time() - started < 20
    assert facts.problems


_WORDS = 'x = |if x:|@|async |lambda |for a in b|*|return|match x:\n| case [a]: |def f():\n|class A:\n|f\'{|é|"""'
_SIGNS = "()[]{}'\"\\\n\r\x00:,# "
_FRAGMENTS = st.lists(st.sampled_from([*_WORDS.split("|"), *_SIGNS, "    "]), max_size=40).map("".join)


@settings(max_examples=400, deadline=None)
@given(_FRAGMENTS)
def test_nothing_a_file_contains_makes_the_reader_raise(code: str) -> None:
    facts = facts_of(code)
    for node in nodes((facts.body, facts.functions, facts.classes)):
        span = getattr(node, "span", None)
        if span is not None:
            assert 0 <= span.start <= span.end <= len(code)
    assert msgpack.decode(msgpack.encode(facts), type=FileFacts) == facts


@pytest.mark.parametrize("opened", ["{", "(", "[", "f(", "not ", "-"])
@pytest.mark.parametrize("before", ["fro", "x = ", "async def f(): pass\n"])
def test_what_python_gives_up_on_has_no_tree(before: str, opened: str) -> None:
    assert native_tree(before + opened * 6_000) is None
