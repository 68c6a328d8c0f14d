"""Changes of Python code that need its structure: each a few words in, a few words out, whatever stands around them."""

from __future__ import annotations

import ast
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from waitlint.facts import Span
from waitlint.fix import (
    AwaitPause,
    BoundByDeadline,
    BoundCall,
    BoundLoop,
    Change,
    ClampArgument,
    HandOn,
    RaiseAgain,
    ReturnLast,
    SetNumber,
    SetOption,
    Unshield,
)
from waitlint.fixing import applied
from waitlint.frontends import edits
from waitlint.frontends.python.depth import is_too_deep
from waitlint.source import Source


class Case(NamedTuple):
    """A file before and after. The change is asked for at the place of `at`, which stands once in it."""

    name: str
    change: str
    at: str
    before: str
    after: str | None
    more: tuple[object, ...] = ()


def span(text: str, words: str) -> Span:
    assert text.count(words) == 1, words
    start = text.index(words)
    return Span(start, start + len(words))


def change_of(case: Case, text: str) -> Change:
    at = span(text, case.at)
    match case.change, case.more:
        case "number", (float() | int() as before, float() | int() as after):
            return SetNumber("a.py", at, before, after)
        case "pause", ():
            return AwaitPause("a.py", at)
        case "raise", ():
            return RaiseAgain("a.py", at)
        case "last", ():
            return ReturnLast("a.py", at)
        case "loop", (float() | int() as seconds, int() as laps):
            return BoundLoop("a.py", at, seconds, laps)
        case "call", (str() as api, float() | int() as seconds):
            return BoundCall("a.py", at, api, seconds)
        case "deadline", (str() as api, str() as loop):
            return BoundByDeadline("a.py", at, api, span(text, loop))
        case "unshield", ():
            return Unshield("a.py", at)
        case "clamp", (str() as name, int() as seconds, int() as by_default):
            return ClampArgument("a.py", at, name, seconds, by_default)
        case "option", (str() as name, str() | None as key, str() as value, str() as source):
            return SetOption("a.py", at, value, None, name, key, source, plain=name == "config")
        case "stop", (str() as signal, str() as api, int() as position):
            return HandOn("a.py", at, signal, api, position)
    raise AssertionError(case)


def changed(case: Case, text: str) -> str | None:
    made = edits(Source("a.py", text), "python", change_of(case, text))
    return None if made is None else applied(text, made)


