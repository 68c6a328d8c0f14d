"""What the Python front end makes of code: every statement and expression, as short pseudo-code."""

from __future__ import annotations

import pytest

from python_facts import expression, facts_of, function, lines_of, nodes, show, shown, shown_function, text_of
from waitlint.facts import Binary, Call, Define, Do, Function, Loop, Name, Str
from waitlint.frontends import read
from waitlint.source import Source


@pytest.mark.parametrize(
    ("code", "facts"),
    [
        ("1_000", "1000"),
        ("0x1F", "31"),
        ("0b11", "3"),
        ("0o17", "15"),
        ("1.5e3", "1500.0"),
        ("0.5", "0.5"),
        ("00", "0"),
        ("10000000000000000000000", "1e+22"),
        ("1e999", "?()"),
        ("3j", "?()"),
        ("True", "True"),
        ("False", "False"),
        ("None", "None"),
        ("a", "a"),
        ("a.b.c", "a.b.c"),
        ("a . b", "a.b"),
        ("a[0]", "a[0]"),
        ("a['k'].b", "a['k'].b"),
        ("a[b, 1]", "a[[b, 1]]"),
        ("a[1:f()]", "a[?(1, f())]"),
        ("a[b, :c]", "a[[b, ?(c)]]"),
        ("f()", "f()"),
        ("f(1, *a, k=2, **kw)", "f(1, *a, k=2, *kw)"),
        ("f(x for x in y)", "f([x for x in y])"),
        ("f(a)(b).c(d)", "f(a)(b).c(d)"),
        ("f(  # why\n  1, # one\n  2)", "f(1, 2)"),
        ("a \\\n . b", "a.b"),
        ("(a)", "a"),
        ("((a + b)) * c", "((a + b) * c)"),
        ("a + b * c - d", "((a + (b * c)) - d)"),
        ("a ** -b", "(a ** (- b))"),
        ("a // b % c", "((a // b) % c)"),
        ("a << b", "?(a, b)"),
        ("a @ b", "?(a, b)"),
        ("a | b & c", "(a | (b & c))"),
        ("not a and b or c", "(((not a) and b) or c)"),
        ("~a", "(~ a)"),
        ("a < b", "(a < b)"),
        ("a < b <= c", "((a < b) and (b <= c))"),
        ("a is None", "(a == None)"),
        ("a is not None", "(a != None)"),
        ("a not in b", "(a not in b)"),
        ("a in b in c", "((a in b) and (b in c))"),
        ("a if b else c", "(a if b else c)"),
        ("(n := f())", "n = f()"),
        ("[a, *b]", "[a, *b]"),
        ("(a, b)", "[a, b]"),
        ("a, b", "[a, b]"),
        ("()", "[]"),
        ("{a, b}", "[a, b]"),
        ("{}", "{}"),
        ("{'a': 1, **b, c: 2}", "{'a': 1, **b, c: 2}"),
        ("[f(x) for x in y if x if z]", "[f(x) for x in y if x if z]"),
        ("[x for y in z if y for x in y if x]", "[[x for x in y if x] for y in z if y]"),
        ("{k: v for k, v in d.items()}", "[{k: v} for [k, v] in d.items()]"),
        ("{x for x in y}", "[x for x in y]"),
        ("(x async for x in y)", "[x for x in y]"),
        ("await f(a)", "await f(a)"),
        ("b'bytes'", "?()"),
        ("b'a' b'c'", "?()"),
        ("[*a.b(), *c]", "[*a.b(), *c]"),
        ("*a.b, c", "[*a.b, c]"),
        ("*a.b(), c", "[*a.b(), c]"),
        ("*a[0], c", "[*a[0], c]"),
        ("print(match, type(case))", "print(match, type(case))"),
    ],
)
def test_expressions(code: str, facts: str) -> None:
    assert expression(code) == facts


