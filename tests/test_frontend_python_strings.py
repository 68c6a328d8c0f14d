"""Strings in Python: what they say, and where each character of it stands in the source."""

from __future__ import annotations

import ast
import re
import warnings

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import json, msgpack

from python_facts import facts_of, nodes, show, strings, text_of
from waitlint.facts import FileFacts, Hole, Piece, Str
from waitlint.frontends.python import read
from waitlint.source import Source


def only(code: str) -> Str:
    (found,) = [string for string in strings(code) if "=" not in string.style]
    return found


def place(piece: Piece, offset: int) -> int:
    """Where a character stands, as the pairs have it."""
    text_offset, source_offset = max(pair for pair in piece.places if pair[0] <= offset)
    return source_offset + offset - text_offset


@pytest.mark.parametrize(
    ("code", "value"),
    [
        (r"'a\nb'", "a\nb"),
        (r"'\x41\u0042\U00000043\103\N{LATIN SMALL LETTER E WITH ACUTE}'", "ABCCé"),
        (r"'\\ \' \" \a\b\f\r\t\v'", "\\ ' \" \a\b\f\r\t\v"),
        (r"'\q\d'", "\\q\\d"),
        ("'a\\\nb'", "ab"),
        ("'a\\\r\nb'", "ab"),
        (r"r'\n\x41\''", "\\n\\x41\\'"),
        (r"r'\\'", "\\\\"),
        (r"R'\d'", "\\d"),
        ("'''a\r\nb\rc\nd'''", "a\nb\nc\nd"),
        ("'''it's \"quoted\"'''", 'it\'s "quoted"'),
        ("u'x'", "x"),
        ("''", ""),
        ('""""""', ""),
        ("'{a}'", "{a}"),
        ("'a' \"b\" r'\\c'", "ab\\c"),
        ("('a'  # why\n 'b'\n)", "ab"),
        ("'a' \\\n 'b'", "ab"),
        ("'⏳ –'", "⏳ –"),
        (r"'\ud83d'", "\ufffd"),
        (r"'\N{NO SUCH CHARACTER}'", "\\N{NO SUCH CHARACTER}"),
        (r"'\777'", "ǿ"),
    ],
)
def test_literals_say_what_python_reads(code: str, value: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            assert re.sub("[\ud800-\udfff]", "\ufffd", ast.literal_eval(code)) == value
        except SyntaxError:
            assert "NO SUCH" in code
    assert only(code).literal == value


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("f'a {b} c'", "a {b} c"),
        ("f'{{a}} {b}'", "{a} {b}"),
        ("f'{a!r:>10}'", "{a}"),
        ("f'{a:{width}.{digits}f}'", "{?(a, width, digits)}"),
        ("f'{a:%Y-%m-%d}'", "{a}"),
        ("f'{a = }'", "a = {a}"),
        ("f'{a=!r}'", "a={a}"),
        ("f'{f(b)[0].c}'", "{f(b)[0].c}"),
        ("f'{a if b else c}'", "{(a if b else c)}"),
        ("f'{a, b}'", "{[a, b]}"),
        ("f'{d[\"k\"]}'", "{d['k']}"),
        ("f'{f'{a}'}'", "{'{a}'}"),
        (r"f'\{a}\n'", "\\{a}\n"),
        (r"rf'\d{a}\n'", "\\d{a}\\n"),
        (r"f'\N{BULLET} {a}'", "• {a}"),
        ("f'{a}' 'b{c}' f'{d}'", "{a}b{c}{d}"),
        ("f'''{\n a # why\n}'''", "{a}"),
        ("t'a {b}'", "a {b}"),
        ("f''", ""),
    ],
)
def test_holes_stand_between_the_words(code: str, text: str) -> None:
    string = strings(code)[0]
    assert "".join(p.text if isinstance(p, Piece) else "{" + show(p.value) + "}" for p in string.pieces) == text


def test_style_is_the_first_opening_delimiter() -> None:
    assert [only(code).style for code in ("'a'", 'rf"a"', "'''a'''", "F'a' \"b\"")] == ["'", 'rf"', "'''", "F'"]


def test_span_reaches_from_the_first_prefix_to_the_last_quote() -> None:
    code = "x = (f'a'\n     'b')"
    span = only(code).span
    assert code[span.start : span.end] == "f'a'\n     'b'"


def test_bytes_are_no_text() -> None:
    assert strings("x = b'a' + rb'c'") == []


