"""Tools that hand the model a whole file or page: what is read in full, and comes back with no cut on its way."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TypeAlias

from waitlint.facts import (
    Assign,
    Attr,
    Await,
    Binary,
    Call,
    Comp,
    Do,
    Expr,
    Func,
    If,
    Index,
    Name,
    Opaque,
    Return,
    Span,
    Stmt,
    Str,
)
from waitlint.finding import Evidence, Place
from waitlint.interpret.alternatives import options
from waitlint.interpret.syntax import nodes
from waitlint.interpret.values import FilePath, FunctionRef
from waitlint.linked import Tool
from waitlint.names import spaced
from waitlint.project.world import ProjectWorld

DEEP = 2
FILES = frozenset({"read_text", "readFile", "readFileSync"})
PAGES = frozenset({"markdown", "html", "rawHtml", "raw_html", "page_content", "pageContent", "outerHTML", "innerText"})
PARTS = frozenset({"page_content", "pageContent"})
SOURCES = tuple(sorted(FILES | PAGES))
# What hands a text on as it is; any other call may make something else of it.
AS_IT_IS = re.compile(
    r"join|strip\w*|trim\w*|str|String|format\w*|dedent|concat|replace\w*|decode|encode|to_?string|stringify|dumps|"
    r"append|push|extend|\w*(?:text|content|response|result|message|output)\w*|read\w*|open|Path|file",
    re.IGNORECASE,
)
CUTS = re.compile(
    r"trunc\w*|shorten\w*|clip\w*|slice|substring|substr|summari[sz]e\w*|paginat\w*|chunk\w*|limit\w*|head|tail|split\w*|"
    r"readlines?|islice|find\w*|index\w*",
    re.IGNORECASE,
)
LENGTHS = r"lines?|length|size|range|head|tail|chunk|chars|tokens|excerpt"
ASKED_FOR = re.compile(rf"(?<![a-z])(?:limit|pages?|offset|cursor|{LENGTHS})(?![a-z])")
ASKED_OF_EACH = re.compile(rf"(?<![a-z])(?:{LENGTHS})(?![a-z])")
"""What bounds the text of each of several pages: their number alone does not."""
# What is looked up in an index comes in the parts that it was cut into.
LOOKS_UP = re.compile(
    r"a?(?:similarity_search\w*|max_marginal_relevance_search\w*|get_relevant_documents|invoke)|similaritySearch\w*|"
    r"getRelevantDocuments|maxMarginalRelevanceSearch|retrieve\w*",
)
EACH = frozenset({"map", "flatMap"})
GATHERS = frozenset({"append", "push", "extend", "unshift"})

Each: TypeAlias = tuple[Span, tuple[Stmt, ...]]
Held: TypeAlias = set[str | Span]
"""Names that hold a whole, and where an expression stands that does."""

MEDIA = re.compile(r"\.(?:png|jpe?g|gif|webp|bmp|ico|mp3|wav|ogg|mp4|webm)\Z", re.IGNORECASE)


class Wholes:
    """Answers for each tool where it hands on a whole file or page."""

    def __init__(self, world: ProjectWorld) -> None:
        self.world = world

    def of(self, tool: Tool) -> Evidence | None:
        """Where a tool gives back a file or a page with no cut; None where it does not, or that can't be told."""
        if tool.handler is None:
            return None
        path = tool.handler.path
        index = self.world.function_at(tool.handler)
        if index is None:
            return None
        body = _branch_of(self.world.files[path].functions[index].body, tool.name)
        each = list(self._each(path, body))
        asked = ASKED_OF_EACH if _is_of_several(body, each) else ASKED_FOR
        if any(asked.search(spaced(parameter.name)) for parameter in tool.parameters):
            return None
        return self._in(path, index, body, each)

    def _each(self, path: str, body: tuple[Stmt, ...]) -> Iterator[Each]:
        """What is made of each item of a list: `pages.map((page) => page.markdown)`, and where."""
        functions = self.world.files[path].functions
        for node in nodes(body):
            if isinstance(node, Call) and isinstance(node.func, Attr) and node.func.name in EACH:
                for arg in node.args:
                    if isinstance(arg.value, Func):
                        yield node.span, functions[arg.value.index].body

    def _in(self, path: str, index: int, body: tuple[Stmt, ...], each: Sequence[Each]) -> Evidence | None:
        held = self._held(body, {span for span, inner in each if self._gives_whole(inner)})
        if not held and not any(_is_source(node) for node in nodes(body)):
            return None
        if any(_cuts(node) for _, inner in each for node in nodes(inner)):
            return None
        if self._all_shipped(path, index, body) or _is_looked_up(body, each):
            return None
        if any(_cuts(node) for block in self._reached(path, index, body, DEEP) for node in nodes(block)):
            return None
        for node in nodes(body):
            if isinstance(node, Return) and node.value is not None and self._holds(node.value, held):
                return Evidence(Place(path, _first_line(node.span)), "the whole of it comes back here")
        return None

    def _all_shipped(self, path: str, index: int, body: tuple[Stmt, ...]) -> bool:
        """Whether all that is read in full comes with the code, so that its length is known, or is no text."""
        frame = self.world.frame_for(path, index)
        found = False
        for node in nodes(body):
            if not _is_source(node):
                continue
            func = node.func if isinstance(node, Call) else None
            expr = func.base if isinstance(func, Attr) and func.name == "read_text" else None
            expr = node.args[0].value if expr is None and isinstance(node, Call) and node.args else expr
            expr = next((value for name, value in _set_in(body) if isinstance(expr, Name) and name == expr.name), expr)
            if isinstance(expr, Str) and MEDIA.search(expr.literal or ""):
                found = True
                continue
            read = [option for _, option in options(self.world.evaluate(expr, frame))] if expr is not None else []
            if not read or not all(isinstance(one, FilePath) and one.anchored for one in read):
                return False
            found = True
        return found

    def _gives_whole(self, body: tuple[Stmt, ...]) -> bool:
        """Whether a function gives back a whole file or page."""
        given = [node.value for node in nodes(body) if isinstance(node, Return)]
        return any(value is not None and self._holds(value, set()) for value in given)

    def _held(self, body: tuple[Stmt, ...], lists: set[Span]) -> Held:
        """What holds a whole file or page, or something that was put together from one, with what stands at `lists`."""
        found: Held = {*lists}
        before = -1
        while len(found) > before:
            before = len(found)
            for node in nodes(body):
                match node:
                    case Assign(target=Name(name=name), value=value) if self._holds(value, found):
                        found.add(name)
                    case Call(func=Attr(base=Name(name=name), name=method), args=args) if method in GATHERS:
                        if any(self._holds(arg.value, found) for arg in args):
                            found.add(name)
        return found

    def _holds(self, value: Expr, held: Held) -> bool:
        parts = list(nodes((Do(value.span, value),)))
        for part in parts:
            if isinstance(part, Call) and not AS_IT_IS.fullmatch(getattr(part.func, "name", "") or ""):
                inner = nodes(tuple(Do(arg.value.span, arg.value) for arg in part.args))
                if any(_is_source(one) or (isinstance(one, Name) and one.name in held) for one in inner):
                    return False
        if isinstance(value, Await):
            return self._holds(value.value, held)
        return any(
            _is_source(part) or (isinstance(part, Name) and part.name in held) or getattr(part, "span", None) in held
            for part in parts
        )

    def _reached(self, path: str, index: int, body: tuple[Stmt, ...], depth: int) -> Iterator[tuple[Stmt, ...]]:
        """A block, and the bodies of the functions of the project that it calls."""
        yield body
        frame = self.world.frame_for(path, index)
        for node in nodes(body) if depth > 0 else ():
            if isinstance(node, Call):
                for _, option in options(self.world.evaluate(node.func, frame)):
                    if isinstance(option, FunctionRef):
                        inner = self.world.files[option.path].functions[option.index].body
                        yield from self._reached(option.path, option.index, inner, depth - 1)


