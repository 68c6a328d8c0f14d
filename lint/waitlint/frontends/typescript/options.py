"""An option of a call: an entry of the object at one of its arguments."""

from __future__ import annotations

from tree_sitter import Node

from waitlint.fix import Edit, SetOption
from waitlint.frontends.typescript.signalling import appended
from waitlint.frontends.typescript.surgery import CALLS, Patient, bare, given_to, solid, walk

_OFF = frozenset({"number", "null", "undefined", "true", "unary_expression"})
_INFINITE = frozenset({"Infinity", "undefined", "Number.POSITIVE_INFINITY", "Number.MAX_SAFE_INTEGER"})


def with_option(patient: Patient, change: SetOption) -> tuple[Edit, ...] | None:
    """The edits that set an option; None where what is there is not written in place."""
    call = patient.at(change.span, CALLS)
    found = given_to(call)
    if found is None or change.arg is None or not change.key:
        return None
    arguments, given = found
    imported = _imported(patient, change)
    if imported is None or len(given) < change.arg:
        return None
    *outer, key = change.key.split(".")
    if len(given) == change.arg:
        words = f"{{ {key}: {change.value} }}"
        for name in reversed(outer):
            words = f"{{ {name}: {words} }}"
        return patient.tried([*imported, appended(patient, arguments, given, words)])
    made = _in_object(patient, bare(given[change.arg]), [*outer, key], change)
    return patient.tried([*imported, *made]) if made is not None else None


def _in_object(patient: Patient, found: Node, keys: list[str], change: SetOption) -> list[Edit] | None:
    if found.type != "object" or any(child.type == "spread_element" for child in solid(found)):
        return None
    for child in solid(found):
        name = patient.word(child.child_by_field_name("key") or child).strip("'\"")
        value = child.child_by_field_name("value")
        if name == change.instead and len(keys) == 1:
            return [patient.edit(child.start_byte, child.end_byte, f"{keys[0]}: {change.value}")]
        if name != keys[0]:
            continue
        if value is None:
            return None
        if len(keys) > 1:
            return _in_object(patient, bare(value), keys[1:], change)
        return _in_place_of(patient, bare(value), change)
    words = change.value
    for name in reversed(keys):
        words = f"{name}: {words}" if name == keys[0] else f"{{ {name}: {words} }}"
    return [appended(patient, found, solid(found), words, spaced=True)]


def _in_place_of(patient: Patient, value: Node, change: SetOption) -> list[Edit] | None:
    if change.joins:
        if value.type == "array":
            return [appended(patient, value, solid(value), change.value)]
        if value.type == "call_expression":
            return [
                patient.edit(value.start_byte, value.start_byte, "["),
                patient.edit(value.end_byte, value.end_byte, f", {change.value}]"),
            ]
    if value.type not in _OFF and patient.word(value) not in _INFINITE:
        return None
    return [patient.edit(value.start_byte, value.end_byte, change.value)]


def _imported(patient: Patient, change: SetOption) -> list[Edit] | None:
    """The edits that import what the value names; None where its module is not imported by names here."""
    if not change.source:
        return []
    wanted = change.value.partition("(")[0]
    for statement in patient.tree.root.named_children:
        source = statement.child_by_field_name("source") if statement.type == "import_statement" else None
        if source is None or patient.word(source).strip("'\"") != change.source:
            continue
        named = next((node for node in walk(statement) if node.type == "named_imports"), None)
        if named is None or patient.word(statement).startswith("import type"):
            continue
        names = [patient.word(one).removeprefix("type ") for one in solid(named)]
        if wanted in names:
            return []
        if any(name.partition(" as ")[0].strip() == wanted for name in names):
            return None
        return [appended(patient, named, solid(named), wanted, spaced=True)]
    return None