def test_escapes_start_a_new_pair_and_the_last_pair_is_the_end() -> None:
    (piece,) = only(r"'ab\ncd'").pieces
    assert isinstance(piece, Piece)
    assert piece.places == ((0, 1), (2, 3), (3, 5), (5, 7))


def test_doubled_braces_and_carriage_returns_keep_places() -> None:
    code = "f'''{{a}}\r\nb'''"
    (piece,) = only(code).pieces
    assert isinstance(piece, Piece)
    assert piece.text == "{a}\nb"
    assert [code[place(piece, i)] for i in range(5)] == ["{", "a", "}", "\r", "b"]


def test_words_of_neighbouring_literals_keep_their_own_places() -> None:
    code = "x = ('keep '\n     r'call\\ing')"
    pieces = only(code).pieces
    assert [p.text for p in pieces if isinstance(p, Piece)] == ["keep ", "call\\ing"]
    assert [code[place(p, 0)] for p in pieces if isinstance(p, Piece)] == ["k", "c"]


_CHARACTERS = st.text(
    st.one_of(
        st.sampled_from(list("abc \n\t{}'\"\\\r–é⏳𝕏\x07\x00\u2028")),
        st.characters(exclude_categories=["Cs"]),
    ),
    max_size=30,
)
_ESCAPES = [r"\n", r"\x41", r"\u00e9", r"\U0001F600", r"\101", r"\7", r"\N{BULLET}", "\\\n", r"\q", r"\\", r"\'", r"\""]
_SOURCES = st.lists(st.sampled_from([*_ESCAPES, *"aB é⏳\n{}#'\"", "\r\n"]), max_size=25).map("".join)


@settings(max_examples=300, deadline=None)
@given(_SOURCES, st.sampled_from(["", "r", "u", "R"]), st.sampled_from(["'", '"', "'''", '"""']), st.booleans())
def test_each_character_of_any_literal_stands_where_its_place_says(
    inner: str, prefix: str, quotes: str, after_letters: bool
) -> None:
    literal = f"{prefix}{quotes}{inner}{quotes}"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            value = ast.literal_eval(literal)
        except (SyntaxError, ValueError):
            return
        if not isinstance(value, str) or len(ast.parse(literal).body) != 1:
            return
    code = ("größe = " if after_letters else "x = ") + literal
    string = strings(code)[0]
    assert string.literal == value
    for piece in string.pieces:
        assert isinstance(piece, Piece)
        assert piece.places[-1][0] == len(piece.text)
        assert list(piece.places) == sorted(piece.places)
        for offset, char in enumerate(piece.text):
            at = place(piece, offset)
            if code[at] != char:
                assert code[at] in "\\\r"
                assert _decoded(code, at) == char


def _decoded(code: str, at: int) -> str:
    """The character that the source at an offset stands for."""
    if code[at] == "\r":
        return "\n"
    escape = re.compile(r"\\(?:N\{[^}]*\}|U.{8}|u.{4}|x..|[0-7]{1,3}|.)", re.DOTALL).match(code, at)
    assert escape is not None
    value = ast.literal_eval(f"'''{escape.group()}'''")
    assert isinstance(value, str)
    return value


@settings(max_examples=150, deadline=None)
@given(st.lists(_CHARACTERS, min_size=1, max_size=4))
def test_words_between_holes_come_back_whole(words: list[str]) -> None:
    written = "{x}".join(repr(word)[1:-1].replace("{", "{{").replace("}", "}}") for word in words)
    quote = "'" if not any("'" in repr(word)[1:-1] for word in words) else '"'
    written = re.sub(r"(?<!\\)((?:\\\\)*)" + quote, r"\1\\" + quote, written)
    string = strings(f"x = f{quote}{written}{quote}")[0]
    assert text_of(string) == "\ufffc".join(words)


@settings(max_examples=100, deadline=None)
@given(_CHARACTERS)
def test_facts_of_any_text_are_read_and_survive_both_encodings(text: str) -> None:
    facts = read(Source("a.py", text), "code")
    assert msgpack.decode(msgpack.encode(facts), type=FileFacts) == facts
    assert json.decode(json.encode(facts), type=FileFacts) == facts


def test_attribute_docstrings_stay_in_the_body() -> None:
    facts = facts_of("LIMIT = 5\n'''How long.'''\n")
    assert [text_of(node) for node in nodes(facts.body) if isinstance(node, Str)] == ["How long."]


def test_a_hole_that_holds_nothing_is_still_a_hole() -> None:
    (string,) = strings("x = f'a{}b'")
    assert any(isinstance(piece, Hole) for piece in string.pieces)
    assert text_of(string) == "a\ufffcb"
