"""Python code as libcst sees it: found by place, changed, and given back as the smallest text edits."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Mapping, Set
from difflib import SequenceMatcher
from functools import lru_cache
from typing import TypeVar

import libcst as cst

from waitlint.facts import Span
from waitlint.fix import Edit
from waitlint.frontends.python.depth import is_too_deep
from waitlint.frontends.python.native import native_tree
from waitlint.frontends.python.nodes import below, every
from waitlint.frontends.python.parsed import Parsed
from waitlint.source import Source

Made = Callable[[cst.CSTNode], cst.CSTNode | cst.RemovalSentinel | cst.FlattenSentinel[cst.BaseStatement]]
PARSED_KEPT = 4
_Node = TypeVar("_Node", bound=cst.CSTNode)


@lru_cache(PARSED_KEPT)
def _parsed(text: str) -> Parsed:
    """The findings of one file ask for the same."""
    if is_too_deep(text):
        raise RecursionError
    return Parsed(text)


class NeedsWhole(Exception):
    """An excerpt does not tell what is asked for."""


class Code:
    """A module with the places of its nodes, of its text or of an excerpt of that.

    Raises libcst.ParserSyntaxError for what libcst can't read, RecursionError for what is nested too deeply for it.
    """

    def __init__(self, source: Source, text: str) -> None:
        self.source = source
        self._text = text
        self.parsed = _parsed(text)
        self.module = self.parsed.module
        self._changes: dict[int, tuple[cst.CSTNode, Made]] = {}
        self._imports: dict[str, None] = {}
        self._unused: list[str] = []

    # ------------------------------------------------------------ finding

    def _byte(self, offset: int) -> int:
        return len(self._text[:offset].encode("utf-8"))

    def whole(self) -> cst.Module:
        """The module, if it is that of all the text. Raises NeedsWhole if not."""
        if self._text != self.source.text:
            raise NeedsWhole
        return self.module

    def _needs_all_uses(self, name: str) -> None:
        """Raises NeedsWhole where a name also stands in what was left out."""
        written = re.compile(rf"\b{re.escape(name)}\b")
        if len(written.findall(self._text)) != len(written.findall(self.source.text)):
            raise NeedsWhole

    def at(self, span: Span, kind: type[_Node] | tuple[type[_Node], ...]) -> _Node | None:
        """The outermost node of a kind that begins where the span does, and ends there if one does."""
        start, end = self._byte(span.start), self._byte(span.end)
        found = [
            (node, place)
            for node, place in self.parsed.nodes(start, start + 1)
            if place.start == start and isinstance(node, kind)
        ]
        exact = [pair for pair in found if pair[1].start + pair[1].length == end]
        return next((node for node, _ in exact or found), None)

    def inside(self, span: Span, kind: type[_Node]) -> list[_Node]:
        """All nodes of a kind within a span, in order."""
        start, end = self._byte(span.start), self._byte(span.end)
        found = [
            (place.start, node)
            for node, place in self.parsed.nodes(start, end)
            if start <= place.start and place.start + place.length <= end and isinstance(node, kind)
        ]
        return [node for _, node in sorted(found, key=lambda pair: pair[0])]

    def around(self, node: cst.CSTNode) -> Iterator[cst.CSTNode]:
        """What a node stands in, the innermost first."""
        parent = self.parent_of(node)
        while parent is not None:
            yield parent
            parent = self.parent_of(parent)

    def parent_of(self, node: cst.CSTNode) -> cst.CSTNode | None:
        """What a node stands in; None for the module."""
        return self.parsed.parent(node)

    def function_of(self, node: cst.CSTNode) -> cst.FunctionDef | cst.Lambda | None:
        """The function that a node stands in."""
        return next((one for one in self.around(node) if isinstance(one, cst.FunctionDef | cst.Lambda)), None)

    def text(self, node: cst.CSTNode) -> str:
        return self.module.code_for_node(node)

    def names_in(self, node: cst.CSTNode) -> set[str]:
        """The names that stand anywhere in a node."""
        return {one.value for one in every(node) if isinstance(one, cst.Name)}

    # ------------------------------------------------------------ changing

    def change(self, node: cst.CSTNode, made: Made) -> None:
        """Have something made of a node; what was to be made of it before comes first."""
        before = self._changes.get(id(node))
        self._changes[id(node)] = node, made if before is None else _after(before[1], made)

    def replace(self, node: cst.CSTNode, new: cst.CSTNode) -> None:
        self.change(node, lambda _: new)

    def imported(self, module: str) -> str | None:
        """What `import module` is called at the top of this file; None where it is not imported as a whole."""
        for statement in self._top_imports():
            for part in statement.body if isinstance(statement, cst.SimpleStatementLine) else ():
                for alias in part.names if isinstance(part, cst.Import) else ():
                    if self.text(alias.name) == module:
                        return self.text(alias.asname.name) if alias.asname else module
        return None

    def need(self, module: str) -> str:
        """The name of a module, which is imported once if it isn't yet."""
        known = self.imported(module)
        if known is None:
            self._imports[module] = None
        return known or module

    def need_from(self, module: str, name: str, *, added: bool = False) -> str:
        """How a name of a module is written here: imported beside others, or by its module.

        "" if by neither, unless it may be `added` as an import of its own.
        """
        for statement in self._top_imports():
            for part in statement.body:
                if not isinstance(part, cst.ImportFrom) or part.module is None or part.relative:
                    continue
                if isinstance(part.names, cst.ImportStar) or self.text(part.module) != module:
                    continue
                known = {self.text(alias.name): alias for alias in part.names}
                if name not in known:
                    self.replace(part, with_alias(part, name))
                return _bound(known[name]) if name in known else name
        local = self.imported(module)
        if local is None and added:
            self._imports[f"{module}:{name}"] = None
            return name
        return f"{local}.{name}" if local else ""

    def imported_names(self) -> set[str]:
        """The names that imports at the top of this file bind."""
        return {
            _bound(alias)
            for statement in self._top_imports()
            for part in statement.body
            if isinstance(part, cst.Import | cst.ImportFrom) and not isinstance(part.names, cst.ImportStar)
            for alias in part.names
        }

    def drop_root_if_unused(self, dotted: cst.BaseExpression) -> None:
        """Take the import of the name that `time.sleep` begins with away if nothing uses it any more."""
        while isinstance(dotted, cst.Attribute):
            dotted = dotted.value
        if isinstance(dotted, cst.Name):
            self._needs_all_uses(dotted.value)
            self._unused.append(dotted.value)

    def _top_imports(self) -> list[cst.SimpleStatementLine]:
        return [
            statement
            for statement in self.module.body
            if isinstance(statement, cst.SimpleStatementLine)
            and statement.body
            and isinstance(statement.body[0], cst.Import | cst.ImportFrom)
        ]

    # ------------------------------------------------------------ the outcome

    def edits(self) -> tuple[Edit, ...] | None:
        """All changes as edits of the text; None where they don't parse."""
        changes = {key: made for key, (_, made) in self._changes.items()}
        changed = self.module.visit(_Changer(changes, self._around_changes()))
        for module in self._imports:
            changed = _with_import(changed, module)
        for name in self._unused:
            changed = _without_import(changed, name)
        text = self.parsed.code_of(changed)
        if native_tree(text) is None:
            return None
        return tuple(_differences(self.source.path, self._text, text))

    def _around_changes(self) -> set[int]:
        """The nodes in which something changes."""
        return {id(one) for node, _ in self._changes.values() for one in self.around(node)}


