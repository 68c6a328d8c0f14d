"""Operations of an OpenAPI document that are tools: the texts by which a model chooses and calls them."""

from __future__ import annotations

from collections.abc import Iterator

from waitlint.facts import Const, Expr, Map, Seq, Str, Text
from waitlint.frontends.documents.places import of_string
from waitlint.frontends.documents.selectors import joined, key_name
from waitlint.frontends.documents.texts import text_of

_METHODS = frozenset(("get", "put", "post", "delete", "options", "head", "patch", "trace", "x-query"))
_MARKS = ("x-zuplo-mcp-tool", "x-mcp", "x-mcp-tool", "x-speakeasy-mcp", "x-fastmcp")
_SCHEMAS = ("properties", "$defs", "definitions", "patternProperties")
_COMBINED = ("items", "additionalProperties", "not", "anyOf", "oneOf", "allOf", "prefixItems")


def operation_texts(root: Expr) -> Iterator[Text]:
    """The texts of each operation that is marked as a tool, in the order of the document."""
    everything = _marks_everything(root)
    listed = _listed(root)
    for path_key, path_item in _items(_at(root, "paths")):
        shared = _at(path_item, "parameters")
        for method, operation in _items(path_item):
            if method not in _METHODS or not isinstance(operation, Map):
                continue
            base = joined(joined("paths", path_key), method)
            kind = _kind(operation)
            if kind == "tool" or everything or (kind is None and _word(_at(operation, "operationId")) in listed):
                yield from _operation(operation, shared, base)
            elif kind is not None:
                mark, path = _mark(operation)
                yield from _first("prompt", [(_at(mark, "description"), f"{base}.{path}.description")])


def _marks_everything(root: Expr) -> bool:
    """Whether the document as a whole is handed to a model: one of its operations is marked as such documents are."""
    for _, path_item in _items(_at(root, "paths")):
        for _, operation in _items(path_item):
            if _at(operation, "x-openai-isConsequential") is not None:
                return True
    return False


def _listed(root: Expr) -> frozenset[str]:
    """The operations that a server's handler in this document offers, by their IDs."""
    found: set[str] = set()
    for _, path_item in _items(_at(root, "paths")):
        for _, operation in _items(path_item):
            handler = _at(_at(operation, "x-zuplo-route"), "handler")
            offered = _at(_at(handler, "options"), "operations")
            found.update(_word(_at(one, "id")) for one in (offered.items if isinstance(offered, Seq) else ()))
    return frozenset(found - {""})


def _mark(operation: Map) -> tuple[Expr | None, str]:
    """What makes an operation one for models, and its path below the operation."""
    route = _at(_at(operation, "x-zuplo-route"), "mcp")
    if route is not None:
        return route, "x-zuplo-route.mcp"
    for name in _MARKS:
        mark = _at(operation, name)
        if mark is not None:
            return mark, name
    return None, ""


def _kind(operation: Map) -> str | None:
    """`tool`, `prompt` or another kind of thing for models; None where nothing marks the operation."""
    mark, _ = _mark(operation)
    enabled = _at(mark, "enabled")
    if mark is None or (isinstance(mark, Const) and not mark.value):
        return None
    if isinstance(enabled, Const) and enabled.value is False:
        return None
    return _word(_at(mark, "type")) or "tool"


def _word(value: Expr | None) -> str:
    return (value.literal or "") if isinstance(value, Str) else ""


def _operation(operation: Map, shared: Expr | None, base: str) -> Iterator[Text]:
    mark, path = _mark(operation)
    yield from _first(
        "tool-description",
        [
            (_at(mark, "description"), f"{base}.{path}.description"),
            (_at(operation, "description"), f"{base}.description"),
            (_at(operation, "summary"), f"{base}.summary"),
        ],
    )
    for parameters in (shared, _at(operation, "parameters")):
        for number, parameter in enumerate(parameters.items if isinstance(parameters, Seq) else ()):
            here = f"{base}.parameters[{number}]"
            yield from _described(parameter, here)
            yield from _schema(_at(parameter, "schema"), f"{here}.schema")
    body = _at(operation, "requestBody")
    yield from _described(body, f"{base}.requestBody")
    for kind, media in _items(_at(body, "content")):
        yield from _schema(_at(media, "schema"), joined(f"{base}.requestBody.content", kind) + ".schema")


def _schema(schema: Expr | None, path: str) -> Iterator[Text]:
    """The descriptions at every level of a schema; nesting is bounded by that of the document."""
    stack = [(schema, path)]
    while stack:
        value, here = stack.pop()
        if isinstance(value, Seq):
            stack.extend((item, f"{here}[{number}]") for number, item in reversed(list(enumerate(value.items))))
            continue
        yield from _described(value, here)
        children: list[tuple[Expr | None, str]] = []
        for name in _SCHEMAS:
            children.extend((inner, f"{here}.{name}.{key}") for key, inner in _items(_at(value, name)))
        children.extend((_at(value, name), f"{here}.{name}") for name in _COMBINED)
        stack.extend(reversed([child for child in children if child[0] is not None]))


def _described(value: Expr | None, path: str) -> Iterator[Text]:
    yield from _first("parameter-description", [(_at(value, "description"), f"{path}.description")])


def _first(role: str, choices: list[tuple[Expr | None, str]]) -> Iterator[Text]:
    """The first of the choices that is a text with words in it."""
    for value, path in choices:
        if isinstance(value, Str) and (value.literal or "").strip():
            yield text_of(role, of_string(value), value.span, path)
            return


def _at(value: Expr | None, key: str) -> Expr | None:
    for name, inner in _items(value):
        if name == key:
            return inner
    return None


def _items(value: Expr | None) -> Iterator[tuple[str, Expr]]:
    for entry in value.entries if isinstance(value, Map) else ():
        name = key_name(entry.key)
        if name is not None:
            yield name, entry.value
