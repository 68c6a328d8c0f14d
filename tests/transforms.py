"""Changes to a repository after which it does what it did before: other names, other files for the same code.

They know just enough of Python and TypeScript for the repositories under `fixtures/story`.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from tree_sitter import Language, Node, Parser

Tree = dict[str, str]
CODE = (".py", ".ts")


def load(folder: Path) -> Tree:
    """The files of a repository by their relative paths."""
    return {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted(folder.rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    }


def store(tree: Tree, folder: Path) -> None:
    for path, text in tree.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")


# ---------------------------------------------------------------- names


class Names(NamedTuple):
    """New names for old ones: of the code's own identifiers, of tools (in texts as well), of files and folders."""

    code: Mapping[str, str]
    tools: Mapping[str, str]
    stems: Mapping[str, str]


def renamed(tree: Tree, names: Names) -> Tree:
    """The repository with other names. Raises AssertionError for a name that is nowhere."""
    used: set[str] = set()
    result: Tree = {}
    for path, text in tree.items():
        if path.endswith(CODE):
            text = _code_renamed(path, text, {**names.code, **names.tools}, names, used)
        text = _words_replaced(text, names.tools, used)
        parts = PurePosixPath(path).parts
        fresh = [_stem_renamed(part, names.stems, used) if path.endswith(CODE) else part for part in parts]
        result["/".join(fresh)] = text
    if "pyproject.toml" in result:
        result["pyproject.toml"] = _words_replaced(result["pyproject.toml"], names.stems, used)
    unused = {*names.code, *names.tools, *names.stems} - used
    assert not unused, f"names that nothing has: {sorted(unused)}"
    return result


def _stem_renamed(part: str, stems: Mapping[str, str], used: set[str]) -> str:
    stem, dot, suffix = part.partition(".")
    if stem in stems:
        used.add(stem)
    return stems.get(stem, stem) + dot + suffix


def _words_replaced(text: str, words: Mapping[str, str], used: set[str]) -> str:
    def replace(match: re.Match[str]) -> str:
        used.add(match[0])
        return words[match[0]]

    if not words:
        return text
    pattern = "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
    return re.sub(rf"(?<![\w-])(?:{pattern})(?![\w-])", replace, text)


def _code_renamed(path: str, text: str, identifiers: Mapping[str, str], names: Names, used: set[str]) -> str:
    """Rename identifiers outside of strings and comments, and the paths of the repository's own modules."""
    pieces: list[str] = []
    last = 0
    for start, end, kind in _python_tokens(text) if path.endswith(".py") else _typescript_tokens(text):
        word = text[start:end]
        fresh = word
        if kind == "identifier":
            table = {**names.stems, **identifiers} if path.endswith(".py") else identifiers
            fresh = table.get(word, word)
            if fresh != word:
                used.add(word)
        elif kind == "module" and word.strip("\"'").startswith("."):
            fresh = _words_replaced(word, names.stems, used)
        pieces += [text[last:start], fresh]
        last = end
    return "".join([*pieces, text[last:]])


def _python_tokens(text: str) -> Iterator[tuple[int, int, str]]:
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        row, column = token.start
        start = starts[row - 1] + column
        if token.type == tokenize.NAME:
            yield start, start + len(token.string), "identifier"
        elif token.type == tokenize.STRING and "f" in token.string[:2].lower():
            for hole in re.finditer(r"\{[^{}]*\}", token.string):
                for word in re.finditer(r"[A-Za-z_]\w*", hole[0]):
                    at = start + hole.start() + word.start()
                    yield at, at + len(word[0]), "identifier"


