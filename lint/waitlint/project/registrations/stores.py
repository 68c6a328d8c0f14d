"""Decorators of a project's own that keep the functions below them in a list or map of tools.

`@desk_tool(description=…)` is one where its definition puts the function, with words for a model, into a store; who
reads the store may then be anywhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from dataclasses import dataclass

from waitlint.catalog import Framework, Slot
from waitlint.facts import Arg, Assign, Attr, Call, Expr, Function, Index, Map, Name, Return, Span, Str
from waitlint.finding import Place
from waitlint.interpret.alternatives import options
from waitlint.interpret.syntax import nodes
from waitlint.interpret.values import FunctionRef, Value, is_nothing, pick
from waitlint.project.registrations.matching import Matching, text_of
from waitlint.project.registrations.model import Args, Registration
from waitlint.project.world import ProjectWorld
from waitlint.spelled import tail

FORM = "kept"
OF_TOOLS = re.compile(r"tool", re.IGNORECASE)
ADDS = frozenset({"append", "add", "setdefault"})
DOCSTRINGS = frozenset({"__doc__", "getdoc"})


@dataclass(frozen=True, slots=True)
class Keeper:
    """A function that keeps another, its first parameter or that of a function within; `params` are its own."""

    path: str
    index: int
    params: tuple[str, ...]


class Stores:
    """Registrations by decorators that keep what they are set above."""

    def __init__(self, world: ProjectWorld, matching: Matching) -> None:
        self.world = world
        self.matching = matching
        self.row = next((row for row in matching.frameworks.rows if row.form == FORM), None)

    def all(self) -> Iterator[Registration]:
        if self.row is None:
            return
        decorators = list(self._decorators())
        keepers = self._keepers({name for name, _, _, _ in decorators}, self.row)
        for name, path, index, decorator in decorators:
            if name not in keepers:
                continue
            call = decorator if isinstance(decorator, Call) else None
            callee = call.func if call is not None else decorator
            function = self.world.facts(path).functions[index]
            frame = self.world.frame_for(path, function.parent)
            means = [option for _, option in options(self.world.evaluate(callee, frame))]
            keeper = next((known for known in keepers[name] if any(_is(value, known) for value in means)), None)
            if keeper is not None:
                args = self.world.arguments(call, frame) if call is not None else []
                yield self._registration(self.row, keeper, path, index, decorator, args)

    def _decorators(self) -> Iterator[tuple[str, str, int, Expr]]:
        """Every decorator of the project by its name, with the file and the function below it."""
        for path, facts in self.world.files.items():
            if facts.language == "python":
                for index, function in enumerate(facts.functions):
                    for decorator in function.decorators:
                        name = tail(decorator.func if isinstance(decorator, Call) else decorator)
                        if name:
                            yield name, path, index, decorator

    # ------------------------------------------------------------ what keeps functions

    def _keepers(self, names: Set[str], row: Framework) -> dict[str, list[Keeper]]:
        """By the names that are used as decorators, the functions of the project that keep what is below them."""
        found: dict[str, list[Keeper]] = {}
        for path, facts in self.world.files.items():
            if facts.language != "python":
                continue
            for index, function in enumerate(facts.functions):
                if function.name in names and self._keeps_tools(path, index, row):
                    own = function.params[1:] if function.owner is not None else function.params
                    keeper = Keeper(path, index, tuple(param.name for param in own))
                    found.setdefault(function.name, []).append(keeper)
        return found

    def _keeps_tools(self, path: str, index: int, row: Framework) -> bool:
        """Whether a decorator puts the function below it into a store of tools, with words for whoever reads them."""
        functions = self.world.facts(path).functions
        outer = functions[index]
        bodies = [outer, *(function for function in functions if function.parent == index)]
        described = {param.name for param in outer.params} & _names(row.description)
        for function in bodies:
            own = function.params[1:] if function.owner is not None else function.params
            if not own or not _gives_back_function(function, functions):
                continue
            for store, kept in _kept(function):
                names = {node.name for node in nodes((Return(kept.span, kept),)) if isinstance(node, Name)}
                if own[0].name not in names:
                    continue
                speaks_of_tools = OF_TOOLS.search(f"{outer.name} {store} {self._owner(path, outer)}")
                if speaks_of_tools and (described or _describes(kept, row) or any(map(_reads_docstring, bodies))):
                    return True
        return False

    def _owner(self, path: str, function: Function) -> str:
        return "" if function.owner is None else self.world.facts(path).classes[function.owner].name

    # ------------------------------------------------------------ a tool

    def _registration(
        self, row: Framework, keeper: Keeper, path: str, index: int, decorator: Expr, args: Args
    ) -> Registration:
        function = self.world.facts(path).functions[index]
        receiver = self.world.frame_receiver(path, function) if function.owner is not None else None
        ref = FunctionRef(path, index, self.world.parent_frame(path, function), receiver)
        name = text_of(_given(args, keeper, row.name))
        at = _span_of(decorator, keeper, row.name) if name else None
        return Registration(
            row,
            name or function.name,
            Place(path, at or function.at),
            "medium",
            self.matching.described(_given(args, keeper, row.description), row, (ref,)),
            _given(args, keeper, row.schema),
            (ref,),
            Place(path, function.span),
            Place(path, decorator.span),
        )


def _is(value: Value, keeper: Keeper) -> bool:
    return isinstance(value, FunctionRef) and (value.path, value.index) == (keeper.path, keeper.index)


def _names(slots: tuple[Slot, ...]) -> set[str]:
    return {slot.name for slot in slots if slot.name is not None}


def _given(args: Args, keeper: Keeper, slots: tuple[Slot, ...]) -> Value | None:
    """What the decorator is given for one of its parameters that slots name."""
    for slot in slots:
        if slot.name is not None:
            position = keeper.params.index(slot.name) if slot.name in keeper.params else None
            value = pick(tuple(args), slot.name, position)
            if value is not None and not is_nothing(value):
                return value
    return None


def _span_of(decorator: Expr, keeper: Keeper, slots: tuple[Slot, ...]) -> Span | None:
    names = _names(slots)
    given: tuple[Arg, ...] = decorator.args if isinstance(decorator, Call) else ()
    for position, arg in enumerate(given):
        is_positional = arg.name is None and position < len(keeper.params) and keeper.params[position] in names
        if arg.name in names or is_positional:
            return arg.value.span
    return None


def _kept(function: Function) -> Iterator[tuple[str, Expr]]:
    """What a function puts into a list or map that is not its own, with the name of that."""
    local = {param.name for param in function.params[1:]}
    assigned = (node.target for node in nodes(function.body) if isinstance(node, Assign))
    local.update(target.name for target in assigned if isinstance(target, Name))
    for node in nodes(function.body):
        match node:
            case Call(func=Attr(base=Name() | Attr() as store, name=how), args=args) if how in ADDS and args:
                value = args[-1].value
            case Assign(target=Index(base=Name() | Attr() as store), value=value, op=""):
                pass
            case _:
                continue
        if not isinstance(store, Name) or store.name not in local:
            yield tail(store), value


def _gives_back_function(function: Function, functions: tuple[Function, ...]) -> bool:
    """Whether it returns what it was given, or a function written in it."""
    inner = {other.name for other in functions if other.parent is not None and functions[other.parent] is function}
    inner.update(param.name for param in function.params)
    returned = [node.value for node in nodes(function.body) if isinstance(node, Return)]
    return any(isinstance(value, Name) and value.name in inner for value in returned)


def _describes(kept: Expr, row: Framework) -> bool:
    """Whether what is kept has a part that is called a description."""
    names = _names(row.description)
    for node in nodes((Return(kept.span, kept),)):
        if isinstance(node, Map) and any(_text(entry.key) in names for entry in node.entries):
            return True
        if isinstance(node, Call) and any(arg.name in names for arg in node.args):
            return True
    return False


def _text(key: Expr | None) -> str:
    return "".join(getattr(piece, "text", "") for piece in key.pieces) if isinstance(key, Str) else ""


def _reads_docstring(function: Function) -> bool:
    return any(isinstance(node, Attr | Name) and node.name in DOCSTRINGS for node in nodes(function.body))
