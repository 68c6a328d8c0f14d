"""Tools whose words stand in another file than their code: a manifest, an OpenAPI document, a module's own exports."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from waitlint.catalog import Framework, Frameworks, Slot
from waitlint.facts import Const, Do, Expr, FileFacts, Import, Map, Seq, Span, Str
from waitlint.finding import Place
from waitlint.interpret.frames import Frame
from waitlint.interpret.values import FunctionRef, Record, Textual, Unknown, Value
from waitlint.project.registrations import Registration
from waitlint.project.world import ProjectWorld

METHODS = frozenset(("get", "put", "post", "delete", "options", "head", "patch", "trace", "x-query"))
MARKS = ("x-zuplo-mcp-tool",)
IMPORTED = re.compile(r"\$import\(([^)]+)\)")
TOOL_FOLDERS = frozenset(("tools", "tool"))


class ScriptDocuments:
    """Finds tools that are declared outside of the code that runs them, and the words of those that code registers."""

    def __init__(self, world: ProjectWorld, frameworks: Frameworks) -> None:
        self.world = world
        self._rows = {row.form: row for row in frameworks.rows if row.language == "typescript"}

    def all(self) -> Iterator[Registration]:
        for path, facts in self.world.files.items():
            if facts.language == "typescript":
                yield from self._own_module(path, facts, self._rows["file"])
                yield from self._shaped_module(path, facts, self._rows["file-shape"])
            elif facts.language in ("json", "yaml") and facts.surface == "openapi-tool":
                yield from self._operations(path, facts, self._rows["operation"])

    # ------------------------------------------------------------ a module for each tool

    def _own_module(self, path: str, facts: FileFacts, row: Framework) -> Iterator[Registration]:
        """A file that exports a tool's words, its schema and, by default, what it does."""
        exported = {export.name for export in facts.exports}
        if not {"default", "metadata"} <= exported or not TOOL_FOLDERS.intersection(path.split("/")[:-1]):
            return
        if not (_imports(facts, row.package) or self.world.packages.depends_on(path, row.package)):
            return
        body = self.world.member(path, "default")
        words = self.world.member(path, "metadata")
        if not isinstance(body, FunctionRef) or not isinstance(words, Record):
            return
        named = words.entries.get("name")
        name = named.literal if isinstance(named, Textual) else None
        place = words.place or Place(path, self.world.facts(body.path).functions[body.index].at)
        yield Registration(
            row,
            name or posixpath.basename(path).partition(".")[0],
            named.place if isinstance(named, Textual) and named.place is not None else place,
            "high",
            words.entries.get("description"),
            self.world.member(path, "schema"),
            (body,),
            place,
            place,
        )

    def _shaped_module(self, path: str, facts: FileFacts, row: Framework) -> Iterator[Registration]:
        """A file among tools that exports a schema and a handler; its words may stand in a manifest elsewhere."""
        exported = {export.name for export in facts.exports}
        bodies = [one.key or "" for one in row.body if one.key in exported]
        shapes = [one.key or "" for one in row.schema if one.key in exported]
        if not bodies or not shapes or not TOOL_FOLDERS.intersection(path.split("/")[:-1]):
            return
        body, shape = self.world.member(path, bodies[0]), self.world.member(path, shapes[0])
        if not isinstance(body, FunctionRef) or isinstance(shape, FunctionRef | Textual):
            return
        named = self._exported(path, exported, row.name)
        place = Place(path, self._binding(path, bodies[0]) or self.world.facts(body.path).functions[body.index].at)
        yield Registration(
            row,
            (named.literal if isinstance(named, Textual) else "") or posixpath.basename(path).partition(".")[0],
            named.place if isinstance(named, Textual) and named.place is not None else place,
            "medium",
            self._exported(path, exported, row.description) or Unknown("it stands in another file"),
            shape,
            (body,),
            place,
            place,
        )

    def _exported(self, path: str, exported: set[str], slots: tuple[Slot, ...]) -> Value | None:
        return next((self.world.member(path, one.key) for one in slots if one.key in exported and one.key), None)

    def _binding(self, path: str, name: str) -> Span | None:
        """Where a file binds a name."""
        statements = self.world.bindings(path).get(name, [])
        return statements[0].span if statements else None

    # ------------------------------------------------------------ the manifest of an extension

    def contributed(self, path: str, name: str) -> tuple[Value | None, Value | None, Place] | None:
        """What the nearest `package.json` above a file says of a language model tool: words, schema, place."""
        folder = posixpath.dirname(path)
        while True:
            found = self._in_manifest(posixpath.join(folder, "package.json"), name)
            if found is not None or not folder:
                return found
            folder = posixpath.dirname(folder)

    def _in_manifest(self, path: str, name: str) -> tuple[Value | None, Value | None, Place] | None:
        facts = self.world.files.get(path)
        for stmt in facts.body if facts is not None else ():
            tools = at(stmt.value, "contributes", "languageModelTools") if isinstance(stmt, Do) else None
            for item in tools.items if isinstance(tools, Seq) else ():
                own = at(item, "name")
                if isinstance(own, Str) and own.literal == name:
                    return (
                        self._value(path, at(item, "modelDescription")),
                        self._value(path, at(item, "inputSchema")),
                        Place(path, item.span),
                    )
        return None

    # ------------------------------------------------------------ operations that are tools

    def _operations(self, path: str, facts: FileFacts, row: Framework) -> Iterator[Registration]:
        for stmt in facts.body:
            if not isinstance(stmt, Do):
                continue
            offered = set(_offered(stmt.value))
            for operation in _operations(stmt.value):
                found = self._operation(path, operation, offered, row)
                if found is not None:
                    yield found

    def _operation(self, path: str, operation: Map, offered: set[str], row: Framework) -> Registration | None:
        mark, own_id = _mark(operation), at(operation, "operationId")
        if _kind(mark) != "tool" and not (mark is None and _literal(own_id) in offered):
            return None
        named = at(mark, "name") if _literal(at(mark, "name")) else own_id
        if not isinstance(named, Str) or not named.literal:
            return None
        words = (at(mark, "description"), at(operation, "description"), at(operation, "summary"))
        described = next((one for one in words if _literal(one)), None)
        body = self._handler(path, at(operation, "x-zuplo-route", "handler"))
        if body is None:
            return None
        schema = at(operation, "requestBody", "content", "application/json", "schema")
        place = Place(path, operation.span)
        return Registration(
            row,
            named.literal,
            Place(path, named.span),
            "high",
            self._value(path, described),
            self._value(path, schema),
            (body,),
            Place(path, mark.span) if mark is not None else place,
            place,
        )

    def _handler(self, path: str, handler: Expr | None) -> FunctionRef | None:
        """The function that a route names; the modules of a project stand beside the folder of its routes."""
        imported = IMPORTED.fullmatch(_literal(at(handler, "module")))
        if imported is None or not imported.group(1).startswith("."):
            return None
        folder = posixpath.dirname(path)
        while True:
            found = self.world.modules.script(posixpath.join(folder, "routes.ts"), imported.group(1))
            if found is not None:
                value = self.world.member(found, _literal(at(handler, "export")) or "default")
                return value if isinstance(value, FunctionRef) else None
            if not folder:
                return None
            folder = posixpath.dirname(folder)

    def _value(self, path: str, expr: Expr | None) -> Value | None:
        return self.world.evaluate(expr, Frame(path, None)) if expr is not None else None


