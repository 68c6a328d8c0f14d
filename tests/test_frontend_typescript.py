"""What the TypeScript front end makes of expressions and statements, as short pseudo-code."""

from __future__ import annotations

import pytest

from typescript_facts import body_of, expression, facts_of, lines_of, shown, value_of
from waitlint.facts import Attr, Binary, Call, Const, Func, Loop
from waitlint.frontends import read
from waitlint.source import Source


@pytest.mark.parametrize(
    ("code", "facts"),
    [
        ("1_000", "1000"),
        ("0x1F", "31"),
        ("0b11", "3"),
        ("0o17", "15"),
        ("017", "15"),
        ("089", "89"),
        ("1.5e3", "1500.0"),
        (".5", "0.5"),
        ("5.", "5.0"),
        ("3e5", "300000.0"),
        ("90_000n", "90000"),
        ("0x1Fn", "31"),
        ("99999999999999999999", "1e+20"),
        ("1e999", "?()"),
        ("true", "True"),
        ("false", "False"),
        ("null", "None"),
        ("undefined", "None"),
        ("void 0", "None"),
        ("Infinity", "Infinity"),
        ("a", "a"),
        ("größe", "größe"),
        ("this.a", "this.a"),
        ("this.#a", "this.#a"),
        ("a.b.c", "a.b.c"),
        ("a /* c */ . /* d */ b", "a.b"),
        ("a?.b?.[c]?.(d)", "a.b[c](d)"),
        ("a!.b!", "a.b"),
        ("(a as any).b", "a.b"),
        ("<T>a", "a"),
        ("a satisfies T as const", "a"),
        ("((a))", "a"),
        ("a<b>", "a"),
        ("a[0]['k']", "a[0]['k']"),
        ("f()", "f()"),
        ("f(1, ...a, /* why */ 'b')", "f(1, *a, 'b')"),
        ("f<string>(a)(b).c(d)", "f(a)(b).c(d)"),
        ("new A", "A()"),
        ("new a.B<string, X>(c, ...d)", "a.B(c, *d)"),
        ("import.meta.url", "import.meta.url"),
        ("new.target", "new.target"),
        ("import('x')", "import('x')"),
        ("super(a)", "super(a)"),
        ("super.m(a)", "super.m(a)"),
        ("tag`a${b}c`", "tag('a{b}c')"),
        ("`a`", "'a'"),
        ("/re/g.test(a)", "?().test(a)"),
        ("[a, ...b, , c]", "[a, *b, c]"),
        ("a + b * c - d", "((a + (b * c)) - d)"),
        ("'a' + 'b'", "('a' + 'b')"),
        ("a ** -b % c", "((a ** (- b)) % c)"),
        ("a === b", "(a == b)"),
        ("a !== b", "(a != b)"),
        ("a == b != c", "((a == b) != c)"),
        ("a <= b", "(a <= b)"),
        ("a && b || !c", "((a and b) or (not c))"),
        ("a ?? b", "(a ?? b)"),
        ("'k' in o", "('k' in o)"),
        ("#p in o", "(#p in o)"),
        ("a instanceof B", "?(a, B)"),
        ("a | b & c", "(a | (b & c))"),
        ("10 << 20", "10485760"),
        ("a << 20", "?(a, 20)"),
        ("-1", "(- 1)"),
        ("~a", "(~ a)"),
        ("typeof a === 'string'", "((typeof a) == 'string')"),
        ("void f()", "?(f())"),
        ("delete a.b", "?(a.b)"),
        ("a ? b : c", "(b if a else c)"),
        ("a /* x */ ? b : /* y */ c", "(b if a else c)"),
        ("(a(), b())", "?(a(), b())"),
        ("await f(a)", "await f(a)"),
        ("await f<T>(a)", "await f(a)"),
        ("await a.f<T>(b).c()", "await a.f(b).c()"),
        ("await (await f<T>(a)).b<T>()", "await await f(a).b()"),
        ("!f<T>(a)", "(not f(a))"),
        ("!await f<T>(a)", "(not await f(a))"),
        ("a + b.f<T>(c)", "(a + b.f(c))"),
        ("void f<T>(a)", "?(f(a))"),
        ("(await f)<T>(a)", "await f(a)"),
        ("y = 1", "y = 1"),
        ("y += 1", "y += 1"),
        ("y ||= 1", "y or= 1"),
        ("y ??= f()", "y ??= f()"),
        ("y **= 2", "y **= 2"),
        ("y++", "y += 1"),
        ("--y.z", "y.z -= 1"),
        ("{}", "{}"),
        ("{a, 'b': 1, 2: c, [d]: e, ...f}", "{'a': a, 'b': 1, 2: c, d: e, **f}"),
        ("{a() {}, async *b() {}, c: () => 1}", "{'a': <function 0>, 'b': <function 1>, 'c': <function 2>}"),
        ("{get a() { return 1 }, set a(v) {}}", "{'a': <function 0>(), ?(): <function 1>}"),
        ("{get: 1, set: 2, async: 3, static: 4}", "{'get': 1, 'set': 2, 'async': 3, 'static': 4}"),
        ("function () {}", "<function 0>"),
        ("class {}", "<class 0>"),
    ],
)
def test_expressions(code: str, facts: str) -> None:
    assert expression(code) == facts