@pytest.mark.parametrize(
    ("code", "facts"),
    [
        ("x = 1", ["x = 1"]),
        ("x: int = 1", ["x: int = 1"]),
        ("x: list[int | None]", ["x: list[(int | None)] = ?()"]),
        ("x: dict[str, 'Job'] = {}", ["x: dict[[str, 'Job']] = {}"]),
        ("self.x = y", ["self.x = y"]),
        ("x[0] = y", ["x[0] = y"]),
        ("x += 1", ["x += 1"]),
        ("x //= 2", ["x //= 2"]),
        ("a = b = 1", ["a = 1", "b = 1"]),
        ("a = b = f()", ["a = f()", "b = a"]),
        ("self.a = b = f()", ["b = f()", "self.a = b"]),
        ("self.a = self.b = f()", ["$0 = f()", "self.a = $0", "self.b = $0"]),
        ("a = b, c = f()", ["a = f()", "b = a[0]", "c = a[1]"]),
        ("a, b = f()", ["$0 = f()", "a = $0[0]", "b = $0[1]"]),
        ("a, b = pair", ["a = pair[0]", "b = pair[1]"]),
        ("a, pair = pair", ["$0 = pair", "a = $0[0]", "pair = $0[1]"]),
        ("a, b = 1, f()", ["a = 1", "b = f()"]),
        ("a, b = b, a", ["$0 = [b, a]", "a = $0[0]", "b = $0[1]"]),
        ("self.a, self.b = self.c, self.d", ["self.a = self.c", "self.b = self.d"]),
        ("self.a, self.b = self.b, self.a", ["$0 = [self.b, self.a]", "self.a = $0[0]", "self.b = $0[1]"]),
        ("a, *b, c = f()", ["$0 = f()", "a = $0[0]", "b = ?($0)", "c = $0[-1]"]),
        ("*a.b, c = d", ["a.b = ?(d)", "c = d[-1]"]),
        ("(a, [b, c]) = d", ["a = d[0]", "$4 = d[1]", "b = $4[0]", "c = $4[1]"]),
        ("(a, b), c = (1, 2), 3", ["a = 1", "b = 2", "c = 3"]),
        ("(a) = 1", ["a = 1"]),
        ("(a,) = f()", ["$0 = f()", "a = $0[0]"]),
        ("[a] = f()", ["$0 = f()", "a = $0[0]"]),
        ("[] = f()", ["$0 = f()", "$0"]),
        ("x = yield", ["x = yield"]),
        ("x = yield a, b", ["x = yield [a, b]"]),
        ("x = yield from g()", ["x = yield *g()"]),
        ("type Alias[T] = list[T]", ["Alias = list[T]"]),
        ("type(x).y = z", ["type(x).y = z"]),
        ("type = 1", ["type = 1"]),
        ("match = case = 1", ["match = 1", "case = 1"]),
    ],
)
def test_assignments_come_one_by_one(code: str, facts: list[str]) -> None:
    assert shown(code) == facts


