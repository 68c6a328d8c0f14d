"""The figures of an audit: what its headline says, how much is unknown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from msgspec import Struct

from waitlint.audit.model import ITEMS, Answer, LoopRow, Repository, ToolRow, Verdict
from waitlint.finding import Severity
from waitlint.output.closing import counted


class Figures(Struct, frozen=True):
    """Counts over some repositories.

    `failing` tools break an item of the checklist, `unbounded` loops have neither a cap on their steps nor floor and
    signal. `answers` has, for each of `ITEMS`, how many tools have each answer.
    """

    tools: int
    failing: int
    loops: int
    unbounded: int
    texts: int
    files: int
    skipped: int
    by_severity: dict[str, int]
    answers: dict[str, dict[str, int]]
    verdicts: int
    unknown: int

    @property
    def share_unknown(self) -> float:
        """The share of verdicts that could not be told, among those that apply; 0 to 1."""
        return self.unknown / self.verdicts if self.verdicts else 0.0


def figures(repositories: Iterable[Repository]) -> Figures:
    repositories = tuple(repositories)
    tools = [tool for repository in repositories for tool in repository.tools]
    loops = [loop for repository in repositories for loop in repository.loops]
    findings = [finding for repository in repositories for finding in repository.findings]
    rows: list[ToolRow | LoopRow] = [*tools, *loops]
    verdicts = [verdict for row in rows for verdict in row.verdicts.values()]
    applying = [verdict for verdict in verdicts if verdict.answer is not Answer.NOT_APPLICABLE]
    return Figures(
        tools=len(tools),
        failing=sum(_fails(tool.verdicts.values()) for tool in tools),
        loops=len(loops),
        unbounded=sum(map(_is_unbounded, loops)),
        texts=sum(len(repository.texts) for repository in repositories),
        files=sum(repository.files for repository in repositories),
        skipped=sum(len(repository.skipped) for repository in repositories),
        by_severity={str(s): sum(finding.severity == s for finding in findings) for s in Severity},
        answers={item: _answers(tool.verdicts[item] for tool in tools) for item in ITEMS},
        verdicts=len(applying),
        unknown=sum(verdict.answer is Answer.UNKNOWN for verdict in applying),
    )


def _fails(verdicts: Iterable[Verdict]) -> bool:
    return any(verdict.answer is Answer.NO for verdict in verdicts)


def _is_unbounded(loop: LoopRow) -> bool:
    stops = all(loop.verdicts[key].answer is Answer.YES for key in ("floor", "signal"))
    return loop.verdicts["steps"].answer is Answer.NO and not stops


def _answers(verdicts: Iterable[Verdict]) -> dict[str, int]:
    found = Counter(str(verdict.answer) for verdict in verdicts)
    return {str(answer): found[str(answer)] for answer in Answer}


def headline(found: Figures) -> str:
    """What a reader is to take away, in a sentence or two."""
    if not found.files:
        return "Nothing was scanned: no file here is one that a model reads or that defines its tools."
    parts = []
    if found.tools:
        if found.failing:
            breaks = "breaks" if 1 in (found.failing, found.tools) else "break"
            parts.append(f"{found.failing} of {counted(found.tools, 'tool')} {breaks} the checklist")
        else:
            parts.append(f"{counted(found.tools, 'tool')}, none known to break the checklist")
    else:
        parts.append("No tool is in view")
    if found.texts:
        tell = "tells" if found.texts == 1 else "tell"
        parts.append(f"{counted(found.texts, 'sentence')} {tell} a model to poll")
    if found.loops:
        have = "has" if 1 in (found.unbounded, found.loops) else "have"
        loops = counted(found.loops, "agent loop")
        parts.append(f"{found.unbounded} of {loops} {have} neither a cap on steps nor a stop rule")
    return f"{'; '.join(parts)}. {found.share_unknown:.0%} of the verdicts that apply could not be told."
