"""Questions about code as it is written, without running it."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from waitlint.facts import Attr, Await, Call, Jump, Loop, Raise, Return, Stmt, Try, With


def nodes(body: tuple[Stmt, ...]) -> Iterator[Struct]:
    """Every statement and expression below a block, functions defined in it left out."""
    stack: list[object] = list(reversed(body))
    while stack:
        node = stack.pop()
        if isinstance(node, Struct):
            yield node
            stack.extend(getattr(node, name) for name in reversed(node.__struct_fields__))
        elif isinstance(node, tuple):
            stack.extend(item for item in reversed(node) if isinstance(item, Struct | tuple))


def awaits(body: tuple[Stmt, ...]) -> bool:
    """Whether a block awaits anything, so that a cancellation can be delivered in it."""
    return any(isinstance(node, Await) or (isinstance(node, Loop | With) and node.is_async) for node in nodes(body))


def leaves_by_raising(body: tuple[Stmt, ...]) -> bool:
    """Whether some way through a handler raises: it then does not swallow what it caught on all ways."""
    return any(isinstance(node, Raise) for node in nodes(body))


def cancels(body: tuple[Stmt, ...], names: tuple[str, ...] = ("cancel", "cancel_scope")) -> bool:
    """Whether a block cancels something itself, so that catching the cancellation is cleaning up."""
    return any(
        isinstance(node, Call) and isinstance(node.func, Attr) and node.func.name in names for node in nodes(body)
    )


def goes_on(body: tuple[Stmt, ...]) -> bool:
    """Whether a handler lets the code after it run: it neither returns, raises nor leaves a loop at its end."""
    if not body:
        return True
    last = body[-1]
    if isinstance(last, Return | Raise):
        return False
    if isinstance(last, Jump):
        return last.kind == "continue"
    return not (isinstance(last, Try) and not goes_on(last.body))