def _typescript_tokens(text: str) -> Iterator[tuple[int, int, str]]:
    wanted = {
        "identifier": "identifier",
        "property_identifier": "identifier",
        "private_property_identifier": "identifier",
        "shorthand_property_identifier": "identifier",
        "shorthand_property_identifier_pattern": "identifier",
        "type_identifier": "identifier",
        "statement_identifier": "identifier",
    }
    assert text.isascii(), "offsets are taken for characters"
    for node in _leaves(_typescript_tree(text)):
        if node.type in wanted:
            yield node.start_byte, node.end_byte, wanted[node.type]
        elif node.type == "string" and node.parent is not None and node.parent.type.endswith("_statement"):
            yield node.start_byte, node.end_byte, "module"


def _typescript_tree(text: str) -> Node:
    import tree_sitter_typescript

    return Parser(Language(tree_sitter_typescript.language_typescript())).parse(text.encode()).root_node


def _leaves(node: Node) -> Iterator[Node]:
    if not node.children or node.type == "string":
        yield node
        return
    for child in node.children:
        yield from _leaves(child)


# ---------------------------------------------------------------- places


class Move(NamedTuple):
    """Top-level definitions that go from one file to another; the other is made where there is none."""

    symbols: tuple[str, ...]
    source: str
    target: str


def moved(tree: Tree, move: Move) -> Tree:
    """The repository with definitions in another file, and all imports adapted to that."""
    handle = _python_moved if move.source.endswith(".py") else _typescript_moved
    return handle(dict(tree), move)


def _python_moved(tree: Tree, move: Move) -> Tree:
    text = tree[move.source]
    module = ast.parse(text)
    lines = text.splitlines(keepends=True)
    spans = [(node.lineno - 1, node.end_lineno or node.lineno) for node in module.body if _defines(node, move.symbols)]
    assert len(spans) == len(move.symbols), f"{move.source} does not define all of {move.symbols}"
    taken = "\n\n".join("".join(lines[start:end]) for start, end in spans)
    rest = "".join(line for i, line in enumerate(lines) if not any(start <= i < end for start, end in spans))
    old, new = _python_module(move.source), _python_module(move.target)
    head = "".join(
        "".join(lines[node.lineno - 1 : node.end_lineno])
        for node in module.body
        if isinstance(node, ast.Import | ast.ImportFrom)
    )
    names = ", ".join(sorted(move.symbols))
    tree[move.source] = _with_import(rest, f"from {new} import {names}\n") if _mentions(rest, move.symbols) else rest
    if move.target in tree:
        tree[move.target] = tree[move.target].rstrip("\n") + "\n\n\n" + taken
    else:
        tree[move.target] = f'"""Moved here."""\n\n{head}\n\n{taken}'
    for path in tree:
        if path.endswith(".py") and path != move.source:
            tree[path] = _python_imports(tree[path], old, new, set(move.symbols), inside=path == move.target)
    for path, code in tree.items():
        if path.endswith(".py"):
            ast.parse(code, path)
    return tree


def _defines(node: ast.stmt, symbols: tuple[str, ...]) -> bool:
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return name in symbols
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
            return name in symbols
        case _:
            return False


def _mentions(text: str, symbols: tuple[str, ...]) -> bool:
    return any(re.search(rf"\b{re.escape(symbol)}\b", text) for symbol in symbols)


def _python_module(path: str) -> str:
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def _with_import(text: str, line: str) -> str:
    """The module with one more import, behind its docstring."""
    body = ast.parse(text).body
    start = body[0].end_lineno or 0 if body and isinstance(body[0], ast.Expr) else 0
    lines = text.splitlines(keepends=True)
    return "".join([*lines[:start], "\n", line, *lines[start:]])


def _python_imports(text: str, old: str, new: str, symbols: set[str], *, inside: bool) -> str:
    """`from old import …` with the moved names taken from `new`, or from nowhere inside of it."""

    def replace(match: re.Match[str]) -> str:
        names = [name.strip() for name in match[1].split(",")]
        stay = [name for name in names if name not in symbols]
        gone = [name for name in names if name in symbols]
        made = [f"from {old} import {', '.join(stay)}\n"] if stay else []
        if gone and not inside:
            made.append(f"from {new} import {', '.join(gone)}\n")
        return "".join(made)

    return re.sub(rf"^from {re.escape(old)} import ([\w, ]+)\n", replace, text, flags=re.MULTILINE)


