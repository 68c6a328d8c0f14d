"""Broken, spliced and hostile variants of the fixture projects, through everything that waitlint does with a file.

`python -m tests.fuzzing [--minutes 5] [--seed 0] [--keep FOLDER]` goes on for that long, each variant in a process that
can hang or die without the search ending. A variant fails where waitlint raises or reports a fault of its own, takes
longer than ten processor seconds, or mends a file that parsed into one that doesn't. What failed is kept in the folder
and named with its number: `--only NUMBER` makes the same variant again and shows the traceback.
"""

from __future__ import annotations

import argparse
import ast
import multiprocessing
import os
import random
import shutil
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cache
from multiprocessing.connection import Connection
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parent))

from harness import name_of, projects
from waitlint.audit.building import audit, repository
from waitlint.audit.html import render as page_of
from waitlint.changing import Change, changes
from waitlint.config import ConfigError
from waitlint.factview import document, lines
from waitlint.fixing import run_fixes
from waitlint.linter import Demand, lint
from waitlint.output import FORMATS, render
from waitlint.reporting import report
from waitlint.scanning import Request, scan

MOST_PROCESSOR_SECONDS = 10.0
HUNG_AFTER = 120.0
LARGEST = 60_000
NASTY = (
    *(
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        '"',
        "'",
        '"""',
        "`",
        "${",
        "}",
        "<!--",
        "-->",
        "```",
        "---\n",
        "|",
        "\\",
        "#",
        "//",
    ),
    *("\r", "\r\n", "\x00", "\x1b[31m", "\u2028", "\ufeff", "\u202e", "é", "日本", "\U0001f600", "\ud800"),
    *("&a", "*a", "<<: *a", "? ", "!!python/object:os.system", "1e999", "-1", "0x", "0b", "9" * 400, "NaN", "1_0"),
    *(
        "async ",
        "await ",
        "yield ",
        "lambda: ",
        "return ",
        "while True:\n",
        "for (;;) ",
        "match x:\n",
        "type X = ",
        "*",
    ),
    *("import ", "from . import *\n", "export * from './a'\n", "extends ", "?.", "=>", ":=", "@", "=", ",", ";", ":"),
    *(" until ", " again ", " every 0 seconds ", " wait 10**9 minutes ", "range(10**30)", " / 0", " % 0", "** 99999"),
)
Mutation = Callable[[random.Random, str, str], str]


class Failure(NamedTuple):
    number: int
    project: str
    why: str


def _cut(chance: random.Random, text: str, _: str) -> str:
    start, end = _span(chance, text)
    return text[:start] + text[end:]


def _double(chance: random.Random, text: str, _: str) -> str:
    start, end = _span(chance, text)
    return text[:end] + text[start:end] * chance.choice([1, 1, 2, 40]) + text[end:]


def _move(chance: random.Random, text: str, _: str) -> str:
    start, end = _span(chance, text)
    rest = text[:start] + text[end:]
    to = chance.randint(0, len(rest))
    return rest[:to] + text[start:end] + rest[to:]


def _splice(chance: random.Random, text: str, other: str) -> str:
    start, end = _span(chance, other)
    to = chance.randint(0, len(text))
    return text[:to] + other[start:end] + text[to:]


def _put_in(chance: random.Random, text: str, _: str) -> str:
    to = chance.randint(0, len(text))
    return text[:to] + chance.choice(NASTY) * chance.choice([1, 1, 1, 3, 300]) + text[to:]


def _end(chance: random.Random, text: str, _: str) -> str:
    return text[: chance.randint(0, len(text))]


def _swap_words(chance: random.Random, text: str, other: str) -> str:
    """A name, number or word in place of another, from the same text or from another."""
    mine, theirs = text.split(), (other if chance.random() < 0.3 else text).split()
    if not mine or not theirs:
        return text
    old, new = chance.choice(mine), chance.choice(theirs)
    return text.replace(old, new, chance.choice([1, 1, -1]))


def _swap_lines(chance: random.Random, text: str, _: str) -> str:
    rows = text.splitlines(keepends=True)
    if len(rows) > 1:
        one, two = chance.randrange(len(rows)), chance.randrange(len(rows))
        rows[one], rows[two] = rows[two], rows[one]
    return "".join(rows)


def _indent(chance: random.Random, text: str, _: str) -> str:
    rows = text.splitlines(keepends=True)
    if rows:
        start, end = sorted((chance.randrange(len(rows)), chance.randint(0, len(rows))))
        by = chance.choice([" ", "\t", "        "])
        rows[start:end] = [by + row for row in rows[start:end]]
    return "".join(rows)


def _nest(chance: random.Random, text: str, _: str) -> str:
    start, end = _span(chance, text)
    depth = chance.choice([3, 60, 2000])
    left, right = chance.choice([("(", ")"), ("[", "]"), ("{", "}"), ("f(", ")"), ("- ", ""), ("> ", ""), ("not ", "")])
    return text[:start] + left * depth + text[start:end] + right * depth + text[end:]


MUTATIONS: tuple[Mutation, ...] = (
    *(_cut, _cut, _double, _move, _splice, _splice, _put_in, _put_in, _put_in),
    *(_end, _swap_words, _swap_words, _swap_words, _swap_lines, _indent, _nest),
)


def _span(chance: random.Random, text: str) -> tuple[int, int]:
    """A piece of a text: often a few characters, sometimes whole lines, sometimes anything."""
    start = chance.randint(0, len(text))
    kind = chance.random()
    if kind < 0.5:
        return start, min(len(text), start + chance.randint(0, 12))
    if kind < 0.8:
        first = text.rfind("\n", 0, start) + 1
        last = start
        for _ in range(chance.randint(1, 6)):
            last = text.find("\n", last) + 1 or len(text)
        return first, max(first, last)
    return start, chance.randint(start, len(text))


