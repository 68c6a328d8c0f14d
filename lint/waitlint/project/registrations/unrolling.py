"""Tools that are made in a loop over a table: the frames in which each of them is made."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from waitlint.facts import Comp, Do, Expr, Loop, Span, Stmt
from waitlint.interpret.frames import Frame
from waitlint.interpret.syntax import HELD
from waitlint.interpret.values import Items, Record, Value
from waitlint.project.walk import Found, FoundMap
from waitlint.project.world import ProjectWorld

MOST = 400
Bound = tuple[Expr, Expr, tuple[Stmt, ...]]


def frames_at(world: ProjectWorld, found: Found | FoundMap, frame: Frame | None = None) -> list[Frame]:
    """The frame of a call or object; where it stands in loops over things that are known, one for each of these.

    `frame` is that of the function around it, where that is known better.
    """
    if frame is None:
        frame = world.frame_for(found.path, found.function)
    facts = world.facts(found.path)
    body = facts.functions[found.function].body if found.function is not None else facts.body
    span = found.call.span if isinstance(found, Found) else found.map.span
    frames = [frame]
    for target, iterable, before in list(_around(body, span)):
        frames = [inner for outer in frames for inner in _laps(world, outer, target, iterable, before)][:MOST]
    return frames


def _laps(world: ProjectWorld, frame: Frame, target: Expr, iterable: Expr, before: tuple[Stmt, ...]) -> Iterator[Frame]:
    value = world.evaluate(iterable, frame)
    items = _items(value)
    if items is None:
        yield frame
        return
    for item in items:
        inner = Frame(frame.path, frame.function, frame, frame.receiver, frame.call)
        world.bind(target, item, inner)
        if before:
            world.define(before, inner)
        yield inner


def _items(value: Value) -> tuple[Value, ...] | None:
    if isinstance(value, Items) and value.items:
        return value.items
    if isinstance(value, Record) and value.entries and not value.open:
        return tuple(value.entries.values())
    return None


def _around(body: tuple[Stmt, ...], span: Span) -> Iterator[Bound]:
    """The loops and comprehensions around a place, outermost first: target, iterable and what a lap binds before it."""
    stack: list[Any] = list(reversed(body))
    while stack:
        node = stack.pop()
        if isinstance(node, tuple):
            stack.extend(reversed(node))
            continue
        held = HELD.get(type(node))
        if held is None:
            continue
        own = getattr(node, "span", None)
        if own is not None and not (own.start <= span.start and span.end <= own.end):
            continue
        if isinstance(node, Comp | Loop) and node.target is not None and node.iterable is not None:
            body = node.body if isinstance(node, Loop) else ()
            yield node.target, node.iterable, tuple(s for s in body if isinstance(s, Do) and s.span.end <= span.start)
        stack.extend(getattr(node, name) for name in reversed(held))
