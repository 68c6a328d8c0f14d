"""What the TypeScript front end makes of functions, classes, types and modules."""

from __future__ import annotations

import pytest

from python_facts import show
from typescript_facts import body_of, class_of, facts_of, function, lines_of, members, params, shown
from waitlint.facts import Export

# ---------------------------------------------------------------- functions


@pytest.mark.parametrize(
    ("code", "name"),
    [
        ("function f() {}", "f"),
        ("const f = () => 1", "f"),
        ("const f = function () {}", "f"),
        ("const f = function g() {}", "g"),
        ("const f = (async () => 1) as Handler", "f"),
        ("f = () => 1", "f"),
        ("f ??= () => 1", "f"),
        ("exports.f = () => 1", "f"),
        ("A.prototype.f = function () {}", "f"),
        ("x = {f: () => 1}", "f"),
        ("x = {'f': () => 1}", "f"),
        ("x = {f() {}}", "f"),
        ("x = {async 'f'() {}}", "f"),
        ("class A { f = () => 1 }", "f"),
        ("class A { f() {} }", "f"),
        ("class A { #f() {} }", "#f"),
        ("class A { [Symbol.asyncIterator]() {} }", "[Symbol.asyncIterator]"),
        ("export default () => 1", "default"),
        ("export default function () {}", "default"),
        ("g(() => 1)", ""),
        ("const f = g(() => 1)", ""),
    ],
)
def test_a_function_has_its_own_name_or_that_of_what_it_is_bound_to(code: str, name: str) -> None:
    (found,) = facts_of(code).functions
    assert found.name == name


@pytest.mark.parametrize(
    ("code", "written"),
    [
        ("function f() {}", "f"),
        ("const f = () => 1", "f"),
        ("x = {f() {}}", "f"),
        ("g(() => 1)", "() => 1"),
    ],
)
def test_the_place_of_a_function_is_its_name_or_the_whole(code: str, written: str) -> None:
    (found,) = facts_of(code).functions
    assert code[found.at.start : found.at.end] == written


def test_a_default_function_has_its_name_and_place() -> None:
    assert function("function f(g = () => 1) {}", "g").parent == 0
    assert function("const {g = () => 1} = x", "g").parent is None


@pytest.mark.parametrize(
    ("code", "marks"),
    [
        ("function f() {}", (False, False)),
        ("async function f() {}", (True, False)),
        ("function* f() {}", (False, True)),
        ("async function* f() {}", (True, True)),
        ("const f = async function () {}", (True, False)),
        ("const f = function* () {}", (False, True)),
        ("const f = async x => x", (True, False)),
        ("const f = async (x) => x", (True, False)),
        ("x = {async *f() {}}", (True, True)),
        ("class A { static async f() {} }", (True, False)),
        ("const f = async => async", (False, False)),
    ],
)
def test_async_functions_and_generators_are_marked(code: str, marks: tuple[bool, bool]) -> None:
    found = function(code, "f")
    assert (found.is_async, found.is_generator) == marks


def test_an_arrow_with_an_expression_returns_it() -> None:
    assert body_of("const f = x => x.y") == ["return x.y"]
    assert body_of("const f = () => ({a: 1})") == ["return {'a': 1}"]
    assert body_of("const f = (x) /* c */ => /* d */ x") == ["return x"]
    assert body_of("const f = () => { return }") == ["return"]


@pytest.mark.parametrize(
    ("code", "facts"),
    [
        ("function f(a, b) {}", ["a", "b"]),
        ("const f = a => a", ["a"]),
        ("function f(a: string, b = 1, c: X = y) {}", ["a: string", "b = 1", "c: X = y"]),
        ("function f(a?: AbortSignal) {}", ["a: AbortSignal = None"]),
        ("function f(this: Foo, a) {}", ["a"]),
        ("function f(a, ...rest: string[]) {}", ["a", "...rest: Array[string]"]),
        ("function f({a}, [b]) {}", ["$0", "$1"]),
        ("function f({a}: T = {}, ...[b]) {}", ["$0: T = {}", "...$1"]),
        ("class A { f(@Inject() a: B, @C d) {} }", ["a: Annotated[[B, Inject()]]", "d: Annotated[[?(), C]]"]),
    ],
)
def test_parameters(code: str, facts: list[str]) -> None:
    assert params(function(code, "f")) == facts


def test_what_a_parameter_takes_apart_is_assigned_before_the_body() -> None:
    code = "const f = async ({ a, b: c = 2, ...d }, { abortSignal: stop }) => g(a, stop)"
    assert body_of(code) == [
        "a = $0.a",
        "c = ($0.b ?? 2)",
        "d = {**$0}",
        "stop = $1.abortSignal",
        "return g(a, stop)",
    ]


