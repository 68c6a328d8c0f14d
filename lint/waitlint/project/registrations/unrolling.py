"""Tools that are made in a loop over a table: the frames in which each of them is made."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from waitlint.facts import Arg, Attr, Call, Comp, Do, Expr, Index, Loop, Name, Piece, Span, Stmt
from waitlint.interpret.frames import Frame
from waitlint.interpret.syntax import HELD, nodes
from waitlint.interpret.values import FunctionRef, Items, Record, TextPart, Textual, Value
from waitlint.project.found import Found, FoundMap
from waitlint.project.world import ProjectWorld
from waitlint.spelled import within

MOST = 400
Bound = tuple[Expr, Expr, tuple[Stmt, ...], tuple[Stmt | Expr, ...]]


def frames_at(world: ProjectWorld, found: Found | FoundMap, frame: Frame | None = None) -> list[Frame]:
    """The frame of a call or object; where it stands in loops over things that are known, one for each of these.

    `frame` is that of the function around it, where that is known better.
    """
    if frame is None:
        frame = world.frame_for(found.path, found.function)
    return frames_around(world, frame, found.function, found.call.span if isinstance(found, Found) else found.map.span)


def frames_around(world: ProjectWorld, frame: Frame, function: int | None, span: Span) -> list[Frame]:
    """The same for what stands at `span` in a function, or in its file where that is None, which runs in `frame`."""
    facts = world.facts(frame.path)
    body = facts.functions[function].body if function is not None else facts.body
    frames = [frame]
    for bound in list(_around(body, span)):
        frames = [inner for outer in frames for inner in _laps(world, outer, bound)][:MOST]
    return frames


def _laps(world: ProjectWorld, frame: Frame, bound: Bound) -> Iterator[Frame]:
    target, iterable, before, lap = bound
    value = world.evaluate(iterable, frame)
    items = _items(value) or _keys(world, target, lap, frame)
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


def _keys(world: ProjectWorld, target: Expr, lap: tuple[Stmt | Expr, ...], frame: Frame) -> tuple[Value, ...] | None:
    """The keys of the table of functions in which a lap looks its own name up, where the names are not known."""
    if not isinstance(target, Name):
        return None
    for node in nodes(lap):
        match node:
            case Index(base=Name() | Attr() as table, key=Name(name=key)):
                pass
            case Call(func=Attr(base=Name() | Attr() as table, name="get"), args=(Arg(value=Name(name=key)), *_)):
                pass
            case _:
                continue
        held = world.evaluate(table, frame) if key == target.name else None
        if isinstance(held, Record) and any(isinstance(value, FunctionRef) for value in held.entries.values()):
            return tuple(_text(name, held) for name in held.entries)
    return None


def _text(name: str, table: Record) -> Textual:
    place = table.places.get(name) or table.place
    start, path = (0, "") if place is None else (place.span.start, place.path)
    return Textual((TextPart(path, Piece(name, ((0, start), (len(name), start + len(name))))),), place)


def _around(body: tuple[Stmt, ...], span: Span) -> Iterator[Bound]:
    """The loops and comprehensions around a place, outermost first: target, iterable, what is bound before, the lap."""
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
        if own is not None and not within(span, own):
            continue
        if isinstance(node, Comp | Loop) and node.target is not None and node.iterable is not None:
            body = node.body if isinstance(node, Loop) else ()
            before = tuple(s for s in body if isinstance(s, Do) and s.span.end <= span.start)
            yield node.target, node.iterable, before, body if isinstance(node, Loop) else (node.element,)
        stack.extend(getattr(node, name) for name in reversed(held))
