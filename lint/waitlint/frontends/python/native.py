"""Python's own parser, asked whether it reads a text and how."""

from __future__ import annotations

import ast
import warnings


def native_tree(text: str) -> ast.Module | None:
    """The syntax tree of a text; None for what Python doesn't read, or not at this depth.

    For what is nested too deeply it raises a `MemoryError` as often as a `RecursionError`, depending on where the
    brackets stand (CPython 3.11 to 3.14, `Parser/pegen.c`).
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ast.parse(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None
