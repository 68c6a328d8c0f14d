"""The page in a real browser: it can be read on any screen and searched. Not in the suite: `.ci/page` runs it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import audits
from browser import CHROMIUM, Page, browser
from waitlint.audit import html

pytestmark = [pytest.mark.browser, pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed")]


@cache
def page(tools: int) -> str:
    return html.render(audits.made_up(tools))


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


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_stands_out_from_its_ground(tab: Page, tmp_path: Path, scheme: str) -> None:
    opened(tab, tmp_path, page(40), scheme=scheme)
    assert tab.run(CONTRAST) == []


def test_every_field_has_its_label_and_every_table_its_heads(tab: Page, tmp_path: Path) -> None:
    opened(tab, tmp_path, page(40))
    assert tab.run("[...document.querySelectorAll('input,select')].filter(e => !e.labels.length).length") == 0
    assert tab.run("document.querySelectorAll('tbody tr:not(.why) > th:not([scope])').length") == 0
    assert tab.run("document.querySelectorAll('h1').length") == 1
    assert tab.run("document.documentElement.lang") == "en"


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


def test_reasons_are_printed(tab: Page, tmp_path: Path) -> None:
    opened(tab, tmp_path, page(2))
    tab.call("Emulation.setEmulatedMedia", media="print")
    assert tab.run("document.querySelector('.why dd').getBoundingClientRect().height") > 0
    assert tab.run("getComputedStyle(document.querySelector('form.filter')).display") == "none"
    tab.call("Emulation.setEmulatedMedia", media="")