def _branch_of(body: tuple[Stmt, ...], name: str) -> tuple[Stmt, ...]:
    """What a handler for several tools does for one of them; all of it where nothing tells them apart."""
    for node in nodes(body):
        if isinstance(node, If) and isinstance(node.test, Binary) and node.test.op == "==":
            sides = (node.test.left, node.test.right)
            if any(isinstance(side, Str) and side.literal == name for side in sides):
                return node.body
    return body


def _is_of_several(body: tuple[Stmt, ...], each: Sequence[Each]) -> bool:
    """Whether each of several pages is handed on, all that is read whole among them."""
    every = list(nodes(body))
    gathered = {id(part) for comp in every if isinstance(comp, Comp) for part in nodes((Do(comp.span, comp),))}
    sources = [node for node in every if _is_source(node)]
    mapped = any(_is_source(node) for _, inner in each for node in nodes(inner))
    return (mapped or bool(sources)) and all(id(node) in gathered for node in sources)


def _is_looked_up(body: tuple[Stmt, ...], each: Sequence[Each]) -> bool:
    """Whether all that is handed on are parts of documents which an index gave."""
    every = [node for block in (body, *(inner for _, inner in each)) for node in nodes(block)]
    sources = [node for node in every if _is_source(node)]
    return all(isinstance(node, Attr) and node.name in PARTS for node in sources) and any(
        isinstance(node, Call) and LOOKS_UP.fullmatch(getattr(node.func, "name", "") or "") for node in every
    )


def _set_in(body: tuple[Stmt, ...]) -> Iterator[tuple[str, Expr]]:
    """The names that a block sets, and to what."""
    for node in nodes(body):
        if isinstance(node, Assign) and isinstance(node.target, Name):
            yield node.target.name, node.value


def _is_source(node: object) -> bool:
    if isinstance(node, Call):
        return getattr(node.func, "name", "") in FILES
    return isinstance(node, Attr) and node.name in PAGES


def _cuts(node: object) -> bool:
    if isinstance(node, Index):
        return isinstance(node.key, Opaque)
    return isinstance(node, Call) and bool(CUTS.fullmatch(getattr(node.func, "name", "") or ""))


def _first_line(span: Span) -> Span:
    return Span(span.start, min(span.end, span.start + 6))
