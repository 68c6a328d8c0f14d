"""YAML by PyYAML's events: iterative, so that neither nesting nor aliases can exhaust anything."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from waitlint.facts import Const, Expr, Span, Str
from waitlint.frontends.documents import yaml_scalars
from waitlint.frontends.documents.json_tree import number
from waitlint.frontends.documents.places import Mapped, string, verbatim
from waitlint.frontends.documents.tree import Builder, Problem, TooMuch, Tree

INVALID = "not valid YAML"
_PATIENCE = 300_000
_WORDS: dict[str, bool | None] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_NUMBER = re.compile(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
_HEX = re.compile(r"0x[0-9a-fA-F]+|0o[0-7]+")
_COMMENT = re.compile(r"(?:(?<=[ \t\r\n])|\A)#[^\r\n]*")
_HEADER_COMMENT = re.compile(r"[|>][-+0-9]*[ \t]+(#[^\r\n]*)")


def parse_yaml(text: str, base: int = 0) -> Tree:
    """The documents of `text`, whose first character stands at `base` of the source.

    What stands before the first thing that can't be read is kept.
    """
    import yaml

    fast = getattr(yaml, "CSafeLoader", None)
    if fast is None:
        return _parsed(text, base, yaml.SafeLoader)
    tree = _parsed(text, base, fast)
    if any(problem.message.startswith(INVALID) for problem in tree.problems) and len(text) <= _PATIENCE:
        other = _parsed(text, base, yaml.SafeLoader)
        if not any(problem.message.startswith(INVALID) for problem in other.problems):
            return other
    return tree


def _parsed(text: str, base: int, loader: Any) -> Tree:
    """The tree by one of PyYAML's parsers: the one in C refuses some documents that the other one takes."""
    import yaml

    builder = Builder()
    comments: list[Span] = []
    try:
        reached = _build(yaml.parse(text, Loader=loader), text, base, builder, comments)
    except TooMuch as bound:
        return Tree((), (), (*builder.problems, Problem(base, str(bound))))
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
        reached = min(mark.index if mark else getattr(error, "position", 0), len(text))
        why = getattr(error, "problem", None) or getattr(error, "reason", None) or "it can't be parsed"
        builder.problems.append(Problem(base + reached, f"{INVALID}: {why}"))
        builder.close_all(base + reached)
    return Tree(tuple(builder.roots), tuple(comments), tuple(builder.problems))


def _build(events: Iterator[Any], text: str, base: int, builder: Builder, comments: list[Span]) -> int:
    """Feed the events to `builder`; gives the offset in `text` that was reached."""
    from yaml import events as kinds

    gap = reached = 0

    def comments_to(end: int) -> None:
        found = _COMMENT.finditer(text, gap, end)
        comments.extend(Span(base + one.start(), base + one.end()) for one in found)

    for event in events:
        start, end = event.start_mark.index, event.end_mark.index
        span = Span(base + start, base + end)
        if isinstance(event, kinds.ScalarEvent):
            comments_to(start)
            gap = end
            if (event.style in ("|", ">")) and (found := _HEADER_COMMENT.match(text, start, end)):
                comments.append(Span(base + found.start(1), base + found.end(1)))
            value = _scalar(event, text, base, builder, is_key=builder.wants_key)
            if builder.wants_key and event.anchor is None:
                merges = isinstance(value, Str) and value.literal == "<<" and not event.style
                builder.key(None if merges else value, span)
            else:
                builder.value(value, event.anchor)
        elif isinstance(event, kinds.AliasEvent):
            builder.alias(event.anchor or "", span)
        elif isinstance(event, kinds.MappingStartEvent | kinds.SequenceStartEvent):
            builder.open(span.start, is_map=isinstance(event, kinds.MappingStartEvent), anchor=event.anchor)
        elif isinstance(event, kinds.MappingEndEvent | kinds.SequenceEndEvent):
            builder.close(span.end)
        reached = end
    comments_to(len(text))
    return reached


def _scalar(event: Any, text: str, base: int, builder: Builder, *, is_key: bool) -> Expr:
    start, end = event.start_mark.index, event.end_mark.index
    style = event.style or ""
    value = str(event.value)
    if (
        not style
        and not is_key
        and event.tag in (None, "!")
        and (known := _plain_value(value, base + start, base + end))
    ):
        return known
    start = _after_properties(text, start, end, style)
    mapped = _mapped(text, start, end, style, value)
    if mapped.text != value:
        builder.problems.append(Problem(base + start, "the places in this scalar are not exact"))
        mapped = Mapped(value, ((0, start), (len(value), end)))
    last = mapped.places[-1][1]
    if style in ("|", ">"):
        header_end = re.compile(r"[^\r\n]*").match(text, start)
        end = max(last, header_end.end() if header_end else start)
        style = text[start : header_end.end() if header_end else end].split("#")[0].strip()
    shifted = Mapped(_encodable(mapped.text), tuple((at, base + source) for at, source in mapped.places))
    return string(shifted, Span(base + start, base + end), style)


def _after_properties(text: str, start: int, end: int, style: str) -> int:
    """Where the scalar itself begins: PyYAML's mark stands before its anchor and tag."""
    position = start
    while position < end and text[position] in "&!":
        while position < end and text[position] not in " \t\r\n":
            position += 1
        while position < end and text[position] in " \t\r\n":
            position += 1
    if style and text[position : position + 1] != style:
        return start
    return position


def _mapped(text: str, start: int, end: int, style: str, value: str) -> Mapped:
    if style in ("|", ">"):
        return yaml_scalars.block(text, start, end, value)
    if style == '"':
        if text[start + 1 : end - 1] == value:
            return verbatim(text, start + 1, end - 1)
        return yaml_scalars.double_quoted(text, start, end)
    if style == "'":
        if text[start + 1 : end - 1] == value:
            return verbatim(text, start + 1, end - 1)
        return yaml_scalars.single_quoted(text, start, end)
    if text[start:end] == value:
        return verbatim(text, start, end)
    return yaml_scalars.plain(text, start, end)


def _encodable(text: str) -> str:
    """Halves of surrogate pairs, which no file can hold, made one character each that can be held."""
    return re.sub(r"[\ud800-\udfff]", "\ufffd", text)


def _plain_value(word: str, start: int, end: int) -> Expr | None:
    """What a plain scalar stands for when it is not a string."""
    span = Span(start, end)
    if word in _WORDS:
        return Const(span, _WORDS[word])
    if _NUMBER.fullmatch(word):
        return number(word, span)
    if _HEX.fullmatch(word) and len(word) <= 17:
        return Const(span, int(word, 0))
    return None
