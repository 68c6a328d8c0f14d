"""An audit as one page that needs nothing else: no network, no further file. Built with jinja2, an extra."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from typing import Any

from waitlint.audit.counting import figures, headline
from waitlint.audit.model import BUDGETS, ITEMS, Answer, Assumptions, Audit, Polled, Repository, Verdict
from waitlint.audit.polling import cost
from waitlint.audit.waiting import in_words
from waitlint.finding import Severity
from waitlint.output.closing import counted
from waitlint.output.styled import visible

SIGNS = {Answer.YES: "✓", Answer.NO: "✗", Answer.UNKNOWN: "?", Answer.NOT_APPLICABLE: "–"}
MOST_NAMES = 3
SHORT = {Answer.NOT_APPLICABLE: "n/a"}
LEVELS = (Severity.ERROR, Severity.WARNING, Severity.ADVICE)
SETTABLE = {
    "duration": ("Work takes", "s", "how long the work behind a tool takes, where the configuration does not say it"),
    "every": ("One look every", "s", "where the text names no interval: an inference and a call"),
    "cap": ("A wait of its own lasts up to", "s", "where the tool has none yet: below an idle timeout of 100 s"),
    "steps": ("Cap on steps", "", "after which the agent is stopped"),
    "look": ("Tokens of a look", "", "the call and its answer"),
    "before": ("Tokens before", "", "prompt, tools and conversation, read again in each inference"),
    "window": ("Context window", "tokens", ""),
}


class NoJinja(Exception):
    """jinja2 is not installed."""


def render(audit: Audit) -> str:
    """The page. Raises NoJinja."""
    try:
        from jinja2 import Environment, PackageLoader, StrictUndefined
    except ImportError as error:
        raise NoJinja("the page is built with jinja2: pip install 'waitlint[audit]'") from error
    environment = Environment(
        loader=PackageLoader("waitlint.audit", "page"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
        finalize=lambda value: visible(value) if type(value) is str else value,
    )
    environment.filters.update(marked=marked, seconds=in_words, thousands=lambda number: f"{number:,}", counted=counted)
    return environment.get_template("page.html.j2").render(_view(audit))


def together(verdicts: dict[str, Verdict]) -> list[tuple[list[str], Verdict]]:
    """Verdicts that say the same are said once, with all their columns."""
    found: dict[Verdict, list[str]] = {}
    for key, verdict in verdicts.items():
        found.setdefault(verdict, []).append(key)
    return [(keys, verdict) for verdict, keys in found.items()]


def marked(text: str) -> Any:
    """Words with what stands in backticks as code."""
    from markupsafe import Markup, escape

    parts = re.split(r"`([^`]+)`", visible(text))
    return Markup("").join(
        Markup("<code>{}</code>").format(part) if index % 2 else escape(part) for index, part in enumerate(parts)
    )


def _view(audit: Audit) -> dict[str, Any]:
    repositories = audit.repositories
    total = figures(repositories)
    names = [one.name for one in repositories]
    return {
        "audit": audit,
        "many": len(repositories) > 1,
        "name": ", ".join(names) if len(names) <= MOST_NAMES else f"{len(names)} repositories",
        "headline": headline(total),
        "total": total,
        "figures": {one.name: figures([one]) for one in repositories},
        "items": ITEMS,
        "budgets": BUDGETS,
        "answers": tuple(Answer),
        "signs": SIGNS,
        "together": together,
        "short": {answer: SHORT.get(answer, str(answer)) for answer in Answer},
        "levels": [(level, list(_at(level, repositories))) for level in LEVELS],
        "costs": [(one, polled, cost(polled, _given(repositories))) for one, polled in _polled(repositories)],
        "longest": max((cost(p, _given(repositories)).looks for _, p in _polled(repositories)), default=1),
        "given": _given(repositories),
        "settable": SETTABLE,
        "unread": [(one, _by_reason(one)) for one in repositories if one.skipped or one.problems],
    }


def _polled(repositories: tuple[Repository, ...]) -> Iterator[tuple[Repository, Polled]]:
    for repository in repositories:
        for polled in repository.polled:
            yield repository, polled


def _given(repositories: tuple[Repository, ...]) -> Assumptions:
    """The assumptions of one repository; of several, the defaults, for there is one form on the page."""
    return repositories[0].assumptions if len(repositories) == 1 else Assumptions()


def _at(level: str, repositories: tuple[Repository, ...]) -> Iterator[tuple[Repository, Any]]:
    for repository in repositories:
        for finding in repository.findings:
            if finding.severity == level:
                yield repository, finding


def _by_reason(repository: Repository) -> list[tuple[str, list[str]]]:
    """The files that were not read, or only in part, by why."""
    unread = sorted((*repository.skipped, *repository.problems), key=lambda one: (one.reason, one.path))
    grouped = ((reason, [one.path for one in items]) for reason, items in groupby(unread, key=lambda one: one.reason))
    return sorted(grouped, key=lambda pair: (-len(pair[1]), pair[0]))