def test_a_name_taken_from_a_parameter_has_its_exact_place() -> None:
    code = "const f = (x, { signal: stop }) => stop"
    found = function(code, "f")
    (assignment, _) = found.body
    value = assignment.value  # type: ignore[union-attr]
    assert code[value.target.span.start : value.target.span.end] == "stop"  # type: ignore[union-attr]
    assert code[value.value.at.start : value.value.at.end] == "signal"  # type: ignore[union-attr]
    assert code[found.params[1].span.start : found.params[1].span.end] == "{ signal: stop }"


def test_what_a_function_returns_is_an_expression() -> None:
    returned = function("function f(): Promise<string> {}", "f").returns
    assert returned is not None
    assert show(returned) == "Promise[string]"


def test_functions_know_their_class_and_the_function_around_them() -> None:
    code = (
        "function a() { const b = () => () => 1; class C { d() { return () => 2 } e = () => 3 } } const x = { g() {} }"
    )
    facts = facts_of(code)
    assert [(f.name, f.owner, f.parent) for f in facts.functions] == [
        ("a", None, None),
        ("g", None, None),
        ("b", None, 0),
        ("d", 0, 0),
        ("e", 0, 0),
        ("", None, 2),
        ("", None, 3),
    ]
    assert facts.classes[0].parent == 0


def test_yields_keep_what_they_hand_out() -> None:
    assert body_of("function* f() { yield; yield a; yield* g(); const x = yield b }") == [
        "yield",
        "yield a",
        "yield *g()",
        "x = yield b",
    ]


def test_overloads_without_a_body_are_left_out() -> None:
    facts = facts_of(
        "export function f(a: string): void;\nexport function f(a: number): void;\nexport function f(a) {}"
    )
    assert len(facts.functions) == 1
    assert facts.exports == (Export("f", "f"),)


# ---------------------------------------------------------------- classes


def test_classes_have_bases_with_what_they_implement() -> None:
    found = class_of("class A<T> extends B<T> implements C, vscode.D<E, F> {}", "A")
    assert [show(base) for base in found.bases] == ["B[T]", "C", "vscode.D[[E, F]]"]
    assert [show(base) for base in class_of("class A extends mixin(B, C) {}", "A").bases] == ["mixin(B, C)"]


def test_fields_and_methods_are_members() -> None:
    code = """
    abstract class A {
      // why
      private readonly a: number = 1;
      static #b = 2;
      declare c?: string;
      'd' = 3;
      [e] = 4;
      accessor f = 5;
      abstract g: string;
      abstract h(x: X): Y;
      i() {}
      static async j() {}
      k: Handler = async () => 1;
      l;
      m(): void;
      m() {}
    }
    """
    assert members(class_of(code, "A")) == [
        "a: number = 1",
        "static #b = 2",
        "c: (string | None)",
        "d = 3",
        "[e] = 4",
        "f = 5",
        "g: string",
        "h: ?(X, Y)",
        "i = <function 0>",
        "static j = <function 1>",
        "k: Handler = <function 2>",
        "l",
        "m = <function 3>",
    ]


def test_a_getter_is_marked_as_a_property_and_a_setter_does_not_hide_it() -> None:
    code = "class A { get a() { return 1 } set a(v) {} }"
    assert members(class_of(code, "A")) == ["a = <function 0>", "a= = <function 1>"]
    assert [[show(mark) for mark in found.decorators] for found in facts_of(code).functions] == [["property"], []]


def test_a_static_block_runs_as_a_member_without_a_name() -> None:
    code = "class A { static { start(); } }"
    assert members(class_of(code, "A")) == ["static  = <function 0>"]
    assert list(lines_of(facts_of(code).functions[0].body)) == ["start()"]


def test_what_a_computed_name_does_is_not_lost() -> None:
    code = "class A { [(a = new B(), Symbol.iterator)]() {} }"
    assert members(class_of(code, "A")) == ["static  = ?(a = B(), Symbol.iterator)", "[Symbol.iterator] = <function 0>"]


def test_parameter_properties_are_fields_that_the_constructor_sets() -> None:
    code = "class A { constructor(private readonly http: Http, public n = 1, other: X) { super(other); } }"
    assert members(class_of(code, "A")) == ["http: Http", "n", "constructor = <function 0>"]
    assert params(function(code, "constructor")) == ["http: Http", "n = 1", "other: X"]
    assert body_of(code, "constructor") == ["this.http = http", "this.n = n", "super(other)"]


def test_decorators_of_classes_methods_and_fields_are_kept() -> None:
    code = "@A({b: 1}) @C export class D { @E('x') @F async g() {} @H() i: J; @K l = 1 }"
    found = class_of(code, "D")
    assert [show(mark) for mark in found.decorators] == ["A({'b': 1})", "C"]
    assert [show(mark) for mark in function(code, "g").decorators] == ["E('x')", "F"]
    assert members(found) == ["g = <function 0>", "i: Annotated[[J, H()]]", "l: Annotated[[?(), K]] = 1"]
    assert [show(mark) for mark in class_of("@A class B {}", "B").decorators] == ["A"]