def _after(first: Made, second: Made) -> Made:
    def both(node: cst.CSTNode) -> cst.CSTNode | cst.RemovalSentinel | cst.FlattenSentinel[cst.BaseStatement]:
        made = first(node)
        return second(made) if isinstance(made, cst.CSTNode) else made

    return both


class _Changer(cst.CSTTransformer):
    """Makes the changes of nodes. `around` are the nodes in which there are some: it goes into no others."""

    def __init__(self, changes: Mapping[int, Made], around: Set[int]) -> None:
        super().__init__()
        self.changes = changes
        self.around = around

    def on_visit(self, node: cst.CSTNode) -> bool:
        return id(node) in self.around

    def on_leave(self, original_node, updated_node):  # type: ignore[no-untyped-def]
        made = self.changes.get(id(original_node))
        return super().on_leave(original_node, updated_node) if made is None else made(updated_node)


def _uses(module: cst.Module, name: str) -> bool:
    """Whether a name stands in a module for something of its own, and not for a part of something."""
    stack: list[cst.CSTNode] = [module]
    while stack:
        node = stack.pop()
        if isinstance(node, cst.Name):
            if node.value == name:
                return True
        elif isinstance(node, cst.Attribute | cst.Arg):
            stack.append(node.value)
        else:
            stack.extend(below(node))
    return False


