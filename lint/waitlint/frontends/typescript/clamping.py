"""An argument that the model chooses, given a greatest value in its schema."""

from __future__ import annotations

from tree_sitter import Node

from waitlint.fix import ClampArgument, Edit, greatest
from waitlint.frontends.typescript.numbers import in_files_manner
from waitlint.frontends.typescript.surgery import Patient, solid, walk

_NARROWS = frozenset({"int", "min", "positive", "nonnegative", "gte", "gt", "finite", "safe", "multipleOf", "step"})
_LIMITS = frozenset({"max", "lte", "lt", "negative", "nonpositive"})


def clamped(patient: Patient, change: ClampArgument) -> tuple[Edit, ...] | None:
    """The edit of the schema at a place; None where that is no number of zod or of a JSON schema."""
    inside = [
        node
        for node in walk(patient.tree.root)
        if change.span.start <= node.start_byte and node.end_byte <= change.span.end
    ]
    calls = [node for node in inside if node.type == "call_expression" and _method(patient, node) == "number"]
    if len(calls) == 1:
        return _in_chain(patient, calls[0], change)
    objects = [node for node in inside if node.type == "object" and "type" in _entries(patient, node)]
    if not calls and len(objects) == 1:
        return _in_schema(patient, objects[0], change)
    return None


def _method(patient: Patient, call: Node) -> str:
    """The last name of what is called."""
    function = call.child_by_field_name("function")
    name = function.child_by_field_name("property") if function is not None else None
    return patient.word(name) if name is not None else ""


def _in_chain(patient: Patient, call: Node, change: ClampArgument) -> tuple[Edit, ...] | None:
    """`z.number()` with `.max(…)` behind what else narrows the number down."""
    chain = [call]
    while (member := chain[-1].parent) is not None and member.type == "member_expression":
        outer = member.parent
        if outer is None or outer.type != "call_expression":
            break
        chain.append(outer)
    names = [_method(patient, one) for one in chain]
    if _LIMITS & set(names):
        return None
    default = next((one for one in chain if _method(patient, one) == "default"), None)
    most = greatest(change, _number(patient, solid(default)[-1]) if default is not None else None)
    if most is None:
        return None
    last = call
    for one, name in zip(chain[1:], names[1:], strict=True):
        if name not in _NARROWS:
            break
        last = one
    written = in_files_manner(patient, most) if most >= 10_000 else f"{most}"
    return patient.tried([patient.edit(last.end_byte, last.end_byte, f".max({written})")])


def _number(patient: Patient, node: Node) -> float | None:
    given = solid(node)
    words = patient.word(given[0] if node.type == "arguments" and given else node).replace("_", "")
    try:
        return float(words)
    except ValueError:
        return None


def _entries(patient: Patient, node: Node) -> dict[str, Node]:
    found = {}
    for pair in solid(node):
        key, value = pair.child_by_field_name("key"), pair.child_by_field_name("value")
        if key is not None and value is not None:
            found[patient.word(key).strip("'\"")] = value
    return found


def _in_schema(patient: Patient, schema: Node, change: ClampArgument) -> tuple[Edit, ...] | None:
    entries = _entries(patient, schema)
    kind = patient.word(entries["type"]).strip("'\"")
    if kind not in ("number", "integer") or {"maximum", "exclusiveMaximum"} & set(entries):
        return None
    most = greatest(change, _number(patient, entries["default"]) if "default" in entries else None)
    if most is None:
        return None
    beside = entries.get("minimum", entries["type"])
    pair = beside.parent
    quote = patient.word(pair)[:1] if pair is not None and patient.word(pair)[:1] in ("'", '"') else ""
    line = patient.text[patient.text.rfind("\n", 0, beside.end_byte) + 1 : beside.end_byte]
    alone = not line[: len(line) - len(line.lstrip())].strip() and line.strip().startswith(patient.word(pair or beside))
    joined = f",{patient.source.newline}{patient.margin(beside.start_byte)}" if alone else ", "
    return patient.tried([patient.edit(beside.end_byte, beside.end_byte, f"{joined}{quote}maximum{quote}: {most}")])
