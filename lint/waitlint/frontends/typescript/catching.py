"""A handler of errors that keeps an abort to itself, made to let it through."""

from __future__ import annotations

from tree_sitter import Node

from waitlint.fix import Edit, RaiseAgain
from waitlint.frontends.typescript.surgery import Patient, may_be_missing, solid, walk

_CATCH = frozenset({"catch_clause"})


def raised(patient: Patient, change: RaiseAgain) -> tuple[Edit, ...] | None:
    """The handler begins with a look at the signal that what it guards is given; None where there is not one."""
    clause = patient.at(change.span, _CATCH)
    around = clause.parent if clause is not None else None
    guarded = around.child_by_field_name("body") if around is not None else None
    body = clause.child_by_field_name("body") if clause is not None else None
    if clause is None or guarded is None or body is None:
        return None
    signals = _signals(patient, guarded)
    if len(signals) != 1:
        return None
    signal = signals.pop()
    edits: list[Edit] = []
    parameter = clause.child_by_field_name("parameter")
    if parameter is None:
        name = "error"
        edits.append(patient.edit(clause.start_byte + len("catch"), clause.start_byte + len("catch"), f" ({name})"))
    elif parameter.type == "identifier":
        name = patient.word(parameter)
    else:
        return None
    mark = "?" if may_be_missing(patient, clause, signal) else ""
    look = f"if ({signal}{mark}.aborted) throw {name};"
    first = solid(body)
    newline, inner = patient.source.newline, patient.margin(clause.start_byte) + "  "
    if first and patient.text.rfind("\n", body.start_byte, first[0].start_byte) >= 0:
        inner = patient.margin(first[0].start_byte)
        line = patient.text.rfind("\n", 0, first[0].start_byte) + 1
        edits.append(patient.edit(line, line, f"{inner}{look}{newline}"))
    elif first:
        edits.append(patient.edit(first[0].start_byte, first[0].start_byte, f"{look} "))
    else:
        end = body.end_byte - 1
        last = patient.text[body.start_byte + 1 : end]
        if last.strip() or "\n" in last:
            line = patient.text.rfind("\n", 0, end) + 1
            if patient.text[line:end].strip():
                return None
            edits.append(patient.edit(line, line, f"{inner}{look}{newline}"))
        else:
            closing = f"{newline}{inner}{look}{newline}{patient.margin(clause.start_byte)}"
            edits.append(patient.edit(body.start_byte + 1, end, closing))
    return patient.tried(edits)


def _signals(patient: Patient, guarded: Node) -> set[str]:
    """The signals that calls in a block are given: `{ signal }`, `{ signal: stop }`."""
    found: set[str] = set()
    for node in walk(guarded):
        if node.type == "shorthand_property_identifier" and patient.word(node) == "signal":
            found.add("signal")
        elif node.type == "pair":
            key, value = node.child_by_field_name("key"), node.child_by_field_name("value")
            if key is not None and value is not None and patient.word(key) == "signal":
                found |= {patient.word(value)} if value.type in ("identifier", "member_expression") else {""}
    return found if "" not in found else set()