@pytest.mark.parametrize(
    ("code", "facts"),
    [
        ("pass", []),
        ("...", []),
        ("del a, b[0]", []),
        ("global a", []),
        ("a; b()", ["a", "b()"]),
        ("assert a", ["if (not a)", " raise AssertionError()"]),
        ("assert a, f'{b}'", ["if (not a)", " raise AssertionError('{b}')"]),
        ("raise", ["raise"]),
        ("raise A(b) from c", ["raise A(b)"]),
        ("raise A from f()", ["f()", "raise A"]),
        ("if a: b()", ["if a", " b()"]),
        ("if a:\n  b()\nelse:\n  c()", ["if a", " b()", "else", " c()"]),
        (
            "if a: b()\nelif c: d()\nelif e: f()\nelse: g()",
            ["if a", " b()", "else", " if c", "  d()", " else", "  if e", "   f()", "  else", "   g()"],
        ),
        ("if TYPE_CHECKING:\n  from a import B", ["if TYPE_CHECKING", " import a B as B"]),
        ("while True: a()", ["while True", " a()"]),
        ("while a:  # why\n  break\nelse:\n  b()", ["while a", " break", "else", " b()"]),
        ("for a in b: continue", ["each a in b", " continue"]),
        ("for a, b in c: d()", ["each $4 in c", " a = $4[0]", " b = $4[1]", " d()"]),
        ("for a in 1, 2: b()\nelse: c()", ["each a in [1, 2]", " b()", "else", " c()"]),
        ("async def f():\n async for a in b: c()", ["define 0"]),
        ("with a: b()", ["with a", " b()"]),
        ("with a as b, c() as d: e()", ["with a as b, c() as d", " e()"]),
        ("with (a as b, c): d()", ["with a as b, c", " d()"]),
        ("with a as (b, c): d()", ["with a as $10", " b = $10[0]", " c = $10[1]", " d()"]),
        ("with a as b.c: d()", ["with a as b.c", " d()"]),
        (
            "try:\n a()\nexcept B as c:\n d()\nexcept (E, F):\n raise\nexcept:\n g()\nelse:\n h()\nfinally:\n i()",
            [
                "try",
                " a()",
                "except B as c",
                " d()",
                "except [E, F] as None",
                " raise",
                "except anything as None",
                " g()",
                "else",
                " h()",
                "finally",
                " i()",
            ],
        ),
        ("try: a()\nexcept* B as c: d()", ["try", " a()", "except B as c", " d()"]),
        ("try: a()\nexcept A, B: d()", ["try", " a()", "except [A, B] as None", " d()"]),
        ("import a", ["import a None as a"]),
        ("import a.b", ["import a None as a"]),
        ("import a.b as c, d", ["import a.b None as c", "import d None as d"]),
        ("from a.b import c, d as e", ["import a.b c as c", "import a.b d as e"]),
        ("from . import a", ["import . a as a"]),
        ("from ..a import (b,\n c)", ["import ..a b as b", "import ..a c as c"]),
        ("from a import *", ["import a * as *"]),
        ("from __future__ import annotations", ["import __future__ annotations as annotations"]),
        ("print 'a', b", ["print('a', b)"]),
        ("exec 'a' in b", ["exec('a', b)"]),
        ("'words of the module'\nx = 1", ["'words of the module'", "x = 1"]),
    ],
)
def test_statements(code: str, facts: list[str]) -> None:
    assert shown(code) == facts


def test_async_loops_and_withs_are_marked() -> None:
    code = "async def f():\n async for a in b:\n  c()\n async with d as e:\n  g()"
    assert shown_function(code) == ["async each a in b", " c()", "async with d as e", " g()"]
    assert function(facts_of(code), "f").is_async


def test_returns_and_jumps_in_functions() -> None:
    code = "def f():\n if a: return\n return b, c"
    assert shown_function(code) == ["if a", " return", "return [b, c]"]


@pytest.mark.parametrize(
    ("case", "facts"),
    [
        ("'a'", ["if (x == 'a')", " y()"]),
        ("'a' | 'b'", ["if ((x == 'a') or (x == 'b'))", " y()"]),
        ("('a' | 'b') as s", ["if ((x == 'a') or (x == 'b'))", " s = x", " y()"]),
        ("-1", ["if (x == (- 1))", " y()"]),
        ("-1 | 2", ["if ((x == (- 1)) or (x == 2))", " y()"]),
        ("None", ["if (x == None)", " y()"]),
        ("Status.DONE", ["if (x == Status.DONE)", " y()"]),
        ("'a' 'b'", ["if (x == 'ab')", " y()"]),
        ("_", ["y()"]),
        ("other", ["other = x", "y()"]),
        ("(other)", ["other = x", "y()"]),
        ("other if other > 1", ["other = x", "if (other > 1)", " y()"]),
        ("'a' if z", ["if ((x == 'a') and z)", " y()"]),
        ("[a, 'b', *rest]", ["if ?(x, (x[1] == 'b'))", " a = x[0]", " rest = ?(x)", " y()"]),
        ("[*_, last]", ["if ?(x)", " last = x[-1]", " y()"]),
        ("(a, b)", ["if ?(x)", " a = x[0]", " b = x[1]", " y()"]),
        ("a, 'b'", ["if ?(x, (x[1] == 'b'))", " a = x[0]", " y()"]),
        (
            "{'state': 'done', 'id': id, **rest}",
            ["if ?(x, (x['state'] == 'done'), 'id')", " id = x['id']", " rest = ?(x)", " y()"],
        ),
        ("Job(state='done', id=id)", ["if ?(x, Job, (x.state == 'done'))", " id = x.id", " y()"]),
        ("a.Job(first)", ["if ?(x, a.Job)", " first = ?(x)", " y()"]),
        ("str(text)", ["if ?(x, str)", " text = x", " y()"]),
        ("1 + 2j", ["if ?(x, 1, ?())", " y()"]),
    ],
)
def test_patterns_are_tests_and_assignments(case: str, facts: list[str]) -> None:
    assert shown(f"match x:\n case {case}: y()") == facts


