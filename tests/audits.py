"""Audits for tests: of a folder, and made up."""

from __future__ import annotations

from pathlib import Path

from waitlint.audit.building import audit, repository
from waitlint.audit.model import (
    BUDGETS,
    ITEMS,
    Answer,
    Audit,
    Found,
    LoopRow,
    Polled,
    PollingText,
    Repository,
    ToolRow,
    Unread,
    Verdict,
)
from waitlint.linter import Demand
from waitlint.scanning import Request, scan

ANSWERS = tuple(Answer)


def of(folder: Path) -> Repository:
    """The audit of a folder, with all advice."""
    scanned = scan(Request(cwd=folder, paths=(folder,), use_cache=False, jobs=1))
    return repository(scanned, folder.name, Demand(pedantic=True))


def answers(found: Repository, name: str) -> dict[str, str]:
    (tool,) = [tool for tool in found.tools if tool.name == name]
    return {item: str(verdict.answer) for item, verdict in tool.verdicts.items()}


def made_up(tools: int, name: str = "quarry") -> Audit:
    """An audit with a number of tools, and in proportion with loops, texts, costs and findings."""
    return audit([_repository(tools, name)])


def _verdict(index: int, shift: int) -> Verdict:
    answer = ANSWERS[(index + shift) % len(ANSWERS)]
    reason = f"it waits up to {40 + index % 50} s (the deadline of its loop), which is what the code in view says"
    return Verdict(answer, reason, f"server/quarry/tools_{index % 17}.py", 10 + index)


def _repository(tools: int, name: str) -> Repository:
    return Repository(
        name=name,
        revision="0123456789ab",
        files=tools,
        by_surface={"code": tools},
        tools=tuple(
            ToolRow(
                f"blast_{index}",
                f"server/quarry/tools_{index % 17}.py",
                10 + index,
                "mcp.decorator",
                "high",
                "waits up to 45 s, returns the last state at the cap",
                {item: _verdict(index, shift) for shift, item in enumerate(ITEMS)},
            )
            for index in range(tools)
        ),
        loops=tuple(
            LoopRow(
                f"run_{index}",
                "agent/run.py",
                3 + index,
                "loop",
                "",
                "while True",
                {key: _verdict(index, shift) for shift, key in enumerate(BUDGETS)},
            )
            for index in range(tools // 20)
        ),
        texts=tuple(
            PollingText(
                "prompts/foreman.md",
                index + 1,
                "prompt-files",
                f"Ask `blast_{index}` every 5 seconds <until> it is over",
                "asks for another call",
                "loop/keep-calling",
                (f"blast_{index}",),
                (f"blast_{index}",),
                5.0,
            )
            for index in range(tools // 20)
        ),
        polled=tuple(
            Polled(f"blast_{index}", "server/quarry/tools.py", index + 1, "told to in one place", 5.0)
            for index in range(max(1, tools // 20))
        ),
        findings=tuple(
            Found(
                rule="cap/uncapped-wait",
                severity=("error", "warning", "advice")[index % 3],
                confidence="high",
                path="server/quarry/tools.py",
                line=index + 1,
                message="this wait has no cap: `while True` ends only when the blast is over",
                help="Give it a deadline.",
                rules=("R2",),
                checklist=("C2",),
                tools=(f"blast_{index}",),
                fingerprint=f"{index:020d}",
                excerpt=("    while True:  # </script><script>alert(1)</script>",),
            )
            for index in range(tools // 2)
        ),
        skipped=(Unread("server/big.py", "larger than 5 MB"),),
        unknown={"caps": 3},
    )
