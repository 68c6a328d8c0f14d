"""Operations of an OpenAPI document that are tools: the texts by which a model chooses and calls them."""

from __future__ import annotations

from collections.abc import Iterator

from waitlint.facts import Const, Expr, Map, Seq, Str, Text
from waitlint.frontends.documents.places import of_string
from waitlint.frontends.documents.selectors import joined, key_name
from waitlint.frontends.documents.texts import text_of

_METHODS = frozenset(("get", "put", "post", "delete", "options", "head", "patch", "trace", "x-query"))
_SCHEMAS = ("properties", "$defs", "definitions", "patternProperties")
_COMBINED = ("items", "additionalProperties", "not", "anyOf", "oneOf", "allOf", "prefixItems")


def operation_texts(root: Expr) -> Iterator[Text]:
    """The texts of each operation that is marked as a tool, in the order of the document."""
    everything = _marks_everything(root)
    for path_key, path_item in _items(_at(root, "paths")):
        shared = _at(path_item, "parameters")
        for method, operation in _items(path_item):
            if method not in _METHODS or not isinstance(operation, Map):
                continue
            if everything or _is_tool(operation):
                base = joined(joined("paths", path_key), method)
                yield from _operation(operation, shared, base)


def _marks_everything(root: Expr) -> bool:
    """Whether the document as a whole is handed to a model: one of its operations is marked as such documents are."""
    for _, path_item in _items(_at(root, "paths")):
        for _, operation in _items(path_item):
            if _at(operation, "x-openai-isConsequential") is not None:
                return True
    return False


def _is_tool(operation: Map) -> bool:
    route = _at(_at(operation, "x-zuplo-route"), "mcp")
    for mark in (route, _at(operation, "x-zuplo-mcp-tool"), _at(operation, "x-mcp"), _at(operation, "x-mcp-tool")):
        if mark is None or (isinstance(mark, Const) and not mark.value):
            continue
        enabled = _at(mark, "enabled")
        kind = _at(mark, "type")
        if isinstance(enabled, Const) and enabled.value is False:
            continue
        if isinstance(kind, Str) and kind.literal not in ("tool", None):
            continue
        return True
    return False


def _operation(operation: Map, shared: Expr | None, base: str) -> Iterator[Text]:
    marked = _at(_at(operation, "x-zuplo-route"), "mcp") or _at(operation, "x-zuplo-mcp-tool") or operation
    own = _at(marked, "description")
    prefix = "x-zuplo-route.mcp." if _at(_at(operation, "x-zuplo-route"), "mcp") is marked else ""
    if not isinstance(own, Str):
        prefix = ""
        own = _at(operation, "description")
    name = "description"
    if not isinstance(own, Str):
        own, name = _at(operation, "summary"), "summary"
    if isinstance(own, Str):
        yield from _text("tool-description", own, f"{base}.{prefix}{name}")
    for parameters in (shared, _at(operation, "parameters")):
        for number, parameter in enumerate(parameters.items if isinstance(parameters, Seq) else ()):
            path = f"{base}.parameters[{number}]"
            yield from _described(parameter, path)
            yield from _schema(_at(parameter, "schema"), f"{path}.schema")
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
    own = _at(value, "description")
    if isinstance(own, Str):
        yield from _text("parameter-description", own, f"{path}.description")


def _text(role: str, string: Str, path: str) -> Iterator[Text]:
    mapped = of_string(string)
    if mapped.text.strip():
        yield text_of(role, mapped, string.span, path)


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