def _typescript_moved(tree: Tree, move: Move) -> Tree:
    text = tree[move.source]
    taken: list[str] = []
    imports: list[str] = []
    for node in _typescript_tree(text).children:
        if node.type == "import_statement":
            imports.append(text[node.start_byte : node.end_byte])
        elif _declared(node) in move.symbols:
            comment = node.prev_named_sibling
            start = comment.start_byte if comment and comment.type == "comment" else node.start_byte
            taken.append(text[start : node.end_byte])
    assert len(taken) == len(move.symbols), f"{move.source} does not define all of {move.symbols}"
    rest = text
    for piece in taken:
        rest = rest.replace(piece, "", 1)
    exported = [piece if "export " in piece else _exported(piece) for piece in taken]
    if _mentions(rest, move.symbols):
        there = _typescript_module(move.source, move.target)
        rest = f'import {{ {", ".join(sorted(move.symbols))} }} from "{there}";\n{rest}'
    tree[move.source] = rest
    head = [_rebased(line, move.source, move.target) for line in imports]
    fresh = "\n".join([*head, "", *exported, ""])
    tree[move.target] = tree[move.target] + "\n" + "\n".join(exported) if move.target in tree else fresh
    for path in tree:
        if path.endswith(".ts") and path not in (move.source, move.target):
            tree[path] = _typescript_imports(path, tree[path], move)
        if path.endswith(".ts"):
            assert not _typescript_tree(tree[path]).has_error, path
    return tree


def _exported(piece: str) -> str:
    return re.sub(
        r"^(async function|function|class|const|interface)\b", r"export \1", piece, count=1, flags=re.MULTILINE
    )


def _declared(node: Node) -> str:
    """The name that a top-level statement declares, or ""."""
    if node.type == "export_statement":
        inner = node.child_by_field_name("declaration")
        return _declared(inner) if inner is not None else ""
    if node.type == "lexical_declaration":
        declarators = [child for child in node.named_children if child.type == "variable_declarator"]
        node = declarators[0] if len(declarators) == 1 else node
    name = node.child_by_field_name("name")
    return name.text.decode() if name is not None and name.text else ""


def _typescript_module(importer: str, target: str) -> str:
    folder = PurePosixPath(importer).parent
    path = PurePosixPath(target).with_suffix("")
    ups = 0
    while not path.is_relative_to(folder):
        folder, ups = folder.parent, ups + 1
    return ("../" * ups or "./") + path.relative_to(folder).as_posix()


def _resolved(importer: str, module: str) -> str:
    parts: list[str] = list(PurePosixPath(importer).parent.parts)
    for part in module.split("/"):
        if part == "..":
            parts.pop()
        elif part != ".":
            parts.append(part)
    return "/".join(parts) + ".ts"


def _rebased(line: str, source: str, target: str) -> str:
    return re.sub(r'"(\.[^"]+)"', lambda m: f'"{_typescript_module(target, _resolved(source, m[1]))}"', line)


def _typescript_imports(path: str, text: str, move: Move) -> str:
    def replace(match: re.Match[str]) -> str:
        if _resolved(path, match[2]) != move.source:
            return match[0]
        names = [name.strip() for name in match[1].split(",")]
        gone = [name for name in names if name.removeprefix("type ") in move.symbols]
        stay = [name for name in names if name not in gone]
        made = [f'import {{ {", ".join(stay)} }} from "{match[2]}";\n'] if stay else []
        if gone:
            made.append(f'import {{ {", ".join(gone)} }} from "{_typescript_module(path, move.target)}";\n')
        return "".join(made)

    return re.sub(r'^import \{ ([^}]+) \} from "(\.[^"]+)";\n', replace, text, flags=re.MULTILINE)
