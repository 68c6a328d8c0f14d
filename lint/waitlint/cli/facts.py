"""`waitlint facts`: what was understood, and why a rule has or hasn't spoken."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click
import msgspec

from waitlint.cli.options import SCANNING, Failure, named_paths, run_scan, sources_of, with_options
from waitlint.cli.terminal import note, show, write
from waitlint.config import nearest
from waitlint.factview import document, excerpted, lines
from waitlint.finding import Finding, Quiet
from waitlint.linked import AgentLoop, AgentStart, Mentioned, Retry, Tool, ToolText
from waitlint.linter import Demand, Policy, Subject, path_of, rule_fault, subjects
from waitlint.output.styled import QUIET, SEVERITY_STYLE, STRONG, Line, Piece, visible
from waitlint.reporting import shown_path
from waitlint.rule import Rule, load_rules
from waitlint.scanning import Group, Scan


@click.command(name="facts")
@with_options(
    click.argument("paths", nargs=-1, type=click.Path()),
    click.option("--why", metavar="RULE", help="Say for each tool or text why this rule has or hasn't spoken."),
    click.option("--output-format", type=click.Choice(["table", "json"]), default="table", show_default=True),
    *SCANNING,
)
def command(paths: tuple[str, ...], why: str | None, output_format: str, **given: Any) -> int:
    """Show the tools, waits and texts of PATHS (the working folder without any) as they were understood."""
    rule = _rule(why) if why else None
    scanned = run_scan(sources_of(given).request(named_paths(paths)))
    faults = list(scanned.faults)
    if rule is not None:
        answers = list(_reasons(scanned, rule, faults))
        if output_format == "json":
            write(_json({"version": 1, "rule": rule.name, "subjects": [answer.plain() for answer in answers]}))
        else:
            show(line for answer in answers for line in answer.lines())
    elif output_format == "json":
        write(_json(document(scanned)))
    else:
        show(lines(scanned))
    if not any(member.asked for group in scanned.groups for member in group.members.values()):
        note("waitlint: nothing was scanned")
    faults.extend(fault for group in scanned.groups for fault in group.faults)
    for fault in faults:
        note(f"waitlint: internal error: {fault}")
    return 2 if faults else 0


def _json(value: object) -> str:
    return msgspec.json.format(msgspec.json.encode(value), indent=2).decode() + "\n"


def _rule(name: str) -> Rule:
    rules = {rule.name: rule for rule in load_rules()}
    if name not in rules:
        raise Failure(f"no rule is called {name!r}.{nearest(name, rules)}")
    return rules[name]


class Answer(msgspec.Struct, frozen=True):
    """What a rule said of one subject: `subject` in words, its place, and each answer with its severity or ""."""

    subject: str
    place: str
    said: tuple[tuple[str, str], ...]

    def plain(self) -> dict[str, object]:
        said = [{"finding": bool(severity), "severity": severity, "message": text} for severity, text in self.said]
        return {"subject": self.subject, "place": self.place, "answers": said}

    def lines(self) -> Iterator[Line]:
        yield Piece(visible(self.subject), STRONG), Piece(f"  {visible(self.place)}", QUIET)
        for severity, text in self.said or (("", "not a case for this rule"),):
            label = Piece(f"{severity:<9}", SEVERITY_STYLE[severity]) if severity else Piece(f"{'quiet':<9}", QUIET)
            yield Piece("  "), label, Piece(visible(text))


def _reasons(scan: Scan, rule: Rule, faults: list[str]) -> Iterator[Answer]:
    for group in scan.groups:
        policy = Policy(group, scan.configs, Demand())
        for subject in subjects(group.project, rule):
            path = path_of(subject)
            if not group.asks(path):
                continue
            try:
                said = [_said(outcome) for outcome in policy.check(rule, subject, group.project)]
            except Exception as error:
                faults.append(rule_fault(rule, subject, error))
                continue
            yield Answer(_name(subject), _where(subject, group, scan), tuple(said))


def _said(outcome: Finding | Quiet) -> tuple[str, str]:
    return (outcome.severity, outcome.message) if isinstance(outcome, Finding) else ("", outcome.reason)


def _name(subject: Subject) -> str:
    if isinstance(subject, Tool):
        return subject.name
    if isinstance(subject, Mentioned):
        span = subject.intent.span
        return excerpted(subject.text.text.value[span.start : span.end])
    if isinstance(subject, AgentLoop | Retry | AgentStart):
        return f"{subject.scope}: {excerpted(subject.excerpt)}" if subject.scope else excerpted(subject.excerpt)
    return excerpted(subject.text.value)


def _where(subject: Subject, group: Group, scan: Scan) -> str:
    path = path_of(subject)
    shown = shown_path(group.absolute(path), scan.request.cwd)
    start = subject.text.span.start if isinstance(subject, ToolText) else subject.place.span.start
    return f"{shown}:{group.read_source(path).position(start)[0]}"
