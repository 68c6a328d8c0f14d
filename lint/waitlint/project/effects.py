"""Tools that are said to only read: where that is said, and where their code writes all the same."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from waitlint.catalog.writes import load_writes
from waitlint.facts import Arg, Assign, Attr, Call, Const, Define, Entry, Expr, Func, If, Name, Str
from waitlint.finding import Evidence, Place
from waitlint.interpret.alternatives import options
from waitlint.interpret.syntax import nodes
from waitlint.interpret.values import External, FunctionRef, Instance, MethodOf, Outside, Value
from waitlint.linked import Tool
from waitlint.project.sources import Sources
from waitlint.project.world import ProjectWorld
from waitlint.spelled import names_bound, root, within

HINT = "readOnlyHint"
HINTS = (HINT, "read_only_hint")
DEEP = 3
# What a tool keeps for itself changes nothing that anyone asked it to leave alone.
OWN = re.compile(
    r"(?i:cache|temporary|\blogs?\b|log_file|scratch|lock|history|session|metadata|marker|sentinel|pid_?file|tempfile)|"
    r"(?<![a-zA-Z])[Tt]e?mp(?![a-z])|(?<=[a-z])Te?mp(?![a-z])|(?<![A-Z])TE?MP(?![A-Z])"
)


class Effects:
    """Answers for each tool whether it is said to only read, and whether it does."""

    def __init__(self, world: ProjectWorld, sources: Sources) -> None:
        self.world = world
        self.sources = sources
        self._by_text: dict[str, dict[str, list[Call]]] = {}

    # ------------------------------------------------------------ what is said

    def said_to_read(self, tool: Tool) -> Evidence | None:
        """Where the annotations of a tool say that it only reads."""
        facts = self.world.files.get(tool.place.path)
        if facts is None or facts.language == "json":
            return None
        own = tool.handler is not None and tool.handler.path == tool.place.path
        index = self.world.function_at(tool.handler) if own and tool.handler is not None else None
        for decorator in facts.functions[index].decorators if index is not None else ():
            if (hint := _hint(decorator)) is not None:
                return self._evidence(tool.place.path, hint)
        for call in self._calls_with(tool.place.path).get(tool.name, ()):
            if within(tool.place.span, call.span) and (hint := _hint(call)) is not None:
                return self._evidence(tool.place.path, hint)
        return None

    def _calls_with(self, path: str) -> Mapping[str, list[Call]]:
        """The calls in a file by the text that is their first argument: a tool's name, where one makes a tool."""
        known = self._by_text.get(path)
        if known is None:
            known = self._by_text[path] = {}
            facts = self.world.files[path]
            for node in nodes((*facts.body, *(stmt for function in facts.functions for stmt in function.body))):
                first = node.args[0].value if isinstance(node, Call) and node.args else None
                if isinstance(node, Call) and isinstance(first, Str) and first.literal is not None:
                    known.setdefault(first.literal, []).append(node)
        return known

    def _evidence(self, path: str, hint: Entry | Arg) -> Evidence:
        span = hint.span if isinstance(hint, Entry) else hint.value.span
        return Evidence(Place(path, span), f"`{HINT}` says that it only reads")

    # ------------------------------------------------------------ what is done

    def writes(self, tool: Tool) -> Evidence | None:
        """A place in the code of a tool that writes."""
        index = self.world.function_at(tool.handler) if tool.handler is not None else None
        return self.of_function(tool.handler.path, index) if tool.handler is not None and index is not None else None

    def of_function(self, path: str, index: int) -> Evidence | None:
        """A place in a tool's function, or in what it calls, that writes, or that runs whatever command it is given."""
        return self._in(path, index, DEEP, set()) or self._shell(path, index)

    def _shell(self, path: str, index: int) -> Evidence | None:
        """Where a function runs a command that is its own argument, and that nothing in it looks at before."""
        facts = self.world.files[path]
        names = {param.name for param in facts.functions[index].params} - {"self", "cls", "this"}
        table = load_writes("python" if facts.language == "notebook" else facts.language)
        frame = self.world.frame_for(path, index)
        for node in self._nodes(path, index):
            if isinstance(node, If) and names & {getattr(one, "name", "") for one in _expressions(node.test)}:
                return None
            if not isinstance(node, Call) or not node.args or root(node.args[0].value) not in names:
                continue
            for _, option in options(self.world.evaluate(node.func, frame)):
                if isinstance(option, External) and table.is_command(option.name):
                    place = Place(path, node.span)
                    return Evidence(place, f"`{self.sources.code(place)}` runs any command")
        return None

    def _in(self, path: str, index: int, depth: int, seen: set[tuple[str, int]]) -> Evidence | None:
        if depth <= 0 or (path, index) in seen:
            return None
        seen.add((path, index))
        facts = self.world.files[path]
        frame = self.world.frame_for(path, index)
        for node in self._nodes(path, index):
            if not isinstance(node, Call):
                continue
            func = self.world.evaluate(node.func, frame)
            if self._is_write(node, func, facts.language) and not self._is_own(path, index, node):
                return Evidence(Place(path, node.span), f"`{self.sources.code(Place(path, node.span))}` writes")
            for _, option in options(func):
                if isinstance(option, FunctionRef):
                    found = self._in(option.path, option.index, depth - 1, seen)
                    if found is not None:
                        return found
        return None

    def _is_own(self, path: str, index: int, call: Call) -> bool:
        """Whether what is written is the tool's own, by its name or by how the function made that name."""
        body = self.world.files[path].functions[index].body
        names = {arg.value.name for arg in call.args if isinstance(arg.value, Name)} | {root(call.func)}
        spans = [call.span]
        for _ in range(DEEP):
            made = [
                node.value for node in nodes(body) if isinstance(node, Assign) and names & set(names_bound(node.target))
            ]
            spans.extend(value.span for value in made)
            names = {node.name for node in nodes(tuple(made)) if isinstance(node, Name)}
        return any(OWN.search(self.sources.code(Place(path, span))) for span in spans)

    def _nodes(self, path: str, index: int) -> Iterator[object]:
        """Every node of a function, and of those that are written in it."""
        functions = self.world.files[path].functions
        stack = [index]
        while stack:
            for node in nodes(functions[stack.pop()].body):
                yield node
                if isinstance(node, Func | Define) and len(stack) < DEEP:
                    stack.append(node.index)

    def _is_write(self, call: Call, func: Value, language: str) -> bool:
        table = load_writes("python" if language == "notebook" else language)
        for _, option in options(func):
            if isinstance(option, External) and table.is_call(option.name):
                return True
            if isinstance(option, External) and option.name in ("open", "builtins.open", "io.open"):
                return self._mode(call) in table.modes
            is_own = isinstance(option, FunctionRef | Instance)
            if isinstance(call.func, Attr) and call.func.name in table.methods and not is_own:
                return isinstance(option, MethodOf | Outside | External)
            if isinstance(call.func, Attr) and call.func.name == "open" and isinstance(option, MethodOf | Outside):
                return self._mode(call, 0) in table.modes
        return False

    def _mode(self, call: Call, position: int = 1) -> str:
        given: Expr | None = next((arg.value for arg in call.args if arg.name == "mode"), None)
        plain = [arg.value for arg in call.args if arg.name is None]
        if given is None and len(plain) > position:
            given = plain[position]
        return (given.literal or "") if isinstance(given, Str) else ""


def _expressions(expr: object) -> Iterator[object]:
    """An expression and all that it holds."""
    yield expr
    if hasattr(expr, "__struct_fields__"):
        for name in expr.__struct_fields__:
            yield from _expressions(getattr(expr, name))
    elif isinstance(expr, tuple):
        for item in expr:
            yield from _expressions(item)


def _hint(expr: Expr) -> Entry | Arg | None:
    """The hint that something only reads, somewhere in an expression, if it is set."""
    stack: list[object] = [expr]
    while stack:
        node = stack.pop()
        if isinstance(node, Arg) and node.name in HINTS and _is_true(node.value):
            return node
        if isinstance(node, Entry) and node.key is not None and _key(node.key) == HINT and _is_true(node.value):
            return node
        if hasattr(node, "__struct_fields__") and not isinstance(node, Func):
            stack.extend(getattr(node, name) for name in node.__struct_fields__)
        elif isinstance(node, tuple):
            stack.extend(node)
    return None


def _is_true(expr: Expr) -> bool:
    return isinstance(expr, Const) and expr.value is True


def _key(expr: Expr) -> str:
    if isinstance(expr, Str):
        return expr.literal or ""
    return expr.name if isinstance(expr, Name) else ""
