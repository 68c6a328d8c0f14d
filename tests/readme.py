"""The README's table of rules. `python -m tests.readme` renews it."""

from __future__ import annotations

import re
from pathlib import Path

from waitlint.rule import load_rules

README = Path(__file__).parent.parent / "README.md"
TABLE = re.compile(r"(<!-- rules: [^>]*-->\n)(.*?)(<!-- /rules -->)", re.DOTALL)


def table() -> str:
    """The table as it should be."""
    rows = [f"| `{rule.name}` | {rule.severity} | {rule.fixes or '–'} | {rule.summary} |" for rule in load_rules()]
    return "\n".join(["| rule | severity | fix | finds |", "|---|---|---|---|", *rows]) + "\n"


def renewed(text: str) -> str:
    return TABLE.sub(lambda match: match[1] + table() + match[3], text)


if __name__ == "__main__":
    README.write_text(renewed(README.read_text(encoding="utf-8")), encoding="utf-8")
