"""How long the reading of prose takes: in proportion to the text, with nothing that backtracks, and hardly at all where
there is nothing to read.

    python benchmarks/prose_speed.py

Prints the CPU seconds for 1 MB and 4 MB of prose (at most 4.6 times as long), for texts that are made to backtrack,
and for `waitlint check` on 4,000 Markdown files of 15 MB in which no sentence is an order to poll (under 10 s).
"""

from __future__ import annotations

import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from waitlint.prose import read

PARAGRAPH = (
    "Start the print with `start_print`. It returns a job ID immediately and may take several minutes. If the\n"
    'state is "running", wait 10 seconds and call `get_print` again until it is done. Do not poll faster than\n'
    "that, and never call the same tool more than twice. You will be notified when the sheet is dry.\n\n"
    "| State | Action |\n|---|---|\n| `queued` | Keep polling |\n\n"
    "- Read the sheet.\n- Check the state every 30 s.\n\n"
    "The press stands by the window, and the light of the morning falls on the first sheets of the day. Ink is\n"
    "mixed by hand from two colours. What is printed hangs on lines under the roof, where the warm air dries it.\n\n"
)
PIECES = (
    "poll ",
    "until until ",
    "every 5 ",
    "do not ",
    "if it is running, ",
    "`a` ",
    "**a",
    "[a](",
    "((((",
    "| a ",
    "a-",
)
WORDS = [
    "sheet", "press", "ink", "paper", "colour", "line", "window", "light", "morning", "roof", "warm", "air", "house",
    "hand", "first", "small", "large", "blue", "green", "red", "write", "read", "fold", "cut", "bind", "sew", "print",
    "trim", "sort", "name", "count", "weigh", "carry", "open", "close", "turn", "lift", "place",
]  # fmt: skip
MEGABYTE = 1_000_000
FILES, SIZE = 4_000, 3_750


def seconds(text: str) -> float:
    started = time.process_time()
    read(text, "document")
    return time.process_time() - started


def of_size(size: int) -> str:
    return (PARAGRAPH * (size // len(PARAGRAPH) + 1))[:size]


def page(rng: random.Random) -> str:
    """A page of instructions about a press, with headings and lists, that waits for nothing."""
    parts = [f"# {' '.join(rng.choices(WORDS, k=3))}\n"]
    while sum(map(len, parts)) < SIZE:
        sentence = f"{' '.join(rng.choices(WORDS, k=rng.randint(6, 14))).capitalize()}.\n"
        parts.append(
            f"\n## {rng.choice(WORDS)}\n\n"
            if rng.random() < 0.1
            else f"- {sentence}"
            if rng.random() < 0.4
            else sentence
        )
    return "".join(parts)


def checked(folder: Path) -> float:
    """CPU seconds of a run of `waitlint check` and of all its processes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "waitlint", "check", "--isolated", "--no-cache", "--exit-zero", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"waitlint ended with {done.returncode}\n{done.stderr}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    one, four = seconds(of_size(MEGABYTE)), seconds(of_size(4 * MEGABYTE))
    print(f"1 MB of prose: {one:.2f} s; 4 MB: {four:.2f} s, {four / one:.2f} times as long")
    for piece in PIECES:
        short, long = (seconds("Poll until done. " + piece * (size // len(piece))) for size in (25_000, 100_000))
        print(f"{piece!r:24} 25 kB: {short:.3f} s; 100 kB: {long:.3f} s")
    with tempfile.TemporaryDirectory() as name:
        folder, rng = Path(name), random.Random(15)
        (folder / "waitlint.toml").write_text("root = true\n", encoding="utf-8")
        for number in range(FILES):
            skill = folder / "skills" / f"press-{number}" / "SKILL.md"
            skill.parent.mkdir(parents=True)
            skill.write_text(f"---\nname: press-{number}\ndescription: A press.\n---\n{page(rng)}", encoding="utf-8")
        print(f"{FILES} files of Markdown, {FILES * SIZE / MEGABYTE:.0f} MB: {checked(folder):.1f} s of CPU")


if __name__ == "__main__":
    main()
