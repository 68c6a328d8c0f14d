"""The page: it needs nothing else, is safe and small."""

from __future__ import annotations

import re
from functools import cache

import pytest

import audits
from waitlint.audit import html
from waitlint.audit.building import audit

MOST_BYTES = 3_000_000


@cache
def page(tools: int) -> str:
    return html.render(audits.made_up(tools))


def test_the_page_needs_nothing_else() -> None:
    text = page(10)
    assert not re.findall(r"""(?:src|href|action)\s*=\s*["'](?!#)""", text)
    assert not re.findall(r"url\(|@import|https?:", text)
    assert "default-src 'none'" in text


def test_words_of_a_repository_are_no_markup() -> None:
    text = page(40)
    assert "<script>alert(1)" not in text
    assert "&lt;/script&gt;&lt;script&gt;alert(1)" in text
    assert "&lt;until&gt;" in text


def test_control_and_direction_characters_cannot_act() -> None:
    found = audits.made_up(2, name="qu\u202earry\x1b[2J")
    text = html.render(found)
    assert "\u202e" not in text
    assert "\x1b" not in text


def test_a_page_of_500_tools_is_small() -> None:
    assert len(page(500).encode()) < MOST_BYTES


def test_without_jinja_the_page_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "jinja2", None)
    with pytest.raises(html.NoJinja, match=r"waitlint\[audit\]"):
        html.render(audits.made_up(1))


def test_the_same_audit_is_the_same_page() -> None:
    assert html.render(audits.made_up(5)) == html.render(audits.made_up(5))


def test_several_repositories_have_a_row_each() -> None:
    found = audit([*audits.made_up(3, "quarry").repositories, *audits.made_up(2, "mill").repositories])
    text = html.render(found)
    assert text.count('data-kind="repository"') == 2
    assert text.index('data-repository="mill"') < text.index('data-repository="quarry"')
