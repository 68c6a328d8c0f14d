"""Data documents: what is read equals what the format's own parser reads, and every character has its place."""

from __future__ import annotations

import json
import time
import tomllib
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from waitlint import frontends
from waitlint.facts import Const, Do, Expr, FileFacts, Map, Opaque, Piece, Seq, Str
from waitlint.frontends.documents.json_tree import parse_json
from waitlint.frontends.documents.toml_tree import parse_toml
from waitlint.frontends.documents.tree import MAX_DEPTH
from waitlint.frontends.documents.yaml_tree import parse_yaml
from waitlint.source import Source

WORDS = st.text(alphabet=st.sampled_from("ab é😀\"'\\\n\t:#-{}[],&*|>%@`?!\r\x7f\u2028\xa0 "), max_size=30)
KEYS = st.text(alphabet="abcde_é.-\" '#", min_size=1, max_size=6)
SCALARS = st.one_of(st.none(), st.booleans(), st.integers(-(2**53), 2**53), st.floats(-1e9, 1e9), WORDS)
DOCUMENTS = st.recursive(
    SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(KEYS, inner, max_size=4)),
    max_leaves=12,
)


def plain(value: Expr) -> Any:
    """A tree as Python values."""
    if isinstance(value, Map):
        return {plain(entry.key) if entry.key else "<<": plain(entry.value) for entry in value.entries}
    if isinstance(value, Seq):
        return [plain(item) for item in value.items]
    if isinstance(value, Const):
        return value.value
    assert isinstance(value, Str), value
    return value.literal


def strings(value: Expr) -> list[Str]:
    if isinstance(value, Map):
        return [
            one
            for entry in value.entries
            for one in (*strings(entry.key or Const(value.span, None)), *strings(entry.value))
        ]
    if isinstance(value, Seq):
        return [one for item in value.items for one in strings(item)]
    return [value] if isinstance(value, Str) else []


def place(piece: Piece, at: int) -> int:
    start, source = max((pair for pair in piece.places if pair[0] <= at), key=lambda pair: pair[0])
    return source + at - start


def check_places(text: str, root: Expr) -> None:
    """Ordinary characters stand where they are said to, and all lie in order inside their string."""
    for string in strings(root):
        (piece,) = string.pieces
        assert isinstance(piece, Piece)
        assert piece.places[-1][0] == len(piece.text)
        assert string.span.start <= piece.places[0][1]
        assert piece.places[-1][1] <= string.span.end
        last = -1
        for at, char in enumerate(piece.text):
            source = place(piece, at)
            assert last < source < string.span.end
            last = source
            if char not in "\n\r\t\"'\\ \x7f\u2028\xa0" and text[source] != "\\":
                assert text[source] == char


@given(DOCUMENTS, st.sampled_from([None, 2, "\t"]), st.booleans())
@settings(max_examples=150, deadline=None)
def test_json_is_what_json_says(document: Any, indent: Any, ascii_only: bool) -> None:
    text = json.dumps(document, indent=indent, ensure_ascii=ascii_only)
    tree = parse_json(text)
    assert tree.problems == ()
    assert plain(tree.roots[0]) == document
    check_places(text, tree.roots[0])


@given(DOCUMENTS, st.sampled_from([None, '"', "'", "|", ">"]), st.sampled_from([20, 1000]), st.booleans())
@settings(max_examples=300, deadline=None)
def test_yaml_is_what_yaml_says(document: Any, style: Any, width: int, flow: bool) -> None:
    text = yaml.safe_dump(document, default_style=style, width=width, default_flow_style=flow, allow_unicode=True)
    tree = parse_yaml(text)
    assert tree.problems == ()
    if style is None:
        assert plain(tree.roots[0]) == yaml.safe_load(text)
    check_places(text, tree.roots[0])


BLOCKS = st.lists(st.sampled_from(["a b", "  more", "", "#no", "x: y", "\tt", "- é😀", "    ", "k "]), max_size=7)