def _differences(path: str, old: str, new: str) -> Iterator[Edit]:
    """The edits between two texts, line by line, without what is the same at the ends of each."""
    before, after = old.splitlines(keepends=True), new.splitlines(keepends=True)
    offsets = [0]
    for line in before:
        offsets.append(offsets[-1] + len(line))
    for kind, i1, i2, j1, j2 in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind == "equal":
            continue
        start, end, text = offsets[i1], offsets[i2], "".join(after[j1:j2])
        was = old[start:end]
        limit = min(len(was), len(text))
        head = next((i for i in range(limit) if was[i] != text[i]), limit)
        tail = next((i for i in range(limit - head) if was[-1 - i] != text[-1 - i]), limit - head)
        yield Edit(path, start + head, end - tail, text[head : len(text) - tail])


# ---------------------------------------------------------------- arguments


def with_argument(call: cst.Call, new: cst.Arg) -> cst.Call:
    """The call with one more argument, on a line of its own where the others have one each."""
    if not call.args:
        return call.with_changes(args=[new])
    last = call.args[-1]
    space: cst.BaseParenthesizableWhitespace = cst.SimpleWhitespace(" ")
    before = call.args[-2].comma if len(call.args) > 1 else None
    if isinstance(before, cst.Comma) and isinstance(before.whitespace_after, cst.ParenthesizedWhitespace):
        space = before.whitespace_after.with_changes(first_line=cst.TrailingWhitespace())
    elif isinstance(call.whitespace_before_args, cst.ParenthesizedWhitespace):
        space = call.whitespace_before_args.with_changes(first_line=cst.TrailingWhitespace())
    trailing = last.comma if isinstance(last.comma, cst.Comma) else None
    if len(call.args) == 1 and trailing is None and isinstance(last.whitespace_after_arg, cst.ParenthesizedWhitespace):
        # One that stands alone has no comma behind it, of two in a line each the last one has.
        trailing = cst.Comma(whitespace_after=last.whitespace_after_arg)
    joined = last.with_changes(comma=cst.Comma(whitespace_after=space), whitespace_after_arg=cst.SimpleWhitespace(""))
    new = new.with_changes(
        comma=trailing if trailing is not None else cst.MaybeSentinel.DEFAULT,
        whitespace_after_arg=cst.SimpleWhitespace("") if trailing is not None else last.whitespace_after_arg,
    )
    return call.with_changes(args=[*call.args[:-1], joined, new])


# ---------------------------------------------------------------- imports


def _module_of(statement: cst.BaseStatement) -> str | None:
    """The first module that an import statement of its own line names; None for another statement."""
    if not isinstance(statement, cst.SimpleStatementLine) or not statement.body:
        return None
    first = statement.body[0]
    if isinstance(first, cst.Import):
        return cst.Module([]).code_for_node(first.names[0].name)
    if isinstance(first, cst.ImportFrom):
        dots = "." * len(first.relative)
        return dots + (cst.Module([]).code_for_node(first.module) if first.module is not None else "")
    return None


def _rank(module: str) -> int:
    if module == "__future__":
        return 0
    if module.startswith("."):
        return 3
    return 1 if module.partition(".")[0] in sys.stdlib_module_names else 2


def _with_import(tree: cst.Module, module: str) -> cst.Module:
    """The module with one more import, where a tidy file has it: with its kind, in the order of names.

    `module` is one that is imported whole, or `module:name`.
    """
    body = list(tree.body)
    module, _, name_of_it = module.partition(":")
    alias = cst.ImportAlias(cst.Name(name_of_it) if name_of_it else _dotted(module))
    made = cst.ImportFrom(_dotted(module), [alias]) if name_of_it else cst.Import([alias])
    kind = type(made)
    new = cst.SimpleStatementLine([made])
    places = [(index, name) for index, one in enumerate(body) if (name := _module_of(one)) is not None]
    head: list[tuple[int, str]] = []
    for index, name in places:
        if head and index != head[-1][0] + 1:
            break
        head.append((index, name))
    rank = _rank(module)
    same = [(index, name) for index, name in head if _rank(name) == rank]
    if same:
        alike = [(index, name) for index, name in same if isinstance(_first(body[index]), kind)]
        later = [index for index, name in alike if name > module]
        others = [index for index, _ in same if index not in {i for i, _ in alike}]
        after_all = kind is cst.ImportFrom
        at = min(later or ([alike[-1][0] + 1] if alike else [same[-1][0] + 1] if after_all else others))
        if at < len(body) and at == same[0][0]:
            first = body[at]
            assert isinstance(first, cst.SimpleStatementLine)
            new = new.with_changes(leading_lines=first.leading_lines)
            body[at] = first.with_changes(leading_lines=())
        body.insert(at, new)
    elif head:
        after = [index for index, name in head if _rank(name) > rank]
        if after:
            first = body[after[0]]
            assert isinstance(first, cst.SimpleStatementLine)
            lead = list(first.leading_lines)
            blank = cst.EmptyLine(indent=False)
            if after[0] == 0:
                body[0] = first.with_changes(leading_lines=(blank, *lead))
                body.insert(0, new)
            else:
                body[after[0]] = first.with_changes(leading_lines=(blank, *[one for one in lead if one.comment]))
                body.insert(after[0], new.with_changes(leading_lines=(blank,)))
        else:
            body.insert(head[-1][0] + 1, new.with_changes(leading_lines=(cst.EmptyLine(indent=False),)))
    else:
        at = 1 if body and _is_docstring(body[0]) else 0
        blank = cst.EmptyLine(indent=False)
        if at:
            new = new.with_changes(leading_lines=(blank,))
        elif body and isinstance(body[0], cst.SimpleStatementLine | cst.BaseCompoundStatement):
            lines = getattr(body[0], "leading_lines", ())
            if not any(not line.comment for line in lines[:1]):
                body[0] = body[0].with_changes(leading_lines=(blank, *lines))
        body.insert(at, new)
    return tree.with_changes(body=body)