def test_a_class_in_place_has_the_name_that_it_is_bound_to() -> None:
    code = "const A = class { b() {} }; x = { C: class {} }; f(class D {})"
    assert [found.name for found in facts_of(code).classes] == ["A", "C", "D"]
    assert shown(code)[0] == "A = <class 0>"


def test_enum_members_have_the_values_that_they_have_at_run_time() -> None:
    code = "export const enum E { A, B = 5, C, 'x-y', D = 'd', F = -3, G, H = f(), I }"
    assert members(class_of(code, "E")) == [
        "static A = 0",
        "static B = 5",
        "static C = 6",
        "static x-y = 7",
        "static D = 'd'",
        "static F = (- 3)",
        "static G = -2",
        "static H = f()",
        "static I",
    ]


def test_interfaces_have_types_and_no_values() -> None:
    code = """
    interface I<T> extends J<T>, k.L {
      a: string;
      b?: number;
      m(x: X): Y;
      readonly 'c-d': Z[];
      [key: string]: any;
      (x: string): void;
      new (x: string): I;
    }
    """
    found = class_of(code, "I")
    assert [show(base) for base in found.bases] == ["J[T]", "k.L"]
    assert members(found) == ["a: string", "b: (number | None)", "m: ?(X, Y)", "c-d: Array[Z]"]


# ---------------------------------------------------------------- types


@pytest.mark.parametrize(
    ("code", "facts"),
    [
        ("string", "string"),
        ("A.B.C", "A.B.C"),
        ("A<B>", "A[B]"),
        ("A.B<C, D<E>>", "A.B[[C, D[E]]]"),
        ("'a' | \"b\" | 1 | -1", "((('a' | 'b') | 1) | (- 1))"),
        ("| A | null | undefined | true", "(((A | None) | None) | True)"),
        ("A & B", "(A & B)"),
        ("string[][]", "Array[Array[string]]"),
        ("readonly A[]", "Array[A]"),
        ("[A, b?: C, ...d: E[]]", "[A, C, Array[E]]"),
        ("[A?, ...B[]]", "[A, Array[B]]"),
        ("(A)", "A"),
        ("{ a: string; b?: C; 'd': 1 }", "{'a': string, 'b': (C | None), 'd': 1}"),
        ("{ m(x: A): B; [k: string]: C }", "{'m': ?(A, B), ?(string): C}"),
        ("(x: A, ...y: B[]) => C", "?(A, Array[B], C)"),
        ("new (x: A) => B", "?(A, B)"),
        ("A extends B ? C : D", "?(A, B, C, D)"),
        ("keyof A", "?(A)"),
        ("typeof a.b", "(typeof a.b)"),
        ("A['b']", "A['b']"),
        ("`a${B}c`", "'a{B}c'"),
        ("{ [K in keyof A]?: B }", "{?(): B}"),
        ("this", "this"),
        ("import('x').T", "import('x').T"),
        ("unique symbol", "unique symbol"),
    ],
)
def test_types_are_expressions(code: str, facts: str) -> None:
    assert shown(f"type X = {code};") == [f"X = {facts}"]


def test_a_type_predicate_is_no_value() -> None:
    returned = function("function f(x: unknown): x is A {}", "f").returns
    assert returned is not None
    assert show(returned) == "?(A)"


# ---------------------------------------------------------------- modules


@pytest.mark.parametrize(
    ("code", "facts"),
    [
        ("import 'side-effect'", []),
        ("import a from 'm'", ["import default of m as a"]),
        ("import * as a from 'm'", ["import module of m as a"]),
        ("import { a, b as c } from './m.js'", ["import a of ./m.js as a", "import b of ./m.js as c"]),
        ("import a, { b } from 'm'", ["import default of m as a", "import b of m as b"]),
        ("import { default as a } from 'm'", ["import default of m as a"]),
        ("import { 'x-y' as a } from 'm'", ["import x-y of m as a"]),
        ("import type { A } from 'm'", ["import A of m as A"]),
        ("import { type A, b } from 'm'", ["import A of m as A", "import b of m as b"]),
        ("import a from './a.json' with { type: 'json' }", ["import default of ./a.json as a"]),
        ("import a = require('m')", ["import module of m as a"]),
        ("import a = b.c.D", ["a = b.c.D"]),
        ("const a = require('m')", ["import module of m as a"]),
        ("const { a, b: c, d = 1 } = require('m')", [f"import {n} of m as {x}" for n, x in ("aa", "bc", "dd")]),
        ("const { a: { b } } = require('m')", ["import a of m as $v1", "b = $v1.b"]),
        ("const a = require('m').b", ["import b of m as a"]),
        ("const a = __importDefault(require('m'))", ["import module of m as a"]),
        ("var a = __toESM(require('m'), 1)", ["import module of m as a"]),
        ("const a = await import('m')", ["import module of m as a"]),
        ("const { a } = await import('m')", ["import a of m as a"]),
        ("const a = (await import('m')).default", ["import default of m as a"]),
        ("let a; a = await import('m')", ["a = None", "import module of m as a"]),
        ("const a = import('m')", ["a = import('m')"]),
        ("const a = require(name)", ["a = require(name)"]),
        ("const a = f(require('m'))", ["a = f(require('m'))"]),
        ("require('m')", ["require('m')"]),
    ],
)
def test_imports(code: str, facts: list[str]) -> None:
    assert shown(code) == facts


