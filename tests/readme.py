"""What the README shows of the program: a finding, the table of rules, fixes. `python -m tests.readme` renews it."""

from __future__ import annotations

import difflib
import re
from functools import cache
from pathlib import Path

from waitlint import output
from waitlint.changing import changes
from waitlint.fixing import run_fixes
from waitlint.linter import Demand, lint
from waitlint.reporting import report
from waitlint.rule import load_rules
from waitlint.scanning import Request, scan

FIXES = re.compile(r"(<!-- fixes: [^>]*-->\n```diff\n)(.*?)(```\n<!-- /fixes -->)", re.DOTALL)
MARKS = re.compile(r"^[ \t]*// expect:[^\n]*\n| +(?://|<!--) expect:[^\n]*", re.MULTILINE)
REPOSITORY = Path(__file__).parent.parent
README = REPOSITORY / "README.md"
TABLE = re.compile(r"(<!-- rules: [^>]*-->\n)(.*?)(<!-- /rules -->)", re.DOTALL)
SHOWN = re.compile(r"(```text\n)((?P<rule>[a-z]+/[a-z-]+) .*?)(```)", re.DOTALL)


def table() -> str:
    """The table as it should be."""
    rows = [f"| `{rule.name}` | {rule.severity} | {rule.fixes or '–'} | {rule.summary} |" for rule in load_rules()]
    return "\n".join(["| rule | severity | fix | finds |", "|---|---|---|---|", *rows]) + "\n"


@cache
def sample() -> str:
    """What a check of the sample says."""
    folder = REPOSITORY / "fixtures/sample"
    scanned = scan(Request(cwd=REPOSITORY, paths=(folder,), use_cache=False, jobs=1))
    return output.render(report(scanned, lint(scanned, Demand())), "full")


def finding(rule: str) -> str:
    """The first finding of a rule in the sample, as it is shown."""
    found = next(block for block in sample().split("\n\n") if block.startswith(f"{rule} "))
    return f"{found.rstrip()}\n"


@cache
def story() -> str:
    """What all fixes make of the second chapter of the story, without the marks of the fixtures."""
    folder = REPOSITORY / "fixtures/story/typescript/first-repair"
    before = scan(Request(cwd=folder, paths=(folder,), use_cache=False, jobs=1))
    after = run_fixes(before, Demand(pedantic=True), unsafe=True)
    lines: list[str] = []
    for change in changes(before, after.scan):
        old, new = (MARKS.sub("", data.decode("utf-8")).splitlines() for data in (change.before, change.after))
        lines.extend(difflib.unified_diff(old, new, change.path, change.path, n=1, lineterm=""))
    return "\n".join(line for line in lines if not line.startswith("@@")) + "\n"


def renewed(text: str) -> str:
    text = FIXES.sub(lambda match: f"{match[1]}{story()}{match[3]}", text)
    text = SHOWN.sub(lambda match: match[1] + finding(match["rule"]) + match[4], text)
    return TABLE.sub(lambda match: match[1] + table() + match[3], text)


if __name__ == "__main__":
    README.write_text(renewed(README.read_text(encoding="utf-8")), encoding="utf-8")
