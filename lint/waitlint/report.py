"""What a run hands to the outputs: findings with lines and columns, and what was and wasn't seen.

Paths are as a user writes them: relative to the working folder, with forward slashes. Lines and columns count from 1 in
characters, offsets of edits from 0.
"""

from __future__ import annotations

from collections import Counter

from msgspec import Struct

from waitlint.finding import Confidence, Severity
from waitlint.fix import Fix


class Spot(Struct, frozen=True, order=True):
    """A span of a file. The end is the first character after it."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int


class Proof(Struct, frozen=True):
    """A place that a finding rests on, and what it shows."""

    spot: Spot
    message: str


class References(Struct, frozen=True):
    """What a finding refers to: the five rules (R1 to R5), the checklist (C1 to C6), the texts behind them (1 to 3)."""

    rules: tuple[str, ...] = ()
    checklist: tuple[str, ...] = ()
    seeds: tuple[int, ...] = ()


class Reported(Struct, frozen=True):
    """A finding, ready to be shown. `excerpt` are the source lines at its place, the first of them at `spot.line`.

    `copies` are further files with the very same content, and `vendored` where its file came from elsewhere.
    """

    rule: str
    severity: Severity
    confidence: Confidence
    spot: Spot
    message: str
    help: str
    references: References
    tools: tuple[str, ...]
    fingerprint: str
    evidence: tuple[Proof, ...] = ()
    fix: Fix | None = None
    excerpt: tuple[str, ...] = ()
    copies: tuple[str, ...] = ()
    vendored: bool = False


class RuleCard(Struct, frozen=True):
    """A rule as an output shows it; `page` is Markdown."""

    name: str
    severity: Severity
    summary: str
    page: str
    references: References


class Skipped(Struct, frozen=True, order=True):
    """A file that was meant to be scanned and wasn't."""

    path: str
    reason: str


class Summary(Struct, frozen=True, kw_only=True):
    """What was and wasn't seen.

    `files` are the files that were read among those asked for, `in_view` all that were linked with them. `unknown`
    counts what could not be told, by kind. `hidden` counts findings that only `--pedantic` shows, `suppressed` those
    that a comment silences, `known` those of the baseline, `gone` what is in the baseline and was not found again,
    `fixed` what this run has mended.
    """

    files: int = 0
    in_view: int = 0
    by_surface: dict[str, int] = {}
    skipped: tuple[Skipped, ...] = ()
    problems: tuple[Skipped, ...] = ()
    unknown: dict[str, int] = {}
    hidden: int = 0
    suppressed: int = 0
    known: int = 0
    gone: int = 0
    fixed: int = 0


class Report(Struct, frozen=True):
    """The outcome of a run.

    `findings` are sorted by place, `rules` are those of the findings, by name; `errors` are faults of waitlint itself,
    in words.
    """

    findings: tuple[Reported, ...]
    summary: Summary
    errors: tuple[str, ...] = ()
    rules: tuple[RuleCard, ...] = ()

    def ordinals(self) -> list[int]:
        """For each finding, how many before it have the same rule and fingerprint: what tells equal ones apart."""
        seen: Counter[tuple[str, str]] = Counter()
        found = []
        for finding in self.findings:
            key = (finding.rule, finding.fingerprint)
            found.append(seen[key])
            seen[key] += 1
        return found

    def counts(self) -> dict[str, int]:
        """How many findings there are of each severity."""
        return {str(s): sum(finding.severity is s for finding in self.findings) for s in Severity}
