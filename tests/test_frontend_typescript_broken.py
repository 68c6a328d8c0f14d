"""Files that are broken, hostile or strange: nothing is lost that can be read, and nothing takes long."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Struct

from python_facts import nodes, show
from typescript_facts import facts_of, function, lines_of, shown
from waitlint.facts import Call, Comment, FileFacts, Name, Span
from waitlint.frontends.typescript import read
from waitlint.source import Source


def calls(facts: FileFacts) -> set[str]:
    found = nodes((facts.body, facts.functions, facts.classes))
    return {node.func.name for node in found if isinstance(node, Call) and isinstance(node.func, Name)}


# ---------------------------------------------------------------- broken files


def test_a_problem_names_its_line_and_many_are_counted() -> None:
    assert facts_of("a();\nconst = ;\nb();").problems == ("line 2: syntax that was not understood",)
    problems = facts_of("x = = 1;\n" * 10).problems
    assert problems[:3] == tuple(f"line {line}: syntax that was not understood" for line in (1, 2, 3))
    assert problems[3] == "syntax that was not understood on 7 more lines"


def test_what_stands_around_a_broken_place_is_read() -> None:
    tool = "tool({ description: 'Poll', schema: z.object({ a: }), execute: async () => run() })"
    code = f"before();\nconst t = {tool};\nafter();"
    facts = facts_of(code)
    assert facts.problems
    assert {"before", "tool", "after", "run"} <= calls(facts)
    assert function(code, "execute").is_async


def test_code_in_a_broken_class_is_read() -> None:
    code = "class A { first() { one() } broken( { } third() { function fourth() { two() } } }\nlast();"
    facts = facts_of(code)
    assert {"one", "two"} <= calls(facts)
    assert {"first", "fourth"} <= {found.name for found in facts.functions}


def test_a_file_that_ends_in_the_middle_is_read_up_to_there() -> None:
    tool = "server.tool('x', 'Keep calling', async ({ a }) => {\n  const r = await fetch(a);\n  use(r"
    code = f"import {{ z }} from 'zod';\n{tool}"
    facts = facts_of(code)
    lines = list(lines_of(facts.body))
    assert "import z of zod as z" in lines
    assert "'Keep calling'" in lines
    assert "r = await fetch(a)" in lines


def test_functions_in_broken_places_keep_the_name_that_they_are_bound_to() -> None:
    code = "const x = { a b, run: async () => one(), method() { two() } \n f(("
    facts = facts_of(code)
    assert {"run", "method"} <= {found.name for found in facts.functions}
    assert {"one", "two"} <= calls(facts)


def test_nothing_returns_outside_of_a_function_even_in_broken_files() -> None:
    lines = list(lines_of(facts_of("function f( { a(); return b() }\nc(").body))
    assert not [line for line in lines if line.startswith("return")]


def test_an_imported_type_in_type_arguments_breaks_nothing() -> None:
    code = "const x = await importOriginal<typeof import('./x')>();\nfunction f(a: Promise<import('y').T[]>) { g(a) }"
    facts = facts_of(code)
    assert facts.problems == ()
    assert calls(facts) == {"importOriginal", "g"}


@pytest.mark.parametrize(
    ("code", "facts"),
    [
        ("interface A<out T, in U extends B = C> { a: T }", ["class 0"]),
        ("type A<in out T> = T", ["A = T"]),
        ("import source a from 'm'", ["import default of m as a"]),
        ("import defer * as a from 'm'", ["import module of m as a"]),
        ("for (using a of b) c()", ["each a in b", " c()"]),
        ("export type * from 'm'", []),
        ("a = styled(B)<{ c: boolean }>`d${e}`", ["a = styled(B)('d{e}')"]),
    ],
)
def test_syntax_that_the_grammar_does_not_know_breaks_nothing(code: str, facts: list[str]) -> None:
    assert shown(code) == facts
    assert shown(f"f(a<typeof import('x')>());\n{code}") == ["f(a())", *facts]


def test_a_missing_token_is_a_problem_and_no_name() -> None:
    facts = facts_of("f(a, );\nx = {b: };")
    assert facts.problems
    assert all(node.name for node in nodes(facts.body) if isinstance(node, Name))


@pytest.mark.parametrize("code", ["", "\n", "// only a comment", "#!/usr/bin/env node\n", ";", "export {}"])
def test_files_without_code_have_no_facts(code: str) -> None:
    facts = facts_of(code)
    assert facts.body == ()
    assert facts.problems == ()


def test_windows_files_with_a_byte_order_mark_and_a_shebang_are_read() -> None:
    data = b"\xef\xbb\xbf#!/usr/bin/env node\r\nconst gr\xc3\xb6\xc3\x9fe = 1;\r\nf(gr\xc3\xb6\xc3\x9fe);\r\n"
    facts = read(Source.from_bytes("a.ts", data), "code")
    assert list(lines_of(facts.body)) == ["größe = 1", "f(größe)"]


def test_spaces_that_are_not_ascii_are_spaces() -> None:
    assert shown("const\u00a0x\u3000=\u2003f(\ufeff1)") == ["x = f(1)"]


SAMPLE = """
import { z } from "zod";
@Tool({ name: "x" })
export class Poller<T> extends Base implements Job {
  #n = 1;
  constructor(private readonly http: Http) { super(); }
  async wait({ id, signal }: Args = {}, ...rest: string[]): Promise<State> {
    outer: for (let i = 0; i < 60; i++) {
      const s = await this.http.get(`/jobs/${id}`, { signal });
      switch (s.status) {
        case "done": return s;
        case "failed": if (rest.length) break; throw new Error("no" + `x\\n${s}`);
        default: continue outer;
      }
      try { await sleep(5_000) } catch (e) { if (e instanceof AbortError) throw e } finally { log?.(i) }
    }
    return null!;
  }
}
export const el = <Sys a="b">Wait & <b>see</b> {x ?? y}</Sys>;
type U = { a?: "b" | 1 } & typeof import("m");
enum E { A, B = "b" }
"""


@given(
    st.integers(0, len(SAMPLE)), st.integers(0, len(SAMPLE)), st.sampled_from(["", "}", "(", "`", "<", '"', "é", "@"])
)
@settings(max_examples=200, deadline=None)
def test_any_cut_of_a_file_is_read(start: int, end: int, between: str) -> None:
    code = SAMPLE[: min(start, end)] + between + SAMPLE[max(start, end) :]
    for path in ("a.tsx", "a.ts"):
        facts = facts_of(code, path)
        assert msgspec.msgpack.decode(msgspec.msgpack.encode(facts), type=FileFacts) == facts
        for node in nodes((facts.body, facts.functions, facts.classes)):
            span = getattr(node, "span", None)
            assert not isinstance(span, Span) or 0 <= span.start <= span.end <= len(code)


# ---------------------------------------------------------------- hostile files


def depth_of(value: object) -> int:
    """How deep facts are nested in one another, counted level by level."""
    depth = 0
    level: list[object] = [value]
    while level:
        structs: list[Struct] = []
        while level:
            found = level.pop()
            if type(found) is tuple:
                level.extend(found)
            elif isinstance(found, Struct) and type(found) is not Span:
                structs.append(found)
        level.extend(part for struct in structs for part in msgspec.structs.astuple(struct))
        depth += bool(structs)
    return depth


BOMBS = {
    "brackets": "x = " + "[" * 100_000 + "]" * 100_000,
    "open brackets": "[" * 100_000,
    "parentheses": "x = " + "(" * 100_000 + "1" + ")" * 100_000,
    "objects": "x = " + "{a:" * 50_000 + "1" + "}" * 50_000,
    "calls": "x = " + "f(" * 50_000 + ")" * 50_000,
    "chained calls": "x = a" + ".b()" * 50_000,
    "templates": "x = " + "`${" * 30_000 + "1" + "}`" * 30_000,
    "open templates": "`${" * 50_000,
    "nots": "x = " + "!" * 100_000 + "a",
    "conditions": "x = " + "a ? b : " * 30_000 + "c",
    "assignments": "a = " * 50_000 + "1",
    "sums": "x = " + "a + " * 50_000 + "a",
    "sums of strings": "x = " + "'a' + " * 50_000 + "'a'",
    "alternatives": "x = " + "a || " * 50_000 + "a",
    "differences": "x = " + "a - b * " * 30_000 + "a",
    "else if": "if (a) b(); else " * 30_000 + "c()",
    "blocks": "{" * 50_000 + "}" * 50_000,
    "ifs": "if (a) {" * 30_000 + "}" * 30_000,
    "functions": "function f() {" * 20_000 + "}" * 20_000,
    "arrows": "x = " + "a => " * 50_000 + "1",
    "classes": "x = " + "class { a = " * 20_000 + "1" + "}" * 20_000,
    "labels": "a: " * 50_000 + "while (b);",
    "labelled blocks": "".join(f"a{n}: {{" for n in range(5_000)) + "}" * 5_000,
    "cases": "switch (a) {" + "".join(f"case {n}: f(); break;" for n in range(10_000)) + "}",
    "cases that run on": "switch (a) {" + "".join(f"case {n}: f();" for n in range(10_000)) + "}",
    "breaks in a case": "switch (a) { case 1:" + "if (b) break; c();" * 5_000 + "}",
    "switches": "switch (a) { case 1: if (b) break;" * 2_000 + "}" * 2_000,
    "patterns": "const " + "{a: " * 3_000 + "b" + "}" * 3_000 + " = x",
    "types": "type A = " + "B<" * 30_000 + "C" + ">" * 30_000,
    "unions": "type A = " + "'a' | " * 30_000 + "'b'",
    "dots": "import a = " + "b." * 30_000 + "c",
    "namespaces": "namespace A {" * 3_000 + "}" * 3_000,
    "decorators": "class A { " + "@a " * 30_000 + "b() {} }",
    "errors": "x = = 1;\n" * 10_000,
    "escapes": "x = '" + r"\n" * 200_000 + "'",
    "comments": "/* expect: */" * 50_000,
    "quotes": "\"\n'" * 30_000,
}
MARKUP_BOMBS = {
    "elements": "x = " + "<a>" * 20_000 + "</a>" * 20_000,
    "expressions in elements": "x = " + "<a>{" * 20_000 + "1" + "}</a>" * 20_000,
    "ampersands": "x = <a>" + "a & b " * 20_000 + "</a>",
}


def bombs() -> Iterator[tuple[str, str, str]]:
    yield from ((name, "a.ts", code) for name, code in BOMBS.items())
    yield from ((name, "a.tsx", code) for name, code in MARKUP_BOMBS.items())


@pytest.mark.parametrize(("path", "code"), [pytest.param(path, code, id=name) for name, path, code in bombs()])
def test_hostile_files_end_soon_and_give_shallow_facts(path: str, code: str) -> None:
    started = time.process_time()
    facts = facts_of(code, path)
    assert time.process_time() - started < 20
    assert depth_of((facts.body, facts.functions, facts.classes)) < 400
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(facts), type=FileFacts) == facts


def test_what_is_nested_too_deep_is_a_problem() -> None:
    assert facts_of("\nx = " + "[" * 1_000 + "]" * 1_000).problems == (
        "line 2: nested too deep, what is inside was left out",
    )


def test_what_comes_after_a_bomb_is_read() -> None:
    assert shown_after("x = " + "[" * 1_000 + "]" * 1_000) == "after()"
    assert shown_after("x = a" + ".b(c())" * 1_000) == "after()"


def shown_after(code: str) -> str:
    return show(facts_of(f"{code}\nafter()").body[-1].value)  # type: ignore[union-attr, arg-type]


def test_no_call_of_a_long_chain_is_lost() -> None:
    code = "a" + "".join(f".b(f{number}())" for number in range(500))
    assert calls(facts_of(code)) == {f"f{number}" for number in range(500)}


def test_deep_files_are_read_in_a_deep_stack() -> None:
    """The front end may be called by code that has used up much of the stack."""

    def deep(levels: int, code: str) -> FileFacts:
        return deep(levels - 1, code) if levels else facts_of(code)

    room = sys.getrecursionlimit() - 750
    for opening, closing in (("f(", ")"), ("{a:", "}"), ("A<", ">"), ("class { a = ", "}"), ("{a = ", "}")):
        deep(room, "x = " + opening * 500 + "1" + closing * 500)
    for opening, closing in (("for (;;) {", "}"), ("do {", "} while (a)"), ("if (a) {", "}"), ("try {", "} catch {}")):
        deep(room, opening * 500 + closing * 500)


# ---------------------------------------------------------------- comments


def test_comments_that_speak_to_waitlint_are_kept_without_their_delimiters() -> None:
    code = (
        "// waitlint: ignore a/b\nf(); // expect: c/d\n/* waitlint: file */\n/**\n * waitlint: x\n * y\n */\n// other\n"
    )
    assert [comment.text for comment in facts_of(code).comments] == [
        "waitlint: ignore a/b",
        "expect: c/d",
        "waitlint: file",
        "waitlint: x\ny",
    ]


def test_a_comment_spans_its_delimiters() -> None:
    code = "größe(); // expect: a/b\n"
    (comment,) = facts_of(code).comments
    assert code[comment.span.start : comment.span.end] == "// expect: a/b"


def test_comments_are_found_wherever_they_stand() -> None:
    code = "f(a, // expect: one\n b)\nx = <A>{/* expect: two */}</A>\nclass B { /* expect: three */ }\n"
    code += "y = = // expect: four"
    assert [comment.text for comment in facts_of(code, "a.tsx").comments] == [
        "expect: one",
        "expect: two",
        "expect: three",
        "expect: four",
    ]


def test_words_in_strings_are_no_comments() -> None:
    facts = facts_of("x = '// expect: a'; y = `// waitlint: b`; z = <A>expect: c</A>", "a.tsx")
    assert facts.comments == ()


def test_comment_without_a_space() -> None:
    assert facts_of("//expect:a").comments == (Comment("expect:a", Span(0, 10)),)
