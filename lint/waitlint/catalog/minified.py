"""Scripts that a program has written: bundles and minified code, whose source is kept elsewhere.

Their names hardly ever tell (`server.js`), and megabytes of them take minutes to follow.
"""

from __future__ import annotations

import re

SUFFIXES = frozenset(["js", "mjs", "cjs"])
# So much of a file tells, and a smaller one costs nothing.
_LOOKED_AT = 65_536
_SMALLEST = 20_000
_LONG_LINE = 500
# Of prose every sixth character is a blank, of code that was written by hand still every tenth.
_FEWEST_BLANKS = 0.08
# The helpers of esbuild and webpack, as they are written out and as they are minified.
_HELPERS = re.compile(
    rb"\b__(?:commonJS|toESM|esm) ?= ?\(|\b__webpack_(?:require__|modules__)\b ?[=(]"
    rb"|\bvar [\w$]{1,8} ?= ?Object\.create[;,]\s{0,4}(?:var )?[\w$]{1,8} ?= ?Object\.defineProperty[;,]"
)


def is_minified(content: bytes) -> bool:
    """Whether the head of a script shows that it was bundled or minified: by its helpers, or by long lines of code."""
    if len(content) < _SMALLEST:
        return False
    head = content[:_LOOKED_AT]
    if _HELPERS.search(head) is not None:
        return True
    long = [line for line in head.split(b"\n") if len(line) > _LONG_LINE]
    size = sum(map(len, long))
    return size * 2 > len(head) and sum(line.count(b" ") for line in long) < size * _FEWEST_BLANKS