def test_match_is_a_chain_of_ifs() -> None:
    code = "match f(x):\n case 1: a()\n case 2 | 3: b()\n case _: c()\n case 4: never()"
    assert shown(code) == [
        "$0 = f(x)",
        "if ($0 == 1)",
        " a()",
        "else",
        " if (($0 == 2) or ($0 == 3))",
        "  b()",
        " else",
        "  c()",
    ]


def test_match_on_several_values() -> None:
    assert shown("match a, b:\n case 1, c: d()") == ["$0 = [a, b]", "if ?($0, ($0[0] == 1))", " c = $0[1]", " d()"]


def test_functions_keep_all_that_is_written_of_them() -> None:
    code = (
        "@app.tool(name='t')\n# why\n@plain\n"
        "async def f(a, /, b: int = 1, *args: str, c, d=None, **kw) -> dict[str, int]:\n"
        '    """Words.\n\n    More."""\n    x = 1\n    yield x\n'
    )
    facts = facts_of(code)
    (found,) = facts.functions
    (define,) = facts.body
    assert [show(decorator) for decorator in found.decorators] == ["app.tool(name='t')", "plain"]
    assert [(p.name, p.kind) for p in found.params] == [
        ("a", "positional"),
        ("b", "positional"),
        ("args", "rest"),
        ("c", "keyword"),
        ("d", "keyword"),
        ("kw", "keyword-rest"),
    ]
    assert [p.default and show(p.default) for p in found.params] == [None, "1", None, None, "None", None]
    assert [p.annotation and show(p.annotation) for p in found.params] == [None, "int", "str", None, None, None]
    assert found.returns is not None
    assert show(found.returns) == "dict[[str, int]]"
    assert found.is_async
    assert found.is_generator
    assert found.doc is not None
    assert found.doc.literal == "Words.\n\n    More."
    assert list(lines_of(found.body)) == ["x = 1", "yield x"]
    assert code[found.at.start : found.at.end] == "f"
    assert code[found.span.start :].startswith("async def")
    assert isinstance(define, Define)
    assert (define.span.start, define.span.end) == (0, found.span.end)
    assert code[found.params[1].span.start : found.params[1].span.end] == "b: int = 1"


def test_parameters_after_a_bare_star_are_keywords() -> None:
    (found,) = facts_of("def f(a, *, b): pass").functions
    assert [p.kind for p in found.params] == ["positional", "keyword"]


def test_parameters_that_are_taken_apart_have_made_up_names() -> None:
    (found,) = facts_of("def f(a, (b, c)): return b").functions
    assert [p.name for p in found.params] == ["a", "$9"]
    assert list(lines_of(found.body)) == ["b = $9[0]", "c = $9[1]", "return b"]