CASES = [
    Case(
        "a shield",
        "unshield",
        "move_on_after(9, shield=True)",
        "async def f():\n    with move_on_after(9, shield=True):\n        await g()\n",
        "async def f():\n    with move_on_after(9):\n        await g()\n",
    ),
    Case(
        "a greatest value",
        "clamp",
        "seconds: int = 20",
        'def f(seconds: int = 20):\n    """Wait."""\n    return g(seconds)\n',
        'def f(seconds: int = 20):\n    """Wait."""\n    seconds = min(seconds, 50)\n    return g(seconds)\n',
        ("seconds", 50, 20),
    ),
    Case(
        "a greatest value for none",
        "clamp",
        "timeout: float | None = None",
        "def f(timeout: float | None = None):\n    return g(timeout)\n",
        "def f(timeout: float | None = None):\n    timeout = 50 if timeout is None else min(timeout, 50)\n    return g(timeout)\n",
        ("timeout", 50, 0),
    ),
    Case(
        "a greatest value in a field",
        "clamp",
        "laps: Annotated[int, Field(ge=1)] = 8",
        "def f(laps: Annotated[int, Field(ge=1)] = 8):\n    return g(laps)\n",
        "def f(laps: Annotated[int, Field(ge=1, le=10)] = 8):\n    return g(laps)\n",
        ("laps", 50, 40),
    ),
    Case(
        "a greatest value in a schema",
        "clamp",
        '"wait": {"type": "integer", "default": 20}',
        'S = {"wait": {"type": "integer", "default": 20}}\n',
        'S = {"wait": {"type": "integer", "maximum": 50, "default": 20}}\n',
        ("wait", 50, 20),
    ),
    Case("a unit that is not known", "clamp", "n: int", "def f(n: int):\n    return g(n)\n", None, ("n", 50, 0)),
    Case(
        "an option",
        "option",
        "run(a, q)",
        "run(a, q)\n",
        "run(a, q, max_turns=25)\n",
        ("max_turns", None, "25", ""),
    ),
    Case(
        "an option that is off",
        "option",
        "run(a, max_turns=None)",
        "run(a, max_turns=None)\n",
        "run(a, max_turns=25)\n",
        ("max_turns", None, "25", ""),
    ),
    Case(
        "an option of one's own",
        "option",
        "run(a, max_turns=limit())",
        "run(a, max_turns=limit())\n",
        None,
        ("max_turns", None, "25", ""),
    ),
    Case(
        "an option in an object",
        "option",
        "query(options=Options(cwd='.'))",
        "query(options=Options(cwd='.'))\n",
        "query(options=Options(cwd='.', max_turns=50))\n",
        ("options", "max_turns", "50", ""),
    ),
    Case(
        "an option in a dict",
        "option",
        "g.invoke(m, config={'tags': t})",
        "g.invoke(m, config={'tags': t})\n",
        "g.invoke(m, config={'tags': t, \"recursion_limit\": 50})\n",
        ("config", "recursion_limit", "50", ""),
    ),
    Case(
        "a dict for an option",
        "option",
        "g.invoke(m)",
        "g.invoke(m)\n",
        'g.invoke(m, config={"recursion_limit": 50})\n',
        ("config", "recursion_limit", "50", ""),
    ),
    Case(
        "a decorator without arguments",
        "option",
        "retry\ndef",
        "from tenacity import retry\n\n\n@retry\ndef f():\n    pass\n",
        "from tenacity import retry, stop_after_attempt\n\n\n@retry(stop=stop_after_attempt(5))\ndef f():\n    pass\n",
        ("stop", None, "stop_after_attempt(5)", "tenacity"),
    ),
    Case(
        "a pause with a stop",
        "stop",
        "time.sleep(5)",
        "import time\n\n\ndef f(stop):\n    s = 'on'\n    while s == 'on':\n        s = g()\n        time.sleep(5)\n    return s\n",
        "def f(stop):\n    s = 'on'\n    while s == 'on':\n        s = g()\n        if stop.wait(5):\n            break\n    return s\n",
        ("stop", "time.sleep", -1),
    ),
    Case(
        "a pause in a loop that looks at the stop",
        "stop",
        "time.sleep(5)",
        "import time\n\nfrom a import STOP\n\n\ndef f():\n    while not STOP.is_set():\n        g()\n        time.sleep(5)\n",
        "from a import STOP\n\n\ndef f():\n    while not STOP.is_set():\n        g()\n        STOP.wait(5)\n",
        ("STOP", "time.sleep", -1),
    ),
    Case(
        "a pause after which all goes on",
        "stop",
        "time.sleep(5)",
        "import time\n\n\ndef f(stop):\n    while g():\n        time.sleep(5)\n    h()\n",
        None,
        ("stop", "time.sleep", -1),
    ),
    Case(
        "a stop for a helper",
        "stop",
        "pause(3)",
        "def f(stop):\n    pause(3)\n",
        "def f(stop):\n    pause(3, stop)\n",
        ("stop", "", 1),
    ),
    Case("a stop out of sight", "stop", "pause(3)", "def f():\n    pause(3)\n", None, ("stop", "", 1)),
    Case(
        "a client of AWS",
        "call",
        "rds.describe_db_instances()",
        "import boto3\n\nrds = boto3.client('rds')\n\n\ndef f():\n    return rds.describe_db_instances()\n",
        "import boto3\nfrom botocore.config import Config\n\nrds = boto3.client('rds', config=Config(read_timeout=5))\n\n\ndef f():\n    return rds.describe_db_instances()\n",
        ("boto3.client.describe_db_instances", 5),
    ),
    Case(
        "the last state for an error",
        "last",
        "raise TimeoutError('late')",
        "def f():\n    for _ in range(9):\n        job = g()\n        if job.done:\n            return job\n    raise TimeoutError('late')\n",
        "def f():\n    for _ in range(9):\n        job = g()\n        if job.done:\n            return job\n    return job\n",
    ),
    Case(
        "a part that only finished work has",
        "last",
        "raise TimeoutError('late')",
        "def f():\n    for _ in range(9):\n        job = g()\n        if job.done:\n            return job.url\n    raise TimeoutError('late')\n",
        None,
    ),
    Case("a number", "number", "range(36)", "for _ in range(36): pass\n", "for _ in range(10): pass\n", (36, 10)),
    Case("in its unit", "number", "240", "CAP = 240.0\n", "CAP = 50.0\n".replace("240", "50"), (240, 50))._replace(
        at="240.0"
    ),
    Case("thousandths", "number", "120_000", "LIMIT = 120_000\n", "LIMIT = 50_000\n", (120, 50)),
    Case("a product", "number", "2", "CAP = 2 * 60  # s\n", "CAP = 50  # s\n", (120, 50)),
    Case(
        "a constant", "number", "range(LAPS)", "LAPS = 30\nx = range(LAPS)\n", "LAPS = 10\nx = range(LAPS)\n", (30, 10)
    ),
    Case(
        "a constant of two values", "number", "range(LAPS)", "LAPS = 30\nLAPS = 40\nx = range(LAPS)\n", None, (30, 10)
    ),
    Case("another number", "number", "range(36)", "for _ in range(36): pass\n", None, (12, 10)),
    Case(
        "a pause",
        "pause",
        "time.sleep(5)",
        "import time\n\n\nasync def f():\n    time.sleep(5)\n",
        "import asyncio\n\n\nasync def f():\n    await asyncio.sleep(5)\n",
    ),
    Case(
        "the clock stays",
        "pause",
        "time.sleep(5)",
        "import time\n\n\nasync def f():\n    time.sleep(5)\n    return time.time()\n",
        "import asyncio\nimport time\n\n\nasync def f():\n    await asyncio.sleep(5)\n    return time.time()\n",
    ),
    Case(
        "a pause by its own name",
        "pause",
        "sleep(PAUSE)",
        "import json\nfrom time import sleep, time\n\nimport httpx\n\nPAUSE = 3\n\n\nasync def f():\n    sleep(PAUSE)\n",
        "import asyncio\nimport json\nfrom time import time\n\nimport httpx\n\nPAUSE = 3\n\n\nasync def f():\n"
        "    await asyncio.sleep(PAUSE)\n",
    ),
    Case(
        "the library of the file",
        "pause",
        "time.sleep(1)",
        "import time\n\nimport anyio\n\n\nasync def f():\n    time.sleep(1)\n    await anyio.sleep(2)\n",
        "import anyio\n\n\nasync def f():\n    await anyio.sleep(1)\n    await anyio.sleep(2)\n",
    ),
    Case("no async code", "pause", "time.sleep(5)", "import time\n\n\ndef f():\n    time.sleep(5)\n", None),
    Case(
        "a pause in a lambda",
        "pause",
        "time.sleep(5)",
        "import time\nasync def f():\n    g(lambda: time.sleep(5))\n",
        None,
    ),
    Case(
        "everything caught",
        "raise",
        "except:\n        pass",
        "def f():\n    try:\n        g()\n    except:\n        pass\n",
        "def f():\n    try:\n        g()\n    except Exception:\n        pass\n",
    ),
    Case(
        "one of two",
        "raise",
        "except (OSError, asyncio.CancelledError):\n    pass",
        "try:\n    g()\nexcept (OSError, asyncio.CancelledError):\n    pass\n",
        "try:\n    g()\nexcept OSError:\n    pass\n",
    ),
    Case(
        "one of three",
        "raise",
        "except (OSError, CancelledError, KeyError):\n    pass",
        "try:\n    g()\nexcept (OSError, CancelledError, KeyError):\n    pass\n",
        "try:\n    g()\nexcept (OSError, KeyError):\n    pass\n",
    ),
    Case(
        "the clean-up stays",
        "raise",
        "except CancelledError:\n        close()",
        "def f():\n    try:\n        g()\n    except CancelledError:\n        close()\n    return 1\n",
        "def f():\n    try:\n        g()\n    except CancelledError:\n        close()\n        raise\n    return 1\n",
    ),
    Case(
        "its answer goes",
        "raise",
        "except CancelledError:\n        close()\n        return 2",
        "def f():\n    try:\n        g()\n    except CancelledError:\n        close()\n        return 2\n",
        "def f():\n    try:\n        g()\n    except CancelledError:\n        close()\n        raise\n",
    ),
    Case(
        "left in a branch",
        "raise",
        "except CancelledError:\n    if x: y()",
        "try:\n    g()\nexcept CancelledError:\n    if x: y()\n",
        None,
    ),
    Case(
        "a condition and a deadline",
        "loop",
        "while state == 'on':",
        "def f(state):\n    while state == 'on':\n        state = g()\n    return state\n",
        "import time\n\ndef f(state):\n    deadline = time.monotonic() + 50\n"
        "    while state == 'on' and time.monotonic() < deadline:\n        state = g()\n    return state\n",
        (50, 0),
    ),
    Case(
        "either of two conditions",
        "loop",
        "while a or b:",
        "def f(a, b):\n    while a or b:\n        a = g()\n    return a\n",
        "def f(a, b):\n    laps = 0\n    while (a or b) and laps < 6:\n        laps += 1\n        a = g()\n    return a\n",
        (50, 6),
    ),
    Case(
        "what follows needs the final state",
        "loop",
        "while job['state'] == 'on':",
        "def f(job):\n    while job['state'] == 'on':\n        job = g()\n    return job['url']\n",
        None,
        (50, 0),
    ),
    Case(
        "laps instead of for ever",
        "loop",
        "while True:",
        "def f():\n    # look\n    while True:\n        state = g()\n        if state != 'on':\n            return state\n"
        "        sleep(3)\n",
        "def f():\n    # look\n    for _ in range(6):\n        state = g()\n        if state != 'on':\n"
        "            return state\n        sleep(3)\n    return state\n",
        (50, 6),
    ),
    Case(
        "left by break",
        "loop",
        "while True:",
        "import time\ndef f():\n    while True:\n        state = g()\n        if state != 'on':\n            break\n"
        "    return state\n",
        "import time\ndef f():\n    deadline = time.monotonic() + 50\n    while time.monotonic() < deadline:\n"
        "        state = g()\n        if state != 'on':\n            break\n    return state\n",
        (50, 0),
    ),
    Case(
        "two answers",
        "loop",
        "while True:",
        "def f():\n    while True:\n        s = g()\n        if s == 'ok':\n            return 'ok'\n        if s == 'no':\n"
        "            return 'no'\n",
        None,
        (50, 6),
    ),
    Case(
        "a bare request",
        "call",
        "requests.get(u)",
        "x = requests.get(u)\n",
        "x = requests.get(u, timeout=30)\n",
        ("requests.get", 30),
    ),
    Case(
        "for ever on purpose",
        "call",
        "httpx.get(u, timeout=None)",
        "x = httpx.get(u, timeout=None)\n",
        "x = httpx.get(u, timeout=30)\n",
        ("httpx.get", 30),
    ),
    Case(
        "a line for each",
        "call",
        "requests.get(\n    u,\n    headers=h,\n)",
        "x = requests.get(\n    u,\n    headers=h,\n)\n",
        "x = requests.get(\n    u,\n    headers=h,\n    timeout=30,\n)\n",
        ("requests.get", 30),
    ),
    Case(
        "a timeout there already",
        "call",
        "requests.get(u, timeout=9)",
        "requests.get(u, timeout=9)\n",
        None,
        ("requests.get", 30),
    ),
    Case("arguments unseen", "call", "requests.get(u, **kw)", "requests.get(u, **kw)\n", None, ("requests.get", 30)),
    Case(
        "a read and its deadline",
        "deadline",
        "requests.get(u, timeout=20)",
        "import time\nimport requests\ndef f():\n    s = 'on'\n    end = time.monotonic() + 45\n"
        "    while time.monotonic() < end:\n        s = requests.get(u, timeout=20).text\n        time.sleep(1)\n    return s\n",
        "import time\nimport requests\ndef f():\n    s = 'on'\n    end = time.monotonic() + 45\n"
        "    while time.monotonic() < end:\n        left = max(0.1, end - time.monotonic())\n        try:\n"
        "            s = requests.get(u, timeout=min(20, left)).text\n        except requests.Timeout:\n            break\n"
        "        time.sleep(1)\n    return s\n",
        ("requests.get", "while time.monotonic() < end:"),
    ),
]


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_a_change_is_made_or_is_not_here(case: Case) -> None:
    assert changed(case, case.before) == case.after


