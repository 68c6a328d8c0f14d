"""Long modules are changed by what a change is about: the edits are those that the whole would give."""

from __future__ import annotations

import ast

import pytest

from waitlint.facts import Span
from waitlint.fix import AwaitPause, BoundCall, BoundLoop, Change, HandOn
from waitlint.frontends.python import edits
from waitlint.frontends.python.excerpt import WORTH_IT, excerpt
from waitlint.source import Source

BESIDE = "".join(
    f'''

@registered("größe {number}")
class Beside{number}:
    """Nothing to do with it: 日本."""

    def method(self, value):
        return value + {number}
'''
    for number in range(60)
)
HEAD = '''"""A server."""

import asyncio
import requests
{imports}
LIMIT = 5
'''
LOOP = """

async def watch(job):
    while True:
        state = await read(job)
        if state.done:
            return state
        {pause}
        requests.get("https://jobs.example/x")
"""


def _module(*, imports: str = "import time", pause: str = "time.sleep(5)", beside: str = BESIDE) -> str:
    return HEAD.format(imports=imports) + beside + LOOP.format(pause=pause) + beside


def _change(text: str, kind: str, written: str) -> Change:
    start = text.index(written)
    span = Span(start, start + len(written))
    if kind == "pause":
        return AwaitPause("a.py", span)
    if kind == "call":
        return BoundCall("a.py", span, "requests.get", 30.0)
    end = text.index('"https://jobs.example/x")', start) + len('"https://jobs.example/x")')
    return BoundLoop("a.py", Span(start, end), 90.0)


def _made(text: str, kind: str, written: str) -> str:
    return _applied(text, _change(text, kind, written))


def _applied(text: str, change: Change) -> str:
    made = edits(Source.from_bytes("a.py", text.encode()), change)
    assert made is not None
    for edit in sorted(made, reverse=True):
        text = text[: edit.start] + edit.text + text[edit.end :]
    ast.parse(text)
    return text


@pytest.mark.parametrize(
    ("kind", "written"),
    [
        ("pause", "time.sleep(5)"),
        ("call", 'requests.get("https://jobs.example/x")'),
        ("loop", "while True:"),
    ],
)
@pytest.mark.parametrize("imports", ["import time", "import time\n\n\ndef early():\n    return 1\n\n\nfrom a import b"])
def test_what_stands_beside_changes_nothing(kind: str, written: str, imports: str) -> None:
    text = _module(imports=imports)
    assert len(excerpt(text, [Span(0, 1)]).split()) < len(text.split()) / 4
    changed = _made(text, kind, written)
    alone = _made(_module(imports=imports, beside=""), kind, written)
    assert changed.replace(BESIDE, "") == alone
    assert changed.count(BESIDE) == 2


def test_other_methods_of_a_class_change_nothing() -> None:
    """Nor do they where the class has nothing but the method, or where its head is meant."""
    methods = "".join(f"\n    def m{number}(self):\n        return {number}  # größe\n" for number in range(200))
    method = LOOP.format(pause="time.sleep(5)").replace("\n", "\n    ").rstrip(" ")
    head = HEAD.format(imports="import time") + "\n\nclass Jobs(Base):"
    changed = _made(head + methods + method + methods, "pause", "time.sleep(5)")
    assert changed.replace(methods, "") == _made(head + method, "pause", "time.sleep(5)")
    text = head + methods
    at = text.index("Base")
    assert "def m7(" in excerpt(text, [Span(at, at + 4)])
    ast.parse(excerpt(text, [Span(at, at + 4)]))


def test_an_event_that_another_method_makes_is_seen() -> None:
    stops = """
class Jobs:
    def __init__(self):
        self.stop = threading.Event()
{methods}
    def watch(self):
        while not self.stop.is_set():
            time.sleep(5)
        return self.state
"""
    methods = "".join(f"\n    def m{number}(self):\n        return {number}\n" for number in range(200))
    text = HEAD.format(imports="import threading\nimport time") + stops.format(methods=methods)
    at = text.index("time.sleep(5)")
    change = HandOn("a.py", Span(at, at + len("time.sleep(5)")), "self.stop", "time.sleep")
    assert "            self.stop.wait(5)\n" in _applied(text, change)


def test_a_module_without_imports_gets_one_at_its_head() -> None:
    text = _module(imports="").replace("import asyncio\nimport requests\n", "")
    assert _made(text, "loop", "while True:").startswith('"""A server."""\n\nimport time\n')


def test_an_import_that_is_used_elsewhere_stays() -> None:
    used = BESIDE + "\n\ndef later():\n    return time.monotonic()\n"
    assert "import time\n" in _made(_module(beside=used), "pause", "time.sleep(5)")
    assert "import time\n" not in _made(_module(), "pause", "time.sleep(5)")


def test_places_stay_what_they_are() -> None:
    text = _module().replace("\n", "\r\n")
    at = text.index("while True:")
    cut = excerpt(text, [Span(at, at + 5)])
    assert len(cut) == len(text)
    assert cut[at : at + 5] == "while"
    assert "Beside" not in cut
    ast.parse(cut)


def test_what_is_short_or_broken_stays_whole() -> None:
    broken = _module() + "\ndef f(:\n"
    assert excerpt(broken, [Span(0, 1)]) == broken
    short = LOOP.format(pause="pass")
    assert len(short) < WORTH_IT
    assert excerpt(short, [Span(0, 1)]) == short
