"""What strings, templates and words of JSX say, and where each of their characters stands."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from python_facts import nodes, show
from typescript_facts import expression, facts_of, sources_of, strings, value_of
from waitlint.facts import Hole, Map, Opaque, Piece, Str
from waitlint.frontends.typescript.literals import quoted
from waitlint.source import Source


def piece_of(code: str, path: str = "a.ts") -> Piece:
    (string,) = strings(code, path)
    (piece,) = string.pieces
    assert isinstance(piece, Piece)
    return piece


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("'plain'", "plain"),
        ('""', ""),
        ("''", ""),
        ("``", ""),
        (r"'a\nb\tc\\d\'e'", "a\nb\tc\\d'e"),
        (r"'\b\f\v\r'", "\b\f\v\r"),
        (r"'\x41\u0042\u{43}\u{1F600}'", "ABC😀"),
        (r"'\ud83d\ude00'", "😀"),
        (r"'\ud83d'", "\ufffd"),
        (r"'\ude00\ud83d'", "\ufffd\ufffd"),
        (r"'\u{110000}'", "\ufffd"),
        (r"'\0\12\101'", "\0\nA"),
        (r"'\q\-'", "q-"),
        ("'a\\\nb'", "ab"),
        ("'a\\\r\nb'", "ab"),
        ("'\\\n'", ""),
        ("`a\nb`", "a\nb"),
        ("`a\r\nb`", "a\nb"),
        (r"`\`\${a}`", "`${a}"),
        ("`$a $ {b}`", "$a $ {b}"),
        ("'wait — until größe 漢字 😀'", "wait — until größe 漢字 😀"),
        ("'a\u00a0b\u2028c'", "a\u00a0b\u2028c"),
    ],
)
def test_what_a_literal_says(code: str, text: str) -> None:
    (string,) = strings(f"x = {code}")
    assert string.literal == text
    assert piece_of(f"x = {code}").places[-1][0] == len(text)


@pytest.mark.parametrize(
    ("code", "sources"),
    [
        ("'abc'", ["a", "b", "c"]),
        (r"'a\nb'", ["a", r"\n", "b"]),
        (r"'\n\n'", [r"\n", r"\n"]),
        (r"'\u{1F600}b'", [r"\u{1F600}", "b"]),
        (r"'\ud83d\ude00b'", [r"\ud83d\ude00", "b"]),
        ("'😀b'", ["😀", "b"]),
        ("`a\r\nb`", ["a", "\r\n", "b"]),
        ("'\\\nb'", ["b"]),
    ],
)
def test_each_character_has_its_place(code: str, sources: list[str]) -> None:
    whole = f"größe; // 漢 😀\nx = {code};"
    piece = piece_of(whole)
    assert sources_of(piece, whole) == sources
    assert whole[piece.places[-1][1]] in "'`"


def test_a_line_that_goes_on_leaves_a_gap_in_the_source_alone() -> None:
    code = "x = 'ab\\\ncd'"
    piece = piece_of(code)
    assert piece.text == "abcd"
    assert piece.places == ((0, 5), (2, 9), (4, 11))


def test_places_count_code_points_after_a_byte_order_mark_and_in_windows_files() -> None:
    data = b"\xef\xbb\xbf" + "// größe 😀\r\nx = 'a\\nb'\r\n".encode()
    source = Source.from_bytes("a.ts", data)
    piece = piece_of(source.text)
    assert sources_of(piece, source.text) == ["a", "\\n", "b"]
    assert source.position(piece.places[0][1]) == (2, 6)


def test_a_string_spans_its_quotes_and_has_them_for_a_style() -> None:
    code = "f('a', \"b\", `c${d}`)"
    assert [(s.style, code[s.span.start : s.span.end]) for s in strings(code)] == [
        ("'", "'a'"),
        ('"', '"b"'),
        ("`", "`c${d}`"),
    ]


def test_a_template_has_holes_between_its_pieces() -> None:
    code = r"x = `a\n${b.c}d${ e }`"
    (string,) = strings(code)
    first, hole, second, last = string.pieces
    assert isinstance(first, Piece)
    assert isinstance(second, Piece)
    assert isinstance(hole, Hole)
    assert isinstance(last, Hole)
    assert (first.text, show(hole.value), second.text, show(last.value)) == ("a\n", "b.c", "d", "e")
    assert sources_of(first, code) == ["a", "\\n"]
    assert sources_of(second, code) == ["d"]
    assert code[second.places[-1][1] :].startswith("${ e }")


def test_a_template_in_a_template_is_a_hole() -> None:
    assert expression("`a${`b${c}`}d`") == repr("a{'b{c}'}d")


def test_a_raw_template_has_no_escapes() -> None:
    assert expression(r"String.raw`a\n${b}\t`") == r"String.raw('a\\n{b}\\t')"


def test_the_key_of_an_object_is_a_string_at_its_name() -> None:
    code = "x = { ключ: 1 }"
    value = value_of(code)
    (key,) = [entry.key for node in nodes(value) if isinstance(node, Map) for entry in node.entries]
    assert isinstance(key, Str)
    assert key.literal == "ключ"
    (piece,) = key.pieces
    assert isinstance(piece, Piece)
    assert sources_of(piece, code) == list("ключ")


@given(st.text(), st.sampled_from("'\"`"), st.sampled_from(["", "größe()\n", "/* 😀 */ "]))
@example("${", "`", "")
@example("a\\", "'", "")
@example("\r\n", "`", "")
@example("\u2028\x00", '"', "")
@settings(max_examples=300)
def test_what_is_quoted_is_read_again_with_every_character_in_place(text: str, quote: str, before: str) -> None:
    text = text.encode("utf-8", "replace").decode("utf-8")
    code = f"{before}x = {quote}{quoted(text, quote)}{quote};"
    (string,) = strings(code)
    assert string.literal == text
    piece = piece_of(code)
    for character, written in zip(text, sources_of(piece, code), strict=True):
        assert written == character or written.startswith("\\")


@given(st.text(alphabet=st.sampled_from("a'\"`$({})\\nux0\r\n漢😀 "), max_size=30), st.sampled_from("'\"`"))
@settings(max_examples=300)
def test_places_rise_and_stay_inside_of_any_literal(inside: str, quote: str) -> None:
    code = f"x = {quote}{inside}{quote};"
    for string in strings(code):
        for piece in string.pieces:
            if isinstance(piece, Piece):
                assert piece.places[-1][0] == len(piece.text)
                assert list(piece.places) == sorted(piece.places)
                assert all(string.span.start <= place <= string.span.end for _, place in piece.places)


# ---------------------------------------------------------------- JSX


def words(code: str) -> list[Str]:
    """The words between tags, outer elements first."""
    found = nodes(facts_of(code, "a.tsx").body)
    return [
        part
        for node in found
        if isinstance(node, Opaque)
        for part in node.parts
        if isinstance(part, Str) and not part.style
    ]


def said(string: Str) -> str:
    return "".join(piece.text if isinstance(piece, Piece) else "{" + show(piece.value) + "}" for piece in string.pieces)


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("<A>You wait.</A>", "You wait."),
        ("<A>\n  You wait.\n</A>", "You wait."),
        ("<A>\n  You wait\n\n  until done.\n</A>", "You wait until done."),
        ("<A>\r\n  You wait\r\n  until done.\r\n</A>", "You wait until done."),
        ("<A> a {b} c </A>", " a {b} c "),
        ("<A>{a} {b}</A>", None),
        ("<A>{a}, {b}</A>", "{a}, {b}"),
        ("<A>a &amp; b &lt;c&gt; &#123;&nbsp;</A>", "a & b <c> {\u00a0"),
        ("<A>a & b && c &d; &amp;</A>", "a & b && c &d; &"),
        ("<A>größe 😀</A>", "größe 😀"),
        ("<>a</>", "a"),
        ("<A>{/* why */}</A>", None),
    ],
)
def test_words_between_tags_are_joined_as_jsx_joins_them(code: str, text: str | None) -> None:
    assert [said(string) for string in words(f"x = {code};")] == ([] if text is None else [text])
    assert not facts_of(f"x = {code};", "a.tsx").problems


def test_words_between_tags_have_exact_places() -> None:
    code = "x = <A>\n  größe &amp; 😀\n  b\n</A>;"
    (string,) = words(code)
    (piece,) = string.pieces
    assert isinstance(piece, Piece)
    assert piece.text == "größe & 😀 b"
    assert sources_of(piece, code) == [*"größe ", "&amp;", *" 😀", "\n  ", "b"]
    assert code[string.span.start : string.span.end] == "größe &amp; 😀\n  b"


def test_an_element_keeps_its_component_attributes_words_and_elements() -> None:
    words = "You are {name}. <b>Wait</b> {a.map(f)}"
    code = f"""x = <Sys.Prompt role="a &amp; b" run={{() => 1}} on {{...rest}}>{words}</Sys.Prompt>;"""
    facts = facts_of(code, "a.tsx")
    assert [function.name for function in facts.functions] == ["run"]
    element = value_of(code, "a.tsx").value  # type: ignore[union-attr]
    assert show(element) == (  # type: ignore[arg-type]
        "?(Sys.Prompt, {'role': 'a & b', 'run': <function 0>, **rest}, "
        + repr("You are {name}. {?('Wait')} {a.map(f)}")
        + ")"
    )


def test_an_element_of_the_page_has_no_name_in_the_facts() -> None:
    assert expression("<div><Custom a={b}/><br/></div>", "a.tsx") == "?(?(Custom, {'a': b}), ?())"
