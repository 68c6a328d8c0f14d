"""What the README shows of the program itself: a finding, the table of rules. `python -m tests.readme` renews both."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from waitlint import output
from waitlint.linter import Demand, lint
from waitlint.reporting import report
from waitlint.rule import load_rules
from waitlint.scanning import Request, scan

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


def renewed(text: str) -> str:
    text = SHOWN.sub(lambda match: match[1] + finding(match["rule"]) + match[4], text)
    return TABLE.sub(lambda match: match[1] + table() + match[3], text)


if __name__ == "__main__":
    README.write_text(renewed(README.read_text(encoding="utf-8")), encoding="utf-8")
