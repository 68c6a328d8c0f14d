"""How long waitlint takes, cold, warm and after one change, and how that stands to commands that others know.

    python benchmarks/against_others.py [REPOSITORY …] [--sizes 1000 10000] [--runs 3] [--others FOLDER]

Synthetic repositories of `--sizes` files are made first, a tenth of them with a wait over three files: a tool, a helper
and a client. Real ones are taken by path and are not written to; the changed file is put back. In the same run stand
`ruff check`, `grep -r`, and `agnix` and `lintlang` where they are found, on the path or in `--others` (a folder with
programs such as the `bin` of an environment made by `pip install agnix lintlang`).

Printed are medians: seconds on the clock, processor seconds with those of child processes, and the greatest memory of
one process in MB. The last column is the processor time as a part of the cold run's of waitlint.
"""

from __future__ import annotations

import argparse
import itertools
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

FILES_OF_A_WAIT = 3
ONE_IN = 10
IN_A_FOLDER = 100

TOOL = '''"""Tools of the kiln {number}."""

from mcp.server.fastmcp import FastMCP

from {package}.waiting_{number} import until_hot

mcp = FastMCP("kiln-{number}")


@mcp.tool()
def heat_{number}(kiln: str, timeout: int = {seconds}) -> str:
    """Heat a kiln and give its state."""
    return until_hot(kiln, timeout)
'''
HELPER = '''"""Waiting for the kiln {number}."""

import time

from {package}.client_{number} import Client


def until_hot(kiln, timeout):
    client = Client(f"https://kiln-{number}.test")
    deadline = time.monotonic() + timeout
    while time.monotonic() < deadline:
        state = client.state(kiln)
        if state == "hot":
            return state
        time.sleep(5)
    return "not hot yet"
'''
CLIENT = '''"""Talking to the kiln {number}."""

import requests


class Client:
    def __init__(self, base):
        self.base = base

    def state(self, kiln):
        return requests.get(f"{{self.base}}/{{kiln}}").json()["state"]
'''
PLAIN = '''"""The clay of batch {number}."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Batch{number}:
    name: str
    grams: list[float] = field(default_factory=list)

    def add(self, grams: float) -> None:
        if grams <= 0:
            raise ValueError(f"{{grams}} g is no clay")
        self.grams.append(grams)

    def total(self) -> float:
        return sum(self.grams)


def mixed(batches: list[Batch{number}], share: float = 0.{number}) -> Batch{number}:
    result = Batch{number}("mixed")
    for batch in batches:
        for grams in batch.grams:
            result.add(grams * share)
    return result
'''
SCRIPT = """import {{ z }} from "zod";

export const batch{number} = z.object({{ name: z.string(), grams: z.array(z.number()) }});

export function total{number}(grams: number[]): number {{
  let sum = 0;
  for (const one of grams) {{
    if (one <= 0) throw new Error(`${{one}} g is no clay`);
    sum += one;
  }}
  return sum;
}}
"""
SKILL = """---
name: batch-{number}
---

Ask for the state of the kiln with `heat_{near}`, and call it again every 20 seconds until it is hot.
"""


class Cost(NamedTuple):
    wall: float
    processor: float
    memory: float


Task = Callable[[], Cost]


def make_synthetic(folder: Path, size: int) -> None:
    """A repository with `size` files."""
    made = 0
    while made < size:
        number = made
        place = folder / f"part_{made // IN_A_FOLDER}"
        place.mkdir(parents=True, exist_ok=True)
        package = place.name
        if made % (ONE_IN * FILES_OF_A_WAIT) == 0:
            texts = {f"tool_{number}.py": TOOL, f"waiting_{number}.py": HELPER, f"client_{number}.py": CLIENT}
        elif made % 10 == 9:
            texts = {f"skills/batch-{number}/SKILL.md": SKILL}
        elif made % 3:
            texts = {f"batch_{number}.py": PLAIN}
        else:
            texts = {f"batch_{number}.ts": SCRIPT}
        for name, text in texts.items():
            path = place / name
            path.parent.mkdir(parents=True, exist_ok=True)
            near = number - number % (ONE_IN * FILES_OF_A_WAIT)
            path.write_text(text.format(number=number, package=package, seconds=30 + number % 300, near=near))
        made += len(texts)
    subprocess.run(["git", "init", "-q"], cwd=folder, check=True)


