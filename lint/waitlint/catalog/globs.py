"""Globs as in .gitignore, with `{a,b}` for alternatives, as regular expressions on paths with forward slashes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

_BRACES = re.compile(r"\{([^{}]*)\}")


def alternatives(glob: str) -> Iterator[str]:
    """A glob without braces for each way to choose from its braces."""
    found = _BRACES.search(glob)
    if not found:
        yield glob
        return
    for choice in found.group(1).split(","):
        yield from alternatives(glob[: found.start()] + choice + glob[found.end() :])


def anchored(glob: str) -> str:
    """The glob from the root: one without a slash before its end fits at any depth."""
    if glob.startswith("/"):
        return glob[1:]
    if "/" not in glob.rstrip("/"):
        return f"**/{glob}"
    return glob


@lru_cache(maxsize=4096)
def compiled(glob: str, nocase: bool = False) -> re.Pattern[str]:
    """The expression for a whole path, of a glob without braces."""
    return re.compile(_expression(glob), re.DOTALL | (re.IGNORECASE if nocase else 0))


@lru_cache(maxsize=4096)
def _expression(glob: str) -> str:
    out: list[str] = []
    parts = anchored(glob).split("/")
    if parts[-1] == "":
        parts[-1] = "**"
    for index, part in enumerate(parts):
        last = index == len(parts) - 1
        if part == "**":
            out.append(".+" if last else "(?:[^/]+/)*")
        else:
            out.append(_segment(part))
            if not last:
                out.append("/")
    return "".join(out) + r"\Z"


def _segment(part: str) -> str:
    out: list[str] = []
    position = 0
    while position < len(part):
        char = part[position]
        position += 1
        if char == "*":
            out.append("[^/]*")
        elif char == "?":
            out.append("[^/]")
        elif char == "[" and (end := part.find("]", position + 1)) > 0:
            inside = part[position:end].replace("\\", r"\\")
            if inside.startswith("!"):
                inside = "^" + inside[1:]
            out.append(f"[{inside}]")
            position = end + 1
        else:
            out.append(re.escape(char))
    return "".join(out)


def any_of(globs: tuple[str, ...], nocase: bool = False) -> re.Pattern[str] | None:
    """One expression that fits where any of the globs does; None for no globs."""
    if not globs:
        return None
    names: list[str] = []
    parts: list[str] = []
    for plain in (plain for glob in globs for plain in alternatives(glob)):
        name = _name_at_any_depth(plain)
        if name:
            names.append(_segment(name))
        else:
            parts.append(_expression(plain))
    if names:
        # All folders are passed over once and for good: what is a name alone can only fit behind the last slash.
        parts.append(rf"(?:[^/]+/)*+(?:{'|'.join(names)})\Z")
    return re.compile("|".join(f"(?:{part})" for part in parts), re.DOTALL | (re.IGNORECASE if nocase else 0))


def _name_at_any_depth(glob: str) -> str:
    """The name alone of a glob that fits at any depth; "" for one that says more of where a file stands."""
    depth, _, name = anchored(glob).partition("/")
    return name if depth == "**" and name != "**" and not any(char in name for char in "/[") else ""
