"""What a rule is, what it is given, and how rules are found.

A rule is one module with one function, marked by `@rule`. The module's place is its name: `cap/uncapped_wait.py` is
`cap/uncapped-wait`, and its page is `cap/uncapped_wait.md` beside it. The function is called once for each subject of
its kind and yields a `Finding` for a fault, or a `Quiet` that says why there is none.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from waitlint.finding import Finding, Quiet, Severity

if TYPE_CHECKING:
    from waitlint.context import Context

Check = Callable[[Any, "Context"], Iterator[Finding | Quiet]]


class Rule(Struct, frozen=True):
    """`subject` is the linked fact that the check is called with: `Tool`, `Mentioned`, `ToolText`, `AgentLoop`,
    `AgentStart` or `Retry`, or several of them, as in `AgentLoop | Tool`.

    `rules` are the numbers of the five rules (R1 to R5) and `checklist` the checklist items (C1 to C6) that are broken;
    `seeds` the texts (1 tools that wrap slow work, 2 bounded loops, 3 stop rules) that they come from.
    """

    name: str
    check: Check
    subject: str
    severity: Severity
    summary: str
    rules: tuple[str, ...]
    checklist: tuple[str, ...]
    seeds: tuple[int, ...]
    fixes: str = ""

    @property
    def family(self) -> str:
        return self.name.split("/")[0]

    @property
    def page(self) -> str:
        """The Markdown page of the rule."""
        module = self.check.__module__
        package, _, name = module.rpartition(".")
        return resources.files(package).joinpath(f"{name}.md").read_text(encoding="utf-8")


def rule(
    *,
    subject: str,
    severity: Severity,
    rules: tuple[str, ...] = (),
    checklist: tuple[str, ...] = (),
    seeds: tuple[int, ...] = (1,),
    fixes: str = "",
) -> Callable[[Check], Rule]:
    """Make a rule of a check, whose docstring's first line is the summary.

    `fixes` is "", "safe", "unsafe" or "safe/unsafe".
    """

    def decorate(check: Check) -> Rule:
        family, module = check.__module__.rsplit(".", 2)[-2:]
        name = f"{family}/{module.replace('_', '-')}"
        summary = (check.__doc__ or "").strip().splitlines()[0]
        return Rule(name, check, subject, severity, summary, rules, checklist, seeds, fixes)

    return decorate


@cache
def load_rules(package: str = "waitlint_rules") -> tuple[Rule, ...]:
    """All rules of a package, found by looking, sorted by name."""
    found: list[Rule] = []
    root = importlib.import_module(package)
    for family in pkgutil.iter_modules(root.__path__, f"{package}."):
        if not family.ispkg:
            continue
        for info in pkgutil.iter_modules(importlib.import_module(family.name).__path__, f"{family.name}."):
            module = importlib.import_module(info.name)
            found.extend(
                value
                for value in vars(module).values()
                if isinstance(value, Rule) and value.check.__module__ == info.name
            )
    return tuple(sorted(found, key=lambda r: r.name))
