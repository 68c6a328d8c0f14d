"""Where code lists the states that something can be in: enums, unions of literals, tables and tuples of names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from waitlint.facts import (
    Assign,
    Attr,
    Binary,
    Call,
    Do,
    Expr,
    FileFacts,
    Function,
    Import,
    Index,
    Map,
    Name,
    Seq,
    Span,
    Str,
)
from waitlint.finding import Place
from waitlint.linked import StateSet
from waitlint.project.world import CODE, ProjectWorld

COLLECTIONS = frozenset({"set", "frozenset", "tuple", "list", "Set", "freeze", "enum", "nativeEnum", "picklist"})
WRAPPERS = frozenset(
    {"Optional", "Annotated", "Final", "ClassVar", "Required", "NotRequired", "Readonly", "ReadonlyArray"}
)
FEWEST = 2


class StateSets:
    """The lists of states in a project, by file; its world is made when one is asked for."""

    def __init__(self, make_world: Callable[[], ProjectWorld]) -> None:
        self._make_world = make_world
        self._known: dict[str, tuple[StateSet, ...]] = {}

    @property
    def world(self) -> ProjectWorld:
        return self._make_world()

    def seen_from(self, paths: Iterable[str]) -> list[StateSet]:
        """The lists in some files, and in the files that these import from."""
        found: dict[str, None] = {}
        for path in paths:
            found.setdefault(path)
            for stmt in self.world.facts(path).body:
                if isinstance(stmt, Import):
                    found.update(dict.fromkeys(self._imported(path, stmt)))
        return [one for path in found for one in self.in_file(path)]

    def _imported(self, path: str, stmt: Import) -> Iterator[str]:
        target = self.world.resolve(path, stmt.module)
        if target is None:
            return
        inner = self.world.modules.submodule(target, stmt.name) if stmt.name not in (None, "*", "default") else None
        yield from (found for found in (inner, target) if found is not None and found in self.world.files)

    def in_file(self, path: str) -> tuple[StateSet, ...]:
        known = self._known.get(path)
        if known is None:
            facts = self.world.facts(path)
            known = self._known[path] = tuple(_sets(path, facts)) if facts.language in CODE else ()
        return known


def _sets(path: str, facts: FileFacts) -> Iterator[StateSet]:
    for stmt in facts.body:
        if isinstance(stmt, Do) and isinstance(stmt.value, Assign) and isinstance(stmt.value.target, Name):
            yield from _set(path, stmt.value.target.name, stmt.value.value, stmt.value.span)
    for definition in facts.classes:
        names = tuple(
            member.value.literal
            for member in definition.members
            if isinstance(member.value, Str) and member.value.literal and member.annotation is None
        )
        if len(names) >= FEWEST:
            yield StateSet(Place(path, definition.at), definition.name, names)
        for member in definition.members:
            for expr in (member.annotation, member.value):
                if expr is not None:
                    yield from _set(path, member.name, expr, member.span)
    for function in facts.functions:
        yield from _in_signature(path, function)


def _in_signature(path: str, function: Function) -> Iterator[StateSet]:
    for param in function.params:
        if param.annotation is not None:
            yield from _set(path, param.name, param.annotation, param.span)
    if function.returns is not None:
        yield from _set(path, function.name, function.returns, function.at)


def _set(path: str, name: str, expr: Expr, span: Span) -> Iterator[StateSet]:
    names = tuple(dict.fromkeys(_names(expr)))
    if len(names) >= FEWEST:
        yield StateSet(Place(path, span), name, names)


def _names(expr: Expr, depth: int = 4) -> list[str]:
    """The names that an expression lists, if it does nothing else."""
    if depth <= 0:
        return []
    match expr:
        case Str() if expr.literal:
            return [expr.literal]
        case Binary(op="|", left=left, right=right):
            return [*_names(left, depth + 1), *_names(right, depth + 1)] if depth < 64 else []
        case Seq(items=items):
            return _all_names(items)
        case Map(entries=entries):
            return _all_names(entry.value for entry in entries)
        case Index(base=Name(name=name) | Attr(name=name), key=key) if name == "Literal":
            return _all_names(key.items) if isinstance(key, Seq) else _names(key, depth - 1)
        case Index(base=Name(name=name) | Attr(name=name), key=key) if name in WRAPPERS:
            return _names(key.items[0] if isinstance(key, Seq) and key.items else key, depth - 1)
        case Call(func=Name(name=name) | Attr(name=name), args=args) if name in COLLECTIONS and args:
            return _names(args[0].value, depth - 1)
        case _:
            return []


def _all_names(items: Iterable[Expr]) -> list[str]:
    found: list[str] = []
    for item in items:
        if not isinstance(item, Str) or not item.literal:
            return []
        found.append(item.literal)
    return found
