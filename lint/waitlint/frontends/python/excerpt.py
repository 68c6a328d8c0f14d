"""A module without what a change has nothing to do with.

libcst takes a second for two hundred kilobytes, and what most changes need is one function, the imports, and what else
is done at the top of the file. The functions and classes beside it, and other methods of its class, become blanks: so
every place stays what it is.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator
from functools import lru_cache
from typing import NamedTuple

from waitlint.facts import Span
from waitlint.frontends.python.native import native_tree

KEPT = 4
# Shorter modules are parsed as quickly as they are cut.
WORTH_IT = 4000
_LINE_ENDS = re.compile(r"\r\n|\r|\n")


class _Definition(NamedTuple):
    """A function or class, from the start of its first line to the end of its last; `inner` are those of a class."""

    start: int
    end: int
    inner: tuple[_Definition, ...] = ()


_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def excerpt(text: str, spans: Collection[Span]) -> str:
    """A module in which there are blanks for the definitions at its top that hold none of some spans.

    They stay before the last import, where a new one may come to stand.
    """
    if len(text) < WORTH_IT:
        return text
    parts: list[str] = []
    position = 0
    for start, end in _unused(_definitions(text), spans):
        parts += text[position:start], " " * (end - start)
        position = end
    return "".join((*parts, text[position:]))


def _unused(definitions: tuple[_Definition, ...], spans: Collection[Span]) -> Iterator[tuple[int, int]]:
    """Where the definitions stand that hold none of the spans; of a class that does, its methods that don't."""
    for one in definitions:
        if not _holds(one, spans):
            yield one.start, one.end
        elif any(_holds(inner, spans) for inner in one.inner):
            yield from _unused(one.inner, spans)


def _holds(definition: _Definition, spans: Collection[Span]) -> bool:
    return any(span.start < definition.end and definition.start <= span.end for span in spans)


@lru_cache(KEPT)
def _definitions(text: str) -> tuple[_Definition, ...]:
    """The definitions at the top that stand behind the first statements and the last import."""
    tree = native_tree(text)
    if tree is None:
        return ()
    body = tree.body
    starts, ends = [0], []
    for match in _LINE_ENDS.finditer(text):
        ends.append(match.start())
        starts.append(match.end())
    ends.append(len(text))
    imports = [index for index, one in enumerate(body) if isinstance(one, ast.Import | ast.ImportFrom)]

    def placed(statements: list[ast.stmt]) -> tuple[_Definition, ...]:
        found: list[_Definition] = []
        for statement in statements:
            if isinstance(statement, _DEFINITIONS):
                first = min([statement.lineno, *[one.lineno for one in statement.decorator_list]])
                last = statement.end_lineno or first
                inner = placed(statement.body) if isinstance(statement, ast.ClassDef) else ()
                if last <= len(ends):
                    found.append(_Definition(starts[first - 1], ends[last - 1], inner))
        return tuple(found)

    return placed(body[max(imports[-1] if imports else 0, 1) + 1 :])
