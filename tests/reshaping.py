"""Changes to any fixture project that leave it doing what it did: local names, one more helper, ways for a signal.

Each gives the changed files of a project, or nothing where it has no place for the change.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from pathlib import PurePosixPath

import tree_sitter_typescript
from tree_sitter import Language, Node, Parser

Tree = dict[str, str]
Edit = tuple[int, int, str]
SIGNALS = ("signal", "abortSignal")


def edited(text: str, edits: list[Edit]) -> str:
    for start, end, fresh in sorted(edits, reverse=True):
        text = text[:start] + fresh + text[end:]
    return text


def each_python(tree: Tree, change: Callable[[str, ast.Module], str]) -> Tree:
    """The project with a change in each Python file that parses."""
    changed: Tree = {}
    for path, text in tree.items():
        if path.endswith(".py"):
            try:
                module = ast.parse(text)
            except SyntaxError:
                return {}
            fresh = change(text, module)
            ast.parse(fresh)
            if fresh != text:
                changed[path] = fresh
    return {**tree, **changed} if changed else {}


class _Offsets:
    """Offsets of the places that `ast` gives as line and byte column."""

    def __init__(self, text: str) -> None:
        self._lines = text.splitlines(keepends=True)
        self._starts = [0]
        for line in self._lines:
            self._starts.append(self._starts[-1] + len(line))

    def of(self, line: int, column: int) -> int:
        return self._starts[line - 1] + len(self._lines[line - 1].encode()[:column].decode())

    def span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        return self.of(node.lineno, node.col_offset), self.of(node.end_lineno or 0, node.end_col_offset or 0)


Functions = ast.FunctionDef | ast.AsyncFunctionDef


def python_locals_renamed(tree: Tree) -> Tree:
    """Every local variable of every function gets a name that says nothing."""
    return each_python(tree, _locals_renamed)


def _locals_renamed(text: str, module: ast.Module) -> str:
    offsets = _Offsets(text)
    edits: dict[int, Edit] = {}
    count = 0
    for function in (node for node in ast.walk(module) if isinstance(node, Functions)):
        inner = [node for node in ast.walk(function) if node is not function]
        if any(isinstance(node, ast.Global | ast.Nonlocal | ast.ClassDef | Functions | ast.Lambda) for node in inner):
            continue
        if any(isinstance(node, ast.JoinedStr) for node in inner):
            continue
        taken = {argument.arg for argument in ast.walk(function.args) if isinstance(argument, ast.arg)}
        names = {node.id for node in inner if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)} - taken
        fresh = {name: f"thing_{count + i}" for i, name in enumerate(sorted(names))}
        count += len(fresh)
        for node in inner:
            if isinstance(node, ast.Name) and node.id in fresh:
                start, end = offsets.span(node)
                edits[start] = (start, end, fresh[node.id])
    return edited(text, list(edits.values()))


def python_wrapped(tree: Tree) -> Tree:
    """Every helper at the top of a file is called through one more function, which takes and hands on the same."""
    code = "\n".join(text for path, text in tree.items() if path.endswith(".py"))
    return each_python(tree, lambda text, module: _helpers_wrapped(text, module, code))


def _helpers_wrapped(text: str, module: ast.Module, code: str) -> str:
    """`code` is that of the whole project: a helper that is anywhere handed on by its name is left alone."""
    lines = text.splitlines(keepends=True)
    edits: list[Edit] = []
    offsets = _Offsets(text)
    for node in module.body:
        if not isinstance(node, Functions) or node.decorator_list or not _is_only_called(node.name, code):
            continue
        if node.args.vararg or node.args.kwarg or node.args.posonlyargs or _yields(node):
            continue
        start = offsets.of(node.lineno, node.col_offset)
        head = lines[node.lineno - 1 : node.body[0].lineno - 1]
        if not head or not head[-1].rstrip().endswith(":"):
            continue
        given = [argument.arg for argument in node.args.args]
        handed = ", ".join([*given, *(f"{a.arg}={a.arg}" for a in node.args.kwonlyargs)])
        is_async = isinstance(node, ast.AsyncFunctionDef)
        wrapper = f"{''.join(head)}    return {'await ' if is_async else ''}inner_{node.name}({handed})\n\n\n"
        name = text.index(node.name, start)
        edits.append((start, start, wrapper))
        edits.append((name, name, "inner_"))
    return edited(text, edits)


def _is_only_called(name: str, code: str) -> bool:
    uses = re.findall(rf"(?<![\w\"'])(import [^\n]*|def )?\b{re.escape(name)}\b(\()?", code)
    called = [call for before, call in uses if not before]
    return bool(called) and all(called)


def _yields(node: Functions) -> bool:
    return any(isinstance(inner, ast.Yield | ast.YieldFrom) for inner in ast.walk(node))


def python_constants_moved(tree: Tree) -> Tree:
    """The numbers at the top of each file go to a file of their own in the same folder."""
    result: Tree = {}
    for path, text in tree.items():
        if not path.endswith(".py") or path.endswith("__init__.py") or re.search(r"^\s*(?:from|import) \.", text, re.M):
            continue
        try:
            module = ast.parse(text)
        except SyntaxError:
            return {}
        offsets = _Offsets(text)
        moved = [node for node in module.body if _is_number(node)]
        first = next((node for node in module.body if isinstance(node, ast.Import | ast.ImportFrom)), None)
        if not moved or first is None or "# expect" in "".join(text[slice(*offsets.span(node))] for node in moved):
            continue
        stem = f"numbers_of_{PurePosixPath(path).stem}"
        folder = PurePosixPath(path).parent
        names = [text[slice(*offsets.span(node))].partition("=")[0].strip() for node in moved]
        dotted = ".".join((*folder.parts, stem)) if folder.parts else stem
        at = max(offsets.span(n)[1] for n in module.body if isinstance(n, ast.Import | ast.ImportFrom)) + 1
        edits = [(*offsets.span(node), "") for node in moved]
        result[(folder / f"{stem}.py").as_posix()] = "".join(text[slice(*offsets.span(node))] + "\n" for node in moved)
        result[path] = edited(text, [*edits, (at, at, f"from {dotted} import {', '.join(names)}\n")])
    return {**tree, **result} if result else {}


def _is_number(node: ast.stmt) -> bool:
    if not isinstance(node, ast.Assign) or not isinstance(node.targets[0], ast.Name):
        return False
    inner = [part for part in ast.walk(node.value) if not isinstance(part, ast.operator | ast.unaryop)]
    return all(
        isinstance(part, ast.BinOp | ast.UnaryOp)
        or (isinstance(part, ast.Constant) and isinstance(part.value, int | float))
        for part in inner
    )


# ---------------------------------------------------------------- TypeScript


_PARSER = Parser(Language(tree_sitter_typescript.language_typescript()))


def each_typescript(tree: Tree, change: Callable[[str, Node], list[Edit]]) -> Tree:
    changed: Tree = {}
    for path, text in tree.items():
        if path.endswith(".ts") and text.isascii():
            root = _PARSER.parse(text.encode()).root_node
            if root.has_error:
                return {}
            fresh = edited(text, change(text, root))
            assert not _PARSER.parse(fresh.encode()).root_node.has_error, fresh
            if fresh != text:
                changed[path] = fresh
    return {**tree, **changed} if changed else {}


def _nodes(node: Node) -> Iterator[Node]:
    yield node
    for child in node.children:
        yield from _nodes(child)


def _of(node: Node | None) -> str:
    return node.text.decode() if node is not None and node.text is not None else ""


def _handlers(root: Node) -> Iterator[tuple[Node, Node, Node, str]]:
    """Arrow functions that take a signal out of a parameter: function, parameter, name there, and the name."""
    for node in _nodes(root):
        parameters = node.child_by_field_name("parameters") if node.type == "arrow_function" else None
        for parameter in parameters.named_children if parameters is not None else ():
            pattern = parameter.child_by_field_name("pattern")
            if pattern is None or pattern.type != "object_pattern":
                continue
            for part in pattern.named_children:
                if part.type == "shorthand_property_identifier_pattern" and _of(part) in SIGNALS:
                    yield node, parameter, part, _of(part)


def _uses(function: Node, name: str, fresh: str) -> list[Edit]:
    """The uses of a name in a function, with another expression in its place."""
    body = function.child_by_field_name("body")
    found: list[Edit] = []
    for node in _nodes(body) if body is not None else ():
        if node.type == "identifier" and _of(node) == name:
            found.append((node.start_byte, node.end_byte, fresh))
        elif node.type == "shorthand_property_identifier" and _of(node) == name:
            found.append((node.start_byte, node.end_byte, f"{name}: {fresh}"))
    return found


def _is_plain(function: Node, name: str) -> bool:
    """Whether nothing in a function declares the name anew."""
    body = function.child_by_field_name("body")
    return body is not None and not any(
        (node.type == "shorthand_property_identifier_pattern" and _of(node) == name)
        or (node.type == "variable_declarator" and _of(node.child_by_field_name("name")) == name)
        or (node.type == "required_parameter" and _of(node.child_by_field_name("pattern")) == name)
        for node in _nodes(body)
    )


def signal_renamed(tree: Tree) -> Tree:
    """`{ signal }` becomes `{ signal: halt }`."""

    def change(_: str, root: Node) -> list[Edit]:
        edits: list[Edit] = []
        for function, _parameter, part, name in _handlers(root):
            if _is_plain(function, name):
                edits.append((part.start_byte, part.end_byte, f"{name}: halt"))
                edits.extend(_uses(function, name, "halt"))
        return edits

    return each_typescript(tree, change)


def _first(function: Node) -> int | None:
    body = function.child_by_field_name("body")
    return body.start_byte + 1 if body is not None and body.type == "statement_block" else None


def signal_taken_inside(tree: Tree) -> Tree:
    """`({ signal })` becomes `(extra)` with `const { signal } = extra` first."""

    def change(text: str, root: Node) -> list[Edit]:
        edits: list[Edit] = []
        for function, parameter, _part, _name in _handlers(root):
            at, pattern = _first(function), parameter.child_by_field_name("pattern")
            if at is not None and pattern is not None and "=" not in _of(pattern):
                edits.append((pattern.start_byte, pattern.end_byte, "extra"))
                edits.append((at, at, f"\n  const {text[pattern.start_byte : pattern.end_byte]} = extra;"))
        return edits

    return each_typescript(tree, change)


def _held(made: str, fresh: str, above: str = "") -> Callable[[Tree], Tree]:
    def change(text: str, root: Node) -> list[Edit]:
        edits: list[Edit] = []
        for function, _parameter, _part, name in _handlers(root):
            at = _first(function)
            if at is not None and _is_plain(function, name):
                edits.append((at, at, f"\n  const holder = {made.format(name)};"))
                edits.extend(_uses(function, name, fresh))
        if edits and above:
            imports = [node.end_byte for node in root.children if node.type == "import_statement"]
            at = max(imports, default=0)
            edits.append((at, at, f"\n{above}\n"))
        return edits

    return lambda tree: each_typescript(tree, change)


signal_in_options = _held("{{ halt: {0} }}", "holder.halt")
signal_in_field = _held(
    "new Holder({0})", "holder.halt", "class Holder {\n  constructor(readonly halt: AbortSignal | undefined) {}\n}"
)


def typescript_locals_renamed(tree: Tree) -> Tree:
    """Every variable of every function that is declared once, and never a key, gets a name that says nothing."""

    def change(_: str, root: Node) -> list[Edit]:
        keys = {_of(node) for node in _nodes(root) if "shorthand_property" in node.type}
        declared: dict[str, int] = {}
        bound: set[str] = set()
        for node in _nodes(root):
            if node.type == "variable_declarator":
                name = node.child_by_field_name("name")
                if name is not None and name.type == "identifier":
                    declared[_of(name)] = declared.get(_of(name), 0) + (1 if _is_inside(node) else 9)
            elif node.type in ("required_parameter", "optional_parameter", "import_specifier", "namespace_import"):
                bound |= {_of(inner) for inner in _nodes(node) if "identifier" in inner.type}
            elif node.type in ("function_declaration", "class_declaration"):
                bound.add(_of(node.child_by_field_name("name")))
        names = [name for name, count in declared.items() if count == 1 and name not in keys | bound]
        fresh = {name: f"thing{index}" for index, name in enumerate(names)}
        return [
            (node.start_byte, node.end_byte, fresh[_of(node)])
            for node in _nodes(root)
            if node.type == "identifier" and _of(node) in fresh
        ]

    return each_typescript(tree, change)


def _is_inside(node: Node) -> bool:
    parent = node.parent
    while parent is not None:
        if parent.type in ("arrow_function", "function_declaration", "method_definition", "function_expression"):
            return True
        parent = parent.parent
    return False


CHANGES: dict[str, Callable[[Tree], Tree]] = {
    "python-locals": python_locals_renamed,
    "python-wrapped": python_wrapped,
    "python-constants": python_constants_moved,
    "typescript-locals": typescript_locals_renamed,
    "signal-renamed": signal_renamed,
    "signal-inside": signal_taken_inside,
    "signal-in-options": signal_in_options,
    "signal-in-field": signal_in_field,
}
