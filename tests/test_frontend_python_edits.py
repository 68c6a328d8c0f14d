"""Changes of Python files: the smallest edit that says what was asked, in the layout that is there."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from python_facts import facts_of, function, nodes, strings, text_of
from waitlint import frontends
from waitlint.facts import Call, Span
from waitlint.fix import AddDescription, Change, Edit, RewriteText
from waitlint.source import Source


def changed(code: str, change: Change) -> str | None:
    edits = frontends.edits(Source("a.py", code), "python", change)
    return None if edits is None else applied(code, edits)


def applied(code: str, edits: tuple[Edit, ...]) -> str:
    for edit in sorted(edits, reverse=True):
        code = code[: edit.start] + edit.text + code[edit.end :]
    return code


def rewritten(code: str, old: str, new: str) -> str | None:
    """The file with one wording for another in its first string."""
    string = strings(code)[0]
    value = text_of(string)
    assert old in value
    return changed(code, RewriteText("a.py", string.span, value.replace(old, new, 1)))


def described(code: str, value: str = "Waits for the job.") -> str | None:
    """The file with a description for its first function, else for its first call."""
    facts = facts_of(code)
    found = facts.functions[0] if facts.functions else next(n for n in nodes(facts.body) if isinstance(n, Call))
    return changed(code, AddDescription("a.py", found.span, value))


@pytest.mark.parametrize(
    ("code", "old", "new", "after"),
    [
        ("x = 'keep calling it'", "keep calling", "call", "x = 'call it'"),
        ('x = "a"', "a", 'say "b"', 'x = "say \\"b\\""'),
        ("x = 'a'", "a", "it's", "x = 'it\\'s'"),
        ("x = 'a'", "a", "b\nc\td\\e\x07", "x = 'b\\nc\\td\\\\e\\x07'"),
        (r"x = 'a\n\x41b'", "b", "c", r"x = 'a\n\x41c'"),
        (r"x = 'a\nb'", "\nb", " c", "x = 'a c'"),
        (r"x = r'\d a'", "a", "b", r"x = r'\d b'"),
        (r"x = r'\d a'", "a", "it's", r"x = '\\d it\'s'"),
        ("x = u'a'", "a", "b", "x = u'b'"),
        ("x = 'größe ⏳'", "⏳", "✓", "x = 'größe ✓'"),
        ("größe = 'a'", "a", "b", "größe = 'b'"),
        ("x = f'{a} keep {b!r} on'", "keep", "{stop}", "x = f'{a} {{stop}} {b!r} on'"),
        ("x = f'{a=} on'", "on", "off", "x = f'{a=} off'"),
        ("x = '''a\nkeep\nb'''", "keep", 'one\n"two"', "x = '''a\none\n\"two\"\nb'''"),
        ("x = '''a'''", "a", "b'''c'", "x = '''b\\'\\'\\'c\\''''"),
        ("x = '''a\r\nb'''", "b", "b\nc", "x = '''a\r\nb\r\nc'''"),
        ("x = 'a'", "a", "", "x = ''"),
        ("x = ''", "", "a", "x = 'a'"),
        ("x = 'a\\\nb'", "b", "c", "x = 'a\\\nc'"),
        ("x = ('a')", "a", "b", "x = ('b')"),
        ("x = ('One. '\n     'Two. '\n     'Three.')", "Two. ", "", "x = ('One. '\n     'Three.')"),
        ("x = ('One. '\n     'Two. '\n     'Three.')", "One. ", "", "x = ('Two. '\n     'Three.')"),
        ("x = ('One. '\n     'Two.')", "Two.", "Now.", "x = ('One. '\n     'Now.')"),
        ("x = ('One. '\n     'Two.')", "Two.", "Two. Three.", "x = ('One. '\n     'Two. Three.')"),
        (
            "x = ('Keep on '\n     'calling it. '\n     'Bye.')",
            "Keep on calling",
            "Call",
            "x = ('Call'\n     ' it. '\n     'Bye.')",
        ),
        ("x = ('a'  # why\n     'b')", "b", "", "x = ('a'  # why\n     '')"),
        ("x = ('a' f'{b}' 'c')", "c", "d", "x = ('a' f'{b}' 'd')"),
    ],
)
def test_new_words_are_written_as_the_literal_is(code: str, old: str, new: str, after: str) -> None:
    assert rewritten(code, old, new) == after


@pytest.mark.parametrize("quotes", ["'", '"', "'''", '"""'])
def test_only_the_words_that_differ_are_touched(quotes: str) -> None:
    code = f"x = {quotes}Check the job. Keep calling. Bye.{quotes}"
    (string,) = strings(code)
    edits = frontends.edits(
        Source("a.py", code), "python", RewriteText("a.py", string.span, "Check the job. Wait for it. Bye.")
    )
    assert edits is not None
    (edit,) = edits
    assert code[edit.start : edit.end] == "Keep calling"


