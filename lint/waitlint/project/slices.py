"""The part of a function that some of its names hang on: statements that set them, and what those read in turn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Set
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from waitlint.facts import Assign, Do, FileFacts, Function, If, Jump, Loop, Name, Raise, Return, Stmt, Try, With
from waitlint.interpret.syntax import nodes
from waitlint.project.binding import BINDING, bound_by, changed_by


class _Part(Struct, frozen=True, eq=False):
    """A statement. `sets` are the names that it binds or may change, with all inside it, each once.

    `reads` are the names that it mentions itself, outside the statements in its `blocks`, and `leaves` is True where a
    way out of what is around it may be in it.
    """

    stmt: Stmt
    sets: tuple[str, ...]
    reads: tuple[str, ...]
    leaves: bool
    blocks: tuple[tuple[_Part, ...], ...] = ()


class Slices:
    """The statements of a function's body, with the names that each of them sets and reads."""

    def __init__(self, function: Function, facts: FileFacts) -> None:
        arguments = frozenset((*(param.name for param in function.params), "this"))
        bound: set[str] = set()
        self._parts = _parts_of(function.body, facts, bound)
        self.bound = frozenset(bound)
        self._arguments = arguments
        self._last_set = {name: position for position, part in enumerate(self._parts) for name in part.sets}
        # Statements are known by their identity elsewhere: what was made stays.
        self._made: dict[frozenset[str], tuple[Stmt, ...]] = {}

    def needed_for(
        self, name: str, found: Mapping[str, Any], held: Mapping[str, Any]
    ) -> tuple[tuple[Stmt, ...], frozenset[str]]:
        """What has to run for a name to have its value, in order, and all names that have theirs then.

        What is `found` already is not found again for statements behind all those that make it what it is. Nor is what
        is `held` in the middle of a run that is past these.
        """
        known = self._past(held.keys() - found.keys()).union(found)
        needed = {name}
        seen: set[int] = set()
        grows = True
        while grows:
            grows = False
            for position in range(len(self._parts) - 1, -1, -1):
                part = self._parts[position]
                if not needed.isdisjoint(part.sets):
                    grows |= self._take(part, position, needed, known, seen)
        key = frozenset(needed)
        body = self._made.get(key)
        if body is None:
            body = self._made[key] = _cut(self._parts, key, inside=False, in_loop=False)
        return body, key

    def _past(self, held: Set[str]) -> set[str]:
        """Those names that a run which holds them will not change any more."""
        if not held:
            return set()
        setters = Counter(name for part in self._parts for name in part.sets)
        reached = max((self._last_set[one] for one in held if setters[one] == 1), default=-1)
        return {one for one in held if setters[one] == 1 or self._last_set.get(one, reached) < reached}

    def _take(
        self,
        part: _Part,
        position: int,
        needed: set[str],
        known: set[str],
        seen: set[int],
        in_loop: bool = False,
    ) -> bool:
        """Add what is read by a statement, which is in the one at a `position`; whether anything is new in it."""
        grows = False
        if id(part) not in seen:
            seen.add(id(part))
            grows = True
            for name in part.reads:
                if (name in self.bound or name in self._arguments) and (
                    name not in known or self._last_set.get(name, -1) >= position
                ):
                    needed.add(name)
        in_loop = in_loop or isinstance(part.stmt, Loop)
        for block in part.blocks:
            for inner in reversed(block):
                if _is_taken(inner, needed, inside=True, in_loop=in_loop):
                    grows |= self._take(inner, position, needed, known, seen, in_loop)
        return grows


def _is_taken(part: _Part, needed: Set[str], *, inside: bool, in_loop: bool) -> bool:
    """Whether a statement sets what is needed, or decides on how a statement around it goes on."""
    if not needed.isdisjoint(part.sets):
        return True
    return part.leaves and inside and (in_loop or not part.blocks)