def _first(statement: cst.BaseStatement | cst.BaseSmallStatement) -> cst.CSTNode:
    return statement.body[0] if isinstance(statement, cst.SimpleStatementLine) else statement


def _is_docstring(statement: cst.BaseStatement) -> bool:
    first = _first(statement)
    return isinstance(first, cst.Expr) and isinstance(first.value, cst.SimpleString | cst.ConcatenatedString)


def _dotted(module: str) -> cst.Attribute | cst.Name:
    found = cst.parse_expression(module)
    assert isinstance(found, cst.Attribute | cst.Name)
    return found


def _without_import(tree: cst.Module, name: str) -> cst.Module:
    """The module without the import that binds a name at its top, if nothing else says the name."""
    body = list(tree.body)
    for index, statement in enumerate(body):
        if not isinstance(statement, cst.SimpleStatementLine) or len(statement.body) != 1:
            continue
        first = statement.body[0]
        if not isinstance(first, cst.Import | cst.ImportFrom) or isinstance(first.names, cst.ImportStar):
            continue
        bound = [_bound(alias) for alias in first.names]
        if name not in bound:
            continue
        rest = tree.with_changes(body=[*body[:index], *body[index + 1 :]])
        if _uses(rest, name) or any(line.comment for line in statement.leading_lines) or f'"{name}"' in rest.code:
            return tree
        if len(bound) == 1:
            following = body[index + 1] if index + 1 < len(body) else None
            lines = statement.leading_lines
            if isinstance(following, cst.SimpleStatementLine) and lines and not following.leading_lines:
                body[index + 1] = following.with_changes(leading_lines=lines)
            elif index == 0 and following is not None and hasattr(following, "leading_lines"):
                body[1] = following.with_changes(leading_lines=[one for one in following.leading_lines if one.comment])
            del body[index]
            return tree.with_changes(body=body)
        kept = [alias for alias, local in zip(first.names, bound, strict=True) if local != name]
        kept[-1] = kept[-1].with_changes(comma=first.names[-1].comma)
        body[index] = statement.with_changes(body=[first.with_changes(names=kept)])
        return tree.with_changes(body=body)
    return tree


def with_alias(statement: cst.ImportFrom, name: str) -> cst.ImportFrom:
    """The import with one more name: in the order of names, where they are in one."""
    assert not isinstance(statement.names, cst.ImportStar)
    names = [cst.Module([]).code_for_node(alias.name) for alias in statement.names]
    tidy = names == sorted(names)
    at = next((index for index, one in enumerate(names) if tidy and one > name), len(names))
    aliases = list(statement.names)
    comma = next((one.comma for one in aliases if isinstance(one.comma, cst.Comma)), None)
    between = comma if comma is not None else cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))
    if at < len(aliases):
        aliases.insert(at, cst.ImportAlias(cst.Name(name), comma=between))
    else:
        last = aliases[-1].comma
        aliases[-1] = aliases[-1].with_changes(comma=between)
        aliases.append(cst.ImportAlias(cst.Name(name), comma=last))
    return statement.with_changes(names=aliases)


def _bound(alias: cst.ImportAlias) -> str:
    node: cst.BaseExpression = alias.asname.name if alias.asname is not None else alias.name
    while isinstance(node, cst.Attribute):
        node = node.value
    return node.value if isinstance(node, cst.Name) else ""