def cost_of(command: Sequence[str], folder: Path) -> Cost:
    """What one run of a command costs, with the processes that it starts."""
    read, write = os.pipe()
    start = time.monotonic()
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    child = os.fork()
    if child == 0:
        os.close(read)
        with open(os.devnull, "wb") as nowhere:
            subprocess.run(command, cwd=folder, check=False, stdout=nowhere, stderr=nowhere, env=environment)
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        os.write(write, f"{used.ru_utime + used.ru_stime} {used.ru_maxrss / 1024}".encode())
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as stream:
        processor, memory = map(float, stream.read().split())
    os.waitpid(child, 0)
    return Cost(time.monotonic() - start, processor, memory)


def median(costs: Sequence[Cost]) -> Cost:
    return Cost(*(statistics.median(column) for column in zip(*costs, strict=True)))


def a_document(folder: Path) -> Path | None:
    """A skill, or else another document, to change."""
    found = sorted(folder.rglob("SKILL.md")) or sorted(folder.rglob("*.md"))
    return found[0] if found else None


def some_code(folder: Path) -> Path | None:
    found = [path for path in sorted(folder.rglob("*.py")) if ".git" not in path.parts and "test" not in str(path)]
    return found[len(found) // 2] if found else None


def measured(folder: Path, runs: int, others: Sequence[str]) -> dict[str, Cost]:
    """The median cost of each thing to do in one repository."""
    results: dict[str, list[Cost]] = {}
    with tempfile.TemporaryDirectory() as cache:
        check = [sys.executable, "-m", "waitlint", "check", "--quiet", "--cache-dir", cache, "."]

        def cold() -> Cost:
            for path in Path(cache).iterdir():
                path.unlink()
            return cost_of(check, folder)

        def changed(path: Path, more: str) -> Cost:
            before = path.read_bytes()
            try:
                path.write_bytes(before + f"\n{more} {time.time()}\n".encode())
                return cost_of(check, folder)
            finally:
                path.write_bytes(before)

        tasks: dict[str, Task] = {"waitlint, cold": cold, "waitlint, warm": lambda: cost_of(check, folder)}
        document, code = a_document(folder), some_code(folder)
        if document is not None:
            tasks["waitlint, a document changed"] = lambda: changed(document, "More on")
        if code is not None:
            tasks["waitlint, a module changed"] = lambda: changed(code, "# changed at")
        for name, command in commands(others).items():
            tasks[name] = lambda command=command: cost_of(command, folder)  # type: ignore[misc]
        for _ in range(runs):
            for name, task in tasks.items():
                results.setdefault(name, []).append(task())
    return {name: median(costs) for name, costs in results.items()}


def commands(others: Sequence[str]) -> dict[str, list[str]]:
    """The commands of others, as far as they are there."""
    found = {"grep -r": ["grep", "-rIlE", "sleep|poll|until|wait", "."]}
    search = os.pathsep.join([*others, str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    for name, arguments in (("ruff", ["check", "--no-cache", "."]), ("agnix", ["."]), ("lintlang", ["scan", "."])):
        program = shutil.which(name, path=search)
        if program is not None:
            found[f"{name} {arguments[0]}"] = [program, *arguments]
    return found


def show(name: str, results: dict[str, Cost]) -> None:
    base = results["waitlint, cold"].processor
    print(f"\n{name}\n{'':32}{'wall s':>9}{'cpu s':>9}{'MB':>7}{'of cold':>9}")
    for what, cost in results.items():
        print(f"{what:32}{cost.wall:9.2f}{cost.processor:9.2f}{cost.memory:7.0f}{cost.processor / base:8.0%}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repositories", nargs="*", type=Path)
    parser.add_argument("--sizes", nargs="*", type=int, default=[1000])
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--others", nargs="*", default=[])
    given = parser.parse_args()
    colds: list[tuple[int, Cost]] = []
    for size in given.sizes:
        with tempfile.TemporaryDirectory() as folder:
            make_synthetic(Path(folder), size)
            results = measured(Path(folder), given.runs, given.others)
            show(f"{size} files", results)
            colds.append((size, results["waitlint, cold"]))
    for repository in given.repositories:
        show(repository.name, measured(repository, given.runs, given.others))
    for (small, less), (large, more) in itertools.pairwise(colds):
        times, memory = more.processor / less.processor, more.memory / less.memory
        print(f"\n{small} → {large} files: {times:.1f} times the processor time, {memory:.1f} times the memory")
    return 0


if __name__ == "__main__":
    sys.exit(main())