def _cut(parts: tuple[_Part, ...], needed: frozenset[str], *, inside: bool, in_loop: bool) -> tuple[Stmt, ...]:
    """The statements that are taken, each without those inside it that are not."""
    body: list[Stmt] = []
    for part in parts:
        if not _is_taken(part, needed, inside=inside, in_loop=in_loop):
            continue
        loops = in_loop or isinstance(part.stmt, Loop)
        blocks = [_cut(block, needed, inside=True, in_loop=loops) for block in part.blocks]
        whole = all(len(cut) == len(block) for cut, block in zip(blocks, part.blocks, strict=True)) and all(
            cut is inner.stmt
            for block, kept in zip(blocks, part.blocks, strict=True)
            for cut, inner in zip(block, kept, strict=True)
        )
        body.append(part.stmt if whole else _WITH_BLOCKS[type(part.stmt)](part.stmt, blocks))
    return tuple(body)


# ---------------------------------------------------------------- what statements hold


_BLOCKS: dict[type, Callable[[Any], tuple[tuple[Stmt, ...], ...]]] = {
    If: lambda stmt: (stmt.body, stmt.orelse),
    Loop: lambda stmt: (stmt.body, stmt.update, stmt.orelse),
    Try: lambda stmt: (stmt.body, stmt.orelse, stmt.final, *(handler.body for handler in stmt.handlers)),
    With: lambda stmt: (stmt.body,),
}


def _blocks(stmt: Stmt) -> tuple[tuple[Stmt, ...], ...]:
    blocks = _BLOCKS.get(type(stmt))
    return blocks(stmt) if blocks is not None else ()


def _with_handlers(stmt: Try, blocks: list[tuple[Stmt, ...]]) -> Try:
    body, orelse, final, *handled = blocks
    handlers = tuple(replace(one, body=cut) for one, cut in zip(stmt.handlers, handled, strict=True))
    return replace(stmt, body=body, orelse=orelse, final=final, handlers=handlers)


_WITH_BLOCKS: dict[type, Callable[[Any, list[tuple[Stmt, ...]]], Stmt]] = {
    If: lambda stmt, blocks: replace(stmt, body=blocks[0], orelse=blocks[1]),
    Loop: lambda stmt, blocks: replace(stmt, body=blocks[0], update=blocks[1], orelse=blocks[2]),
    Try: _with_handlers,
    With: lambda stmt, blocks: replace(stmt, body=blocks[0]),
}


def _head(stmt: Stmt) -> tuple[Any, ...]:
    """What stands in a statement beside its blocks."""
    match stmt:
        case If(test=test):
            return (test,)
        case Loop(test=test, target=target, iterable=iterable):
            return tuple(one for one in (iterable, test, target) if one is not None)
        case Try(handlers=handlers):
            return tuple(handler.type for handler in handlers if handler.type is not None)
        case With(items=items):
            return tuple(one for item in items for one in item if one is not None)
        case _:
            return (stmt,)


def _parts_of(body: tuple[Stmt, ...], facts: FileFacts, bound: set[str]) -> tuple[_Part, ...]:
    return tuple([_part(stmt, facts, bound) for stmt in body])


def _part(stmt: Stmt, facts: FileFacts, bound: set[str]) -> _Part:
    """A statement with what is in it; the names that it binds are added to those that are `bound`."""
    sets: set[str] = set()
    reads: set[str] = set()
    written = _blocks(stmt)
    for node in nodes(_head(stmt) if written else (stmt,)):
        kind = type(node)
        if kind is Name:
            reads.add(node.name)  # type: ignore[attr-defined]
        elif kind in BINDING:
            made = tuple(bound_by(node, facts))
            sets.update(made)
            bound.update(made)
        if kind is Assign or kind is Do:
            sets.update(changed_by(node))
    if not written:
        return _Part(stmt, tuple(sets), tuple(reads), isinstance(stmt, Jump | Return | Raise))
    own = {*bound_by(stmt, facts)}
    bound |= own
    sets |= own
    blocks = tuple([_parts_of(block, facts, bound) for block in written])
    inner = [part for block in blocks for part in block]
    sets.update(*(part.sets for part in inner))
    return _Part(stmt, tuple(sets), tuple(reads), any(part.leaves for part in inner), blocks)