@given(
    BLOCKS,
    st.sampled_from(["|", ">", "|-", ">-", "|+", ">+", "|2", ">1-", "|  # why"]),
    st.sampled_from(["\n", "\r\n"]),
)
@settings(max_examples=300, deadline=None)
def test_block_scalars_are_folded_as_yaml_folds_them(lines: list[str], header: str, newline: str) -> None:
    indent = " " * (2 if "2" in header else 1 if "1" in header else 3)
    text = newline.join([f"a: {header}", *(indent + line if line.strip() else line for line in lines), "b: 1", ""])
    try:
        expected = yaml.safe_load(text)
    except yaml.YAMLError:
        return
    tree = parse_yaml(text)
    assert tree.problems == ()
    assert plain(tree.roots[0]) == expected
    check_places(text, tree.roots[0])


@given(
    st.lists(st.sampled_from(["a", "  b", "", "c # d", "'' e", "\\\\ f", "\\n", "é😀", "g\\"]), min_size=1, max_size=6)
)
@settings(max_examples=300, deadline=None)
def test_flow_scalars_over_several_lines_are_folded_as_yaml_folds_them(lines: list[str]) -> None:
    for quote in ('"', "'", ""):
        text = f"a:\n  - {quote}" + "\n    ".join(lines) + f"{quote}\n"
        try:
            expected = yaml.safe_load(text)
        except yaml.YAMLError:
            continue
        tree = parse_yaml(text)
        assert tree.problems == ()
        assert plain(tree.roots[0]) == (expected if expected != {"a": None} else {"a": [None]})
        check_places(text, tree.roots[0])


def toml(document: dict[str, Any]) -> str:
    lines: list[str] = []
    for key, value in document.items():
        lines.append(f"{json.dumps(key)} = {inline(value)}")
    return "\n".join(lines) + "\n"