def test_nested_functions_know_where_they_stand() -> None:
    code = "def a():\n def b():\n  yield\n  return lambda: 1\n return b\nclass C:\n def d(self):\n  def e(): pass"
    facts = facts_of(code)
    standing = {f.name: (f.owner, f.parent, f.is_generator) for f in facts.functions}
    assert standing == {
        "a": (None, None, False),
        "b": (None, 0, True),
        "": (None, 1, False),
        "d": (0, None, False),
        "e": (None, 3, False),
    }


def test_lambdas_take_the_name_they_are_bound_to() -> None:
    code = "a = lambda x, *y, z=1: x\nb = {'key': lambda: 2}\nself.c = lambda: 3\nf(lambda: 4)\nd: T = lambda: 5"
    facts = facts_of(code)
    assert [f.name for f in facts.functions] == ["a", "key", "c", "", "d"]
    assert list(lines_of(facts.functions[0].body)) == ["return x"]
    assert [(p.name, p.kind) for p in facts.functions[0].params] == [
        ("x", "positional"),
        ("y", "rest"),
        ("z", "keyword"),
    ]


def test_yields_belong_to_the_function_they_stand_in() -> None:
    facts = facts_of("def f():\n g = lambda: (yield)\n return g\n")
    assert [(f.name, f.is_generator) for f in facts.functions] == [("f", False), ("g", True)]


def test_docstrings_of_several_literals_and_what_is_none() -> None:
    code = "def a():\n 'x' 'y'\ndef b():\n f'x'\ndef c():\n b'x'\ndef d():\n u'x'\ndef e():\n # why\n 'x'\n return 1"
    assert [f.doc and f.doc.literal for f in facts_of(code).functions] == ["xy", None, None, "x", "x"]


def test_classes_keep_their_members() -> None:
    code = (
        "@dataclass\n"
        "class Job(Base[T], mixins.Wait, *more, metaclass=Meta):\n"
        '    "Words."\n'
        "    id: str\n"
        "    limit: int = 5\n"
        "    A, B = 1, 2\n"
        "    if DEBUG:\n"
        "        extra = True\n"
        "    else:\n"
        "        def extra(self): pass\n"
        "    @staticmethod\n"
        "    def make(): pass\n"
        "    @property\n"
        "    def state(self): return self._state\n"
        "    class Inner: pass\n"
        "    key = lambda self: 1\n"
        "    register(id)\n"
    )
    facts = facts_of(code)
    job, inner = facts.classes
    assert [show(base) for base in job.bases] == ["Base[T]", "mixins.Wait", "*more"]
    assert [show(decorator) for decorator in job.decorators] == ["dataclass"]
    assert job.doc is not None
    assert job.doc.literal == "Words."
    assert [(m.name, m.value and show(m.value), m.annotation and show(m.annotation)) for m in job.members] == [
        ("id", None, "str"),
        ("limit", "5", "int"),
        ("A", "1", None),
        ("B", "2", None),
        ("extra", "True", None),
        ("extra", "<function 0>", None),
        ("make", "<function 1>", None),
        ("state", "<function 2>", None),
        ("Inner", "<class 1>", None),
        ("key", "<function 3>", None),
    ]
    assert [m.name for m in job.members if m.is_static] == ["make"]
    assert [f.owner for f in facts.functions] == [0, 0, 0, None]
    assert (inner.name, code[inner.at.start : inner.at.end]) == ("Inner", "Inner")


def test_enum_members_are_members() -> None:
    (found,) = facts_of("class S(str, Enum):\n DONE = 'done'\n FAILED = auto()\n").classes
    assert [(m.name, m.value and show(m.value)) for m in found.members] == [("DONE", "'done'"), ("FAILED", "auto()")]


def test_type_parameters_are_passed_over() -> None:
    code = "def f[T: int, *Ts, **P](a: T) -> T: return a\nclass A[T = int](B): pass\n"
    facts = facts_of(code)
    assert facts.problems == ()
    assert list(lines_of(facts.functions[0].body)) == ["return a"]
    assert facts.classes[0].name == "A"


def test_names_are_normalised_as_python_does() -> None:
    assert expression("ﬁle.ﬁeld") == "file.field"