def test_construction_is_marked() -> None:
    value = value_of("new A(b)")
    assert isinstance(value, Call)
    assert value.new


def test_the_name_in_an_attribute_has_its_own_span() -> None:
    code = "a . b"
    value = value_of(code)
    assert isinstance(value, Attr)
    assert code[value.at.start : value.at.end] == "b"
    assert (value.span.start, value.span.end) == (0, len(code))


@pytest.mark.parametrize(
    ("code", "facts"),
    [
        ("const x = 1, y = 2", ["x = 1", "y = 2"]),
        ("const x: Job | null = null", ["x: (Job | None) = None"]),
        ("const t = {} as Tool", ["t: Tool = {}"]),
        ("const t = {} satisfies Tool<A>", ["t: Tool[A] = {}"]),
        ("const t = ['a'] as const", ["t = ['a']"]),
        ("let x", ["x = None"]),
        ("let x!: string", ["x: string = None"]),
        ("a(); var x; b()", ["x = None", "a()", "b()"]),
        ("var x, x; for (;;) { var y }", ["x = None", "y = None", "while"]),
        ("using q = f()", ["q = f()"]),
        ("await using q = f()", ["q = f()"]),
        ("a(), b(), x = 1", ["a()", "b()", "x = 1"]),
        ("(a(), b())", ["a()", "b()"]),
        ("x = y = 1", ["x = y = 1"]),
        ("const {a, b: c} = d", ["a = d.a", "c = d.b"]),
        ("const {a} = this.b", ["a = this.b.a"]),
        ("const {a, b} = await f()", ["$v1 = await f()", "a = $v1.a", "b = $v1.b"]),
        ("const {a = 1, b: c = g()} = d", ["a = (d.a ?? 1)", "c = (d.b ?? g())"]),
        ("const {a: {b, c}} = d", ["b = d.a.b", "c = d.a.c"]),
        ("const {a: {b} = {}} = d", ["$v1 = (d.a ?? {})", "b = $v1.b"]),
        ("const {'a-b': a, [k]: b, 0: c} = d", ["a = d['a-b']", "b = d[k]", "c = d[0]"]),
        ("const {a, ...rest} = d", ["a = d.a", "rest = {**d}"]),
        ("const [a, , b = 1, ...c] = d", ["a = d[0]", "b = (d[2] ?? 1)", "c = d[?()]"]),
        ("const [[a], {b}] = d", ["a = d[0][0]", "b = d[1].b"]),
        ("const {a}: T = d", ["$v1: T = d", "a = $v1.a"]),
        ("[a, b] = [b, a]", ["$v1 = [b, a]", "a = $v1[0]", "b = $v1[1]"]),
        ("({a, b: c.d, e = 2} = a)", ["$v1 = a", "a = $v1.a", "c.d = $v1.b", "e = ($v1.e ?? 2)"]),
        ("f([a] = b)", ["f(?($v1 = b, a = $v1[0]))"]),
        ("type A = 'x' | 'y'", ["A = ('x' | 'y')"]),
        ("declare const x: string", ["x: string = ?()"]),
        ("'use strict'; a()", ["'use strict'", "a()"]),
        ("{ a(); { b() } }", ["a()", "b()"]),
        (";;debugger;", []),
    ],
)
def test_declarations_and_assignments_come_one_by_one(code: str, facts: list[str]) -> None:
    assert shown(code) == facts