def at(expr: Expr | None, *keys: str) -> Expr | None:
    """What stands under some keys of a document, one inside the other."""
    for key in keys:
        entries = expr.entries if isinstance(expr, Map) else ()
        expr = next((e.value for e in entries if isinstance(e.key, Str) and e.key.literal == key), None)
    return expr


def _literal(expr: Expr | None) -> str:
    return (expr.literal or "") if isinstance(expr, Str) else ""


def _operations(root: Expr) -> Iterator[Map]:
    paths = at(root, "paths")
    for item in paths.entries if isinstance(paths, Map) else ():
        for entry in item.value.entries if isinstance(item.value, Map) else ():
            if isinstance(entry.key, Str) and entry.key.literal in METHODS and isinstance(entry.value, Map):
                yield entry.value


def _offered(root: Expr) -> Iterator[str]:
    """The operations that a server in the same document offers by their IDs."""
    for operation in _operations(root):
        listed = at(operation, "x-zuplo-route", "handler", "options", "operations")
        for one in listed.items if isinstance(listed, Seq) else ():
            yield _literal(at(one, "id"))


def _mark(operation: Map) -> Expr | None:
    """What makes an operation one for models."""
    marks = (at(operation, "x-zuplo-route", "mcp"), *(at(operation, name) for name in MARKS))
    return next((mark for mark in marks if mark is not None), None)


def _kind(mark: Expr | None) -> str:
    """What an operation is for a model; an empty text for one that it does not see."""
    enabled = at(mark, "enabled")
    if mark is None or (isinstance(mark, Const) and not mark.value):
        return ""
    if isinstance(enabled, Const) and enabled.value is False:
        return ""
    return _literal(at(mark, "type")) or "tool"


def _imports(facts: FileFacts, package: str) -> bool:
    return any(isinstance(stmt, Import) and stmt.module == package for stmt in facts.body)
