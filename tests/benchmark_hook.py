"""What a commit of unrelated files costs: `python -m tests.benchmark_hook FOLDER [FILES…]`, in a git repository.

The first run fills the cache; printed is the processor time of each run, children included, in seconds.
"""

from __future__ import annotations

import os
import subprocess
import sys

RUNS = 4


def main() -> None:
    folder, *files = sys.argv[1:]
    command = [sys.executable, "-m", "waitlint", "hook", "--quiet", *(files or ["LICENSE"])]
    for number in range(RUNS):
        before = os.times()
        code = subprocess.run(command, cwd=folder, check=False).returncode
        after = os.times()
        spent = after.children_user + after.children_system - before.children_user - before.children_system
        print(f"{'cold' if number == 0 else 'warm'} {spent:.2f} s, exit code {code}")


if __name__ == "__main__":
    main()
