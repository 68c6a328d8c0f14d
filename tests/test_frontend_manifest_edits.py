"""Edits of data documents: the one string changes, in its own style, and nothing else does."""

from __future__ import annotations

import json
import tomllib
from typing import Any

import pytest
import yaml
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from waitlint import frontends
from waitlint.facts import Map, Span, Str
from waitlint.fix import AddDescription, Change, RewriteText
from waitlint.frontends.documents.formats import parse
from waitlint.frontends.documents.places import of_string, source_end, source_offset
from waitlint.frontends.documents.walk import values
from waitlint.source import Source

NEW = 'It waits up to 60 s: call it once – "done" or not.'


def apply(path: str, text: str, change: Change) -> str | None:
    language = {"md": "markdown", "txt": "text"}.get(path.rpartition(".")[2], path.rpartition(".")[2])
    edits = frontends.edits(Source(path, text), language, change)
    if edits is None:
        return None
    (edit,) = edits
    return text[: edit.start] + edit.text + text[edit.end :]


def rewrite(path: str, text: str, old: str, new: str) -> str | None:
    start = text.index(old)
    return apply(path, text, RewriteText(path, Span(start, start + len(old)), new))


@pytest.mark.parametrize(
    ("text", "old", "after"),
    [
        ('{"a":\t"x", // c\n "b": 1,}', '"x"', '{"a":\t"It waits: \\"ok\\"\\n.", // c\n "b": 1,}'),
        ('{"a": "One. Poll it. Two."}', "Poll it.", '{"a": "One. It waits: \\"ok\\"\\n. Two."}'),
        ('["\\u00e9 Poll it."]', "Poll it.", '["\\u00e9 It waits: \\"ok\\"\\n."]'),
    ],
)
def test_json_strings_are_rewritten_whole_or_in_part(text: str, old: str, after: str) -> None:
    assert rewrite("a.json", text, old, 'It waits: "ok"\n.') == after


@pytest.mark.parametrize(
    ("text", "old", "new", "after"),
    [
        ("a: Poll it.  # c\nb: 1\n", "Poll it.", "It waits.", "a: It waits.  # c\nb: 1\n"),
        ("a: Poll it.\n", "Poll it.", "It waits: yes.", 'a: "It waits: yes."\n'),
        ("a: Say it. Poll it.\n", "Poll it.", "No # here.", 'a: "Say it. No # here."\n'),
        ("a: 'It''s. Poll it.'\n", "Poll it.", "It's there.", "a: 'It''s. It''s there.'\n"),
        ('a: "x\\ty. Poll it."\n', "Poll it.", 'Say "a".', 'a: "x\\ty. Say \\"a\\"."\n'),
        ("a: |\n  A.\n  Poll it.\n  B.\nb: 1\n", "Poll it.", "It\nwaits.", "a: |\n  A.\n  It\n  waits.\n  B.\nb: 1\n"),
        ("a: >-\n  A.\n  Poll it.\n\n  B.\n", "Poll it.", "It waits.", "a: >-\n  A.\n  It waits.\n\n  B.\n"),
        ("- {a: Poll it., b: 2}\n", "Poll it.", "It waits.", "- {a: It waits., b: 2}\n"),
    ],
)  # fmt: skip
def test_yaml_scalars_keep_their_style(text: str, old: str, new: str, after: str) -> None:
    assert rewrite("a.yaml", text, old, new) == after


def test_a_folded_scalar_is_wrapped_like_its_neighbours() -> None:
    text = "a: >\n  You start a job and then you\n  keep calling get_job until it is\n  done and tell the user so.\n"
    old = "keep calling get_job until it is\n  done"
    new = "call get_job once, which waits until the job is done or 60 seconds are over,"
    after = rewrite("a.yaml", text, old, new)
    assert after is not None
    assert max(len(line) for line in after.splitlines()) <= 60
    assert yaml.safe_load(after)["a"] == f"You start a job and then you {new} and tell the user so.\n"


@pytest.mark.parametrize(
    ("text", "old", "new", "after"),
    [
        ('a = "Poll it."  # c\n', "Poll it.", 'Say "a".', 'a = "Say \\"a\\"."  # c\n'),
        ('a = """\nOne.\nPoll it.\n"""\n', "Poll it.", 'It "waits"\nhere.', 'a = """\nOne.\nIt "waits"\nhere.\n"""\n'),
        ("a = 'Poll it.'\n", "Poll it.", "It waits.", "a = 'It waits.'\n"),
        ("a = 'Poll it.'\n", "Poll it.", "It's.", 'a = "It\'s."\n'),
        ("a = '''\nPoll it.\n'''\n", "Poll it.", "It's.", "a = '''\nIt's.\n'''\n"),
    ],
)
def test_toml_strings_keep_their_style(text: str, old: str, new: str, after: str) -> None:
    assert rewrite("a.toml", text, old, new) == after


VALUES = st.text(alphabet="ab c.é😀\"'\\\n:#-{}", min_size=1, max_size=20)


