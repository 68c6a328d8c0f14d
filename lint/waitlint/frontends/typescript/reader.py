"""The state of reading one file, and the ways from a syntax node to a fact."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from tree_sitter import Node

from waitlint.facts import Class, Do, Export, Expr, FileFacts, Func, Function, Name, Opaque, Span, Stmt, Str
from waitlint.frontends.typescript.classes import class_expression
from waitlint.frontends.typescript.expressions import EXPRESSIONS, TYPE_ONLY
from waitlint.frontends.typescript.functions import FUNCTION_KINDS, Pending, build_function, hoisted_names
from waitlint.frontends.typescript.salvage import outside_functions, salvage
from waitlint.frontends.typescript.scopes import Scope
from waitlint.frontends.typescript.statements import STATEMENTS, is_hoisted
from waitlint.frontends.typescript.syntax import COMMENTS, NO_PART, Tree
from waitlint.frontends.typescript.types import TYPES
from waitlint.source import Source

# What is nested deeper is left out: neither this front end nor anything that walks the facts may run out of stack.
MAX_DEPTH = 150

# Marks around an expression that say nothing about its value.
TRANSPARENT = frozenset(
    {
        "parenthesized_expression",
        "as_expression",
        "satisfies_expression",
        "non_null_expression",
        "type_assertion",
        "instantiation_expression",
    }
)


class Reader:
    """Reads nodes of one file. Bodies of functions wait in a queue, so that nesting them costs no stack.

    `depth` is how deep the fact that is being made will stand in its body. `ambient` is set inside of `declare`.
    `exported_at` are the exports of the namespace that is read. `salvaged` are the broken nodes that were looked into.
    """

    max_depth = MAX_DEPTH
    type_only = TYPE_ONLY
    statement_kinds = STATEMENTS.keys()

    def __init__(self, source: Source) -> None:
        self.source = source
        self.text = source.text
        self.functions: list[Function | None] = []
        self.classes: list[Class | None] = []
        self.exports: list[Export] = []
        self.exported_at: dict[str, Span] = {}
        self.depth = 0
        self.scope = Scope(None)
        self.pending: deque[Pending] = deque()
        self.made_up = 0
        self.salvaged: set[tuple[int, int]] = set()
        self.deepest: int | None = None
        self.ambient = False

    # ------------------------------------------------------------ expressions

    def expr(self, node: Node) -> Expr:
        kind = node.type
        if kind == "identifier":
            start, end = node.byte_range
            if start != end:
                return Name(Span(start, end), self.text[start:end])
            return Opaque(Span(start, end))
        while kind in TRANSPARENT:
            inner = self.inside(node)
            if inner is None:
                return Opaque(Span(*node.byte_range))
            node, kind = inner, inner.type
        handler = EXPRESSIONS.get(kind)
        if handler is None:
            return self.other(node)
        depth = self.depth
        if depth >= MAX_DEPTH:
            return self.too_deep(node)
        self.depth = depth + 1
        value = handler(self, node)
        self.depth = depth
        return value

    def inside(self, node: Node) -> Node | None:
        """The expression that a transparent node holds."""
        found = self.solid(node)
        if not found:
            return None
        return found[-1] if node.type == "type_assertion" else found[0]

    def bare(self, node: Node) -> Node:
        """A node without what is transparent around it."""
        while node.type in TRANSPARENT:
            inner = self.inside(node)
            if inner is None:
                break
            node = inner
        return node

    def named(self, node: Node, name: str, at: Span) -> Expr:
        """The expression that is bound to a name: a function or class without its own name takes that."""
        kind = node.type
        if kind in TRANSPARENT:
            node = self.bare(node)
            kind = node.type
        if kind in FUNCTION_KINDS:
            return self.function(node, name, at)
        if kind == "class":
            return class_expression(self, node, name, at)
        return self.expr(node)

    def function(self, node: Node, name: str, at: Span | None, *, owner: int | None = None) -> Func:
        """A function in place; its body is read later."""
        index = self.queue(Pending(node, name, at, owner, self.scope.function))
        return Func(Span(*node.byte_range), index)

    def queue(self, pending: Pending) -> int:
        index = len(self.functions)
        self.functions.append(None)
        self.pending.append(pending._replace(number=index))
        return index

    def other(self, node: Node) -> Expr:
        """What the facts have no word for, with the expressions that stand in it."""
        span = Span(*node.byte_range)
        if node.type in TYPE_ONLY:
            return Opaque(span)
        if self.depth >= MAX_DEPTH:
            return self.too_deep(node)
        self.depth += 1
        parts = tuple([self.expr(child) for child in self.solid(node) if child.type not in TYPE_ONLY])
        self.depth -= 1
        return Opaque(span, parts)

    def type(self, node: Node) -> Expr:
        """A type as an expression."""
        handler = TYPES.get(node.type)
        if handler is None:
            return self.expr(node)
        depth = self.depth
        if depth >= MAX_DEPTH:
            return self.too_deep(node)
        self.depth = depth + 1
        value = handler(self, node)
        self.depth = depth
        return value

    def annotation(self, node: Node | None) -> Expr | None:
        """The type after a colon."""
        if node is None:
            return None
        children = self.solid(node)
        return self.type(children[-1]) if children else None

    # ------------------------------------------------------------ statements

    def block(self, nodes: Iterable[Node]) -> tuple[Stmt, ...]:
        """Statements in order, functions before all others, as they can be called before their place."""
        first: list[Stmt] = []
        rest: list[Stmt] = []
        depth = self.depth
        if depth >= MAX_DEPTH:
            return tuple([Do(Span(*node.byte_range), self.too_deep(node)) for node in list(nodes)[:1]])
        self.depth = depth + 1
        for node in nodes:
            kind = node.type
            handler = STATEMENTS.get(kind)
            if handler is not None:
                handler(self, node, first if is_hoisted(node, kind) else rest)
            elif node.is_error:
                self.salvage(node, rest)
            elif node.is_named and kind not in COMMENTS:
                value = self.expr(node)
                rest.append(Do(value.span, value))
        self.depth = depth
        return (*first, *rest) if first else tuple(rest)

    def body(self, node: Node | None) -> tuple[Stmt, ...]:
        """A block, or the one statement that stands for it."""
        if node is None:
            return ()
        return self.block(node.named_children if node.type == "statement_block" else (node,))

    def salvage(self, node: Node, out: list[Stmt]) -> None:
        """Read what can be read of what the grammar did not understand."""
        self.salvaged.add(node.byte_range)
        salvage(self, node, out)

    # ------------------------------------------------------------ the queue

    def drain(self) -> None:
        """Read the bodies of all functions found so far and of those found in them."""
        while self.pending:
            pending = self.pending.popleft()
            self.depth = 0
            self.scope = Scope(pending.number)
            self.functions[pending.number] = build_function(self, pending)
        self.depth = 0

    # ------------------------------------------------------------ small things

    def solid(self, node: Node) -> list[Node]:
        """The named children, without comments and without what was not understood."""
        return [child for child in node.named_children if child.type not in NO_PART]

    def fields(self, node: Node, *names: str) -> list[Node]:
        """The children that stand for `names`, as far as they are there."""
        return [field for name in names if (field := node.child_by_field_name(name)) is not None]

    def word(self, node: Node) -> str:
        return self.text[node.start_byte : node.end_byte]

    def made_up_name(self, span: Span) -> Name:
        """A name for a value in between, which no other place of the file uses."""
        self.made_up += 1
        return Name(span, f"$v{self.made_up}")

    def too_deep(self, node: Node) -> Opaque:
        if self.deepest is None:
            self.deepest = node.start_byte
        return Opaque(Span(*node.byte_range))

    def literal(self, node: Node) -> str | None:
        """The text of a string literal."""
        if node.type not in ("string", "template_string"):
            return None
        value = self.expr(node)
        return value.literal if isinstance(value, Str) else None


# How many places that were not understood are named one by one.
_NAMED_PROBLEMS = 3


def read_tree(tree: Tree, surface: str) -> FileFacts:
    """The facts of a syntax tree."""
    reader = Reader(tree.source)
    root = tree.root
    body: list[Stmt] = []
    if root.is_error:
        reader.salvage(root, body)
    else:
        body.extend(reader.block(root.named_children))
    module = reader.scope
    reader.drain()
    errors = tree.errors()
    if errors:
        body = outside_functions([*body, *_left_out(reader, errors, module)])
    reader.scope = module
    return FileFacts(
        language="typescript",
        surface=surface,
        body=(*hoisted_names(reader, set()), *body),
        functions=tuple([function for function in reader.functions if function is not None]),
        classes=tuple([found for found in reader.classes if found is not None]),
        exports=tuple(reader.exports),
        comments=tree.comments(),
        problems=tuple(_problems(reader, errors)),
    )


def _left_out(reader: Reader, errors: list[Node], module: Scope) -> list[Stmt]:
    """What stands in broken places that no handler looked into."""
    found: list[Stmt] = []
    for node in errors:
        if node.is_error and node.byte_range not in reader.salvaged:
            reader.scope = module
            reader.salvage(node, found)
            reader.drain()
    return found


def _problems(reader: Reader, errors: list[Node]) -> list[str]:
    found: list[str] = []
    lines = sorted({reader.source.position(node.start_byte)[0] for node in errors})
    found.extend(f"line {line}: syntax that was not understood" for line in lines[:_NAMED_PROBLEMS])
    if len(lines) > _NAMED_PROBLEMS:
        found.append(f"syntax that was not understood on {len(lines) - _NAMED_PROBLEMS} more lines")
    if reader.deepest is not None:
        line = reader.source.position(reader.deepest)[0]
        found.append(f"line {line}: nested too deep, what is inside was left out")
    return found
