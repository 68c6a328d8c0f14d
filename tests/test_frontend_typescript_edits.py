"""Repairs of TypeScript files: the smallest edit that says what was asked, in the file's own way of writing."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from typescript_facts import facts_of, strings
from waitlint import frontends
from waitlint.facts import Span
from waitlint.fix import AddDescription, Change, Edit, RewriteText
from waitlint.frontends.typescript.literals import quoted
from waitlint.source import Source

HOLE = "\ufffc"


def edits_of(code: str, change: Change) -> tuple[Edit, ...] | None:
    return frontends.edits(Source(change.path, code), "typescript", change)


def changed(code: str, change: Change) -> str | None:
    """The code after the edits; None where there are none to be had."""
    edits = edits_of(code, change)
    if edits is None:
        return None
    for edit in sorted(edits, reverse=True):
        code = code[: edit.start] + edit.text + code[edit.end :]
    return code


def span_of(code: str, part: str) -> Span:
    assert code.count(part) == 1
    return Span(code.index(part), code.index(part) + len(part))


def rewrite(code: str, part: str, value: str, path: str = "a.ts") -> str | None:
    return changed(code, RewriteText(path, span_of(code, part), value))


def describe(code: str, part: str, value: str = "Waits up to 60 s.", path: str = "a.ts") -> str | None:
    return changed(code, AddDescription(path, span_of(code, part), value))


# ---------------------------------------------------------------- texts


@pytest.mark.parametrize(
    ("code", "part", "value", "after"),
    [
        ("x = 'Keep calling.'", "'Keep calling.'", "Call once.", "x = 'Call once.'"),
        ('x = "a"', '"a"', 'say "b"', r'x = "say \"b\""'),
        ("x = 'a'", "'a'", "it's", r"x = 'it\'s'"),
        ("x = `a`", "`a`", "`b` ${c} \\d", r"x = `\`b\` \${c} \\d`"),
        ("x = 'a'", "'a'", "b\nc\td", r"x = 'b\nc\td'"),
        ("x = `a`", "`a`", "b\nc", "x = `b\nc`"),
        ("x = ''", "''", "a", "x = 'a'"),
        ("x = 'a'", "'a'", "", "x = ''"),
        ("x = 'größe 😀 a'", "'größe 😀 a'", "größe 😀 é", "x = 'größe 😀 é'"),
        (r"x = 'a\u{1F600}b'", r"'a\u{1F600}b'", "a😀c", r"x = 'a\u{1F600}c'"),
        (r"x = 'a\nb'", r"'a\nb'", "ab", "x = 'ab'"),
        ("x = 'ab\\\ncd'", "'ab\\\ncd'", "abXd", "x = 'ab\\\nXd'"),
        ("f({ description: ('a' as const) })", "'a'", "b", "f({ description: ('b' as const) })"),
        ("x = String.raw`a\\d`", "`a\\d`", "b\\d", "x = String.raw`b\\d`"),
    ],
)
def test_a_literal_is_rewritten_in_its_own_quotes(code: str, part: str, value: str, after: str) -> None:
    assert rewrite(code, part, value) == after


def test_what_stays_the_same_is_not_touched() -> None:
    code = r"const t = { description: 'Get \u0041 status. Keep calling it\x2e Bye\n' };"
    span = span_of(code, r"'Get \u0041 status. Keep calling it\x2e Bye\n'")
    edits = edits_of(code, RewriteText("a.ts", span, "Get A status. Call it once. Bye\n"))
    assert edits is not None
    (edit,) = edits
    assert code[edit.start : edit.end] == "Keep calling it"
    assert edit == Edit("a.ts", edit.start, edit.end, "Call it once")


def test_a_text_that_is_said_already_needs_no_edit() -> None:
    assert edits_of("x = 'a'", RewriteText("a.ts", Span(4, 7), "a")) == ()


@pytest.mark.parametrize("span", [Span(4, 11), Span(5, 10), Span(6, 8)])
def test_the_span_may_be_that_of_the_words(span: Span) -> None:
    assert changed("x = 'words'", RewriteText("a.ts", span, "other")) == "x = 'other'"


def test_words_between_the_holes_of_a_template_can_change() -> None:
    code = "x = `Wait ${n} seconds. Keep calling. ${end}`"
    part = code.removeprefix("x = ")
    assert rewrite(code, part, f"Wait {HOLE} seconds. Call once. {HOLE}") == (
        "x = `Wait ${n} seconds. Call once. ${end}`"
    )
    assert rewrite(code, part, f"Wait {HOLE} seconds. Keep calling. {HOLE} Bye") == f"x = {part[:-1]} Bye`"


@pytest.mark.parametrize("value", ["no holes", f"Wait {HOLE} s {HOLE}", f"{HOLE} Wait s", f"Await {HOLE} more s"])
def test_a_text_whose_holes_would_move_is_not_rewritten(value: str) -> None:
    assert rewrite("x = `Wait ${n} s`", "`Wait ${n} s`", value) is None


def test_one_literal_of_a_chain_can_change() -> None:
    code = "x = 'Get it. ' +\n  // why\n  \"Keep calling. \" +\n  name + 'Bye.';"
    part = code[4:-1]
    assert rewrite(code, part, f"Get it. Call once. {HOLE}Bye.") == code.replace("Keep calling", "Call once")
    assert rewrite(code, part, f"Get it. Keep calling. {HOLE}Bye. So.") == code.replace("'Bye.'", "'Bye. So.'")
    assert rewrite(code, part, f"Got all of it {HOLE}Bye.") is None
    assert rewrite(code, part, "Get it. Keep calling. Bye.") is None


def test_one_literal_of_a_joined_array_can_change() -> None:
    code = 'x = [\n  "Get it.",\n  `Keep ${calling}.`,\n  more,\n].join("\\n")'
    part = code[4:]
    assert rewrite(code, part, f"Get it. Call once.\nKeep {HOLE}.\n{HOLE}") == code.replace(
        "Get it.", "Get it. Call once."
    )
    assert rewrite(code, part, f"Get it.\nKeep {HOLE} up.\n{HOLE}") == code.replace("}.", "} up.")
    assert rewrite(code, part, f"Get it. Keep {HOLE}.\n{HOLE}") is None


def test_an_insertion_where_two_literals_meet_goes_to_the_end_of_the_first() -> None:
    assert rewrite("x = 'a.' + 'b.'", "'a.' + 'b.'", "a. c.b.") == "x = 'a. c.' + 'b.'"


@pytest.mark.parametrize("part", ["name", "f('a')", "dedent`a`", "1", "[a].join(b)", "x"])
def test_what_is_no_text_is_not_rewritten(part: str) -> None:
    assert rewrite(f"const y = {part};", part, "b") is None


def test_words_between_tags_are_rewritten_as_markup() -> None:
    code = "x = <A>\n  You are {name}. Keep\n  calling it &amp; wait.\n</A>;"
    part = "You are {name}. Keep\n  calling it &amp; wait."
    assert rewrite(code, part, f"You are {HOLE}. Call it & wait.", "a.tsx") == (
        "x = <A>\n  You are {name}. Call it &amp; wait.\n</A>;"
    )
    assert rewrite(code, part, f"You are {HOLE}. Keep <b> it {{x}} & wait.", "a.tsx") == (
        "x = <A>\n  You are {name}. Keep\n  &lt;b&gt; it &#123;x&#125; &amp; wait.\n</A>;"
    )
    assert rewrite(code, part, f"You are {HOLE}. Two\nlines & wait.", "a.tsx") is None


def test_an_attribute_is_rewritten_with_character_references() -> None:
    assert rewrite('x = <A b="keep calling" />', '"keep calling"', 'wait "now" & \\n', "a.tsx") == (
        'x = <A b="wait &quot;now&quot; &amp; \\n" />'
    )


def test_a_windows_file_keeps_its_line_ends() -> None:
    code = "x = `a\r\nb`;\r\n"
    assert rewrite(code, "`a\r\nb`", "a\nc\nd") == "x = `a\r\nc\r\nd`;\r\n"


def test_a_broken_file_is_repaired_where_it_is_whole() -> None:
    code = "const a = ;\nconst b = 'Keep calling';"
    assert rewrite(code, "'Keep calling'", "Call once") == "const a = ;\nconst b = 'Call once';"


@pytest.mark.parametrize("span", [Span(0, 99), Span(3, 2)])
def test_a_span_outside_of_the_file_is_not_rewritten(span: Span) -> None:
    assert changed("x = 'a'", RewriteText("a.ts", span, "b")) is None


TEXTS = st.text(alphabet=st.sampled_from("ab .'\"`\\${}\n\r\t<&>漢😀\u2028\x00"), max_size=12)


@given(TEXTS, TEXTS, st.sampled_from("'\"`"))
@example("a$", "a${", "`")
@example("{", "${", "`")
@example("a\\", "a\\n", "'")
@settings(max_examples=300, deadline=None)
def test_any_text_can_be_given_to_any_literal(old: str, new: str, quote: str) -> None:
    code = f"größe(); x = {quote}{quoted(old, quote)}{quote}; y()"
    (string,) = strings(code)
    after = changed(code, RewriteText("a.ts", string.span, new))
    assert after is not None
    (found,) = strings(after)
    assert (found.literal, found.style) == (new, quote)
    assert after.startswith("größe(); x = ")
    assert after.endswith("; y()")


@given(TEXTS, TEXTS, TEXTS)
@settings(max_examples=200, deadline=None)
def test_what_comes_out_of_a_chain_is_what_was_asked_or_nothing(first: str, second: str, new: str) -> None:
    code = f"x = '{quoted(first, chr(39))}' + `{quoted(second, '`')}`;"
    after = changed(code, RewriteText("a.ts", Span(4, len(code) - 1), new))
    if after is not None:
        assert "".join(string.literal or "" for string in strings(after)) == new
        assert not facts_of(after).problems


# ---------------------------------------------------------------- descriptions


def test_a_description_is_the_first_property_with_the_margin_of_the_others() -> None:
    code = "export const t = tool({\n    inputSchema: z.object({}),\n    execute: async () => run(),\n});\n"
    after = code.replace("    inputSchema", '    description: "Waits up to 60 s.",\n    inputSchema')
    for part in (
        "{\n    inputSchema: z.object({}),\n    execute: async () => run(),\n}",
        code[17:-2],
        "async () => run()",
    ):
        assert describe(code, part) == after


@pytest.mark.parametrize(
    ("code", "part", "after"),
    [
        (
            "const t = tool({ parameters: p, execute });",
            "tool({ parameters: p, execute })",
            'const t = tool({ description: "Waits up to 60 s.", parameters: p, execute });',
        ),
        (
            "const t = tool({parameters: p});",
            "{parameters: p}",
            'const t = tool({description: "Waits up to 60 s.", parameters: p});',
        ),
        (
            "const t: Tool = {\n\texecute() {},\n};",
            "{\n\texecute() {},\n}",
            'const t: Tool = {\n\tdescription: "Waits up to 60 s.",\n\texecute() {},\n};',
        ),
        (
            "const t = tool({ // now\n  // then\n  execute,\n})",
            "{ // now\n  // then\n  execute,\n}",
            'const t = tool({ // now\n  description: "Waits up to 60 s.",\n  // then\n  execute,\n})',
        ),
        (
            "s.registerTool('n', {}, async () => run('x'));",
            "async () => run('x')",
            "s.registerTool('n', { description: 'Waits up to 60 s.' }, async () => run('x'));",
        ),
        (
            "s.registerTool('n', { title: 'N' }, run);",
            "s.registerTool('n', { title: 'N' }, run)",
            "s.registerTool('n', { description: 'Waits up to 60 s.', title: 'N' }, run);",
        ),
        (
            'x = { "name": "n", "parameters": p }',
            '{ "name": "n", "parameters": p }',
            'x = { "description": "Waits up to 60 s.", "name": "n", "parameters": p }',
        ),
        (
            "const a = { b: tool({ execute: async function () {} }) }",
            "async function () {}",
            'const a = { b: tool({ description: "Waits up to 60 s.", execute: async function () {} }) }',
        ),
        (
            "tool(async () => 1, { schema: s })",
            "async () => 1",
            'tool(async () => 1, { description: "Waits up to 60 s.", schema: s })',
        ),
        ("x = {/* c */}", "{/* c */}", 'x = { description: "Waits up to 60 s."/* c */}'),
        ("x = {\r\n  run,\r\n}", "{\r\n  run,\r\n}", 'x = {\r\n  description: "Waits up to 60 s.",\r\n  run,\r\n}'),
    ],
)
def test_an_object_is_described_in_its_own_style(code: str, part: str, after: str) -> None:
    assert describe(code, part) == after


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("Waits.", "'Waits.'"),
        ("It's waiting.", '"It\'s waiting."'),
        ('Says "it\'s".', "'Says \"it\\'s\".'"),
        ("Waits.\nTwice.", "'Waits.\\nTwice.'"),
    ],
)
def test_a_description_has_the_quotes_that_the_file_uses_most(value: str, written: str) -> None:
    code = "import { tool } from 'ai';\nimport z from 'zod';\nconst t = tool({ execute }), b = \"x\";"
    assert describe(code, "tool({ execute })", value) == code.replace(
        "{ execute }", f"{{ description: {written}, execute }}"
    )


@pytest.mark.parametrize(
    ("code", "part"),
    [
        ("x = { description: d, execute }", "{ description: d, execute }"),
        ("x = { description, execute }", "{ description, execute }"),
        ("x = { 'description': 'a', execute }", "{ 'description': 'a', execute }"),
        ("x = { get description() { return 1 }, execute }", "{ get description() { return 1 }, execute }"),
        ("x = f({ a: 1 })", "f({ a: 1 })"),
        ("s.tool('n', { schema: z.string() }, async () => 1)", "async () => 1"),
        ("s.tool('n', { schema: z.string() }, f)", "s.tool('n', { schema: z.string() }, f)"),
        ("f({ run }, { execute })", "f({ run }, { execute })"),
        ("function f() {}", "function f() {}"),
        ("class A { execute() {} }", "class A { execute() {} }"),
        ("x = { a: () => 1 }", "() => 1"),
        ("f(() => 1)", "() => 1"),
        ("x = y", "x = y"),
    ],
)
def test_what_has_a_description_or_is_no_definition_gets_none(code: str, part: str) -> None:
    assert describe(code, part) is None


def test_an_empty_description_is_none() -> None:
    assert describe("x = { execute }", "{ execute }", " \n") is None