@pytest.mark.parametrize(
    ("code", "facts"),
    [
        ("if (a) b()", ["if a", " b()"]),
        ("if (a) { b() } /* c */ else /* d */ { e() }", ["if a", " b()", "else", " e()"]),
        (
            "if (a) b(); else if (c) d(); else e()",
            ["if a", " b()", "else", " if c", "  d()", " else", "  e()"],
        ),
        ("while (a) b()", ["while a", " b()"]),
        ("while (true) { break; continue }", ["while True", " break", " continue"]),
        ("do a(); while (b)", ["until b", " a()"]),
        ("for (;;) a()", ["while", " a()"]),
        (
            "for (let i = 0, j = 9; i < j; i++, j--) a()",
            ["i = 0", "j = 9", "while (i < j)", " a()", "update", " i += 1", " j -= 1"],
        ),
        ("for (i = 0; ; ) ;", ["i = 0", "while"]),
        ("for (const a of b) c()", ["each a in b", " c()"]),
        ("for (const a in b) c()", ["each a in b", " c()"]),
        ("for (a of b) c()", ["each a in b", " c()"]),
        ("for await (const a of b) c()", ["async each a in b", " c()"]),
        ("for (const [a, {b}] of c) d()", ["each $v1 in c", " a = $v1[0]", " b = $v1[1].b", " d()"]),
        ("try { a() } catch { b() }", ["try", " a()", "catch", " b()"]),
        (
            "try { a() } catch (e: unknown) { b() } finally { c() }",
            ["try", " a()", "catch e", " b()", "finally", " c()"],
        ),
        (
            "try { a() } catch ({message}) { b(message) }",
            ["try", " a()", "catch $v1", " message = $v1.message", " b(message)"],
        ),
        ("try { a() } finally { b() }", ["try", " a()", "finally", " b()"]),
        ("throw new A('b')", ["throw A('b')"]),
        ("with (a) b()", ["a", "b()"]),
    ],
)
def test_statements(code: str, facts: list[str]) -> None:
    assert shown(code) == facts


def test_the_body_of_a_loop_has_the_condition_after_it_in_do_while_alone() -> None:
    kinds = [stmt.kind for stmt in facts_of("while (a);do ; while (a)").body if isinstance(stmt, Loop)]
    assert kinds == ["while", "until"]


def test_labels_name_their_loop() -> None:
    code = "outer: for (const a of b) { inner: while (c) { continue outer; break inner } }"
    assert shown(code) == ["outer: each a in b", " inner: while c", "  continue outer", "  break inner"]


def test_two_labels_of_one_loop_are_one() -> None:
    assert shown("a: b: while (c) { break a }") == ["b: while c", " break b"]


def test_a_labelled_block_is_left_by_a_branch() -> None:
    assert shown("a: { if (b) break a; c() }") == ["if b", "else", " c()"]


# ---------------------------------------------------------------- switch


def switch(cases: str) -> list[str]:
    return shown(f"switch (x) {{ {cases} }}")


def test_switch_is_a_chain_of_ifs_with_the_default_last() -> None:
    assert switch("case 'a': f(); break; case 'b': { g(); break } default: h()") == [
        "if (x == 'a')",
        " f()",
        "else",
        " if (x == 'b')",
        "  g()",
        " else",
        "  h()",
    ]


def test_empty_cases_join_the_next_one() -> None:
    assert switch("case 1: case 2: f(); break; case 3: g()") == [
        "if ((x == 1) or (x == 2))",
        " f()",
        "else",
        " if (x == 3)",
        "  g()",
    ]


def test_the_value_of_a_switch_is_evaluated_once() -> None:
    assert shown("switch (f()) { case 1: g(); break }") == ["$v1 = f()", "if ($v1 == 1)", " g()"]
    assert shown("switch (a.b) { case 1: g() }") == ["if (a.b == 1)", " g()"]


def test_switch_true_has_tests_for_cases() -> None:
    assert shown("switch (true) { case a > 1: f(); break; default: g() }") == ["if (a > 1)", " f()", "else", " g()"]


def test_a_case_that_runs_into_the_next_is_guarded() -> None:
    assert switch("case 1: f(); case 2: g(); break; default: h()") == [
        "if ((x == 1) or (x == 2))",
        " if (x == 1)",
        "  f()",
        " g()",
        "else",
        " h()",
    ]


def test_a_default_in_the_middle_is_still_the_last_to_be_tried() -> None:
    assert switch("case 1: f(); break; default: g(); case 2: h()") == [
        "if (x == 1)",
        " f()",
        "else",
        " if (not (x == 2))",
        "  g()",
        " h()",
    ]