DOC = '''\
class A:
    def f(self):
        """Check the job.

        Keep calling until done.

        Args:
            id: Which job.
        """
        return 1
'''


def test_a_docstring_changes_in_the_lines_that_differ() -> None:
    after = rewritten(DOC, "Keep calling until done.", "Waits up to 90 s.")
    assert after == DOC.replace("Keep calling until done.", "Waits up to 90 s.")


@pytest.mark.parametrize("clean", [inspect.cleandoc, str], ids=["without indentation", "with indentation"])
@pytest.mark.parametrize(
    ("old", "new", "old_lines", "new_lines"),
    [
        ("done.", "done.\nOr not.", "done.\n", "done.\n        Or not.\n"),
        ("Check the job.", "Check it.\n\nWaits.", "Check the job.\n", "Check it.\n\n        Waits.\n"),
        ("Which job.", "Which job.\n    n: More.", "Which job.\n", "Which job.\n            n: More.\n"),
    ],
)
def test_new_lines_of_a_docstring_get_its_indentation(
    clean: Callable[[str], str], old: str, new: str, old_lines: str, new_lines: str
) -> None:
    string = strings(DOC)[0]
    if clean is str:
        new = new.replace("\n", "\n        ").replace("\n        \n", "\n\n")
    value = clean(text_of(string)).replace(old, new)
    assert changed(DOC, RewriteText("a.py", string.span, value)) == DOC.replace(old_lines, new_lines)


def test_a_docstring_of_one_line_becomes_one_of_several() -> None:
    code = 'def f():\n    """Check the job."""\n    return 1\n'
    after = rewritten(code, "job.", "job.\n\nWaits up to 90 s.")
    assert after == 'def f():\n    """Check the job.\n\n    Waits up to 90 s.\n    """\n    return 1\n'


def test_a_docstring_in_plain_quotes_keeps_them() -> None:
    assert rewritten("def f():\n    'Check.'\n", "Check.", "Check.\nWait.") == "def f():\n    'Check.\\nWait.'\n"


def test_a_docstring_with_tabs_and_carriage_returns_keeps_them() -> None:
    code = 'def f():\r\n\t"""Check.\r\n\r\n\tKeep on.\r\n\t"""\r\n'
    assert rewritten(code, "Keep on.", "Wait.\nOnce.") == code.replace("Keep on.", "Wait.\r\n\tOnce.")


def test_the_same_words_need_no_edit() -> None:
    (string,) = strings("x = 'a'")
    assert frontends.edits(Source("a.py", "x = 'a'"), "python", RewriteText("a.py", string.span, "a")) == ()


def test_a_string_is_found_by_a_span_inside_of_it() -> None:
    assert changed("x = f('keep on')", RewriteText("a.py", Span(7, 14), "stop")) == "x = f('stop')"


@pytest.mark.parametrize(
    ("code", "span", "value"),
    [
        ("x = y", Span(4, 5), "a"),
        ("x = 'a' + 'b'", Span(4, 13), "a"),
        ("x = b'a'", Span(4, 8), "b"),
        ("x = f'{a} b'", Span(4, 12), "b"),
        ("x = f'{a} b'", Span(4, 12), "\ufffc \ufffc b"),
        ("x = 'a'", Span(4, 7), "\ufffc"),
        ("x = f'{a=} b'", Span(4, 13), "c=\ufffc b"),
        ("x = 'a'\ny = (", Span(4, 7), "b"),
        ("x = 'a'", Span(4, 7), "\ud800"),
        ("x = 'a'", Span(400, 407), "b"),
    ],
)
def test_what_can_not_be_carried_out_is_left(code: str, span: Span, value: str) -> None:
    assert changed(code, RewriteText("a.py", span, value)) is None


_WORDS = st.text(st.sampled_from("ab .\n'\"\\{}é⏳\t"), max_size=16)


@settings(max_examples=200, deadline=None)
@given(
    st.lists(_WORDS, min_size=1, max_size=3),
    _WORDS,
    st.sampled_from(["", "f", "u"]),
    st.sampled_from(["'", '"', '"""']),
)
def test_any_words_can_be_written_and_read_again(old: list[str], new: str, prefix: str, quotes: str) -> None:
    literals = []
    for words in old:
        inner = words.replace("\\", "\\\\").replace("\n", "\\n").replace(quotes[0], "\\" + quotes[0])
        literals.append(
            prefix + quotes + (inner.replace("{", "{{").replace("}", "}}") if prefix == "f" else inner) + quotes
        )
    code = "x = (" + "\n    ".join(literals) + ")\ny = 1\n"
    string = strings(code)[0]
    assert text_of(string) == "".join(old)
    after = changed(code, RewriteText("a.py", string.span, new))
    assert after is not None
    assert text_of(strings(after)[0]) == new
    module = ast.parse(after)
    assert isinstance(module.body[0], ast.Assign)
    if prefix != "f":
        assert ast.literal_eval(module.body[0].value) == new
    assert after.endswith(")\ny = 1\n")