def test_spans_are_code_points_also_after_other_letters() -> None:
    code = "größe = '⏳ warten…'\ndef prüfe(x): return x.größe\n"
    facts = facts_of(code)
    (value,) = [node for node in nodes(facts.body) if isinstance(node, Str)]
    (name,) = [node for node in nodes(facts.body) if isinstance(node, Name)]
    assert code[value.span.start : value.span.end] == "'⏳ warten…'"
    assert code[name.span.start : name.span.end] == name.name == "größe"
    found = function(facts, "prüfe")
    assert code[found.at.start : found.at.end] == "prüfe"
    assert list(lines_of(found.body)) == ["return x.größe"]


def test_spans_of_calls_and_fields_are_exact() -> None:
    code = "x = client.jobs . get ( 'a',\n  1 )  # end\n"
    (call,) = [node for node in nodes(facts_of(code).body) if isinstance(node, Call)]
    assert code[call.span.start : call.span.end] == "client.jobs . get ( 'a',\n  1 )"
    assert code[call.func.span.start : call.func.span.end] == "client.jobs . get"


def test_a_byte_order_mark_and_carriage_returns_shift_nothing() -> None:
    source = Source.from_bytes("a.py", b"\xef\xbb\xbfx = 1\r\nwhile x:\r\n    poll('a')\r\n")
    facts = read(source, "python", "code")
    (loop,) = [node for node in nodes(facts.body) if isinstance(node, Loop)]
    (text,) = [node for node in nodes(facts.body) if isinstance(node, Str)]
    assert source.text[loop.span.start : loop.span.end] == "while x:\r\n    poll('a')"
    assert source.text[text.span.start : text.span.end] == "'a'"
    assert list(lines_of(facts.body)) == ["x = 1", "while x", " poll('a')"]


def test_only_comments_that_speak_to_the_linter_are_kept() -> None:
    code = "x = 1  # waitlint: ignore[cap/uncapped-wait]\n# a note\nf('# waitlint: no')  #expect: cap/busy-poll\n"
    found = facts_of(code).comments
    assert [comment.text for comment in found] == ["waitlint: ignore[cap/uncapped-wait]", "expect: cap/busy-poll"]
    assert code[found[0].span.start : found[0].span.end] == "# waitlint: ignore[cap/uncapped-wait]"


def test_long_chains_of_one_operator_become_balanced_trees() -> None:
    (stmt,) = facts_of("x = " + " + ".join(f"'{n}'" for n in range(500))).body
    assert isinstance(stmt, Do)
    said = "".join(text_of(node) for node in nodes(stmt) if isinstance(node, Str))
    assert said == "".join(map(str, range(500)))
    assert _height(stmt.value) < 15


def test_long_chains_of_several_operators_keep_their_calls() -> None:
    facts = facts_of("x = " + " - a() + ".join(["1"] * 100))
    assert sum(isinstance(node, Call) for node in nodes(facts.body)) == 99


def test_long_elif_chains_are_flat_behind_the_first_branches() -> None:
    code = "if n == 0: f0()\n" + "".join(f"elif n == {i}: f{i}()\n" for i in range(1, 400)) + "else: g()\n"
    facts = facts_of(code)
    called = [node.func.name for node in nodes(facts.body) if isinstance(node, Call) and isinstance(node.func, Name)]
    assert called == [f"f{i}" for i in range(400)] + ["g"]
    assert facts.problems == ()


def _height(expr: object) -> int:
    return 1 + max(_height(expr.left), _height(expr.right)) if isinstance(expr, Binary) else 0


def test_functions_in_a_file_are_numbered_in_order() -> None:
    facts = facts_of("def a(b=lambda: 1):\n def c(): pass\ndef d(): pass\n")
    assert [f.name for f in facts.functions] == ["a", "b", "c", "d"]
    assert all(isinstance(f, Function) and f.span.end > 0 for f in facts.functions)
    assert [f.parent for f in facts.functions] == [None, None, 0, None]