def inline(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {inline(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",\n ".join(inline(item) for item in value) + "]"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return json.dumps(value)


TOML_SCALARS = st.one_of(st.booleans(), st.integers(-(2**53), 2**53), WORDS)


@given(
    st.dictionaries(
        KEYS,
        st.recursive(
            TOML_SCALARS,
            lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(KEYS, inner, max_size=3)),
            max_leaves=8,
        ),
        max_size=4,
    )
)
@settings(max_examples=150, deadline=None)
def test_toml_is_what_tomllib_says(document: dict[str, Any]) -> None:
    text = toml(document)
    tree = parse_toml(text)
    assert tree.problems == ()
    assert plain(tree.roots[0]) == tomllib.loads(text)
    check_places(text, tree.roots[0])


def test_toml_tables_dotted_keys_and_all_kinds_of_strings() -> None:
    text = '''# waitlint: ignore
title = 'it\\n'   # a comment
a.b.c = """
First \\
    second "quoted" \\u00e9
third"""
[tool.x]
y = \'\'\'
raw \\n
\'\'\'
d = 2024-01-01 10:00:00
n = [1_000, 0xff, 1.5,
  # inside
]
[[item]]
v = """ends with a quote\\""""
[[item]]
v = "x"
[item.sub]
w = { p = 1, q.r = "s" }
'''
    tree = parse_toml(text)
    assert tree.problems == ()
    root = tree.roots[0]
    check_places(text, root)
    assert isinstance(root, Map)
    expected = tomllib.loads(text)
    del expected["tool"]["x"]["d"]
    table = next(entry.value for entry in root.entries if isinstance(entry.key, Str) and entry.key.literal == "tool")
    assert isinstance(table, Map)
    inner = table.entries[0].value
    assert isinstance(inner, Map)
    assert [type(entry.value) for entry in inner.entries] == [Str, Opaque, Seq]
    assert {one.literal for one in strings(root)} >= {"it\\n", 'First second "quoted" é\nthird', "raw \\n\n", "s"}
    assert [text[span.start : span.end] for span in tree.comments] == [
        "# waitlint: ignore", "# a comment", "# inside",
    ]  # fmt: skip


def read(path: str, text: str, surface: str = "tool-json") -> FileFacts:
    language = {"json": "json", "yaml": "yaml", "toml": "toml"}[path.rpartition(".")[2]]
    return frontends.read(Source(path, text), language, surface)


def test_json_may_have_comments_trailing_commas_tabs_and_a_byte_order_mark() -> None:
    text = '\ufeff{\n\t// waitlint: ignore[loop] "meant"\n\t"a": [1, 2,], /* expect: x */\n\t"b": "c",\n}\n'
    facts = read("a.json", text)
    assert facts.problems == ()
    assert [comment.text for comment in facts.comments] == ['waitlint: ignore[loop] "meant"', "expect: x"]
    (statement,) = facts.body
    assert isinstance(statement, Do)
    assert plain(statement.value) == {"a": [1, 2], "b": "c"}


def test_yaml_comments_are_none_inside_block_scalars_and_quotes() -> None:
    text = (
        "# waitlint: one\na: |  # waitlint: two\n  # waitlint: text\n  x\nb: 'y # waitlint: no'  # waitlint: three\n"
        "c: d#waitlint\ne: [1, # waitlint: four\n  2]\n# waitlint: five"
    )
    facts = read("a.yaml", text)
    assert [comment.text.split()[-1] for comment in facts.comments] == ["one", "two", "three", "four", "five"]
    for comment in facts.comments:
        assert text[comment.span.start] == "#"


def test_yaml_anchors_tags_merges_and_several_documents() -> None:
    text = "base: &b {x: 1}\nuse:\n  <<: *b\n  y: *b\nt: !!str 5\nu: &k !x 'z'\n---\n- 0x1f\n- ~\n- yes\n- 1.5\n"
    facts = read("a.yaml", text)
    assert facts.problems == ()
    first, second = (plain(statement.value) for statement in facts.body if isinstance(statement, Do))
    assert first == {"base": {"x": 1}, "use": {"<<": {"x": 1}, "y": {"x": 1}}, "t": "5", "u": "z"}
    assert second == [31, None, "yes", 1.5]


@pytest.mark.parametrize(
    ("path", "text", "word"),
    [
        ("a.json", "[" * 100_000, "nested deeper"),
        ("a.json", '{"a":' * 100_000, "nested deeper"),
        ("a.yaml", "[" * 100_000, "nest"),
        ("a.yaml", "- " * 50_000 + "x", "nest"),
        ("a.toml", "a = " + "[" * 100_000, "nested deeper"),
        ("a.toml", "a" + ".a" * 10_000 + " = 1", "nested deeper"),
        ("a.json", '{"a": 1, "a": 2}', "duplicate key “a”"),
        ("a.yaml", "a: 1\na: 2\n", "duplicate key “a”"),
        ("a.toml", "a = 1\na = 2\n", "duplicate key “a”"),
        ("a.yaml", "a: &a [*a]\n", "refers to itself"),
        ("a.yaml", "a: *b\n", "undefined alias|no anchor"),
        ("a.json", "", "empty"),
        ("a.json", '{"a": tru}', "unexpected “tru”"),
        ("a.yaml", "a: b: c\n", "not valid YAML"),
        ("a.yaml", "a: \x01\n", "not valid YAML"),
        ("a.toml", "a = \n", "not valid TOML"),
    ],
)
def test_hostile_and_broken_documents_cost_a_word(path: str, text: str, word: str) -> None:
    started = time.process_time()
    facts = read(path, text)
    assert time.process_time() - started < 2
    assert any(one in problem for problem in facts.problems for one in word.split("|"))


def test_aliases_are_expanded_within_bounds() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 12)]
    started = time.process_time()
    facts = read("a.yaml", "\n".join(lines))
    assert time.process_time() - started < 2
    assert any("expands to too much" in problem for problem in facts.problems)
    chain = ["a0: &a0 [x]", *(f"a{n}: &a{n} [*a{n - 1}]" for n in range(1, 300))]
    facts = read("b.yaml", "\n".join(chain))
    assert any("expands to too much" in problem for problem in facts.problems)
    (statement,) = facts.body
    assert isinstance(statement, Do)
    assert height(statement.value) <= MAX_DEPTH + 2


