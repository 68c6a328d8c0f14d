"""`waitlint rule`."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import click
import msgspec
from msgspec import Struct

from waitlint.cli.options import Failure, complete_selector
from waitlint.cli.terminal import show, wants_colour, write
from waitlint.config.reading import nearest
from waitlint.output.styled import SEVERITY_STYLE, STRONG, Line, Piece
from waitlint.rule import Rule, load_rules


class _Entry(Struct):
    name: str
    family: str
    severity: str
    summary: str
    fixes: str
    rules: tuple[str, ...]
    checklist: tuple[str, ...]
    seeds: tuple[int, ...]
    page: str


class _Document(Struct):
    """`{"version": 1, "rules": […]}`: one rule, or all, always as a list."""

    version: int
    rules: tuple[_Entry, ...]


@click.command(name="rule")
@click.argument("name", required=False, shell_complete=complete_selector)
@click.option("--all", "everything", is_flag=True, help="Explain every rule.")
@click.option("--output-format", type=click.Choice(["text", "json"]), default="text", show_default=True)
def command(name: str | None, everything: bool, output_format: str) -> int:
    """Explain the rule NAME: what it finds, why, with a bad and a good example. Without NAME, list all rules."""
    if name and everything:
        raise click.UsageError("Give a rule's name or --all, not both.")
    chosen = _chosen(name)
    if output_format == "json":
        document = _Document(1, tuple(_entry(rule) for rule in chosen))
        write(msgspec.json.format(msgspec.json.encode(document), indent=2).decode() + "\n")
    elif name or everything:
        for index, rule in enumerate(chosen):
            _explain(rule, first=index == 0)
    else:
        show(_listing(chosen))
    return 0


def _chosen(name: str | None) -> tuple[Rule, ...]:
    """The rule of a name, the rules of a family, or all."""
    rules = load_rules()
    if name is None:
        return rules
    chosen = tuple(rule for rule in rules if name in (rule.name, rule.family))
    if not chosen:
        known = (*(rule.name for rule in rules), *{rule.family for rule in rules})
        raise Failure(f"no rule is called {name!r}.{nearest(name, known)}")
    return chosen


def _entry(rule: Rule) -> _Entry:
    return _Entry(
        name=rule.name,
        family=rule.family,
        severity=rule.severity,
        summary=rule.summary,
        fixes=rule.fixes,
        rules=rule.rules,
        checklist=rule.checklist,
        seeds=rule.seeds,
        page=rule.page,
    )


def _listing(rules: tuple[Rule, ...]) -> Iterator[Line]:
    wide = max((len(rule.name) for rule in rules), default=0)
    for rule in rules:
        yield (
            Piece(f"{rule.name:<{wide}}  ", STRONG),
            Piece(f"{rule.severity:<7}  ", SEVERITY_STYLE[rule.severity]),
            Piece(f"{rule.fixes or '–':<11}  "),
            Piece(rule.summary),
        )


def _explain(rule: Rule, *, first: bool) -> None:
    if not first:
        write("\n")
    if not wants_colour(sys.stdout):
        write(rule.page.rstrip("\n") + "\n")
        return
    from rich.console import Console
    from rich.markdown import Markdown

    console = Console(force_terminal=True, width=None)
    with console.capture() as captured:
        console.print(Markdown(rule.page))
    write(captured.get())