@given(VALUES, VALUES, VALUES, st.sampled_from(["json", "yaml|", "yaml>", 'yaml"', "yaml'", "yaml", "toml"]), st.data())
@settings(max_examples=300, deadline=None)
def test_an_edit_changes_the_one_string_or_is_not_made(
    before: str, old: str, after: str, style: str, data: Any
) -> None:
    whole = before + old + after
    document = {"x": 1, "text": whole, "y": ["z", whole]}
    kind = style[:4]
    if kind == "json":
        text = json.dumps(document, indent=2, ensure_ascii=data.draw(st.booleans()))
    elif kind == "yaml":
        text = yaml.safe_dump(document, default_style=style[4:] or None, allow_unicode=True, sort_keys=False, width=30)
        # Folded lines that begin with a space don't come back from YAML as they were written.
        assume(yaml.safe_load(text)["text"] == whole)
    else:
        text = f"x = 1\ntext = {json.dumps(whole, ensure_ascii=False)}\n"
    new = data.draw(VALUES)
    _, tree = parse(f"a.{kind}", text)
    string = next(one for one in values(tree.roots) if isinstance(one, Str) and one.literal == whole)
    places = of_string(string).places
    span = Span(source_offset(places, len(before)), source_end(places, len(before) + len(old)))
    done = apply(f"a.{kind}", text, RewriteText(f"a.{kind}", span, new))
    if done is None:
        return
    loaded = json.loads(done) if kind == "json" else tomllib.loads(done) if kind == "toml" else yaml.safe_load(done)
    assert loaded == {**loaded, "text": before + new + after}
    if kind != "toml" and style == "json":
        assert loaded == {**document, "text": before + new + after}


def test_placeholders_stay_where_they_were() -> None:
    text = json.dumps({"nodes": [{"parameters": {"text": "=Watch {{ $json.id }}. Poll {{ $json.tool }}."}}]})
    whole = text[text.index('"=') : text.index('."') + 2]
    assert rewrite("a.json", text, whole, "Watch \ufffc. Call \ufffc once.") == text.replace(
        "Poll {{ $json.tool }}.", "Call {{ $json.tool }} once."
    )
    assert rewrite("a.json", text, whole, "Watch \ufffc.") is None


def test_an_edit_that_can_not_be_right_is_none() -> None:
    assert rewrite("a.json", '{"a": "x", "b": tru}', '"x"', "y") is None
    assert rewrite("a.json", '{"a": "x"}', '"x"', "x") is None
    assert rewrite("a.json", '{"a": 12}', "12", "y") is None
    assert apply("a.json", '{"a": 1}', AddDescription("a.json", Span(0, 8), "y")) is None


TOOL = "Gets the state of a job: waits up to 60 s."


def add(path: str, text: str, target: str) -> str | None:
    start = text.index(target)
    return apply(path, text, AddDescription(path, Span(start, start + len(target)), TOOL))


@pytest.mark.parametrize(
    ("target", "after"),
    [
        ('{"name":"x","inputSchema":{}}', '{"name":"x","description":"%s","inputSchema":{}}'),
        ('{ "name": "x" }', '{ "name": "x", "description": "%s" }'),
        ('{\n\t"name": "x",\n\t"n": {}\n}', '{\n\t"name": "x",\n\t"description": "%s",\n\t"n": {}\n}'),
        ('{"function": {"name": "x"}}', '{"function": {"name": "x", "description": "%s"}}'),
        ('{"name": "x", "description": ""}', '{"name": "x", "description": "%s"}'),
    ],
)  # fmt: skip
def test_json_tools_get_a_description_after_their_name(target: str, after: str) -> None:
    text = f"[1, {target}]"
    done = add("a.json", text, target)
    assert done == f"[1, {after % TOOL}]"
    json.loads(done)


def test_yaml_and_toml_tools_get_a_description_on_a_line_of_its_own() -> None:
    text = "tools:\n  - name: x  # c\n    inputSchema: {}\n  - name: y\n"
    (mapping,) = [span for span in maps("a.yaml", text) if text[span.start :].startswith("name: x")]
    done = apply("a.yaml", text, AddDescription("a.yaml", mapping, TOOL))
    assert done is not None
    assert yaml.safe_load(done)["tools"] == [{"name": "x", "description": TOOL, "inputSchema": {}}, {"name": "y"}]
    assert "  - name: x  # c\n    description: " in done
    text = '[[tools]]\nname = "x"\n[tools.parameters]\ntype = "object"\n'
    mapping = next(span for span in maps("a.toml", text) if text[span.start :].startswith("[[tools]]"))
    done = apply("a.toml", text, AddDescription("a.toml", mapping, TOOL))
    assert done is not None
    assert tomllib.loads(done)["tools"][0]["description"] == TOOL


def maps(path: str, text: str) -> list[Span]:
    return [one.span for one in values(parse(path, text)[1].roots) if isinstance(one, Map)][1:]


def test_crlf_files_stay_crlf() -> None:
    text = '{\r\n  "name": "x",\r\n  "parameters": {}\r\n}\r\n'
    done = add("a.json", text, text.rstrip())
    assert done is not None
    assert done.count("\n") == done.count("\r\n") == 5
    text = "# A\r\n\r\nPoll it.\r\n"
    assert rewrite("a.md", text, "Poll it.", "It\nwaits.") == "# A\r\n\r\nIt\r\nwaits.\r\n"


def test_markdown_is_rewritten_verbatim_and_its_front_matter_as_yaml() -> None:
    text = "---\nname: x\ndescription: Poll it.\n---\n\nPoll get_job.\n"
    assert rewrite("a.md", text, "Poll get_job.", NEW) == text.replace("Poll get_job.", NEW)
    done = rewrite("a.md", text, "Poll it.", NEW)
    assert done is not None
    assert yaml.safe_load(done.split("---")[1]) == {"name": "x", "description": NEW}
    assert done.endswith("---\n\nPoll get_job.\n")
    assert rewrite("a.txt", "Poll it.", "Poll it.", NEW) == NEW