@pytest.mark.parametrize("case", [c for c in CASES if c.after], ids=[c.name for c in CASES if c.after])
def test_the_newlines_of_the_file_are_kept(case: Case) -> None:
    crlf = case._replace(at=case.at.replace("\n", "\r\n"))
    assert case.after is not None
    assert changed(crlf, case.before.replace("\n", "\r\n")) == case.after.replace("\n", "\r\n")


WORDS = st.text(alphabet="aé✓日😀 \t'\"#{}", max_size=12)


@given(st.sampled_from([case for case in CASES if case.after]), WORDS, WORDS)
@settings(max_examples=80, deadline=None)
def test_what_stands_around_does_not_matter(case: Case, first: str, last: str) -> None:
    """Comments of any characters before and behind: the edits are the same, at other places."""
    head, tail = f"# {first}\n", f"\n# {last}\n"
    text = head + case.before + tail
    if text.count(case.at) != 1:
        return
    done = changed(case, text)
    assert done is not None
    assert done.startswith(head)
    assert done.endswith(tail)
    assert ast.dump(ast.parse(done)) == ast.dump(ast.parse(case.after or ""))


def test_what_does_not_parse_is_left_alone() -> None:
    assert edits(Source("a.py", "def f(:\n    x = 36\n"), "python", SetNumber("a.py", Span(17, 19), 36, 10)) is None