def test_a_case_after_the_default_that_does_nothing_keeps_its_value_from_it() -> None:
    assert switch("default: f(); break; case 1:") == ["if (x == 1)", "else", " f()"]


def test_a_break_within_a_case_leaves_the_switch_and_not_the_loop() -> None:
    code = "while (a) { switch (x) { case 1: if (b) break; f(); break; case 2: continue; default: return } }"
    assert shown(code) == [
        "while a",
        " if (x == 1)",
        "  if b",
        "  else",
        "   f()",
        " else",
        "  if (x == 2)",
        "   continue",
        "  else",
        "   return",
    ]


def test_both_branches_of_a_case_can_end_it() -> None:
    assert switch("case 1: if (a) { f(); break } else if (b) { g() } h()") == [
        "if (x == 1)",
        " if a",
        "  f()",
        " else",
        "  if b",
        "   g()",
        "  h()",
    ]


def test_a_break_that_no_branch_can_replace_leaves_a_loop_that_runs_once() -> None:
    code = "while (a) { switch (x) { case 1: try { if (b) break; f() } finally { c() } if (d) continue; g() } h() }"
    assert shown(code) == [
        "$l2: while a",
        " if (x == 1)",
        "  $s1: until False",
        "   try",
        "    if b",
        "     break $s1",
        "    f()",
        "   finally",
        "    c()",
        "   if d",
        "    continue $l2",
        "   g()",
        " h()",
    ]


def test_switches_in_switches_keep_their_breaks_apart() -> None:
    code = "switch (x) { case 1: switch (y) { case 2: break; default: f() } g(); break; case 3: h() }"
    assert shown(code) == [
        "if (x == 1)",
        " if (y == 2)",
        " else",
        "  f()",
        " g()",
        "else",
        " if (x == 3)",
        "  h()",
    ]


# ---------------------------------------------------------------- order


def test_functions_come_before_the_statements_of_their_block() -> None:
    assert shown("a(); function f() {} if (b) { c(); function g() {} }") == [
        "define 0",
        "a()",
        "if b",
        " define 1",
        " c()",
    ]


def test_hoisted_variables_stand_before_the_body_of_their_function_alone() -> None:
    code = "function f(a, b) { g(); var a, c; return function () { var d } }"
    assert body_of(code) == ["c = None", "g()", "return <function 1>"]


def test_a_number_in_a_long_chain_of_strings_is_joined_as_it_is_written() -> None:
    operands = ["a", *[f"'{number}'" for number in range(100)], "b", "'c'", "d"]
    value = value_of("+".join(operands))

    def flat(expr: object) -> list[object]:
        return [*flat(expr.left), *flat(expr.right)] if isinstance(expr, Binary) else [expr]

    def depth(expr: object) -> int:
        return 1 + max(depth(expr.left), depth(expr.right)) if isinstance(expr, Binary) else 0

    assert len(flat(value)) == len(operands)
    assert depth(value) < 20


def test_a_long_chain_of_numbers_is_not_regrouped() -> None:
    (line,) = shown("-".join(f"a{number}" for number in range(50)))
    assert line.startswith("?(a0, a1, ")


def test_long_chains_of_branches_become_a_tree() -> None:
    body = facts_of("".join(f"if (a == {n}) f{n}(); else " for n in range(200)) + "g()").body
    lines = list(lines_of(body))
    assert max(len(line) - len(line.lstrip()) for line in lines) < 60
    for number in range(200):
        assert f"f{number}()" in [line.strip() for line in lines]
    assert lines[-1].strip() == "g()"


def test_every_language_ending_is_read_by_its_grammar() -> None:
    assert shown("x = <T>y", "a.mts") == ["x = y"]
    assert shown("x = <T,>(y: T) => y", "a.cts") == ["x = <function 0>"]
    for path in ("a.js", "a.mjs", "a.cjs", "a.jsx", "a.tsx"):
        assert shown("x = <b/>", path) == ["x = ?()"]


def test_the_front_end_is_found_by_language() -> None:
    facts = read(Source("a.ts", "f(() => 1)"), "typescript", "skill")
    assert (facts.language, facts.surface) == ("typescript", "skill")
    assert value_of("f(() => 1)") == facts.body[0].value  # type: ignore[union-attr]
    assert isinstance(value_of("(() => 1)"), Func)
    assert isinstance(value_of("1"), Const)
