"""The names in an expression, as they are written."""

from __future__ import annotations

from collections.abc import Iterator

from waitlint.facts import Attr, Call, Expr, FileFacts, Index, Name, Seq, Span, Spread, Stmt


def dotted(expr: Expr) -> str:
    """`self.client.get` of the expression of that name; "" for what is no chain of names."""
    if isinstance(expr, Name):
        return expr.name
    if isinstance(expr, Attr):
        base = dotted(expr.base)
        return f"{base}.{expr.name}" if base else ""
    return ""


def tail(expr: Expr) -> str:
    """`get` of `self.client.get`, whatever stands before the dot; "" for what is no name."""
    return expr.name if isinstance(expr, Name | Attr) else ""


def last_name(expr: Expr) -> str:
    """`tail` of what is called or indexed: `get` of `self.client.get(key)[0]`."""
    while isinstance(expr, Call | Index):
        expr = expr.func if isinstance(expr, Call) else expr.base
    return tail(expr)


def root(expr: Expr) -> str:
    """`self` of `self.client[key]`; "" where it does not begin with a name."""
    while isinstance(expr, Attr | Index):
        expr = expr.base
    return expr.name if isinstance(expr, Name) else ""


def names_bound(target: Expr) -> Iterator[str]:
    """The names that get a value where this is assigned to, or is what a loop goes through."""
    match target:
        case Name(name=name):
            yield name
        case Seq(items=items):
            for item in items:
                yield from names_bound(item)
        case Spread(value=value):
            yield from names_bound(value)
        case _:
            return


def within(inner: Span, outer: Span) -> bool:
    """Whether a piece of code is written in another one of the same file."""
    return outer.start <= inner.start and inner.end <= outer.end


def function_around(facts: FileFacts, inner: Span) -> int | None:
    """The innermost function that a piece of code is written in, or that it is."""
    found: int | None = None
    for index, function in enumerate(facts.functions):
        if within(inner, function.span) and (found is None or within(function.span, facts.functions[found].span)):
            found = index
    return found


def body_around(facts: FileFacts, inner: Span) -> tuple[Stmt, ...]:
    """The body of the innermost function that a piece of code is written in, or of the file."""
    index = function_around(facts, inner)
    return facts.functions[index].body if index is not None else facts.body
