"""The code that a loop runs: its own, and that of the functions it calls."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from waitlint.facts import Define, Expr, FileFacts, Func, Name, Stmt, Str
from waitlint.interpret.alternatives import options
from waitlint.interpret.events import LoopRun
from waitlint.interpret.frames import Frame
from waitlint.interpret.syntax import nodes
from waitlint.interpret.values import Constant, Textual
from waitlint.project.agents.runs import AgentRun
from waitlint.project.world import ProjectWorld
from waitlint.spelled import function_around, within

DEEP = 2


class Code(Struct, frozen=True):
    """A block of a file that a loop runs. `index` is that of the function it stands in; `own` is the loop."""

    path: str
    index: int | None
    body: tuple[Stmt, ...]
    own: bool


class Reach:
    """All code of one loop.

    `inner` are the loops in its laps that ask a model by themselves: what they do and how they end is not its own.
    """

    def __init__(self, world: ProjectWorld, loop: LoopRun, run: AgentRun, inner: tuple[LoopRun, ...] = ()) -> None:
        self.world = world
        self.loop = loop
        self.path = loop.place.path
        index = function_around(world.files[self.path], loop.place.span)
        body = (*loop.loop.body, *loop.loop.update)
        entered = sorted(run.entered.get(loop.serial, set()))
        self.blocks = [Code(self.path, index, body, own=True)]
        self.blocks += [Code(path, at, world.files[path].functions[at].body, own=False) for path, at in entered]
        self.entered = entered
        self.inner = tuple(one.place for one in inner)
        self.inner_serials = frozenset(one.serial for one in inner)

    def is_inner(self, block: Code, node: Struct) -> bool:
        """Whether a node of a block is written in a loop of its own that asks a model."""
        span = getattr(node, "span", None)
        return span is not None and any(place.path == block.path and within(span, place.span) for place in self.inner)

    @property
    def own(self) -> Code:
        return self.blocks[0]

    def nodes(self) -> Iterator[tuple[Code, Struct]]:
        """Every statement and expression of it, those of functions written in place included."""
        for block in self.blocks:
            for node in deep_nodes(block.body, self.world.files[block.path]):
                yield block, node
        test = self.loop.loop.test
        if test is not None:
            for node in expressions(test):
                yield self.own, node

    def frame(self, block: Code) -> Frame:
        return self.world.frame_for(block.path, block.index)

    def literal(self, expr: Expr, block: Code) -> str | None:
        """The text that an expression is known to be: written there, or a constant's."""
        if isinstance(expr, Str):
            return expr.literal
        if not isinstance(expr, Name) and not _is_constant(expr):
            return None
        for _, option in options(self.world.evaluate(expr, self.frame(block))):
            if isinstance(option, Textual) and option.literal is not None:
                return option.literal
        return None

    def number(self, expr: Expr, block: Code) -> float | None:
        """The number that an expression is known to be."""
        for _, option in options(self.world.evaluate(expr, self.frame(block))):
            if isinstance(option, Constant) and option.number is not None:
                return option.number
        return None


def _is_constant(expr: Expr) -> bool:
    name = getattr(expr, "name", "")
    return isinstance(name, str) and name.isupper()


def deep_nodes(body: tuple[Stmt, ...], facts: FileFacts, depth: int = DEEP) -> Iterator[Struct]:
    """Every statement and expression below a block, those of functions written in it included."""
    for node in nodes(body):
        yield node
        if depth > 0 and (type(node) is Func or type(node) is Define):
            yield from deep_nodes(facts.functions[node.index].body, facts, depth - 1)


def expressions(expr: Expr) -> Iterator[Struct]:
    """Every expression in an expression, itself included."""
    stack: list[object] = [expr]
    while stack:
        node = stack.pop()
        if isinstance(node, Struct):
            yield node
            stack.extend(getattr(node, name) for name in reversed(node.__struct_fields__))
        elif isinstance(node, tuple):
            stack.extend(item for item in reversed(node) if isinstance(item, Struct | tuple))
