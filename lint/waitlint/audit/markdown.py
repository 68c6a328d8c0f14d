"""An audit as Markdown: for a comment, a wiki, a mail."""

from __future__ import annotations

from collections.abc import Iterator

from waitlint.audit.counting import figures, headline
from waitlint.audit.model import BUDGETS, ITEMS, Answer, Audit, Repository, Verdict
from waitlint.audit.polling import cost
from waitlint.audit.waiting import in_words
from waitlint.finding import Severity
from waitlint.output.closing import counted
from waitlint.output.markdown import MARKS, code, words

SIGNS = {Answer.YES: "✅ yes", Answer.NO: "❌ no", Answer.UNKNOWN: "❔ unknown", Answer.NOT_APPLICABLE: "n/a"}
LEVELS = (Severity.ERROR, Severity.WARNING, Severity.ADVICE)
SHOWN = 50


def render(audit: Audit) -> str:
    """A heading, a table of repositories where there are several, and the sections of each."""
    lines = ["# waitlint audit", "", headline(figures(audit.repositories)), ""]
    if len(audit.repositories) > 1:
        lines += [*_side_by_side(audit), ""]
    for repository in audit.repositories:
        lines += _repository(repository)
    return "\n".join(lines).rstrip() + "\n"


def _side_by_side(audit: Audit) -> Iterator[str]:
    broken = " | ".join(f"{item} no" for item in ITEMS)
    yield f"| repository | tools | {broken} | loops | orders to poll | errors | warnings | unknown |"
    yield f"|---|{'---:|' * (len(ITEMS) + 6)}"
    for one in audit.repositories:
        f = figures([one])
        answers = " | ".join(str(f.answers[item]["no"]) for item in ITEMS)
        yield (
            f"| {words(one.name)} | {f.tools} | {answers} | {f.loops} | {f.texts} | {f.by_severity['error']} | "
            f"{f.by_severity['warning']} | {f.share_unknown:.0%} |"
        )


def _repository(one: Repository) -> Iterator[str]:
    yield f"## {words(one.name)}{f' at {code(one.revision)}' if one.revision else ''}"
    yield ""
    if one.tools:
        yield from _tools(one)
    if one.loops:
        yield from _loops(one)
    if one.texts:
        yield from _texts(one)
    if one.polled:
        yield from _costs(one)
    yield from _findings(one)
    yield from _unseen(one)


def _tools(one: Repository) -> Iterator[str]:
    yield "### Tools"
    yield ""
    yield f"| tool | how it waits | {' | '.join(ITEMS)} |"
    yield f"|---|---|{'---|' * len(ITEMS)}"
    for tool in one.tools:
        answers = " | ".join(SIGNS[tool.verdicts[item].answer] for item in ITEMS)
        where = f"{code(tool.name)} {code(f'{tool.path}:{tool.line}')}"
        yield f"| {_cell(where)} | {words(tool.waits)} | {answers} |"
    yield ""
    yield " · ".join(f"{item} {text}" for item, text in ITEMS.items())
    yield ""
    for tool in one.tools:
        yield from _reasons(tool.name, tool.verdicts)
    yield ""


def _reasons(name: str, verdicts: dict[str, Verdict]) -> Iterator[str]:
    """Why something is no or unknown."""
    told = {key: v for key, v in verdicts.items() if v.answer in (Answer.NO, Answer.UNKNOWN)}
    grouped: dict[Verdict, list[str]] = {}
    for key, verdict in told.items():
        grouped.setdefault(verdict, []).append(key)
    if grouped:
        yield f"- {code(name)}"
    for verdict, keys in grouped.items():
        at = f" {code(f'{verdict.path}:{verdict.line}')}" if verdict.path else ""
        yield f"  - {', '.join(keys)} {verdict.answer}: {words(verdict.reason)}{at}"


def _loops(one: Repository) -> Iterator[str]:
    yield "### Agent loops"
    yield ""
    yield f"| loop | {' | '.join(BUDGETS)} |"
    yield f"|---|{'---|' * len(BUDGETS)}"
    for loop in one.loops:
        answers = " | ".join(SIGNS[loop.verdicts[key].answer] for key in BUDGETS)
        yield f"| {_cell(code(loop.name or 'module'))} {_cell(code(f'{loop.path}:{loop.line}'))} | {answers} |"
    yield ""
    for loop in one.loops:
        yield from _reasons(f"{loop.path}:{loop.line}", loop.verdicts)
    yield ""


def _texts(one: Repository) -> Iterator[str]:
    yield "### Texts that tell a model to poll"
    yield ""
    for text in one.texts:
        polled = ", ".join(code(name) for name in text.tools or text.named) or "no tool by name"
        waits = ", which waits by itself" if text.waits else ""
        yield f"- {code(f'{text.path}:{text.line}')} “{words(text.words)}”: polls {polled}{waits}"
    yield ""


def _costs(one: Repository) -> Iterator[str]:
    given = one.assumptions
    yield "### What the polling costs"
    yield ""
    yield (
        f"One wait. Assumed where nothing is known: work of {in_words(given.duration)}, a look every "
        f"{in_words(given.every)}, a wait inside the tool of {in_words(given.cap)}, {given.look} tokens a look, "
        f"{given.window:,} tokens of context, {given.steps} steps ({words(given.steps_from)}). "
        "Looks are ⌈work ÷ interval⌉, calls ⌈work ÷ cap⌉."
    )
    yield ""
    yield "| polled | looks now | calls if the tool waits | steps | tokens added |"
    yield "|---|---:|---:|---|---:|"
    for polled in one.polled:
        c = cost(polled, given)
        steps = f"{counted(c.looks, 'poll')}, cap {given.steps}{': spent' if c.steps_over else ''}"
        yield f"| {_cell(code(polled.name))} | {c.looks} | {c.calls} | {steps} | {c.added:,} ({c.window_share:.1%}) |"
    yield ""


def _findings(one: Repository) -> Iterator[str]:
    yield "### Findings"
    yield ""
    for level in LEVELS:
        for finding in one.findings:
            if finding.severity == level:
                refers = ", ".join((*finding.rules, *finding.checklist))
                yield (
                    f"- {MARKS[level]} **{level}** {code(finding.rule)} {code(f'{finding.path}:{finding.line}')}"
                    f"{f' ({refers})' if refers else ''}: {words(finding.message)}"
                )
                if finding.excerpt:
                    yield f"  - {code(' '.join(finding.excerpt).strip())}"
                yield f"  - help: {words(finding.help)}"
    if not one.findings:
        yield "None."
    yield ""


def _unseen(one: Repository) -> Iterator[str]:
    f = figures([one])
    yield "### What was not seen"
    yield ""
    yield f"{f.unknown} of {f.verdicts} verdicts that apply could not be told ({f.share_unknown:.0%})."
    yield ""
    unread = (*one.skipped, *one.problems)
    for item in unread[:SHOWN]:
        yield f"- {code(item.path)}: {words(item.reason)}"
    if len(unread) > SHOWN:
        yield f"- and {len(unread) - SHOWN} more"
    for error in one.errors:
        yield f"- waitlint failed: {words(error)}"
    yield ""


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
