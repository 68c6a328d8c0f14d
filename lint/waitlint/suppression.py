"""Comments that silence a finding: `waitlint: ignore[rule] reason` and `waitlint: ignore-file[rule] reason`.

A comment behind code speaks of its own line; one that stands alone speaks of the next line that is neither blank nor
a comment of this kind. A finding is silenced at the first or last line of its place, and, where a tool's definition
carries the comment, if that holds for every tool that the finding names. Rules are named in full, by family, or as
`all`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Protocol

from msgspec import Struct

from waitlint.config import OWN_RULES, Accepted, Config, nearest, rule_names, selects
from waitlint.facts import Comment, FileFacts, Span
from waitlint.finding import Confidence, Finding, Place, Severity
from waitlint.source import Source, Unreadable

UNUSED = OWN_RULES[0]
DIRECTIVE = re.compile(r"waitlint:\s*(?P<kind>ignore-file|ignore)\b\s*(?:\[(?P<rules>[^\]\n]*)\])?")
HELP = "Remove the comment, or the rule's name in it."


class Marked(Protocol):
    """What a comment may stand at: a tool, where it is named and where it is defined."""

    @property
    def name(self) -> str: ...
    @property
    def place(self) -> Place: ...
    @property
    def definition(self) -> Place | None: ...


class Directive(Struct, frozen=True):
    """One comment. `line` is the line that it speaks of, 0 for the whole file."""

    place: Place
    line: int
    rules: tuple[str, ...]
    text: str


class Silenced(Struct, frozen=True):
    """What is left after the comments: findings that stand, how many were silenced, comments that silenced nothing."""

    findings: tuple[Finding, ...]
    silenced: int
    unused: tuple[Finding, ...]


def directives(path: str, comments: Iterable[Comment], source: Source) -> tuple[Directive, ...]:
    """The comments of one file that silence something."""
    found, alone, result = [], set(), []
    for comment in comments:
        match = DIRECTIVE.search(comment.text)
        if match:
            line, column = source.position(comment.span.start)
            if not source.line_text(line)[: column - 1].strip():
                alone.add(line)
            found.append((comment, match, line))
    for comment, match, line in found:
        target = line
        if match["kind"] == "ignore-file":
            target = 0
        elif line in alone:
            target = _next_line(source, source.position(max(comment.span.start, comment.span.end - 1))[0], alone)
        names = tuple(name for part in (match["rules"] or "").split(",") if (name := part.strip()))
        result.append(Directive(Place(path, comment.span), target, names, match[0]))
    return tuple(result)


def _next_line(source: Source, line: int, alone: set[int]) -> int:
    last = source.position(len(source.text))[0]
    line += 1
    while line < last and (line in alone or not source.line_text(line).strip()):
        line += 1
    return line


def apply(
    findings: Sequence[Finding],
    files: Mapping[str, FileFacts],
    tools: Sequence[Marked],
    read_source: Callable[[str], Source],
    ran: Callable[[str, str], bool],
) -> Silenced:
    """Take out the findings that a comment silences.

    `ran(rule, path)` says whether a rule was on for a file: a comment for a rule that wasn't is not called unused.
    """
    known = {
        path: directives(path, facts.comments, read_source(path)) for path, facts in files.items() if facts.comments
    }
    known = {path: found for path, found in known.items() if found}
    if not known:
        return Silenced(tuple(findings), 0, ())
    used: set[tuple[Place, str]] = set()
    standing = [f for f in findings if not _silence(f, known, tools, read_source, used)]
    unused = [
        _unused(directive, name)
        for found in known.values()
        for directive in found
        for name in directive.rules or ("",)
        if (directive.place, name) not in used and _may_judge(directive, name, ran)
    ]
    return Silenced(tuple(standing), len(findings) - len(standing), tuple(unused))


def apply_accepted(
    findings: Sequence[Finding],
    configs: Iterable[Config],
    config_of: Callable[[str], Config],
    root: Path,
    ran: Callable[[str, str], bool],
) -> Silenced:
    """Take out the findings that a configuration accepts by their fingerprints.

    An entry that silences nothing is told of, if its configuration stands under `root` and its rule was on.
    """
    used: set[tuple[Path | None, str, str]] = set()
    standing = []
    for finding in findings:
        config = config_of(finding.place.path)
        if any((a.rule, a.fingerprint) == (finding.rule, finding.fingerprint) for a in config.suppress):
            used.add((config.origin, finding.rule, finding.fingerprint))
        else:
            standing.append(finding)
    unused = [
        _unused_entry(config.origin, path, accepted)
        for config in configs
        if config.origin is not None and config.origin.is_relative_to(root)
        for path in (config.origin.relative_to(root).as_posix(),)
        for accepted in config.suppress
        if (config.origin, accepted.rule, accepted.fingerprint) not in used
        if ran(UNUSED, path) and ran(accepted.rule, path)
    ]
    return Silenced(tuple(standing), len(findings) - len(standing), tuple(unused))


def _unused_entry(origin: Path, path: str, accepted: Accepted) -> Finding:
    try:
        start = Source.read(origin).text.find(accepted.fingerprint)
    except Unreadable:
        start = -1
    span = Span(start, start + len(accepted.fingerprint)) if start >= 0 else Span(0, 0)
    return Finding(
        rule=UNUSED,
        severity=Severity.WARNING,
        confidence=Confidence.HIGH,
        place=Place(path, span),
        message=f"no finding of `{accepted.rule}` has this fingerprint any more: the entry silences nothing",
        help="Remove the entry.",
        scope=accepted.rule,
        excerpt=accepted.fingerprint,
    )


def _silence(
    finding: Finding,
    known: Mapping[str, tuple[Directive, ...]],
    tools: Sequence[Marked],
    read_source: Callable[[str], Source],
    used: set[tuple[Place, str]],
) -> bool:
    hits = _hits(finding.rule, finding.place, known, read_source, both_ends=True)
    if not hits and finding.tools:
        for name in finding.tools:
            places = [place for tool in tools if tool.name == name for place in (tool.place, tool.definition) if place]
            at_tool = [
                hit for place in places for hit in _hits(finding.rule, place, known, read_source, both_ends=False)
            ]
            if not at_tool:
                return False
            hits += at_tool
    used.update(hits)
    return bool(hits)


def _hits(
    rule: str,
    place: Place,
    known: Mapping[str, tuple[Directive, ...]],
    read_source: Callable[[str], Source],
    *,
    both_ends: bool,
) -> list[tuple[Place, str]]:
    found = known.get(place.path)
    if not found:
        return []
    source = read_source(place.path)
    lines = {0, source.position(place.span.start)[0]}
    if both_ends:
        lines.add(source.position(max(place.span.start, place.span.end - 1))[0])
    return [
        (directive.place, name)
        for directive in found
        if directive.line in lines
        for name in directive.rules
        if selects((name,), rule)
    ]


def _may_judge(directive: Directive, name: str, ran: Callable[[str, str], bool]) -> bool:
    path = directive.place.path
    if not ran(UNUSED, path):
        return False
    meant = [rule for rule in rule_names() if selects((name,), rule)]
    return all(ran(rule, path) for rule in meant)


def _unused(directive: Directive, name: str) -> Finding:
    if not name:
        message = "this comment names no rule, and silences nothing"
        hint = "Name the rules in brackets: `waitlint: ignore[family/rule] reason`."
    elif not any(selects((name,), rule) for rule in rule_names()):
        message = f"no rule is called `{name}`, so this comment silences nothing"
        hint = (nearest(name, rule_names()).strip() + " " + HELP).strip()
    else:
        message, hint = f"nothing here breaks `{name}` any more: this comment silences nothing", HELP
    return Finding(
        rule=UNUSED,
        severity=Severity.WARNING,
        confidence=Confidence.HIGH,
        place=directive.place,
        message=message,
        help=hint,
        scope=name,
        excerpt=directive.text,
    )
