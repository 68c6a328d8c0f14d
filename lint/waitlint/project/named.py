"""The code behind a tool that is written down as a schema: what the project runs for its name."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from waitlint.facts import Assign, Binary, Call, Do, Expr, Function, If, Name, Stmt, Str
from waitlint.interpret.alternatives import options
from waitlint.interpret.frames import FIXED, Frame
from waitlint.interpret.syntax import nodes, statements_in
from waitlint.interpret.values import FunctionRef, ModelArgument, Textual, Unknown, Value
from waitlint.project.world import CODE, ProjectWorld

Args = list[tuple[str | None, Value]]
Plan = tuple[FunctionRef, Args]
WHOLE_INPUT = frozenset(
    {"arguments", "args", "input", "inputs", "params", "parameters", "tool_input", "tool_args", "kwargs"}
)
# What stands in such a folder runs nothing outside of it.
EXAMPLES = frozenset({"example", "examples", "sample", "samples", "demo", "demos"})
MOST_FILES = 300
MOST_BODIES = 2


@dataclass(frozen=True, slots=True)
class Asked:
    """A branch that is taken for the name of a tool: `subject` is what is compared with it."""

    subject: Expr
    branch: tuple[Stmt, ...]
    path: str
    function: int | None
    test: If


class NamedBodies:
    """Finds what runs for a name: a map of functions, a comparison, a function of the same name."""

    def __init__(self, world: ProjectWorld) -> None:
        self.world = world
        self._asked: dict[str, dict[str, list[Asked]]] = {}
        self._mapped: dict[str, dict[str, list[tuple[Expr, int | None]]]] = {}

    def plans(self, named: Textual, near: str, input_: ModelArgument) -> list[Plan]:
        """The functions that run for a tool, each with the arguments that it is called with."""
        name = named.literal or ""
        for files in self._rings(near):
            for find in (self._from_map, self._from_branch, self._of_same_name):
                plans = [plan for path in files for plan in find(path, name, named, input_)]
                if plans:
                    most = 1 if find == self._of_same_name else MOST_BODIES
                    return plans if len({(ref.path, ref.index) for ref, _ in plans}) <= most else []
        return []

    def _rings(self, near: str) -> Iterator[list[str]]:
        """The file itself, its folder, and the files of its package."""
        folder = near.rpartition("/")[0]
        around = self._below.get(folder, [])
        if near in around:
            yield [near]
        yield [path for path in around if path.rpartition("/")[0] == folder and path != near]
        top = folder
        while top:
            inside = self._below.get(top, [])
            if len(inside) > MOST_FILES:
                return
            yield inside
            if top.rpartition("/")[2] in EXAMPLES:
                return
            top = top.rpartition("/")[0]
        code = self._below.get("", [])
        if len(code) <= MOST_FILES:
            yield code

    @cached_property
    def _below(self) -> dict[str, list[str]]:
        """The files of code in a folder and below it; all are below ""."""
        found: dict[str, list[str]] = {}
        for path, facts in self.world.files.items():
            folder = path if facts.language in CODE else ""
            while folder:
                folder = folder.rpartition("/")[0]
                found.setdefault(folder, []).append(path)
        return found

    # ------------------------------------------------------------ a map of functions

    def _from_map(self, path: str, name: str, named: Textual, input_: ModelArgument) -> Iterator[Plan]:
        known = self._mapped.get(path)
        if known is None:
            known = self._mapped[path] = {}
            for found in self.world.maps(path):
                for entry in found.map.entries:
                    if isinstance(entry.key, Str) and entry.key.literal and not isinstance(entry.value, Str):
                        known.setdefault(entry.key.literal, []).append((entry.value, found.function))
        for value, function in known.get(name, ()):
            for _, option in options(self.world.evaluate(value, self.world.frame_for(path, function))):
                if isinstance(option, FunctionRef):
                    yield option, self._arguments(option, named, input_)

    # ------------------------------------------------------------ a comparison

    def _from_branch(self, path: str, name: str, named: Textual, input_: ModelArgument) -> Iterator[Plan]:
        known = self._asked.get(path)
        if known is None:
            known = self._asked[path] = {}
            facts = self.world.facts(path)
            for index in (None, *range(len(facts.functions))):
                body = facts.body if index is None else facts.functions[index].body
                for stmt in statements_in(body):
                    if isinstance(stmt, If):
                        for literal, subject in _compared(stmt.test):
                            known.setdefault(literal, []).append(Asked(subject, stmt.body, path, index, stmt))
        for asked in known.get(name, ()):
            yield from self._of_branch(asked, named, input_)

    def _of_branch(self, asked: Asked, named: Textual, input_: ModelArgument) -> Iterator[Plan]:
        facts = self.world.facts(asked.path)
        if asked.function is not None and isinstance(asked.subject, Name):
            function = facts.functions[asked.function]
            if any(param.name == asked.subject.name for param in function.params):
                receiver = self.world.frame_receiver(asked.path, function) if function.owner is not None else None
                ref = FunctionRef(asked.path, asked.function, self.world.parent_frame(asked.path, function), receiver)
                yield ref, self._dispatched(function, asked.subject.name, named, input_)
                return
            if _is_dispatcher(function, asked.subject.name, asked.test):
                receiver = self.world.frame_receiver(asked.path, function) if function.owner is not None else None
                ref = FunctionRef(asked.path, asked.function, self.world.parent_frame(asked.path, function), receiver)
                yield ref, _fixed(function, asked.subject.name, named, input_)
                return
        frame = self.world.frame_for(asked.path, asked.function)
        for node in nodes(asked.branch):
            if isinstance(node, Call):
                called = self.world.evaluate(node.func, frame)
                if isinstance(called, FunctionRef):
                    yield called, self._arguments(called, named, input_)

    def _dispatched(self, function: Function, name: str, named: Textual, input_: ModelArgument) -> Args:
        """The arguments of a function that is given the name and the input of a tool."""
        params = [param for param in function.params if param.kind in ("positional", "keyword")]
        if function.owner is not None and params:
            params = params[1:]
        others = [param.name for param in params if param.name != name]
        whole = [other for other in others if other in WHOLE_INPUT] or (others if len(others) == 1 else [])
        args: Args = [(name, named)]
        args.extend((other, input_ if other in whole else Unknown("an argument of the dispatcher")) for other in others)
        if any(param.kind == "keyword-rest" for param in function.params):
            args.extend(input_.fields.items())
        return args

    # ------------------------------------------------------------ a function of the same name

    def _of_same_name(self, path: str, name: str, named: Textual, input_: ModelArgument) -> Iterator[Plan]:
        if name.isidentifier() and name in self.world.bindings(path):
            found = self.world.global_value(path, name)
            if isinstance(found, FunctionRef):
                yield found, self._arguments(found, named, input_)

    def _arguments(self, ref: FunctionRef, named: Textual, input_: ModelArgument) -> Args:
        """The arguments of a function that does the work of one tool."""
        function = self.world.facts(ref.path).functions[ref.index]
        params = [param for param in function.params if param.kind in ("positional", "keyword")]
        if function.owner is not None and ref.receiver is not None and params:
            params = params[1:]
        fields = input_.fields
        args: Args = []
        for param in params:
            known = fields.get(param.name)
            if known is not None:
                default = self._default(ref, param.default) if known.default is None else known.default
                args.append((param.name, ModelArgument(param.name, default, known.maximum, known.place)))
            elif param.name in WHOLE_INPUT or (
                len(params) == 1 and not fields.keys() & {param.name} and len(fields) > 1
            ):
                args.append((param.name, input_))
            elif param.default is None:
                args.append((param.name, Unknown("an argument that is not the model's")))
        return args

    def _default(self, ref: FunctionRef, default: Expr | None) -> Value | None:
        return self.world.evaluate(default, Frame(ref.path, None, ref.frame)) if default is not None else None


def _is_dispatcher(function: Function, name: str, test: If) -> bool:
    """Whether a function finds out the name of a tool at its start, and then asks for each name in turn."""
    finds = any(name in _set_by(stmt) for stmt in function.body)
    for stmt in function.body:
        while isinstance(stmt, If):
            if stmt is test:
                return finds
            if len(stmt.orelse) != 1:
                break
            stmt = stmt.orelse[0]
    return False


def _set_by(stmt: Stmt) -> list[str]:
    match stmt:
        case Do(value=Assign(target=Name(name=name))):
            return [name]
        case _:
            return []


def _fixed(function: Function, name: str, named: Textual, input_: ModelArgument) -> Args:
    """A function that finds out the name of a tool and its input: what it takes for them."""
    own = {name for stmt in function.body for name in _set_by(stmt)}
    inputs = sorted(own & WHOLE_INPUT)
    args: Args = [(f"{FIXED}{name}", named), *((f"{FIXED}{one}", input_) for one in inputs[:1])]
    return [*args, ("**", Unknown("an argument of the dispatcher"))]


def _compared(test: Expr) -> Iterator[tuple[str, Expr]]:
    """The strings that a test compares something with, and what it compares."""
    stack = [test]
    while stack:
        node = stack.pop()
        if isinstance(node, Binary):
            if node.op in ("or", "and"):
                stack.extend((node.left, node.right))
            elif node.op == "==":
                for one, other in ((node.left, node.right), (node.right, node.left)):
                    if isinstance(one, Str) and one.literal:
                        yield one.literal, other