def test_imports_stand_where_they_are_written() -> None:
    assert body_of("async function f() { const { a } = await import('m'); a() }") == ["import a of m as a", "a()"]


@pytest.mark.parametrize(
    ("code", "facts", "exports"),
    [
        ("export const a = 1, b = 2", ["a = 1", "b = 2"], [("a", "a"), ("b", "b")]),
        ("export const { a, b: [c] } = d", ["a = d.a", "c = d.b[0]"], [("a", "a"), ("c", "c")]),
        ("export let a", ["a = None"], [("a", "a")]),
        ("export function f() {}", ["define 0"], [("f", "f")]),
        ("export async function* f() {}", ["define 0"], [("f", "f")]),
        ("export class A {}", ["class 0"], [("A", "A")]),
        ("export abstract class A {}", ["class 0"], [("A", "A")]),
        ("export enum A { B }", ["class 0"], [("A", "A")]),
        ("export interface A {}", ["class 0"], [("A", "A")]),
        ("export type A = B", ["A = B"], [("A", "A")]),
        ("export declare const a: B", ["a: B = ?()"], [("a", "a")]),
        ("export { a, b as c }", [], [("a", "a"), ("c", "b")]),
        ("export { a as default }", [], [("default", "a")]),
        ("export { a as 'x-y' }", [], [("x-y", "a")]),
        ("export type { A }", [], [("A", "A")]),
        ("export default a", ["default = a"], [("default", "default")]),
        ("export default { a: 1 } satisfies T", ["default = {'a': 1}"], [("default", "default")]),
        ("export default async () => 1", ["default = <function 0>"], [("default", "default")]),
        ("export default function () {}", ["default = <function 0>"], [("default", "default")]),
        ("export default class {}", ["default = <class 0>"], [("default", "default")]),
        ("export default function f() {}", ["define 0"], [("default", "f")]),
        ("export default class A {}", ["class 0"], [("default", "A")]),
        ("export default abstract class A {}", ["class 0"], [("default", "A")]),
        ("export default interface A {}", ["class 0"], [("default", "A")]),
        ("export import a = b.c", ["a = b.c"], [("a", "a")]),
        ("export = a", ["module.exports = a"], []),
        ("export as namespace A", [], []),
        ("module.exports = { a }", ["module.exports = {'a': a}"], []),
        ("exports.a = 1", ["exports.a = 1"], []),
    ],
)
def test_exports(code: str, facts: list[str], exports: list[tuple[str, str]]) -> None:
    assert shown(code) == facts
    assert [(export.name, export.local) for export in facts_of(code).exports] == exports


@pytest.mark.parametrize(
    ("code", "export"),
    [
        ("export * from 'm'", Export("*", "*", "m")),
        ("export * as a from 'm'", Export("a", "*", "m")),
        ("export { a as b } from 'm'", Export("b", "a", "m")),
        ("export { default } from 'm'", Export("default", "default", "m")),
        ("export { default as a } from './m'", Export("a", "default", "./m")),
        ("export type { A } from 'm'", Export("A", "A", "m")),
    ],
)
def test_what_is_handed_on_from_another_module(code: str, export: Export) -> None:
    assert facts_of(code).exports == (export,)


def test_a_namespace_is_its_statements_and_a_map_of_what_it_exports() -> None:
    code = "export namespace A { export const b = 1; const c = 2; export function d() {} export interface E {} }"
    assert shown(code) == ["define 0", "b = 1", "c = 2", "class 0", "A = {'b': b, 'd': d}"]
    assert facts_of(code).exports == (Export("A", "A"),)


def test_a_declared_module_exports_nothing_of_this_one() -> None:
    code = "declare module 'm' { export const a: string }\ndeclare global { var b: number; interface C {} }"
    assert facts_of(code).exports == ()
    assert shown(code) == ["a: string = ?()", "b: number = ?()", "class 0"]
