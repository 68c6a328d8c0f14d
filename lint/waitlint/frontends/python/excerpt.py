"""A module without what a change has nothing to do with.

libcst takes a second for two hundred kilobytes, and what most changes need is one function, the imports, and what else
is done at the top of the file. The functions and classes beside it become blanks: so every place stays what it is.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Collection
from functools import lru_cache

from waitlint.facts import Span

KEPT = 4
# Shorter modules are parsed as quickly as they are cut.
WORTH_IT = 4000
_LINE_ENDS = re.compile(r"\r\n|\r|\n")
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def excerpt(text: str, spans: Collection[Span]) -> str:
    """A module in which there are blanks for the definitions at its top that hold none of some spans.

    They stay before the last import, where a new one may come to stand.
    """
    if len(text) < WORTH_IT:
        return text
    parts: list[str] = []
    position = 0
    for start, end in _definitions(text):
        if not any(span.start < end and start <= span.end for span in spans):
            parts += text[position:start], " " * (end - start)
            position = end
    return "".join((*parts, text[position:]))


@lru_cache(KEPT)
def _definitions(text: str) -> tuple[tuple[int, int], ...]:
    """Where the definitions at the top begin and end that stand behind the first statements and the last import."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            body = ast.parse(text).body
    except (SyntaxError, ValueError, RecursionError):
        return ()
    starts, ends = [0], []
    for match in _LINE_ENDS.finditer(text):
        ends.append(match.start())
        starts.append(match.end())
    ends.append(len(text))
    imports = [index for index, one in enumerate(body) if isinstance(one, ast.Import | ast.ImportFrom)]
    found: list[tuple[int, int]] = []
    for statement in body[max(imports[-1] if imports else 0, 1) + 1 :]:
        if isinstance(statement, _DEFINITIONS):
            first = min([statement.lineno, *[one.lineno for one in statement.decorator_list]])
            found.append((starts[first - 1], ends[(statement.end_lineno or first) - 1]))
    return tuple(found)