@settings(max_examples=100, deadline=None)
@given(st.lists(st.sampled_from(["Check it.", "", "  x: y", 'Say "no".', "a\\b"]), min_size=1, max_size=6))
def test_any_docstring_can_be_given_and_read_again(lines: list[str]) -> None:
    value = "\n".join(["First.", *lines]).strip()
    code = "class A:\n    def f(self):\n        return 1\n"
    after = described(code, value)
    assert after is not None
    doc = function(facts_of(after), "f").doc
    assert doc is not None
    assert inspect.cleandoc(text_of(doc)) == inspect.cleandoc(value)
    again = changed(after, RewriteText("a.py", doc.span, value.replace("First.", "Other.")))
    assert again == after.replace("First.", "Other.")


@pytest.mark.parametrize(
    ("code", "after"),
    [
        ("def f():\n    return 1\n", 'def f():\n    """Waits for the job."""\n    return 1\n'),
        ("def f(): return 1", 'def f():\n    """Waits for the job."""\n    return 1'),
        ("def f(): x = 1; return x\n", 'def f():\n    """Waits for the job."""\n    x = 1; return x\n'),
        (
            "@tool\nasync def f(\n    a,\n) -> int:  # why\n    # first\n    return 1\n",
            '@tool\nasync def f(\n    a,\n) -> int:  # why\n    """Waits for the job."""\n    # first\n    return 1\n',
        ),
        (
            "class A:\n  def f(self): ...\n",
            'class A:\n  def f(self):\n      """Waits for the job."""\n      ...\n',
        ),
        ("def f():\r\n\treturn 1\r\n", 'def f():\r\n\t"""Waits for the job."""\r\n\treturn 1\r\n'),
        ("x = Tool()", 'x = Tool(description="Waits for the job.")'),
        ("x = Tool(a, b=1)", 'x = Tool(a, b=1, description="Waits for the job.")'),
        ("x = Tool(a, b=1,)", 'x = Tool(a, b=1, description="Waits for the job.")'),
        (
            "x = Tool(\n    a,\n    b=1,  # why\n)",
            'x = Tool(\n    a,\n    b=1,  # why\n    description="Waits for the job.",\n)',
        ),
        (
            "x = Tool(\n    a,\n    b=1  # why\n)",
            'x = Tool(\n    a,\n    b=1,  # why\n    description="Waits for the job."\n)',
        ),
        ("x = Tool(\n    a,\n    b=1)", 'x = Tool(\n    a,\n    b=1,\n    description="Waits for the job.")'),
        ("x = Tool(a,\n         **b)", 'x = Tool(a,\n         **b,\n         description="Waits for the job.")'),
        ("x = Tool(f(\n    a\n))", 'x = Tool(f(\n    a\n), description="Waits for the job.")'),
    ],
)
def test_descriptions_are_added_where_they_belong(code: str, after: str) -> None:
    assert described(code) == after


def test_a_description_of_several_lines_is_laid_out() -> None:
    after = described("def f():\n    return 1\n", 'Waits.\n\nUp to 90 s: "done" \\ "failed"')
    assert after == 'def f():\n    """Waits.\n\n    Up to 90 s: "done" \\\\ "failed"\n    """\n    return 1\n'


def test_a_description_in_a_call_is_one_literal() -> None:
    assert described("Tool(f)", 'Say "hi"\nnow.') == 'Tool(f, description="Say \\"hi\\"\\nnow.")'


def test_a_function_is_found_by_its_name_and_with_its_decorators() -> None:
    code = "@tool\ndef f():\n    return 1\n"
    after = '@tool\ndef f():\n    """Waits."""\n    return 1\n'
    for span in (Span(10, 11), Span(0, len(code) - 1), Span(6, len(code) - 1)):
        assert changed(code, AddDescription("a.py", span, "Waits.")) == after


@pytest.mark.parametrize(
    ("code", "span"),
    [
        ("def f():\n    'Has one.'\n", Span(0, 23)),
        ("Tool(description='Has one.')", Span(0, 28)),
        ("Tool(x for x in y)", Span(0, 18)),
        ("x = 1", Span(0, 1)),
        ("class A: pass", Span(0, 13)),
        ("def f(:\n    pass", Span(0, 15)),
    ],
)
def test_what_has_a_description_or_can_have_none_is_left(code: str, span: Span) -> None:
    assert changed(code, AddDescription("a.py", span, "Waits.")) is None