@cache
def _seeds() -> tuple[Path, ...]:
    return tuple(projects())


@cache
def _texts(project: Path) -> dict[str, str]:
    """The files of a project that are text, by their path in it."""
    found = {}
    for path in sorted(path for path in project.rglob("*") if path.is_file()):
        with suppress(UnicodeDecodeError):
            found[path.relative_to(project).as_posix()] = path.read_bytes().decode()
    return found


def write_variant(number: int, folder: Path) -> str:
    """Make the variant with a number in an empty folder; its fixture project's name."""
    chance = random.Random(number)
    project = chance.choice(_seeds())
    texts = dict(_texts(project))
    names = [name for name in texts if not name.endswith((".expect", ".diff"))]
    if chance.random() < 0.9:
        names.remove("waitlint.toml")
    for name in chance.sample(names, min(len(names), chance.choice([1, 1, 2, 3]))):
        text = texts[name]
        for _ in range(chance.choice([1, 1, 2, 4, 10])):
            other = chance.choice(list(_texts(chance.choice(_seeds())).values()) or [""])
            text = chance.choice(MUTATIONS)(chance, text, other)[:LARGEST]
        texts[name] = text
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(_encoded(chance, text))
    return name_of(project)


def _encoded(chance: random.Random, text: str) -> bytes:
    kind = chance.random()
    if kind < 0.03:
        return text.encode("utf-16", "surrogatepass")
    if kind < 0.06:
        return text.encode("latin-1", "replace")
    if kind < 0.1:
        text = text.replace("\n", "\r\n")
    return text.encode("utf-8", "surrogatepass")


def trouble(folder: Path) -> str:
    """What is wrong with the way that waitlint takes a folder, or nothing."""
    demand = Demand(pedantic=True)
    try:
        scanned = scan(Request(cwd=folder, paths=(folder,), use_cache=False, jobs=1))
    except ConfigError:
        return ""
    found = report(scanned, lint(scanned, demand))
    faults = list(found.errors)
    for output in FORMATS:
        render(found, output)
    document(scanned)
    for _ in lines(scanned):
        pass
    page_of(audit([repository(scanned, "variant", demand)]))
    mended = run_fixes(scanned, demand, unsafe=True)
    faults.extend(_broken_by(changes(scanned, mended.scan)))
    return "; ".join(faults)


def _broken_by(made: Iterable[Change]) -> Iterator[str]:
    for change in made:
        if change.path.endswith(".py") and _parses(change.before) and not _parses(change.after):
            yield f"{change.path} parsed, and was mended into what doesn't"


def _parses(text: bytes) -> bool:
    try:
        ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _work(line: Connection) -> None:
    """Take numbers and give back what went wrong with each variant, and the processor seconds that it took."""
    while True:
        number = line.recv()
        with tempfile.TemporaryDirectory() as folder:
            project = write_variant(number, Path(folder))
            start = time.process_time()
            try:
                why = trouble(Path(folder))
            except Exception:
                why = traceback.format_exc(limit=-4)
            line.send((project, why, time.process_time() - start))


class Worker:
    """A process that tries variants."""

    def __init__(self) -> None:
        self._line, other = multiprocessing.Pipe()
        self._process = multiprocessing.get_context("fork").Process(target=_work, args=(other,), daemon=True)
        self._process.start()
        other.close()

    def tried(self, number: int) -> Failure | None:
        before = self._state()[1]
        try:
            self._line.send(number)
            while not self._line.poll(HUNG_AFTER):
                is_running, spent = self._state()
                if not is_running or spent - before > MOST_PROCESSOR_SECONDS:
                    self.end()
                    return Failure(number, "", f"no end after {HUNG_AFTER:g} s")
            project, why, seconds = self._line.recv()
        except (EOFError, ConnectionError):
            self._process.join()
            return Failure(number, "", f"the process ended with {self._process.exitcode}")
        if why:
            return Failure(number, project, why)
        if seconds > MOST_PROCESSOR_SECONDS:
            return Failure(number, project, f"{seconds:.1f} s")
        return None

    def _state(self) -> tuple[bool, float]:
        """Whether the process runs, and its processor seconds: on a busy machine, it may only have to wait for one."""
        try:
            said = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            return False, 0.0
        return said[0] == "R", sum(map(int, said[11:13])) / os.sysconf("SC_CLK_TCK")

    @property
    def is_alive(self) -> bool:
        return bool(self._process.is_alive())

    def end(self) -> None:
        self._process.kill()
        self._process.join()


def search(seed: int, until: Callable[[int], bool]) -> Iterator[Failure]:
    """The failures among the variants from a number on, as long as `until` says of a number that it is to be tried."""
    worker, number = Worker(), seed
    try:
        while until(number):
            failure = worker.tried(number)
            if failure is not None:
                yield failure
            if not worker.is_alive:
                worker.end()
                worker = Worker()
            number += 1
    finally:
        worker.end()


def _only(number: int) -> int:
    with tempfile.TemporaryDirectory() as folder:
        print(write_variant(number, Path(folder)))
        why = trouble(Path(folder))
        print(why or "nothing is wrong")
    return 1 if why else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--only", type=int)
    given = parser.parse_args()
    if given.only is not None:
        return _only(given.only)
    end: float = time.monotonic() + given.minutes * 60
    last, failures = given.seed, 0

    def is_time(number: int) -> bool:
        nonlocal last
        last = number
        return time.monotonic() < end

    for failure in search(given.seed, is_time):
        failures += 1
        print(f"{failure.number} {failure.project}\n{failure.why}\n", flush=True)
        if given.keep:
            folder = given.keep / str(failure.number)
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
            write_variant(failure.number, folder)
    print(f"{last - given.seed} variants, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
