"""Whether a baseline of a repository outlives moved lines and a renamed file, and tells one new fault.

    python benchmarks/baseline_survives.py REPOSITORY

Works on a copy of what git tracks. Every file that is read gets a line more at its beginning, and one document with a
finding gets another name: nothing may be new. Then one sentence is added that tells a model to poll: it alone is new.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

FRONT_MATTER = re.compile(r"\A---\r?\n.*?^---[ \t]*\r?\n", re.DOTALL | re.MULTILINE)
FIRST_LINES = re.compile(r"\A(?:#!.*\n)?(?:#.*coding[:=].*\n)?")
SHIFTED = {".py", ".ts", ".tsx", ".js", ".mjs", ".md", ".mdc", ".yaml", ".yml", ".json", ".toml", ".txt"}
FIXED_NAMES = {"SKILL.md", "AGENTS.md", "CLAUDE.md", "GEMINI.md", "POWER.md", "README.md"}
NEW = "\nCall `render_the_film` again every 5 seconds until it says done.\n"


def waitlint(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "waitlint", "check", "--isolated", *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        sys.exit(f"waitlint ended with {done.returncode}\n{done.stderr}")
    return done


def found(folder: Path, *arguments: str) -> dict[str, Any]:
    report = json.loads(waitlint(folder, "--output-format", "json", *arguments).stdout)
    assert isinstance(report, dict)
    return report


def copied(repository: Path, folder: Path) -> None:
    """What git tracks, as a repository of its own."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=repository, check=True, capture_output=True, text=True)
    for name in filter(None, listed.stdout.split("\0")):
        source, target = repository / name, folder / name
        if source.is_file() and not source.is_symlink():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)
    subprocess.run(["git", "init", "-q"], cwd=folder, check=True)


def shift(folder: Path) -> int:
    """Give each file one line more, behind what must come first."""
    count = 0
    for path in folder.rglob("*"):
        if path.suffix in SHIFTED and path.is_file() and ".git" not in path.relative_to(folder).parts:
            try:
                text = path.read_bytes().decode()
            except UnicodeDecodeError:
                continue
            head = FRONT_MATTER.match(text) or FIRST_LINES.match(text)
            end = head.end() if head else 0
            path.write_bytes(f"{text[:end]}\n{text[end:]}".encode())
            count += 1
    return count


def rename(folder: Path, documents: list[str]) -> str:
    """Give a document another name, or its folder where a model finds it by its name. Returns the old path."""
    for path in sorted(documents, key=lambda path: (Path(path).name in FIXED_NAMES, path)):
        old = folder / path
        if old.name in FIXED_NAMES:
            old = old.parent
        if old != folder:
            old.rename(old.with_name(f"renamed-{old.name}"))
            return path
    return "nothing"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repository", type=Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        copied(given.repository, folder)
        before = found(folder)
        waitlint(folder, "--write-baseline", ".known", "--quiet")
        shifted = shift(folder)
        moved = rename(folder, [f["path"] for f in before["findings"] if f["path"].endswith(".md")])
        after = found(folder, "--baseline", ".known")
        print(f"{len(before['findings'])} findings; {shifted} files shifted, renamed: {moved}")
        print(f"new: {len(after['findings'])}, known: {after['summary']['known']}, gone: {after['summary']['gone']}")
        (folder / "CLAUDE.md").open("a").write(NEW)
        last = found(folder, "--baseline", ".known")
        new = [(f["rule"], f["path"]) for f in last["findings"]]
        print(f"with one fault more, new: {new}")
    return 0 if not after["findings"] and new == [("loop/keep-calling", "CLAUDE.md")] else 1


if __name__ == "__main__":
    sys.exit(main())
