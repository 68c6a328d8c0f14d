"""A stand-in for the rules, so that what surrounds them is tested whatever they say."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from waitlint.context import Context
from waitlint.finding import Confidence, Evidence, Finding, Place, Quiet, Severity
from waitlint.fix import Applicability, Repair, RewriteText
from waitlint.linked import ToolText
from waitlint.rule import Rule

PLACES = (
    "waitlint.config.reading.load_rules",
    "waitlint.linter.load_rules",
    "waitlint.reporting.load_rules",
    "waitlint.cli.rules.load_rules",
    "waitlint.cli.facts.load_rules",
    "waitlint.unchanged.keeping.load_rules",
)


def words(text: ToolText, word: str) -> Iterator[Place]:
    start = text.text.value.find(word)
    while start >= 0:
        yield text.place(start, start + len(word))
        start = text.text.value.find(word, start + len(word))


def keep_calling(text: ToolText, context: Context) -> Iterator[Finding | Quiet]:
    """Text says POLL; where it says MAYBE POLL, nobody is sure."""
    found = list(words(text, "POLL"))
    if not found:
        yield Quiet(text.path, "it does not say POLL")
    for place in found:
        sure = "MAYBE" not in text.text.value
        yield context.finding(
            place,
            "the text says POLL",
            help="Say WAIT.",
            scope=text.path,
            confidence=Confidence.HIGH if sure else Confidence.LOW,
            tools=("get_job",),
        )


def silent_prompt(text: ToolText, context: Context) -> Iterator[Finding | Quiet]:
    """Text says HINT."""
    for place in words(text, "HINT"):
        yield context.finding(place, "the text says HINT", help="No matter.", scope=text.path)


def wrong_cap(text: ToolText, context: Context) -> Iterator[Finding | Quiet]:
    """Text says FIXME, RISKY or WRONG, each of which can be repaired in its way; WRONG only on paper."""
    ways = {
        "FIXME": (Applicability.SAFE, "fixed"),
        "RISKY": (Applicability.UNSAFE, "fixed"),
        "WRONG": (Applicability.SAFE, "POLL"),
    }
    for word, (applicability, instead) in ways.items():
        for place in words(text, word):
            repair = Repair(f"say {instead}", applicability, (RewriteText(place.path, place.span, instead),))
            yield context.finding(place, f"the text says {word}", help="Mend it.", scope=text.path, repair=repair)


def far_reaching(text: ToolText, context: Context) -> Iterator[Finding | Quiet]:
    """Text says SEE, and rests on every text that says SEEN."""
    for place in words(text, "SEE "):
        seen = [Evidence(other, "here it is") for one in context.project.texts for other in words(one, "SEEN")]
        yield context.finding(place, "the text says SEE", help="Look away.", scope=text.path, evidence=seen)


def failing(text: ToolText, context: Context) -> Iterator[Finding | Quiet]:
    """A rule that fails on BOOM."""
    if "BOOM" in text.text.value:
        raise ZeroDivisionError("boom")
    yield Quiet(text.path, "no boom")


def _rule(name: str, check: object, severity: Severity, fixes: str = "") -> Rule:
    summary = (getattr(check, "__doc__", "") or "").splitlines()[0]
    return Rule(name, check, "ToolText", severity, summary, ("R1",), ("C1",), (1,), fixes)  # type: ignore[arg-type]


RULES = (
    _rule("cap/failing", failing, Severity.ERROR),
    _rule("loop/keep-calling", keep_calling, Severity.ERROR),
    _rule("tell/far-reaching", far_reaching, Severity.WARNING),
    _rule("tell/silent-prompt", silent_prompt, Severity.ADVICE),
    _rule("tell/wrong-cap", wrong_cap, Severity.WARNING, "safe/unsafe"),
)


def install(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put the stand-ins in the place of the rules."""
    import waitlint.cli.facts
    import waitlint.cli.rules
    import waitlint.unchanged.keeping  # noqa: F401

    for place in PLACES:
        monkeypatch.setattr(place, lambda: RULES)
    monkeypatch.setattr(Rule, "page", property(lambda rule: f"# {rule.name}\n\n{rule.summary}\n"))
