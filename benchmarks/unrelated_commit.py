"""What the hook costs a commit of files that no model reads.

    python benchmarks/unrelated_commit.py REPOSITORY [--limit SECONDS] [FILE …]

The first run fills a cache of its own, the others find it warm. Printed is the processor time of each, that of child
processes included. The exit code is 1 where the best warm run takes longer than the limit.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

WARM_RUNS = 5
LIMIT = 0.8


def processor_seconds(command: list[str], folder: Path) -> tuple[float, int]:
    """The user and system time of a command and its children, and its exit code."""
    before = os.times()
    code = subprocess.run(command, cwd=folder, check=False).returncode
    after = os.times()
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    return spent, code


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repository", type=Path)
    parser.add_argument("files", nargs="*", default=["LICENSE"])
    parser.add_argument("--limit", type=float, default=LIMIT)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as cache:
        command = [sys.executable, "-m", "waitlint", "hook", "--quiet", "--cache-dir", cache, *given.files]
        warm = []
        for run in range(WARM_RUNS + 1):
            spent, code = processor_seconds(command, given.repository)
            print(f"{'warm' if run else 'cold'} {spent:.2f} s, exit code {code}")
            if run:
                warm.append(spent)
    best = min(warm)
    print(f"best warm run {best:.2f} s, limit {given.limit:g} s")
    return 1 if best > given.limit else 0


if __name__ == "__main__":
    sys.exit(main())
