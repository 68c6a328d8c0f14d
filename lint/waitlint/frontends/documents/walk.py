"""Going through a data tree without recursion."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from waitlint.facts import Const, Expr, Map, Seq, Span, Str
from waitlint.spelled import within


def values(roots: Sequence[Expr]) -> Iterator[Expr]:
    """Every value below the roots and the roots themselves, in order; keys are left out."""
    stack = list(reversed(roots))
    while stack:
        value = stack.pop()
        yield value
        if isinstance(value, Map):
            stack.extend(entry.value for entry in reversed(value.entries))
        elif isinstance(value, Seq):
            stack.extend(reversed(value.items))


def string_at(roots: Sequence[Expr], span: Span) -> Str | None:
    """The innermost string that holds the span."""
    best: Str | None = None
    for value in values(roots):
        if isinstance(value, Str) and within(span, value.span):
            best = value
    return best


def map_at(roots: Sequence[Expr], span: Span) -> Map | None:
    """The map at exactly this span."""
    return next((value for value in values(roots) if isinstance(value, Map) and value.span == span), None)


def outline(roots: Sequence[Expr]) -> list[tuple[object, int]]:
    """The content without any place: a list in order, in which two documents of equal content are equal.

    Each item is what stands there (a word for a collection, the value of a scalar) with the start of its value.
    """
    out: list[tuple[object, int]] = []
    stack: list[tuple[object, Expr | None]] = [("", root) for root in reversed(roots)]
    while stack:
        label, value = stack.pop()
        if value is None:
            out.append((label, -1))
        elif isinstance(value, Map):
            out.append(("{", value.span.start))
            stack.append(("}", None))
            for entry in reversed(value.entries):
                key = entry.key.literal if isinstance(entry.key, Str) else repr(getattr(entry.key, "value", None))
                stack.append(("", entry.value))
                stack.append((f"key {key}", None))
        elif isinstance(value, Seq):
            out.append(("[", value.span.start))
            stack.append(("]", None))
            stack.extend(("", item) for item in reversed(value.items))
        elif isinstance(value, Str):
            out.append((f"text {value.literal}", value.span.start))
        elif isinstance(value, Const):
            out.append((("const", value.value), value.span.start))
        else:
            out.append(("?", value.span.start))
    return out