def height(value: Expr | None) -> int:
    if isinstance(value, Map):
        return 1 + max((height(entry.value) for entry in value.entries), default=0)
    if isinstance(value, Seq):
        return 1 + max((height(item) for item in value.items), default=0)
    return 0


def test_what_stands_before_a_break_is_kept() -> None:
    assert plain_body(read("a.json", '{"a": {"b": "x"}, "c": [1, 2, }')) == {"a": {"b": "x"}, "c": [1, 2]}
    assert plain_body(read("a.yaml", "a: x\nb: [1, 2]\nc: {d: }, ]")) == {"a": "x", "b": [1, 2], "c": {"d": None}}
    assert plain_body(read("a.toml", "a = 1\n[b]\nc = 'x'\n[")) == {"a": 1, "b": {"c": "x"}}


def plain_body(facts: FileFacts) -> Any:
    (statement,) = facts.body
    assert isinstance(statement, Do)
    assert statement.value is not None
    return plain(statement.value)


@given(st.text(alphabet="{}[]:,\"'#&*|>-! \nab\\1", max_size=60), st.sampled_from(["json", "yaml", "toml"]))
@settings(max_examples=400, deadline=None)
def test_no_text_is_too_odd(text: str, kind: str) -> None:
    facts = read(f"a.{kind}", text)
    assert facts.body or facts.problems or not text.strip() or kind != "json"


def test_a_large_document_is_read_in_bounded_time() -> None:
    row = {"name": "get_job", "description": 'Gets a "job".\nTwice.', "n": [1, 2.5, None, True]}
    text = json.dumps([row] * 20_000)
    started = time.process_time()
    facts = read("a.json", text)
    assert time.process_time() - started < 10
    assert facts.problems == ()


def test_placeholders_are_holes_and_an_expression_mark_is_dropped() -> None:
    prompt = "=You watch {{ $json.job }}.\nKeep calling it."
    text = json.dumps(
        {"nodes": [{"type": "@n8n/x-langchain.agent", "parameters": {"text": prompt}}], "connections": {}}
    )
    (found,) = read("a.json", text, "n8n").texts
    assert found.value == "You watch \ufffc.\nKeep calling it."
    assert found.key == "nodes[0].parameters.text"
    at = found.value.index("Keep")
    start, source = max(pair for pair in found.places if pair[0] <= at)
    assert text.startswith("Keep calling", source + at - start)


def test_rich_text_loses_its_tags() -> None:
    html = '<p>Ask <span class="variable">{{ start }}</span> &amp; wait.</p><p>Poll it.</p>'
    text = json.dumps({"nodes": [{"data": {"inputs": {"llmMessages": [{"content": html}]}}}], "inputs": 1})
    (found,) = read("a.json", text, "flowise").texts
    assert found.value.split("\n") == ["", "Ask \ufffc & wait.", "", "Poll it.", ""]


def test_links_are_paths_and_no_texts() -> None:
    facts = read("promptfooconfig.yaml", "prompts:\n  - file://prompts/a.txt\n  - Say it.\n", "promptfoo")
    assert facts.links == ("prompts/a.txt",)
    assert [text.value for text in facts.texts] == ["Say it."]
    facts = read("a.json", json.dumps({"instructions": "$[file('instruction.txt')]"}), "m365-declarative")
    assert (facts.links, facts.texts) == (("instruction.txt",), ())
    plugin = {"name": "x", "skills": "./custom/skills", "commands": ["./a.md", "./b.md"]}
    facts = read("a.json", json.dumps(plugin), "claude-plugin")
    assert facts.links == ("./custom/skills", "./a.md", "./b.md")