@pytest.mark.parametrize("language", ["markdown", "text", "json", "yaml", "toml", "notebook"])
def test_documents_have_no_code_to_change(language: str) -> None:
    assert edits(Source("a", "x: 36\n"), language, SetNumber("a", Span(3, 5), 36, 10)) is None


@pytest.mark.parametrize(
    "nested",
    [
        "(" * 4000 + "1" + ")" * 4000,
        "[" * 4000 + "]" * 4000,
        "f(" * 2000 + ")" * 2000,
        "not " * 4000 + "1",
        "1" + " + 1" * 4000,
        "a if b else " * 2000 + "c",
        '"a" ' * 4000,
        "a" + " < a" * 4000,
        "1\nif a:\n    b\n" + "elif a:\n    b\n" * 4000,
    ],
)
def test_what_is_nested_too_deeply_for_a_parser_that_recurses_is_left_alone(nested: str) -> None:
    text = f"z = {nested}\nx = 36\n"
    start = len(text) - len("36\n")
    assert edits(Source("a.py", text), "python", BoundCall("a.py", Span(start, start + 2), "requests.get", 5)) is None


def test_what_is_nested_as_code_of_people_is_is_not_too_deep() -> None:
    text = "z = " + "(" * 40 + "1" + ")" * 40 + "\nif a:\n    b\n" + "elif a:\n    b\n" * 100
    assert not is_too_deep(text)
