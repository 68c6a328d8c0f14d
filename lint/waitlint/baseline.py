"""Known findings: a small sorted text file that merges line by line.

Each line is a fingerprint, how often it occurs, and its rule, which is there for people. Fingerprints hold neither
lines nor paths, so that moved lines and renamed files change nothing. Equal findings are counted: of three where two
are known, one is new.

    # waitlint baseline 1
    0123456789abcdef0123 2 loop/keep-calling
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from msgspec import Struct

from waitlint.finding import Finding

HEAD = "# waitlint baseline 1"
ENTRY = re.compile(r"(?P<fingerprint>[0-9a-f]{20}) (?P<count>[1-9]\d*) (?P<rule>\S+)")


class BadBaseline(Exception):
    """The file can't be used; the message says where and why."""


class Baseline(Struct, frozen=True):
    """How often each (fingerprint, rule) is known."""

    known: dict[tuple[str, str], int]


class Compared(Struct, frozen=True):
    """`new` by index into the findings; how many of them are known, and how many known ones were not found."""

    new: frozenset[int]
    known: int
    gone: int


def read_baseline(path: Path) -> Baseline:
    """Read a file. Raises BadBaseline."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise BadBaseline(f"{path} does not exist; --write-baseline makes it") from error
    except (OSError, UnicodeDecodeError) as error:
        raise BadBaseline(f"{path}: {error}") from error
    lines = text.splitlines()
    if not lines or lines[0].strip() != HEAD:
        raise BadBaseline(f"{path}:1: a baseline starts with the line {HEAD!r}")
    known: Counter[tuple[str, str]] = Counter()
    for number, line in enumerate(lines[1:], 2):
        if not line.strip() or line.startswith("#"):
            continue
        entry = ENTRY.fullmatch(line.strip())
        if entry is None:
            raise BadBaseline(f"{path}:{number}: not a fingerprint, a count and a rule: {line.strip()[:60]!r}")
        known[entry["fingerprint"], entry["rule"]] += int(entry["count"])
    return Baseline(dict(known))


def written(findings: Iterable[Finding]) -> str:
    """The file's text for some findings."""
    counts = Counter((finding.rule, finding.fingerprint) for finding in findings)
    lines = [f"{fingerprint} {count} {rule}" for (rule, fingerprint), count in sorted(counts.items())]
    return "\n".join((HEAD, *lines)) + "\n"


def compare(baseline: Baseline, findings: Sequence[Finding]) -> Compared:
    """Tell new findings, known ones and those that are gone apart. Of equal ones, the first are the known ones."""
    left = dict(baseline.known)
    new = []
    for index, finding in enumerate(findings):
        key = (finding.fingerprint, finding.rule)
        if left.get(key, 0):
            left[key] -= 1
        else:
            new.append(index)
    return Compared(frozenset(new), len(findings) - len(new), sum(left.values()))
