"""The page: it needs nothing else, is safe, small and quick, and can be read on any screen."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import audits
from browser import CHROMIUM, Page, browser
from waitlint.audit import html
from waitlint.audit.building import audit

needs_browser = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed")
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


# ---------------------------------------------------------------- in a browser


@pytest.fixture(scope="module")
def tab() -> Iterator[Page]:
    with browser() as found:
        yield found


@pytest.fixture
def large(tab: Page, tmp_path: Path) -> Page:
    return opened(tab, tmp_path, page(500))


def opened(tab: Page, folder: Path, text: str, *, width: int = 1400, scheme: str = "light") -> Page:
    file = folder / "audit.html"
    file.write_text(text, encoding="utf-8")
    tab.errors.clear()
    tab.open(file, width=width, scheme=scheme)
    return tab


def visible_rows(tab: Page, kind: str) -> int:
    found = tab.run(f"document.querySelectorAll('.row[data-kind={kind}]:not([data-hidden])').length")
    assert isinstance(found, int)
    return found


def choose(tab: Page, name: str, value: str) -> None:
    tab.run(
        f"(() => {{ const f = document.querySelector('form.filter [name={name}]'); f.value = {value!r};"
        "f.dispatchEvent(new Event('input', {bubbles: true})); })()"
    )
    tab.run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")


@needs_browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1400, 400])
def test_the_page_fits_its_window_and_runs_without_a_fault(tab: Page, tmp_path: Path, width: int, scheme: str) -> None:
    opened(tab, tmp_path, page(40), width=width, scheme=scheme)
    assert tab.run("document.documentElement.scrollWidth") <= width
    assert tab.errors == []


CONTRAST = """(() => {
  const numbers = (text) => text.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => {
    const f = (v) => ((v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * f(r) + 0.7152 * f(g) + 0.0722 * f(b);
  };
  const ground = (e) => {
    for (; e; e = e.parentElement) {
      const c = numbers(getComputedStyle(e).backgroundColor);
      if (c.length < 4 || c[3] > 0.99) return c;
    }
    return [255, 255, 255];
  };
  const bad = new Set();
  for (const e of document.querySelectorAll('body *')) {
    if (!e.childNodes.length || ![...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim())) continue;
    if (['SCRIPT', 'STYLE', 'OPTION'].includes(e.tagName)) continue;
    const a = light(numbers(getComputedStyle(e).color)), b = light(ground(e));
    if ((Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05) < 4.5) bad.add(e.className || e.tagName);
  }
  return [...bad];
})()"""


@needs_browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_stands_out_from_its_ground(tab: Page, tmp_path: Path, scheme: str) -> None:
    opened(tab, tmp_path, page(40), scheme=scheme)
    assert tab.run(CONTRAST) == []


@needs_browser
def test_every_field_has_its_label_and_every_table_its_heads(tab: Page, tmp_path: Path) -> None:
    opened(tab, tmp_path, page(40))
    assert tab.run("[...document.querySelectorAll('input,select')].filter(e => !e.labels.length).length") == 0
    assert tab.run("document.querySelectorAll('tbody tr:not(.why) > th:not([scope])').length") == 0
    assert tab.run("document.querySelectorAll('h1').length") == 1
    assert tab.run("document.documentElement.lang") == "en"


@needs_browser
def test_searching_and_filtering_leave_what_fits(large: Page) -> None:
    assert visible_rows(large, "tool") == 500
    choose(large, "words", "blast_17")
    assert visible_rows(large, "tool") == 11
    choose(large, "words", "")
    choose(large, "item", "C2")
    choose(large, "answer", "no")
    shown = visible_rows(large, "tool")
    assert shown == 125
    assert large.run("document.querySelector('form.filter output').textContent").endswith(" entries")
    choose(large, "severity", "error")
    assert visible_rows(large, "finding") == 84
    large.run("document.querySelector('form.filter').reset()")
    large.run("new Promise(done => setTimeout(done, 50))")
    assert visible_rows(large, "tool") == 500


@needs_browser
def test_filtering_500_tools_takes_no_time_to_speak_of(large: Page) -> None:
    choose(large, "words", "warm-up")
    script = (
        "(() => { const f = document.querySelector('form.filter [name=words]'); const start = performance.now();"
        "f.value = 'blast_4'; f.dispatchEvent(new Event('input', {bubbles: true}));"
        "return new Promise(done => requestAnimationFrame(() => setTimeout(() =>"
        "{ document.body.offsetHeight; done(performance.now() - start); }))); })()"
    )
    assert min(large.run(script) for _ in range(3)) < 1000


@needs_browser
def test_other_assumptions_give_other_costs(tab: Page, tmp_path: Path) -> None:
    opened(tab, tmp_path, page(10))
    first = "document.querySelector('.cost .looks').textContent"
    assert tab.run(first) == "36 polls"
    before = tab.run("document.querySelector('.cost .effect').textContent")
    tab.run(
        "(() => { const f = document.querySelector('form.assumptions [name=duration]'); f.value = '600';"
        "f.dispatchEvent(new Event('input', {bubbles: true})); })()"
    )
    assert tab.run(first) == "120 polls"
    assert tab.run("document.querySelector('.cost .calls').textContent") == "7 calls"
    tab.run(
        "(() => { const f = document.querySelector('form.assumptions [name=duration]'); f.value = '180';"
        "f.dispatchEvent(new Event('input', {bubbles: true})); })()"
    )
    assert tab.run("document.querySelector('.cost .effect').textContent") == before


@needs_browser
def test_reasons_are_printed(tab: Page, tmp_path: Path) -> None:
    opened(tab, tmp_path, page(2))
    tab.call("Emulation.setEmulatedMedia", media="print")
    assert tab.run("document.querySelector('.why dd').getBoundingClientRect().height") > 0
    assert tab.run("getComputedStyle(document.querySelector('form.filter')).display") == "none"
    tab.call("Emulation.setEmulatedMedia", media="")


def test_several_repositories_have_a_row_each() -> None:
    found = audit([*audits.made_up(3, "quarry").repositories, *audits.made_up(2, "mill").repositories])
    text = html.render(found)
    assert text.count('data-kind="repository"') == 2
    assert text.index('data-repository="mill"') < text.index('data-repository="quarry"')
