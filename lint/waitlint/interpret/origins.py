"""Which library a value comes from."""

from __future__ import annotations

from waitlint.interpret.values import Choice, External, Instance, MethodOf, Outside, Value

# Modules of Node, and two that stand for one, that look at nothing but this machine: what they do is done at once.
AT_ONCE = ("fs", "fs/promises", "fs-extra", "graceful-fs", "path", "os", "zlib", "crypto", "readline", "stream", "util")


def origin_of(value: Value, depth: int = 8) -> str:
    """The qualified name of what a value came out of, outside the project; "" if that is not known."""
    if depth <= 0:
        return ""
    match value:
        case External(name=name) | Instance(type=External(name=name)):
            return name
        case Outside(source=source):
            return source
        case MethodOf(owner=owner, name=name):
            origin = origin_of(owner, depth - 1)
            return f"{origin}.{name}" if origin else ""
        case Choice(options=alternatives):
            return next((found for _, option in alternatives if (found := origin_of(option, depth - 1))), "")
        case _:
            return ""


def innermost(value: Value, depth: int = 4) -> Value:
    """What a chain of attributes begins with."""
    while isinstance(value, MethodOf) and depth > 0:
        value, depth = value.owner, depth - 1
    return value


def is_done_at_once(origin: str) -> bool:
    """Whether a qualified name is of a module that reads files, packs or reckons."""
    module = origin.removeprefix("node:").partition(".")[0]
    return module in AT_ONCE
