"""Loops whose next lap follows a failure alone: they try a request again, and wait for no state."""

from __future__ import annotations

from waitlint.facts import If, Jump, Loop, Raise, Return, Stmt, Try, With
from waitlint.interpret.syntax import nodes


def tries_again(loop: Loop) -> bool:
    """Whether a lap ends in a `try` that always leaves the loop unless something fails in it."""
    if not loop.body or not isinstance(last := loop.body[-1], Try) or not last.handlers or last.orelse:
        return False
    if any(isinstance(node, Jump) and node.kind == "continue" for node in nodes((*loop.body[:-1], *last.body))):
        return False
    return _always_leaves(last.body)


def _always_leaves(body: tuple[Stmt, ...]) -> bool:
    if not body:
        return False
    match body[-1]:
        case Return() | Raise():
            return True
        case Jump(kind=kind):
            return kind == "break"
        case With(body=inner):
            return _always_leaves(inner)
        case If(body=then, orelse=orelse):
            return _always_leaves(then) and _always_leaves(orelse)
        case _:
            return False
